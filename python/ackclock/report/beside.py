"""Shows measured runs beside a comparison: a table, figures, and remarks on what cannot be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from ackclock.report.model import Table
from ackclock.runs.stored import beside
from ackclock.stats.measures import SHOWN, measure_of, measures
from ackclock.stats.text import brief, estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ackclock.comparisons.comparison import Comparison
    from ackclock.runs.stored import StoredRun

FIGURES: Final = ("rtt-cdf", "rtt", "throughput")
"""Figures of measured runs beside simulated ones; drawn if all measured runs have the traces."""

MINOR: Final = 0.01
"""Share of the largest flow's data below which a measured flow is left out, such as the other direction's."""

INFERRED: Final = ("pcap", "qlog", "ss")
"""Kinds of measurements whose losses are those that the sender inferred."""


def table(found: Comparison, runs: Mapping[str, StoredRun]) -> Table:
    """Return the table of measured runs and variants, with the measures that measurements have."""
    taken = {label: _measures(run) for label, run in runs.items()}
    candidates = (*SHOWN, "sampled_rtt_mean_s")
    names = [name for name in candidates if any(one[name] == one[name] for one in taken.values())]
    rows = [
        (label, "measured", *(brief(one[name], measure_of(name).scale) for name in names))
        for label, one in taken.items()
    ]
    rows += [
        (
            variant,
            "simulated",
            *(estimate(found.interval(variant, name), measure_of(name).scale) for name in names),
        )
        for variant in found.ordered()
    ]
    return Table(
        key="measured",
        title=f"Measured beside {found.reps} simulated replications",
        columns=("label", "", *(measure_of(name).heading for name in names)),
        rows=tuple(rows),
        notes=tuple(not_comparable(found, runs)),
        text_columns=2,
    )


def not_comparable(found: Comparison, runs: Mapping[str, StoredRun]) -> Iterator[str]:
    """Yield a sentence for each difference between measurement and simulation that no figure shows."""
    yield "A measured run is one value without an interval, so it has no rank and no test."
    yield "The simulated path is the one asked for; ackclock fit estimates the path of a capture."
    for label, run in runs.items():
        taken = _measures(run)
        lacking = [measure_of(name).title for name in SHOWN if taken[name] != taken[name]]
        if lacking:
            yield f"{label} does not tell: {', '.join(lacking)}."
        kind = (run.manifest.get("measured") or {}).get("kind")
        if kind in INFERRED and taken["loss_ratio"] == taken["loss_ratio"]:
            yield f"{label}: losses are those that the sender took for lost; simulated losses are the network's."
        lasts = max((float(run.summary["flows"][i]["interval_s"] or 0.0) for i in _main(run)), default=0.0)
        first = next(iter(found.variants))
        own = float(found.summaries[first][0]["manifest"]["duration_s"])
        if lasts and not 0.8 < lasts / own < 1.25:
            yield f"{label} lasts {lasts:.3g} s, a simulated run {own:.3g} s: slow start weighs differently."
        flows, simulated = len(_main(run)), len(found.plan.own)
        if flows != simulated:
            yield f"{label} has {flows} flow{'s' * (flows != 1)} with data, a simulated run {simulated} under test."


def rows(found: Comparison, runs: Mapping[str, StoredRun]) -> list[dict[str, object]]:
    """Return the rows of ``measured.csv``: a value per measured run, and mean and interval per variant, in SI units."""
    made: list[dict[str, object]] = []
    for label, run in runs.items():
        for name, value in _measures(run).items():
            if value == value:
                head = {"label": label, "kind": "measured", "measure": name}
                made.append({**head, "mean": value, "low": None, "high": None})
    taken = {str(row["measure"]) for row in made}
    for variant in found.variants:
        for one in found.measures:
            if one.name in taken:
                mid = found.interval(variant, one.name)
                ends = {"low": mid.low, "high": mid.high} if mid.known else {"low": None, "high": None}
                made.append(
                    {"label": variant, "kind": "simulated", "measure": one.name, "mean": mid.mean, **ends}
                )
    return made


def traces(runs: Mapping[str, StoredRun]) -> list[str]:
    """Return the traces for the figures that all measured runs have data for; simulated runs must record them."""
    return [name for name in ("state", "throughput") if all(name in run.traces for run in runs.values())]


def figures(measured: Mapping[str, StoredRun], simulated: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    """Yield name and figure of measured runs beside a simulated one of each variant."""
    wanted = traces(measured)
    both = beside({**measured, **simulated})
    shown = _shown(measured, len(both.summary["flows"]))
    for name in FIGURES:
        if ("state" if name.startswith("rtt") else name) in wanted:
            yield f"measured-{name}", both.plot.named(name, flows=shown)


def _shown(measured: Mapping[str, StoredRun], flows: int) -> list[int]:
    """Return the numbers of flows to draw: simulated ones, pings, and measured ones that carried data."""
    shown: list[int] = []
    first = 0
    for run in measured.values():
        every = run.summary["flows"]
        main = _main(run)
        shown += [first + i for i, row in enumerate(every) if i in main or _is_probe(row)]
        first += len(every)
    return [*shown, *range(first, flows)]


def _is_probe(row: Mapping[str, Any]) -> bool:
    """Return true for pings, of which round-trip times are known and no data."""
    return row.get("goodput_bps") is None and row.get("packet_rtt_mean_s") is not None


def _main(run: StoredRun) -> list[int]:
    """Return the numbers of the flows that have data."""
    amounts = [
        float(row["acked_bytes"] or row["received_bytes"] or row["sent_bytes"] or 0.0)
        for row in run.summary["flows"]
    ]
    return [i for i, amount in enumerate(amounts) if amount > MINOR * max(amounts)]


def _measures(run: StoredRun) -> dict[str, float]:
    """Return the measures of a measured run; a sum is NaN if no flow has a value of the summed quantity."""
    chosen = _main(run)
    taken = measures(run.summary, chosen)
    for name in ("goodput_bps", "throughput_bps", "new_data_bps", "retransmitted_packets", "timeouts"):
        if all(run.summary["flows"][i].get(name) is None for i in chosen):
            taken[name] = float("nan")
    if len(chosen) < 2:
        taken["jain"] = float("nan")
    return taken
