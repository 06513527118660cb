"""Names of variants as a reader knows them; a study's data, paths and options have their keys."""

from __future__ import annotations

from typing import Final

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
