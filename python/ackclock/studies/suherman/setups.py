"""The networks that are run: the rate, the square, how far signals reach."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Final

from ackclock.studies.suherman import settings as k

_NS2_POWER_DBM: Final = 24.499997795
"""ns-2's transmit power, 0.28183815 W: with two-ray ground and its thresholds it reaches 250 m."""

_NS2_RANGE_M: Final = 250.0


@dataclass(frozen=True)
class Setup:
    """One network.

    Attributes:
        key: Its name in the data.
        label: Its name in the report.
        rate: Rate of data frames.
        standard: The standard whose timings hold.
        area_m: Side of the square, m.
        range_m: How far frames can be received, m.
        window: Maximum window, segments.
        every: Whether k scales every cut, the first one, those in slow start and those of timeouts, too.
        allowance: What timeouts of CTS and ACK allow for propagation each way, where not ns-2's 2 us.
    """

    key: str
    label: str
    rate: str
    standard: str
    area_m: int = k.AREA_M
    range_m: int = k.RANGE_M
    window: int = k.WINDOW
    every: bool = False
    allowance: str | None = None

    def network(self, nodes: int) -> dict[str, Any]:
        """The parts of the scenario that make the network."""
        names = [f"n{i}" for i in range(nodes)]
        square = [0, self.area_m, 0, self.area_m]
        radio: dict[str, object] = {
            "name": "adhoc",
            "standard": self.standard,
            "profile": "ns2",
            "stations": names,
            "rate": self.rate,
            "tx_power": f"{self.power_dbm():.6f}dBm",
            "rts_threshold": "0B",
            "queue": k.QUEUE,
        }
        if self.allowance is not None:
            radio["propagation_allowance"] = self.allowance
        return {
            "node": [
                {
                    "name": name,
                    "placement": {"kind": "uniform", "bounds": square},
                    "mobility": {"kind": "random-waypoint", "speed": list(k.SPEED), "bounds": square},
                }
                for name in names
            ],
            "wifi": [radio],
        }

    def power_dbm(self) -> float:
        """Transmit power: by two-ray ground the received power falls with the fourth power of distance."""
        return _NS2_POWER_DBM + 40 * math.log10(self.range_m / _NS2_RANGE_M)


RATES: Final = tuple(
    Setup(f"rate{rate}", f"{rate} Mb/s", f"{rate}Mbps", "g" if rate == 54 else "b") for rate in k.RATES_MBPS
)
"""The rates that are run in full: 64-QAM is 802.11g's 54 Mb/s; the others load the channel more."""

EVERY_CUT: Final = tuple(
    replace(setup, key=f"{setup.key}-every", label=f"{setup.label}, every cut", every=True) for setup in RATES
)
"""The same, where k scales every cut: the paper speaks of the half window, and does not say what it changed."""

BESIDE: Final = (
    Setup("range1000", "range 1000 m", "11Mbps", "b", range_m=k.SHORT_RANGE_M),
    Setup("reach", "all in reach of each other", "11Mbps", "b", allowance=f"{k.LONG_ALLOWANCE_US}us"),
    Setup("area400", "400 m square", "11Mbps", "b", area_m=k.SMALL_AREA_M),
    Setup("window200", "window 200", "11Mbps", "b", window=k.LARGE_WINDOW),
)
"""What else the text leaves open, at 11 Mb/s and with few points."""

BY_KEY: Final = {setup.key: setup for setup in (*RATES, *EVERY_CUT, *BESIDE)}
