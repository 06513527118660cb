"""Measures the cost of a packet-hop with each congestion control, and with recovery `rack`, as a multiple of Reno's.

`make bench-variants` prints the table; with `ARGS=--write` it is also written to `docs/explanation/speed-variants.md`.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path

from ackclock import _core

PAGE = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "speed-variants.md"
FLOWS = 10
SHORT_S, LONG_S = 5, 25
BASE = "sack+reno"
LIMIT = 1.5
"""Greatest cost of a packet-hop that the project allows a variant, as a multiple of Reno's."""


def document(variant: str, duration_s: int) -> str:
    """Return a scenario with ten paced flows of the variant over one bottleneck of 100 Mb/s."""
    links = [
        {
            "between": ["r0", "r1"],
            "rate": "100Mbps",
            "delay": "10ms",
            "queue": {"kind": "droptail", "packets": 100},
        }
    ]
    flows = []
    for i in range(FLOWS):
        links.append({"between": [f"a{i}", "r0"], "rate": "1Gbps", "delay": "1ms"})
        links.append({"between": ["r1", f"b{i}"], "rate": "1Gbps", "delay": "1ms"})
        tcp = {"variant": variant, "pacing": True}
        flows.append({"from": f"a{i}", "to": f"b{i}", "start": f"{0.01 * i:.2f}s", "tcp": tcp})
    return json.dumps({"duration": f"{duration_s}s", "seed": 1, "link": links, "flow": flows})


def spent(variant: str, duration_s: int) -> tuple[float, int]:
    """Run the scenario once; return the CPU time in seconds and the number of packet-hops."""
    result = _core.run(document(variant, duration_s))
    return result.cpu_s, sum(link["sent_packets"] for link in json.loads(result.summary)["links"])


def cost(variant: str) -> float:
    """Return the CPU time per packet-hop, ns, from a long run minus a short run."""
    (short, few), (long, many) = spent(variant, SHORT_S), spent(variant, LONG_S)
    return 1e9 * (long - short) / (many - few)


def main() -> None:
    """Read the command line, measure the variants by turns, and print or write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--reps", type=int, default=5, help="turns (5)")
    parser.add_argument("--write", action="store_true", help="write docs/explanation/speed-variants.md, too")
    given = parser.parse_args()
    controls = [entry["name"] for entry in json.loads(_core.catalogue("controls"))]
    variants = [f"sack+{control}" for control in controls] + ["rack+reno", "rack+cubic"]
    turns = [{variant: cost(variant) for variant in variants} for _ in range(given.reps)]
    ratios = {
        variant: statistics.median(turn[variant] / turn[BASE] for turn in turns) for variant in variants
    }
    times = {variant: statistics.median(turn[variant] for turn in turns) for variant in variants}
    rows = "".join(
        f"| `{variant}` | {times[variant]:.0f} | **{ratios[variant]:.2f}** |\n"
        for variant in sorted(variants, key=ratios.__getitem__)
    )
    worst = max(variants, key=ratios.__getitem__)
    verdict = "holds" if ratios[worst] <= LIMIT else "does not hold"
    page = f"""# What each congestion control costs

Written by `make bench-variants ARGS=--write`: {FLOWS} flows with pacing over one bottleneck
of 100 Mb/s, 10 ms, 100 packets. CPU time of a run of {LONG_S} s less one of {SHORT_S} s, per packet-hop (one packet
that crosses one link); every variant in turn, medians of {given.reps} turns, ratios taken within a turn. Times
hold for one machine and one day; read the ratios.

| variant | ns per packet-hop | times `{BASE}` |
|---|---|---|
{rows}
No variant is to cost more than {LIMIT} times `{BASE}`: that {verdict} (`{worst}`: {ratios[worst]:.2f}).
"""
    print(page)
    if given.write:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
