"""Run ns-2 on Fall and Floyd's scenario with a given list of drops and print the packet trace as CSV.

    python -m validation.ns2_fallfloyd sack 14,26,28 [--sa] [--stop 6] [--windows] > trace.csv

The columns are those of the reference: `time_s,event,seq,flow,bytes`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

if not __package__:  # The file was started as a script rather than with -m.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from validation import ns2


def main(argv: list[str] | None = None) -> int:
    """Parse arguments, run ns-2, and print the trace as `time_s,event,seq,flow,bytes`, or the windows."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("variant", choices=list(ns2.AGENTS))
    parser.add_argument("drops", help="packets lost at r1>k1, counted from 0: 14,26,28; or none")
    parser.add_argument("--sa", action="store_true", help="with Limited Transmit")
    parser.add_argument("--stop", type=float, default=6.0, help="end of the run, s")
    parser.add_argument("--binary", action="store_true", help="the path whose times are exact in binary")
    parser.add_argument("--windows", action="store_true", help="print changes of cwnd and ssthresh instead")
    parser.add_argument("--set", nargs=3, action="append", default=[], metavar=("CLASS", "VARIABLE", "VALUE"))
    args = parser.parse_args(argv)
    drops = () if args.drops == "none" else tuple(int(x) for x in args.drops.split(","))
    extra = tuple((a, b, c) for a, b, c in args.set)
    case = ns2.FallFloyd(args.variant, drops, args.sa, args.stop, args.binary, extra)
    outcome = ns2.run_fallfloyd(case)
    out = sys.stdout
    if args.windows:
        out.write("time_s,var,value\n")
        out.writelines(f"{c.time_s:.5f},{c.variable}_,{c.value:g}\n" for c in outcome.changes)
    else:
        out.write("time_s,event,seq,flow,bytes\n")
        out.writelines(f"{e.time_s:.6f},{e.kind},{e.seq},1,{e.bytes}\n" for e in outcome.events)
    return 0


if __name__ == "__main__":
    sys.exit(main())
