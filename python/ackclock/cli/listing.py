"""``ackclock list``: lists the choices of each kind, such as variants and queues."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ackclock import _core
from ackclock.cli import completion
from ackclock.cli.options import Tables, Wide
from ackclock.errors import UserError, choices

if TYPE_CHECKING:
    from ackclock.study.loading import Origin

EXAMPLES = """\
ackclock list variants
ackclock list profiles --json
"""


KINDS = (*_core.catalogue_kinds(), "scenarios", "rules", "studies", "topologies", "definitions", "families")
"""Names of the lists."""


def _kinds(incomplete: str) -> completion.Words:
    return completion.beginning([(name, "") for name in KINDS], incomplete)


def list_(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help=", ".join(KINDS),
            show_default=False,
            autocompletion=_kinds,
        ),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything known about each, as JSON.")
    ] = False,
    wide: Wide = False,
    table: Tables = None,
) -> None:
    """List what there is: variants, queues, traces, metrics, studies, ..."""
    from ackclock._io.files import json_text
    from ackclock.cli.console import show, tables_as, write_json
    from ackclock.cli.fit import Table

    tables_as(table)
    found = entries(what)
    if as_json:
        write_json("-", json_text(found))
        return
    named = any(entry.get("aliases") for entry in found)
    placed = any(entry.get("table") for entry in found)
    sourced = any(entry.get("from") for entry in found)
    optional = {"also": named, "table": placed, "from": sourced}
    heads = ["name", *(head for head, there in optional.items() if there), "what it is"]
    rows = []
    for entry in found:
        also = [", ".join(entry.get("aliases") or [])] if named else []
        where = [str(entry.get("table") or "")] if placed else []
        where += [str(entry["from"] or "")] if sourced else []
        rows.append([entry["name"], *also, *where, entry["summary"] + _parameters(entry) + _figures(entry)])
    show(Table(what, tuple(heads), tuple(map(tuple, rows)), left=len(heads), least=("also",)), wide=wide)


def _parameters(entry: dict[str, Any]) -> str:
    """Return an entry's parameters with their defaults as text; empty for an entry without parameters."""
    given = entry.get("parameters")
    if not isinstance(given, list) or not given or "default" not in given[0]:
        return ""
    return "; " + ", ".join(f"{one['name']} = {one['default']}" for one in given)


def _figures(entry: dict[str, Any]) -> str:
    """Return the values that ``--only`` accepts for a study, as text; empty for other entries."""
    return f"; --only {', '.join(entry['figures'])}" if entry.get("figures") else ""


def _study(origin: Origin) -> dict[str, Any]:
    """Return the entry of a study; code of studies from other packages is not run."""
    from ackclock.study import registry

    if not origin.ours:
        about = origin.about or "a study of another package"
        return {"name": origin.address, "summary": about, "figures": [], "from": origin.shown}
    one = registry.get(origin.address)
    return {"name": one.name, "summary": one.summary, "figures": list(one.figures), "from": origin.shown}


def entries(what: str) -> list[dict[str, Any]]:
    """Return the entries of a list, each with name, summary and further fields."""
    if what not in KINDS:
        raise UserError(f"there is no list {what!r}{choices(what, KINDS)}")
    if what == "scenarios":
        from ackclock.scenario import examples

        return [{"name": name, "summary": examples.summary(name)} for name in examples.names()]
    if what == "studies":
        from ackclock.study import registry

        return [_study(one) for one in registry.every()]
    if what == "rules":
        from ackclock.lint import RULES

        return [
            {"name": one.code, "summary": f"{one.name}: {one.summary}", "page": one.text}
            for one in RULES.values()
        ]
    if what == "topologies":
        from ackclock.scenario.topologies import TOPOLOGIES

        return [{"name": name, "summary": summary} for name, summary in TOPOLOGIES.items()]
    if what == "definitions":
        return list(_definitions())
    if what == "families":
        from ackclock.search.families import FAMILIES

        return [
            {"name": one.name, "summary": one.summary, "measures": list(one.measures)}
            for one in FAMILIES.values()
        ]
    found: list[dict[str, Any]] = json.loads(_core.catalogue(what))
    return found


def _definitions() -> Iterator[dict[str, Any]]:
    """Yield the definitions of published quantities, among which ``ackclock match`` searches."""
    from ackclock.readings.quantities import PRESETS, QUANTITIES

    for quantity in QUANTITIES:
        for one in quantity.definitions:
            tools = [tool for tool, chosen in PRESETS.items() if chosen.get(quantity.name) == one.name]
            used = [*one.sources, *(f"--definitions {tool}" for tool in tools)]
            used += ["needs --traced"] if one.is_traced else []
            used += [f"needs a line {one.needs}"] if one.needs else []
            yield {
                "name": f"{quantity.name}: {one.name}",
                "summary": one.text,
                "from": ", ".join(used) or None,
                "quantity": quantity.name,
            }
