"""Paths of settings in a study's scenarios: names of links, and a list of all settings given by the scenarios."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from ackclock.errors import UserError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ackclock.scenario.scenario import Scenario

MOST_NODES: Final = 6
"""Greatest number of nodes that are listed separately. If a scenario has more, one path with ``*`` stands for all."""

MOST_VALUES: Final = 5
"""Greatest number of values of a setting that are listed."""

LONGEST: Final = 40
"""Greatest number of characters of a listed value; longer values are cut."""

LEFT_OUT: Final = ("seed", "name", "between", "from", "to", "stations", "ue")
"""Keys left out of the list: names and ends of entries, and the seed, since each run has its own seed."""


@dataclass
class GivenSetting:
    """A setting that some scenarios of a study give.

    Attributes:
        path: Path of the setting, as ``--set`` takes it.
        values: The distinct values, as text.
        scenarios: Number of scenarios that give the setting.
    """

    path: str
    values: list[str] = field(default_factory=list)
    scenarios: int = 0

    @property
    def shown(self) -> str:
        """The values on one line: the first ones, then the number of further ones."""
        more = len(self.values) - MOST_VALUES
        return ", ".join([*self.values[:MOST_VALUES], *([f"and {more} more"] if more > 0 else [])])


def link_names(scenario: Scenario, links: Mapping[str, str]) -> list[str]:
    """Return the name of each link of a scenario.

    Args:
        scenario: The scenario.
        links: Names by patterns of the links' ends: ``{"n2-n3": "bottleneck", "*": "access"}``. The first pattern that
            matches gives the name. A link that matches no pattern is named by its ends.
    """
    names = []
    for link in scenario.document().get("link", ()):
        ends = "-".join(link["between"])
        fitting = (name for pattern, name in links.items() if fnmatchcase(ends, pattern))
        names.append(str(link.get("name") or next(fitting, ends)))
    return names


def numbered(setting: str, scenario: Scenario, links: Mapping[str, str]) -> list[str]:
    """Return a ``PATH=VALUE`` setting with link numbers instead of a link's name, one for each link of the name.

    Raises:
        UserError: The scenario has no link of that name.
    """
    path, equals, value = setting.partition("=")
    first, *rest = path.split(".")
    if first != "link" or not rest or rest[0].isdigit() or rest[0] == "*":
        return [setting]
    known = link_names(scenario, links)
    found = [i for i, name in enumerate(known) if name == rest[0]]
    if not found:
        has = f"allowed: {', '.join(dict.fromkeys(known))}" if known else "it has no links"
        raise UserError(f"{path}: there is no link {rest[0]}\n  {has}")
    return [f"{'.'.join(['link', str(i), *rest[1:]])}{equals}{value}" for i in found]


def listed(scenarios: Iterable[Scenario], links: Mapping[str, str]) -> list[GivenSetting]:
    """Return all settings given by the scenarios, by path.

    A path has a link's name if the link is named, and ``*`` for a flow without a name.
    """
    found: dict[tuple[str, ...], GivenSetting] = {}
    every = list(scenarios)
    many = any(len(scenario.document().get("node", ())) > MOST_NODES for scenario in every)
    for scenario in every:
        seen: set[tuple[str, ...]] = set()
        for path, value in _given(scenario.document(), link_names(scenario, links), many=many):
            one = found.setdefault(path, GivenSetting(".".join(path)))
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
            if text not in one.values:
                one.values.append(text)
            if path not in seen:
                one.scenarios += 1
                seen.add(path)
    return [found[path] for path in sorted(found, key=lambda path: (path[0] != "duration", path))]


def defaults(scenarios: Sequence[Scenario], links: Mapping[str, str]) -> list[str]:
    """Return the paths of all settings of the first scenario, including those with default values."""
    described, own = scenarios[0].describe(), scenarios[0].document()
    for flow, given in zip(described["flow"], own.get("flow", ()), strict=False):
        flow["name"] = given.get("name")
    found = _given(described, link_names(scenarios[0], links), many=True)
    return list(dict.fromkeys(".".join(path) for path, _ in found))


def unknown(setting: str, study: str, known: Iterable[str], why: Exception) -> Exception:
    """Return the error for a setting that no scenario of a study accepts.

    If the setting's path is unknown, the error suggests the nearest known path.

    Args:
        setting: The ``PATH=VALUE`` text.
        study: The study's name.
        known: Paths of the settings that the scenarios give or have by default.
        why: The first scenario's error.
    """
    path = setting.partition("=")[0]
    paths = dict.fromkeys(known)
    if any(_names(path, one) for one in paths):
        return why
    close = nearest(path, paths)
    hint = f"\n  did you mean {close}?" if close else ""
    return UserError(
        f"{path}: no scenario of study {study} has such a setting\n  given:   {setting}{hint}\n"
        f"  its settings: ackclock study {study} --paths"
    )


def _names(path: str, known: str) -> bool:
    """Return true if `path` is the known path or a table that contains it, regardless of the entry's number or name."""
    given, wanted = path.split("."), known.split(".")
    if len(given) > len(wanted):
        return False
    loose = len(given) > 1 and (given[1] == "*" or given[1].isdigit() or wanted[1] == "*")
    return all(a == b or (i == 1 and loose) for i, (a, b) in enumerate(zip(given, wanted, strict=False)))


def _given(
    document: Mapping[str, Any], links: list[str], *, many: bool = False
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in document.items():
        entries = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
        if not entries:
            yield from _below((key,), value)
            continue
        for i, entry in enumerate(value):
            if key == "link":
                name = links[i]
            elif key == "node" and many:
                name = "*"
            else:
                name = str(entry.get("name") or ("*" if key == "flow" else i))
            yield from _below((key, name), entry)


def _below(path: tuple[str, ...], value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in LEFT_OUT:
                yield from _below((*path, key), inner)
    elif path[0] not in LEFT_OUT:
        yield path, value
