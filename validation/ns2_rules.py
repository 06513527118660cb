"""Compares settings of ns-2's agents with our equivalent parameters, packet by packet under random lists of drops.

`overhead_` draws random numbers, so it is compared with ns-2's mean over seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from validation import fallfloyd, fallfloyd_random, ns2, ours, scenarios
from validation.check import Check
from validation.stats import compared, mean_sd

GROUP = fallfloyd.GROUP
VARIANTS = ("tahoe", "reno", "newreno", "sack")
COUNT, SEEDS = 10, 20


@dataclass(frozen=True)
class Rule:
    """A setting of ns-2's agents, our equivalent parameters, and the agents with which packets are compared."""

    name: str
    value: str
    tcp: dict[str, object]
    variants: Sequence[str] = VARIANTS


RULES = (
    Rule("maxburst_", "1", {"max_burst": 1}),
    Rule("maxburst_", "3", {"max_burst": 3}),
    Rule("bugFix_", "false", {"repeated_recovery": True}),
    Rule("numdupacks_", "2", {"duplicates": 2}),
    Rule("numdupacks_", "5", {"duplicates": 5}),
    Rule("timestamps_", "true", {"timestamps": True}, (*VARIANTS, "vegas")),
)
OVERHEAD_S = (0.01, 0.05)
HOLDS_S = (0.01171875, 0.3125)
"""Hold times, s. One is shorter than three packets take, the other longer than a round trip; both are sums of powers of
two."""


def _listed(rule: Rule) -> Check:
    extra = (("Agent/TCP", rule.name, rule.value),)
    drawn = fallfloyd_random.cases(COUNT, 1, rule.variants, (False,), binary=True)
    cases = [replace(case, extra=extra) for case in drawn]
    verdicts = fallfloyd_random.compare_all(cases, **rule.tcp)
    without = fallfloyd_random.compare_all(cases)
    wrong = [(c, v) for c, v in zip(cases, verdicts, strict=True) if v.packets and not v.packets.tie]
    equal = sum(v.packets is None for v in verdicts)
    said = ", ".join(f"{key} = {value}" for key, value in rule.tcp.items())
    apart = sum(v.packets is not None for v in without)
    return Check(
        GROUP,
        f"ns-2's {rule.name} {rule.value} ({said}), {', '.join(rule.variants)}, random drop lists, ns-2 run here",
        "equal, times to 10 us, or up to a tie that rounding decides",
        f"{equal} of {len(cases)} equal, {len(cases) - equal - len(wrong)} up to a tie; without it {apart} part",
        not wrong,
        "\n\n".join(f"{c.name}: {v.packets.report()}" for c, v in wrong if v.packets),
    )


def _held(hold_s: float) -> Check:
    drawn = fallfloyd_random.cases(COUNT, 1, VARIANTS, (False,), binary=True)
    cases = [replace(case, hold_s=hold_s) for case in drawn]
    verdicts = fallfloyd_random.compare_all(cases)
    wrong = [(c, v) for c, v in zip(cases, verdicts, strict=True) if v.packets and not v.packets.tie]
    equal = sum(v.packets is None for v in verdicts)
    return Check(
        GROUP,
        f"listed packets held up for {hold_s} s, not lost (delay_pkt_), {', '.join(VARIANTS)}, ns-2 run here",
        "equal, times to 10 us, or up to a tie that rounding decides",
        f"{equal} of {len(cases)} equal, {len(cases) - equal - len(wrong)} up to a tie",
        not wrong,
        "\n\n".join(f"{c.name}: {v.packets.report()}" for c, v in wrong if v.packets),
    )


def _overhead(variant: str, overhead_s: float) -> Check:
    extra = (("Agent/TCP", "overhead_", repr(overhead_s)),)
    case = ns2.Dumbbell(
        (variant,), (0.0,), 2.0, 20.0, 50, 60.0, access_mbps=10.0, window=40, loss=0.01, extra=extra
    )
    with ThreadPoolExecutor(max_workers=2) as pool:
        runs = pool.map(ns2.run_dumbbell, [replace(case, seed=1 + seed) for seed in range(SEEDS)])
        theirs = (*mean_sd([float(run.flows[0].acked) for run in runs]), SEEDS)
    document = scenarios.dumbbell(case, send_overhead=f"{overhead_s}s")
    found = ours.run_many([(document, 1 + seed, 0.0) for seed in range(SEEDS)])
    mine = (*mean_sd([float(run.flows[0]["acked_packets"]) for run in found]), SEEDS)
    name = (
        f"ns-2's overhead_ {overhead_s} (send_overhead), {variant}, 1 % random loss, packets acknowledged in 60 s, "
        "ns-2 run here"
    )
    return Check.of(GROUP, name, compared(mine, theirs, 0.03))


def checks() -> list[Check]:
    """Return the checks of every rule."""
    if not ns2.available():
        skipped = "skipped: ns-2 is not installed"
        return [Check(GROUP, "settings of ns-2's agents", "equal to ns-2", skipped, None)]
    held = [_held(hold_s) for hold_s in HOLDS_S]
    return (
        [_listed(rule) for rule in RULES]
        + held
        + [_overhead(variant, overhead) for variant in ("newreno", "sack") for overhead in OVERHEAD_S]
    )
