"""Results of one run: summary, tables, traces, figures and files."""

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
from ackclock.plot import distributions, ellipses
from ackclock.runs.bottleneck import Bottleneck, bottleneck
from ackclock.runs.table import Table

if TYPE_CHECKING:
    from ackclock.plot.run import Plots
    from ackclock.runs.ties import RunSpreads
    from ackclock.scenario.scenario import Scenario
    from ackclock.theory import Prediction

SUMMARY_TABLES = tuple(_core.result_tables())
"""Names of the tables that every run has."""

FILE_TRACES = tuple(_core.file_traces())
"""Names of traces without a table: they are written in their own file format, such as ``pcap``."""

TRACES: tuple[dict[str, Any], ...] = tuple(json.loads(_core.catalogue("traces")))
"""Traces that a run can record, each with its name, summary and search words."""

FIGURES = (
    "cwnd",
    "throughput",
    "sequence",
    "queue",
    "rtt",
    "theory",
    *distributions.FIGURES,
    *ellipses.FIGURES,
)
"""Names of the figures that a run can draw."""


def stale() -> tuple[str, ...]:
    """Return glob patterns of the tables, traces and figures that an earlier run may have left in a folder."""
    traces = [str(entry["name"]) for entry in TRACES]
    tables = [f"{name}.{form}" for name in (*SUMMARY_TABLES, *traces) for form in ("csv", "parquet")]
    figures = [f"{name}.{form}" for name in FIGURES for form in ("png", "svg", "pdf")]
    return (*tables, *figures, "ties.csv", "capture-*.pcap", "qlog-*.sqlog", "trace.tr", "flowmonitor.xml")


def _has_rows(table: Path) -> bool:
    """Return true if a CSV file has rows below its header."""
    with table.open("rb") as lines:
        lines.readline()
        return bool(lines.readline())


class Run(Named):
    """The results of one run of a scenario.

    ::

        run = ac.dumbbell(["reno", "vegas"]).run(seed=1, traces=["cwnd"])
        run.flow("flow1")["goodput_bps"]
        run.flows.to_polars()
        run.plot.cwnd()

    The same scenario, seed and version give the same results, byte for byte, on every machine. Only `wall_s`, `cpu_s`
    and `events_per_s` depend on the machine.
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
        """Wrap a result of the core; called by `Scenario.run`, `run_many` and `Simulation.finish`."""
        self._scenario = scenario
        self._seed = seed
        self._jitter_s = jitter_s
        self._bin_s = bin_s
        self._steered = steered
        self._confirm = confirm
        self._result = result
        self._holders = dict.fromkeys([*result.tables, *traces], result)
        self._spreads: RunSpreads | None = None

    @property
    def scenario(self) -> Scenario:
        """The scenario that was run."""
        return self._scenario

    @property
    def summary_json(self) -> str:
        """The summary as JSON text, which ``ackclock run --json`` also writes."""
        if self._spreads is not None:
            from ackclock._io.files import json_text

            return json_text({**self.summary, "ties": self._spreads.to_json()})
        return self._result.summary.decode()

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The summary as dictionaries and lists: flows, links, radio networks, fairness and manifest."""
        return self._result.summary_dict()

    @property
    def manifest(self) -> dict[str, Any]:
        """All inputs needed to repeat the run: version, seed, start jitter, scenario and its hash."""
        found: dict[str, Any] = self.summary["manifest"]
        return found

    @property
    def bottleneck(self) -> Bottleneck | None:
        """The resource with the highest utilisation: a link direction, an 802.11 channel or an LTE cell."""
        return bottleneck(self.summary)

    @property
    def flows(self) -> Table:
        """Table with one row per flow: rates, counters, losses and delays."""
        return Table(self._result.table("flows"))

    @property
    def links(self) -> Table:
        """Table with one row per link direction: utilisation, drops and queue."""
        return Table(self._result.table("links"))

    @property
    def loss_reactions(self) -> Table:
        """Table of losses to which senders reacted, one row per flow and combination of actual and inferred cause."""
        return Table(self._result.table("loss_reactions"))

    @property
    def video(self) -> Table:
        """Table with one row per video flow and frame type: packets, frames, decodable frames, estimated quality."""
        return Table(self._result.table("video"))

    @property
    def sessions(self) -> Table:
        """Table with one row per flow with sessions: sessions, requests and connections, begun and completed."""
        return Table(self._result.table("sessions"))

    @property
    def completions(self) -> Table:
        """Table of completion times and slowdowns of requests: per flow with sessions, all and by class of size."""
        return Table(self._result.table("completions"))

    @property
    def gateways(self) -> Table:
        """Table with one row per gateway (TCP proxy): data acknowledged, retransmitted, held and not delivered."""
        return Table(self._result.table("gateways"))

    @property
    def stations(self) -> Table:
        """Table with one row per 802.11 station: packets, losses by cause, frames and their outcome."""
        return Table(self._result.table("stations"))

    @property
    def ues(self) -> Table:
        """Table with one row per LTE UE: packets, losses by cause and transport blocks, in both directions."""
        return Table(self._result.table("ues"))

    @property
    def cells(self) -> Table:
        """Table with one row per LTE eNodeB: subframes and resource blocks used."""
        return Table(self._result.table("cells"))

    @property
    def traces(self) -> tuple[str, ...]:
        """Names of the traces recorded so far."""
        return tuple(name for name in self._holders if name not in SUMMARY_TABLES)

    def flow_number(self, flow: int | str) -> int:
        """Return a flow's number from its name or number; a name takes precedence over an equal number.

        Raises:
            UserError: If there is no such flow.
        """
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
        """Return a trace as a table, such as ``run.trace("cwnd")``; ``ackclock list traces`` has all names.

        With `flows` (names or numbers) the table has only the rows of these flows.

        If the trace was not recorded, the run is repeated to record it, with the same packets and in about the same
        time. To avoid the repetition, name the trace in `Scenario.run`.
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
        """Record these traces if they are missing; the run is repeated at most once."""
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
        """Refuse traces that are estimated not to fit into memory or onto the disk, unless the run was confirmed."""
        if not self._confirm:
            from ackclock.runs.footprint import RunRequest, check_space

            asked = RunRequest(self.scenario, self._seed, self._jitter_s, traces, bin_s)
            check_space([asked], f"name it at the start, run(traces={list(traces)}, confirm=True)")

    def _repeatable(self, traces: Sequence[str]) -> None:
        """Raise `UserError` if the run cannot be repeated, because a program changed it (`Simulation`)."""
        if self._steered:
            raise UserError(
                f"trace {', '.join(traces)} was not recorded, and this run cannot be repeated: a program changed it\n"
                f"  name it at the start: scenario.start(traces={list(traces)})"
            )

    def binned(self, name: str, bin_s: float) -> Table:
        """Repeat the run and return a binned trace (``"throughput"``) with bins of `bin_s` seconds."""
        self._repeatable([name])
        self._room([name], bin_s)
        again = _core.run(
            self.scenario.json(), seed=self._seed, jitter_s=self._jitter_s, traces=[name], bin_s=bin_s
        )
        return Table(again.table(name))

    @cached_property
    def plot(self) -> Plots:
        """Figures of the run: ``run.plot.cwnd()``, ``.throughput()``, ``.sequence()``, ``.queue()``, ``.rtt()``."""
        from ackclock.plot.run import Plots

        return Plots(self)

    def theory(self, *models: str) -> list[Prediction]:
        """Return each flow's goodput together with the rates that models predict.

        `models` are names from ``ackclock.theory.NAMES``; without names all models are used. ``"mathis"``, ``"pftk"``
        and ``"cubic"`` use a TCP flow's loss rate and round-trip time in this run; ``"bianchi"`` uses the number of
        saturated stations that share an 802.11 channel. Flows without a prediction are left out.
        ``polars.DataFrame(run.theory())`` turns the list into a table.
        """
        from ackclock.theory import predictions

        return predictions(self.summary, self.scenario.described, models)

    def spreads(self, *, threads: int = 0, progress: Callable[[int, int], None] | None = None) -> RunSpreads:
        """Return the spread of the flows' results on slightly perturbed links; the first call makes 20 further runs.

        ``run.spreads().spread(0, "goodput_bps")`` is the spread of flow 0's goodput. `ackclock.runs.ties` describes the
        perturbations. After this call the run's JSON and files also contain the spreads.
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
        """Number of events simulated."""
        return self._result.events

    @property
    def wall_s(self) -> float:
        """Wall-clock time of the run on this machine, seconds."""
        return self._result.wall_s

    @property
    def cpu_s(self) -> float:
        """Processor time of the run on this machine, seconds."""
        return self._result.cpu_s

    @property
    def events_per_s(self) -> float:
        """Events simulated per second of wall-clock time on this machine."""
        return self.events / self.wall_s if self.wall_s > 0 else 0.0

    def timing(self) -> dict[str, float]:
        """Return the content of ``timing.json``: the number of events, and the run time and speed on this machine."""
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

        The files are ``summary.json``, ``manifest.json`` (from which ``ackclock run --again`` repeats the folder),
        ``scenario.toml``, ``timing.json``, and one CSV file for each table with rows and for each trace. With `form`
        ``"parquet"`` each CSV file has a Parquet file beside it. `traces` names the traces to write; if it is None, all
        recorded traces are written. A table without rows gets no file, but a trace that `traces` names gets one even
        without rows.

        Some traces have their own file format. ``"pcap"`` gives one file per host interface, ``"ns2"`` ns-2's wired
        trace, ``"flowmonitor"`` ns-3's FlowMonitor XML, ``"evalvid"`` three files per video flow, and ``"qlog"`` two
        files per TCP or QUIC flow.

        All files appear together at the end. If an error occurs, no file is written.
        """
        from ackclock._io.files import atomic_folder, write_parquet_batches

        folder = Path(folder)
        names = list(self.traces if traces is None else dict.fromkeys(traces))
        with atomic_folder(folder, stale()) as draft:
            (draft / "summary.json").write_text(self.summary_json, encoding="utf-8")
            self._write_origin(draft)
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
            self.write_manifest(draft, traces=names, format=form)
            written = sorted(path.name for path in draft.iterdir())
        return [folder / name for name in written]

    def _write_origin(self, draft: Path) -> None:
        """Write the scenario and the run times into a draft folder."""
        from ackclock._io.files import json_text

        (draft / "scenario.toml").write_text(self.scenario.to_toml(), encoding="utf-8")
        (draft / "timing.json").write_text(json_text(self.timing()), encoding="utf-8")

    def write_manifest(self, folder: Path, **plan: object) -> None:
        """Write ``manifest.json``: the run's inputs, `plan` (options of the files written), and each file's hash."""
        from ackclock._io.files import digests, json_text

        about = {"bin_s": self._bin_s, "ties": self._spreads is not None, "changed": self._steered}
        manifest = {
            **self.manifest,
            "plan": {**plan, **about},
            "files": digests(folder, "manifest.json", "timing.json"),
        }
        (folder / "manifest.json").write_text(json_text(manifest), encoding="utf-8")

    def animate(self, path: str | Path, *, title: str = "") -> Path:
        """Write one HTML page that animates the run in a browser, and return its path.

        The page loads no external resources. If traces that it needs were not recorded, the run is repeated to record
        them; to avoid that, pass ``traces=ackclock.plot.animation.TRACES`` to `Scenario.run`.
        """
        from ackclock._io.files import atomic_write
        from ackclock.plot.animation import page

        return atomic_write(path, page(self, title))

    def __repr__(self) -> str:
        """Summarize the run and its results."""
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

    ``run_many([(scenario, seed, 0.0) for seed in range(1, 11)])`` makes ten replications.

    Args:
        jobs: One tuple per run: scenario, seed, and upper bound of the start jitter in seconds.
        threads: Number of runs at the same time; 0 for one per core. Results do not depend on it.
        traces: Names of the traces to record in every run.
        bin_s: Width of the bins of the throughput trace, seconds.
        progress: Called with the number of finished runs and of all runs.
        confirm: Run even if the traces, which are all in memory at once, are estimated not to fit.

    Raises:
        InsufficientSpaceError: Before the runs, if the traces are estimated not to fit.

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
