"""Options, each declared once: the fields of a dataclass know their text, bounds, unit and default.

From a declaration come the option of the command line (`ackclock.cli.options.grouped`) and the argument of a Python
function with its documentation (`takes`). So do the entry of a manifest and its reading, and the check of bounds.
`make pages` writes the keywords that type checkers see, and the lines of ``docs/reference/cli.md``.
"""

from __future__ import annotations

import dataclasses
import inspect
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
    """A kind of value: what a user gives, what is stored, and which values are allowed."""

    given: type
    """Type of what is given on the command line."""
    holds: Callable[[Any], bool]
    """Tells whether a stored value is allowed."""
    allowed: str
    """The allowed stored values, in words."""
    low: float | None = None
    """Least number that the command line takes."""
    high: float | None = None
    """Greatest number that the command line takes."""
    read: Callable[[Any, str], Any] = _same
    """Turns what is given into what is stored; the name is for errors."""
    python: str = ""
    """Annotation in Python, if it is another one than on the command line."""


@dataclass(frozen=True)
class Option:
    """The declaration of one option."""

    help: str
    """Its text in the help of the command line, in the documentation strings and on the page."""
    metavar: str
    """The value, in the help; empty for a flag."""
    kind: Kind
    default: Any = None
    """As a user would give it; None: none."""
    called: str = ""
    """Its name for users, if the field's is another one."""
    former: str = ""
    """A name that the command line still takes."""
    typed: bool = True
    """True if the command line has it, too; otherwise Python alone."""
    always: bool = True
    """True if a manifest always has its entry; otherwise only one whose value is not the default."""
    beside: str = ""
    """Another option: the manifest has this one's entry if it has that one's."""
    page: str = ""
    """More about it for the page, after the help."""

    @property
    def annotation(self) -> str:
        """Its type in Python, as text."""
        name = self.kind.python or self.kind.given.__name__
        return f"{name} | None" if self.default is None else name

    def stored(self, given: Any, name: str) -> Any:
        """Return the value that is stored for a given one; `name` is for errors."""
        return None if given is None else self.kind.read(given, name)

    def field(self) -> Any:
        """Return the field of a dataclass that has this option."""
        return dataclasses.field(default=self.stored(self.default, ""), metadata={"option": self})


@dataclass(frozen=True, kw_only=True)
class Options:
    """A set of options: a dataclass whose fields are those of `Option.field`."""

    def __init_subclass__(cls) -> None:
        """Add the text of each option to the documentation of the class."""
        inherited = cls.declared()
        own = {name: one.metadata for name, one in vars(cls).items() if isinstance(one, dataclasses.Field)}
        every = inherited | {name: about["option"] for name, about in own.items() if "option" in about}
        texts = "\n".join(
            _argument(name, f"{one.help} Stored: {one.kind.allowed}.") for name, one in every.items()
        )
        cls.__doc__ = f"{cls.__doc__}\n\n    Attributes:\n{texts}\n"

    @classmethod
    def declared(cls) -> dict[str, Option]:
        """Return the options by the names of their fields, in order."""
        return {
            one.name: one.metadata["option"] for one in dataclasses.fields(cls) if "option" in one.metadata
        }

    @classmethod
    def named(cls) -> dict[str, str]:
        """Return the name of each field by the name that users give it."""
        return {one.called or name: name for name, one in cls.declared().items()}

    @classmethod
    def of_given(cls, given: Mapping[str, Any], spelt: Callable[[str], str] = str) -> Self:
        """Return the options that a user gives; those that are missing have their defaults.

        Args:
            given: values by the names that users give them. Other names in it are passed over.
            spelt: function that writes a name in errors.

        Raises:
            UserError: if a value cannot be read.

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
        """Return the stored values by field, for an object that has these options, too."""
        return {name: getattr(self, name) for name in self.declared()}

    def entries(self) -> dict[str, Any]:
        """Return the entries of a manifest: first those that are always there."""
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
        """Return the values of fields that a manifest has.

        Raises:
            KeyError: if one that is always there is missing, and `whole` says that none may be.

        """
        declared = cls.declared()
        return {name: data[name] for name, one in declared.items() if name in data or (whole and one.always)}

    def check(self) -> None:
        """Check every value: the command line checks what is typed, and this holds for Python and for manifests.

        Raises:
            UserError: if one is out of its bounds or of the wrong type.

        """
        for name, one in self.declared().items():
            check_value(name, getattr(self, name), one.kind, optional=one.default is None)


def check_value(name: str, value: Any, kind: Kind, *, optional: bool = False) -> None:
    """Check a stored value; None is allowed if it is optional.

    Raises:
        UserError: if it is out of its bounds or of the wrong type.

    """
    if not ((value is None and optional) or kind.holds(value)):
        raise UserError(f"{name}: not allowed\n  given:   {value!r}\n  allowed: {kind.allowed}")


def takes(*groups: type[Options]) -> Callable[[Call], Call]:
    """Give a function whose ``**options`` are these their signature, and its documentation their texts."""
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
"""Line of the documentation of a function that the texts of options replace."""


def _argument(name: str, text: str) -> str:
    return textwrap.fill(
        text, 118, initial_indent=f"        {name}: ", subsequent_indent=" " * 12, break_on_hyphens=False
    )
