"""Writes scenarios as TOML, which the standard library can only read, and values as ``PATH=VALUE`` settings."""

from __future__ import annotations

import copy
import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from json.encoder import encode_basestring as _quoted
from numbers import Integral, Real
from typing import Any, Final

from ackclock._core import ScenarioError

DEEPEST: Final = 32
"""Maximum depth of lists and tables in a scenario."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def to_toml(document: Mapping[str, Any]) -> str:
    """Return a document as TOML text: plain values first, then one ``[[table]]`` for each entry of a list of tables.

    Tables inside entries are written inline, as in the example scenarios.
    """
    return plain_toml(plain(document))


def plain_toml(document: Mapping[str, Any]) -> str:
    """Return what `to_toml` returns, for a document that consists of plain values."""
    lists = {key: value for key, value in document.items() if _is_tables(value)}
    lines = [f"{_key(key)} = {_inline(value)}" for key, value in document.items() if key not in lists]
    tables: dict[int, str] = {}  # Entries share tables.
    for key, entries in lists.items():
        for entry in entries:
            lines += ["", f"[[{_key(key)}]]"]
            for name, value in entry.items():
                if isinstance(value, dict):
                    text = tables.get(id(value)) or tables.setdefault(id(value), _inline(value))
                else:
                    text = _inline(value)
                lines.append(f"{_key(name)} = {text}")
    return "\n".join(lines) + "\n"


def plain(value: Any, field: str = "") -> Any:
    """Convert a value to plain Python dictionaries, lists, text, numbers and booleans, also from numpy and polars.

    Entries of a table that are None are left out.

    Args:
        value: A document, or part of one.
        field: Path of the value in the document, for errors.

    Raises:
        TypeError: If the value contains an object of another type.
        ScenarioError: If a number is not finite or too long, text is not Unicode, or nesting is too deep.
    """
    try:
        return _quickly(value, DEEPEST)
    except (_OtherError, UnicodeEncodeError):
        return _plain(value, field, DEEPEST)


def copied(value: dict[str, Any], depth: int = DEEPEST) -> dict[str, Any]:
    """Return a deep copy of a table, in less time than `copy.deepcopy` if it has the usual types only."""
    return {key: _copied(one, depth) for key, one in value.items()}


def _copied(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind in (str, int, float, bool):
        return value
    if depth and kind is dict:
        return copied(value, depth - 1)
    if depth and kind is list:
        return [_copied(one, depth - 1) for one in value]
    return copy.deepcopy(value)


class _OtherError(Exception):
    """A value that `_quickly` leaves to `_plain`."""


def _quickly(value: Any, depth: int) -> Any:
    """Convert a value of the usual types only; `_plain`, which knows the path of each value, does the others."""
    kind = type(value)
    if kind is str:
        value.encode()
        return value
    if kind is bool:
        return value
    if kind is float and math.isfinite(value):
        return value
    if kind is int and -(2**63) <= value < 2**64:
        return value
    if depth:
        if kind is dict:
            return {_name(key): _quickly(one, depth - 1) for key, one in value.items() if one is not None}
        if kind is list:
            return [None if one is None else _quickly(one, depth - 1) for one in value]
    raise _OtherError


def _name(key: Any) -> str:
    if type(key) is not str:
        raise _OtherError
    key.encode()
    return key


def _plain(value: Any, field: str, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, field)
    if type(value) in (int, float):
        return _number(value, field)
    if depth == 0:
        raise ScenarioError(
            f"{_shortened(field)}: nested too deeply\n"
            f"  allowed: {DEEPEST} levels of lists and tables; does it contain itself?"
        )
    if isinstance(value, Mapping):
        return {
            _text(str(key), field): _plain(one, f"{field}.{key}" if field else str(key), depth - 1)
            for key, one in value.items()
            if one is not None
        }
    if callable(unboxed := getattr(value, "tolist", None)):
        return _plain(unboxed(), field, depth - 1)
    if isinstance(value, Integral):
        return _number(int(value), field)
    if isinstance(value, Real):
        return _number(float(value), field)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_plain(one, f"{field}.{i}" if field else str(i), depth - 1) for i, one in enumerate(value)]
    raise TypeError(
        f"{_shortened(field)}: " * bool(field)
        + f"{type(value).__name__} {value!r} cannot be part of a scenario: use text, a number, a list or a dict"
    )


def _number(value: float, field: str) -> float:
    if isinstance(value, int):
        if -(2**63) <= value < 2**64:
            return value
        bits = value.bit_length()
        given = str(value) if bits < 100 else f"a whole number of {bits} bits"
    elif math.isfinite(value):
        return value
    else:
        given = repr(value)
    raise ScenarioError(
        f"{_shortened(field)}: this number cannot be part of a scenario\n  given:   {given}\n"
        "  allowed: a finite number; a whole number from -2^63 to 2^64 - 1"
    )


def _text(value: str, field: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as why:
        raise ScenarioError(
            f"{_shortened(field)}: this text is not Unicode\n  given:   {ascii(value)[:80]}\n"
            f"  allowed: text without lone surrogates (character {why.start})"
        ) from None
    return value


def _shortened(field: str) -> str:
    """Return a field's path for a message; a very long path is cut off at its end."""
    return (field if len(field) <= 60 else f"{field[:60]}...") or "scenario"


def inline(value: object, field: str = "") -> str:
    """Return a value as TOML on one line; `field` is its path, for errors."""
    return _inline(plain(value, field))


def _inline(value: object) -> str:
    """Return a plain value as TOML on one line."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join([_inline(one) for one in value])}]"
    if isinstance(value, Mapping):
        inside = ", ".join([f"{_key(str(key))} = {_inline(one)}" for key, one in value.items()])
        return f"{{ {inside} }}" if inside else "{}"
    raise TypeError(
        f"{type(value).__name__} {value!r} cannot be part of a scenario: use text, a number, a list or a dict"
    )


def value_text(value: object, field: str = "") -> str:
    """Return a value as text that can follow ``PATH=`` in a setting.

    A string has no quotes, as on the command line, unless it would be read as another type (``"5"``, ``"true"``).
    """
    if isinstance(value, str) and not _reads_as_other(_text(value, field)):
        return value
    return inline(value, field)


def _reads_as_other(text: str) -> bool:
    try:
        tomllib.loads(f"x = {text}")
    except tomllib.TOMLDecodeError:
        return False
    return True


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


@lru_cache(maxsize=1024)
def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
