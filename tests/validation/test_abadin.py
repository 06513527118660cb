"""The rule by which the sweeps of study abadin are judged: shares of equivalent points."""

from __future__ import annotations

import pytest

from validation import abadin


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ([True] * 9 + [False], "pass"),
        ([True] * 9 + [None], "pass"),
        ([True] * 8 + [False] * 2, "FAIL"),
        # If all points that cannot be decided agreed, the share would be reached; nothing shows that they do.
        ([True] * 8 + [None] * 2, "cannot decide"),
        ([None] * 10, "cannot decide"),
        ([None] * 8 + [False] * 2, "FAIL"),
    ],
)
def test_points_that_decide_nothing_count_for_neither_side(verdicts: list[bool | None], verdict: str) -> None:
    assert abadin.judged("sweep", verdicts, 0.9).verdict == verdict


def test_a_point_needs_evidence_to_agree() -> None:
    record = {"throughput_Bps": {"mean": 100.0, "sd": 20.0, "n": 10}}
    assert abadin._point(record, [80.0, 120.0, 100.0, 100.0]).passed is None
    record = {"throughput_Bps": {"mean": 100.0, "sd": 1.0, "n": 10}}
    assert abadin._point(record, [99.0, 101.0, 100.0, 100.0]).passed is True
    assert abadin._point(record, [109.0, 111.0, 110.0, 110.0]).passed is False
