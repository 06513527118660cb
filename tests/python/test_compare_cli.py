"""``ackclock compare`` as a process: output, files, errors, and repetition with ``--again``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli.main import main

SHORT = ("--reps", "3", "--duration", "5s", "--rate", "1Mbps", "--jitter", "500ms")
SCENARIO = """
duration = "5s"

[[link]]
between = ["a", "b"]
rate = "1Mbps"
delay = "10ms"
queue = { kind = "droptail", packets = 8 }

[[flow]]
name = "first"
from = "a"
to = "b"
tcp = { variant = "sack" }

[[flow]]
name = "second"
from = "a"
to = "b"
tcp = { variant = "vegas", control = { alpha = 2 } }
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "scenario.toml").write_text(SCENARIO)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must succeed and return its output."""
    capsys.readouterr()
    assert main(["compare", *arguments]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must fail as a user error without writing a file, and return the message."""
    before = sorted(Path().rglob("*"))
    capsys.readouterr()
    assert main(["compare", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert sorted(Path().rglob("*")) == before
    return printed.err


def test_the_screen_shows_results_then_differences_then_files(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    printed = said(capsys, "reno", "vegas", *SHORT, "--queue", "1bdp")
    marks = (
        "rank",
        "±",
        "A star",
        "paired by seed",
        "p\n",
        "effect",
        "report.html",
        "again: ackclock compare --again",
    )
    places = [printed.replace(" ", "").find(mark.replace(" ", "")) for mark in marks]
    assert -1 not in places
    assert max(len(line.rstrip()) for line in printed.splitlines()) <= 90
    out = here / "results" / "compare-reno-vegas"
    # The bandwidth-delay product is 1 Mb/s * 2 * (20 + 1 + 1) ms = 5500 bytes, which is below the minimum of four
    # packets.
    queue = ac.load(out / "scenarios" / "reno.toml").document()["link"][0]["queue"]
    assert queue == {"kind": "droptail", "packets": 4}


def test_the_same_command_gives_the_same_bytes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("reno", "vegas", *SHORT)
    said(capsys, *arguments, "--out", "one", "--json", "one.json", "--jobs", "1")
    quiet = said(capsys, *arguments, "--out", "two", "--json", "two.json", "--jobs", "2", "-q")
    assert quiet == ""
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    names = sorted(path.relative_to("one") for path in Path("one").rglob("*") if path.is_file())
    assert names == sorted(path.relative_to("two") for path in Path("two").rglob("*") if path.is_file())
    for name in names:
        assert (Path("one") / name).read_bytes() == (Path("two") / name).read_bytes(), name
    printed = said(capsys, *arguments, "--json", "-")
    assert printed == Path("one.json").read_text()


def test_a_folder_is_made_again_and_says_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "soft=reno:decrease=0.7", "sack", *SHORT, "--set", "flow.1.start=1s", "--out", "one", "-q")
    manifest = json.loads(Path("one/manifest.json").read_text())
    assert manifest["command"] == (
        "ackclock compare soft=reno:decrease=0.7 sack --reps 3 --duration 5s --rate 1Mbps --jitter 500ms "
        "--set flow.1.start=1s"
    )
    before = sorted(Path().rglob("*"))
    files = len(manifest["files"])
    assert said(capsys, "--again", "one") == f"one: made again, the same bytes in all {files} files\n"
    assert sorted(Path().rglob("*")) == before
    said(capsys, "--again", "one", "--out", "two", "-q")
    for name in manifest["files"]:
        assert (Path("one") / name).read_bytes() == (Path("two") / name).read_bytes(), name


def test_what_is_not_the_same_is_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "reno", "sack", *SHORT, "--out", "one", "-q", "--no-packets")
    path = Path("one/manifest.json")
    kept = path.read_text()
    runs = Path("one/runs.csv")
    runs.write_text(runs.read_text() + "\n")
    told = refused(capsys, "--again", "one")
    assert "changed or missing since it was made: runs.csv" in told
    assert "made again, the same bytes as then" in told
    runs.write_text(runs.read_text().rstrip("\n") + "\n")

    manifest = json.loads(kept)
    manifest["plan"]["reps"] = 2
    path.write_text(json.dumps(manifest))
    told = refused(capsys, "--again", "one")
    assert "made again, other bytes in comparison.json" in told
    assert "made by the same version: please report it" in told
    path.write_text(json.dumps({**manifest, "version": "0.0.1"}))
    assert "it was made by version 0.0.1, this is" in refused(capsys, "--again", "one")


def test_other_drawing_libraries_are_an_excuse_for_figures_only(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ackclock.report import folder, writer

    said(capsys, "reno", "sack", *SHORT, "--out", "one", "-q", "--no-packets")
    monkeypatch.setattr(writer, "html", lambda *_: "drawn otherwise")
    assert "other bytes in report.html" in refused(capsys, "--again", "one")
    monkeypatch.setattr(folder, "made_with", lambda: {"matplotlib": "99.0"})
    told = said(capsys, "--again", "one")
    assert "the same data; other bytes in report.html" in told
    assert "99.0 here" in told


def test_folders_that_hold_no_comparison_are_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no folder nowhere" in refused(capsys, "--again", "nowhere")
    Path("other").mkdir()
    for text, told in (
        ("{", "not JSON"),
        ("[]", "a JSON object is wanted"),
        ("{}", "not the manifest"),
        ('{"plan": {}, "files": {}}', "not as `ackclock compare` writes it"),
    ):
        Path("other/manifest.json").write_text(text)
        assert told in refused(capsys, "--again", "other")
    assert "leave out VARIANT" in refused(capsys, "reno", "--again", "other")
    assert "leave out --reps" in refused(capsys, "--again", "other", "--reps", "3")


def test_a_scenario_file_as_surroundings(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(
        capsys,
        *(
            "reno",
            "tahoe",
            "--scenario",
            "scenario.toml",
            "--flows-under-test",
            "second",
            "--out",
            "one",
            "-q",
        ),
        *("--reps", "2", "--set", "link.0.rate=2Mbps"),
    )
    document = ac.load("one/scenarios/tahoe.toml").document()
    assert document["link"][0]["rate"] == "2Mbps"
    # A packet of 1500 bytes takes 6 ms at 2 Mb/s.
    assert [flow["tcp"] for flow in document["flow"]] == [
        {"variant": variant, "send_overhead": "6ms"} for variant in ("sack", "tahoe")
    ]
    rows = Path("one/results.csv").read_text().splitlines()
    assert len(rows) == 1 + 2 * 2 * 2


def test_a_mix_adds_its_base_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = said(capsys, "vegas", "--against", "reno", *SHORT)
    assert "base line" in printed
    assert "What is left to reno" in printed
    found = json.loads(Path("results/compare-vegas-against-reno/comparison.json").read_text())
    assert [row["label"] for row in found["variants"]] == ["vegas", "reno"]
    assert [gap["label"] for gap in found["taken_from_the_other"]] == ["vegas"]


def test_replications_without_variance_are_warned_of(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "reno", "--reps", "2", "--duration", "2s", "--jitter", "0s", "--flows", "1"]) == 0
    printed = capsys.readouterr()
    assert "all 2 replications gave the same goodput" in printed.err
    assert "(same)" in printed.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "name the variants to compare"),
        (["reno", "newrenno"], "did you mean `newreno`?"),
        (["reno:decrese=0.7"], "did you mean decrease?"),
        (["reno", "reno"], "listed twice"),
        (["reno", "--topology", "dumbel"], "did you mean dumbbell?"),
        (["reno", "--topology", "chain", "--stagger", "1s"], "--stagger: topology chain has no such option"),
        (
            ["reno", "--scenario", "scenario.toml", "--rate", "2Mbps"],
            "--rate: with --scenario the file says it",
        ),
        (["reno", "--scenario", "scenari.toml"], "did you mean scenario.toml?"),
        (
            ["reno", "--scenario", "scenario.toml", "--flows-under-test", "3"],
            "allowed: 0 (first), 1 (second)",
        ),
        (["reno", "--flows-under-test", "0"], "--flows-under-test goes with --scenario"),
        (["reno", "--against", "sack", "--flows", "1"], "two TCP flows or more"),
        (["reno", "--by", "goodput"], "did you mean goodput_bps?"),
        (["reno", "--by", "share"], "cannot rank by 'share'"),
        (["reno", "--reference", "sack"], "sack is not compared"),
        (["reno", "--rate", "3"], "3Mbps"),
        (["reno", "--queue", "bdp"], "link.bottleneck.queue"),
        (["reno", "--start-jitter", "100"], "--start-jitter"),
        (["reno", "--loss", "2"], "2 % is --loss 0.02"),
        (["reno", "--set", "flow.0.tcp.minrto=1s"], "min_rto"),
    ],
)
def test_mistakes_are_named(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert told in refused(capsys, *arguments)


def test_long_lists_of_variants_have_a_short_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    variants = [f"reno:decrease=0.{i},min_rto=200ms" for i in range(1, 5)]
    said(capsys, *variants, "--reps", "1", "--duration", "1s", "-q", "--no-packets")
    (folder,) = Path("results").iterdir()
    assert len(folder.name) == 80
