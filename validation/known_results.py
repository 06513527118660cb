"""Compares ackclock with results that the literature has of controls, by the scenarios of ``evaluate``.

Each check has its source. A range stands for a published statement of direction or order; a number for a formula.
Everything runs in profile ``linux`` over one drop-tail bottleneck, except for RFC 9438's tables, whose model loses one
packet in 1/p.
"""

from __future__ import annotations

import math
from statistics import fmean

from ackclock import theory
from ackclock.evaluate.paths import bdp, bulk, through
from validation import ours
from validation.check import Check
from validation.scenarios import Document

GROUP = "Known results"
SEEDS = 5

LOSSES = 2000
"""Losses in a run of RFC 9438's model: so many that the approach to its fixed point is 2 % from the end."""

SHORT = 1e-2
"""Loss ratio at which an epoch lasts ten round trips; one of them is the recovery, which the model leaves out."""


def _shared(
    variants: list[str], rate: str, rtts: list[str], queue: int, duration: float
) -> list[list[Document]]:
    """Return the results of all flows of each run, whose flows start 0.1 s apart."""
    flows = []
    for i, (variant, rtt) in enumerate(zip(variants, rtts, strict=True)):
        flow = bulk(f"flow{i}", rtt=rtt, start=f"{0.1 * i:.1f}s")
        flow["tcp"]["variant"] = variant
        flows.append(flow)
    document = through(
        flows, rate=rate, rtt=min(rtts, key=lambda one: float(one[:-2])), queue=queue, duration=duration
    )
    return [run.flows for run in ours.run_many([(document, 1 + seed, 0.1) for seed in range(SEEDS)])]


def _share(one: str, other: str, rate: str, rtt: str, times: float, duration: float = 60) -> float:
    """Return the part of the goodput that a flow of `one` has beside a flow of `other`, as the mean of all runs."""
    found = _shared([one, other], rate, [rtt, rtt], bdp(rate, rtt, times), duration)
    return fmean(a["goodput_bps"] / (a["goodput_bps"] + b["goodput_bps"]) for a, b in found)


def _check(name: str, target: str, measured: str, passed: bool) -> Check:
    return Check(GROUP, name, target, measured, passed)


def _bbr_losses() -> list[Check]:
    """Check the losses of version 1 of BBR: several flows keep up to 1.5 BDP queued, and lose what does not fit."""
    rate, rtt = "50Mbps", "40ms"

    def loss(times: float) -> float:
        """Return the loss from 30 to 60 s, after all startups: runs of both lengths are equal up to 30 s."""
        whole, first = (_shared(["bbr"] * 4, rate, [rtt] * 4, bdp(rate, rtt, times), end) for end in (60, 30))

        def later(key: str) -> float:
            counts = [sum(float(flow[key]) for run in runs for flow in run) for runs in (whole, first)]
            return counts[0] - counts[1]

        lost = later("lost_packets_total")
        return lost / (lost + later("received_packets"))

    shallow, deep = loss(0.8), loss(2.5)
    source = "Hock, Bless and Zitterbart, ICNP 2017"
    return [
        _check("4 flows of bbr, 0.8 BDP: loss", f"above 1 % ({source})", f"{shallow:.2%}", shallow > 0.01),
        _check("4 flows of bbr, 2.5 BDP: loss", f"below 0.1 % ({source})", f"{deep:.3%}", deep < 0.001),
    ]


def _shares() -> list[Check]:
    """Check shares of CUBIC and Vegas beside Reno, and the harm of CUBIC to Reno over the bandwidth-delay product."""
    small, large = (
        _share("cubic", "reno", "10Mbps", "10ms", 1),
        _share("cubic", "reno", "200Mbps", "100ms", 1, 120),
    )
    rfc, mo = "RFC 9438, sections 4.3 and 5.1", "Mo et al., INFOCOM 1999"
    found = [
        _check(
            "cubic beside reno, BDP of 8 packets: share",
            f"0.4 to 0.65 ({rfc})",
            f"{small:.2f}",
            0.4 <= small <= 0.65,
        ),
        _check(
            "cubic beside reno, BDP of 1667 packets: share", f"above 0.7 ({rfc})", f"{large:.2f}", large > 0.7
        ),
    ]
    shallow, deep = (_share("vegas", "reno", "10Mbps", "40ms", times) for times in (0.5, 4))
    found.append(
        _check(
            "vegas beside reno, buffers of 0.5 and 4 BDP: share",
            f"below 0.5, and less in the deeper buffer ({mo})",
            f"{shallow:.2f}, {deep:.2f}",
            deep < shallow < 0.5,
        )
    )
    return found


def _round_trips() -> list[Check]:
    """Check unfairness by round trip: goodput falls with RTT to the power of 1 to 2 for Reno, and less for CUBIC."""

    def exponent(variant: str) -> float:
        queue = bdp("20Mbps", "160ms", 0.25)
        found = _shared([variant, variant], "20Mbps", ["40ms", "160ms"], queue, 200)
        return fmean(
            math.log(a["goodput_bps"] / b["goodput_bps"])
            / math.log(b["packet_rtt_mean_s"] / a["packet_rtt_mean_s"])
            for a, b in found
        )

    reno, cubic = exponent("reno"), exponent("cubic")
    return [
        _check(
            "reno, RTT 40 and 160 ms: exponent of goodput's fall with RTT",
            "1 to 2 (Lakshman and Madhow, 1997)",
            f"{reno:.2f}",
            1 <= reno <= 2,
        ),
        _check(
            "cubic, RTT 40 and 160 ms: exponent of goodput's fall with RTT",
            "at most 1, and less than reno's (RFC 9438, section 5.1)",
            f"{cubic:.2f}",
            cubic <= 1 and cubic < reno,
        ),
    ]


def _yielding() -> list[Check]:
    """Check that LEDBAT uses an empty link, and yields to Reno if the buffer is deeper than its target."""
    rate, rtt = "10Mbps", "40ms"
    queue = bdp(rate, rtt, 6)
    alone = fmean(run[0]["goodput_bps"] for run in _shared(["ledbat"], rate, [rtt], queue, 60)) / (
        10e6 * 1448 / 1500
    )
    beside = _share("ledbat", "reno", rate, rtt, 6)
    return [
        _check("ledbat alone: utilisation", "above 90 % (RFC 6817, section 2)", f"{alone:.0%}", alone > 0.9),
        _check(
            "ledbat beside reno, 240 ms of buffer: share",
            "below 0.15 (RFC 6817, section 2)",
            f"{beside:.2f}",
            beside < 0.15,
        ),
    ]


def mean_window(control: str, loss: float, rtt_s: float) -> float:
    """Return the mean window, segments, over the last half of a run that loses one packet in 1 / `loss`.

    The mean is by packets: what is delivered in a round trip.
    """
    rate = max(theory.cubic(loss, rtt_s), theory.mathis(loss, rtt_s))
    duration = LOSSES / loss / rate

    def acknowledged(length: float) -> float:
        document: Document = {
            "duration": f"{length:.3f}s",
            "seed": 1,
            "link": [
                {
                    "between": ["a", "b"],
                    "rate": "100Gbps",
                    "delay": f"{rtt_s / 2 * 1e6:.0f}us",
                    "queue": 1_000_000,
                    "loss": {"kind": "periodic", "every": round(1 / loss), "toward": "b"},
                }
            ],
            "flow": [
                {
                    "from": "a",
                    "to": "b",
                    "tcp": {"variant": f"sack+{control}", "delayed_ack": False, "receive_window": 1_000_000},
                }
            ],
        }
        return float(ours.run_many([(document, 1, 0.0)])[0].flows[0]["acked_packets"])

    return (acknowledged(duration) - acknowledged(duration / 2)) * rtt_s / (duration / 2)


def _tables() -> list[Check]:
    """Check mean windows of RFC 9438, tables 1 and 2, whose row of Reno is 1.2 / sqrt(p) (RFC 3649).

    The model's fixed point is approached slowly: the cubic function is flat at W_max, so that an error of the window
    shrinks by its third power with each loss. With 200 losses 1e-4 is 6 % off, with 2000 losses 2 %.
    """
    found = []
    for rtt_s in (0.1, 0.01):
        for loss in (1e-2, 1e-3, 1e-4):
            for control in ("reno", "cubic"):
                reno = 1.2 / math.sqrt(loss)
                model = reno if control == "reno" else max(reno, theory.cubic(loss, rtt_s) * rtt_s)
                here = mean_window(control, loss, rtt_s)
                said = f"{here:.1f} ({here / model - 1:+.1%})"
                if loss == SHORT:
                    said += "; the model leaves out recovery, which is one round trip in ten here"
                near = None if loss == SHORT else abs(here / model - 1) <= 0.05
                name = f"{control}, p = {loss:g}, RTT {1e3 * rtt_s:g} ms: mean window"
                found.append(Check(GROUP, name, f"{model:.1f} +- 5 % (RFC 9438, tables 1 and 2)", said, near))
    return found


def checks() -> list[Check]:
    """Compare with all known results."""
    return [*_bbr_losses(), *_shares(), *_round_trips(), *_yielding(), *_tables()]
