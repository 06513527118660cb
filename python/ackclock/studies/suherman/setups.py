"""The networks of the study: data rate, area, reception range and further settings."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Final

from ackclock.studies.suherman import settings as k

_NS2_POWER_DBM: Final = 24.499997795
"""ns-2's transmission power, 0.28183815 W, in dBm; with two-ray ground and ns-2's thresholds the range is 250 m."""

_NS2_RANGE_M: Final = 250.0

_EVERY: Final = "-every"
"""Suffix of the keys of networks in which k scales every window reduction."""


@dataclass(frozen=True)
class Setup:
    """A network in which the study's runs are made, with the settings that differ between networks.

    Attributes:
        key: Name in the data.
        label: Name in the report.
        rate: Rate of data frames.
        standard: The 802.11 standard that determines the timing, b or g.
        area_m: Side of the square, m.
        range_m: Range of reception, m.
        window: Maximum window, segments.
        every: True if k scales every window reduction, including the first one, those in slow start and at timeouts.
        allowance_us: One-way propagation time that the timeouts for CTS and ACK allow for, us.
        video: True if the traffic is a video instead of packets at a constant rate.
        peer: Key of ns-2's runs of the same network; None if there are none.
        segment_b: Payload of a segment, bytes.
        pairs: True if nodes send in pairs (0 to 1, 2 to 3 and so on) instead of in a ring; there are then half as many
            flows.
        found: True for an interpretation that was found after the results were known.
    """

    key: str
    label: str
    rate: str
    standard: str
    area_m: int = k.AREA_M
    range_m: int = k.RANGE_M
    window: int = k.WINDOW
    every: bool = False
    allowance_us: int = k.ALLOWANCE_US
    video: bool = False
    peer: str | None = None
    segment_b: int = k.SEGMENT_B
    pairs: bool = False
    found: bool = False

    def ends(self, nodes: int) -> list[tuple[int, int]]:
        """Return source and destination of each flow as numbers of nodes."""
        if self.pairs:
            return [(i, i + 1) for i in range(0, nodes - 1, 2)]
        return [(i, (i + 1) % nodes) for i in range(nodes)]

    @property
    def uncut(self) -> str:
        """Key of the network in which k scales only some reductions; its runs are the same if k has no effect."""
        return self.key.removesuffix(_EVERY)

    def network(self, nodes: int) -> dict[str, Any]:
        """Return the parts of the scenario that describe the network with `nodes` nodes."""
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
            "propagation_allowance": f"{self.allowance_us}us",
        }
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
        """Return the transmission power that gives the range, dBm; power falls with the fourth power of distance."""
        return _NS2_POWER_DBM + 40 * math.log10(self.range_m / _NS2_RANGE_M)


RATES: Final = tuple(
    Setup(f"rate{rate}", f"{rate} Mb/s", f"{rate}Mbps", "g" if rate == 54 else "b") for rate in k.RATES_MBPS
)
"""The networks of the main runs, one per rate.

54 Mb/s of 802.11g is the paper's 64-QAM. At lower rates the same traffic loads the network more."""

EVERY_CUT: Final = tuple(
    replace(setup, key=setup.key + _EVERY, label=f"{setup.label} (every cut)", every=True) for setup in RATES
)
"""The rates with k scaling every window reduction. The paper does not state which reductions it changed."""

NS2: Final = tuple(
    replace(
        setup,
        key=f"{setup.key}-ns2",
        label=f"{setup.label} (ns-2's timeouts)",
        allowance_us=k.NS2_ALLOWANCE_US,
        peer=setup.key,
    )
    for setup in RATES
)
"""The rates with ns-2's timeouts, in which stations more than 600 m apart cannot answer in time."""

VIDEO: Final = tuple(
    replace(setup, key=f"{setup.key}-video", label=f"{setup.label} (video)", video=True) for setup in RATES
)
"""The rates with a video instead of packets at a constant rate."""

BESIDE: Final = (
    Setup("range1000", "range 1000 m", "11Mbps", "b", range_m=k.SHORT_RANGE_M),
    Setup(
        "area400",
        "400 m square (ns-2's timeouts)",
        "11Mbps",
        "b",
        area_m=k.SMALL_AREA_M,
        allowance_us=k.NS2_ALLOWANCE_US,
        peer="area400",
    ),
    Setup("window200", "window 200", "11Mbps", "b", window=k.LARGE_WINDOW),
)
"""Networks at 11 Mb/s, with few points, that change one of the settings that the paper leaves open."""

_RING: Final = Setup(
    f"rate{k.FOUND_MBPS}",
    f"{k.FOUND_MBPS} Mb/s in a ring (found afterwards)",
    f"{k.FOUND_MBPS}Mbps",
    "b",
    every=True,
    segment_b=k.FOUND_SEGMENT_B,
    found=True,
)

FOUND: Final = (
    _RING,
    replace(
        _RING,
        key=f"{_RING.key}-pairs",
        label=f"{k.FOUND_MBPS} Mb/s with n/2 flows (found afterwards)",
        pairs=True,
    ),
)
"""Interpretations of the paper found after the results were known. The second comes nearest to both published
reductions. The first has the main runs' ring of flows, and so shows the effect of the number of flows. Each of the
two gives the same results with Reno as with NewReno."""

BY_KEY: Final = {setup.key: setup for setup in (*RATES, *EVERY_CUT, *FOUND, *NS2, *VIDEO, *BESIDE)}
"""All networks, by key."""

BY_PEER: Final = {setup.peer: setup for setup in BY_KEY.values() if setup.peer is not None}
"""The networks that ns-2 ran, by their names in ns-2's results."""

WINDOW: Final = EVERY_CUT[k.RATES_MBPS.index(11)]
"""The network in which the windows of Figure 5 are simulated."""
