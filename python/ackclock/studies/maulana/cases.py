"""Networks for the interpretations of the paper's set-up: what "LTE links of 11 MHz" may mean in ns-2, and real LTE."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from ackclock import Network
from ackclock.studies.maulana import settings as k

UES: Final = ("ue1", "ue2")


@dataclass(frozen=True)
class Reading:
    """One interpretation of the paper's set-up.

    Attributes:
        key: Name in the data.
        label: Name in the report.
        what: Description.
        peer: Simulator with whose results ours are compared; empty if no simulator ran the interpretation.
    """

    key: str
    label: str
    what: str
    peer: str = "ns-2"


READINGS: Final = k.TEXT.each("reading", Reading)
"""The interpretations, in the order in which they are run."""

WIRED, SHARED, SHARED2, WIFI, LTE, HOPS = READINGS


@dataclass(frozen=True)
class Case:
    """An interpretation with values for the settings that the interpretation leaves open.

    Attributes:
        key: Name in the data.
        label: Name in the report.
        reading: The interpretation of the set-up.
        window: Maximum window of the senders, segments.
        network: Function that returns the parts of the scenario that describe the network.
        heavy: True if runs take long, so that there are fewer replications.
        lengths_s: Lengths of the runs, s.
        starts_s: Start times of the flows, s.
    """

    key: str
    label: str
    reading: Reading
    window: int
    network: Callable[[], dict[str, Any]]
    heavy: bool = False
    lengths_s: tuple[int, ...] = k.LENGTHS_S
    starts_s: tuple[float, ...] = k.STARTS_S

    @property
    def radio(self) -> bool:
        """True if the network has a radio part."""
        return self.reading in (WIFI, LTE, HOPS)

    @property
    def sizes_length_s(self) -> int:
        """Length of the runs with other packet sizes, s; the case's later start is added."""
        return int(k.SIZES_LENGTH_S + math.ceil(self.starts_s[0] - k.STARTS_S[0]))


def _wired(first: tuple[str, str], others: tuple[str, str], first_queue: int, queue: int) -> dict[str, Any]:
    net = Network().link("server", "agw", rate=first[0], delay=first[1], queue=first_queue)
    for a, b in (("agw", "enb1"), ("agw", "enb2"), ("enb1", "ue1"), ("enb2", "ue2")):
        net.link(a, b, rate=others[0], delay=others[1], queue=queue)
    return net.document()


_PLACES: Final = {
    "server": [100, 300],
    "agw": [300, 300],
    "enb1": [500, 400],
    "enb2": [500, 200],
    "ue1": [700, 400],
    "ue2": [700, 200],
}
"""Positions of the 802.11 nodes, m; each node reaches only its neighbours in the paper's sketch."""

_NEARER: Final = {
    "server": [50, 400],
    "agw": [155, 400],
    "enb1": [290, 505],
    "enb2": [290, 295],
    "ue1": [440, 525],
    "ue2": [440, 275],
}
"""Positions in the interpretation found after the results, m; all nodes sense each other, and a UE is three hops away.
"""


def _wifi(queue: int, places: Mapping[str, list[int]] = _PLACES) -> dict[str, Any]:
    return {
        "node": [{"name": name, "position": place} for name, place in places.items()],
        "wifi": [
            {
                "name": "adhoc",
                "standard": "b",
                "profile": "ns2",
                "stations": list(places),
                "rate": "11Mbps",
                "rts_threshold": "0B",
                "queue": queue,
                "routing": {"kind": "aodv"},
            }
        ],
    }


def _lte(bandwidth: str, buffer: str, enbs: int = 2) -> dict[str, Any]:
    # Heights are relative to a UE's antenna, since two-ray ground needs them so.
    places = {"enb1": [0, 0, 28.5], "enb2": [2000, 0, 28.5]}
    ues = {"ue1": [k.UE_M, 0, 0], "ue2": [2000 + k.UE_M if enbs == 2 else -k.UE_M, 0, 0]}
    return {
        "node": [{"name": name, "position": place} for name, place in ues.items()],
        **Network().link("server", "agw", rate="100Gbps", delay="10ms", queue=100_000).document(),
        "lte": [
            {
                "name": "cell",
                "gateway": "agw",
                "ue": list(ues),
                "enb": [{"name": n, "position": p} for n, p in list(places.items())[:enbs]],
                "bandwidth": bandwidth,
                "propagation": {"kind": "two-ray"},
                "antenna_height": 1.5,
                "rlc": {"mode": "um", "buffer": buffer},
                "scheduler": "proportional-fair",
            }
        ],
    }


BANDWIDTHS: Final = ("1.4MHz", "3MHz", "5MHz", "10MHz", "15MHz", "20MHz")
"""The bandwidths that the paper names."""

BUFFERS: Final = {"10240B": "10 240 B", "1000000B": "1 MB"}
"""Sizes of the RLC buffer with their names in the report: ns-3's default, and a sufficient size."""


LARGE_B: Final = 100_000
"""Buffer size, bytes, above which adding space for a few packets is a negligible change of the set-up."""


def _queued(reading: Reading, window: int, queue: int, network: Callable[[], dict[str, Any]]) -> Case:
    key = f"{reading.key}-w{window}-q{queue}"
    return Case(key, f"{reading.label}, window {window}, queue {queue}", reading, window, network)


def _cases() -> tuple[Case, ...]:
    fast, slow = ("100Mbps", "2ms"), ("11Mbps", f"{k.DELAY_MS}ms")
    out = []
    for window, queue in k.SIZES:
        # If the first link is the bottleneck, it has the queue of the case; otherwise it has ns-2's default queue.
        out.append(_queued(WIRED, window, queue, partial(_wired, fast, slow, 50, queue)))
    for reading, rate in ((SHARED, "11Mbps"), (SHARED2, "2Mbps")):
        for window, queue in k.SIZES:
            build = partial(_wired, (rate, "2ms"), (rate, f"{k.DELAY_MS}ms"), queue, queue)
            out.append(_queued(reading, window, queue, build))
    out += [_queued(WIFI, window, queue, partial(_wifi, queue)) for window, queue in k.SIZES]
    out += [
        Case(
            key=f"lte-{bandwidth}-{buffer}",
            label=f"LTE, {bandwidth.removesuffix('MHz')} MHz, RLC {name}",
            reading=LTE,
            window=k.LTE_WINDOW,
            network=partial(_lte, bandwidth, buffer),
            heavy=True,
        )
        for buffer, name in BUFFERS.items()
        for bandwidth in BANDWIDTHS
    ]
    window, queue = k.SIZES[0]
    found = _queued(HOPS, window, queue, partial(_wifi, queue, _NEARER))
    out.append(replace(found, lengths_s=(k.FOUND_LENGTH_S,), starts_s=tuple(k.FOUND_STARTS_S)))
    return tuple(out)


CASES: Final = _cases()
"""All cases, in the order in which they are run."""


COLUMNS: Final = {
    "wired-w20-q50": "wired links",
    "shared-w20-q50": "shared link",
    "shared2-w1000-q500": "2 Mb/s, deep queue",
    "wifi-w20-q50": "802.11",
    "lte-10MHz-10240B": "LTE, 10 240 B",
    "lte-10MHz-1000000B": "LTE, 1 MB",
    "hops-w20-q50": "802.11b, found",
}
"""The cases in which claims are judged, with the headings of their columns of verdicts.

Each interpretation has ns-2's default window and queue. There are two more cases: the shared link of 2 Mb/s with a
large window and queue, whose delays come nearest to the published ones, and the interpretation found after the results
were known. LTE has 10 MHz, the bandwidth nearest to the paper's 11 MHz among those that the paper names."""

FOUND: Final = "hops-w20-q50"
"""Key of the case that was found after the results were known, so that it explains them but confirms no claim."""

CHOSEN_BY_DELAY: Final = "shared2-w1000-q500"
"""Key of the case that was chosen because of its delays, so that claims on delays are not judged in it."""

LONGER: Final = {"shared-w20-q50": "shared-w1000-q50", "shared2-w1000-q500": "shared2-w1000-q500"}
"""Cases that are run with a longer round trip for the second UE, by the case of `COLUMNS` whose column they are for.

The cases have a shared link and a large window, since a window of 20 segments would determine the rate of each flow."""

BY_KEY: Final = {case.key: case for case in CASES}


@dataclass(frozen=True)
class Ns3:
    """A run of ns-3's LTE model that is repeated here.

    The distance between its two eNodeBs is not known: see the study's page.

    Attributes:
        blocks: Number of resource blocks.
        buffer_b: Size of the RLC buffer, bytes.
        enbs: Number of eNodeBs.
    """

    blocks: int
    buffer_b: int
    enbs: int

    def network(self) -> dict[str, Any]:
        """Return the parts of the scenario that describe the network; resource blocks are granted by ns-3's rules."""
        bandwidth = {6: "1.4MHz", 25: "5MHz", 100: "20MHz"}[self.blocks]
        network = _lte(bandwidth, f"{self.buffer_b}B", self.enbs)
        network["lte"][0] |= {"granularity": "whole-groups", "uplink": {"grants": "shares"}}
        return network


NS3_RUNS: Final = tuple(
    Ns3(blocks, buffer, enbs) for buffer in (10_240, 1_000_000) for enbs in (1, 2) for blocks in (6, 25, 100)
)
"""The runs of ns-3 that are repeated here."""
