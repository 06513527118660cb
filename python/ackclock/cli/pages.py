"""Writes the options of the command line's reference page, keywords for type checkers, and schemas of results.

`make pages` calls ``python -m ackclock.cli.pages DOCS`` with the folder of the documentation.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from enum import EnumType
from pathlib import Path
from typing import Any, Final, get_args

from typer.models import OptionInfo

from ackclock._io.options import Options
from ackclock.cli import schemas
from ackclock.cli.app import app
from ackclock.cli.options import Page, spelt
from ackclock.comparisons.options import ComparisonOptions, TopologyOptions
from ackclock.sweeps.options import FolderOptions, SweepOptions

PAGE: Final = "reference/cli.md"
"""Path of the page in the folder of the documentation."""

KEYWORDS: Final[dict[str, tuple[str, tuple[type[Options], ...]]]] = {
    "sweeps/keywords.py": ("SweepKeywords", (SweepOptions, FolderOptions)),
    "comparisons/keywords.py": ("ComparisonKeywords", (ComparisonOptions, TopologyOptions)),
}
"""Modules of keywords in the package, each with the name of its typed dictionary and the groups of options in it."""


def keywords(name: str, groups: tuple[type[Options], ...]) -> str:
    """Return the source of a module with the typed dictionary `name`, whose keys are the options of the groups."""
    lines = [
        f"    {called}: {group.declared()[field].annotation}"
        for group in groups
        for called, field in group.named().items()
    ]
    return (
        '"""Keywords of options for type checkers, written by `make pages` from their declarations."""\n\n'
        "from __future__ import annotations\n\nfrom typing import TypedDict\n\n\n"
        f"class {name}(TypedDict, total=False):\n"
        f'    """Options of {", ".join(one.__name__ for one in groups)}, as a caller gives them."""\n\n'
        + "\n".join(lines)
        + "\n"
    )


def options_table(verb: str) -> str:
    """Return the options of a verb as a Markdown table."""
    rows = "".join(f"| {names} | {text} |\n" for names, text in _rows(verbs()[verb]))
    return f"| option | meaning |\n| --- | --- |\n{rows}"


def verbs() -> dict[str, Callable[..., Any]]:
    """Return the function of each subcommand, by the subcommand's name."""
    return {
        one.name or one.callback.__name__: one.callback for one in app.registered_commands if one.callback
    }


def _rows(verb: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    for one in inspect.signature(verb, eval_str=True).parameters.values():
        kind, *about = get_args(one.annotation) or (None,)
        info = next((each for each in about if isinstance(each, OptionInfo)), None)
        if info is None or info.hidden:
            continue
        is_flag = kind is bool
        # For an option in `Annotated`, Typer stores the first name in `default`.
        names = [str(each) for each in (info.default, *(info.param_decls or ())) if str(each).startswith("-")]
        if not names:
            names = [spelt(one.name), *([spelt(f"no_{one.name}")] if is_flag else [])]
        value = "" if is_flag else f" {info.metavar or _values(kind)}"
        texts = [
            " ".join((info.help or "").split()),
            *(each.text for each in about if isinstance(each, Page)),
        ]
        if info.show_default and not is_flag and one.default is not None:
            texts[0] = f"{texts[0].rstrip('.')}; `{_plain(one.default)}` if not given."
        written = ", ".join(f"`{name}`" for name in names)
        written = f"{written[:-1]}{value}`"
        yield written.replace("|", "\\|"), " ".join(texts).replace("|", "\\|")


def _values(kind: Any) -> str:
    """Return the values of an enumeration type, also of an optional one, separated by ``|``."""
    enums: list[Any] = [each for each in (kind, *get_args(kind)) if isinstance(each, EnumType)]
    return "|".join(str(one.value) for each in enums for one in each)


def _plain(default: Any) -> str:
    return str(getattr(default, "value", default))


def page(text: str) -> str:
    """Return the page with renewed tables of options, each of which stands between a pair of marks."""

    def table(found: re.Match[str]) -> str:
        return f"{found[1]}\n\n{options_table(found[2])}\n{found[3]}"

    return re.sub(r"(<!-- options of (\S+): make pages -->)\n.*?(<!-- end -->)", table, text, flags=re.DOTALL)


def main() -> None:
    """Write the page, the modules of keywords and the schemas of results."""
    path = Path(sys.argv[1]) / PAGE
    path.write_text(page(path.read_text(encoding="utf-8")), encoding="utf-8")
    for name, (title, groups) in KEYWORDS.items():
        (Path(__file__).parents[1] / name).write_text(keywords(title, groups), encoding="utf-8")
    schemas.write(Path(__file__).parents[1])


if __name__ == "__main__":
    main()
