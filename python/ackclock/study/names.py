"""The variants of a study, and their names as a reader knows them; data, paths and options have their keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from ackclock.study.curves import Palette

WRITTEN: Final = {
    "tahoe": "Tahoe",
    "reno": "Reno",
    "newreno": "NewReno",
    "sack": "SACK",
    "fack": "FACK",
    "rack": "RACK",
    "vegas": "Vegas",
    "bbr": "BBR",
    "bbr3": "BBRv3",
    "westwood": "Westwood",
    "westwood+": "Westwood+",
    "tcpw-i": "TCPW-I",
    "veno": "Veno",
    "cubic": "CUBIC",
    "dctcp": "DCTCP",
    "bic": "BIC",
    "htcp": "H-TCP",
    "hybla": "Hybla",
    "illinois": "Illinois",
    "scalable": "Scalable TCP",
    "highspeed": "HighSpeed TCP",
    "yeah": "YeAH",
    "lp": "TCP-LP",
    "compound": "Compound TCP",
    "ledbat": "LEDBAT",
    "copa": "Copa",
    "nv": "TCP-NV",
    "cdg": "CDG",
}
"""Presets, recoveries and controls of the catalogue, in the spelling of their papers."""

TCP_LINUX: Final = "tcp-linux-"
"""Prefix of the presets of ns-2's TCP-Linux."""


def written(variant: str) -> str:
    """Return the name of a variant: ``CUBIC``, ``Vegas (recovery SACK)``, ``CUBIC of TCP-Linux``, ``Mine``.

    Args:
        variant: A preset, a pair such as `sack+vegas`, or `FILE.py:Class`.
    """
    if ".py:" in variant:
        return variant.rpartition(":")[2]
    if variant in WRITTEN:
        return WRITTEN[variant]
    if variant.startswith(TCP_LINUX):
        return f"{written(variant.removeprefix(TCP_LINUX))} of TCP-Linux"
    recovery, plus, control = variant.partition("+")
    if plus and recovery in WRITTEN and control:
        return f"{written(control)} (recovery {WRITTEN[recovery]})"
    return variant


class Names(dict[str, str]):
    """Names of variants by key; a variant that a user adds has the name that readers know."""

    def __missing__(self, key: str) -> str:
        """Return the name of an added variant."""
        return written(key)


@dataclass(frozen=True)
class Variant:
    """A variant as a study declares it.

    Attributes:
        key: Its name in the data and on the command line.
        label: Its name for readers.
        tcp: The TCP settings that make it.
        short: Its name in tables; the label if empty.
        legend: Its name in legends; the label if empty.
        hue: Number of its colour in figures; None if no figure has it.
        dashed: True if its curves are dashed.
    """

    key: str
    label: str
    tcp: Mapping[str, Any]
    short: str = ""
    legend: str = ""
    hue: int | None = None
    dashed: bool = False


T = TypeVar("T", bound=Variant)


class Variants(dict[str, T], Generic[T]):
    """The variants of a study by key; one that a user adds has the name that readers know, and its preset.

    Attributes:
        labels: Names for readers, by key.
        short: Names in tables.
        hues: Numbers of colours.
    """

    def __init__(self, declared: Iterable[T], make: type[T] | None = None) -> None:
        """Take the variants of the study; `make` makes an added one of its key, label and settings."""
        super().__init__((one.key, one) for one in declared)
        self._make = make or type(next(iter(self.values())))
        self.labels = Names({one.key: one.label for one in self.values()})
        self.short = Names({one.key: one.short or one.label for one in self.values()})
        self.hues = {one.key: one.hue for one in self.values() if one.hue is not None}

    def __missing__(self, key: str) -> T:
        """Return an added variant."""
        return self._make(key, written(key), {"variant": key})

    def palette(self, added: Sequence[str]) -> Palette:
        """Return names, colours and dashes of curves, with those of added variants."""
        legend = Names({one.key: one.legend or one.label for one in self.values()})
        return Palette(legend, self.hues, added, {one.key for one in self.values() if one.dashed})
