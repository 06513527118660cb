"""The command line, as a process: output, files and exit status."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import polars
import pytest
from tests.python.clocks import interrupted

import ackclock as ac
from ackclock.plot.distributions import KINDS, QUANTITIES
from ackclock.runs.run import FIGURES
from ackclock.scenario.topologies import TOPOLOGIES
from ackclock.sweeps.store import digest

SCENARIO = """
duration = "5s"
seed = 1

[[link]]
between = ["a", "r"]
rate = "10Mbps"
delay = "1ms"

[[link]]
between = ["r", "b"]
rate = "1Mbps"
delay = "20ms"
queue = { kind = "droptail", packets = 8 }

[[flow]]
from = "a"
to = "b"
tcp = { variant = "reno", profile = "ns2" }

[[flow]]
from = "a"
to = "b"
tcp = { variant = "vegas", profile = "ns2" }
"""
LONG = 'duration = "1000000s"'
SCREEN = 24


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "scenario.toml").write_text(SCENARIO)
    return tmp_path


def ackclock(*arguments: str, here: Path, status: int = 0) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "ackclock", *arguments], cwd=here, capture_output=True, timeout=120
    )
    assert done.returncode == status, done.stderr.decode()
    return done


def refused(*arguments: str, here: Path) -> str:
    """Run a command that must fail as a user error, and return the message."""
    before = sorted(here.rglob("*"))
    done = ackclock(*arguments, here=here, status=2)
    said = done.stderr.decode()
    assert done.stdout == b""
    assert said.startswith("error: ")
    assert "Traceback" not in said
    assert len(said.splitlines()) < SCREEN
    assert sorted(here.rglob("*")) == before
    return said


def test_run_prints_flows_and_links_and_writes_nothing(here: Path) -> None:
    done = ackclock("run", "scenario.toml", here=here)
    said = done.stdout.decode()
    for word in ("reno", "vegas", "goodput", "r>b", "Jain"):
        assert word in said
    assert " s (" not in said
    assert b" events in " in done.stderr
    assert [path.name for path in here.iterdir()] == ["scenario.toml"]


def test_json_is_the_summary_byte_for_byte_from_everywhere(here: Path) -> None:
    once, twice = (ackclock("run", "scenario.toml", "--json", "-", here=here) for _ in range(2))
    ackclock("run", "scenario.toml", "--json", "s.json", "--quiet", here=here)
    from_python = ac.load(here / "scenario.toml").run().summary_json.encode()
    assert once.stdout == twice.stdout == from_python == (here / "s.json").read_bytes()
    assert once.stderr.startswith(b"warning: ACK")
    summary = json.loads(once.stdout)
    radio = {"wifi", "stations", "lte", "ues", "cells"}
    assert set(summary) == {"schema_version", "flows", "links", "gateways", *radio, "fairness", "manifest"}
    assert [flow["variant"] for flow in summary["flows"]] == ["reno", "vegas"]


def test_settings_and_seed(here: Path) -> None:
    done = ackclock(
        "run",
        "scenario.toml",
        "--set",
        "flow.*.tcp.variant=sack",
        "--set",
        "link.1.queue.packets=20",
        "--seed",
        "9",
        "--json",
        "-",
        here=here,
    )
    summary = json.loads(done.stdout)
    assert [flow["variant"] for flow in summary["flows"]] == ["sack", "sack"]
    assert summary["manifest"]["seed"] == 9


def test_traces_plots_and_tables_are_written_where_asked(here: Path) -> None:
    ackclock(
        "run", "scenario.toml", "--trace", "cwnd,segments", "--plot", "cwnd", "--format", "parquet", here=here
    )
    out = here / "results" / "scenario"
    names = {path.name for path in out.iterdir()}
    assert {
        "cwnd.csv",
        "cwnd.parquet",
        "segments.csv",
        "flows.csv",
        "summary.json",
        "cwnd.png",
        "cwnd.svg",
    } <= names
    ackclock("run", "scenario.toml", "--out", "mine", "-q", here=here)
    assert "cwnd.csv" not in {path.name for path in (here / "mine").iterdir()}
    again = out / "segments.csv"
    ackclock("run", "scenario.toml", "--trace", "segments", "--out", "again", "-q", here=here)
    assert again.read_bytes() == (here / "again" / "segments.csv").read_bytes()


def test_the_list_of_files_names_the_tables_without_rows(here: Path) -> None:
    done = ackclock("run", "scenario.toml", "--out", "mine", here=here).stdout.decode()
    assert "mine/flows.csv\n" in done
    assert "no rows, so no file: video, sessions, completions, gateways, stations, ues, cells\n" in done
    radio = ackclock("run", "wlan", "--set", "duration=6s", "--out", "mine", here=here).stdout.decode()
    assert "mine/stations.csv\n" in radio
    assert "no rows, so no file: video, sessions, completions, gateways, ues, cells\n" in radio
    assert not (here / "mine" / "cells.csv").exists()
    assert "no rows" not in ackclock("run", "scenario.toml", here=here).stdout.decode()


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("flow.0.tcp.variant=newrenno", "newreno"),
        ("link.1.rate=-1Mbps", "link.1.rate"),
        ("link.1.delay=20", "ms"),
        ("flow.0.to=nowhere", "nowhere"),
        ("link.1.queue.packtes=3", "packets"),
        ("flow.7.stop=1s", "flow"),
    ],
)
def test_each_users_error_is_one_screen(here: Path, setting: str, said: str) -> None:
    assert said in refused("run", "scenario.toml", "--set", setting, here=here)
    assert said in refused("check", "scenario.toml", "--set", setting, here=here)
    assert said in refused("sweep", "scenario.toml", "--set", setting, "--reps", "2", here=here)


def test_an_unreachable_node_is_named(here: Path) -> None:
    (here / "apart.toml").write_text(SCENARIO.replace('between = ["r", "b"]', 'between = ["q", "b"]'))
    said = refused("run", "apart.toml", here=here)
    assert "flow.0" in said


def test_an_error_in_a_file_names_its_line(here: Path) -> None:
    (here / "bad.toml").write_text(SCENARIO.replace('"1Mbps"', '"1Mpbs"'))
    assert "line 12" in refused("run", "bad.toml", here=here)
    (here / "torn.toml").write_text(SCENARIO[:-3])
    assert "line" in refused("run", "torn.toml", here=here)


def test_unreadable_files(here: Path) -> None:
    assert "did you mean scenario.toml?" in refused("run", "scenaro.toml", here=here)
    assert "there is no folder" in refused("run", "nowhere/scenario.toml", here=here)
    (here / "folder.toml").mkdir()
    assert "cannot read" in refused("check", "folder.toml", here=here)
    (here / "binary.toml").write_bytes(b"\xff\xfe\x00\x01")
    assert "not UTF-8" in refused("sweep", "binary.toml", here=here)


def test_misspelt_names_of_everything_else(here: Path) -> None:
    assert "did you mean cwnd?" in refused("run", "scenario.toml", "--trace", "cwmd", here=here)
    assert "did you mean queue?" in refused("run", "scenario.toml", "--plot", "queu", here=here)
    assert "variants" in refused("list", "varints", here=here)
    assert "run" in refused("rum", "scenario.toml", here=here)
    assert "--seed" in refused("run", "scenario.toml", "--sede", "3", here=here)
    assert "abadin" in refused("study", "abadim", here=here)
    assert "PATH=V1,V2" in refused("sweep", "scenario.toml", "--vary", "link.0.rate", here=here)
    assert "--start-jitter" in refused("sweep", "scenario.toml", "--jitter", "100", here=here)
    assert "--seed" in refused("run", "scenario.toml", "--seed", "-1", here=here)


def test_a_folder_that_cannot_be_made_is_the_users_error(here: Path) -> None:
    (here / "taken").write_text("a file")
    assert "taken" in refused("run", "scenario.toml", "--out", "taken", here=here)
    assert "taken" in refused("run", "scenario.toml", "--out", "taken/sub", here=here)


def test_sweep_runs_what_is_missing_and_nothing_else(here: Path) -> None:
    grid = ["sweep", "scenario.toml", "--out", "s", "--reps", "2", "--vary", "link.1.rate=1Mbps,2Mbps"]
    done = ackclock(*grid, here=here)
    assert "2Mbps" in done.stdout.decode()
    names = [f"{stem}.{form}" for stem in ("results", "runs", "points") for form in ("csv", "parquet")]
    first = {name: (here / "s" / name).read_bytes() for name in names}
    rows = polars.read_csv(here / "s" / "runs.csv")
    assert rows.height == 4
    assert rows["jitter_bound_s"].to_list() == [0.25] * 4
    assert polars.read_parquet(here / "s" / "results.parquet").height == 8
    base = sqlite3.connect(here / "s" / "finished.sqlite")
    with base:
        for key, text in base.execute("SELECT key, summary FROM runs").fetchall():
            marked = json.loads(text)
            for flow in marked["flows"]:
                flow["timeouts"] = 1000
            text = json.dumps(marked)
            row = (text, digest(key, text), key)
            base.execute("UPDATE runs SET summary = ?, digest = ? WHERE key = ?", row)
        kept = base.execute("SELECT key FROM runs ORDER BY key LIMIT 3").fetchall()
        base.execute("DELETE FROM runs WHERE key NOT IN (?, ?, ?)", [key for (key,) in kept])
    base.close()
    ackclock(*grid, "-q", here=here)
    timeouts = polars.read_csv(here / "s" / "results.csv")["timeouts"].to_list()
    assert timeouts.count(1000) == 6
    (here / "s" / "finished.sqlite").unlink()
    ackclock(*grid, "-q", "--jobs", "1", here=here)
    assert {name: (here / "s" / name).read_bytes() for name in names} == first


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL to send")
def test_a_killed_sweep_goes_on_where_it_was(here: Path) -> None:
    (here / "scenario.toml").write_text(SCENARIO.replace('duration = "5s"', 'duration = "300s"'))
    grid = ["sweep", "scenario.toml", "--reps", "16", "--vary", "link.1.rate=1Mbps,2Mbps", "-q", "--out"]
    process = subprocess.Popen([sys.executable, "-m", "ackclock", *grid, "killed"], cwd=here)
    sweep = here / "killed" / "finished.sqlite"
    deadline = time.monotonic() + 60
    while finished(sweep) == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    process.wait()
    kept = finished(sweep)
    assert 0 < kept <= 32
    ackclock(*grid, "killed", here=here)
    ackclock(*grid, "whole", "--jobs", "1", here=here)
    assert finished(sweep) == 32
    for name in ("results.csv", "runs.parquet", "points.csv", "manifest.json"):
        assert (here / "killed" / name).read_bytes() == (here / "whole" / name).read_bytes()


def finished(sweep: Path) -> int:
    """Return the number of finished runs in a sweep's database while the sweep runs."""
    if not sweep.exists():
        return 0
    base = sqlite3.connect(sweep, timeout=10)
    try:
        (count,) = base.execute("SELECT COUNT(*) FROM runs").fetchone()
    except sqlite3.OperationalError:  # the database has no tables yet
        count = 0
    finally:
        base.close()
    return int(count)


def test_lists_are_for_people_and_machines(here: Path) -> None:
    for what in (
        "variants",
        "recoveries",
        "controls",
        "profiles",
        "queues",
        "losses",
        "traffic",
        "traces",
        "metrics",
    ):
        entries = json.loads(ackclock("list", what, "--json", here=here).stdout)
        assert entries
        assert all(entry["name"] and entry["summary"] for entry in entries)
        assert entries[0]["name"] in ackclock("list", what, here=here).stdout.decode()
    variants = ackclock("list", "variants", here=here).stdout.decode()
    assert all(name in variants for name in ("tahoe", "reno", "newreno", "sack", "fack", "vegas"))
    assert b"dumbbell" in ackclock("list", "topologies", here=here).stdout
    assert b"abadin" in ackclock("list", "studies", here=here).stdout


def test_schema_takes_a_good_scenario_and_refuses_a_bad_one(here: Path) -> None:
    import jsonschema

    ackclock("schema", "--out", "s.json", here=here)
    schema = json.loads((here / "s.json").read_text())
    assert json.loads(ackclock("schema", here=here).stdout) == schema
    document = ac.load(here / "scenario.toml").document()
    jsonschema.validate(document, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**document, "lnk": []}, schema)


def test_check_says_what_a_file_holds(here: Path) -> None:
    assert ackclock("check", "scenario.toml", here=here).stdout.startswith(
        b"scenario.toml: 3 warnings (2 links, 2 flows"
    )
    described = json.loads(ackclock("check", "scenario.toml", "--json", "-", here=here).stdout)
    assert described["flow"][0]["tcp"]["min_rto"]


def test_check_names_the_recovery_of_a_control_in_profile_linux(here: Path) -> None:
    alone = ackclock("check", "scenario.toml", "--set", "flow.1.tcp.profile=linux", here=here).stderr
    assert b'"vegas" in profile "linux" is that of Linux 6.12: variant "rack+vegas"' in alone
    settings = ("--set", "flow.1.tcp.profile=linux", "--set", "flow.1.tcp.variant=sack+vegas")
    assert b"Linux 6.12" not in ackclock("check", "scenario.toml", *settings, here=here).stderr


def test_version_and_help(here: Path) -> None:
    alone = ackclock(here=here)
    assert alone.stdout == ackclock("--help", here=here).stdout
    assert alone.stderr == b""
    assert ackclock("--version", here=here).stdout.decode().strip() == f"ackclock {ac.__version__}"
    for verb in ("run", "compare", "sweep", "study", "list", "check", "schema"):
        assert b"Examples:" in ackclock(verb, "--help", here=here).stdout


def test_help_names_what_there_is(here: Path) -> None:
    run, compare = (
        " ".join(ackclock(verb, "--help", here=here).stdout.decode().split()) for verb in ("run", "compare")
    )
    *some, last = TOPOLOGIES
    assert f"figures: {', '.join(one for one in FIGURES if '-' not in one)}; rtt-cdf," in run
    assert f"another of {', '.join(QUANTITIES)} as {', '.join(KINDS)} or (not completion) ellipse;" in run
    assert f"NAME {', '.join(some)} or {last}." in compare
    assert "ackclock list profiles" in compare


def test_starting_up_loads_nothing_heavy_and_is_quick(here: Path) -> None:
    code = (
        "import sys, ackclock.cli.main as m; m.main(['--help']);"
        "print([n for n in 'numpy polars scipy matplotlib rich.console'.split() if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=here, capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1] == "[]"
    spent = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ackclock("--help", here=here)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < 0.3


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "scenario.toml", "--trace", "queue", "--out", "out", "--yes"],
        ["compare", "reno", "vegas", "--duration", "100000s", "--out", "out"],
    ],
)
def test_interruption_is_quick_and_leaves_nothing(here: Path, arguments: list[str]) -> None:
    (here / "scenario.toml").write_text(SCENARIO.replace('duration = "5s"', LONG))
    for _ in range(5):  # on a loaded machine Python may not have started yet
        process = subprocess.Popen(
            [sys.executable, "-m", "ackclock", *arguments], cwd=here, stderr=subprocess.PIPE, text=True
        )
        time.sleep(1.5)
        took_s, _, said = interrupted(process)
        if process.returncode == -signal.SIGINT:
            continue
        assert process.returncode == 130
        # Like `check`, `run` prints warnings before it begins; a long one goes on in a line that is indented.
        lines = [line for line in said.splitlines() if not line.startswith(("warning: ACK", "    "))]
        assert lines == ["interrupted"]
        assert [path.name for path in here.iterdir()] == ["scenario.toml"]
        assert took_s < 2  # processor time of two threads, each of which stops within a second
        return
    pytest.fail("Python did not start within 1.5 s, five times")


def test_a_reader_that_leaves_is_no_error(here: Path) -> None:
    command = f"{sys.executable} -m ackclock list metrics --json | head -c 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=here, capture_output=True)
    assert done.stderr == b""
    assert done.returncode == 0


def test_a_connection_that_its_stack_ends_is_told_with_the_reason(here: Path) -> None:
    (here / "sky.toml").write_text(
        'duration = "9s"\n'
        'link = [{ between = ["r", "d"], rate = "40Mbps", delay = "240ms", queue = 1000, reverse.rate = "4Mbps" },\n'
        '{ between = ["s", "r"], rate = "400Mbps", delay = "60ms", queue = 100000 }]\n'
        'flow = [{ name = "sky", from = "s", to = "d", quic = { variant = "quinn-cubic", receive_window = "16MB" } }]\n'
    )
    done = ackclock("run", "sky.toml", "-q", here=here)
    assert done.returncode == 0
    said = " ".join(done.stderr.decode().split())
    assert 'warning: quinn-cubic ended the connection of flow "sky" after 7.9' in said
    assert "too many gaps in stream buffer" in said
