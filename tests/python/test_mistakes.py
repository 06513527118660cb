"""Seventy-five typical mistakes, each as the user's input and fragments of the message that point to the fix.

No input may cause a traceback or exit status 1.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli.main import main

GOOD = """\
duration = "20s"

[[link]]
between = ["a", "r"]
rate = "100Mbps"
delay = "1ms"

[[link]]
between = ["r", "b"]
rate = "2Mbps"
delay = "20ms"
queue = { kind = "red", packets = 20 }
loss = { kind = "random", rate = 0.01 }

[[flow]]
name = "one"
from = "a"
to = "b"
tcp = { variant = "newreno" }
"""

# Mistakes in the file, each as correct text, typed text, and fragments of the message.
FILES: list[tuple[str, str, tuple[str, ...]]] = [
    # misspelt names
    ('"newreno"', '"newrno"', ("line 19", "did you mean `newreno`?")),
    ('"newreno"', '"TCP NewRno"', ("flow.one.tcp.variant", "ackclock list variants")),
    ('rate = "2Mbps"', 'rat = "2Mbps"', ("line 10", "did you mean `rate`?")),
    ('kind = "red"', 'kind = "codle"', ("link.1.queue.kind", "did you mean `codel`?")),
    ('kind = "random"', 'kind = "randon"', ("did you mean `random`?",)),
    ('delay = "20ms"', 'delya = "20ms"', ("did you mean `delay`?",)),
    ('to = "b"', 'to = "c"', ("flow.one.to", "c")),
    ('between = ["r", "b"]', 'betwen = ["r", "b"]', ("did you mean `between`?",)),
    ('duration = "20s"', 'duraton = "20s"', ("did you mean `duration`?",)),
    ("[[flow]]", "[[flows]]", ("did you mean `flow`?",)),
    ('between = ["r", "b"]', 'from = "r"\nto = "b"', ("2 mistakes", "did you mean `between`?")),
    ('tcp = { variant = "newreno" }', 'udp = { rate = "1Mbps" }', ("did you mean `traffic`?",)),
    # another simulator's key in a shortened file, with later mistakes that must still be reported
    (
        'queue = { kind = "red", packets = 20 }\nloss = { kind = "random", rate = 0.01 }\n\n[[flow]]',
        "limit = 5\n\n[flow]",
        ("2 mistakes", "did you mean `queue`?", "[[flow]] before each"),
    ),
    # units and numbers
    ('duration = "20s"', "duration = 20", ("duration", '"20s"')),
    ('duration = "20s"', 'duration = "20"', ("duration", '"20s"')),
    ('duration = "20s"', 'duration = "20sec"', ("unknown unit `sec`", "did you mean `20s`?")),
    ('rate = "2Mbps"', "rate = 2", ("link.1.rate", '"2Mbps"')),
    ('rate = "2Mbps"', 'rate = "2Mb"', ("link.1.rate", "Mbps")),
    ('rate = "2Mbps"', 'rate = "2 mbit/s"', ("link.1.rate", "did you mean `2Mbit/s`?")),
    ('rate = "2Mbps"', 'rate = "2mbit"', ("link.1.rate", "did you mean `2Mbps`?")),
    ('delay = "20ms"', 'delay = "20 milliseconds"', ("link.1.delay", "did you mean `20ms`?")),
    ('rate = "2Mbps"', 'rate = "-2Mbps"', ("link.1.rate",)),
    ('rate = "2Mbps"', 'rate = "0Mbps"', ("link.1.rate", "must be positive")),
    ('delay = "20ms"', "delay = 20", ("link.1.delay", '"20ms"')),
    ('delay = "20ms"', 'delay = "20m"', ("link.1.delay", "ms")),
    ("rate = 0.01", 'rate = "1%"', ("link.1.loss.rate", "0.01")),
    ('loss = { kind = "random", rate = 0.01 }', 'loss = "1%"', ("link.1.loss", "0.01")),
    ("rate = 0.01", "rate = 1.5", ("link.1.loss.rate", "0 to 1")),
    ("packets = 20", 'packets = "20"', ("link.1.queue.packets", "without quotes")),
    ("packets = 20", "packets = 0", ("at least 1",)),
    ("packets = 20", "packets = 20, bytes = 3000", ("link.1.queue",)),
    ("packets = 20", 'packets = 20, bytes = "30kB"', ("one limit",)),
    # names used by ns-2 and ns-3
    ("packets = 20", "minthresh = 5", ("it is `min`",)),
    ("packets = 20", "maxthresh_ = 15", ("it is `max`",)),
    ("packets = 20", "limit = 20", ("it is `packets`",)),
    ("packets = 20", "q_weight_ = 0.002", ("it is `weight`",)),
    ("packets = 20", "MaxSize = 20", ("it is `packets`",)),
    ('rate = "2Mbps"', 'DataRate = "2Mbps"', ("it is `rate`",)),
    ('rate = "2Mbps"', 'bandwidth = "2Mbps"', ("it is `rate`",)),
    ('variant = "newreno"', 'variant = "newreno", window_ = 20', ("it is `max_window`",)),
    ('variant = "newreno"', 'variant = "newreno", packetSize_ = 1000', ("it is `segment`",)),
    ('variant = "newreno"', 'variant = "newreno", mss = "1460B"', ("it is `segment`",)),
    ('variant = "newreno"', 'variant = "newreno", InitialCwnd = 10', ("it is `initial_window`",)),
    ('variant = "newreno"', 'congestion_control = "newreno"', ("it is `variant`",)),
    ('to = "b"', 'dst = "b"', ("it is `to`",)),
    ('from = "a"', 'src = "a"', ("it is `from`",)),
    ('duration = "20s"', 'simTime = "20s"', ("it is `duration`",)),
    # a correct key in the wrong place, or of the wrong type
    (
        'tcp = { variant = "newreno" }',
        'variant = "newreno"',
        ("belongs in `tcp`", 'tcp = { variant = "newreno" }'),
    ),
    ('to = "b"', 'to = "b"\nmax_window = 20', ("belongs in `tcp`", "tcp = { max_window = 20 }")),
    ('to = "b"', 'to = "b"\npacket = "1000B"', ("belongs in `traffic`",)),
    ('delay = "20ms"', 'delay = "20ms"\npackets = 20', ("belongs in `queue`", "queue = { packets = 20 }")),
    (
        'variant = "newreno"',
        'variant = "newreno", ecn = true',
        ("flow.one.tcp.ecn", "did you mean `classic`?"),
    ),
    ("[[flow]]", "[flow]", ("[[flow]]", "double brackets")),
    ("[[link]]", "[link]", ("[[link]]",)),
    ('between = ["r", "b"]', 'between = "r-b"', ("link.1.between", '["a", "b"]')),
    ('between = ["r", "b"]', 'between = ["r", "r"]', ("two different nodes",)),
    ('between = ["r", "b"]', 'between = ["a", "r"]', ("link 0 joins", "already")),
    ('to = "b"', 'to = "a"', ("flow.one",)),
    ('to = "b"', 'to = "b"\nstart = "30s"', ("flow.one.start", "before the end")),
    ('to = "b"', 'to = "b"\ntraffic = "cbr"', ("flow.one.traffic", "kind")),
    ('to = "b"', 'to = "b"\ncount = 0', ("flow.one.count", "1 to 100000")),
    ('to = "b"', 'to = "b"\ncount = 2\nstart = "0s + half"', ("flow.one.start", "0s + 0.5s")),
    ('queue = { kind = "red", packets = 20 }', 'queue = "codle"', ("did you mean `codel`?",)),
    ('queue = { kind = "red", packets = 20 }', 'queue = "2bpd"', ("link.1.queue", "did you mean `2bdp`?")),
    ('duration = "20s"', 'duration = "20s"\nallow = "ACK003"', ("allow", "list")),
    ('tcp = { variant = "newreno" }', "", ("flow.one.tcp", "variant")),
    ('duration = "20s"', 'duration = "20s', ("line 1",)),
]

# Mistakes on the command line, each as arguments and fragments of the message. File good.toml contains GOOD.
COMMANDS: list[tuple[str, tuple[str, ...]]] = [
    ("rn good.toml", ("did you mean run?",)),
    ("run god.toml", ("did you mean good.toml?",)),
    ("run", ("name a scenario file", "ackclock list scenarios", "scenario.toml")),
    ("list variant", ("did you mean", "variants")),
    ("run good.toml --sed 3", ("did you mean", "--seed")),
    ("run good.toml --set flow.0.tcp.variant", ("PATH=VALUE",)),
    ("run good.toml --set flow.7.tcp.variant=reno", ("flow", "number")),
    ("run good.toml --trace cwn", ("did you mean cwnd?",)),
    ("run good.toml --plot quue", ("did you mean queue?",)),
    ("compare renno sack", ("did you mean", "reno")),
    ("compare reno sack --loss 1%", ("0.01",)),
    ("compare reno sack --topology dumbel", ("did you mean dumbbell?",)),
    ("sweep good.toml --vary link.1.rate", ("PATH=V1,V2",)),
    ("study abadn", ("did you mean abadin?",)),
]

# Mistakes in Python, each as name, call, and fragments of the message.
CALLS: list[tuple[str, Callable[[], object], tuple[str, ...]]] = [
    ("ac.compare('reno', rat='1Mbps')", lambda: ac.compare("reno", rat="1Mbps"), ("did you mean rate?",)),
    ("run.flow('to')", lambda: ac.dumbbell(duration="1s").run().flow("flow1"), ("flow0",)),
    ("ac.load('dumbel')", lambda: ac.load("dumbel"), ("did you mean",)),
    ("dumbbell(flows=-1)", lambda: ac.dumbbell(["reno"], flows=-1), ("flows", "-1", "1 or more")),
    ("dumbbell([])", lambda: ac.dumbbell([]), ("variants", "none is given", "newreno")),
    ("parking_lot(hops=0)", lambda: ac.parking_lot(hops=0), ("hops", "1 or more")),
    ("compare(reps=-1)", lambda: ac.compare("reno", "cubic", reps=-1), ("reps", "-1", "1 to 1,000,000")),
    (
        "sweep(threads=-1)",
        lambda: ac.sweep(ac.dumbbell(), {"seed": [1, 2]}, threads=-1),
        ("threads", "0 or more"),
    ),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.toml").write_text(GOOD)
    return tmp_path


def test_there_are_seventy_five_of_them() -> None:
    assert len(FILES) + len(COMMANDS) + len(CALLS) >= 75


@pytest.mark.parametrize(
    ("stands", "typed", "says"), FILES, ids=[typed.replace("\n", " ") for _, typed, _ in FILES]
)
def test_in_the_file(
    stands: str, typed: str, says: tuple[str, ...], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head, found, tail = GOOD.rpartition(stands) if stands != "[[link]]" else ("", GOOD, "")
    text = head + typed + tail if stands != "[[link]]" else GOOD.replace(stands, typed, 1)
    assert found
    (here / "bad.toml").write_text(text)
    assert main(["check", "bad.toml"]) == 2
    answer = " ".join(capsys.readouterr().err.split())
    for part in says:
        assert part in answer, answer


@pytest.mark.parametrize(("typed", "says"), COMMANDS, ids=[typed for typed, _ in COMMANDS])
@pytest.mark.usefixtures("here")
def test_on_the_command_line(typed: str, says: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(typed.split()) == 2
    answer = " ".join(capsys.readouterr().err.split())
    for part in says:
        assert part in answer, answer


@pytest.mark.parametrize(("typed", "call", "says"), CALLS, ids=[typed for typed, _, _ in CALLS])
@pytest.mark.usefixtures("here")
def test_in_python(typed: str, call: Callable[[], object], says: tuple[str, ...]) -> None:
    with pytest.raises((ac.UserError, ac.ScenarioError)) as refused:
        call()
    for part in says:
        assert part in str(refused.value), (typed, str(refused.value))


def test_all_that_is_wrong_is_said_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD
    for right, wrong in (
        ('rate = "2Mbps"', 'rat = "2Mbps"'),
        ('delay = "1ms"', "delay = 1"),
        ('kind = "red"', 'kind = "rde"'),
        ('"newreno"', '"newrno"'),
        ('duration = "20s"', 'duration = "20s"\nsede = 3'),
    ):
        text = text.replace(right, wrong)
    (here / "bad.toml").write_text(text)
    assert main(["check", "bad.toml"]) == 2
    answer = capsys.readouterr().err
    assert answer.startswith("error: 5 mistakes\n")
    places = [
        "sede (line 2)",
        "link.0.delay (line 7)",
        "link.1.rat (line 11)",
        "link.1.queue.kind",
        "flow.one.tcp.variant",
    ]
    assert [answer.index(place) for place in places] == sorted(answer.index(place) for place in places)
    with pytest.raises(ac.ScenarioError) as refused:
        ac.load(here / "bad.toml")
    assert refused.value.path == "sede"
    assert [one.path for one in refused.value.more] == [
        "link.0.delay",
        "link.1.rat",
        "link.1.queue.kind",
        "flow.one.tcp.variant",
    ]


def test_what_follows_from_a_mistake_is_no_mistake_of_its_own(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A misspelt node in a link also leaves a flow without a path, but only the misspelling is reported."""
    (here / "bad.toml").write_text(
        GOOD.replace('rate = "2Mbps"\n', "").replace('between = ["r", "b"]', "between = 3")
    )
    assert main(["check", "bad.toml"]) == 2
    answer = capsys.readouterr().err
    assert "2 mistakes" in answer
    assert "link.1.between" in answer
    assert "link.1.rate" in answer
    assert "flow." not in answer
