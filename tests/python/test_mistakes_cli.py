"""Typical mistakes on the command line, each as the arguments and fragments of the message."""

from __future__ import annotations

from pathlib import Path

import pytest

from ackclock.cli.main import main
from ackclock.scenario import dumbbell

FILE = "scenario.toml"

MISTAKES: list[tuple[str, tuple[str, ...]]] = [
    # verbs and lists
    ("comapre reno vegas", ("there is no verb 'comapre'", "did you mean compare?")),
    ("plot", ("ackclock plot results/mine",)),
    ("simulate", ("try: ackclock run",)),
    (FILE, (f"ackclock run {FILE}",)),
    ("variants", ("ackclock list variants",)),
    ("list variant", ("there is no list 'variant'", "did you mean variants?")),
    ("list", ("name a list", "allowed: variants,", "for example: ackclock list variants")),
    ("init", ("name what the file shall describe", "allowed: dumbbell,")),
    ("diff-profiles", ("name two profiles", "for example: ackclock diff-profiles ns2 linux")),
    ("run", ("name a scenario file",)),
    ("study", ("name a study",)),
    ("study abadn", ("did you mean abadin?",)),
    # options
    (f"run {FILE} --sed 3", ("ackclock run has no option --sed", "did you mean --seed?")),
    ("compare reno --bandwidth 3Mbps", ("did you mean --rate?",)),
    ("compare reno --repetitions 3", ("did you mean --reps?",)),
    (f"sweep {FILE} --overwrite", ("did you mean --replace?",)),
    (f"sweep {FILE} --vary", ("--vary needs a value: PATH=V1,V2",)),
    # values
    ("compare reno --loss 1%", ("1 % is --loss 0.01",)),
    ("compare reno --loss 5", ("5 % is --loss 0.05",)),
    ("compare reno --loss little", ("a number from 0 to 1", "--loss 0.01")),
    ("compare reno --level 95", ("95 % is --level 0.95",)),
    ("compare reno --reps ten", ("--reps ten: not a whole number",)),
    ("compare reno --reps 0", ("--reps 0", "1 or more")),
    ("compare reno --start-jitter 100", ("--start-jitter", "100ms")),
    ("compare reno --topology star", ("allowed: dumbbell, parking_lot, chain", "--scenario FILE")),
    (f"compare {FILE}", (f"--scenario {FILE}",)),
    ("compare reno --bottleneck r0-r1", ("there is no 'r0-r1'", "did you mean r0>r1?")),
    (f"sweep {FILE} --style papr", ("allowed: page, paper", "did you mean paper?")),
    # paths
    (f"run {FILE} link.bottleneck.rate=1Mbps", ("--set link.bottleneck.rate=1Mbps",)),
    (f"run {FILE} --set link.botleneck.rate=1Mbps", ("did you mean `bottleneck`?",)),
    (f"run {FILE} --set flow.newreno.start=1s", ("flow.newreno.start", "numbers 0 to 1")),
    (f"run {FILE} --set flwo.*.start=1s", ("did you mean `flow`?",)),
    (f"sweep {FILE} --vary link.bottleneck.rate", ("PATH=V1,V2", "link.bottleneck.rate=1Mbps,2Mbps")),
    (f"run {FILE} --trace tcp", ("there is no trace 'tcp'", "did you mean cwnd?")),
    (f"run {FILE} --trace losses", ("did you mean drops?",)),
    (f"run {FILE} --plot goodput", ("did you mean throughput?",)),
    ("study abadin --only figure-66", ("allowed: table1, fig2", "did you mean fig6?")),
    # figures and files
    (f"sweep {FILE} --vary seed=1,2 --plot goodput", ("--plot", "did you mean goodput_bps?")),
    (f"sweep {FILE} --vary seed=1,2 --x link.0.rate", ("--x: link.0.rate is not varied", "allowed: seed")),
    (f"sweep {FILE} --vary seed=1,2 --x seed --by seed", ("it is along the x axis already",)),
    (f"sweep {FILE} --plot jain", ("nothing is varied", "--vary PATH=V1,V2")),
    (f"run {FILE} --animate out.txt", ("wanted: out.html",)),
    (f"run {FILE} --json nowhere/x.json", ("there is no folder nowhere",)),
    ("compare reno --json nowhere/x.json", ("there is no folder nowhere",)),
    ("run scenari.toml", ("did you mean scenario.toml?",)),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a scenario, and return it."""
    (tmp_path / FILE).write_text(dumbbell(["reno", "vegas"], rate="1Mbps", duration="2s").to_toml())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("typed", "told"), MISTAKES, ids=[typed for typed, _ in MISTAKES])
def test_a_mistake_is_answered_with_the_fix(
    here: Path, capsys: pytest.CaptureFixture[str], typed: str, told: tuple[str, ...]
) -> None:
    assert main(typed.split()) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    for text in told:
        assert text in said
    assert sorted(path.name for path in here.iterdir()) == [FILE], "a refused command leaves nothing behind"


def test_another_sweep_is_not_replaced_silently(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = ["sweep", FILE, "--reps", "2", "--vary", "link.bottleneck.rate=1Mbps,2Mbps", "--out", "sweep"]
    assert main([*first, "-q"]) == 0
    before = (here / "sweep" / "points.csv").read_bytes()
    other = ["sweep", FILE, "--reps", "2", "--vary", "seed=1,2", "--out", "sweep"]
    assert main(other) == 2
    said = capsys.readouterr().err
    for text in ("a sweep over link.bottleneck.rate, and this is one over seed", "--out DIR", "--replace"):
        assert text in said
    assert (here / "sweep" / "points.csv").read_bytes() == before
    assert main([*first, "--set", "duration=3s"]) == 2
    assert "a sweep of another scenario" in capsys.readouterr().err
    more = [one.replace("1Mbps,2Mbps", "1Mbps,2Mbps,3Mbps") for one in first]
    assert main([*more, "-q"]) == 0, "more values go on where the first ended"
    assert main([*other, "--replace", "-q"]) == 0


def test_a_star_says_how_many_entries_it_takes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    speech = '[[flow]]\nfrom = "s0"\nto = "d0"\ntraffic = { kind = "cbr", rate = "8kbps", packet = "100B" }\n'
    (here / FILE).write_text((here / FILE).read_text() + speech)
    assert main(["run", FILE, "--set", "flow.*.tcp.variant=sack"]) == 0
    both = capsys.readouterr()
    assert "flow.*.tcp.variant takes 2 of 3 flows: those that have the key" in both.err
    assert both.out.count("sack") == 2
