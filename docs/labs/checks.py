"""Checks the answers of the labs. Keep this file beside the notebooks.

The right answers are not written down here: each is worked out from a run, so that it is right for the version of
ackclock that you have.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import polars

import ackclock as ac
from ackclock.stats import interval, paired

SEGMENT = 1500  # bytes on the wire, headers included


def path(variant: str = "newreno", **more: Any) -> ac.Scenario:
    """Return the path of labs 1 and 2: a bottleneck of 10 Mb/s and a round trip of 42 ms."""
    return ac.dumbbell([variant], rate="10Mbps", delay="19ms", **more)


def pipe(window: int) -> ac.Scenario:
    """Return the path of lab 1 with a limited window, for 20 s."""
    return path(queue=200, tcp={"max_window": window}, duration="20s")


def teeth() -> ac.Scenario:
    """Return the path of lab 2, for 120 s."""
    return path("sack", queue=35, duration="120s")


def near_and_far(variant: str) -> ac.Scenario:
    """Return the near and the far flow of lab 4, for 60 s."""
    net = ac.Network()
    net.link("r0", "r1", rate="10Mbps", delay="10ms", queue=30)
    net.link("near", "r0", rate="100Mbps", delay="1ms")
    net.link("far", "r0", rate="100Mbps", delay="40ms")
    net.flow("near", "r1", variant=variant)
    net.flow("far", "r1", variant=variant, start="0.5s")
    return net.scenario("60s")


def lossy(variant: str) -> ac.Scenario:
    """Return the two flows of lab 6, for 30 s."""
    return ac.dumbbell([variant, variant], rate="5Mbps", queue=20, loss=0.003, duration="30s")


TWO_DROPS = "fall-floyd"
CALL = ("bufferbloat", "duration=20s")

STARTS: dict[int, Callable[[], ac.Scenario | tuple[str, ...]]] = {
    1: lambda: pipe(20),
    2: teeth,
    3: lambda: (TWO_DROPS,),
    4: lambda: near_and_far("reno"),
    5: lambda: CALL,
    6: lambda: lossy("vegas"),
}
"""Scenario with which each lab begins in the laboratory in a browser, or the name of an example and its settings."""


def bottleneck(run: ac.Run, name: str = "r0>r1") -> dict[str, Any]:
    """Return the summary of the bottleneck."""
    return next(link for link in run.summary["links"] if link["name"] == name)


@cache
def limited(window: int) -> ac.Run:
    """Return a run of 20 s whose window is limited to `window` segments."""
    return pipe(window).run()


def enough() -> int:
    """Return the smallest window limit, of those in steps of 5, that keeps the bottleneck 95 % busy."""
    return next(window for window in range(5, 100, 5) if bottleneck(limited(window))["utilisation"] > 0.95)


@cache
def sawtooth() -> polars.DataFrame:
    """Return the windows of lab 2, after the first 20 s."""
    run = teeth().run(traces=["cwnd"])
    table = run.trace("cwnd").to_polars()
    return table.filter((polars.col("variable") == "cwnd") & (polars.col("time_s") > 20))


@cache
def drops(variant: str) -> dict[str, Any]:
    """Return the flow of Fall and Floyd's two drops, by variant."""
    return dict(ac.load(TWO_DROPS, [f"flow.0.tcp.variant={variant}"]).run().summary["flows"][0])


@cache
def shares(variant: str) -> tuple[float, float]:
    """Return goodput in Mb/s of a near and a far flow (lab 4)."""
    near, far = (flow["goodput_bps"] / 1e6 for flow in near_and_far(variant).run().summary["flows"])
    return near, far


@cache
def call(queue: str) -> float:
    """Return the 95th percentile of the call's delay in lab 5, in milliseconds."""
    run = ac.load(CALL[0], [f"link.uplink.queue.kind={queue}", *CALL[1:]]).run(traces=["delay"])
    delays = run.trace("delay").to_polars().filter(polars.col("flow") == 1)["delay_s"]
    return float(np.percentile(delays.to_numpy(), 95) * 1e3)


@cache
def goodputs(variant: str) -> list[float]:
    """Return goodput in Mb/s of five replications in lab 6."""
    runs = ac.runs.run_many([(lossy(variant), seed, 0.1) for seed in range(1, 6)])
    return [sum(flow["goodput_bps"] for flow in run.summary["flows"]) / 1e6 for run in runs]


Answer = tuple[Callable[[], Any], float, str]
ANSWERS: dict[str, Answer] = {
    "1.1": (
        lambda: 10e6 * 0.042 / 8 / SEGMENT,
        0.5,
        "rate times round trip, in bits; then divide by 8 * 1500",
    ),
    "1.2": (enough, 0, "raise max_window in steps of 5 and look at the utilisation of r0>r1"),
    "1.3": (
        lambda: limited(60).summary["flows"][0]["sampled_rtt_mean_s"] * 1e3,
        2,
        "what is not on the wire waits in the queue",
    ),
    "2.1": (lambda: sawtooth()["value"].max(), 2, "the largest value of cwnd after 20 s"),
    "2.2": (
        lambda: (sawtooth()["value"].diff() < -10).sum(),
        1,
        "count the times that cwnd falls by more than 10",
    ),
    "2.3": (
        lambda: 100 * bottleneck(teeth().run())["utilisation"],
        1,
        "of r0>r1, in percent",
    ),
    "3.1": (lambda: drops("reno")["timeouts"], 0, "the column `timeouts`"),
    "3.2": (
        lambda: min(("tahoe", "reno", "newreno", "sack"), key=lambda v: drops(v)["acked_packets"]),
        0,
        "acked_packets",
    ),
    "3.3": (
        lambda: drops("newreno")["acked_packets"] / drops("reno")["acked_packets"],
        0.05,
        "divide one acked_packets by the other",
    ),
    "4.1": (
        lambda: shares("reno")[1] / sum(shares("reno")),
        0.02,
        "goodput of the far flow / goodput of both",
    ),
    "4.2": (
        lambda: sum(shares("reno")) ** 2 / (2 * sum(x * x for x in shares("reno"))),
        0.02,
        "(sum x)^2 / (n sum x^2)",
    ),
    "4.3": (
        lambda: shares("cubic")[1] / sum(shares("cubic")) - shares("reno")[1] / sum(shares("reno")),
        0.02,
        "the far flow's share with cubic, minus its share with reno",
    ),
    "5.1": (lambda: call("droptail"), 30, "numpy.percentile(delays, 95), in ms"),
    "5.2": (lambda: call("droptail") / call("fq-codel"), 3, "divide one percentile by the other"),
    "5.3": (lambda: 1000 * SEGMENT * 8 / 5e6, 0.1, "1000 packets of 1500 bytes at 5 Mb/s, in seconds"),
    "6.1": (lambda: float(np.mean(goodputs("vegas"))), 0.01, "the mean of the five goodputs"),
    "6.2": (lambda: interval(goodputs("vegas")).half_width, 0.002, "Student's t: 2.776 * s / sqrt(5)"),
    "6.3": (
        lambda: abs((d := paired(goodputs("vegas"), goodputs("reno")).interval).mean) > d.half_width,
        0,
        "True if the interval of the difference leaves out 0",
    ),
}


def check(number: str, answer: Any) -> bool:
    """Say whether an answer is right, and give a hint if it is not."""
    work_out, tolerance, hint = ANSWERS[number]
    if answer is ...:
        print(f"{number}: no answer yet. Hint: {hint}.")
        return False
    right = work_out()
    ok = answer == right if isinstance(right, (str, bool)) else abs(float(answer) - float(right)) <= tolerance
    print(f"{number}: right." if ok else f"{number}: not yet. Hint: {hint}.")
    return bool(ok)
