"""Options, each declared once as a dataclass field with text, bounds, unit and default.

A declaration yields the option of the command line (`ackclock.cli.options.grouped`), the documented argument of a
Python function (`takes`), the entry of a manifest, and the check of bounds. `make pages` writes the keywords for type
checkers and the lines of ``docs/reference/cli.md`` from it.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar

from ackclock.errors import UserError

Call = TypeVar("Call", bound=Callable[..., Any])


def _same(value: Any, _name: str) -> Any:
    return value


@dataclass(frozen=True)
class Kind:
    """A kind of value: how users give it, how it is stored, and which values are allowed."""

    given: type
    """Type of the value when it comes from the command line."""
    holds: Callable[[Any], bool]
    """Function that returns true if a stored value is allowed."""
    allowed: str
    """Description of the allowed values."""
    low: float | None = None
    """Minimum that the command line accepts; None for no limit."""
    high: float | None = None
    """Maximum that the command line accepts; None for no limit."""
    read: Callable[[Any, str], Any] = _same
    """Function that converts a given value to its stored form; its second argument is the name to use in errors."""
    python: str = ""
    """Type annotation in Python, if it differs from `given`."""


@dataclass(frozen=True)
class Option:
    """Declaration of one option."""

    help: str
    """Description for the command line's help, for docstrings and for the reference page."""
    metavar: str
    """Placeholder of the value in the help; empty for a flag."""
    kind: Kind
    default: Any = None
    """Default, as a user would give it; None for no default."""
    called: str = ""
    """Name that users see, if it differs from the field's name."""
    former: str = ""
    """Former name that the command line still accepts."""
    typed: bool = True
    """True if the command line has this option; false if only Python has it."""
    always: bool = True
    """True if the manifest always has this entry; false if only for values other than the default."""
    beside: str = ""
    """Name of another option; this option's entry is written to a manifest whenever that option's entry is."""
    page: str = ""
    """Additional text for the reference page, after the help."""

    @property
    def annotation(self) -> str:
        """Type annotation in Python, as text."""
        name = self.kind.python or self.kind.given.__name__
        return f"{name} | None" if self.default is None else name

    def stored(self, given: Any, name: str) -> Any:
        """Return the stored form of a given value; errors call the option `name`."""
        return None if given is None else self.kind.read(given, name)

    def field(self) -> Any:
        """Return a dataclass field for this option."""
        return dataclasses.field(default=self.stored(self.default, ""), metadata={"option": self})


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base class for sets of options: dataclasses with fields made by `Option.field`."""

    def __init_subclass__(cls) -> None:
        """Add each option's description to the class docstring."""
        inherited = cls.declared()
        own = {name: one.metadata for name, one in vars(cls).items() if isinstance(one, dataclasses.Field)}
        every = inherited | {name: about["option"] for name, about in own.items() if "option" in about}
        texts = "\n".join(
            _argument(name, f"{one.help} Stored: {one.kind.allowed}.") for name, one in every.items()
        )
        cls.__doc__ = f"{cls.__doc__}\n\n    Attributes:\n{texts}\n"

    @classmethod
    def declared(cls) -> dict[str, Option]:
        """Return the options in order, by field name."""
        return {
            one.name: one.metadata["option"] for one in dataclasses.fields(cls) if "option" in one.metadata
        }

    @classmethod
    def named(cls) -> dict[str, str]:
        """Return the field names, by the names that users see."""
        return {one.called or name: name for name, one in cls.declared().items()}

    @classmethod
    def of_given(cls, given: Mapping[str, Any], spelt: Callable[[str], str] = str) -> Self:
        """Return the options with values given by a user; missing options get their defaults.

        Args:
            given: Values by the names for users; other names are ignored.
            spelt: Function that converts a name for errors.

        Raises:
            UserError: If a value cannot be converted.

        """
        declared = cls.declared()
        return cls(
            **{
                field: declared[field].stored(given[name], spelt(name))
                for name, field in cls.named().items()
                if name in given
            }
        )

    def values(self) -> dict[str, Any]:
        """Return the stored values, by field name."""
        return {name: getattr(self, name) for name in self.declared()}

    def entries(self) -> dict[str, Any]:
        """Return the entries for a manifest, with those that every manifest has first."""
        declared = self.declared()
        found = {name: getattr(self, name) for name, one in declared.items() if one.always}
        for name, one in declared.items():
            other = one.beside or name
            if not one.always and getattr(self, other) != declared[other].stored(
                declared[other].default, other
            ):
                found[name] = getattr(self, name)
        return found

    @classmethod
    def of_entries(cls, data: Mapping[str, Any], *, whole: bool = True) -> dict[str, Any]:
        """Return the values of the fields, given the entries of a manifest.

        Raises:
            KeyError: With `whole`, if an entry is missing that every manifest has.

        """
        declared = cls.declared()
        return {name: data[name] for name, one in declared.items() if name in data or (whole and one.always)}

    def check(self) -> None:
        """Check all values of options from Python or a manifest; the command line checks its own.

        Raises:
            UserError: If a value is out of bounds or of the wrong type.

        """
        for name, one in self.declared().items():
            check_value(name, getattr(self, name), one.kind, optional=one.default is None)


def check_value(name: str, value: Any, kind: Kind, *, optional: bool = False) -> None:
    """Check a stored value; None passes if the option is optional.

    Raises:
        UserError: If the value is out of bounds or of the wrong type.

    """
    if not ((value is None and optional) or kind.holds(value)):
        raise UserError(f"{name}: not allowed\n  given:   {value!r}\n  allowed: {kind.allowed}")


def takes(*groups: type[Options]) -> Callable[[Call], Call]:
    """Return a decorator that adds these options to signature and docstring of a function with ``**options``."""
    every = {name: group.declared()[field] for group in groups for name, field in group.named().items()}

    def decorate(call: Call) -> Call:
        own = list(inspect.signature(call).parameters.values())
        added = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=one.annotation
            )
            for name, one in every.items()
        ]
        explicit = [one for one in own if one.kind is inspect.Parameter.KEYWORD_ONLY]
        before = [one for one in own if one.kind in (one.POSITIONAL_OR_KEYWORD, one.VAR_POSITIONAL)]
        call.__signature__ = inspect.Signature([*before, *added, *explicit])  # type: ignore[attr-defined]
        texts = "\n".join(_argument(name, one.help) for name, one in every.items())
        call.__doc__ = (call.__doc__ or "").replace(PLACE, texts)
        return call

    return decorate


PLACE: Final = "        options: Declared options; their texts replace this line."
"""Line of a function's docstring that `takes` replaces with the descriptions of the options."""


def _argument(name: str, text: str) -> str:
    """Return the line of an argument; a word with an asterisk, which would begin an emphasis, is literal."""
    literal = re.sub(r"[^\s,;()]*\*[^\s,;()]*", r"``\g<0>``", text)
    return textwrap.fill(
        literal, 118, initial_indent=f"        {name}: ", subsequent_indent=" " * 12, break_on_hyphens=False
    )
