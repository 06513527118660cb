"""Scenarios: networks, flows and events to simulate.

A `Scenario` is immutable: its methods return new ones. This module only assembles documents. The core checks them
(names, units, ranges, routes), so that the command line, TOML files and Python have the same rules and error messages.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, SupportsIndex, TypeAlias

from ackclock import _core
from ackclock._io.files import read_text
from ackclock._io.progress import bar
from ackclock.errors import FileError, ScenarioError, choices
from ackclock.errors.suggestions import Named
from ackclock.runs.run import Run
from ackclock.scenario import examples, views
from ackclock.scenario.toml import plain, plain_toml, value_text
from ackclock.scenario.wildcards import expand

if TYPE_CHECKING:
    from ackclock.runs.simulation import Simulation

Document: TypeAlias = dict[str, Any]
"""A scenario as dictionaries and lists, with the TOML file's keys."""


@dataclass(frozen=True)
class Template:
    """A document with unexpanded counts, from which a scenario can be expanded again with other counts."""

    document: Document
    settings: tuple[str, ...] = ()
    """``PATH=VALUE`` settings that were applied after the counts were expanded."""
    folder: str = "."
    """Folder to which file names in the document are relative."""


COUNTED = ("flow", "link", "node")
"""Lists whose tables may have a ``count``."""

OF_COPIES = ("count", "step")
"""Keys of such tables that set the number of copies and the difference between their numbers."""


class Scenario(Named):
    """An experiment that can be run: nodes, links, flows, events, duration and seed.

    ::

        scenario = ac.load("dumbbell").set("link.bottleneck.rate", "5Mbps")
        run = scenario.run(seed=1)

    A scenario is immutable: `set`, `with_` and `apply` return a changed copy.
    """

    __slots__ = ("_canonical", "_document", "_template", "_text", "_toml")

    ELSEWHERE: ClassVar[dict[str, str]] = {
        "sweep": "ackclock.sweep(scenario, settings)",
        "compare": "ackclock.compare(variants, scenario=scenario)",
        "plot": "run().plot",
        "flows": "run().flows",
        "update": "with_",
    }

    def __init__(self, document: Mapping[str, Any], *, allow_code: bool = False) -> None:
        """Make a scenario from a document with the TOML file's keys.

        The document is checked when the scenario is run or changed by path. Short forms (``queue = 8``, ``count = 4``)
        are expanded. Files that the document names (rate and loss traces, congestion controls) are read now, relative
        to the working directory; the scenario then contains their content.

        Args:
            document: Tables, lists, text and numbers.
            allow_code: Run the Python files of congestion controls that the document names (``"./mine.py:Mine"``).
                Otherwise such a name raises `UserError`, unless the file has been loaded before.

        """
        self._take(plain(document), allow_code)

    def _take(self, document: Document, allow_code: bool = False) -> None:
        """Keep a document of plain values, as `__init__` does."""
        self._document: Document = document
        self._template: Template | None = None
        self._text = json.dumps(self._document, ensure_ascii=False)
        self._canonical = self._toml = ""
        if '"trace"' in self._text or _in_short(self._document) or _names_own_control(self._text):
            if _has_counts(self._document):
                self._template = Template(self._document)
            with _trusting(allow_code):
                self._document = json.loads(_core.read_files(self._text, "."))
            self._text = json.dumps(self._document, ensure_ascii=False)

    @classmethod
    def of_plain(cls, document: Document) -> Self:
        """Return the scenario of a document that consists of plain values and that nobody changes any more."""
        made = cls.__new__(cls)
        made._take(document)
        return made

    @property
    def view(self) -> Mapping[str, Any]:
        """The document that `document` copies. Do not change it."""
        return self._document

    def document(self) -> Document:
        """Return a copy of the document: the content of the TOML file as dictionaries and lists."""
        copied: Document = json.loads(self._text)
        return copied

    @property
    def seed(self) -> int:
        """Seed of all random draws for runs that are not given a seed of their own."""
        return int(self._document.get("seed", 1))

    def json(self) -> str:
        """Return the document as JSON text."""
        return self._text

    def canonical(self) -> str:
        """Return the document as JSON text with sorted keys; equal scenarios have equal texts."""
        if not self._canonical:
            self._canonical = json.dumps(self._document, sort_keys=True, ensure_ascii=False)
        return self._canonical

    def to_toml(self) -> str:
        """Return TOML text from which `load` reads the same scenario."""
        if not self._toml:
            self._toml = plain_toml(self._document)
        return self._toml

    def check(self) -> Self:
        """Check the whole scenario and return it.

        Raises:
            ScenarioError: If a field is wrong; the error names it.
        """
        if _names_own_control(self._text):
            _core.check(self._text, "json", [])
        else:
            views.checked(self._text)
        return self

    def describe(self) -> dict[str, Any]:
        """Return nodes, links and flows with all parameters, including those from defaults and profiles."""
        described: dict[str, Any] = json.loads(_core.describe(self.json(), "json"))
        return described

    @property
    def described(self) -> Mapping[str, Any]:
        """The description that `describe` copies. Do not change it: all who ask get the same.

        Equal tables of flows and links are one object.
        """
        # The code of a control may be loaded later, and then decides what its parameters are.
        own = _names_own_control(self._text)
        return views.read(self._text) if own else views.described(self._text)

    def set(self, path: str, value: object) -> Self:
        """Return a copy with one changed value: ``scenario.set("link.bottleneck.rate", "5Mbps")``.

        A path refers to an entry of a list by its number, or by its name if it has one. A ``*`` means every entry that
        has the key: ``set("flow.*.tcp.variant", "vegas")`` does not change UDP flows (see `taken`).
        """
        return self.with_({path: value})

    def with_(self, settings: Mapping[str, object] | None = None, /, **values: object) -> Self:
        """Return a copy with several changed values, given by path or, at the top level, by keyword.

        ``scenario.with_({"link.bottleneck.rate": "5Mbps", "link.bottleneck.delay": "9ms"}, duration="30s")``. The
        copy is checked once, after all changes.
        """
        merged = {**(settings or {}), **values}
        return self.apply(f"{path}={value_text(value, path)}" for path, value in merged.items())

    def apply(self, settings: Iterable[str]) -> Self:
        """Return a copy with ``PATH=VALUE`` settings applied, as ``--set`` does on the command line.

        A ``count`` may also be changed later: ``apply(["flow.web.count=8"])`` makes the copies anew and applies the
        settings given so far to them.
        """
        given = list(settings)
        if any(sets_copies(text) for text in given):
            return self._recounted(given)
        expanded = [one for text in given for one in expand(text, self)]
        with _typed(expanded):
            made = self.of_plain(json.loads(_core.check(self.json(), "json", expanded)))
        if self._template is not None:
            made._template = replace(self._template, settings=(*self._template.settings, *given))
        return made

    @property
    def template(self) -> Template:
        """The document before its counts were expanded, and the settings applied since then."""
        return self._template or Template(self._document)

    def _recounted(self, settings: Sequence[str]) -> Self:
        """Return a copy with new counts: expand the template again, then apply all other settings."""
        template = self.template
        counted = json.loads(json.dumps(template.document))
        for text in settings:
            if sets_copies(text):
                path, _, value = text.partition("=")
                _set_copies(counted, path.strip(), value.strip())
        others = [text for text in (*template.settings, *settings) if not sets_copies(text)]
        made = self.of_plain(json.loads(_core.read_files(json.dumps(counted), template.folder)))
        made._template = replace(template, document=counted, settings=())
        return made.apply(others)

    def run(
        self,
        duration: str | None = None,
        *,
        seed: int | None = None,
        jitter_s: float = 0.0,
        traces: Iterable[str] = (),
        bin_s: float = 1.0,
        progress: Callable[[float, int], None] | None = None,
        confirm: bool = False,
    ) -> Run:
        """Run the scenario and return the results.

        ``scenario.run("60s", seed=1, traces=["cwnd", "queue"])``

        Args:
            duration: Length of the run with a unit (``"132s"``), in place of the scenario's own.
            seed: Seed of all random draws, in place of the scenario's own.
            jitter_s: Upper bound of a random delay of each flow's start, seconds.
            traces: Names of traces to record (``ackclock list traces``). `Run.trace` can still get other traces
                later: it repeats the run, which gives the same packets.
            bin_s: Width of the bins of the throughput trace, seconds.
            progress: Function called at most ten times per second with the simulated fraction (0 to 1) and the number
                of events so far. If it raises an exception, the run stops and raises it. Without this function a
                notebook shows a progress bar if the run takes longer than a second.
            confirm: Run even if the traces are estimated not to fit.

        Raises:
            ScenarioError: If the scenario is not valid; the error names the field.
            InsufficientSpaceError: Before the run, if its traces are estimated not to fit into memory or the
                temporary folder.
            KeyboardInterrupt: Within a second of Ctrl-C.
            FileError: During the run, before its traces fill the temporary folder.
            MemoryError: During the run, before it exhausts the memory of the machine or container (Linux).

        """
        scenario = self if duration is None else type(self)({**self._document, "duration": duration})
        names = tuple(traces)
        if names and not confirm:
            from ackclock.runs.footprint import CONFIRM, RunRequest, check_space

            check_space([RunRequest(scenario, seed, jitter_s, names, bin_s)], CONFIRM)
        with bar("running", wanted=None if progress is None else False) as shown:
            told = progress if shown is None else lambda part, _: shown(part, 1)
            if names:
                told = _while_there_is_room(told)
            result = _core.run(
                scenario.json(), seed=seed, jitter_s=jitter_s, traces=names, bin_s=bin_s, progress=told
            )
        return Run(scenario, result, seed=seed, jitter_s=jitter_s, bin_s=bin_s, traces=names, confirm=confirm)

    def start(
        self,
        duration: str | None = None,
        *,
        seed: int | None = None,
        jitter_s: float = 0.0,
        traces: Iterable[str] = (),
        bin_s: float = 1.0,
        adjustable: Sequence[str | int] = (),
    ) -> Simulation:
        """Return a simulation of the scenario at time 0, for a program to advance step by step.

        ``sim = scenario.start(seed=1)``, then ``sim.advance("2s")``; see `Simulation`.

        Args:
            duration: Length of the run with a unit, in place of the scenario's own.
            seed: Seed of all random draws, in place of the scenario's own.
            jitter_s: Upper bound of a random delay of each flow's start, seconds.
            traces: Names of traces to record. Name all that you need: a run that a program changes cannot be repeated.
            bin_s: Width of the bins of the throughput trace, seconds.
            adjustable: Links, by name or number, whose rate `Simulation.set_link_rate` may change.

        """
        from ackclock.runs.simulation import Simulation

        scenario = self if duration is None else type(self)({**self._document, "duration": duration})
        return Simulation(
            scenario, seed=seed, jitter_s=jitter_s, traces=traces, bin_s=bin_s, adjustable=adjustable
        )

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Pickle the scenario, with the data by which another process finds its user-defined controls."""
        records = self._document.get("control")
        if not records:
            return super().__reduce_ex__(protocol)
        from ackclock.control.loading import parcel

        return _received, (parcel(records), self._document)

    def __eq__(self, other: object) -> bool:
        """Return true if both scenarios have the same document."""
        return self is other or (isinstance(other, Scenario) and self._document == other._document)

    def __hash__(self) -> int:
        """Hash the document."""
        return hash(self.canonical())

    def __repr__(self) -> str:
        """Show the number of flows and of links, and the duration."""
        flows, links = self._document.get("flow", ()), self._document.get("link", ())
        return (
            f"Scenario({len(flows)} flows, {len(links)} links, duration={self._document.get('duration')!r})"
        )


def _received(controls: Sequence[tuple[str, ...]], document: Document) -> Scenario:
    from ackclock.control.loading import unpack

    unpack(controls)
    return Scenario(document)


def _names_own_control(text: str) -> bool:
    """Return true if a document may name a user-defined control, so that its source must be recorded."""
    if ".py:" in text or '"sha256"' in text:
        return True
    loaded = sys.modules.get("ackclock.control.loading")  # If it is not imported, no control is registered.
    return loaded is not None and bool(loaded.names_one(text))


def _trusting(allow_code: bool) -> AbstractContextManager[None]:
    """Permit code that a document names to be loaded inside the context if `allow_code` is true."""
    if not allow_code:
        return nullcontext()
    from ackclock.control.loading import trusting

    return trusting("all")


def _typed(settings: Sequence[str], *folders: Path) -> AbstractContextManager[None]:
    """Load control files that settings name; a name typed by the user counts as permission."""
    if not any(".py:" in one for one in settings):
        return nullcontext()
    from ackclock.control.loading import typed

    return typed(settings, folders)


def load(path: str | Path, settings: Iterable[str] = (), *, allow_code: bool = False) -> Scenario:
    """Read a scenario from a TOML file (or JSON, by the file's suffix), apply ``PATH=VALUE`` settings, and check it.

    ``ac.load("mine.toml", ["link.bottleneck.rate=2Mbps"])``. If there is no such file, `path` can be the name of an
    example in the package: ``ac.load("dumbbell")``.

    Args:
        path: A regular file of at most 16 MiB, or an example's name.
        settings: Settings as ``--set`` takes them.
        allow_code: Run the Python files of congestion controls that the scenario names. Files that settings name are
            always run.

    Raises:
        FileError: If the file cannot be read.
        UserError: If the scenario names a Python file that may not be run.
        ScenarioError: If the content is not valid; the error names the field, and the line if it is known.

    """
    path = Path(path)
    if not path.exists():
        path = examples.find(path) or path
    text = read_text(path, examples=examples.names())
    form: Literal["json", "toml"] = "json" if path.suffix.lower() == ".json" else "toml"
    given = list(settings)
    with _trusting(allow_code), _typed(given, path.parent):
        if any("*" in setting.partition("=")[0] or sets_copies(setting) for setting in given):
            scenario = Scenario.of_plain(json.loads(_core.check(text, form, [], path.parent)))
            scenario._template = _template_of(text, form, path.parent)
            return scenario.apply(given)
        scenario = Scenario.of_plain(json.loads(_core.check(text, form, given, path.parent)))
        template = _template_of(text, form, path.parent)
        scenario._template = None if template is None else replace(template, settings=tuple(given))
        return scenario


def _template_of(text: str, form: str, folder: Path) -> Template | None:
    """Return a file's template; None if no table has a count."""
    if "count" not in text:
        return None
    document: Document = plain(json.loads(text) if form == "json" else tomllib.loads(text))
    return Template(document, (), str(folder)) if _has_counts(document) else None


def _while_there_is_room(told: Callable[[float, int], None] | None) -> Callable[[float, int], None]:
    """Return a progress function that calls `told`, and raises `FileError` if traces fill the temporary folder."""
    import shutil
    import tempfile

    from ackclock.runs.footprint import LEAST_ROOM

    folder = tempfile.gettempdir()
    began = shutil.disk_usage(folder).free

    def report(part: float, events: int) -> None:
        left = shutil.disk_usage(folder).free
        if part < 1 and left < LEAST_ROOM <= began - left:
            raise FileError(
                f"stopped after {part:.1%} of the run: its traces wait in {folder}, which is nearly full\n"
                "  record fewer traces or a shorter run, or set TMPDIR to a folder with more room"
            )
        if told is not None:
            told(part, events)

    return report


def _in_short(document: Mapping[str, Any]) -> bool:
    """Return true if any link or flow of a document has a value in short form."""
    entries = document.get("link")
    links = [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
    ways = [*links, *(link["reverse"] for link in links if isinstance(link.get("reverse"), dict))]
    return (
        _has_counts(document)
        or any("queue" in way and not isinstance(way["queue"], dict) for way in ways)
        or any("loss" in link and isinstance(link["loss"], int | float) for link in links)
    )


def _has_counts(document: Mapping[str, Any]) -> bool:
    """Return true if any table of a document has a ``count``."""
    lists = (document.get(kind) for kind in COUNTED)
    return any(
        "count" in one for some in lists if isinstance(some, list) for one in some if isinstance(one, dict)
    )


def sets_copies(setting: str) -> bool:
    """Return true if a setting sets the copies of a table, as ``flow.web.count=8`` and ``flow.web.step=2`` do."""
    parts = setting.partition("=")[0].strip().split(".")
    return len(parts) == 3 and parts[0] in COUNTED and parts[2] in OF_COPIES


def _set_copies(document: Document, path: str, value: str) -> None:
    """Set the count or the step of the tables that a path refers to by number, name or ``*``."""
    kind, name, key = path.split(".")
    tables = document.get(kind, [])
    named = [one for one in tables if str(one.get("name", "")).replace("{i}", "") == name.replace("{i}", "")]
    if name == "*":
        named = [one for one in tables if "count" in one] or list(tables)
    elif not named and name.isdigit():
        named = tables[int(name) : int(name) + 1]
    if not named:
        names = [str(one.get("name", i)) for i, one in enumerate(tables)]
        raise ScenarioError(f"{path}: there is no {kind} {name!r}{choices(name, names)}")
    for one in named:
        one[key] = int(value) if value.isdigit() else value
