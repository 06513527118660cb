"""Compares runs with closed forms (Mathis, PFTK, M/D/1) and reports packet conservation over all runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ackclock import theory as formulas
from validation import conservation, ours
from validation.check import Check
from validation.scenarios import Document, link
from validation.stats import mean_sd, t_half_width

GROUP = "Theory"
REPLICAS = 20
RATE_BPS = 100e6
DELAY_S = 0.050
WIRE_BITS = 1040 * 8
RTT_S = 2 * DELAY_S + (WIRE_BITS + 40 * 8) / RATE_BPS
"""Round-trip time without queueing on the path of the loss experiments, s; the path's rate makes queueing rare."""

PATH_PROFILES: dict[str, Document] = {
    "ns2": {"profile": "ns2", "max_window": 10_000},
    "rfc": {"profile": "rfc", "segment": "1000B", "delayed_ack": False},
}
"""Endpoint settings of the loss experiments; with each of them the receiver acknowledges each segment."""


def lossy_path(variant: str, loss: float, duration_s: float, tcp: Document) -> Document:
    """Return one flow over one link with a round-trip time of 100 ms that loses data packets at random."""
    return {
        "duration": f"{duration_s:g}s",
        "seed": 1,
        "link": [
            {
                **link("a", "b", RATE_BPS / 1e6, DELAY_S * 1e3, 10_000),
                "loss": {"kind": "random", "rate": loss, "toward": "b", "at": "entry"},
            }
        ],
        "flow": [
            {
                "from": "a",
                "to": "b",
                "start": "0s",
                "stop": f"{duration_s:g}s",
                "traffic": {"kind": "ftp"},
                "tcp": {"variant": variant, **tcp},
            }
        ],
    }


def _replicate(document: Document) -> list[dict[str, Any]]:
    runs = ours.run_many([(document, 1 + r, 0.0) for r in range(REPLICAS)])
    return [run.flows[0] for run in runs]


def _with_interval(ratios: Sequence[float]) -> tuple[float, str]:
    mean, sd = mean_sd(ratios)
    return mean - 1, f"{mean - 1:+.1%} +- {t_half_width(sd, len(ratios)):.1%}"


def _mathis() -> list[Check]:
    """Compare SACK with Mathis's equation, corrected for the round trip that each recovery takes.

    The plain equation is also shown.
    """
    random_losses, regular = formulas.mathis_constant_random(), 1.5**0.5
    duration_s = 2000.0
    checks = []
    for profile, tcp in PATH_PROFILES.items():
        for loss in (0.001, 0.002, 0.005, 0.01):
            flows = _replicate(lossy_path("sack", loss, duration_s, tcp))
            rates = [f["acked_bytes"] / 1000 / duration_s for f in flows]
            expected = formulas.mathis_with_recovery(loss, RTT_S, constant=random_losses)
            deviation, text = _with_interval([rate / expected for rate in rates])
            plain = ", ".join(
                f"C = {c:.2f}: {mean_sd(rates)[0] / formulas.mathis(loss, RTT_S, constant=c) - 1:+.1%}"
                for c in (random_losses, regular)
            )
            checks.append(
                Check(
                    GROUP,
                    f"Mathis with recovery, sack, profile {profile}, loss {loss:.1%}: acknowledged",
                    "within 5 %",
                    f"{text} (without: {plain})",
                    abs(deviation) <= 0.05,
                )
            )
    return checks


def _pftk() -> list[Check]:
    checks = []
    for profile, base in PATH_PROFILES.items():
        tcp = {**base, "min_rto": "200ms"}
        for variant in ("sack", "newreno", "reno"):
            for loss in (0.05, 0.07, 0.1):
                flows = _replicate(lossy_path(variant, loss, 1000.0, tcp))
                ratios = [f["sent_packets"] / 1000.0 / formulas.pftk(loss, RTT_S, 0.2) for f in flows]
                deviation, text = _with_interval(ratios)
                checks.append(
                    Check(
                        GROUP,
                        f"PFTK, {variant}, profile {profile}, loss {loss:.0%}, T0 = 0.2 s: packets sent",
                        "within 15 %",
                        text,
                        abs(deviation) <= 0.15,
                    )
                )
    return checks


def poisson_link(load: float, duration_s: float) -> Document:
    """Return the scenario of a Poisson stream of 1000 B datagrams over a link of 100 Mb/s with an unlimited queue."""
    return {
        "duration": f"{duration_s + 1:g}s",
        "seed": 1,
        "link": [
            {**link("a", "b", 100, 1, 0), "queue": {"kind": "droptail", "unlimited": True}},
        ],
        "flow": [
            {
                "from": "a",
                "to": "b",
                "start": "0s",
                "stop": f"{duration_s:g}s",
                "traffic": {
                    "kind": "cbr",
                    "rate": f"{load * 100:g}Mbps",
                    "packet": "1000B",
                    "header": "0B",
                    "spacing": "exponential",
                },
            }
        ],
    }


def _md1() -> list[Check]:
    service_s = 1000 * 8 / 100e6
    checks = []
    for load, duration_s in ((0.5, 20.0), (0.8, 50.0), (0.95, 200.0)):
        flows = _replicate(poisson_link(load, duration_s))
        expected = formulas.md1_wait(load, service_s)
        deviation, text = _with_interval([(f["delay_mean_s"] - 1e-3 - service_s) / expected for f in flows])
        checks.append(
            Check(GROUP, f"M/D/1, load {load:g}: mean wait", "within 2 %", text, abs(deviation) <= 0.02)
        )
    return checks


def checks() -> list[Check]:
    """Check the closed forms."""
    return _mathis() + _pftk() + _md1()


def ledger() -> list[Check]:
    """Return the checks of packet conservation over all runs that have been made so far."""
    found = conservation.LEDGER
    return [
        Check(
            GROUP,
            "packets conserved, nothing above capacity, in every run of this validation",
            "no exception",
            f"{len(found.violations)} in {found.runs} runs, {found.traces} of them packet by packet",
            not found.violations,
            "\n".join(found.violations[:50]),
        )
    ]
