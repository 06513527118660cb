"""Cases of BBRv3 while it probes for bandwidth (draft-ietf-ccwg-bbr, appendix A)."""

from __future__ import annotations

from itertools import pairwise

from ackclock.conform.bbr3_startup import AGGREGATED, RATE, SOURCE, limited, plateau
from ackclock.conform.case import Case, NotShownError, Verdict, failed, passed
from ackclock.conform.subject import PAYLOAD, Subject, link, writes
from ackclock.conform.trace import Phase, Trace

LONG_S = 12.0
SHALLOW = 20
"""Queue limit, packets, that is so small that a probe loses packets."""


def _up_plateau(subject: Subject) -> Verdict:
    up = subject.run(LONG_S).phase("up")
    if up.next != "down":
        return failed(f"the probe is followed by {up.next or 'nothing'}", up.from_s, up.to_s)
    return plateau_of_probe(subject.run(LONG_S), up)


def plateau_of_probe(trace: Trace, up: Phase) -> Verdict:
    """Judge a probe for bandwidth that ends because the estimate no longer grows."""
    if any(up.from_s <= time <= up.to_s for time, _ in trace.drops):
        raise NotShownError("the probe loses packets")
    return plateau(trace, up.to_s)


def _up_loss(subject: Subject) -> Verdict:
    probe = subject.run(LONG_S).phase("up")
    before = subject.run(LONG_S).bytes_sent(probe.from_s)
    lossy_s = probe.from_s + 0.2
    traffic = writes([(0, before), *limited(5e6, probe.from_s, probe.from_s + 2)])
    trace = subject.run(
        round(probe.from_s + 1.5, 3),
        traffic=traffic,
        events=[
            {"at": f"{lossy_s:.9f}s", "set": "link.0.forward.loss", "to": {"kind": "periodic", "every": 8}}
        ],
    )
    up = trace.phase("up")
    if up.to_s < lossy_s:
        raise NotShownError("the probe ends before the losses begin")
    if up.next not in ("down", "cruise") or up.to_s > lossy_s + 0.3:
        return failed("the probe goes on although one packet in eight is lost", lossy_s, up.to_s)
    bound = trace.variable("inflight_longterm")
    if bound.at(up.to_s) > bound.before(lossy_s):
        return failed("inflight_longterm grows with the losses", lossy_s, up.to_s)
    return passed("the losses end the probe of a slow application", lossy_s, up.to_s)


def _down_inflight(subject: Subject) -> Verdict:
    trace = subject.run(LONG_S)
    flight, target = trace.variable("in_flight"), trace.variable("inflight_target")
    room = trace.variable("inflight_headroom")
    seen = [one for one in trace.each("down") if one.next == "cruise"]
    if not seen:
        return failed("no probe-down is followed by cruise", 0, trace.duration_s)
    for down in seen:
        if trace.variable("pacing_gain").at(down.from_s) != 0.9:
            return failed("the pacing gain of probe-down is not 0.9", down.from_s)
        left, most = flight.before(down.to_s), min(target.at(down.to_s), room.at(down.to_s))
        if left - 2 > most:
            return failed(f"cruise begins with {left:g} segments in flight, above {most:.1f}", down.to_s)
    return passed(f"each of {len(seen)} ends with the target in flight or less", seen[0].from_s, seen[0].to_s)


def _down_time(subject: Subject) -> Verdict:
    begin = subject.run(LONG_S).phase("up").to_s
    slow = {"at": f"{begin:.9f}s", "set": "link.0.rate", "to": "8.5Mbps"}
    trace = subject.run(LONG_S, events=[slow])
    down = trace.phase("down", begin - 1e-9)
    wait, rounds = trace.variable("bw_probe_wait").at(down.from_s), trace.variable("round_count")
    lasted = down.to_s - down.from_s
    if down.next == "cruise":
        raise NotShownError("the data in flight falls to the target all the same")
    if down.next != "refill":
        return failed(f"probe-down is followed by {down.next or 'nothing'}", down.from_s, down.to_s)
    due = rounds.at(down.to_s) - rounds.at(down.from_s) >= 30
    if lasted < wait and not due:
        return failed(f"probe-down lasts {lasted:.3f} s; the wait is {wait:.3f} s", down.from_s, down.to_s)
    return passed("probe-down is followed by refill when the next probe is due", down.from_s, down.to_s)


def _probe_rtt(subject: Subject) -> Verdict:
    trace = subject.run(LONG_S)
    rest = trace.phase("probe-rtt")
    lasts, rounds = rest.to_s - rest.from_s, trace.variable("round_count")
    if not 4.9 <= rest.from_s <= 6.5:
        return failed("probe-rtt is not due after 5 s", rest.from_s)
    if trace.variable("cwnd_gain").at(rest.from_s) != 0.5:
        return failed("the window gain is not 0.5", rest.from_s)
    if lasts < 0.2 or rounds.at(rest.to_s) - rounds.at(rest.from_s) < 1:
        return failed(f"probe-rtt lasts {lasts:.3f} s", rest.from_s, rest.to_s)
    if rest.next not in ("down", "cruise"):
        return failed(f"probe-rtt is followed by {rest.next or 'nothing'}", rest.to_s)
    share = trace.goodput_bps(rest.to_s + 0.1, rest.to_s + 1.1) / (10e6 * PAYLOAD / 1500)
    if share < 0.9:
        return failed(f"the link is used to {share:.2f} afterwards", rest.to_s)
    return passed(f"probe-rtt lasts {lasts:.3f} s and returns to probing", rest.from_s, rest.to_s)


def _skip_probe_rtt(subject: Subject) -> Verdict:
    idle, again = 2.0, 8.5
    # The first 2.4 MB take about 2 s. The rest is written after a pause longer than the probing interval.
    trace = subject.run(again + 2, traffic=writes([(0, 2_400_000), (again, 20_000_000)]))
    late = [one for one in trace.sent if idle + 1 < one.time_s < again]
    if late:
        raise NotShownError("the pause is too short: packets are still sent in it")
    found = [one for one in trace.phases if one.name == "probe-rtt" and again <= one.from_s <= again + 1]
    if found:
        return failed("probe-rtt begins although the flow was idle", found[0].from_s, found[0].to_s)
    return passed("idle time takes the place of probe-rtt", idle, again + 1)


def _cruise_aggregation(subject: Subject) -> Verdict:
    first = subject.run(LONG_S).phase("cruise").from_s
    batches = {"at": f"{first:.9f}s", "set": "link.0.reverse.rate", "to": AGGREGATED["reverse"]["rate"]}
    trace = subject.run(LONG_S, events=[batches])
    cruise = next((one for one in trace.each("cruise", first + 3) if one.to_s - one.from_s > 0.5), None)
    if cruise is None:
        raise NotShownError("no cruise of half a second comes")
    extra = trace.variable("extra_acked").at(cruise.to_s)
    share = trace.goodput_bps(cruise.from_s, cruise.to_s) / (10e6 * PAYLOAD / 1500)
    if extra < 1:
        return failed(f"extra_acked is {extra:.1f}", cruise.to_s)
    if share < 0.95:
        return failed(f"the link is used to {share:.2f}", cruise.from_s, cruise.to_s)
    return passed(
        f"extra_acked is {extra:.1f} segments, the link used to {share:.2f}", cruise.from_s, cruise.to_s
    )


def _faster(subject: Subject) -> Verdict:
    faster_s, end_s = 5.0, 25.0
    trace = subject.run(
        end_s,
        link(queue=SHALLOW),
        events=[{"at": f"{faster_s}s", "set": "link.0.rate", "to": "100Mbps"}],
    )
    if subject.is_stack:
        share = trace.used(100e6, end_s - 2, end_s)
        judge = failed if share < 0.9 else passed
        return judge(f"the faster link is used to {share:.2f} in the last 2 s", end_s - 2, end_s)
    full = trace.variable("max_bw").first(lambda rate: rate >= 9 * RATE, faster_s)
    if full is None:
        best = max(trace.variable("max_bw").within(faster_s, end_s)) / RATE
        return failed(f"max_bw gets to {best:.2f} times the old rate in {end_s - faster_s:g} s", faster_s)
    up = trace.phase_at(full)
    bound, rounds = trace.variable("inflight_longterm"), trace.variable("round_count")
    if bound.at(up.from_s) == float("inf") or up.name != "up":
        return passed("the rate is found; no bound of the volume in flight had to grow", up.from_s, full)
    slope, cwnd = trace.variable("inflight_slope"), trace.variable("cwnd")
    steps = [
        value * cwnd.at(time)
        for time, value in zip(slope.times, slope.values, strict=True)
        if up.from_s <= time <= full and 0 < value < 1
    ]
    if any(not 1.5 < b / a < 2.7 for a, b in pairwise(steps)):
        return failed(
            f"the step per round trip takes the values {[round(s) for s in steps]}", up.from_s, full
        )
    count = rounds.at(full) - rounds.at(up.from_s)
    return passed(
        f"nine tenths of the new rate are found in {count:g} round trips of a probe", up.from_s, full
    )


def _slower(subject: Subject) -> Verdict:
    slower_s, end_s = 4.0, 20.0
    trace = subject.run(
        end_s,
        link("100Mbps", queue=200),
        events=[{"at": f"{slower_s}s", "set": "link.0.rate", "to": "10Mbps"}],
    )
    short = trace.variable("bw_shortterm")
    down = short.first(lambda rate: rate <= 5 * RATE, slower_s)
    if down is None or down > slower_s + 1.5:
        return failed("bw_shortterm does not fall to half of the old rate within 1.5 s", slower_s)
    found = trace.variable("max_bw").first(lambda rate: rate <= 1.02 * RATE, slower_s)
    if found is None:
        last = trace.variable("max_bw").at(end_s) / RATE
        return failed(f"max_bw is still {last:.2f} times the new rate", slower_s, end_s)
    probes = sum(one.from_s > slower_s and one.to_s <= found for one in trace.each("up"))
    if probes > 2:
        return failed(f"max_bw falls after {probes} probes", slower_s, found)
    return passed(
        f"bw_shortterm falls in {down - slower_s:.2f} s, max_bw in {found - slower_s:.2f} s", slower_s, found
    )


def _policer(subject: Subject) -> Verdict:
    bucket = {
        "kind": "token-bucket",
        "rate": "10Mbps",
        "burst": "50kB",
        "queue": {"kind": "droptail", "packets": 1},
    }
    trace = subject.run(20, link("100Mbps", queue=bucket))
    if not trace.drops:
        raise NotShownError("the policer drops nothing")
    # A stack's packets show the losses, but not its bounds.
    if not subject.is_stack:
        begin = trace.phase("cruise").from_s
        bounds = trace.variable("bw_shortterm").first(lambda rate: rate < float("inf"), begin)
        if bounds is None and trace.variable("inflight_longterm").at(20) == float("inf"):
            return failed("no bound is set by the losses", begin, 20)
    late = sum(time > 10 for time, _ in trace.drops)
    lost, share = late / (late + trace.received(10, 20)[0]), trace.used(10e6, 10, 20)
    if lost > 0.05 or share < 0.8:
        return failed(f"{lost:.1%} are lost and {share:.2f} of the rate is used", 10, 20)
    return passed(f"{lost:.1%} are lost and {share:.2f} of the token rate is used", 10, 20)


def _loss_in_up(subject: Subject) -> Verdict:
    trace = subject.run(20, link(queue=SHALLOW))
    bound = trace.variable("inflight_longterm")
    for up in trace.each("up"):
        if bound.at(up.from_s) == float("inf"):
            continue
        lost = [time for time, _ in trace.drops if up.from_s - 0.2 <= time <= up.to_s]
        highest = max(bound.within(up.from_s, up.to_s - 1e-9))
        after = bound.at(up.to_s)
        if up.next == "down" and lost and after < highest:
            return passed(
                f"the losses end the probe; inflight_longterm falls from {highest:.1f} to {after:.1f}",
                lost[0],
                up.to_s,
            )
    raise NotShownError("no probe with a bound loses packets")


def _limited_refill(subject: Subject) -> Verdict:
    plain = subject.run(LONG_S)
    refill = plain.phase("refill")
    before = plain.bytes_sent(refill.from_s)
    pause = refill.to_s - refill.from_s
    traffic = writes([(0, before), (refill.from_s + pause, 20_000_000)])
    trace = subject.run(LONG_S, traffic=traffic)
    same = trace.phase("refill")
    if abs(same.from_s - refill.from_s) > 0.05:
        raise NotShownError("the pause changes what comes before the refill")
    values = trace.variable("max_bw").within(same.from_s, same.to_s)
    if min(values) < values[0]:
        return failed("max_bw falls while the application pauses", same.from_s, same.to_s)
    if same.next != "up":
        return failed(f"refill is followed by {same.next or 'nothing'}", same.from_s, same.to_s)
    return passed("max_bw stays, and the probe follows", same.from_s, same.to_s)


CASES = (
    Case(
        "up-plateau",
        "Exiting PROBE_UP on Bandwidth Plateau",
        f"{SOURCE}.5",
        "10 Mb/s, 40 ms, a queue of 1000 packets, an endless transfer",
        "the probe ends after three round trips without growth; then probe-down",
        _up_plateau,
    ),
    Case(
        "up-loss-limited",
        "Exiting PROBE_UP on Loss When Application-Limited",
        f"{SOURCE}.6",
        "the application offers 5 Mb/s from the first probe on; 0.2 s later each eighth packet is lost",
        "the losses end the probe within 0.3 s; inflight_longterm does not grow",
        _up_loss,
    ),
    Case(
        "down-inflight",
        "Exiting PROBE_DOWN on Inflight",
        f"{SOURCE}.8",
        "as up-plateau",
        "pacing gain 0.9; cruise begins when at most the BDP is in flight, and the headroom is free",
        _down_inflight,
    ),
    Case(
        "down-time",
        "Exiting PROBE_DOWN After Max Time",
        f"{SOURCE}.9",
        "as up-plateau; the rate falls to 8.5 Mb/s when probe-down begins",
        "refill follows probe-down without cruise, when the next probe is due",
        _down_time,
    ),
    Case(
        "probe-rtt",
        "Entering and Exiting PROBE_RTT",
        f"{SOURCE}.10",
        "as up-plateau, 12 s",
        "probe-rtt is due after 5 s, lasts 200 ms and a round trip, with window gain 0.5, and returns to probing",
        _probe_rtt,
    ),
    Case(
        "skip-probe-rtt",
        "Skipping PROBE_RTT Due to Application-Limited Sending",
        f"{SOURCE}.11",
        "the application pauses for more than 5 s",
        "no probe-rtt begins in the second after the pause",
        _skip_probe_rtt,
    ),
    Case(
        "cruise-aggregation",
        "Achieving Expected Cruise Bandwidth on a Link With Aggregation",
        f"{SOURCE}.13",
        "as up-plateau; from the first cruise on acknowledgments leave every 20 ms in a batch",
        "extra_acked is above 1, and the link is used to 95 %",
        _cruise_aggregation,
    ),
    Case(
        "rate-up",
        "Increasing Bandwidth 10x and Ensuring Full Bandwidth is Reached",
        f"{SOURCE}.15",
        f"10 Mb/s, 40 ms, a queue of {SHALLOW} packets; 100 Mb/s from 5 s on",
        "max_bw gets to 90 % of the new rate in 20 s; the step of inflight_longterm doubles in each round trip",
        _faster,
    ),
    Case(
        "rate-down",
        "Decreasing Bandwidth 10x and Ensuring Max Bandwidth Adapts Down",
        f"{SOURCE}.16",
        "100 Mb/s, 40 ms, a queue of 200 packets; 10 Mb/s from 4 s on",
        "bw_shortterm falls to half of the old rate within 1.5 s; max_bw to 102 % of the new one after two probes",
        _slower,
    ),
    Case(
        "policer",
        "Handling Token Bucket Policers",
        f"{SOURCE}.17",
        "100 Mb/s, 40 ms; a token bucket of 10 Mb/s and 50 kB, with room for one packet behind it",
        "after 10 s at most 5 % are lost, and 80 % of the token rate is used",
        _policer,
    ),
    Case(
        "up-loss-bounded",
        "Handling Loss During PROBE_UP After inflight_longterm is Set",
        f"{SOURCE}.21",
        f"10 Mb/s, 40 ms, a queue of {SHALLOW} packets",
        "losses end a probe, and inflight_longterm falls",
        _loss_in_up,
    ),
    Case(
        "limited-refill",
        "Handling Application-Limited Sending During PROBE_REFILL",
        f"{SOURCE}.22",
        "as up-plateau; the application pauses during the first refill",
        "max_bw does not fall in the refill; the probe follows",
        _limited_refill,
    ),
)
