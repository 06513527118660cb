"""Cases of BBRv3 in startup and drain (draft-ietf-ccwg-bbr, appendix A)."""

from __future__ import annotations

from typing import Any

from ackclock.conform.case import Case, NotShownError, Verdict, failed, passed
from ackclock.conform.subject import PAYLOAD, Subject, link, writes
from ackclock.conform.trace import Trace

SOURCE = "draft-ietf-ccwg-bbr-06, appendix A"
RATE = 10e6 / 8 / 1500
"""Rate of a 10 Mb/s link, segments per second."""
NEAR = 0.02
"""Maximum relative difference between the estimated bandwidth and the link's, from the draft."""
LONG_DELAY = "100ms"


def plateau(trace: Trace, end_s: float) -> Verdict:
    """Judge that BBR declared the pipe full at `end_s` only after three consecutive round trips without growth."""
    count, rounds = trace.variable("full_bw_count"), trace.variable("round_count")
    if count.at(end_s) < 3 or not trace.variable("full_bw_reached").at(end_s):
        return failed(f"it ends with {count.at(end_s):g} flat round trips counted", end_s)
    begin = max(t for t, v in zip(count.times, count.values, strict=True) if v <= 0 and t <= end_s)
    flat = rounds.at(end_s) - rounds.at(begin)
    if flat < 3:
        return failed(f"the three flat round trips took {flat:g} round trips", begin, end_s)
    return passed("it ends after three round trips without growth by a quarter", begin, end_s)


def _startup_plateau(subject: Subject) -> Verdict:
    trace = subject.run(3)
    startup = trace.phase("startup")
    if startup.next != "drain":
        return failed(f"startup is followed by {startup.next or 'nothing'}", startup.from_s, startup.to_s)
    estimate = trace.variable("max_bw").at(startup.to_s) / RATE
    if abs(estimate - 1) > NEAR:
        return failed(f"max_bw is {estimate:.3f} of the link's rate at the end", startup.to_s)
    if not trace.variable("full_bw_now").at(startup.to_s):
        return failed("full_bw_now is not set at the end", startup.to_s)
    return plateau(trace, startup.to_s)


def limited(rate_bps: float, from_s: float, to_s: float) -> list[tuple[float, int]]:
    """Return the writes of an application that offers one segment at a time at a constant rate."""
    gap = 8 * PAYLOAD / rate_bps
    return [(from_s + gap * number, PAYLOAD) for number in range(int((to_s - from_s) / gap))]


def _startup_loss(subject: Subject) -> Verdict:
    lossy_s = 2.0
    trace = subject.run(
        4,
        link(delay=LONG_DELAY),
        traffic=writes(limited(5e6, 0, 4)),
        events=[{"at": f"{lossy_s}s", "set": "link.0.forward.loss", "to": {"kind": "periodic", "every": 8}}],
    )
    startup = trace.phase("startup")
    if startup.to_s < lossy_s:
        return failed("startup ends although nothing is lost and the application is slow", startup.to_s)
    # So little is in flight that drain may end with the same acknowledgment that started it.
    if startup.next not in ("drain", "down", "cruise"):
        return failed("startup goes on although one packet in eight is lost", lossy_s, startup.to_s)
    flags = [trace.variable(name).at(startup.to_s) for name in ("full_bw_now", "full_bw_reached")]
    if flags != [1, 1]:
        return failed("full_bw_now or full_bw_reached is not set", startup.to_s)
    return passed("startup ends with the losses of a round trip", lossy_s, startup.to_s)


def _drain_inflight(subject: Subject) -> Verdict:
    trace = subject.run(3)
    drain = trace.phase("drain")
    if trace.variable("pacing_gain").at(drain.from_s) != 0.5:
        return failed("the pacing gain of drain is not 0.5", drain.from_s)
    flight, target = trace.variable("in_flight"), trace.variable("inflight_target").at(drain.to_s)
    left, early = flight.before(drain.to_s), flight.at((drain.from_s + drain.to_s) / 2)
    # One acknowledgment covers up to two segments, so two more may be in flight.
    if left - 2 > target or early <= target:
        return failed(f"drain ends with {left:g} segments in flight; the target is {target:.1f}", drain.to_s)
    if drain.next not in ("down", "cruise"):
        return failed(f"drain is followed by {drain.next or 'nothing'}", drain.to_s)
    return passed(
        f"drain ends with {left:g} segments in flight; the target is {target:.1f}", drain.from_s, drain.to_s
    )


def _drain_time(subject: Subject) -> Verdict:
    begin = subject.run(3).phase("drain").from_s
    slow = {"at": f"{begin:.9f}s", "set": "link.0.rate", "to": "5Mbps"}
    trace = subject.run(5, events=[slow])
    drain, rounds = trace.phase("drain"), trace.variable("round_count")
    flight, target = trace.variable("in_flight"), trace.variable("inflight_target")
    passed_rounds = rounds.at(drain.to_s) - rounds.at(drain.from_s)
    if flight.before(drain.to_s) <= target.at(drain.to_s):
        raise NotShownError("the data in flight falls to the target all the same")
    if passed_rounds != 4:
        return failed(f"drain lasts {passed_rounds:g} round trips", drain.from_s, drain.to_s)
    if drain.next not in ("down", "cruise"):
        return failed(f"drain is followed by {drain.next or 'nothing'}", drain.to_s)
    left = flight.before(drain.to_s)
    return passed(
        f"drain ends after more than three round trips with {left:g} segments in flight",
        drain.from_s,
        drain.to_s,
    )


def _never_exit(subject: Subject) -> Verdict:
    trace = subject.run(4.9, traffic=writes(limited(4e6, 0, 4.9)))
    startup = trace.phase("startup")
    if startup.next:
        return failed(f"startup is followed by {startup.next}", startup.to_s)
    probe = subject.run(12).phase("up")
    # The application offers data fast until the probe, then slowly.
    before = subject.run(12).bytes_sent(probe.from_s)
    traffic = writes([(0, before), *limited(4e6, probe.from_s, probe.from_s + 2)])
    trace = subject.run(round(probe.from_s + 2, 3), traffic=traffic)
    up = trace.phase("up")
    lasts = up.to_s - up.from_s
    if up.next not in ("", "probe-rtt") and lasts < 1.5:
        return failed(f"the probe ends after {lasts:.3f} s and is followed by {up.next}", up.from_s, up.to_s)
    return passed("startup and a probe go on while the application is slow", up.from_s, up.to_s)


def _probe_rtt_in_startup(subject: Subject) -> Verdict:
    trace = subject.run(8, traffic=writes(limited(4e6, 0, 8)))
    if trace.phase("startup").next != "probe-rtt":
        return failed("startup is not interrupted by probe-rtt", 0, trace.duration_s)
    rest = trace.phase("probe-rtt")
    if rest.next != "startup":
        return failed(f"probe-rtt is followed by {rest.next or 'nothing'}", rest.from_s, rest.to_s)
    return passed("probe-rtt returns to startup", rest.from_s, rest.to_s)


AGGREGATED: dict[str, Any] = {"reverse": {"rate": {"gaps": "20x1000"}}}
"""Path whose acknowledgments leave in batches every 20 ms."""


def _startup_aggregation(subject: Subject) -> Verdict:
    trace = subject.run(6, link(**AGGREGATED))
    startup = trace.phase("startup")
    if startup.next != "drain":
        return failed(f"startup is followed by {startup.next or 'nothing'}", startup.to_s)
    extra = trace.variable("extra_acked").at(startup.to_s)
    bdp = trace.variable("max_bw").at(startup.to_s) * trace.variable("min_rtt").at(startup.to_s)
    cwnd, estimate = (
        trace.variable("cwnd").at(startup.to_s),
        trace.variable("max_bw").at(startup.to_s) / RATE,
    )
    if extra < 1 or cwnd <= 2 * bdp:
        return failed(
            f"extra_acked is {extra:.1f}, cwnd {cwnd:.1f}, twice the BDP {2 * bdp:.1f}", startup.to_s
        )
    if not 0.95 <= estimate <= 1.25:
        return failed(f"max_bw is {estimate:.3f} of the link's rate", startup.to_s)
    return passed(
        f"extra_acked is {extra:.1f} segments, and max_bw {estimate:.3f} of the link's rate", startup.to_s
    )


def _sub_packet(subject: Subject) -> Verdict:
    trace = subject.run(40, link("64kbps", "1ms", 100))
    begin = trace.duration_s / 2 if subject.is_stack else trace.phase("cruise").from_s
    least = min(trace.variable("cwnd").within(begin, trace.duration_s))
    share = trace.used(64e3, begin, trace.duration_s)
    if least < 4:
        return failed(f"the window falls to {least:g} segments", begin, trace.duration_s)
    if share < 0.9:
        return failed(f"the link is used to {share:.2f}", begin, trace.duration_s)
    return passed(
        f"the window is at least {least:g} segments, and the link used to {share:.2f}",
        begin,
        trace.duration_s,
    )


CASES = (
    Case(
        "startup-plateau",
        "Exiting STARTUP on Bandwidth Plateau",
        f"{SOURCE}.1",
        "10 Mb/s, 40 ms, a queue of 1000 packets, an endless transfer",
        "max_bw within 2 % of the link's rate; three round trips without growth; then drain",
        _startup_plateau,
    ),
    Case(
        "startup-loss-limited",
        "Exiting STARTUP on Loss When Application-Limited",
        f"{SOURCE}.2",
        "10 Mb/s, 200 ms, an application of 5 Mb/s; from 2 s on each eighth packet is lost",
        "startup lasts until the losses; drain follows, or probing if little is in flight; full_bw_now and "
        "full_bw_reached are set",
        _startup_loss,
    ),
    Case(
        "drain-inflight",
        "Exiting DRAIN Based on Inflight",
        f"{SOURCE}.3",
        "as startup-plateau",
        "pacing gain 0.5; drain ends when at most the BDP is in flight",
        _drain_inflight,
    ),
    Case(
        "drain-time",
        "Exiting DRAIN Based on Time",
        f"{SOURCE}.4",
        "as startup-plateau; the rate falls to 5 Mb/s when drain begins (10 % less, as the draft has it, does not keep "
        "the data in flight above the target)",
        "drain ends in the fourth round trip with more than the target in flight",
        _drain_time,
    ),
    Case(
        "limited-without-loss",
        "Never Exiting PROBE_UP (or STARTUP) When Application-Limited With No Loss",
        f"{SOURCE}.7",
        "an application of 4 Mb/s, from the beginning or from the beginning of the first probe on",
        "startup does not end before probe-rtt is due; the probe goes on",
        _never_exit,
    ),
    Case(
        "startup-aggregation",
        "Achieving Expected STARTUP Bandwidth on a Link With Aggregation",
        f"{SOURCE}.12",
        "10 Mb/s, 40 ms; acknowledgments leave every 20 ms in a batch",
        "extra_acked is above 1, the window above twice the BDP, max_bw within -5 and +25 % of the link's rate",
        _startup_aggregation,
    ),
    Case(
        "sub-packet-bdp",
        "Correctly Managing Sub-Packet BDPs",
        f"{SOURCE}.14",
        "64 kb/s, 2 ms",
        "the window is never below 4 segments; the link is used to 90 %",
        _sub_packet,
    ),
    Case(
        "probe-rtt-in-startup",
        "Entering and Exiting PROBE_RTT During STARTUP",
        f"{SOURCE}.20",
        "an application of 4 Mb/s on 10 Mb/s for 8 s",
        "probe-rtt interrupts startup and returns to it",
        _probe_rtt_in_startup,
    ),
)
