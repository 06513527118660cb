"""The declaration of a study: its runs, data and text. From it come the command, the data and the report."""

from __future__ import annotations

import contextlib
import json
import shutil
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ackclock._io.files import atomic_folder, json_text
from ackclock.errors import UserError, choices
from ackclock.report.folder import digests, made_with
from ackclock.runs.ties import EXTRA
from ackclock.study.changes import UNCHANGED, Changes, RefusedError
from ackclock.study.data import StudyData
from ackclock.study.layout import command, report
from ackclock.study.paths import GivenSetting, defaults, listed, unknown
from ackclock.study.repeats import Seen
from ackclock.study.result import StudyResult, claims_json
from ackclock.study.runs import frame, simulate
from ackclock.study.ties import all_rows, drawn, section, summary
from ackclock.sweeps.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from ackclock.executors import ExecutorLike
    from ackclock.report.model import Claims
    from ackclock.study.layout import Findings, Layout, Reported
    from ackclock.study.loading import Origin
    from ackclock.study.runs import Rows, RunTable, StudyJob
    from ackclock.sweeps.jobs import Progress


TIES = "ties.json"
"""The verdicts of every draw, in a study's data."""


@dataclass(frozen=True)
class Plan:
    """The runs of one call of a study; a study adds its sweeps.

    Attributes:
        quick: True for the quick form.
        figures: The figures asked for.
        changes: The user's changes.
    """

    quick: bool
    figures: tuple[str, ...]
    changes: Changes = field(default=UNCHANGED, kw_only=True)


P = TypeVar("P", bound=Plan)


@dataclass(frozen=True)
class Study(Generic[P]):
    """A published study that one command reproduces.

    Attributes:
        name: Its name on the command line, and of its folder.
        summary: One line about it.
        figures: Values of `only`.
        plan: The full form, or the quick form with fewer points and replications; of one figure, or of all.
        jobs: Every run of a plan, in the order of the data.
        tables: The tables made from runs, by name.
        scenario: The labels that tell scenarios apart: all but those of starts and seeds. A run without them varies
            the scenario of another.
        manifest: The data needed to run a plan again, beside study, version, command, hash and number of runs.
        layout: The parts of the report that do not depend on the data.
        find: Draws every conclusion from the data; nothing is simulated.
        variants: The study's own variants, beside which others may be added.
        leave: Writes further files of the runs into the study's folder; None if there are none.
        links: Names of links by their ends, for paths of settings; see `paths.link_names`.
        unasked: Tells whether a run is the same as the first of its family (see `StudyJob`): by its rows that one never
            needed the value that the run varies.
        origin: Its origin; None for a study of ours, and for one that was made in Python.
    """

    name: str
    summary: str
    figures: tuple[str, ...]
    plan: Callable[[bool, str | None], P]
    jobs: Callable[[P], Iterable[StudyJob]]
    tables: Mapping[str, RunTable]
    scenario: tuple[str, ...]
    manifest: Callable[[P, StudyData], dict[str, Any]]
    layout: Layout
    find: Callable[[StudyData], Findings]
    variants: tuple[str, ...]
    leave: Callable[[P, Path, int], None] | None = None
    unasked: Callable[[StudyJob, Rows], bool] = lambda *_: False
    links: Mapping[str, str] = field(default_factory=dict)
    origin: Origin | None = None

    @property
    def address(self) -> str:
        """Its name on the command line: its name, or its folder."""
        return self.name if self.origin is None else self.origin.address

    def run(
        self,
        *,
        quick: bool = False,
        only: str | None = None,
        changes: Changes = UNCHANGED,
        out: Path,
        jobs: int = 0,
        progress: Progress | None = None,
        executor: ExecutorLike = None,
        ties: bool = False,
    ) -> StudyResult:
        """Run the study and write its report.

        Runs that an interrupted call has finished are not made again.

        Args:
            quick: Fewer points and replications.
            only: One of `figures`; everything if None.
            changes: Settings and variants that differ from the study's own.
            out: Folder of the report; it appears, or is replaced, when everything is done.
            jobs: Number of runs at a time; 0: one per core.
            progress: Told (done, total) in runs.
            executor: An executor, or its name; threads of this process if None.
            ties: If True, the verdicts are drawn again on slightly changed links, with 20 times the runs.

        Raises:
            UserError: `only` names no figure, or `out` cannot be written.
            ScenarioError: A change makes no sense in any scenario of the study.
        """
        only = self.figure(only)
        chosen = replace(self.plan(quick, only), changes=changes.beside(self.variants))
        unfinished = out.parent / f".{out.name}.runs"
        with _left_where_interrupted(unfinished), atomic_folder(out) as folder:
            begun = time.perf_counter()
            with Store(unfinished) as store:
                data = self.simulate(chosen, jobs, progress, store, executor=executor)
                rows = self._drawn(chosen, data, jobs, progress, store, executor) if ties else None
            ran = time.perf_counter() - begun
            kept = folder / "data"
            kept.mkdir()
            data.store(kept)
            if rows is not None:
                _write_json(kept / TIES, rows)
            frame(self.scenarios(chosen)).write_parquet(kept / "scenarios.parquet")
            if self.leave is not None:
                self.leave(chosen, folder, jobs)
            result = self.report(folder)
            manifest = {
                "study": self.name,
                **({} if self.origin is None else {"origin": self.origin.plain()}),
                "version": data.version,
                "command": command(self.address, data) + (" --ties" if ties else ""),
                "plan": {"quick": quick, "only": only, **changes.plain(), **({"ties": True} if ties else {})},
                "data_sha256": data.digest(),
                "runs": data.run_count,
                **({"changed": list(result.changed)} if result.changed else {}),
                **self.manifest(chosen, data),
                "made_with": made_with(),
                "files": digests(folder),
            }
            _write_json(folder / "manifest.json", manifest)
            timing = {"simulation_s": round(ran, 3), "all_s": round(time.perf_counter() - begun, 3)}
            _write_json(folder / "timing.json", {**timing, "runs": data.run_count})
        return _moved(result, folder, out)

    def again(
        self,
        plan: Mapping[str, Any],
        *,
        out: Path,
        jobs: int = 0,
        progress: Progress | None = None,
        executor: ExecutorLike = None,
    ) -> StudyResult:
        """Run a manifest's `plan`; see `run`."""
        changes = Changes.from_plain(plan)
        quick, only = bool(plan["quick"]), plan["only"]
        return self.run(
            quick=quick,
            only=only,
            changes=changes,
            out=out,
            jobs=jobs,
            progress=progress,
            executor=executor,
            ties=bool(plan.get("ties")),
        )

    def _drawn(
        self,
        chosen: P,
        data: StudyData,
        threads: int,
        progress: Progress | None,
        store: Store,
        executor: ExecutorLike,
    ) -> list[dict[str, Any]]:
        """Carry the study out in every draw; return the rows of `ties.all_rows`."""
        before = 0

        def told(done: int, total: int) -> None:
            if progress is not None:
                progress(total * (before + 1) + done, total * (EXTRA + 1))

        def again(size: str, draw: int) -> Claims:
            made = self.simulate(
                chosen,
                threads,
                told,
                store,
                executor=executor,
                change=lambda jobs: drawn(jobs, size, draw, {}),
            )
            return self.analyse(made).claims

        def count(done: int) -> None:
            nonlocal before
            before = done

        return all_rows(self.analyse(data).claims, again, count)

    def figure(self, name: str | None) -> str | None:
        """Return a figure's name in the study's spelling: "Figure 3", "figure-3" and "fig3" are one.

        Raises:
            UserError: The study has no such figure; the message names the nearest.
        """
        if name is None:
            return None
        plain = name.lower().replace("figure", "fig").translate(str.maketrans("", "", " -_."))
        if plain in self.figures:
            return plain
        raise UserError(f"study {self.name} has no figure {name!r}{choices(plain, self.figures)}")

    def simulate(
        self,
        chosen: P,
        threads: int = 0,
        progress: Progress | None = None,
        store: Store | None = None,
        *,
        executor: ExecutorLike = None,
        change: Callable[[Iterable[StudyJob]], Iterable[StudyJob]] = lambda jobs: jobs,
    ) -> StudyData:
        """Run everything planned, its jobs changed by `change`; see `runs.simulate`."""
        from ackclock import _core

        seen = Seen()
        tables = simulate(
            change(self.changed(chosen)),
            self.tables,
            threads,
            progress,
            store,
            executor=executor,
            study=self.address,
            unasked=self.unasked,
            seen=seen,
        )
        version = _core.__version__
        return StudyData(
            tables, chosen.quick, chosen.figures, version, chosen.changes, repeats=seen.counted()
        )

    def changed(self, chosen: P) -> Iterator[StudyJob]:
        """Yield every run of a plan, with its changes."""
        try:
            yield from chosen.changes.apply(self.jobs(chosen), self.links)
        except RefusedError as refused:
            own = listed(refused.scenarios, self.links)
            known = [one.path for one in own] + defaults(refused.scenarios, self.links)
            raise unknown(refused.setting, self.address, known, refused.why) from refused

    def paths(self, chosen: P) -> list[GivenSetting]:
        """Return every setting that the scenarios of a plan give, with its values."""
        return listed(dict.fromkeys(job.scenario for job in self.jobs(chosen)), self.links)

    def scenarios(self, chosen: P) -> list[dict[str, Any]]:
        """Return each scenario that is run, as a row: its labels and its document as one line of JSON."""
        first: dict[tuple[Any, ...], StudyJob] = {}
        for job in self.changed(chosen):
            if job.labels.keys() >= set(self.scenario):
                first.setdefault(tuple(job.labels[name] for name in self.scenario), job)
        return [
            {**dict(zip(self.scenario, labels, strict=True)), "document": _document(job)}
            for labels, job in first.items()
        ]

    def analyse(self, data: StudyData) -> Reported:
        """Lay out the findings in the data."""
        return report(self.name, self.address, self.layout, data, self.find(data))

    def report(self, folder: Path) -> StudyResult:
        """Write the report again from the data in a folder that `run` made; nothing is simulated."""
        from ackclock.report.writer import write

        data = StudyData.load(folder / "data")
        found = self.analyse(data)
        told, page = None, found.report
        if (folder / "data" / TIES).exists():
            told = json.loads((folder / "data" / TIES).read_text(encoding="utf-8"))
            page = replace(page, sections=(*page.sections, section(told)))
        written = write(page, folder)
        points = frame(found.points)
        points.write_parquet(folder / "data" / "points.parquet")
        points.write_csv(folder / "data" / "points.csv")
        _write_json(folder / "data" / "claims.json", claims_json(found.claims))
        return StudyResult(
            study=self.name,
            out=folder,
            report=written.page,
            plots=list(written.plots),
            summary_tables=found.summary,
            verdicts=found.claims,
            data_sha256=data.digest(),
            extra=found.numbers,
            repeats=data.repeats.text,
            changed=found.changed,
            ties=() if told is None else tuple(summary(told)),
        )


@contextlib.contextmanager
def _left_where_interrupted(folder: Path) -> Iterator[None]:
    """Remove the store of finished runs at the end, also after an error; after an interruption, only if it is empty."""
    try:
        yield
    except BaseException as why:
        if isinstance(why, Exception) or _empty(folder):
            shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)


def _empty(folder: Path) -> bool:
    with Store(folder) as store:
        return len(store) == 0


def _document(job: StudyJob) -> str:
    return json.dumps(job.scenario.document(), separators=(",", ":"))


def _moved(result: StudyResult, folder: Path, out: Path) -> StudyResult:
    return replace(
        result,
        out=out,
        report=out / result.report.relative_to(folder),
        plots=[out / path.relative_to(folder) for path in result.plots],
    )


def _write_json(path: Path, value: object) -> None:
    path.write_text(json_text(value), encoding="utf-8")
