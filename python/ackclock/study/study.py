"""Declaration of a study: its runs, tables and texts, from which the command, the data and the report are made."""

from __future__ import annotations

import contextlib
import json
import shutil
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ackclock._io.files import atomic_folder, digests, json_text
from ackclock.errors import UserError, choices
from ackclock.report.folder import made_with
from ackclock.runs.ties import EXTRA
from ackclock.study.changes import UNCHANGED, Changes, RefusedError
from ackclock.study.data import StudyData
from ackclock.study.layout import command, report
from ackclock.study.paths import GivenSetting, defaults, listed, unknown
from ackclock.study.repeats import Seen
from ackclock.study.result import StudyResult, claims_json
from ackclock.study.runs import frame, simulate
from ackclock.study.ties import all_rows, drawn, stored
from ackclock.sweeps.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from ackclock.executors import ExecutorLike
    from ackclock.report.model import Claims
    from ackclock.study.layout import Findings, Layout, Reported
    from ackclock.study.loading import Origin
    from ackclock.study.runs import Rows, RunTable, StudyJob
    from ackclock.study.sought import Sought
    from ackclock.sweeps.jobs import Progress


TIES = "ties.json"
"""Name of the file in a study's data with the verdicts of every draw of slightly changed links."""


@dataclass(frozen=True)
class Plan:
    """The choice of runs for one call of a study. A study's subclass adds its sweeps.

    Attributes:
        quick: True for the quick form, with fewer points and replications.
        figures: The figures whose runs are requested.
        changes: The user's changes to the study.
    """

    quick: bool
    figures: tuple[str, ...]
    changes: Changes = field(default=UNCHANGED, kw_only=True)


P = TypeVar("P", bound=Plan)


@dataclass(frozen=True)
class Study(Generic[P]):
    """A published study that one command reproduces.

    Attributes:
        name: Name on the command line and of the output folder.
        summary: One line about the study.
        figures: Names of the figures and tables that `only` selects.
        plan: Function of (quick, only) that returns a plan. The quick form has fewer points and replications; `only`
            names one figure, or is None for all.
        jobs: Function that yields the runs of a plan, in the order of the data.
        tables: The tables made from the runs, by name.
        scenario: The labels that identify a scenario, that is, all labels except those of start times and seeds. A run
            that lacks one of them uses a variation of another run's scenario.
        manifest: Function that returns the entries of the manifest needed to repeat the runs of a plan, in addition to
            study, version, command, hash and number of runs.
        layout: The parts of the report that do not depend on the data.
        find: Function that draws all conclusions from the data, without simulating.
        variants: The study's own variants, to which a user may add others.
        leave: Function that writes further files into the study's folder; None if there are none.
        links: Names of links by their ends, for paths of settings; see `paths.link_names`.
        unasked: Function of a job and of the rows of the first run of its family (see `StudyJob`). True if those rows
            show that the setting that the job varies was never used, so that the job would give the same rows.
        origin: Package or folder of the study; None for our own studies and for those made in Python.
        sought: The paper's numbers for a search of its setting; None if the study declares none.
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
    sought: Sought | None = None

    @property
    def address(self) -> str:
        """The study's name on the command line: a registered name or a folder."""
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

        Runs that an interrupted call has finished are reused.

        Args:
            quick: True for the quick form, with fewer points and replications.
            only: Name of the only figure whose runs are made, one of `figures`; by default all.
            changes: Settings and variants that differ from the study's own.
            out: Folder of the report, which is created or replaced at the end.
            jobs: Number of runs at a time; 0: one per core.
            progress: Function that is called with the numbers of finished and of all runs.
            executor: An executor or its name; by default threads of this process.
            ties: True to judge the claims on slightly changed links as well, which repeats the study 20 times with
                perturbed links.

        Raises:
            UserError: `only` is no figure of the study, or `out` cannot be written.
            ScenarioError: One of the changes is accepted by no scenario of the study.
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
        """Run a plan again, such as that of a manifest; the other arguments are those of `run`."""
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
        """Run the study with every draw of slightly changed links and return the rows of `ties.all_rows`."""
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
        """Return a figure's name in the study's spelling; "Figure 3", "figure-3" and "fig3" are accepted for "fig3".

        Raises:
            UserError: The study has no such figure; the message suggests the nearest name.
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
        """Make all runs of a plan, after `change` has modified the jobs, and return the data; see `runs.simulate`."""
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
        """Yield the runs of a plan, with the user's changes applied."""
        try:
            yield from chosen.changes.apply(self.jobs(chosen), self.links)
        except RefusedError as refused:
            own = listed(refused.scenarios, self.links)
            known = [one.path for one in own] + defaults(refused.scenarios, self.links)
            raise unknown(refused.setting, self.address, known, refused.why) from refused

    def paths(self, chosen: P) -> list[GivenSetting]:
        """Return all settings that the scenarios of a plan give, with their values."""
        return listed(dict.fromkeys(job.scenario for job in self.jobs(chosen)), self.links)

    def scenarios(self, chosen: P) -> list[dict[str, Any]]:
        """Return one row for each scenario of a plan: its labels, and its document as one line of JSON."""
        first: dict[tuple[Any, ...], StudyJob] = {}
        for job in self.changed(chosen):
            if job.labels.keys() >= set(self.scenario):
                first.setdefault(tuple(job.labels[name] for name in self.scenario), job)
        return [
            {**dict(zip(self.scenario, labels, strict=True)), "document": _document(job)}
            for labels, job in first.items()
        ]

    def analyse(self, data: StudyData) -> Reported:
        """Draw the conclusions from the data and return the report; nothing is simulated."""
        return report(self.name, self.address, self.layout, data, self.find(data))

    def report(self, folder: Path) -> StudyResult:
        """Write the report again, without simulating, from the data in a folder made by `run`; return the result."""
        from ackclock.report.writer import write

        data = StudyData.load(folder / "data")
        found = self.analyse(data)
        page = found.report
        ties: list[dict[str, Any]] = []
        if (folder / "data" / TIES).exists():
            ties, section = stored(folder / "data" / TIES)
            page = replace(page, sections=(*page.sections, section))
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
            ties=tuple(ties),
        )


@contextlib.contextmanager
def _left_where_interrupted(folder: Path) -> Iterator[None]:
    """Remove the store of finished runs at the end of the context; after an interruption keep it unless it is empty."""
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
