"""Rules of `check`: each finds its fault, reports nothing without the fault, and can be switched off."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.cli.main import main
from ackclock.lint import RULES, check
from ackclock.lint.pages import pages

DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference" / "rules"


def good(**changes: Any) -> ac.Scenario:
    """Return a scenario without findings: two flows, a queue of one bandwidth-delay product (41.7 packets), 120 s."""
    options: dict[str, Any] = {
        "rate": "10Mbps",
        "delay": "23ms",
        "queue": 42,
        "starts": ["0s", "0.3s"],
        "duration": "120s",
    }
    return ac.dumbbell(["newreno", "newreno"], **{**options, **changes})


def flow(scenario: ac.Scenario, **table: Any) -> ac.Scenario:
    """Return the scenario reduced to its first flow, which gets the additional keys `table`."""
    document = scenario.document()
    document["flow"] = [{**document["flow"][0], **table}]
    return ac.Scenario(document)


def lte(buffer: str) -> ac.Scenario:
    net = ac.Network()
    net.link("server", "agw", rate="1Gbps", delay="20ms")
    net.lte(gateway="agw", ue=[], enb=[{"position": [0, 0, 30]}], bandwidth="5MHz", rlc={"buffer": buffer})
    net.station("phone", position=[100, 0]).flow("server", "phone", variant="cubic")
    return net.scenario("60s")


def kernel() -> ac.Scenario:
    """Return a scenario whose only flow runs over a kernel's TCP."""
    document = flow(good(), kernel={"control": "cubic"}).document()
    del document["flow"][0]["tcp"]
    return ac.Scenario(document)


STEP = {"kind": "red", "min": 20, "max": 21, "weight": 1, "max_p": 1, "gentle": False, "ecn": True}
CBR = {"kind": "cbr", "packet": "1000B", "transport": "tcp"}

# Cases for each rule: a scenario with a finding, a part of the finding's message, and a scenario without a finding.
CASES: dict[str, tuple[ac.Scenario, str, ac.Scenario]] = {
    "ACK001": (good(tcp={"max_window": 10}), "10 segments is below", good(tcp={"max_window": 40})),
    "ACK002": (good(tcp={"max_window": 30}), "at most 60 segments and fit", good(tcp={"max_window": 50})),
    "ACK003": (good(queue=5), "0.12 bandwidth-delay products", good(queue=20)),
    "ACK004": (good(queue=400), "9.6 bandwidth-delay products", good(queue=100)),
    "ACK005": (
        good(tcp={"ecn": "classic"}),
        "no queue on its way marks",
        good(tcp={"ecn": "classic"}, queue=STEP),
    ),
    "ACK006": (good(queue=STEP), "no TCP flow through it uses ECN", good(queue={"kind": "red"})),
    "ACK007": (
        flow(good(), tcp={"variant": "dctcp"}),
        "no queue on its way does",
        flow(good(queue=STEP), tcp={"variant": "dctcp"}),
    ),
    "ACK008": (lte("4MB"), "bandwidth-delay products of the cell", lte("200kB")),
    "ACK009": (good(duration="5s"), "fewer than 200 round trips", good()),
    "ACK010": (
        flow(good(), traffic={**CBR, "rate": "2Mbps"}),
        "offers 2 Mb/s",
        flow(good(), traffic={**CBR, "rate": "20Mbps"}),
    ),
    "ACK011": (
        good(starts=["1s", "1s"]),
        "2 flows over r0>r1 start together",
        good(starts=["1s", "1s"], loss=0.001),
    ),
    "ACK013": (
        good(rate="10Gbps", delay="1us", access_rate="100Gbps", access_delay="1us", queue=100),
        "the least timeout of 1 s is",
        good(tcp={"min_rto": "200ms"}),
    ),
    "ACK014": (
        flow(good(delay="20.326ms", rate="8Mbps", access_rate="80Mbps")),
        "is 31 times the 1,500 us of a packet",
        flow(good(delay="20.327ms", rate="8Mbps", access_rate="80Mbps")),
    ),
    "ACK015": (kernel(), "up to 100,000 packets of a kernel: about 30 s", good()),
}


def found(scenario: ac.Scenario, **how: Any) -> Mapping[str, str]:
    return {one.code: one.message for one in check(scenario, **how)}


def test_a_good_scenario_has_no_findings() -> None:
    assert check(good(), reps=10, jitter_s=1.0) == []


@pytest.mark.parametrize("code", CASES)
def test_a_rule_finds_what_it_is_for_and_nothing_else(code: str) -> None:
    bad, says, fine = CASES[code]
    assert says in found(bad)[code]
    assert code not in found(fine)
    assert code not in found(bad, allow=[code])


def test_replications_that_cannot_differ() -> None:
    assert "one replication" in found(good(), reps=1)["ACK012"]
    assert "all the same run" in found(good(), reps=5)["ACK012"]
    assert "ACK012" not in found(good(), reps=5, jitter_s=0.1)
    assert "ACK012" not in found(good())


def test_a_short_transfer_and_a_slow_sawtooth() -> None:
    short = flow(good(), traffic={"kind": "ftp", "size": "100kB"})
    assert "slow start decides" in found(short)["ACK010"]
    long_fat = ac.dumbbell(
        ["newreno"], rate="1Gbps", delay="50ms", queue=8000, duration="60s", access_rate="10Gbps"
    )
    assert "such cycles" in found(long_fat)["ACK009"]
    cubic = ac.dumbbell(
        ["cubic"], rate="1Gbps", delay="50ms", queue=8000, duration="60s", access_rate="10Gbps"
    )
    assert "ACK009" not in found(cubic)


def beside_cbr(**more: Any) -> ac.Scenario:
    """Return a scenario with one TCP flow and one CBR flow."""
    document = good(**more).document()
    traffic = {"kind": "cbr", "rate": "9Mbps", "packet": "210B", "header": "0B"}
    document["flow"][1] = {"from": "s1", "to": "d1", "traffic": traffic}
    return ac.Scenario(document)


def test_phases_that_lock() -> None:
    said = found(beside_cbr())["ACK014"]
    assert "periods (186.6666667 us each) last as long as" in said
    assert "ACK014" not in found(beside_cbr(rate="10.0137Mbps"))
    assert "ACK014" not in found(beside_cbr(rate="20Mbps", access_rate="8Mbps")), (
        "they cannot fill it together"
    )
    assert "ACK014" not in found(beside_cbr(queue="codel"))
    assert "ACK014" not in found(beside_cbr(loss=0.001))
    together = good(starts=["1s", "1s"])
    assert "start together and reach r0>r1 over equal links" in found(together)["ACK014"]
    assert "ACK014" not in found(together, reps=10, jitter_s=0.1)


@pytest.mark.parametrize(
    ("arrivals", "size", "random"),
    [
        ({"kind": "poisson", "rate": 10.0}, {"kind": "constant", "size": "10kB"}, True),
        ({"kind": "given", "times": ["0s", "1s"]}, {"kind": "web-pages"}, True),
        ({"kind": "given", "times": ["0s", "1s"]}, {"kind": "constant", "size": "10kB"}, False),
    ],
)
def test_sessions_are_random_unless_everything_in_them_is_given(
    arrivals: dict[str, Any], size: dict[str, Any], random: bool
) -> None:
    document = good(starts=["1s", "1s"]).document()
    document["flow"][1]["traffic"] = {"kind": "sessions", "arrivals": arrivals, "response": size}
    rules = found(ac.Scenario(document))
    assert ("ACK011" in rules, "ACK014" in rules) == (not random, not random)


def test_every_rule_is_tried_here() -> None:
    assert {*CASES, "ACK012"} == set(RULES)


def test_findings_say_where_and_what_to_do() -> None:
    (one,) = [one for one in check(good(queue=5)) if one.code == "ACK003"]
    assert one.where == "link.bottleneck.queue"
    assert "1bdp" in one.advice
    assert str(one).startswith("ACK003 shallow-buffer (link.bottleneck.queue): ")


def test_rules_are_numbered_without_gaps_and_their_pages_are_written() -> None:
    """`make pages` renews the pages."""
    assert list(RULES) == [f"ACK{i + 1:03}" for i in range(len(RULES))]
    assert len({one.name for one in RULES.values()}) == len(RULES)
    for one in RULES.values():
        for part in ("Why it matters", "How to see it", "What to do", "When to ignore it"):
            assert f"**{part}.**" in one.text, one.code
    written = {path.name: path.read_text() for path in DOCS.glob("*.md")}
    assert written == pages()


def test_check_warns_and_can_be_told_not_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "shallow.toml"
    file.write_text(good(queue=5).to_toml())
    assert main(["check", str(file)]) == 0
    said = capsys.readouterr()
    assert "ACK003 shallow-buffer (link.bottleneck.queue)" in said.err
    assert "1 warning" in said.out
    assert main(["check", str(file), "--allow", "ACK003"]) == 0
    assert "no problems found" in capsys.readouterr().out
    assert main(["check", str(file), "--allow", "ACK0003"]) == 2
    assert "did you mean ACK003?" in capsys.readouterr().err


def test_numbers_have_no_exponent() -> None:
    """A period of 750 s was once printed as 7.5e+02 s."""
    slow = ac.dumbbell(["newreno"] * 4, rate="10Mbps", delay="500ms", duration="1000s", queue="1bdp")
    said = [str(finding) for finding in check(slow)]
    assert any("such cycles" in one for one in said), said
    assert not any("e+" in one for one in said), said
