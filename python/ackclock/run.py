"""Results of a run: summary, tables, traces, plots, files."""

from __future__ import annotations

import html
import importlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ackclock import _core

if TYPE_CHECKING:
    import polars

    from ackclock.plot import Plots
    from ackclock.scenario import Scenario

SUMMARY_TABLES = tuple(_core.result_tables())
"""Tables that every run has."""

FILE_TRACES = tuple(_core.file_traces())
"""Traces that are files of their own format and have no table."""


class Table:
    """A table of results in Arrow's format.

    It has ``__arrow_c_stream__``, so polars, pandas, pyarrow, DuckDB and others take it without a copy:
    ``polars.DataFrame(run.flows)``.
    """

    def __init__(self, core: _core.ArrowTable) -> None:
        """Wrap a table of the core."""
        self._core = core

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Hand the data to another library (Arrow PyCapsule interface)."""
        return self._core.__arrow_c_stream__(requested_schema)

    def to_polars(self) -> polars.DataFrame:
        """Return it as a polars data frame."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> Any:
        """Return it as a ``pandas.DataFrame``; pandas, which is not a requirement, must be installed."""
        pandas = importlib.import_module("pandas")
        return pandas.DataFrame(self.to_polars().to_dict(as_series=False))

    def __repr__(self) -> str:
        """Show it as text."""
        return repr(self.to_polars())

    def _repr_html_(self) -> str:
        return self.to_polars()._repr_html_()


class Run:
    """What one run of a scenario gave.

    The same scenario, seed and version give the same run, byte for byte: nothing here depends on the machine
    but `events_per_s` and the two times beside it.
    """

    def __init__(
        self,
        scenario: Scenario,
        result: _core.RunResult,
        *,
        seed: int | None,
        jitter_s: float,
        bin_s: float,
        traces: Sequence[str],
    ) -> None:
        """Wrap a result of the core; made by `Scenario.run` and `run_many`."""
        self.scenario = scenario
        self._seed = seed
        self._jitter_s = jitter_s
        self._bin_s = bin_s
        self._result = result
        self._holders = dict.fromkeys([*result.tables, *traces], result)

    @property
    def summary_json(self) -> str:
        """The summary as JSON text: exactly what ``ackclock run --json`` writes."""
        return self._result.summary.decode()

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Flows, links, radio networks, fairness and manifest as dictionaries and lists."""
        parsed: dict[str, Any] = json.loads(self._result.summary)
        return parsed

    @property
    def manifest(self) -> dict[str, Any]:
        """What re-runs it: version, seed, jitter, scenario and its hash."""
        found: dict[str, Any] = self.summary["manifest"]
        return found

    @property
    def flows(self) -> Table:
        """One row per flow: rates, counts, losses, delays."""
        return Table(self._result.table("flows"))

    @property
    def links(self) -> Table:
        """One row per direction of a link: utilisation, drops, queue."""
        return Table(self._result.table("links"))

    @property
    def loss_reactions(self) -> Table:
        """What each loss that a sender answered was, and what it was taken for: one row per combination."""
        return Table(self._result.table("loss_reactions"))

    @property
    def video(self) -> Table:
        """Of flows that are videos, one row per kind of frame: packets, frames, decodable ones, estimated quality."""
        return Table(self._result.table("video"))

    @property
    def gateways(self) -> Table:
        """One row per gateway: what it acknowledged, sent again, held, and could not deliver."""
        return Table(self._result.table("gateways"))

    @property
    def stations(self) -> Table:
        """One row per station of an 802.11 network: packets, losses by cause, frames and what became of them."""
        return Table(self._result.table("stations"))

    @property
    def ues(self) -> Table:
        """One row per UE of an LTE network: packets, losses by cause and transport blocks, both ways."""
        return Table(self._result.table("ues"))

    @property
    def cells(self) -> Table:
        """One row per eNodeB of an LTE network: subframes and resource blocks used."""
        return Table(self._result.table("cells"))

    @property
    def traces(self) -> tuple[str, ...]:
        """Names of the traces recorded so far."""
        return tuple(name for name in self._holders if name not in SUMMARY_TABLES)

    def trace(self, name: str) -> Table:
        """Return a trace as a table: ``"cwnd"``, ``"queue"``, ``"drops"``, ... (``ackclock list traces``).

        A trace that was not recorded is recorded now, by the same run again; that gives the same packets and
        takes as long as the run did. Name traces in `Scenario.run` to save it.
        """
        if name in FILE_TRACES:
            raise ValueError(
                f"trace {name!r} is a file, not a table: write it with save(folder, traces=[{name!r}])"
            )
        self.observe(name)
        return Table(self._holders[name].table(name))

    def observe(self, *names: str) -> None:
        """Record all these traces, by one more run where any is missing."""
        missing = [name for name in names if name not in self._holders]
        if missing:
            again = _core.run(
                self.scenario.json(),
                seed=self._seed,
                jitter_s=self._jitter_s,
                traces=missing,
                bin_s=self._bin_s,
            )
            self._holders.update(dict.fromkeys(missing, again))

    @cached_property
    def plot(self) -> Plots:
        """Figures: ``run.plot.cwnd()``, ``.throughput()``, ``.sequence()``, ``.queue()``, ``.rtt()``."""
        from ackclock.plot import Plots

        return Plots(self)

    @property
    def events(self) -> int:
        """Events simulated."""
        return self._result.events

    @property
    def wall_s(self) -> float:
        """Time that the run took on this machine, seconds."""
        return self._result.wall_s

    @property
    def cpu_s(self) -> float:
        """Processor time that the run took on this machine, seconds."""
        return self._result.cpu_s

    @property
    def events_per_s(self) -> float:
        """Events simulated per second of this machine's time."""
        return self.events / self.wall_s if self.wall_s > 0 else 0.0

    def timing(self) -> dict[str, float]:
        """Return what depends on the machine: the content of ``timing.json``."""
        return {
            "events": self.events,
            "wall_s": self.wall_s,
            "cpu_s": self.cpu_s,
            "events_per_s": self.events_per_s,
        }

    def save(
        self,
        folder: str | Path,
        *,
        traces: Iterable[str] | None = None,
        form: Literal["csv", "parquet"] = "csv",
    ) -> list[Path]:
        """Write the results into `folder` and return the files' paths.

        ``summary.json``, ``manifest.json``, ``scenario.toml``, ``timing.json``, and one CSV file per table and per
        trace; with `form` ``"parquet"`` a Parquet file beside each CSV file. `traces` names the traces to write,
        those recorded where None. ``"pcap"`` (one file per host interface), ``"ns2"`` (ns-2's wired trace),
        ``"flowmonitor"`` (ns-3's FlowMonitor) and ``"evalvid"`` (three files per video flow) are files of their
        own. All files appear together at the end; where something goes wrong none does.
        """
        from ackclock.files import atomic_folder, json_text

        folder = Path(folder)
        names = list(self.traces if traces is None else dict.fromkeys(traces))
        with atomic_folder(folder) as draft:
            (draft / "summary.json").write_text(self.summary_json, encoding="utf-8")
            (draft / "manifest.json").write_text(json_text(self.manifest), encoding="utf-8")
            (draft / "scenario.toml").write_text(self.scenario.to_toml(), encoding="utf-8")
            (draft / "timing.json").write_text(json_text(self.timing()), encoding="utf-8")
            self.observe(*names)
            for name in names:
                if name in FILE_TRACES:
                    self._holders[name].write_files(name, str(draft))
            for name in [*SUMMARY_TABLES, *(name for name in names if name not in FILE_TRACES)]:
                holder = self._holders[name]
                holder.write_csv(name, str(draft / f"{name}.csv"))
                if form == "parquet":
                    Table(holder.table(name)).to_polars().write_parquet(
                        draft / f"{name}.parquet", compression="zstd"
                    )
            written = sorted(path.name for path in draft.iterdir())
        return [folder / name for name in written]

    def animate(self, path: str | Path, *, title: str = "") -> Path:
        """Write the run as one HTML page that plays it in a browser, and return its path.

        The page loads nothing from elsewhere. Traces that it needs and that were not recorded are recorded now,
        by the same run again (name ``ackclock.animation.TRACES`` in `Scenario.run` to save it).
        """
        from ackclock.animation import page
        from ackclock.files import atomic_write

        return atomic_write(path, page(self, title))

    def __repr__(self) -> str:
        """Say what ran and how it went."""
        flows = ", ".join(
            f"{flow['variant'] or 'udp'} {flow['goodput_bps'] / 1e6:.3f} Mb/s"
            for flow in self.summary["flows"][:4]
        )
        more = len(self.summary["flows"]) - 4
        return f"Run({flows}{f' and {more} more' if more > 0 else ''}; {self.events} events)"

    def _repr_html_(self) -> str:
        from ackclock.template import render

        values = {"flows": self.summary["flows"], "manifest": self.manifest}
        return render("ackclock", "run.html.j2", values, cell=_cell)


def run_many(
    jobs: Sequence[tuple[Scenario, int, float]],
    *,
    threads: int = 0,
    traces: Sequence[str] = (),
    bin_s: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
) -> list[Run]:
    """Run many scenarios on threads of this process and return their results in order.

    Args:
        jobs: scenario, seed, and bound of the start jitter in seconds, each.
        threads: how many at a time; 0: as many as there are cores. The results do not depend on it.
        traces: series to record in every run.
        bin_s: width of the bins of the throughput trace, seconds.
        progress: called with the number of runs done and of all runs.

    """
    results = _core.run_many(
        [(scenario.json(), seed, jitter_s) for scenario, seed, jitter_s in jobs],
        threads=threads or os.cpu_count() or 1,
        traces=list(traces),
        bin_s=bin_s,
        progress=progress,
    )
    return [
        Run(scenario, result, seed=seed, jitter_s=jitter_s, bin_s=bin_s, traces=traces)
        for (scenario, seed, jitter_s), result in zip(jobs, results, strict=True)
    ]


def _cell(value: object, scale: float = 1.0) -> str:
    if isinstance(value, int | float):
        return f"{value * scale:.4g}"
    return "" if value is None else html.escape(str(value))
