"""Run ns-2 on a dumbbell s_i - a - b - d_i and print the senders' counters, or the packet trace as CSV.

    python -m validation.ns2_dumbbell vegas@1.7 vegas@2.1 --rate 0.3 --queue 5 --stop 132 --setting K
    python -m validation.ns2_dumbbell --grid 7 --ours                 # a case of the grid, both simulators
    python -m validation.ns2_dumbbell --table1 sack --diff            # Table 1, first difference of traces
    python -m validation.ns2_dumbbell --grid 13 --trace > trace.csv   # the packet trace; also --windows

Nodes are named a, b, s0, d0, s1, d1 and so on, in both simulators.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

if not __package__:  # The file was started as a script rather than with -m.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from validation import ns2, ours, reference, scenarios, traces


def _case(args: argparse.Namespace) -> ns2.Dumbbell:
    if args.table1:
        return scenarios.table1(args.table1)
    if args.grid is not None:
        return scenarios.grid(reference.grid_case(args.grid))
    flows = [flow.partition("@") for flow in args.flows]
    return ns2.Dumbbell(
        variants=tuple(variant for variant, _, _ in flows),
        starts_s=tuple(float(start or 0) for _, _, start in flows),
        rate_mbps=args.rate,
        delay_ms=args.delay,
        queue=args.queue,
        stop_s=args.stop,
        access_mbps=args.access_rate,
        access_delay_ms=args.access_delay,
        access_queue=args.access_queue,
        reverse_queue=args.reverse_queue,
        window=args.window,
        setting=args.setting,
        loss=args.loss,
        seed=args.seed,
    )


def main(argv: list[str] | None = None) -> int:
    """Parse arguments, run ns-2 (and on request ackclock), and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("flows", nargs="*", metavar="VARIANT@START", help="flows, each with its start in s")
    parser.add_argument(
        "--table1", choices=list(ns2.AGENTS), metavar="VARIANT", help="Table 1 of abadin, setting K"
    )
    parser.add_argument("--grid", type=int, metavar="CASE", help="a native case of the reference's grid")
    parser.add_argument("--rate", type=float, default=1.0, help="bottleneck, Mbps")
    parser.add_argument("--delay", type=float, default=20.0, help="bottleneck, ms")
    parser.add_argument("--queue", type=int, default=20, help="places at the bottleneck")
    parser.add_argument("--stop", type=float, default=60.0, help="end of the run, s")
    parser.add_argument("--access-rate", type=float, default=5.0, help="access links, Mbps")
    parser.add_argument("--access-delay", type=float, default=10.0, help="access links, ms")
    parser.add_argument("--access-queue", type=int, default=50)
    parser.add_argument("--reverse-queue", type=int, default=50)
    parser.add_argument("--window", type=int, default=20)
    parser.add_argument("--setting", choices=list(ns2.SETTINGS), default="defaults")
    parser.add_argument(
        "--loss", type=float, default=0.0, help="probability of loss at the bottleneck's entry"
    )
    parser.add_argument("--seed", type=int, default=0, help="ns-2's seed; 0 leaves its default")
    parser.add_argument("--ours", action="store_true", help="ackclock's counters beside ns-2's")
    parser.add_argument("--diff", action="store_true", help="the first difference of the two packet traces")
    parser.add_argument("--tick-phase", metavar="TIME", help="tick_phase of ackclock's flows")
    parser.add_argument("--trace", action="store_true", help="print the packet trace")
    parser.add_argument("--windows", action="store_true", help="print changes of cwnd and ssthresh")
    args = parser.parse_args(argv)
    if not (args.flows or args.table1 or args.grid is not None):
        parser.error("give flows, --table1 or --grid")
    case = _case(args)
    theirs = ns2.run_dumbbell(case, packets=args.trace or args.diff, windows=args.windows)
    if args.trace:
        sys.stdout.write("time_s,event,place,flow,seq,bytes\n")
        for e in theirs.events:
            sys.stdout.write(f"{e.time_s:.6f},{e.kind},{e.place},{e.flow},{e.seq},{e.bytes}\n")
        return 0
    if args.windows:
        sys.stdout.write("time_s,flow,variable,value\n")
        sys.stdout.writelines(f"{c.time_s:.5f},{c.flow},{c.variable},{c.value:g}\n" for c in theirs.changes)
        return 0
    for i, flow in enumerate(theirs.flows):
        print(f"ns-2 flow {i} {case.variants[i]:<8} {flow}")
    if args.ours or args.diff:
        overrides = {"tick_phase": args.tick_phase} if args.tick_phase else {}
        run = ours.run(scenarios.dumbbell(case, **overrides), traces=["segments"] if args.diff else [])
        for i, flow in enumerate(run.flow_counts()):
            print(f"ours flow {i} {case.variants[i]:<8} {flow}")
        if args.diff:
            difference = traces.first_difference(theirs.events, run.events())
            print(difference.report() if difference else "packet traces equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
