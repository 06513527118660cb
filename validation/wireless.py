"""Compares 802.11 networks with ns-2.35 (profile `ns2`) and with ns-3.37 (profile `ns3`).

Against ns-2: saturated cells, which show the effect of a NAV in whole microseconds, and chains of hops with DSDV
without link-layer feedback. Cells of 1500 B are compared with recorded runs, the others with ns-2 run here. Against
recorded runs of ns-3: hidden stations, a station that walks away, rate control, and aggregation.
"""

from __future__ import annotations

from collections import defaultdict

from validation import ns2, ns2_wireless, ns3_wireless, ours, reference
from validation.check import Check
from validation.stats import compared, mean_sd

GROUP = "802.11 and DSDV, ns-2"
NS3 = "802.11, ns-3"
SEEDS = 6
SATURATED = [(stations, size) for stations in (5, 10) for size in (1460, 512)]
"""Saturated cells: number of stations and payload, bytes. With 1460 B the NAV after the RTS is 1916.55 us. ns-2 rounds
it up to 1917, so that fewer stations start at once. With 512 B it is 1227.09 us, rounded down to 1227."""
OFDM = [
    (stations, size, rts) for stations, size in ((1, 1500), (5, 500), (10, 1500)) for rts in (False, True)
]
"""Cells of 802.11a at 54 Mb/s, each as stations, payload in bytes, RTS; they show the effect of EIFS after a collision.
"""
CHAINS = (1, 3, 5)


def _run_here(name: str, case: ns2_wireless.Saturated | ns2_wireless.Chain, within: float | None) -> Check:
    theirs = [ns2_wireless.run(case, seed) / 1e6 for seed in range(1, SEEDS + 1)]
    return _check(name, case, theirs, within)


def _check(
    name: str,
    case: ns2_wireless.Saturated | ns2_wireless.Chain | ns3_wireless.Stations,
    runs_of_theirs: list[float],
    within: float | None,
    group: str = GROUP,
) -> Check:
    theirs = (*mean_sd(runs_of_theirs), len(runs_of_theirs))
    arrived = _arrived(case, case.stop_s)
    before = _arrived(case, case.from_s) if case.from_s else [0.0] * SEEDS
    mine = (*mean_sd([all_ - first for all_, first in zip(arrived, before, strict=True)]), SEEDS)
    if within is None:
        return Check(group, name, "not judged", compared(mine, theirs, 0.0, form=".3f").text, None)
    return Check.of(group, name, compared(mine, theirs, within, form=".3f"))


def _arrived(
    case: ns2_wireless.Saturated | ns2_wireless.Chain | ns3_wireless.Stations, stop_s: float
) -> list[float]:
    """Run ackclock up to `stop_s` and return the total delivered payload for each seed, MB."""
    runs = ours.run_many([(case.document(stop_s), seed, 0.0) for seed in range(1, SEEDS + 1)])
    return [sum(f["delivered_bytes"] for f in run.flows) / 1e6 for run in runs]


def _recorded() -> list[Check]:
    """Compare the DSSS cells with recorded ns-2 runs, in MB delivered in 20 s."""
    cells: defaultdict[tuple[int, int, int], list[float]] = defaultdict(list)
    for run in reference.read_json("ns2_wifi_sat.json", "wireless"):
        if run["phy"] == "dsss":
            key = (int(run["dataRate"] / 1e6), run["rts"], run["n"])
            cells[key].append(run["goodput_mbps"] * 20 / 8)
    return [
        _check(
            f"{stations} stations, datagrams of 1500 B at {rate} Mb/s{' after RTS' * rts}, ns-2 recorded: MB in 20 s",
            ns2_wireless.Saturated(stations, 1500, rate, rts=bool(rts)),
            theirs,
            0.01,
        )
        for (rate, rts, stations), theirs in sorted(cells.items())
    ]


def _stations() -> list[Check]:
    """Compare the cells that have recorded ns-3 runs, in MB delivered."""
    recorded = ns3_wireless.recorded()
    return [
        _check(f"{name}: MB", case, [sum(run) / 1e6 for run in recorded[name]], case.within, NS3)
        for name, case in ns3_wireless.cases()
        if name in recorded
    ]


def checks() -> list[Check]:
    """Check saturated cells with RTS, chains of hops, and the cells of ns-3; without ns-2 only the recorded cells."""
    recorded = [*_recorded(), *_stations()]
    if not ns2.available():
        return [*recorded, Check(GROUP, "runs here", "ns-2 run here", "`ns` is not installed", None)]
    cells = [
        _run_here(
            f"{stations} stations, datagrams of {size} B at 11 Mb/s after RTS: MB in 20 s",
            ns2_wireless.Saturated(stations, size),
            0.01,
        )
        for stations, size in SATURATED
    ]
    cells += [
        _run_here(
            f"{stations} stations, datagrams of {size} B at 54 Mb/s in OFDM{' after RTS' * rts}: MB in 6 s",
            ns2_wireless.Saturated(stations, size, 54, from_s=2.0, stop_s=8.0, rts=rts, standard="a"),
            0.01,
        )
        for stations, size, rts in OFDM
    ]
    chains = [
        _run_here(
            f"DSDV, {hops} hops, window 32: MB in 100 s",
            ns2_wireless.Chain(hops),
            0.05,
        )
        for hops in CHAINS
    ]
    return recorded + cells + chains
