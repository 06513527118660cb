"""The readings of the paper's set-up, as networks: what "LTE links of 11 MHz" may have been in ns-2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ackclock.studies.documents import link

UES: Final = ("ue1", "ue2")


@dataclass(frozen=True)
class Reading:
    """One reading of the set-up.

    Attributes:
        key: Its name in the data.
        label: Its name in the report.
        what: What it is, in words.
        first: Rate and delay of the link from the server to the aGW.
        others: Rate and delay of each further link.
        first_queue: Places of the queues of the first link, packets; those of the case where None.
    """

    key: str
    label: str
    what: str
    first: tuple[str, str]
    others: tuple[str, str]
    first_queue: int | None = None


READINGS: Final = (
    Reading(
        "wired",
        "wired links",
        "each UE has links of 11 Mb/s and 10 ms to itself; server to aGW 100 Mb/s, 2 ms",
        ("100Mbps", "2ms"),
        ("11Mbps", "10ms"),
        first_queue=50,
    ),
    Reading(
        "shared",
        "shared, 11 Mb/s",
        "every link 11 Mb/s: both flows share the one from the server to the aGW (2 ms)",
        ("11Mbps", "2ms"),
        ("11Mbps", "10ms"),
    ),
    Reading(
        "shared2",
        "shared, 2 Mb/s",
        "the same with 2 Mb/s",
        ("2Mbps", "2ms"),
        ("2Mbps", "10ms"),
    ),
)
"""What can be run, in order."""


@dataclass(frozen=True)
class Case:
    """A reading with what it leaves open.

    Attributes:
        reading: The reading.
        window: Maximum window of the senders, segments.
        queue: Places of the queues, packets.
    """

    reading: Reading
    window: int
    queue: int

    @property
    def key(self) -> str:
        """Its name in the data."""
        return f"{self.reading.key}-w{self.window}-q{self.queue}"

    @property
    def label(self) -> str:
        """Its name in the report."""
        return f"{self.reading.label}, window {self.window}, queue {self.queue}"

    def network(self) -> dict[str, object]:
        """The parts of the scenario that make the network."""
        r, q = self.reading, self.queue
        return {
            "link": [
                link("server", "agw", *r.first, r.first_queue or q),
                *(link("agw", f"enb{i}", *r.others, q) for i in (1, 2)),
                *(link(f"enb{i}", f"ue{i}", *r.others, q) for i in (1, 2)),
            ]
        }


CASES: Final = tuple(Case(r, w, q) for r in READINGS for w, q in ((20, 50), (1000, 50), (1000, 500)))
"""Everything that is run."""


@dataclass(frozen=True)
class Column:
    """A case that the claims are judged in.

    Attributes:
        case: Key of the case.
        label: Heading of its verdicts.
    """

    case: str
    label: str


COLUMNS: Final = (
    Column("wired-w20-q50", "wired links"),
    Column("shared-w20-q50", "shared link"),
    Column("shared2-w1000-q500", "2 Mb/s, deep queue"),
)
"""Two readings with ns-2's default window and queue, and the one whose delays come nearest to the published ones."""

BY_KEY: Final = {case.key: case for case in CASES}

WAITING: Final = (
    (
        "six 802.11 nodes",
        "all six nodes at 11 Mb/s, two-ray ground, AODV: nearest to the published throughput in ns-2",
        "waits for 802.11, which is not simulated yet",
    ),
    (
        "an LTE cell",
        "two eNodeBs, 1.4 to 20 MHz, RLC buffers of 10 240 B and 1 MB",
        "waits for LTE, which is not simulated yet",
    ),
)
"""Readings that cannot be run yet: name, what it is, and why."""
