"""Cases of CUBIC (RFC 9438)."""

from __future__ import annotations

from ackclock.conform.case import Case, NotShownError, Verdict, failed, passed
from ackclock.conform.reno import halves, shared
from ackclock.conform.subject import Subject, link
from ackclock.conform.trace import Trace

C, BETA = 0.4, 0.7
EARLY, LATE = 3000, 60_000
"""Numbers of the packets that are lost on the fast path."""
FAST_S = 30.0


def _beta(subject: Subject) -> Verdict:
    return halves(BETA, subject)


def _after_loss(subject: Subject, packets: list[int], number: int) -> tuple[Trace, float, float]:
    """Return a run on a fast path, the end of the recovery after a loss, and the window before that loss."""
    loss = {"kind": "list", "toward": "b", "packets": packets, "at": "entry"}
    trace = subject.run(
        FAST_S,
        link("1Gbps", "50ms", 20_000, loss=loss),
        tcp={"initial_ssthresh": 1000, "hystart": False, "receive_window": "100MB"},
    )
    recovery = trace.variable("recovery")
    at = begin = 0.0
    for _ in range(number):
        found = recovery.first(lambda value: value == 1, at)
        end = recovery.first(lambda value: value == 0, found) if found is not None else None
        if found is None or end is None:
            raise NotShownError("no fast recovery begins and ends")
        begin, at = found, end
    return trace, at, trace.variable("cwnd").before(begin)


def _growth(subject: Subject) -> Verdict:
    trace, begin, most = _after_loss(subject, [EARLY], 1)
    cwnd = trace.variable("cwnd")
    start = cwnd.at(begin)
    wide = max((most - start) / C, 0.0) ** (1 / 3)
    worst = 0.0
    for step in range(2, 9):
        after = step * wide / 4
        if begin + after > trace.duration_s:
            break
        wanted = C * (after - wide) ** 3 + most
        worst = max(worst, abs(cwnd.at(begin + after) / wanted - 1))
    if worst > 0.05:
        return failed(f"the window is {worst:.1%} away from W_cubic", begin, begin + 2 * wide)
    return passed(f"the window is within {worst:.1%} of W_cubic, K = {wide:.2f} s", begin, begin + 2 * wide)


def _friendly(subject: Subject) -> Verdict:
    from ackclock.comparisons.variants import Variant

    path = link("10Mbps", "5ms", 40, loss={"kind": "random", "rate": 0.002, "toward": "b"})
    ours = subject.run(60, path).goodput_bps(5, 60)
    reno = Subject(Variant.parse("reno"), "reno").run(60, path).goodput_bps(5, 60)
    if ours < 0.9 * reno:
        return failed(f"the goodput is {ours / reno:.2f} of Reno's", 5, 60)
    return passed(f"the goodput is {ours / reno:.2f} of Reno's", 5, 60)


def _convergence(subject: Subject) -> Verdict:
    # The second loss comes before the window has reached its first maximum again.
    trace, begin, most = _after_loss(subject, [EARLY, 2 * EARLY], 2)
    cwnd = trace.variable("cwnd")
    start = cwnd.at(begin)
    lower = most * (1 + BETA) / 2
    wide = max((lower - start) / C, 0.0) ** (1 / 3)
    middle = cwnd.at(begin + wide)
    if abs(middle / lower - 1) > 0.05:
        return failed(f"the plateau is at {middle:.0f} segments, {lower:.0f} are due", begin, begin + wide)
    return passed(f"the plateau is at {middle:.0f} segments, {lower:.0f} are due", begin, begin + wide)


CASES = (
    *shared("RFC 9438, section 4.8; RFC 5681, section 3.1"),
    Case(
        "decrease", "Multiplicative decrease", "RFC 9438, section 4.6", "10 Mb/s, 40 ms; packet 200 is lost",
        "ssthresh becomes 0.64 to 0.76 of the data in flight or the window", _beta,
    ),
    Case(
        "growth", "Window increase function", "RFC 9438, section 4.2",
        f"1 Gb/s, 100 ms, initial_ssthresh 1000; packet {EARLY} is lost",
        "from K/2 to 2 K after the recovery the window is within 5 % of W_cubic(t), C = 0.4", _growth,
    ),
    Case(
        "reno-friendly", "Reno-friendly region", "RFC 9438, section 4.3", "10 Mb/s, 10 ms; 0.2 % are lost, 60 s",
        "the goodput is at least 0.9 of Reno's", _friendly,
    ),
    Case(
        "fast-convergence", "Fast convergence", "RFC 9438, section 4.7",
        f"as growth; packet {2 * EARLY} is lost, too",
        "the plateau after the second loss is within 5 % of 0.85 of the window at that loss", _convergence,
    ),
)  # fmt: skip
