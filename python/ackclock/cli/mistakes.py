"""Error messages of the command line that tell the fix: unknown verbs and options, wrong values, missing arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import typer

from ackclock.errors import SAID, choices, nearest

VERBS = {
    "help": "--help",
    "version": "--version",
    "simulate": "run",
    "start": "run",
    "plot": "run FILE --plot cwnd",
    "trace": "run FILE --trace cwnd",
    "animate": "run FILE --animate FILE.html",
    "validate": "check",
    "lint": "check",
    "vary": "sweep",
    "campaign": "sweep",
    "reproduce": "study",
    "show": "list",
    "variants": "list variants",
    "queues": "list queues",
    "studies": "list studies",
    "metrics": "list metrics",
}
"""Names under which other programs have a verb, with ackclock's command."""

OPTIONS = {f"--{word}": f"--{option}" for word, option in SAID.items()} | {
    "--threads": "--jobs",
    "--workers": "--jobs",
    "--backend": "--executor",
    "--cluster": "--executor",
    "--scheduler": "--executor",
    "--output": "--out",
    "--output-dir": "--out",
    "--param": "--set",
    "--override": "--set",
    "--file": "--scenario",
    "--grid": "--vary",
    "--group": "--by",
    "--hue": "--by",
    "--force": "--replace",
    "--overwrite": "--replace",
}
"""Options of other programs, with the option of ackclock that a verb may have instead."""

KINDS = {"integer": "a whole number", "number": "a number"}
"""Descriptions of the types of values, by the parser's name."""

LIMITS = {"greater": "or more", "less": "or less"}
"""Words after a limit in a message, by the parser's name."""


def answer(error: Any, arguments: Sequence[str]) -> str:
    """Return the message for a parser's error: the wrong text, the allowed form, and the fix."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "ackclock"
    kind = type(error).__name__
    message: str = error.format_message()
    unknown = re.match(r"No such command '(.*?)'", message)
    if unknown is not None:
        return _verb(unknown[1], list(error.cmd.commands))
    if kind == "NoSuchOption":
        return _option(error.option_name, path, _options(error.cmd))
    if kind == "MissingParameter":
        return f"{path}: {_missing(error.param)}{_example(context)}\n  see {path} --help"
    if kind == "BadParameter" and getattr(error, "param", None) is not None:
        return _value(error.param, error.message, arguments)
    if kind == "BadOptionUsage":
        return f"{error.option_name} needs a value: {_metavar(error.option_name, arguments)}"
    extra = re.match(r"Got unexpected extra arguments?\(?s?\)? \((.*)\)", message)
    if extra is not None:
        return _extra(extra[1], path)
    return f"{message}\n  see {path} --help"


def _metavar(option: str, arguments: Sequence[str]) -> str:
    """Return the placeholder of an option's value that the verb's help shows."""
    from ackclock.cli.app import app

    command = typer.main.get_command(app)
    verbs: dict[str, Any] = getattr(command, "commands", {})
    verb = next((verbs[one] for one in arguments if one in verbs), command)
    found = next((one for one in verb.params if option in one.opts), None)
    return str(getattr(found, "metavar", None) or "VALUE")


def _verb(given: str, verbs: list[str]) -> str:
    if given.lower() in VERBS:
        return f"there is no verb {given!r}\n  try: ackclock {VERBS[given.lower()]}"
    if given.endswith((".toml", ".json")):
        return f"there is no verb {given!r}\n  to run the file: ackclock run {given}"
    return f"there is no verb {given!r}{choices(given, verbs)}"


def _options(command: Any) -> list[str]:
    return [name for one in command.params for name in one.opts if name.startswith("--")]


def _option(given: str, path: str, known: list[str]) -> str:
    ours = OPTIONS.get(given)
    close = ours if ours in known else nearest(given, known)
    fix = f"\n  did you mean {close}?" if close else ""
    return f"{path} has no option {given}{fix}\n  see {path} --help"


def _missing(parameter: Any) -> str:
    named = {
        "file": "name a scenario file, or an example (ackclock list scenarios)",
        "what": "name a list",
        "name": "name a study, or all",
        "kind": "name what the file shall describe",
        "first": "name two profiles and a scenario file",
        "control": "name a control: a file and a class",
    }
    text = named.get(parameter.name, f"{parameter.name.upper()} is missing")
    # If an argument is a choice of names, its help lists the names.
    listed = getattr(parameter, "help", None) or ""
    return f"{text}\n  allowed: {listed}" if re.fullmatch(r"[\w-]+(, [\w-]+)+", listed) else text


def _example(context: Any) -> str:
    """Return a verb's first example, which its help shows at the end."""
    examples = getattr(getattr(context, "command", None), "epilog", None) or ""
    first = re.search(r"^ *(ackclock [^#\n]*?)(?:  .*)?$", examples, re.MULTILINE)
    return f"\n  for example: {first[1]}" if first else ""


def _value(parameter: Any, message: str, arguments: Sequence[str]) -> str:
    name = max(parameter.opts, key=len)
    name = name if name.startswith("-") else parameter.name.upper()
    given = _given(parameter.opts, arguments)
    head = f"{name} {given}".rstrip()
    found = re.search(r"unable to parse string as an? (integer|number)", message)
    if found is not None:
        return f"{head}: not {KINDS[found[1]]}{_percent(name, given)}"
    found = re.search(r"should be (greater|less) than or equal to (\S+)", message)
    if found is not None:
        return f"{head}: out of range\n  allowed: {found[2]} {LIMITS[found[1]]}{_percent(name, given)}"
    one_of = re.search(r"'(.*?)' is not one of (.*?)\.?$", message)
    if one_of is not None:
        allowed = re.findall(r"'(.*?)'", one_of[2])
        return f"{name}: there is no {one_of[1]!r}{choices(one_of[1], allowed)}"
    return f"{head}: {message}"


def _percent(name: str, given: str) -> str:
    """Return a hint for a confidence level given in percent to ``--level``; empty for other mistakes."""
    number = given.removesuffix("%")
    if name != "--level" or not re.fullmatch(r"\d+(\.\d+)?", number) or not 50 <= float(number) < 100:
        return ""
    return f"\n  {float(number):g} % is {name} {float(number) / 100:g}"


def _given(opts: Sequence[str], arguments: Sequence[str]) -> str:
    """Return the value that the user typed for an option; empty if there is none."""
    for i, one in enumerate(arguments):
        name, equals, value = one.partition("=")
        if name in opts:
            return value if equals else next(iter(arguments[i + 1 : i + 2]), "")
    return ""


def _extra(given: str, path: str) -> str:
    words = given.split()
    if "=" in words[0]:
        return f"{path}: cannot place {words[0]}\n  to change a value: --set {words[0]}"
    return f"{path}: too much on the line: {given}\n  see {path} --help"
