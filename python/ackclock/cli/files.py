"""``ackclock check`` and ``ackclock schema``: verbs about scenario files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ackclock.cli import completion
from ackclock.cli.options import AllowCode, Json, ScenarioFile, Settings, option

CHECK_EXAMPLES = """\
ackclock check scenario.toml
ackclock check scenario.toml --set flow.0.tcp.profile=ns2 --json -
"""

SCHEMA_EXAMPLES = """\
ackclock schema --out scenario.schema.json
ackclock schema run                           of run --json and of summary.json
"""


def check(
    file: ScenarioFile,
    settings: Settings = None,
    allow_code: AllowCode = False,
    allow: Annotated[
        list[str] | None,
        option("CODE", "Leave out a rule; repeatable: ACK003.", autocompletion=completion.rules),
    ] = None,
    json: Json = None,
) -> None:
    """Check a scenario file without running it; --json gives it with every parameter filled in.

    Python files of congestion controls that it names are not run either, and their parameters are not checked, unless
    --allow-code is given.
    Mistakes end with exit status 2. Numbered rules (ackclock list rules) warn of settings that are valid but probably
    not what you meant.
    """
    from ackclock import lint
    from ackclock._io.files import json_text
    from ackclock.cli.console import note, write_json
    from ackclock.control.loading import trusting, unread
    from ackclock.scenario.scenario import load

    with trusting("all" if allow_code else "unread"):
        scenario = load(file, settings or [])
        document = scenario.view
        found = lint.check(scenario, allow=allow or [])
        recoveries = _own_recoveries(document, scenario.described)
        if json is not None:
            write_json(json, json_text(scenario.described))
    for name in unread():
        note(f"{name} was not loaded: its parameters are not checked (--allow-code loads it)")
    for one in found:
        note(str(one), warning=True)
    for text in recoveries:
        note(text)
    if json != "-":
        flows, links = len(document.get("flow", ())), len(document.get("link", ()))
        said = f"{len(found)} warning{'s' * (len(found) > 1)}" if found else "no problems found"
        typer.echo(f"{file}: {said} ({links} links, {flows} flows, {document['duration']})")


def _own_recoveries(document: Mapping[str, Any], described: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each control without a named recovery that gets its recovery from profile linux."""
    found = {}
    for given, flow in zip(document.get("flow", ()), described.get("flow", ()), strict=False):
        tcp = given.get("tcp") or {}
        name, variant = str(tcp.get("variant", "")), str((flow.get("tcp") or {}).get("variant", ""))
        linux = str(tcp.get("profile", "")).strip().lower() == "linux"
        alone = "+" not in name and not name.strip().lower().startswith("rack")
        if linux and alone and variant.split("+")[0] == "rack":
            found[name] = (
                f'"{name}" in profile "linux" is that of Linux 6.12: '
                f'variant "{variant}", with RACK-TLP, PRR and undo'
            )
    return list(found.values())


def schema(
    what: Annotated[
        str,
        typer.Argument(
            metavar="[WHAT]",
            help="scenario, run, comparison, sweep, match or digits.",
            show_default=True,
            autocompletion=completion.schemas,
        ),
    ] = "scenario",
    out: Annotated[Path | None, option("FILE", "Write it here rather than to standard output.")] = None,
) -> None:
    """Print the JSON Schema of scenario files, for editors, or of the results that --json writes.

    Results have `schema_version`, which rises if a field is removed or renamed.
    """
    import ackclock
    from ackclock._io.files import atomic_write
    from ackclock.cli.schemas import SCENARIO, SCHEMAS, file_name
    from ackclock.errors import UserError, choices

    known = (SCENARIO, *SCHEMAS)
    if what not in known:
        raise UserError(f"schema: there is no schema {what!r}{choices(what, known)}")
    text = (Path(ackclock.__file__).parent / file_name(what)).read_text(encoding="utf-8")
    if out is None:
        typer.echo(text, nl=False)
    else:
        typer.echo(atomic_write(out, text))
