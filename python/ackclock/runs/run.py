"""Results of a run: summary, tables, traces, plots, files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ackclock import _core
from ackclock._io.progress import bar
from ackclock.errors import UserError, choices
from ackclock.errors.suggestions import Named
from ackclock.plot import distributions
from ackclock.runs.bottleneck import Bottleneck, bottleneck
from ackclock.runs.table import Table

if TYPE_CHECKING:
    from ackclock.plot.run import Plots
    from ackclock.runs.ties import RunSpreads
    from ackclock.scenario.scenario import Scenario
    from ackclock.theory import Prediction

SUMMARY_TABLES = tuple(_core.result_tables())
"""Tables that every run has."""

FILE_TRACES = tuple(_core.file_traces())
"""Traces that are files of their own format and have no table."""

TRACES: tuple[dict[str, Any], ...] = tuple(json.loads(_core.catalogue("traces")))
"""Traces that a run can record: name, summary, and words by which people look for each."""

FIGURES = ("cwnd", "throughput", "sequence", "queue", "rtt", "theory", *distributions.FIGURES)
"""Figures that a run can draw, by name."""


def stale() -> tuple[str, ...]:
    """Return patterns of the files that another run may have left in a folder: its tables, traces and figures."""
    traces = [str(entry["name"]) for entry in TRACES]
    tables = [f"{name}.{form}" for name in (*SUMMARY_TABLES, *traces) for form in ("csv", "parquet")]
    figures = [f"{name}.{form}" for name in FIGURES for form in ("png", "svg", "pdf")]
    return (*tables, *figures, "ties.csv", "capture-*.pcap", "qlog-*.sqlog", "trace.tr", "flowmonitor.xml")


def _has_rows(table: Path) -> bool:
    """Return true if there is a line below the heads of a CSV file."""
    with table.open("rb") as lines:
        lines.readline()
        return bool(lines.readline())


class Run(Named):
    """The results of one run of a scenario.

    The same scenario, seed and version give the same run, byte for byte: nothing here depends on the machine
    but `events_per_s` and the two times beside it.
    """

    ELSEWHERE: ClassVar[dict[str, str]] = {
        word: f'trace("{one["name"]}")' for one in TRACES for word in (one["name"], *one["words"])
    } | {
        **dict.fromkeys(("table", "df", "flow_table", "to_polars", "to_pandas"), "flows"),
        **dict.fromkeys(("results", "metrics", "stats"), "summary"),
        "figure": "plot",
    }

    def __init__(
        self,
        scenario: Scenario,
        result: _core.RunResult,
        *,
        seed: int | None,
        jitter_s: float,
        bin_s: float,
        traces: Sequence[str],
        steered: bool = False,
        confirm: bool = False,
    ) -> None:
        """Wrap a result of the core; made by `Scenario.run`, `run_many` and `Simulation.finish`."""
        self.scenario = scenario
        self._seed = seed
        self._jitter_s = jitter_s
        self._bin_s = bin_s
        self._steered = steered
        self._confirm = confirm
        self._result = result
        self._holders = dict.fromkeys([*result.tables, *traces], result)
        self._spreads: RunSpreads | None = None

    @property
    def summary_json(self) -> str:
        """The summary as JSON text: the same that ``ackclock run --json`` writes."""
        if self._spreads is not None:
            from ackclock._io.files import json_text

            return json_text({**self.summary, "ties": self._spreads.to_json()})
        return self._result.summary.decode()

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Flows, links, radio networks, fairness and manifest as dictionaries and lists."""
        parsed: dict[str, Any] = json.loads(self._result.summary)
        return parsed

    @property
    def manifest(self) -> dict[str, Any]:
        """The data that repeats the run: version, seed, jitter, scenario and its hash."""
        found: dict[str, Any] = self.summary["manifest"]
        return found

    @property
    def bottleneck(self) -> Bottleneck | None:
        """The resource that was busy for the greatest share of the run: a link direction, 802.11 channel, LTE cell."""
        return bottleneck(self.summary)

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
        """Losses that a sender answered, with actual and inferred cause: one row per combination."""
        return Table(self._result.table("loss_reactions"))

    @property
    def video(self) -> Table:
        """One row per kind of frame of each video flow: packets, frames, decodable ones, estimated quality."""
        return Table(self._result.table("video"))

    @property
    def gateways(self) -> Table:
        """One row per gateway: data acknowledged, sent again, held, and not delivered."""
        return Table(self._result.table("gateways"))

    @property
    def stations(self) -> Table:
        """One row per station of an 802.11 network: packets, losses by cause, frames and their fate."""
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

    def flow_number(self, flow: int | str) -> int:
        """Return a flow's number, given it or its name, which comes first; `UserError` if there is no such flow."""
        names = [str(one["name"]) for one in self.summary["flows"]]
        if isinstance(flow, str) and flow in names:
            return names.index(flow)
        number = int(flow) if isinstance(flow, int | Integral) or flow.isdigit() else -1
        if 0 <= number < len(names):
            return number
        listed = f"{', '.join(names[:12])}{', ...' if len(names) > 12 else ''}, or 0 to {len(names) - 1}"
        raise UserError(f"there is no flow {flow!r}{choices(str(flow), names, listed)}")

    def flow(self, flow: int | str) -> dict[str, Any]:
        """Return the results of one flow, by name or number: ``run.flow("vegas")["goodput_bps"]``."""
        found: dict[str, Any] = self.summary["flows"][self.flow_number(flow)]
        return found

    def trace(self, name: str, flows: Iterable[int | str] | int | str | None = None) -> Table:
        """Return a trace as a table: ``"cwnd"``, ``"queue"``, ``"drops"``, ... (``ackclock list traces``).

        With `flows`, names or numbers, only the rows of these.

        A trace that was not recorded is recorded now, by the same run again; that gives the same packets and
        takes as long as the run did. Name traces in `Scenario.run` to save it.
        """
        if name in FILE_TRACES:
            raise ValueError(
                f"trace {name!r} is a file, not a table: write it with save(folder, traces=[{name!r}])"
            )
        self.observe(name)
        found = Table(self._holders[name].table(name))
        if flows is None:
            return found
        if "flow" not in found.columns:
            raise UserError(f"trace {name!r} has no column of flows: leave out flows=")
        chosen = [
            self.flow_number(one) for one in ([flows] if isinstance(flows, int | str | Integral) else flows)
        ]
        frame = found.to_polars()
        return Table(frame.filter(frame["flow"].is_in(chosen)))

    def observe(self, *names: str) -> None:
        """Record all these traces, by one more run if any is missing."""
        missing = [name for name in names if name not in self._holders]
        if missing:
            self._repeatable(missing)
            self._room(missing, self._bin_s)
            again = _core.run(
                self.scenario.json(),
                seed=self._seed,
                jitter_s=self._jitter_s,
                traces=missing,
                bin_s=self._bin_s,
            )
            self._holders.update(dict.fromkeys(missing, again))

    def _room(self, traces: Sequence[str], bin_s: float) -> None:
        """Refuse to record traces that do not fit into memory or on the disk."""
        if not self._confirm:
            from ackclock.runs.footprint import RunRequest, check_space

            asked = RunRequest(self.scenario, self._seed, self._jitter_s, traces, bin_s)
            check_space([asked], f"name it at the start, run(traces={list(traces)}, confirm=True)")

    def _repeatable(self, traces: Sequence[str]) -> None:
        """Refuse to repeat a run that a program changed."""
        if self._steered:
            raise UserError(
                f"trace {', '.join(traces)} was not recorded, and this run cannot be repeated: a program changed it\n"
                f"  name it at the start: scenario.start(traces={list(traces)})"
            )

    def binned(self, name: str, bin_s: float) -> Table:
        """Return a trace in bins of time (``"throughput"``) with bins of `bin_s` seconds, by one more run."""
        self._repeatable([name])
        self._room([name], bin_s)
        again = _core.run(
            self.scenario.json(), seed=self._seed, jitter_s=self._jitter_s, traces=[name], bin_s=bin_s
        )
        return Table(again.table(name))

    @cached_property
    def plot(self) -> Plots:
        """Figures: ``run.plot.cwnd()``, ``.throughput()``, ``.sequence()``, ``.queue()``, ``.rtt()``."""
        from ackclock.plot.run import Plots

        return Plots(self)

    def theory(self, *models: str) -> list[Prediction]:
        """Return each flow's goodput beside the rates of models.

        `models` are names from ``ackclock.theory.NAMES``, all if none is given. ``"mathis"``, ``"pftk"``
        and ``"cubic"`` use the losses and round trips that a TCP flow met, ``"bianchi"`` the number of saturated
        stations that share an 802.11 channel. Flows that a model has no rate for are left out.
        ``polars.DataFrame(run.theory())`` makes a table of it.
        """
        from ackclock.theory import predictions

        return predictions(self.summary, self.scenario.describe(), models)

    def spreads(self, *, threads: int = 0, progress: Callable[[int, int], None] | None = None) -> RunSpreads:
        """Return the spread of the flows' results on slightly changed links, by 20 further runs the first time.

        ``run.spreads().spread(0, "goodput_bps")`` is that of flow 0: `ackclock.runs.ties` says what is perturbed, and
        by how much. From then on JSON and files of the run have the spreads, too.
        """
        if self._spreads is None:
            from ackclock.runs.ties import run_spreads

            self._repeatable(["ties"])

            def simulate(wanted: list[tuple[Scenario, int]]) -> list[dict[str, Any]]:
                jobs = [(one, seed, self._jitter_s) for one, seed in wanted]
                return [run.summary for run in run_many(jobs, threads=threads, progress=progress)]

            self._spreads = run_spreads(self.scenario, self.summary, simulate)
        return self._spreads

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
        """Return the values that depend on the machine: the content of ``timing.json``."""
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

        ``summary.json``, ``manifest.json``, ``scenario.toml``, ``timing.json``, and one CSV file per table with rows
        and per trace; with `form` ``"parquet"`` a Parquet file beside each CSV file. A table without rows has
        no file: that of the stations of a wired network, for one. A trace that is named has one in any case.
        `traces` names the traces to write, those recorded if None. ``"pcap"`` (one file per host interface),
        ``"ns2"`` (ns-2's wired trace), ``"flowmonitor"`` (ns-3's FlowMonitor), ``"evalvid"`` (three files per
        video flow) and ``"qlog"`` (two per QUIC flow) are files of their own. All files appear together at the
        end; if something goes wrong none does.
        """
        from ackclock._io.files import atomic_folder, json_text, write_parquet_batches

        folder = Path(folder)
        names = list(self.traces if traces is None else dict.fromkeys(traces))
        with atomic_folder(folder, stale()) as draft:
            (draft / "summary.json").write_text(self.summary_json, encoding="utf-8")
            (draft / "manifest.json").write_text(json_text(self.manifest), encoding="utf-8")
            (draft / "scenario.toml").write_text(self.scenario.to_toml(), encoding="utf-8")
            (draft / "timing.json").write_text(json_text(self.timing()), encoding="utf-8")
            if self._spreads is not None:
                self._spreads.write_csv(draft / "ties.csv")
            self.observe(*names)
            for name in names:
                if name in FILE_TRACES:
                    self._holders[name].write_files(name, str(draft))
            for name in [*SUMMARY_TABLES, *(name for name in names if name not in FILE_TRACES)]:
                holder, table = self._holders[name], draft / f"{name}.csv"
                holder.write_csv(name, str(table))
                if name in SUMMARY_TABLES and not _has_rows(table):
                    table.unlink()
                elif form == "parquet":
                    write_parquet_batches(holder.table(name).batches(), draft / f"{name}.parquet")
            written = sorted(path.name for path in draft.iterdir())
        return [folder / name for name in written]

    def animate(self, path: str | Path, *, title: str = "") -> Path:
        """Write the run as one HTML page that plays it in a browser, and return its path.

        The page loads nothing from elsewhere. Traces that it needs and that were not recorded are recorded now,
        by the same run again (name ``ackclock.plot.animation.TRACES`` in `Scenario.run` to save it).
        """
        from ackclock._io.files import atomic_write
        from ackclock.plot.animation import page

        return atomic_write(path, page(self, title))

    def __repr__(self) -> str:
        """Summarize the run and its result."""
        flows = ", ".join(
            f"{flow['variant'] or 'udp'} {flow['goodput_bps'] / 1e6:.3f} Mb/s"
            for flow in self.summary["flows"][:4]
        )
        more = len(self.summary["flows"]) - 4
        return f"Run({flows}{f' and {more} more' if more > 0 else ''}; {self.events} events)"

    def _repr_html_(self) -> str:
        from ackclock._io.markup import html_table

        columns = (
            ("goodput (Mb/s)", "goodput_bps", 1e-6),
            ("loss (%)", "loss_ratio", 1e2),
            ("packet RTT (ms)", "packet_rtt_mean_s", 1e3),
        )
        rows = [
            [
                str(flow["name"]),
                flow["variant"] or "udp",
                *(_cell(flow[key], scale) for _, key, scale in columns),
            ]
            for flow in self.summary["flows"]
        ]
        manifest = self.manifest
        seconds, seed, digest = (manifest[key] for key in ("duration_s", "seed", "scenario_hash"))
        below = f"{seconds:g} s simulated, seed {seed}, scenario {digest[:12]}"
        return html_table(["flow", "variant", *(head for head, _, _ in columns)], rows, below)


def run_many(
    jobs: Sequence[tuple[Scenario, int, float]],
    *,
    threads: int = 0,
    traces: Sequence[str] = (),
    bin_s: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
    confirm: bool = False,
) -> list[Run]:
    """Run many scenarios on threads of this process and return their results in order.

    Args:
        jobs: scenario, seed, and bound of the start jitter in seconds, each.
        threads: number of runs at a time; 0: one per core. The results do not depend on it.
        traces: series to record in every run.
        bin_s: width of the bins of the throughput trace, seconds.
        progress: called with the number of runs done and of all runs.
        confirm: make the runs though there seems to be no room for their traces, which are in memory together.

    Raises:
        InsufficientSpaceError: before the runs, if there is no room.

    """
    if traces and not confirm:
        from ackclock.runs.footprint import CONFIRM, RunRequest, check_space

        check_space([RunRequest(one, seed, jitter_s, traces, bin_s) for one, seed, jitter_s in jobs], CONFIRM)
    with bar("running", wanted=None if progress is None else False) as shown:
        results = _core.run_many(
            [(scenario.json(), seed, jitter_s) for scenario, seed, jitter_s in jobs],
            threads=threads or os.cpu_count() or 1,
            traces=list(traces),
            bin_s=bin_s,
            progress=shown if progress is None else progress,
        )
    return [
        Run(scenario, result, seed=seed, jitter_s=jitter_s, bin_s=bin_s, traces=traces, confirm=confirm)
        for (scenario, seed, jitter_s), result in zip(jobs, results, strict=True)
    ]


def _cell(value: float | None, scale: float) -> str:
    return "" if value is None else f"{value * scale:.4g}"
