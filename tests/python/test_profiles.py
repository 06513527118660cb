"""Differences between two profiles, and the effect of each difference by itself."""

from __future__ import annotations

import json

import pytest

import ackclock as ac
from ackclock.cli.main import main
from ackclock.comparisons.profiles import differences, effects, with_profile


def scenario(**tcp: object) -> ac.Scenario:
    return ac.dumbbell(
        ["newreno", "newreno"], rate="2Mbps", queue=20, stagger="0.2s", duration="20s", tcp=tcp
    )


def test_what_the_scenario_sets_itself_does_not_differ() -> None:
    found = {one.key: one for one in differences(scenario(), "ns2", "linux")}
    assert (found["segment"].first, found["segment"].second) == ("1000B", "1448B")
    assert found["segment"].flows == (0, 1)
    assert "segment" not in {one.key for one in differences(scenario(segment="500B"), "ns2", "linux")}
    assert differences(scenario(), "rfc", "rfc") == []


def test_a_switch_alone_is_the_parameter_set_by_hand_and_the_last_is_the_whole_profile() -> None:
    found = effects(scenario(), "ns2", "linux", reps=2, jitter_s=0.1)
    by_key = {one.key: one for one in found}
    base = with_profile(scenario(), "ns2")
    hand = base.with_({f"flow.{i}.tcp.max_window": "unlimited" for i in (0, 1)})
    seeds = [(base, 1, 0.0), (hand, 1, 0.0), (with_profile(scenario(), "linux"), 1, 0.0)]
    goodput = [sum(flow["goodput_bps"] for flow in run.summary["flows"]) for run in ac.runs.run_many(seeds)]
    assert by_key["max_window"].differences["goodput_bps"].mean != 0
    one = effects(scenario(), "ns2", "linux", reps=2, jitter_s=0.0)
    alone = {effect.key: effect.differences["goodput_bps"].mean for effect in one}
    # Without jitter and losses every seed gives the same run, so the mean over two seeds equals one run.
    assert alone["max_window"] == pytest.approx(goodput[1] - goodput[0])
    assert alone[""] == pytest.approx(goodput[2] - goodput[0])
    assert found[-1].key == ""


def test_the_command_line_lists_and_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff-profiles", "ns2", "linux", "dumbbell"]) == 0
    said = capsys.readouterr().out
    assert "parameters differ" in said
    assert "min_rto" not in said
    words = ["diff-profiles", "rfc", "linux", "dumbbell", "--set", "duration=10s", "--effect", "--reps", "2"]
    assert main(words) == 0
    assert "all of them" in capsys.readouterr().out
    assert main([*words, "--json", "-"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {"parameter", "first", "second", "effect"} <= rows[0].keys()


def test_an_unknown_profile_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff-profiles", "ns2", "linx", "dumbbell"]) == 2
    assert "did you mean linux?" in capsys.readouterr().err
