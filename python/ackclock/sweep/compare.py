"""Comparing variants: each by itself, on common random numbers, ranked where runs tell them apart."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.files import atomic_folder, json_text
from ackclock.scenario import Scenario
from ackclock.sweep.jobs import JITTER_S, Job, Progress, replications, run_jobs
from ackclock.sweep.measures import BY_NAME, measures
from ackclock.sweep.statistics import (
    Difference,
    Interval,
    holm,
    interval,
    paired,
    replications_needed,
    zero_variance_warning,
)
from ackclock.sweep.store import write_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN = ("goodput_bps", "rtt_mean_s", "delay_mean_s", "loss_ratio", "jain")
"""Measures of the table: throughput, delay, loss, fairness; none tells the whole (RFC 5166)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a variant stands among the others by one measure."""

    place: int
    """1 + the number of variants that are better beyond doubt."""
    tied: tuple[str, ...]
    """The variants that the runs cannot tell it from."""


@dataclass(frozen=True)
class Comparison:
    """Replicated runs of several variants in the same surroundings."""

    scenarios: Mapping[str, Scenario]
    """What each variant ran in; they differ in the variant alone."""
    jobs: Mapping[str, list[Job]]
    summaries: Mapping[str, list[dict[str, Any]]]
    level: float
    """Confidence of the intervals and of the ranking."""

    @property
    def variants(self) -> list[str]:
        """The variants, in the order asked for."""
        return list(self.scenarios)

    @cached_property
    def _values(self) -> dict[str, list[dict[str, float]]]:
        return {variant: [measures(one) for one in found] for variant, found in self.summaries.items()}

    def values(self, variant: str, measure: str) -> list[float]:
        """Return one measure of one variant in each replication."""
        return [one[measure] for one in self._values[variant]]

    def interval(self, variant: str, measure: str) -> Interval:
        """Return the mean of a measure with its interval."""
        return interval(self.values(variant, measure), self.level)

    def difference(self, variant: str, other: str, measure: str = "goodput_bps") -> Difference:
        """Return the paired difference, `variant` less `other`."""
        return paired(self.values(variant, measure), self.values(other, measure), self.level)

    def best(self, measure: str = "goodput_bps") -> str:
        """Return the variant with the best mean; it need not be better beyond doubt."""
        sign = -1.0 if BY_NAME[measure].better == "lower" else 1.0
        return max(self.variants, key=lambda variant: sign * self.interval(variant, measure).mean)

    def adjusted_p(self, measure: str = "goodput_bps") -> dict[tuple[str, str], float]:
        """Return the p value of each pair's difference, adjusted by Holm's method for being tested together.

        A difference that is the same in every replication needs no test and counts as certain: 0 (or 1 where
        it is nothing).
        """
        pairs = list(itertools.combinations(self.variants, 2))
        raw: list[float] = []
        for one, other in pairs:
            difference = self.difference(one, other, measure)
            raw.append(0.0 if difference.interval.zero_variance and difference.mean else difference.p)
        adjusted = holm(raw)
        both = dict(zip(pairs, adjusted, strict=True))
        return both | {(other, one): p for (one, other), p in both.items()}

    def places(self, measure: str = "goodput_bps") -> dict[str, Place]:
        """Rank the variants by a measure; those whose difference could be chance are tied."""
        sign = -1.0 if BY_NAME[measure].better == "lower" else 1.0
        p_values = self.adjusted_p(measure)
        means = {variant: sign * self.interval(variant, measure).mean for variant in self.variants}

        def known(one: str, other: str) -> bool:
            return p_values[one, other] < 1 - self.level

        found: dict[str, Place] = {}
        for one in self.variants:
            others = [other for other in self.variants if other != one]
            ahead = sum(1 for other in others if known(one, other) and means[other] > means[one])
            found[one] = Place(ahead + 1, tuple(other for other in others if not known(one, other)))
        return found

    def warnings(self) -> list[str]:
        """Return what should be known before the intervals are believed."""
        found: list[str] = []
        for variant in self.variants:
            text = zero_variance_warning(self.values(variant, "goodput_bps"), "goodput in bit/s")
            if text is not None:
                found.append(f"{variant}: {text}")
        return found

    def run_rows(self) -> list[dict[str, Any]]:
        """Return one row per run, with every measure."""
        return [
            {
                "variant": variant,
                "replication": job.replication,
                "seed": job.seed,
                "jitter_bound_s": job.jitter_s,
                **values,
            }
            for variant in self.variants
            for job, values in zip(self.jobs[variant], self._values[variant], strict=True)
        ]

    def to_json(self) -> dict[str, Any]:
        """Return intervals, places and differences as plain data."""
        best, places, p_values = self.best(), self.places(), self.adjusted_p()
        rows = []
        for variant in self.variants:
            found = {name: self.interval(variant, name) for name in SHOWN}
            row: dict[str, Any] = {
                "variant": variant,
                "measures": {
                    name: {"mean": one.mean, "half_width": one.half_width, "n": one.n}
                    for name, one in found.items()
                },
                "place": places[variant].place,
                "tied_with": list(places[variant].tied),
            }
            if variant != best:
                gap = self.difference(variant, best)
                row["goodput_difference_to_best_bps"] = {
                    "best": best,
                    "mean": gap.mean,
                    "half_width": gap.interval.half_width,
                    "p_holm": p_values[variant, best],
                }
            rows.append(row)
        return {
            "level": self.level,
            "best": best,
            "variants": rows,
            "warnings": self.warnings(),
            "manifest": self.manifest(),
        }

    def manifest(self) -> dict[str, Any]:
        """Return what re-runs the comparison."""
        first = self.jobs[self.variants[0]]
        return {
            "version": _core.__version__,
            "seeds": [job.seed for job in first],
            "jitter_bounds_s": [job.jitter_s for job in first],
            "scenarios": {variant: scenario.document() for variant, scenario in self.scenarios.items()},
        }

    def save(self, out: str | Path) -> list[Path]:
        """Write plot, runs, ``comparison.json`` and each scenario into `out`; return the files' paths."""
        from ackclock.plot import save

        out = Path(out)
        with atomic_folder(out) as draft:
            save(self.figure(), draft / "compare")
            write_rows(draft, "runs", self.run_rows())
            (draft / "comparison.json").write_text(json_text(self.to_json()), encoding="utf-8")
            for variant, scenario in self.scenarios.items():
                (draft / f"{variant.replace('/', '_')}.toml").write_text(scenario.to_toml(), encoding="utf-8")
            names = sorted(path.name for path in draft.iterdir())
        return [out / name for name in names]

    def figure(self) -> Figure:
        """Draw goodput with intervals, goodput against delay, and the first replication's windows."""
        from ackclock import plot

        count = len(self.variants)
        with plot.style():
            figure = plot.Picture(figsize=(13.0, max(4.2, 1.0 + 0.75 * count)), layout="constrained")
            grid = figure.add_gridspec(count, 3, width_ratios=[1, 1.1, 1.6])
            self._draw_bars(figure.add_subplot(grid[:, 0]))
            self._draw_scatter(figure.add_subplot(grid[:, 1]))
            first = figure.add_subplot(grid[0, 2])
            rest = [figure.add_subplot(grid[i, 2], sharex=first, sharey=first) for i in range(1, count)]
            self._draw_windows([first, *rest])
        return figure

    def _draw_bars(self, axis: Axes) -> None:
        from ackclock.plot import colour, scaled

        found = [self.interval(variant, "goodput_bps") for variant in self.variants]
        factor, unit = scaled(max(one.mean for one in found))
        spread = [0.0 if math.isnan(one.half_width) else one.half_width * factor for one in found]
        hues = [colour(i) for i in range(len(found))]
        axis.bar(
            self.variants,
            [one.mean * factor for one in found],
            yerr=spread,
            color=hues,
            capsize=4,
            alpha=0.85,
        )
        axis.set(
            ylabel=f"goodput ({unit})", title=f"Goodput: mean of {found[0].n}, {self.level:.0%} interval"
        )
        axis.tick_params(axis="x", rotation=30)
        axis.grid(axis="x", visible=False)

    def _draw_scatter(self, axis: Axes) -> None:
        from ackclock.plot import colour, marker, scaled

        factor, unit = scaled(max(self.interval(variant, "goodput_bps").mean for variant in self.variants))
        for i, variant in enumerate(self.variants):
            goodput = [x * factor for x in self.values(variant, "goodput_bps")]
            delay = [x * 1e3 for x in self.values(variant, "rtt_mean_s")]
            axis.plot(delay, goodput, ".", color=colour(i), alpha=0.3, markersize=5)
            across, up = self.interval(variant, "rtt_mean_s"), self.interval(variant, "goodput_bps")
            axis.errorbar(
                across.mean * 1e3,
                up.mean * factor,
                xerr=None if math.isnan(across.half_width) else across.half_width * 1e3,
                yerr=None if math.isnan(up.half_width) else up.half_width * factor,
                fmt=marker(i),
                color=colour(i),
                capsize=3,
                label=variant,
            )
        axis.set(
            xlabel="mean round-trip time (ms)",
            ylabel=f"goodput ({unit})",
            title="Goodput against delay: each run, means",
        )
        axis.legend(loc="best", frameon=True, framealpha=0.8, edgecolor="none")

    def _draw_windows(self, axes: Sequence[Axes]) -> None:
        from ackclock.plot import colour
        from ackclock.run import run_many

        jobs = [(self.scenarios[variant], self.jobs[variant][0].seed, 0.0) for variant in self.variants]
        for i, (axis, variant, run) in enumerate(
            zip(axes, self.variants, run_many(jobs, traces=["cwnd"]), strict=True)
        ):
            table = run.trace("cwnd").to_polars()
            mine = table.filter((table["flow"] == 0) & (table["variable"] == "cwnd"))
            time, value = mine["time_s"].to_list(), mine["value"].to_list()
            end = float(run.manifest["duration_s"])
            axis.step([*time, end], [*value, *value[-1:]], where="post", color=colour(i), linewidth=0.9)
            axis.set_ylabel(variant, rotation=0, ha="right", va="center")
            axis.set_xlim(0, end)
            axis.tick_params(labelbottom=i == len(axes) - 1)
        axes[0].set(title="Window of flow 0 in the first run (segments)", ylim=(0, None))
        axes[-1].set_xlabel("time (s)")


MOST_REPS = 200
"""Where replicating until the intervals are narrow enough ends in any case."""


def compare(
    scenarios: Mapping[str, Scenario],
    *,
    reps: int = 10,
    until: float | None = None,
    seed: int | None = None,
    jitter_s: float = JITTER_S,
    level: float = 0.95,
    threads: int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """Run each variant's scenario `reps` times on the same seeds and return the comparison.

    Args:
        scenarios: variant and the scenario that it runs in.
        reps: replications; an interval needs two or more.
        until: add replications, for all variants alike, until each goodput's half width is at most this
            fraction of its mean, or `MOST_REPS` are made; variants without variance do not count. An
            interval that decides when to stop is a little narrower than its level promises.
        seed: the first replication's seed; the scenario's own where None.
        jitter_s: bound of the start jitter from the second replication on, seconds.
        level: confidence of intervals and ranking.
        threads: runs at a time; 0: as many as there are cores.
        progress: told as runs finish; what `until` adds comes on top of the total.

    """
    jobs: dict[str, list[Job]] = {variant: [] for variant in scenarios}
    summaries: dict[str, list[dict[str, Any]]] = {variant: [] for variant in scenarios}
    made, wanted = 0, reps if until is None else max(reps, 3)
    while True:
        added = {
            variant: replications(
                scenario, wanted, seed=seed, jitter_s=jitter_s, labels={"variant": variant}
            )[made:]
            for variant, scenario in scenarios.items()
        }
        together = [job for some in added.values() for job in some]
        tell = None if progress is None else _on_top(progress, made * len(scenarios))
        results = iter(run_jobs(together, threads=threads, progress=tell))
        for variant, some in added.items():
            jobs[variant] += some
            summaries[variant] += [next(results) for _ in some]
        found = Comparison(dict(scenarios), jobs, summaries, level)
        made = wanted
        if until is None or made >= MOST_REPS:
            return found
        needed = [
            replications_needed(found.values(variant, "goodput_bps"), until, level) for variant in scenarios
        ]
        wanted = min(MOST_REPS, 2 * made, max((one for one in needed if one is not None), default=made))
        if wanted <= made:
            return found


def _on_top(progress: Progress, before: int) -> Progress:
    return lambda done, total: progress(before + done, before + total)
