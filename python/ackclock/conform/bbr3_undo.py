"""Cases of BBRv3 in which loss recovery proves spurious (draft-ietf-ccwg-bbr, appendix A)."""

from __future__ import annotations

from typing import Any

from ackclock.conform.bbr3_startup import SOURCE
from ackclock.conform.case import Case, NotShownError, Verdict, failed, passed
from ackclock.conform.subject import Subject

BOUNDS = ("inflight_longterm", "inflight_shortterm", "bw_shortterm")
END_S = 12.0


def _judge(subject: Subject, events: list[dict[str, Any]], at_s: float, timeout: bool) -> Verdict:
    trace = subject.run(END_S, events=events)
    recovery = trace.variable("recovery")
    wanted = 2.0 if timeout else 1.0
    begin = recovery.first(lambda value: value == wanted, at_s, at_s + 3)
    if begin is None:
        raise NotShownError(f"no spurious {'timeout' if timeout else 'fast recovery'} comes")
    if any(at_s <= time for time, _ in trace.drops):
        raise NotShownError("packets are lost, too")
    before = {name: trace.variable(name).before(begin) for name in BOUNDS}
    end = recovery.first(lambda value: value == 0.0, begin)
    if end is None:
        return failed("the recovery does not end", begin)
    # A D-SACK arrives one round trip after the retransmission.
    settled = end + 0.2
    after = {name: trace.variable(name).at(settled) for name in BOUNDS}
    lower = [
        f"{name} {after[name]:.1f} of {before[name]:.1f}" for name in BOUNDS if after[name] < before[name]
    ]
    if lower:
        return failed(f"lower than before: {', '.join(lower)}", begin, settled)
    was, now = trace.phase_at(begin - 1e-9).name, trace.phase_at(settled).name
    returns = {"startup": ("startup",), "up": ("up", "refill")}
    if was in returns and now not in returns[was]:
        again = next(
            (one for one in trace.phases if one.name in returns[was] and begin < one.from_s <= settled), None
        )
        if again is None:
            return failed(f"{was} is not resumed: {now}", begin, settled)
    return passed(f"the bounds are restored, and {was} goes on ({now})", begin, settled)


def _fast(subject: Subject) -> Verdict:
    up = subject.run(END_S).phase("up")
    at_s = up.from_s + 0.02
    held = {"kind": "list", "packets": [10, 11, 12, 13], "delay": "45ms", "at": "entry"}
    event = {"at": f"{at_s:.9f}s", "set": "link.0.forward.loss", "to": held}
    return _judge(subject, [event], at_s, timeout=False)


def _timeout(subject: Subject) -> Verdict:
    up = subject.run(END_S).phase("up")
    at_s = up.from_s + 0.02
    events = [
        {"at": f"{at_s:.9f}s", "set": "link.0.forward.delay", "to": "600ms"},
        {"at": f"{at_s + 0.05:.9f}s", "set": "link.0.forward.delay", "to": "20ms"},
    ]
    return _judge(subject, events, at_s, timeout=True)


CASES = (
    Case(
        "spurious-fast-recovery",
        "Handling Spurious Fast Recovery",
        f"{SOURCE}.18",
        "10 Mb/s, 40 ms; four packets of the first probe are held up for 45 ms, and later ones overtake them",
        "a fast recovery that loses nothing leaves no bound lower than before, and the probe is resumed",
        _fast,
    ),
    Case(
        "spurious-timeout",
        "Handling Spurious RTO Recovery",
        f"{SOURCE}.19",
        "10 Mb/s, 40 ms; for 50 ms in the first probe the way takes 600 ms",
        "a timeout that loses nothing leaves no bound lower than before, and the probe is resumed",
        _timeout,
    ),
)
