"""Cases of RACK-TLP (RFC 8985)."""

from __future__ import annotations

from typing import Any

from ackclock.conform.case import Case, NotShownError, Verdict, failed, passed
from ackclock.conform.reno import fast_retransmit, one_cut
from ackclock.conform.subject import PAYLOAD, Subject, link
from ackclock.conform.trace import Trace

SEGMENTS = 300
EARLY = 30
"""Number of a lost packet that is followed by new data."""
SOURCE = "RFC 8985"


def _listed(*packets: int, **more: str) -> dict[str, Any]:
    return {"kind": "list", "toward": "b", "packets": list(packets), "at": "entry", **more}


def _file(subject: Subject, *losses: dict[str, Any]) -> Trace:
    """Run a transfer of 300 segments on a path with losses or delays."""
    size = {"kind": "ftp", "size": f"{SEGMENTS * PAYLOAD}B"}
    return subject.run(4, link(loss=list(losses)), traffic=size)


def _reordering(subject: Subject) -> Verdict:
    # One packet overtakes the first one: this is reordering, not loss.
    trace = _file(subject, _listed(100, delay="1ms"), _listed(150, delay="8ms"))
    again = [one for one in trace.sent if one.again]
    if again:
        return failed("a segment that is 8 ms late is sent again", again[0].time_s)
    return passed("a segment that is 8 ms late is not sent again", 0, trace.duration_s)


def _tail(subject: Subject) -> Verdict:
    trace = _file(subject, _listed(SEGMENTS + 1))
    if not trace.drops:
        raise NotShownError("the last packet is not lost")
    lost_s, seq = trace.drops[-1]
    again = next((one for one in trace.sent if one.again and one.seq == seq), None)
    if again is None:
        return failed("the last segment is not sent again", lost_s)
    srtt = trace.variable("srtt").before(again.time_s)
    wait = again.time_s - lost_s
    if trace.flow["timeouts"]:
        return failed(f"a timeout repairs the tail after {wait:.3f} s", lost_s, again.time_s)
    if wait > 2 * srtt + 0.25:
        return failed(
            f"the probe comes after {wait:.3f} s, 2 SRTT are {2 * srtt:.3f} s", lost_s, again.time_s
        )
    return passed(f"a probe repairs the tail after {wait:.3f} s", lost_s, again.time_s)


def _lost_again(subject: Subject) -> Verdict:
    first = _file(subject, _listed(EARLY))
    again = next((one for one in first.sent if one.again), None)
    if again is None:
        return failed("the lost segment is not sent again", first.drops[0][0])
    number = 1 + sum(one.time_s <= again.time_s for one in first.sent)
    for guess in (number, number + 1, number - 1):
        trace = _file(subject, _listed(EARLY, guess))
        times = [one.time_s for one in trace.sent if one.again and one.seq == again.seq]
        if len(trace.drops) == 2 and trace.drops[1][1] == again.seq:
            break
    else:
        raise NotShownError("the retransmission could not be lost")
    if trace.flow["timeouts"]:
        return failed("a timeout repairs the lost retransmission", times[0], times[-1])
    if len(times) < 2:
        return failed("the lost retransmission is not sent again", times[0])
    return passed(
        f"the lost retransmission is sent again after {times[1] - times[0]:.3f} s", times[0], times[1]
    )


CASES = (
    Case(
        "loss-by-time", "Loss detection", f"{SOURCE}, section 6.2", "10 Mb/s, 40 ms; packet 200 is lost",
        "it is sent again within two round trips", fast_retransmit,
    ),
    Case(
        "several-losses", "Several losses in a window", f"{SOURCE}, section 6.2",
        "10 Mb/s, 40 ms; four packets of one window are lost",
        "one threshold during the recovery, no timeout, each lost segment is sent again", one_cut,
    ),
    Case(
        "reordering-window", "Reordering window", f"{SOURCE}, section 6.2, step 4",
        f"10 Mb/s, 40 ms, {SEGMENTS} segments; packet 100 is held up for 1 ms and packet 150 for 8 ms "
        "(a quarter of the least RTT is 10 ms)",
        "nothing is sent again", _reordering,
    ),
    Case(
        "tail-loss-probe", "Tail loss probe", f"{SOURCE}, section 7",
        f"10 Mb/s, 40 ms, {SEGMENTS} segments; the last one is lost",
        "it is sent again after 2 SRTT (and the delay of an acknowledgment), without a timeout", _tail,
    ),
    Case(
        "lost-retransmission", "Lost retransmission", f"{SOURCE}, section 3.1",
        f"10 Mb/s, 40 ms, {SEGMENTS} segments; packet {EARLY} and its retransmission are lost",
        "the segment is sent again without a timeout", _lost_again,
    ),
)  # fmt: skip
