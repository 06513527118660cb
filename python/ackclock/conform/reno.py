"""Cases of Reno's congestion control (RFC 5681, 6582, 6675) and of its initial window (RFC 6928)."""

from __future__ import annotations

from itertools import pairwise

from ackclock.conform.case import Case, NotShownError, Verdict, failed, passed
from ackclock.conform.subject import PAYLOAD, Subject, link, writes
from ackclock.conform.trace import Trace

LOST = 200
"""Number of the lost packet; the window has about 100 segments when it is sent."""


def lossy(subject: Subject, packets: list[int], duration_s: float = 4.0) -> Trace:
    """Run the subject on a path that drops the packets with these numbers."""
    loss = {"kind": "list", "toward": "b", "packets": packets, "at": "entry"}
    return subject.run(duration_s, link(loss=loss))


def cut(trace: Trace, state: float = 1.0) -> tuple[float, float]:
    """Return the time of the first recovery (state 1) or timeout (state 2), and the segments in flight just before."""
    at = trace.variable("recovery").first(lambda value: value == state)
    if at is None:
        raise NotShownError("no recovery begins" if state == 1 else "no timeout comes")
    return at, trace.variable("in_flight").before(at)


def initial_window(subject: Subject) -> Verdict:
    """Judge the number of segments sent before the first acknowledgment of data (RFC 6928)."""
    trace = subject.run(2)
    first = trace.sent[0].time_s
    burst = [one for one in trace.sent if one.time_s < first + 0.039]
    size = sum(one.size for one in burst)
    if len(burst) > 10 and size > 10 * 1500:
        return failed(f"{len(burst)} segments are sent in the first round trip", first, burst[-1].time_s)
    return passed(f"{len(burst)} segments are sent in the first round trip", first, burst[-1].time_s)


def slow_start(subject: Subject) -> Verdict:
    """Judge the growth in slow start: the window may grow by one segment for each acknowledged segment."""
    trace = subject.run(2, link("100Mbps"))
    cwnd, first = trace.variable("cwnd"), trace.sent[0].time_s
    windows = [cwnd.at(first + 0.0005 + 0.041 * number) for number in range(1, 5)]
    ratios = [b / a for a, b in pairwise(windows)]
    if max(ratios) > 2.1:
        return failed(f"the window grows {max(ratios):.2f} times in a round trip", first, first + 0.17)
    if min(ratios) < 1.3:
        return failed(f"the window grows {min(ratios):.2f} times in a round trip", first, first + 0.17)
    return passed(f"the window grows up to {max(ratios):.2f} times in a round trip", first, first + 0.17)


def _avoidance(subject: Subject) -> Verdict:
    trace = subject.run(12, link(queue=1000), tcp={"initial_ssthresh": 20})
    cwnd, srtt = trace.variable("cwnd"), trace.variable("srtt")
    begin = cwnd.first(lambda value: value >= 21)
    if begin is None:
        raise NotShownError("the window does not get to the threshold")
    # While the window is below the BDP of 33 segments, a round trip takes 41.3 ms.
    end = begin + 10 * max(srtt.at(begin), 0.041)
    grown = cwnd.at(end) - cwnd.at(begin)
    if grown > 11:
        return failed(f"the window grows by {grown:.1f} segments in ten round trips", begin, end)
    if grown < 4:
        return failed(f"the window grows by {grown:.1f} segments in ten round trips", begin, end)
    return passed(f"the window grows by {grown:.1f} segments in ten round trips", begin, end)


def fast_retransmit(subject: Subject) -> Verdict:
    """Judge the retransmission of a lost segment: it must come within two round trips, without a timeout."""
    trace = lossy(subject, [LOST])
    lost_s, seq = trace.drops[0]
    again = next((one for one in trace.sent if one.again and one.seq == seq), None)
    if again is None:
        return failed("the lost segment is not sent again", lost_s)
    wait = again.time_s - lost_s
    if wait > 2 * max(trace.variable("rtt").within(lost_s, again.time_s)):
        return failed(f"the lost segment is sent again after {wait:.3f} s", lost_s, again.time_s)
    if trace.flow["timeouts"]:
        return failed("the loss ends in a timeout", lost_s, again.time_s)
    return passed("the lost segment is sent again by fast retransmit", lost_s, again.time_s)


def halves(factor: float, subject: Subject) -> Verdict:
    """Judge the ratio of the threshold after a loss to the larger of window and data in flight before the loss."""
    trace = lossy(subject, [LOST])
    at, flight = cut(trace)
    before = max(flight, trace.variable("cwnd").before(at))
    threshold = trace.variable("ssthresh").at(at)
    share = threshold / before
    # Allow for acknowledgments still on their way and for rounding to whole segments.
    if abs(share - factor) > 0.06:
        return failed(f"ssthresh becomes {share:.2f} of {before:.0f} segments", at)
    return passed(f"ssthresh becomes {share:.2f} of {before:.0f} segments", at)


def after_timeout(subject: Subject) -> Verdict:
    """Judge the window after a timeout: it may be at most one segment (RFC 5681, section 3.1)."""
    down = [
        {"at": "1s", "set": "link.0.up", "to": False},
        {"at": "4s", "set": "link.0.up", "to": True},
    ]
    trace = subject.run(8, link(), events=down)
    at, _ = cut(trace, 2.0)
    cwnd = trace.variable("cwnd").at(at)
    if cwnd > 1:
        return failed(f"the window is {cwnd:g} segments after the timeout", at)
    return passed("the window is one segment after the timeout", at)


def one_cut(subject: Subject) -> Verdict:
    """Judge several losses in one window: they must cause one reduction and no timeout (RFC 6582, RFC 6675)."""
    trace = lossy(subject, [LOST, LOST + 7, LOST + 20, LOST + 33])
    at, _ = cut(trace)
    end = trace.variable("recovery").first(lambda value: value == 0, at) or trace.duration_s
    lower = sorted({value for value in trace.variable("ssthresh").within(at, end) if value < float("inf")})
    if trace.flow["timeouts"]:
        return failed("the losses end in a timeout", at, end)
    if len(lower) > 1:
        return failed(f"ssthresh takes the values {lower} in one recovery", at, end)
    resent = {one.seq for one in trace.sent if one.again}
    missing = {seq for _, seq in trace.drops} - resent
    if missing:
        return failed("a lost segment is not sent again", at, end)
    return passed("four losses of one window reduce it once", at, end)


def least_threshold(subject: Subject) -> Verdict:
    """Judge the smallest threshold: it must be at least two segments (RFC 5681, equation 4)."""
    trace = subject.run(6, link(loss={"kind": "random", "rate": 0.2, "toward": "b"}))
    values = [value for value in trace.variable("ssthresh").values if value < float("inf")]
    if not values:
        raise NotShownError("the threshold is never set")
    if min(values) < 2:
        return failed(f"ssthresh falls to {min(values):g} segments", 0, trace.duration_s)
    return passed(f"ssthresh is at least {min(values):g} segments", 0, trace.duration_s)


def restart(subject: Subject) -> Verdict:
    """Judge the first burst after an idle period: it may be at most the restart window (RFC 5681, section 4.1)."""
    again = 5.0
    trace = subject.run(
        again + 1,
        link(),
        traffic=writes([(0, 600 * PAYLOAD), (again, 600 * PAYLOAD)]),
        tcp={"idle_restart": True},
    )
    burst = [one for one in trace.sent if again <= one.time_s < again + 0.03]
    if len(burst) > 10:
        return failed(f"{len(burst)} segments are sent at once after idle time", again, again + 0.03)
    return passed(f"{len(burst)} segments are sent at once after idle time", again, again + 0.03)


def shared(rfc: str) -> tuple[Case, ...]:
    """Return the cases that every window-based control must pass; `rfc` names the control's own document."""
    return (
        Case(
            "initial-window", "Initial window", "RFC 6928, section 2", "10 Mb/s, 40 ms",
            "at most ten segments in the first round trip", initial_window,
        ),
        Case(
            "slow-start", "Slow start", "RFC 5681, section 3.1", "100 Mb/s, 40 ms",
            "the window grows by a factor of at most 2.1 and at least 1.3 in a round trip", slow_start,
        ),
        Case(
            "fast-retransmit", "Fast retransmit", "RFC 5681, section 3.2",
            f"10 Mb/s, 40 ms; packet {LOST} is lost", "it is sent again within two round trips", fast_retransmit,
        ),
        Case(
            "timeout", "Window after a timeout", rfc, "10 Mb/s, 40 ms; the link is down from 1 to 4 s",
            "the window is at most one segment", after_timeout,
        ),
        Case(
            "one-cut", "One reduction for a window with several losses", "RFC 6582, section 3.2; RFC 6675, section 5",
            f"10 Mb/s, 40 ms; packets {LOST}, {LOST + 7}, {LOST + 20} and {LOST + 33} are lost",
            "one threshold during the recovery, no timeout, each lost segment is sent again", one_cut,
        ),
        Case(
            "least-threshold", "Least threshold", "RFC 5681, equation 4", "10 Mb/s, 40 ms; 20 % are lost",
            "ssthresh is never below two segments", least_threshold,
        ),
        Case(
            "idle-restart", "Restarting idle connections", "RFC 5681, section 4.1",
            "an application that pauses for more than an RTO; idle_restart is on",
            "at most ten segments at once after the pause", restart,
        ),
    )  # fmt: skip


def _halves(subject: Subject) -> Verdict:
    return halves(0.5, subject)


CASES = (
    *shared("RFC 5681, section 3.1"),
    Case(
        "avoidance", "Congestion avoidance", "RFC 5681, section 3.1", "10 Mb/s, 40 ms; initial_ssthresh 20",
        "the window grows by 4 to 11 segments in ten round trips (half as fast with delayed acknowledgments)",
        _avoidance,
    ),
    Case(
        "halving", "Threshold after a loss", "RFC 5681, section 3.2, equation 4",
        f"10 Mb/s, 40 ms; packet {LOST} is lost", "ssthresh becomes 0.44 to 0.56 of the data in flight", _halves,
    ),
)  # fmt: skip
