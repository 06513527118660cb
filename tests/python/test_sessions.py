"""Sessions: their table on the terminal, files of sizes, results in files, and measures by class of size."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import polars
import pytest

import ackclock as ac
from ackclock.stats.groups import Group, described_flows
from ackclock.stats.measures import group_value, measure_of, measures

SCENARIO = """
duration = "10s"
[[link]]
name = "bottleneck"
between = ["servers", "clients"]
rate = "10Mbps"
delay = "10ms"
queue = 50
[[flow]]
name = "web"
from = "servers"
to = "clients"
stop = "8s"
tcp = { variant = "cubic" }
[flow.traffic]
kind = "sessions"
arrivals = { kind = "poisson", load = 0.4, link = "bottleneck" }
response = { kind = "empirical", trace = "sizes.cdf" }
request = { kind = "constant", size = "400B" }
"""
SIZES = "# bytes, cumulative probability\n1000 0\n5000 0.6\n300000 1\n"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "web.toml").write_text(SCENARIO)
    (tmp_path / "sizes.cdf").write_text(SIZES)
    return tmp_path


def ackclock(*words: str, here: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "ackclock", *words], cwd=here, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == status, done.stderr
    return done


def test_run_prints_completion_times_by_class(here: Path) -> None:
    done = ackclock("run", "web.toml", "--wide", "--out", "out", "--trace", "requests", here=here)
    said = done.stdout
    for word in ("requests of", "slowdown", "under 10 kB", "10 kB to 100 kB", "100 kB to 1 MB"):
        assert word in said
    run = ac.load(here / "web.toml").run(seed=1, traces=["requests"])
    written = polars.read_csv(here / "out" / "completions.csv")
    assert written.columns == run.completions.to_polars().columns
    assert len(written) == len(run.completions) == 4
    requests = polars.read_csv(here / "out" / "requests.csv")
    (sessions,) = run.sessions.to_polars().to_dicts()
    assert len(requests) == sessions["completed_requests"] > 20
    assert requests["response_bytes"].sum() == sessions["response_bytes"]
    assert requests["fct_s"].mean() == pytest.approx(run.completions.to_polars()["fct_mean_s"][0], abs=1e-6)
    assert requests["slowdown"].min() > 0.99
    # The scenario that is stored with the results has the table itself.
    response = run.scenario.document()["flow"][0]["traffic"]["response"]
    assert response["points"] == "1000:0 5000:0.6 300000:1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("100 0.5\n200 0.4\n300 1\n", ("sizes.cdf", "line 2", "decreases")),
        ("", ("sizes.cdf", "the file has no size")),
        ("0 0.5\n300 1\n", ("line 1", "a size of zero")),
    ],
)
def test_wrong_files_are_refused(here: Path, text: str, words: tuple[str, ...]) -> None:
    (here / "sizes.cdf").write_text(text)
    done = ackclock("run", "web.toml", here=here, status=2)
    said = " ".join(done.stderr.split())
    assert all(word in said for word in ("flow.web.traffic.response", *words)), said


def test_a_load_over_the_link_is_refused(here: Path) -> None:
    done = ackclock("run", "web.toml", "--set", "flow.web.traffic.arrivals.load=1.2", here=here, status=2)
    assert "flow.web.traffic.arrivals.load" in done.stderr
    assert "for an overload give `rate`" in " ".join(done.stderr.split())


def test_measures_of_requests_and_of_classes(here: Path) -> None:
    run = ac.load(here / "web.toml").run(seed=2)
    rows = run.summary["flows"][0]["completions"]
    found = measures(run.summary)
    assert found["slowdown_mean"] == rows[0]["slowdown_mean"]
    assert found["fct_p99_s"] == rows[0]["fct_p99_s"]
    small = next(row for row in rows if row["below_bytes"] == 10_000)
    assert group_value(measure_of("fct_p99_s:..10kB"), run.summary) == small["fct_p99_s"]
    assert group_value(measure_of("slowdown_mean:web@..10kB"), run.summary) == small["slowdown_mean"]
    large = group_value(measure_of("slowdown_mean:10kB.."), run.summary)
    rest = [row for row in rows if row["requests_of"] == "class" and row["from_bytes"] >= 10_000]
    count = sum(row["count"] for row in rest)
    assert large == pytest.approx(sum(row["slowdown_mean"] * row["count"] for row in rest) / count)
    # A group that cuts a class holds nothing of it.
    assert math.isnan(group_value(measure_of("fct_p99_s:..5kB"), run.summary))


def test_groups_of_sizes_know_the_classes_beforehand(here: Path) -> None:
    flows = described_flows(ac.load(here / "web.toml").describe())
    assert Group.parse("..10kB").members(flows) == [0]
    assert Group.parse("..5kB").members(flows) == []


def test_a_sweep_has_intervals_of_classes(here: Path) -> None:
    words = ("--vary", "flow.web.tcp.variant=cubic,reno", "--reps", "3", "--set", "duration=4s")
    ackclock(
        "sweep", "web.toml", *words, "--measure", "slowdown_mean,fct_p99_s:..10kB", "--out", "s", here=here
    )
    table = polars.read_csv(here / "s" / "points.csv")
    for measure in ("slowdown_mean", "fct_p99_s:..10kB"):
        assert (table[measure] > 0).all()
        assert (table[f"{measure}_ci"] > 0).all()
        assert list(table[f"{measure}_n"]) == [3, 3]
