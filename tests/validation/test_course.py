"""The course experiment: both simulators give the same results if no two events coincide."""

import pytest

from ackclock.scenario import Scenario
from validation import course, ns2, ns2_course


@pytest.mark.skipif(not ns2.available(), reason="ns-2 is not installed")
@pytest.mark.parametrize(("agent", "cbr_mbps"), [("reno", 9), ("tahoe", 7)])
def test_a_cell_without_ties_is_ns2s(agent: str, cbr_mbps: int) -> None:
    mine = course.run_all([Scenario(course.scenario(agent, cbr_mbps, 0.5, "10.0137Mbps", "10.0071ms"))])
    theirs = ns2_course.run(agent, cbr_mbps, 0.5, *course.ODD)
    assert mine[0][0] == pytest.approx(theirs.mbps, rel=course.PRECISION)
    assert mine[0][1] == theirs.drops


def test_a_published_value_is_held_with_its_sd_by_either_spread() -> None:
    found = course.Outcome(2.0, 3.0, {"ties": (1.9, 2.1), "phase": (2.2, 2.9)})
    held = [found.holds(course.Cell("reno", 9, mbps, 0.1, 3)) for mbps in (1.79, 1.81, 2.15, 2.99, 3.01)]
    assert held == [False, True, True, True, False]
    assert not found.holds_by_one(course.Cell("reno", 9, 2.0, 0.1, 3)), "the wider one begins at 2.2"


def test_draws_that_reach_a_published_value_are_counted_from_the_nearer_side() -> None:
    many = course.Tail("phase", [1.0, 1.5, 1.6, 1.7, 1.9])
    assert [many.beyond(course.Cell("reno", 9, mbps, 0.05, 3)) for mbps in (1.92, 1.56, 1.04)] == [1, 3, 1]
    assert [many.holds(course.Cell("reno", 9, mbps, 0.05, 3)) for mbps in (0.9, 1.0, 1.94, 2.0)] == [
        False, True, True, False,
    ]  # fmt: skip
