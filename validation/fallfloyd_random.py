"""Compares ackclock with an installed ns-2 under random drop lists on Fall and Floyd's scenario.

    python -m validation.fallfloyd_random --n 200 --seed 1 [--variant sack] [--binary] [--shrink]

Each list runs with five variants, with and without Limited Transmit. Cases that differ are written to
`results/validation/fallfloyd_random.txt`, with both traces around the first difference; the summary is printed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from validation import fallfloyd, ns2, reference
from validation.check import Check

VARIANTS = ("tahoe", "reno", "newreno", "sack", "fack")
REPORT = reference.PROJECT / "results" / "validation" / "fallfloyd_random.txt"


def patterns(count: int, seed: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield pairs of a drop list and the time at which the run ends, s.

    The lists have scattered losses, bursts, lost retransmissions or lost SYNs.
    """
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
            # Drop numbers shortly after the first losses also hit retransmissions.
            first = draw.randint(1, 40)
            drops = draw.sample(range(first, first + 45), size)
        if draw.random() < 0.08:
            drops.append(0)
            if draw.random() < 0.3:
                drops.append(1)
        yield tuple(sorted(set(drops))), 30.0 if 0 in drops else draw.choice((6.0, 12.0, 25.0))


def cases(
    count: int, seed: int, variants: Sequence[str], forms: Sequence[bool], *, binary: bool
) -> list[ns2.FallFloyd]:
    """Return a case for each pattern and variant, with each of `forms` (with or without Limited Transmit)."""
    return [
        ns2.FallFloyd(variant, drops, sa, stop, binary)
        for drops, stop in patterns(count, seed)
        for variant in variants
        for sa in forms
    ]


def compare_all(todo: Sequence[ns2.FallFloyd], **tcp: object) -> list[fallfloyd.Verdict]:
    """Run both simulators on every case and return the comparisons."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        outcomes = pool.map(ns2.run_fallfloyd, todo)
        return [fallfloyd.compare(case, seen, **tcp) for case, seen in zip(todo, outcomes, strict=True)]


def shrink(case: ns2.FallFloyd, **tcp: object) -> ns2.FallFloyd:
    """Return the case with fewer drops, such that the packet traces still differ by more than a tie."""
    for index in case.drops:
        fewer = replace(case, drops=tuple(d for d in case.drops if d != index))
        if fewer.drops and _wrong(fallfloyd.compare(fewer, ns2.run_fallfloyd(fewer), **tcp)):
            case = fewer
    return case


def _wrong(verdict: fallfloyd.Verdict) -> bool:
    return verdict.packets is not None and not verdict.packets.tie


def _row(todo: Sequence[ns2.FallFloyd], who: str, *, binary: bool, judged: bool) -> Check:
    verdicts = compare_all(todo)
    equal = sum(v.packets is None for v in verdicts)
    wrong = [(c, v) for c, v in zip(todo, verdicts, strict=True) if (v.packets if binary else _wrong(v))]
    path = "path exact in binary" if binary else "Fall and Floyd's path"
    ties = "" if binary else f", {len(todo) - equal - len(wrong)} equal up to a tie"
    return Check(
        fallfloyd.GROUP,
        f"random drop lists, {who}, plain and with Limited Transmit, {path}, ns-2 run here",
        ("equal, times to 10 us" + ("" if binary else ", or up to a tie that rounding decides"))
        if judged
        else "-",
        f"{equal} of {len(todo)} equal{ties}",
        not wrong if judged else None,
        "\n\n".join(f"{c.name}: {v.packets.report()}" for c, v in wrong if v.packets),
    )


def checks(count: int = 20, seed: int = 1) -> list[Check]:
    """Return the checks of a sample of cases, on both Fall and Floyd's path and the binary path."""
    if not ns2.available():
        skipped = "skipped: ns-2 is not installed"
        return [Check(fallfloyd.GROUP, "random drop lists", "equal to ns-2", skipped, None)]
    result = []
    for binary in (True, False):
        rest = [v for v in VARIANTS if v != "fack"]
        todo = cases(count, seed, rest, (False, True), binary=binary)
        result.append(_row(todo, ", ".join(rest), binary=binary, judged=True))
        # ns-2's Fack also takes RTT samples from duplicate acknowledgments, which ackclock does not reproduce, so Fack
        # is not judged.
        todo = cases(count, seed, ("fack",), (False, True), binary=binary)
        result.append(_row(todo, "fack", binary=binary, judged=False))
    return result


def main(argv: list[str] | None = None) -> int:
    """Parse arguments, compare, print the summary, and write the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=200, help="drop lists")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", action="append", choices=list(ns2.AGENTS))
    parser.add_argument("--plain", action="store_true", help="only without Limited Transmit")
    parser.add_argument("--sa", action="store_true", help="only with Limited Transmit")
    parser.add_argument("--binary", action="store_true", help="the path whose times are exact in binary")
    parser.add_argument("--stop", type=float, help="end of every run, s (otherwise it varies)")
    parser.add_argument("--shrink", action="store_true", help="reduce the first difference of each variant")
    parser.add_argument(
        "--tcp", action="append", default=[], metavar="KEY=VALUE", help="override a tcp parameter"
    )
    args = parser.parse_args(argv)
    forms = [False] if args.plain else [True] if args.sa else [False, True]
    overrides = dict(item.split("=", 1) for item in args.tcp)
    todo = cases(args.n, args.seed, args.variant or VARIANTS, forms, binary=args.binary)
    if args.stop:
        todo = [replace(case, stop_s=args.stop) for case in todo]
    verdicts = compare_all(todo, **overrides)
    tally: Counter[tuple[str, str]] = Counter()
    for case, verdict in zip(todo, verdicts, strict=True):
        name = ("SA " if case.limited_transmit else "") + case.variant
        tally[name, "all"] += 1
        tally[name, "equal"] += verdict.packets is None
        tally[name, "tie"] += verdict.packets is not None and verdict.packets.tie
        tally[name, "windows"] += verdict.packets is None and verdict.windows is not None
    print("variant      lists  packets equal  up to a tie  different  equal but for windows")
    for row in dict.fromkeys(key[0] for key in tally):
        count, equal, tie, windows = (tally[row, key] for key in ("all", "equal", "tie", "windows"))
        print(f"{row:<11} {count:>6} {equal:>14} {tie:>12} {count - equal - tie:>10} {windows:>22}")
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    with REPORT.open("w", encoding="utf-8") as out:
        for case, verdict in zip(todo, verdicts, strict=True):
            if verdict.packets is not None or verdict.windows is not None:
                note = " (tie)" if verdict.packets is not None and verdict.packets.tie else ""
                out.write(f"=== {case.name}{note}\n")
                out.write(verdict.packets.report() if verdict.packets else "packet traces equal")
                out.write(f"\nwindows: {verdict.windows or 'equal'}\n\n")
    print(f"differences: {REPORT.relative_to(reference.PROJECT)}")
    if args.shrink:
        seen = set()
        for case, verdict in zip(todo, verdicts, strict=True):
            if _wrong(verdict) and case.variant not in seen:
                seen.add(case.variant)
                small = shrink(case, **overrides)
                again = fallfloyd.compare(small, ns2.run_fallfloyd(small), **overrides)
                print(f"\n=== {small.name}\n{again.packets.report() if again.packets else 'equal'}")
                print(f"windows: {again.windows or 'equal'}")
    return 1 if any(_wrong(v) for v in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
