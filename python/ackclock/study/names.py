"""Variants of a study and their printed names; data, paths and options use the variants' keys instead."""

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
"""Printed names of the catalogue's presets, recoveries and controls, in the spelling of their papers, by key."""

TCP_LINUX: Final = "tcp-linux-"
"""Prefix of the keys of presets that model ns-2's TCP-Linux."""


def written(variant: str) -> str:
    """Return the printed name of a variant.

    Examples: ``CUBIC``, ``Vegas (recovery SACK)``, ``CUBIC of TCP-Linux``, ``Mine``.

    Args:
        variant: A preset, a pair of recovery and control such as `sack+vegas`, or `FILE.py:Class`.
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
    """Printed names of variants by key; for an undeclared key, the name that `written` returns."""

    def __missing__(self, key: str) -> str:
        """Return the printed name of a variant that the study does not declare."""
        return written(key)


@dataclass(frozen=True)
class Variant:
    """A variant as a study declares it.

    Attributes:
        key: Name in the data and on the command line.
        label: Printed name.
        tcp: The TCP settings of the variant.
        short: Printed name in tables; `label` if empty.
        legend: Printed name in legends; `label` if empty.
        hue: Number of the colour in figures; None if no figure shows the variant.
        dashed: True if the variant's curves are dashed.
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
    """The variants of a study by key; an undeclared key gives a variant made from the preset of that name.

    Attributes:
        labels: Printed names, by key.
        short: Printed names in tables, by key.
        hues: Numbers of the colours, by key.
    """

    def __init__(self, declared: Iterable[T], make: type[T] | None = None) -> None:
        """Store the declared variants; `make(key, label, tcp)` makes the variant of an undeclared key."""
        super().__init__((one.key, one) for one in declared)
        self._make = make or type(next(iter(self.values())))
        self.labels = Names({one.key: one.label for one in self.values()})
        self.short = Names({one.key: one.short or one.label for one in self.values()})
        self.hues = {one.key: one.hue for one in self.values() if one.hue is not None}

    def __missing__(self, key: str) -> T:
        """Return a variant made from the preset `key`, which the study does not declare."""
        return self._make(key, written(key), {"variant": key})

    def palette(self, added: Sequence[str]) -> Palette:
        """Return the names, colours and dashes of the curves of the study's and of the added variants."""
        legend = Names({one.key: one.legend or one.label for one in self.values()})
        return Palette(legend, self.hues, added, {one.key for one in self.values() if one.dashed})
