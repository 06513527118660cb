"""Criteria on paths that change, lose packets at random, reorder, pause, or are very slow or very long."""

from __future__ import annotations

from typing import Any

from ackclock.evaluate import metrics as m
from ackclock.evaluate.declared import Case, Criterion, Level, Metric
from ackclock.evaluate.metrics import ramp, recovery
from ackclock.evaluate.paths import at, bdp, bits, bulk, gaps, seconds, through, udp

__all__ = ["CRITERIA"]

RECOVERED = recovery(0.8, "recovered_s", "time to 80 % of the rate")
LOSSY = (m.GOODPUT, m.QUEUE_P95, m.MISTAKEN)


def _one(
    key: str,
    title: str,
    metrics: tuple[Metric, ...],
    *,
    rate: str = "20Mbps",
    rtt: str = "40ms",
    share: float = 1,
    duration: float = 30,
    flows: Any = None,
    used: float = 1.0,
    quick: bool = False,
    marks: dict[str, float] | None = None,
    fixed: tuple[int, ...] = (),
    queue: Any = None,
    **bottleneck: Any,
) -> Case:
    """Return a case of one flow under test; `used` is the expected mean utilisation."""
    document = through(
        flows or [bulk()],
        rate=rate,
        rtt=rtt,
        queue=queue or bdp(rate, rtt, share),
        duration=duration,
        **bottleneck,
    )
    return Case(
        key,
        title,
        document,
        metrics,
        fixed=fixed,
        base_s=seconds(rtt) / 2,
        marks=marks or {},
        packets=used * duration * bits(rate) / 12_000,
        quick=quick,
    )


def _wireless() -> tuple[Case, ...]:
    def bursts(p: float, r: float) -> dict[str, Any]:
        return {"kind": "gilbert-elliott", "p": p, "r": r, "toward": "d"}

    delivery = through(
        [bulk()],
        rate="10Mbps",
        rtt="60ms",
        queue=bdp("10Mbps", "60ms", 2),
        duration=30,
    )
    # A made-up cellular trace: 24, 6, 2 and 12 Mb/s for a second each, with a fade of 0.2 s.
    fading = gaps(((1, 2000), (2, 500), (6, 167), (200, 1), (1, 1000)))
    delivery["link"][0]["rate"] = fading
    return (
        _one(
            "random-0.1", "random loss of 0.1 %", LOSSY, used=0.8,
            loss={"kind": "random", "rate": 0.001, "toward": "d"},
        ),
        _one(
            "random-1", "random loss of 1 %", LOSSY, used=0.4, quick=True,
            loss={"kind": "random", "rate": 0.01, "toward": "d"},
        ),
        _one("bursts-1", "bursts of 3 packets, 1 % lost", LOSSY, used=0.4, loss=bursts(0.0034, 0.333)),
        _one("bursts-0.2", "bursts of 10 packets, 0.2 % lost", LOSSY, used=0.7, loss=bursts(0.0002, 0.1)),
        Case(
            "delivery-trace", "a rate that follows a made-up delivery trace of 2 to 12 Mb/s, with a fade of 0.2 s †",
            delivery, (m.GOODPUT, m.QUEUE_P95, m.LOSS), base_s=0.03, packets=25_000, quick=True,
        ),
        _wifi(),
        _lte(),
    )  # fmt: skip


def _wifi() -> Case:
    document = {
        "duration": "10s",
        "seed": 1,
        "node": [{"name": "ap", "position": [0, 0, 2]}, {"name": "sta", "position": [15, 0, 1]}],
        "link": [
            {
                "name": "bottleneck",
                "between": ["server", "ap"],
                "rate": "1Gbps",
                "delay": "10ms",
                "queue": 2000,
            }
        ],
        "wifi": [
            {
                "name": "wlan",
                "standard": "n",
                "stations": ["ap", "sta"],
                "access_point": "ap",
                "channel": 36,
                "queue": 400,
            }
        ],
        "flow": [{"name": "test", "from": "server", "to": "sta", "tcp": bulk()["tcp"]}],
    }
    return Case(
        "802.11n",
        "a station of an 802.11n network, 15 m from the access point",
        document,
        (m.GOODPUT, m.QUEUE_P95, m.LOSS),
        base_s=0.01,
        packets=60_000,
    )


def _lte() -> Case:
    document = {
        "duration": "10s",
        "seed": 1,
        "node": [{"name": "ue", "position": [0, 400, 1.5]}],
        "link": [
            {
                "name": "bottleneck",
                "between": ["server", "agw"],
                "rate": "1Gbps",
                "delay": "20ms",
                "queue": 2000,
            }
        ],
        "lte": [
            {
                "name": "cell",
                "gateway": "agw",
                "ue": ["ue"],
                "enb": [{"name": "enb1", "position": [0, 0, 30], "power": "43dBm"}],
                "bandwidth": "5MHz",
                "frequency": "2120MHz",
                "propagation": {"kind": "log-distance", "exponent": 3.5},
                "rlc": {"mode": "am", "buffer": "200kB"},
            }
        ],
        "flow": [{"name": "test", "from": "server", "to": "ue", "tcp": bulk()["tcp"]}],
    }
    return Case(
        "lte",
        "a UE 400 m from an LTE cell of 5 MHz",
        document,
        (m.GOODPUT, m.QUEUE_P95, m.LOSS),
        base_s=0.02,
        packets=40_000,
    )


def _varying_delay() -> tuple[Case, ...]:
    def steps(*delays: float) -> list[dict[str, Any]]:
        return [at(15 * (i + 1), "delay", f"{delay * 1e6:.0f}us") for i, delay in enumerate(delays)]

    kept = (m.GOODPUT, m.QUEUE_P95, m.LOSS)
    return (
        _one(
            "plus-minus-50", "the base RTT changes by +50 % and -50 % every 15 s †", kept, duration=60, quick=True,
            events=steps(0.026, 0.006, 0.026),
        ),
        _one("constant", "the same path with a constant RTT, to compare with", kept, duration=60),
        _one(
            "jitter", "delay varies by a uniform jitter of up to 20 ms, packets stay in order †", kept,
            jitter={"kind": "uniform", "max": "20ms", "toward": "d"},
        ),
    )  # fmt: skip


def _constrained() -> tuple[Case, ...]:
    metrics = (m.CONTROL_BYTES, m.GOODPUT, m.QUEUE_P95, m.LOSS)
    return tuple(
        _one(
            f"{kilobits}-kbps-{flows}",
            f"{flows} flow{'s' if flows > 1 else ''} on {kilobits} kb/s, RTT 40 ms, a queue of 10 packets †",
            metrics,
            rate=f"{kilobits}kbps",
            queue=10,
            duration=120,
            access="10Mbps",
            flows=[bulk(f"test{i}", start=f"{i}s") for i in range(flows)],
            quick=kilobits == 100 and flows == 1,
        )
        for kilobits in (10, 100)
        for flows in (1, 4)
    )


def _high_delay() -> tuple[Case, ...]:
    back = {"rate": "4Mbps"}
    return tuple(
        _one(
            f"geo-{share:g}-bdp",
            f"40/4 Mb/s, 300 ms one way, drop-tail of {share:g} BDP",
            (*ramp(0.5, 0.9), *m.WHOLE),
            rate="40Mbps",
            rtt="600ms",
            share=share,
            duration=60,
            marks={"at_s": 0.0, "rate_bps": 40e6},
            reverse=back,
            quick=share == 0.5,
        )
        for share in (0.25, 0.5, 1)
    )


def _reordering() -> tuple[Case, ...]:
    metrics = (m.GOODPUT, m.SPURIOUS, m.TIMEOUTS)
    return tuple(
        _one(
            f"{percent:g}-by-{by}ms",
            f"{percent:g} % of the packets are late by {by} ms, {'1 RTT' if by == 40 else 'half an RTT'}",
            metrics,
            reorder={"rate": percent / 100, "delay": f"{by}ms", "toward": "d"},
            quick=(percent, by) == (1, 20),
        )
        for percent in (0.1, 1, 10)
        for by in (20, 40)
    )


def _transients() -> tuple[Case, ...]:
    base: dict[str, Any] = {"rate": "100Mbps", "rtt": "100ms", "queue": 1024}
    steps = [udp(f"step{i}", "2.5Mbps", start=f"{20 + i:g}s", stop=f"{80 - i:g}s") for i in range(30)]
    gained = (*ramp(0.6, 0.8, 0.9), m.GOODPUT)
    return (
        _one(
            "release", "UDP of 75 Mb/s ends at 30 s", gained, duration=60, **base,
            flows=[bulk(), udp("cross", "75Mbps", stop="30s")], fixed=(1,),
            marks={"at_s": 30.0, "rate_bps": 100e6},
        ),
        _one(
            "onset", "UDP of 75 Mb/s begins at 30 s", (m.FIXED_LOST, m.FIXED_LOSS, m.GOODPUT, m.QUEUE_P95),
            duration=130, **base, flows=[bulk(), udp("cross", "75Mbps", start="30s")], fixed=(1,),
        ),
        _one(
            "steps", "30 steps of 2.5 Mb/s of UDP up, from 20 s on, and down again, until 80 s",
            (m.FIXED_LOST, m.FIXED_LOSS, m.GOODPUT, m.QUEUE_P95), duration=100, **base,
            flows=[bulk(), *steps], fixed=tuple(range(1, 31)),
        ),
        _one(
            "release-10", "10 Mb/s, RTT 40 ms: UDP of 7.5 Mb/s ends at 15 s †", gained, duration=30,
            rate="10Mbps", flows=[bulk(), udp("cross", "7.5Mbps", stop="15s")], fixed=(1,), quick=True,
            marks={"at_s": 15.0, "rate_bps": 10e6},
        ),
    )  # fmt: skip


def _path_change() -> tuple[Case, ...]:
    change = 20.0
    metrics = (RECOVERED, *m.WHOLE)

    def outage(length: float, quick: bool = False) -> Case:
        end = change + length
        return _one(
            f"outage-{length:g}s", f"an outage of {length:g} s †", metrics, duration=end + 30, quick=quick,
            # A link that is down would keep its queue, whose packets would end the outage for the sender.
            events=[at(change, "loss", {"kind": "random", "rate": 1.0}), at(end, "loss", [])],
            marks={"at_s": end, "rate_bps": 20e6},
        )  # fmt: skip

    def step(key: str, title: str, before: str, after: str, quick: bool) -> Case:
        mean = (bits(before) + 2 * bits(after)) / 3 / bits(before)
        return _one(
            key, title, metrics, rate=before, duration=60, used=mean, access="1Gbps", quick=quick,
            events=[at(change, "rate", after)], marks={"at_s": change, "rate_bps": bits(after)},
            queue=bdp("10Mbps", "40ms", 2),
        )  # fmt: skip

    def trip(key: str, title: str, delay: str, quick: bool) -> Case:
        return _one(
            key, title, metrics, duration=50, events=[at(change, "delay", delay)], quick=quick,
            marks={"at_s": change, "rate_bps": 20e6},
        )  # fmt: skip

    return (
        step("rate-times-10", "the rate rises from 10 to 100 Mb/s", "10Mbps", "100Mbps", False),
        step("rate-by-10", "the rate falls from 100 to 10 Mb/s", "100Mbps", "10Mbps", False),
        step("rate-times-4", "the rate rises from 5 to 20 Mb/s †", "5Mbps", "20Mbps", True),
        trip("rtt-times-2", "the RTT rises from 40 to 80 ms", "36ms", True),
        trip("rtt-by-2", "the RTT falls from 40 to 20 ms", "6ms", False),
        outage(1.0, True),
        outage(5.0),
        outage(30.0),
    )


def _pauses() -> tuple[Case, ...]:
    metrics = (m.GOODPUT, m.QUEUE_P95, m.SPURIOUS, m.LOSS)
    held = tuple(
        _one(
            f"acks-held-{hold}ms", f"acknowledgments leave in batches every {hold} ms", metrics,
            reverse={"rate": gaps([(hold, 1), (0, 9)])}, quick=hold == 20,
        )
        for hold in (5, 20, 100)
    )  # fmt: skip
    return (*held, *_wifi_pauses(metrics), _jitter(metrics))


def _wifi_pauses(metrics: tuple[Metric, ...]) -> tuple[Case, ...]:
    made = []
    for pause in (100, 500, 1000):
        case = _one(
            f"pause-{pause}ms", f"a link of 12 Mb/s that pauses for {pause} ms in every 2 s", metrics,
            rate="12Mbps", share=4, used=1 - pause / 2000, quick=pause == 500,
        )  # fmt: skip
        case.document["link"][0]["rate"] = gaps([(1, 2000 - pause), (pause, 1)])
        made.append(case)
    return tuple(made)


def _jitter(metrics: tuple[Metric, ...]) -> Case:
    return _one(
        "jitter",
        "jitter of half an RTT, which reorders packets",
        metrics,
        jitter={"kind": "uniform", "max": "20ms", "keep_order": False, "toward": "d"},
    )


def _leo() -> tuple[Case, ...]:
    # One-way delay of the bottleneck and rate after each handover; access links add 4 ms each way.
    plan = ((26, "60Mbps"), (16, "100Mbps"), (36, "50Mbps"), (11, "80Mbps"))
    events = []
    for i, (delay, rate) in enumerate(plan):
        time = 15.0 * (i + 1)
        events += [
            at(time, "delay", f"{delay}ms"),
            at(time, "rate", rate),
            at(time, "forward.loss", {"kind": "random", "rate": 0.3}),
            at(time + 0.2, "forward.loss", []),
        ]
    events = [one for one in events if float(one["at"][:-1]) < 60]
    return (
        _one(
            "handovers",
            "delay (20 to 40 ms one way) and rate (50 to 100 Mb/s) step every 15 s, 30 % are lost for 200 ms then †",
            (m.GOODPUT, RECOVERED, m.QUEUE_P95, m.LOSS),
            rate="80Mbps",
            duration=60,
            used=0.85,
            events=events,
            marks={"at_s": 30.0, "rate_bps": 100e6, "end_s": 45.0},
        ),
        _one(
            "handovers-slow",
            "delay (20 to 40 ms one way) and rate (5 to 10 Mb/s) step every 15 s, 30 % are lost for 200 ms then †",
            (m.GOODPUT, RECOVERED, m.QUEUE_P95, m.LOSS),
            rate="8Mbps",
            duration=60,
            used=0.85,
            quick=True,
            events=[
                {**one, "to": f"{int(one['to'][:-4]) / 10:g}Mbps"} if str(one["to"]).endswith("Mbps") else one
                for one in events
            ],
            marks={"at_s": 30.0, "rate_bps": 10e6, "end_s": 45.0},
        ),
    )


def _policer() -> tuple[Case, ...]:
    made = []
    for depth in (1, 10, 100):
        bucket = {
            "kind": "token-bucket",
            "rate": "10Mbps",
            "burst": f"{max(1500, round(depth * 1e-3 * 10e6 / 8))}B",
            "queue": {"kind": "droptail", "packets": 1},
        }
        made.append(
            _one(
                f"{depth}ms",
                f"a token bucket of 10 Mb/s, {depth} ms deep, that drops on a link of 100 Mb/s",
                (m.GOODPUT, m.LOSS),
                rate="100Mbps",
                queue=bucket,
                used=0.12,
                # Slower than the link, so that a packet is dropped for want of tokens only.
                access="95Mbps",
                quick=depth == 10,
            )
        )
    return tuple(made)


CRITERIA: tuple[Criterion, ...] = (
    Criterion(
        "wireless", "Wireless paths", "6.4", Level.NONE,
        "What goodput and delay does the control have on paths that lose packets without congestion?",
        "1 flow: random losses, bursts, a delivery trace, 802.11n, LTE", _wireless,
    ),
    Criterion(
        "varying-delay", "Delay that varies", "7.3", Level.SHOULD,
        "Does the control keep its goodput if the base RTT changes?",
        "1 flow on 20 Mb/s; the base RTT of 40 ms changes by 50 % every 15 s; jitter", _varying_delay,
    ),
    Criterion(
        "constrained", "Constrained paths", "7.4", Level.NONE,
        "Does the control work where the BDP is below one packet, and at what cost?",
        "1 and 4 flows on 10 and 100 kb/s, RTT 40 ms", _constrained,
    ),
    Criterion(
        "high-delay", "High delay", "7.5", Level.NONE,
        "How fast does the control fill a long path?", "1 flow over a GEO satellite: 40/4 Mb/s, 300 ms one way",
        _high_delay,
    ),
    Criterion(
        "reordering", "Reordering", "7.7", Level.NONE,
        "Does the control reduce its rate because packets arrive out of order?",
        "1 flow on 20 Mb/s, 40 ms; 0.1 to 10 % of the packets are late by half an RTT or one", _reordering,
    ),
    Criterion(
        "transients", "Transients", "7.8", Level.SHOULD,
        "How fast does the control take and give up capacity?",
        "1 flow on 100 Mb/s, RTT 100 ms, 1024 packets; UDP of 75 Mb/s ends, begins, or changes in steps",
        _transients,
    ),
    Criterion(
        "path-change", "Sudden changes of the path", "7.9", Level.MUST,
        "How long does the control take to use a path that has changed?",
        "1 flow; rate x10 and /10, RTT x2 and /2, outages of 1 to 30 s", _path_change,
    ),
    Criterion(
        "pauses", "ACK aggregation, pauses and jitter †", "", Level.NONE,
        "What do held acknowledgments, pauses of the link and jitter do to the control?",
        "1 flow; acknowledgments in batches of 5 to 100 ms, pauses of 0.1 to 1 s, jitter of half an RTT", _pauses,
    ),
    Criterion(
        "leo", "Satellites in low orbits †", "", Level.NONE,
        "How does the control take handovers between satellites?",
        "1 flow; delay and rate step every 15 s, with losses in the first 200 ms after each step", _leo,
    ),
    Criterion(
        "policer", "Policers †", "", Level.NONE,
        "How much does the control lose at a policer?",
        "1 flow; a token bucket of 10 Mb/s that drops, 1 to 100 ms deep, on a link of 100 Mb/s", _policer,
    ),
)  # fmt: skip
