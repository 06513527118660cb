"""Short forms have the same meaning in a file, on the command line and in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ackclock as ac

FILE = """\
duration = "2s"

[[link]]
name = "bottleneck"
between = ["a", "b"]
rate = "2Mbps"
delay = "20ms"
{line}

[[flow]]
from = "a"
to = "b"
tcp = {{ variant = "reno" }}
"""

FORMS: list[tuple[str, Any]] = [
    ("queue", 8),
    ("queue", "64KiB"),
    ("queue", "2bdp"),
    ("queue", "codel"),
    ("queue", "codel:2bdp"),
    ("queue", "fq-codel:50"),
    ("loss", 0.001),
]


def loaded(folder: Path, line: str = "", settings: tuple[str, ...] = ()) -> ac.Scenario:
    file = folder / "one.toml"
    file.write_text(FILE.format(line=line))
    return ac.load(file, settings)


def network(**link: Any) -> ac.Network:
    net = ac.Network().link("a", "b", rate="2Mbps", delay="20ms", name="bottleneck", **link)
    return net.flow("a", "b", variant="reno")


@pytest.mark.parametrize(("key", "value"), FORMS, ids=[f"{key} = {value}" for key, value in FORMS])
def test_a_short_form_is_the_same_everywhere(key: str, value: Any, tmp_path: Path) -> None:
    in_file = loaded(tmp_path, f"{key} = {value!r}".replace("'", '"')).describe()
    assert loaded(tmp_path, settings=(f"link.bottleneck.{key}={value}",)).describe() == in_file
    assert loaded(tmp_path).set(f"link.bottleneck.{key}", value).describe() == in_file
    assert network(**{key: value}).scenario("2s").describe() == in_file
    assert in_file != loaded(tmp_path).describe()


def test_a_short_form_and_its_table_are_one_scenario(tmp_path: Path) -> None:
    short = loaded(tmp_path, "queue = 8\nloss = 0.001")
    long = loaded(
        tmp_path,
        'queue = { kind = "droptail", packets = 8 }\nloss = { kind = "random", rate = 0.001, toward = "b" }',
    )
    assert short == long
    assert short.run().summary_json == long.run().summary_json


def test_products_can_be_swept(tmp_path: Path) -> None:
    swept = ac.sweep(
        loaded(tmp_path), {"link.bottleneck.queue": ["1bdp", "4bdp"]}, reps=2, out=tmp_path / "out"
    )
    queues = {str(point): value.mean for point, value in swept.intervals("delay_p95_s")}
    assert len(queues) == 2
    small, large = queues.values()
    assert large > small


def test_copies_are_flows_of_their_own(tmp_path: Path) -> None:
    net = ac.Network().link("l", "r", rate="10Mbps", delay="10ms", name="bottleneck")
    net.link("s{i}", "l", rate="100Mbps", delay="1ms + 1ms", count=3)
    net.flow("s{i}", "r", variant="reno", name="up", count=3, start="0s + 0.5s")
    scenario = net.scenario("2s")
    assert [flow["name"] for flow in scenario.document()["flow"]] == ["up0", "up1", "up2"]
    variants = [
        flow["tcp"]["variant"] for flow in scenario.set("flow.*.tcp.variant", "sack").document()["flow"]
    ]
    assert variants == ["sack"] * 3
    assert [link["delay"] for link in scenario.describe()["link"][1:]] == ["1ms", "2ms", "3ms"]
    assert [flow["name"] for flow in scenario.run().summary["flows"]] == ["up0", "up1", "up2"]
    file = tmp_path / "again.toml"
    file.write_text(scenario.to_toml())
    assert ac.load(file) == scenario.check()


def test_a_file_can_leave_rules_out(tmp_path: Path) -> None:
    def codes(scenario: ac.Scenario) -> set[str]:
        return {finding.code for finding in ac.lint.check(scenario)}

    found = codes(loaded(tmp_path))
    one = min(found)
    assert codes(ac.load(tmp_path / "one.toml", [f'allow=["{one}"]'])) == found - {one}
