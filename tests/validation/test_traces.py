from validation.ns2 import Change, Event
from validation.traces import change_difference, first_difference


def trace(*seqs: int) -> list[Event]:
    return [Event(0.1 * i, "send", seq, 1040, 0, "s1") for i, seq in enumerate(seqs)]


def test_equal_traces_have_no_difference() -> None:
    assert first_difference(trace(1, 2, 3), trace(1, 2, 3)) is None


def test_times_within_the_resolution_are_equal() -> None:
    shifted = [e._replace(time_s=e.time_s + 9e-6) for e in trace(1, 2, 3)]
    assert first_difference(trace(1, 2, 3), shifted) is None


def test_the_earliest_difference_is_reported() -> None:
    difference = first_difference(trace(1, 2, 3, 4), trace(1, 2, 4, 5))
    assert difference is not None
    assert difference.what == "seq"
    assert difference.theirs is not None
    assert difference.theirs.seq == 3
    assert "expected 0.200000 send" in difference.report()


def test_a_missing_event_is_a_difference_except_at_the_end() -> None:
    assert first_difference(trace(1, 2, 3), trace(1, 2)) is not None
    assert first_difference(trace(1, 2, 3), trace(1, 2), end_s=0.2) is None


def test_order_between_kinds_of_events_does_not_matter() -> None:
    send, ack = Event(1.0, "send", 1, 1040), Event(1.0, "ack", 0, 40)
    assert first_difference([send, ack], [ack, send]) is None


def test_windows_are_compared_by_the_value_held() -> None:
    theirs = [Change(0.0, "cwnd", 1.0), Change(1.0, "cwnd", 2.0), Change(1.0, "cwnd", 1.0)]
    ours = [Change(0.0, "cwnd", 1.0)]
    assert change_difference(theirs, ours, start_s=0.0) is None
    assert change_difference([*theirs, Change(2.0, "cwnd", 5.0)], ours, start_s=0.0) == (
        "cwnd at 2.00000 s: expected 5, got 1"
    )
