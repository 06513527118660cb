"""Random drop lists on Fall and Floyd's scenario, ackclock against an installed ns-2.

    python -m validation.fallfloyd_random --n 200 --seed 1 [--variant sack] [--plain | --sa] [--shrink]

Each list runs with five variants, with and without Limited Transmit. What differs goes, with both traces
around the first difference, to `results/validation/fallfloyd_random.txt`; the summary is printed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from validation import fallfloyd, ns2, reference
from validation.check import Check

VARIANTS = ("tahoe", "reno", "newreno", "sack", "fack")
REPORT = reference.PROJECT / "results" / "validation" / "fallfloyd_random.txt"


@dataclass(frozen=True)
class Finding:
    """A case that differs."""

    case: ns2.FallFloyd
    packets: str | None
    windows: str | None


def patterns(count: int, seed: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Drop lists and ends of run: scattered losses, bursts, lost retransmissions, lost SYNs."""
    draw = random.Random(seed)
    for _ in range(count):
        size = draw.randint(1, 10)
        kind = draw.random()
        if kind < 0.4:
            drops = draw.sample(range(1, 100), size)
        elif kind < 0.7:
            first = draw.randint(1, 90)
            drops = draw.sample(range(first, first + size + draw.randint(0, size)), size)
        else:
            # Losses close enough behind the first ones to take retransmissions, too.
            first = draw.randint(1, 40)
            drops = draw.sample(range(first, first + 45), size)
        if draw.random() < 0.08:
            drops.append(0)
            if draw.random() < 0.3:
                drops.append(1)
        yield tuple(sorted(set(drops))), 30.0 if 0 in drops else draw.choice((6.0, 12.0, 25.0))


def cases(count: int, seed: int, variants: Sequence[str], forms: Sequence[bool]) -> list[ns2.FallFloyd]:
    """Each pattern with each variant, each with and without Limited Transmit."""
    return [
        ns2.FallFloyd(variant, drops, sa, stop)
        for drops, stop in patterns(count, seed)
        for variant in variants
        for sa in forms
    ]


def compare_all(todo: Sequence[ns2.FallFloyd], **tcp: object) -> list[Finding]:
    """Run both simulators on every case; the cases that differ."""
    findings = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        for case, expected in zip(todo, pool.map(ns2.run_fallfloyd, todo), strict=True):
            packets, windows, _ = fallfloyd.compare(case, expected, **tcp)
            if packets is not None or windows is not None:
                findings.append(Finding(case, packets, windows))
    return findings


def shrink(case: ns2.FallFloyd, **tcp: object) -> ns2.FallFloyd:
    """The case with every drop left out that is not needed for its packet traces to differ."""
    for index in case.drops:
        fewer = replace(case, drops=tuple(d for d in case.drops if d != index))
        if fewer.drops and fallfloyd.compare(fewer, ns2.run_fallfloyd(fewer), **tcp)[0] is not None:
            case = fewer
    return case


def checks(count: int = 20, seed: int = 1) -> list[Check]:
    """A small sample for the validation table."""
    if not ns2.available():
        return [
            Check(
                fallfloyd.GROUP, "random drop lists", "equal to ns-2", "skipped: ns-2 is not installed", None
            )
        ]
    todo = cases(count, seed, VARIANTS, (False, True))
    findings = compare_all(todo)
    differing = [f for f in findings if f.packets is not None]
    return [
        Check(
            fallfloyd.GROUP,
            f"{count} random drop lists x 5 variants x 2, ns-2 run here",
            "equal, times to 10 us",
            f"{len(todo) - len(differing)} of {len(todo)} equal", not differing,
            "\n\n".join(f"{f.case.name}: {f.packets}" for f in differing),
        )
    ]  # fmt: skip


def main(argv: list[str] | None = None) -> int:
    """Parse arguments, compare, print the summary, write the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=200, help="drop lists")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", action="append", choices=VARIANTS)
    parser.add_argument("--plain", action="store_true", help="only without Limited Transmit")
    parser.add_argument("--sa", action="store_true", help="only with Limited Transmit")
    parser.add_argument("--shrink", action="store_true", help="reduce the first difference of each variant")
    parser.add_argument(
        "--tcp", action="append", default=[], metavar="KEY=VALUE", help="override a tcp parameter"
    )
    args = parser.parse_args(argv)
    forms = [False] if args.plain else [True] if args.sa else [False, True]
    overrides = dict(item.split("=", 1) for item in args.tcp)
    todo = cases(args.n, args.seed, args.variant or VARIANTS, forms)
    findings = compare_all(todo, **overrides)
    total = Counter((c.variant, c.limited_transmit) for c in todo)
    wrong = Counter((f.case.variant, f.case.limited_transmit) for f in findings if f.packets is not None)
    windows = Counter((f.case.variant, f.case.limited_transmit) for f in findings if f.windows is not None)
    print("variant    packets equal   windows equal")
    for key, count in total.items():
        name = ("SA " if key[1] else "") + key[0]
        print(f"{name:<10} {count - wrong[key]:>5} of {count:<5} {count - windows[key]:>5} of {count}")
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    with REPORT.open("w", encoding="utf-8") as out:
        for finding in findings:
            out.write(f"=== {finding.case.name}\n{finding.packets or 'packet traces equal'}\n")
            out.write(f"windows: {finding.windows or 'equal'}\n\n")
    print(f"differences: {REPORT.relative_to(reference.PROJECT)}")
    if args.shrink:
        seen = set()
        for finding in findings:
            if finding.packets is not None and finding.case.variant not in seen:
                seen.add(finding.case.variant)
                small = shrink(finding.case, **overrides)
                packets, changes, _ = fallfloyd.compare(small, ns2.run_fallfloyd(small), **overrides)
                print(f"\n=== {small.name}\n{packets}\nwindows: {changes or 'equal'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
