"""Writing scenarios as TOML (the standard library only reads it), and values as ``PATH=VALUE`` settings."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def to_toml(document: Mapping[str, Any]) -> str:
    """Return a document as TOML: plain values, then one ``[[table]]`` for each entry of a list of tables.

    Tables inside entries are written inline, as in the examples of the scenario file.
    """
    lists = {key: value for key, value in document.items() if _is_tables(value)}
    lines = [f"{_key(key)} = {inline(value)}" for key, value in document.items() if key not in lists]
    for key, entries in lists.items():
        for entry in entries:
            lines += ["", f"[[{_key(key)}]]"]
            lines += [f"{_key(name)} = {inline(value)}" for name, value in entry.items()]
    return "\n".join(lines) + "\n"


def plain(value: Any) -> Any:
    """Return a value of dictionaries, lists, text, numbers and truth values alone: numpy's and polars' become Python's.

    Raises:
        TypeError: if something of it has no place in a scenario.

    """
    if value is None or isinstance(value, str | bool) or type(value) in (int, float):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if callable(unboxed := getattr(value, "tolist", None)):
        return plain(unboxed())
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [plain(one) for one in value]
    raise TypeError(
        f"{type(value).__name__} {value!r} cannot be part of a scenario: use text, a number, a list or a dict"
    )


def inline(value: object) -> str:
    """Return one value as TOML on one line."""
    value = plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(str(key))} = {inline(one)}" for key, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(inline(one) for one in value)}]"
    raise TypeError(
        f"{type(value).__name__} {value!r} cannot be part of a scenario: use text, a number, a list or a dict"
    )


def value_text(value: object) -> str:
    """Return a value as it stands after ``PATH=`` in a setting.

    Text stands bare, as on the command line, unless it would be read as something else (``"5"``, ``"true"``).
    """
    if isinstance(value, str) and not _reads_as_other(value):
        return value
    return inline(value)


def _reads_as_other(text: str) -> bool:
    try:
        tomllib.loads(f"x = {text}")
    except tomllib.TOMLDecodeError:
        return False
    return True


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
