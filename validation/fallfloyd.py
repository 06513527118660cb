"""Compares Fall and Floyd's tests packet by packet: each segment sent, queued, dropped and acknowledged, to 10 us."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from validation import ns2, ours, reference, scenarios, traces
from validation.check import Check

GROUP = "Fall and Floyd"
PLACES = frozenset({"r1>k1", "s1", "k1"})
EXTRA_PATTERNS = ((14, 26, 28), (11, 12, 13, 14, 16, 17, 18, 19), (11, 12, 13, 14, 16))
"""Drop lists of the suite without recorded traces; they are checked only if ns-2 is installed, which is then run."""


@dataclass(frozen=True)
class Verdict:
    """Result of the comparison of one case.

    Attributes:
        packets: First difference between the packet traces; `None` if they are equal.
        windows: First difference in cwnd or ssthresh; `None` if there is none.
        shift_s: Largest difference in time between equal events, s.
    """

    packets: traces.Difference | None
    windows: str | None
    shift_s: float


def compare(case: ns2.FallFloyd, expected: ns2.Outcome, **tcp: object) -> Verdict:
    """Run ackclock on a case and compare the result with ns-2's."""
    run = ours.run(scenarios.fallfloyd(case, **tcp), traces=["segments", "cwnd"])
    got = run.events(PLACES)
    difference = traces.first_difference(expected.events, got, end_s=case.stop_s)
    windows = traces.change_difference(expected.changes, run.changes(), start_s=1.0)
    return Verdict(
        difference, windows, traces.largest_shift(expected.events, got) if difference is None else 0.0
    )


def _cases() -> list[tuple[str, ns2.FallFloyd, ns2.Outcome]]:
    cases = []
    for test in reference.fallfloyd_tests():
        name = test["test"]
        case = ns2.FallFloyd(reference.variant(test["variant"]), tuple(test["droplist"]), "_SA_" in name)
        expected = ns2.Outcome(reference.fallfloyd_events(name), reference.fallfloyd_changes(name))
        cases.append((name, case, expected))
    return cases


def _extra_cases() -> list[tuple[str, ns2.FallFloyd, ns2.Outcome]]:
    cases = []
    for drops in EXTRA_PATTERNS:
        for variant in ("tahoe", "reno", "newreno", "sack", "fack"):
            for sa in (False, True):
                case = ns2.FallFloyd(variant, drops, sa)
                cases.append((case.name, case, ns2.run_fallfloyd(case)))
    return cases


def _judge(name: str, cases: list[tuple[str, ns2.FallFloyd, ns2.Outcome]], **tcp: object) -> list[Check]:
    failures: list[str] = []
    window_failures: list[str] = []
    largest = 0.0
    for label, case, expected in cases:
        verdict = compare(case, expected, **tcp)
        largest = max(largest, verdict.shift_s)
        if verdict.packets is not None:
            failures.append(f"{label}: {verdict.packets.report()}")
        if verdict.windows is not None:
            window_failures.append(f"{label}: {verdict.windows}")
    count = len(cases)
    return [
        Check(
            GROUP, f"{name}: packet traces", "equal, times to 10 us",
            f"{count - len(failures)} of {count} equal; largest shift {largest * 1e6:.1f} us",
            not failures, "\n\n".join(failures),
        ),
        Check(
            GROUP, f"{name}: cwnd and ssthresh at every change", "equal to the traces' digits",
            f"{count - len(window_failures)} of {count} equal",
            not window_failures, "\n".join(window_failures),
        ),
    ]  # fmt: skip


def checks() -> list[Check]:
    """Check the reference's tests, and if ns-2 is installed the suite's other drop lists."""
    result = _judge("reference tests", _cases())
    if ns2.available():
        result += _judge("other lists of the suite, ns-2 run here", _extra_cases())
    return result


def main(argv: list[str] | None = None) -> int:
    """Compare one case with ns-2 and print its first difference."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("variant", choices=list(ns2.AGENTS))
    parser.add_argument("drops", help="14,26,28; or none")
    parser.add_argument("--sa", action="store_true")
    parser.add_argument("--binary", action="store_true", help="the path whose times are exact in binary")
    parser.add_argument("--stop", type=float, default=6.0)
    parser.add_argument(
        "--tcp", action="append", default=[], metavar="KEY=VALUE", help="override a tcp parameter"
    )
    args = parser.parse_args(argv)
    drops = () if args.drops == "none" else tuple(int(x) for x in args.drops.split(","))
    case = ns2.FallFloyd(args.variant, drops, args.sa, args.stop, args.binary)
    overrides = dict(item.split("=", 1) for item in args.tcp)
    verdict = compare(case, ns2.run_fallfloyd(case), **overrides)
    if verdict.packets is None:
        print(f"packet traces equal, largest shift {verdict.shift_s * 1e6:.1f} us")
    else:
        print(verdict.packets.report())
        if verdict.packets.tie:
            print("(a tie of an arrival and a departure at the full queue)")
    print(verdict.windows or "windows equal")
    return 1 if verdict.packets else 0


if __name__ == "__main__":
    sys.exit(main())
