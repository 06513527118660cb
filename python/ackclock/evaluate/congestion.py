"""Criteria on one control by itself: collapse, standing queues, loss, fairness, and the grid of paths."""

from __future__ import annotations

from ackclock.evaluate import metrics as m
from ackclock.evaluate.declared import Case, Criterion, Level
from ackclock.evaluate.paths import at, bdp, bits, bulk, parking_lot, seconds, through

__all__ = ["CRITERIA"]


def _collapse() -> tuple[Case, ...]:
    crowd = through(
        [bulk(f"test{i}", start=f"{i * 0.02:.2f}s") for i in range(200)],
        rate="1Mbps",
        rtt="100ms",
        queue=50,
        duration=30,
        access="10Mbps",
    )
    lossy = through(
        [bulk()],
        rate="10Mbps",
        rtt="40ms",
        queue=50,
        duration=60,
        loss={"kind": "random", "rate": 0.5, "toward": "d"},
    )
    silence = through(
        [bulk()],
        rate="2Mbps",
        rtt="40ms",
        queue=20,
        duration=40,
        events=[at(5, "reverse.up", False), at(25, "reverse.up", True)],
    )
    return (
        Case(
            "crowd",
            "200 flows on 1 Mb/s †",
            crowd,
            (m.LOSS, m.GOODPUT, m.SENT_PER_RTT),
            own=tuple(range(200)),
            base_s=0.05,
            packets=15_000,
            quick=True,
        ),
        Case(
            "half-lost",
            "1 flow, 50 % of the packets are lost at random †",
            lossy,
            (m.GOODPUT, m.TIMEOUTS),
            base_s=0.02,
            packets=500,
            quick=True,
        ),
        Case(
            "silence",
            "no acknowledgment arrives from 5 to 25 s †",
            silence,
            (
                m.SILENT_PACKETS,
                m.BACKOFF,
                m.recovery(0.8, "recovered_s", "time to 80 % of the rate afterwards"),
            ),
            base_s=0.02,
            marks={"at_s": 25.0, "rate_bps": 2e6, "silent_from_s": 5.0},
            packets=4_000,
            traces=("segments",),
            quick=True,
        ),
    )


def _standing_queues() -> tuple[Case, ...]:
    rate, rtt = "20Mbps", "40ms"
    return tuple(
        Case(
            f"{flows}-flow-{share}-bdp",
            f"{flows} flow{'s' if flows > 1 else ''}, drop-tail of {share} BDP",
            through(
                [bulk(f"test{i}", start=f"{0.5 * i:g}s") for i in range(flows)],
                rate=rate,
                rtt=rtt,
                queue=bdp(rate, rtt, share),
                duration=30,
            ),
            m.DELAYS,
            own=tuple(range(flows)),
            base_s=seconds(rtt) / 2,
            packets=50_000,
            quick=flows == 1 and share in (1, 16),
        )
        for flows in (1, 4)
        for share in (1, 2, 4, 8, 16, 20)
    )


def _high_loss() -> tuple[Case, ...]:
    rate, rtt = "50Mbps", "40ms"
    return tuple(
        Case(
            f"{flows}-flow-{share}-bdp",
            f"{flows} flow{'s' if flows > 1 else ''}, drop-tail of {share} BDP",
            through(
                [bulk(f"test{i}", start=f"{0.1 * i:.1f}s") for i in range(flows)],
                rate=rate,
                rtt=rtt,
                queue=bdp(rate, rtt, share),
                duration=15,
            ),
            (m.LOSS, m.GOODPUT, m.QUEUE_P95),
            own=tuple(range(flows)),
            base_s=seconds(rtt) / 2,
            packets=65_000,
            quick=(flows, share) == (8, 0.25),
        )
        for flows in (1, 8, 32)
        for share in (0.05, 0.25, 1, 2)
    )


def _fairness() -> tuple[Case, ...]:
    rate = "10Mbps"
    made = []
    for rtts, share in (
        *((("40ms", "40ms"), share) for share in (0.25, 0.5, 1, 2)),
        (("10ms", "10ms"), 1),
        (("160ms", "160ms"), 1),
        *(((short, "160ms"), 1) for short in ("10ms", "40ms", "80ms")),
        (("40ms", "160ms"), 0.25),
    ):
        short, long = rtts
        said = f"both {short}" if short == long else f"{short} and {long}"
        duration = 120 if "160ms" in rtts else 60
        starts = (0.0, duration * 0.1)
        flows = [
            bulk(f"test{i}", rtt=rtt, start=f"{start:g}s")
            for i, (rtt, start) in enumerate(zip(rtts, starts, strict=True))
        ]
        queue = bdp(rate, long, share)
        made.append(
            Case(
                f"{short}-{long}-{share}-bdp",
                f"2 flows, {said}, drop-tail of {share} BDP; the second starts at {starts[1]:g} s",
                through(flows, rate=rate, rtt=short, queue=queue, duration=duration),
                m.FAIRNESS,
                own=(0, 1),
                base_s=seconds(short) / 2,
                marks={"last_start_s": starts[1]},
                packets=duration * bits(rate) / 12_000,
                quick=(rtts, share) in ((("40ms", "40ms"), 1), (("40ms", "160ms"), 0.25)),
            )
        )
    return tuple(made)


GRID: tuple[tuple[str, str, float, float, bool], ...] = (
    ("1Mbps", "40ms", 1, 60, True),
    ("1Mbps", "300ms", 2, 90, False),
    ("10Mbps", "10ms", 1, 30, False),
    ("10Mbps", "40ms", 0.1, 30, False),
    ("10Mbps", "40ms", 8, 30, False),
    ("10Mbps", "100ms", 1, 40, True),
    ("10Mbps", "300ms", 0.5, 60, False),
    ("100Mbps", "10ms", 1, 10, False),
    ("100Mbps", "40ms", 0.5, 15, True),
    ("100Mbps", "40ms", 2, 15, False),
    ("100Mbps", "100ms", 1, 30, False),
    ("100Mbps", "300ms", 0.1, 40, False),
    ("1Gbps", "10ms", 0.5, 5, False),
    ("1Gbps", "40ms", 1, 6, False),
)
"""Points of the grid (†): rate, round trip, buffer in BDP, duration in s, and membership of the quick form."""


def _drop_tail() -> tuple[Case, ...]:
    grid = tuple(
        Case(
            f"{rate}-{rtt}-{share:g}-bdp",
            f"1 flow, {rate[:-4]} {rate[-4]}b/s, {rtt[:-2]} ms, drop-tail of {share:g} BDP",
            through([bulk()], rate=rate, rtt=rtt, queue=bdp(rate, rtt, share), duration=duration),
            m.WHOLE,
            base_s=seconds(rtt) / 2,
            packets=duration * bits(rate) / 12_000,
            quick=quick,
        )
        for rate, rtt, share, duration, quick in GRID
    )
    lot = parking_lot("100Mbps", "60ms", bdp("100Mbps", "60ms", 1), 20)
    return (
        *grid,
        Case(
            "parking-lot",
            "parking lot of 3 x 100 Mb/s, all RTT 60 ms: the flow over all three and three cross flows",
            lot,
            (m.RATIO, m.JAIN, m.GOODPUT, m.LOSS),
            own=(0, 1, 2, 3),
            base_s=0.03,
            packets=500_000,
        ),
    )


CRITERIA: tuple[Criterion, ...] = (
    Criterion(
        "collapse",
        "Congestion collapse, and loss of all feedback",
        "5.1.1",
        Level.MUST,
        "Does the control send less when most packets are lost or no acknowledgment arrives?",
        "200 flows on 1 Mb/s; a loss of 50 %; no acknowledgments for 20 s",
        _collapse,
        note="A factor of 2 between the waits of retries is exponential backoff.",
    ),
    Criterion(
        "bufferbloat",
        "Standing queues (bufferbloat)",
        "5.1.2",
        Level.NONE,
        "How much queueing delay does the control cause in deep buffers?",
        "1 and 4 flows on 20 Mb/s, 40 ms; drop-tail of 1 to 20 BDP",
        _standing_queues,
    ),
    Criterion(
        "high-loss",
        "High packet loss",
        "5.1.3",
        Level.NONE,
        "How many packets does the control lose in shallow buffers?",
        "1 to 32 flows on 50 Mb/s, 40 ms; drop-tail of 0.05 to 2 BDP",
        _high_loss,
    ),
    Criterion(
        "fairness",
        "Fairness within the control",
        "5.1.4",
        Level.NONE,
        "Do two flows of the control share a link fairly, and after what time?",
        "2 flows on 10 Mb/s, RTT 10 to 160 ms, drop-tail of 25 to 200 % of a BDP",
        _fairness,
    ),
    Criterion(
        "drop-tail",
        "Drop-tail queues and wired paths",
        "6.1, 6.3",
        Level.MUST,
        "How does the control use wired paths with drop-tail queues?",
        "1 flow at points of a grid of rate, RTT and buffer; a parking lot",
        _drop_tail,
    ),
)
