"""``search`` finds published failures unaided, each within the processor time of ten minutes on two cores."""

from __future__ import annotations

import time

import pytest

import ackclock as ac
from ackclock.search import Budget, Found, Plan, Verdict, family_of, measure_of, search

pytestmark = pytest.mark.slow
LIMIT_S = 1200.0


def found(subject: str, family: str, runs: int) -> Found:
    """Search one family for harm to goodput and return the outcome."""
    began = time.process_time()
    plan = Plan(measure_of("goodput"), (family_of(family),), Budget(runs))
    (one,) = search(subject, plan).found
    spent = time.process_time() - began
    print(f"{subject} {family}: {spent:.1f} s of processor time, {one.runs} runs")
    print("\n".join(one.account.sentences))
    assert spent < LIMIT_S
    assert one.verdict is Verdict.FOUND
    return one


def test_vegas_keeps_its_base_round_trip_when_the_route_gets_longer() -> None:
    """A known weakness of Vegas (Mo, La, Anantharam and Walrand 1999): a longer route looks like a queue."""
    one = found("vegas", "routes", 1000)
    (change,) = one.case.parts
    assert change.rtt_s > one.case.path.rtt_s  # type: ignore[union-attr]
    assert one.harms[0] > 0.8 > 0.1 > one.account.quiet_harm
    assert one.account.timeouts == 0


def test_bursts_at_a_low_rate_shut_out_reno() -> None:
    """The low-rate attack on the retransmission timer (Kuzmanovic and Knightly 2003)."""
    one = found("reno:profile=rfc", "bursts", 1000)
    (burst,) = one.case.parts
    mean_bps = burst.rate_bps * burst.on_s / burst.period_s  # type: ignore[union-attr]
    assert mean_bps < 0.3 * one.case.path.rate_bps, "the attacker needs little"
    assert one.harms[0] > 0.8
    assert one.account.timeouts >= 5


def test_bursts_stall_bbr_while_they_last() -> None:
    """BBR version 1 stalls, as in CC-Fuzz (Ray and Seshan 2022); but here it recovers once the bursts end."""
    one = found("bbr:profile=rfc", "bursts", 2000)
    assert one.harms[0] > 0.8
    assert one.account.silence_s > 0.5 * one.case.duration_s
    document = one.scenario.document()
    document["flow"][1]["stop"] = "10s"
    run = ac.Scenario({**document, "duration": "40s"}).run(traces=["throughput"], bin_s=10.0)
    bins = run.trace("throughput").to_polars()
    last = bins.filter(bins["flow"] == 0)["goodput_bps"].to_list()[-1]
    assert last > 0.85 * one.case.path.rate_bps, "the estimate of the bandwidth survives the timeouts"
