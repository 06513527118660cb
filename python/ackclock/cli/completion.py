"""Completion of arguments and options in bash, zsh, fish and PowerShell: names of the package, settings, and files.

Each function takes the typed beginning of a word and returns the possible words. If the line before it has an error,
such as a scenario file that cannot be read, no words are returned.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import typer

Words: TypeAlias = "list[tuple[str, str]]"
"""Words, each with a description that zsh, fish and PowerShell show."""

MOST_PATHS: Final = 60
"""Maximum number of complete paths of settings that are offered; if there are more, paths are cut at the next dot."""

LONGEST: Final = 60
"""Maximum length of a description, characters."""

FILES: Final = (".toml", ".json")
"""Suffixes of scenario files."""

ENTRIES: Final = ("flow", "link", "wifi", "lte", "node")
"""Lists of a scenario whose entries may be named in paths."""


def scenario_files(incomplete: str) -> Words:
    """Return example scenarios, and scenario files and folders on the disk."""
    from ackclock.scenario import examples

    named = [] if "/" in incomplete else [(name, examples.summary(name)) for name in examples.names()]
    return [*beginning(named, incomplete), *_on_disk(incomplete, FILES)]


def folders(incomplete: str) -> Words:
    """Return folders on the disk."""
    return _on_disk(incomplete, ())


def variants(incomplete: str) -> Words:
    """Return variants of TCP and stacks; text before the last ``=`` is kept as a label."""
    head, equals, last = incomplete.rpartition("=")
    known = _catalogue("variants") + _catalogue("stacks")
    return beginning([(f"{head}{equals}{name}", text) for name, text in known], f"{head}{equals}{last}")


def traces(incomplete: str) -> Words:
    """Return traces for the last name of a list that is separated by commas."""
    return _next_of_list(_catalogue("traces"), incomplete)


def figures(incomplete: str) -> Words:
    """Return figures of a run for the last name of a list that is separated by commas."""
    from ackclock.runs.run import FIGURES

    return _next_of_list([(name, "") for name in FIGURES], incomplete)


def models(incomplete: str) -> Words:
    """Return models with predictions for the last name of a list that is separated by commas."""
    from ackclock.theory import NAMES

    return _next_of_list([(name, "") for name in NAMES], incomplete)


def measures(incomplete: str) -> Words:
    """Return measures of runs for the last name of a list that is separated by commas."""
    from ackclock.stats.measures import GOODPUT_SHARE, MEASURES

    known = [(one.name, one.title) for one in MEASURES]
    return _next_of_list([*known, (f"{GOODPUT_SHARE.name}:", GOODPUT_SHARE.title)], incomplete)


def harms(incomplete: str) -> Words:
    """Return measures of harm for a search."""
    from ackclock.search.measures import MEASURES

    return beginning([(one.name, one.summary) for one in MEASURES.values()], incomplete)


def families(incomplete: str) -> Words:
    """Return families of scenarios for a search."""
    from ackclock.search.families import FAMILIES

    return beginning([(one.name, one.summary) for one in FAMILIES.values()], incomplete)


def studies(incomplete: str) -> Words:
    """Return the registered studies, and folders on the disk."""
    from ackclock.study import registry

    known = [(one.address, one.about or "") for one in registry.every()]
    return [*beginning([*known, ("all", "every study of the package")], incomplete), *folders(incomplete)]


def figures_of_study(ctx: typer.Context, incomplete: str) -> Words:
    """Return the figures and tables of the study on the line; empty if the study is not one of the package's."""
    from ackclock.study import registry

    name = _argument(ctx, "name")
    if name not in registry.names():
        return []
    return beginning([(one, "") for one in registry.get(str(name)).figures], incomplete)


def settings(ctx: typer.Context, incomplete: str) -> Words:
    """Return paths of settings of the scenario on the line; after ``=``, the values of a setting that is a choice."""
    path, equals, _ = incomplete.partition("=")
    if equals:
        known = [(f"{path}={name}", text) for name, text in _values(path)]
        return beginning(known, incomplete)
    try:
        described = _scenario(ctx)
    except Exception:  # no words for an incomplete or wrong line
        return []
    return beginning([(one, "") for one in _stepwise(sorted(_paths(described)), incomplete)], incomplete)


def starters(incomplete: str) -> Words:
    """Return the kinds of files that ``ackclock init`` can write."""
    from ackclock.scenario.starters import KINDS

    return beginning([(name, "") for name in KINDS], incomplete)


def of_catalogue(kind: str) -> Callable[[str], Words]:
    """Return a function that completes names of one of the core's lists, such as ``profiles``."""

    def complete(incomplete: str) -> Words:
        return beginning(_catalogue(kind), incomplete)

    return complete


def topologies(incomplete: str) -> Words:
    """Return the ready-made topologies."""
    from ackclock.scenario.topologies import TOPOLOGIES

    return beginning(list(TOPOLOGIES.items()), incomplete)


def schemas(incomplete: str) -> Words:
    """Return the names of the schemas of ``ackclock schema``."""
    from ackclock.cli.schemas import SCENARIO, SCHEMAS

    return beginning([(name, "") for name in (SCENARIO, *SCHEMAS)], incomplete)


def criteria(incomplete: str) -> Words:
    """Complete the name of a criterion of ``evaluate``."""
    from ackclock.evaluate.criteria import CRITERIA

    return beginning([(one.key, one.title) for one in CRITERIA.values()], incomplete)


def rules(incomplete: str) -> Words:
    """Return the codes of the rules of ``ackclock check``."""
    from ackclock.lint import RULES

    return beginning([(one.code, one.name) for one in RULES.values()], incomplete)


BY_OPTION: Final[Mapping[str, Callable[[str], Words]]] = {
    "against": variants,
    "by": measures,
    "measure": measures,
    "profile": of_catalogue("profiles"),
    "topology": topologies,
}
"""Functions for options that are declared with `ackclock._io.options`, by the option's name."""


def beginning(words: Iterable[tuple[str, str]], incomplete: str) -> Words:
    """Return those words that begin with the typed text, with shortened descriptions."""
    return [(word, _brief(text)) for word, text in words if word.startswith(incomplete)]


def _brief(text: str) -> str:
    """Return a description shortened to one line of a terminal; shells show no more."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rpartition(' ')[0]}…"


def _next_of_list(known: Sequence[tuple[str, str]], incomplete: str) -> Words:
    """Return the words that may follow the last comma, each preceded by the list typed so far."""
    before, comma, last = incomplete.rpartition(",")
    given = set(before.split(","))
    return [
        (f"{before}{comma}{name}", _brief(text))
        for name, text in known
        if name.startswith(last) and name not in given
    ]


def _catalogue(kind: str) -> list[tuple[str, str]]:
    from ackclock import _core

    return [(str(one["name"]), str(one.get("summary", ""))) for one in json.loads(_core.catalogue(kind))]


def _on_disk(incomplete: str, endings: tuple[str, ...]) -> Words:
    """Return folders, which get a slash at the end, and files with one of these suffixes."""
    folder = incomplete[: incomplete.rfind("/") + 1]
    found = []
    with contextlib.suppress(OSError):
        for one in sorted(Path(folder or ".").expanduser().iterdir()):
            if one.name.startswith(".") and not incomplete.rpartition("/")[2].startswith("."):
                continue
            if one.is_dir():
                found.append((f"{folder}{one.name}/", ""))
            elif one.suffix.lower() in endings:
                found.append((f"{folder}{one.name}", ""))
    return beginning(found, incomplete)


def _argument(ctx: typer.Context, *names: str) -> Any:
    """Return the first argument on the line, which the verb calls by one of `names`; None if there is none.

    If the last option on the line has no value yet, the parser leaves the argument in ``ctx.args``.
    """
    for name in names:
        given = ctx.params.get(name)
        if given:
            return given[0] if isinstance(given, list | tuple) else given
    return None if ctx.info_name == "compare" else next(iter(ctx.args), None)


def _scenario(ctx: typer.Context) -> dict[str, Any]:
    """Return the description of the scenario that the command line names; of the dumbbell if it names none."""
    from ackclock.scenario.scenario import load
    from ackclock.scenario.topologies import dumbbell

    given = ctx.params.get("scenario") or _argument(ctx, "file", "files")
    return (dumbbell() if given is None else load(given)).describe()


def _paths(described: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths of all values in a scenario's description; an entry with a name is selected by the name."""
    for key, value in described.items():
        if key in ENTRIES and isinstance(value, list):
            for i, one in enumerate(value):
                yield from _below(f"{key}.{one.get('name') or i}", one)
                if "tcp" in one:  # a description has a profile's values instead of its name
                    yield f"{key}.{one.get('name') or i}.tcp.profile"
            if len(value) > 1:
                yield from dict.fromkeys(path for one in value for path in _below(f"{key}.*", one))
        else:
            yield from _below(key, value)


def _below(path: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping) and value:
        for key, one in value.items():
            if key not in ("name", "between", "from", "to", "a", "b"):
                yield from _below(f"{path}.{key}", one)
    else:
        yield path


def _stepwise(paths: Sequence[str], incomplete: str) -> list[str]:
    """Return the paths that begin with the typed text.

    If there are too many, paths are cut at the next dot at which they differ.
    """
    found = [one for one in dict.fromkeys(paths) if one.startswith(incomplete)]
    depth = incomplete.count(".") + 1
    while len(found) > MOST_PATHS:
        short = list(
            dict.fromkeys(
                ".".join(one.split(".")[:depth]) + ("." if one.count(".") >= depth else "") for one in found
            )
        )
        if len(short) > 1:
            return short
        depth += 1
    return found


def _values(path: str) -> list[tuple[str, str]]:
    """Return the possible values of a setting that is a choice of names; empty for other settings."""
    key = path.rpartition(".")[2]
    lists = {"variant": "variants", "profile": "profiles"}
    if key in lists:
        return _catalogue(lists[key])
    return _catalogue("queues") if path.endswith("queue.kind") else []
