"""Criteria on a control beside other traffic: short flows, other controls, media, active queues, data centres."""

from __future__ import annotations

from typing import Any

from ackclock.evaluate import metrics as m
from ackclock.evaluate.declared import Case, Criterion, Level
from ackclock.evaluate.paths import CLASSES, at, bdp, bits, bulk, media, seconds, sessions, through

__all__ = ["CRITERIA"]


def _short_flows() -> tuple[Case, ...]:
    rate, rtt, duration = "20Mbps", "40ms", 40
    queue = bdp(rate, rtt, 1)
    made = []
    for load in (0.6, 0.85, 1.1):
        percent = f"{load * 100:.0f} %"
        for key, said, own, fixed in (
            ("long", "a long flow of the control beside sessions of cubic", 0, 1),
            ("short", "sessions of the control beside a long flow of cubic", 1, 0),
        ):
            flows = [bulk("long"), sessions("web", rate, load, stop=f"{duration - 5}s")]
            flows[0]["tcp"]["variant"] = "cubic"
            slow = [m.size_class(size, "fixed" if own == 0 else "own") for size in (None, *CLASSES)]
            long = (m.GOODPUT, m.LOSS, m.QUEUE_P95) if own == 0 else (m.FIXED_GOODPUT, m.FIXED_LOSS)
            made.append(
                Case(
                    f"{key}-{load * 100:.0f}",
                    f"{said}, whose load is {percent}",
                    through(flows, rate=rate, rtt=rtt, queue=queue, duration=duration),
                    (*slow, *long),
                    own=(own,),
                    fixed=(fixed,),
                    base_s=seconds(rtt) / 2,
                    packets=duration * bits(rate) / 12_000 * 1.3,
                    quick=load == 0.85,
                )
            )
    return tuple(made)


def _mixed() -> tuple[Case, ...]:
    rate, rtt, duration = "20Mbps", "40ms", 40
    made = []
    for each, share in ((1, 0.5), (1, 1), (1, 4), (4, 1)):
        flows = [bulk(f"{camp}{i}", start=f"{0.1 * i:g}s") for camp in ("test", "other") for i in range(each)]
        own, other = tuple(range(each)), tuple(range(each, 2 * each))
        made.append(
            Case(
                f"{each}-beside-{each}-{share:g}-bdp",
                f"{each} long flow{'s' if each > 1 else ''} beside {each}, drop-tail of {share:g} BDP",
                through(flows, rate=rate, rtt=rtt, queue=bdp(rate, rtt, share), duration=duration),
                (*m.OTHERS, m.GOODPUT),
                own=own,
                other=other,
                base_s=seconds(rtt) / 2,
                marks={"rate_bps": bits(rate), "from_s": 5.0},
                packets=duration * bits(rate) / 12_000,
                quick=each == 1 and share in (0.5, 1, 4),
            )
        )
    for load in (0.5, 1.0):
        flows = [sessions(camp, rate, load / 2, stop=f"{duration - 5}s") for camp in ("test", "other")]
        made.append(
            Case(
                f"sessions-{load * 100:.0f}",
                f"two camps of sessions with the same arrivals, each with half of a load of {load * 100:.0f} %",
                through(flows, rate=rate, rtt=rtt, queue=bdp(rate, rtt, 1), duration=duration),
                (m.size_class(None, "other"), m.OTHER_LOSS),
                own=(0,),
                other=(1,),
                base_s=seconds(rtt) / 2,
                packets=duration * bits(rate) / 12_000 * load,
                quick=load == 1,
            )
        )
    return tuple(made)


def _queue(rate: str) -> int:
    """Return a queue limit of 300 ms, packets."""
    return max(2, round(0.3 * bits(rate) / 12_000))


def _capacity(*steps: tuple[float, str], way: str = "forward") -> list[dict[str, Any]]:
    """Return the events of a schedule of rates; the first step is the rate at the beginning.

    The queue changes with the rate, so that it stays 300 ms long.
    """
    events = []
    for time_s, rate in steps[1:]:
        queue = {"kind": "droptail", "packets": _queue(rate)}
        events += [at(time_s, f"{way}.rate", rate), at(time_s, f"{way}.queue", queue)]
    return events


def _rfc8867() -> tuple[Case, ...]:
    """Return the cases of RFC 8867: a media flow, which does not adapt here, beside the control under test."""
    metrics = (m.MEDIA_DELAY, m.MEDIA_LOSS, m.MEDIA_RATE, m.GOODPUT)

    def made(
        key: str, title: str, flows: list[dict[str, Any]], steps: Any, duration: float, **more: Any
    ) -> Case:
        quick, extra = more.pop("quick", False), more.pop("events", [])
        own = tuple(i for i, one in enumerate(flows) if "tcp" in one)
        fixed = tuple(i for i, one in enumerate(flows) if one["name"].startswith("media"))
        first = steps[0][1]
        document = through(
            flows,
            rate=first,
            rtt=more.pop("rtt", "100ms"),
            queue=_queue(first),
            duration=duration,
            events=[*_capacity(*steps), *extra],
            access="100Mbps",
            **more,
        )
        ends = [*(time for time, _ in steps[1:]), duration]
        packets = sum(
            (end - begin) * bits(rate) / 12_000 for (begin, rate), end in zip(steps, ends, strict=True)
        )
        return Case(
            key, title, document, metrics, own=own, fixed=fixed, base_s=0.05, packets=packets, quick=quick
        )

    variable = ((0, "1Mbps"), (40, "2.5Mbps"), (60, "0.6Mbps"), (80, "1Mbps"))
    shared = ((0, "4Mbps"), (25, "2Mbps"), (50, "3.5Mbps"), (75, "1Mbps"), (100, "2Mbps"))
    forward = ((0, "2Mbps"), (20, "1Mbps"), (40, "0.5Mbps"), (60, "2Mbps"))
    backward = ((0, "2Mbps"), (35, "0.8Mbps"), (70, "2Mbps"))
    back = _capacity(*backward, way="reverse")
    shorts = {**sessions("test", "2Mbps", 0.4), "stop": "110s"}
    return (
        made(
            "5.1-variable", "capacity 1, 2.5, 0.6, 1 Mb/s; one media flow", [bulk(), media()], variable, 100,
            quick=True,
        ),
        made(
            "5.2-shared", "capacity 4, 2, 3.5, 1, 2 Mb/s; two media flows",
            [bulk(), media("media0"), media("media1")], shared, 125,
        ),
        made(
            "5.3-feedback", "forward 2, 1, 0.5, 2 Mb/s, back 2, 0.8, 2 Mb/s; media in both directions",
            [bulk(), media("media0"), media("media1", back=True)], forward, 100,
            events=back, reverse={"rate": "2Mbps", "queue": _queue("2Mbps")},
        ),
        made(
            "5.4-competing", "3.5 Mb/s; three media flows that start 20 s apart",
            [bulk(), *(media(f"media{i}", start=f"{20 * i}s") for i in range(3))], ((0, "3.5Mbps"),), 120,
        ),
        made(
            "5.5-rtt", "4 Mb/s; media flows of RTT 20 to 300 ms that start 10 s apart",
            [
                bulk(rtt="100ms"),
                *(
                    media(f"media{i}", rtt=rtt, start=f"{10 * i}s")
                    for i, rtt in enumerate(("20ms", "50ms", "100ms", "200ms", "300ms"))
                ),
            ],
            ((0, "4Mbps"),), 120,
        ),
        made(
            "5.6-long", "2 Mb/s; a long transfer of the control, and one media flow from 5 s on",
            [bulk(), media(start="5s")], ((0, "2Mbps"),), 120,
        ),
        made(
            "5.7-short", "2 Mb/s; short transfers of the control, and two media flows from 5 s on",
            [shorts, media("media0", start="5s"), media("media1", start="5s")], ((0, "2Mbps"),), 120,
        ),
        made(
            "5.8-pause", "3.5 Mb/s; three media flows, of which one pauses from 40 to 60 s",
            [
                bulk(), media("media0"), media("media1", stop="40s"), media("media1-again", start="60s"),
                media("media2"),
            ],
            ((0, "3.5Mbps"),), 120,
        ),
    )  # fmt: skip


QUEUES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("red", {"kind": "red", "packets": 300, "adaptive": True}),
    ("codel", {"kind": "codel", "packets": 1000}),
    ("fq-codel", {"kind": "fq-codel"}),
    ("pie", {"kind": "pie", "packets": 1000}),
)
"""Queue disciplines of criterion ``aqm``, with their settings; everything else is as the simulator has it."""


def _active_queues() -> tuple[Case, ...]:
    rate, rtt, duration = "20Mbps", "40ms", 30
    made = []
    for name, queue in QUEUES:
        for ecn in (False, True):
            flows = [bulk(f"test{i}", start=f"{0.3 * i:g}s") for i in range(2)]
            for flow in flows:
                # The control says itself which form of ECN it takes, such as "dctcp".
                flow["tcp"] = {**flow["tcp"], **({"ecn": "classic"} if ecn else {})}
            made.append(
                Case(
                    f"{name}-{'ecn' if ecn else 'drops'}",
                    f"2 flows, {name.upper().replace('CODEL', 'CoDel')}, ECN {'on' if ecn else 'off'}",
                    through(flows, rate=rate, rtt=rtt, queue={**queue, "ecn": ecn}, duration=duration),
                    (*m.WHOLE, m.JAIN, *((m.MARKED,) if ecn else ())),
                    own=(0, 1),
                    base_s=seconds(rtt) / 2,
                    packets=duration * bits(rate) / 12_000 * 1.3,
                    quick=name in ("fq-codel", "pie") and not (name == "pie" and ecn),
                )
            )
    return tuple(made)


def _circuit_breakers() -> tuple[Case, ...]:
    made = []
    for key, rate, rtt, flows, share, loss, quick in (
        ("shallow", "20Mbps", "40ms", 4, 0.1, 0.0, True),
        ("crowded", "5Mbps", "100ms", 20, 0.5, 0.0, False),
        ("lossy", "20Mbps", "40ms", 1, 1.0, 0.02, True),
    ):
        losses = {"kind": "random", "rate": loss, "toward": "d"} if loss else None
        said = f", random loss of {loss:.0%}" if loss else ""
        made.append(
            Case(
                key,
                f"{flows} flow{'s' if flows > 1 else ''} on {rate[:-4]} Mb/s, drop-tail of {share:g} BDP{said}",
                through(
                    [bulk(f"test{i}", start=f"{0.1 * i:.1f}s") for i in range(flows)],
                    rate=rate,
                    rtt=rtt,
                    queue=bdp(rate, rtt, share),
                    duration=40,
                    loss=losses or [],
                ),
                (m.TRIPS, m.LOSS, m.GOODPUT),
                own=tuple(range(flows)),
                base_s=seconds(rtt) / 2,
                packets=40 * bits(rate) / 12_000,
                quick=quick,
            )
        )
    return tuple(made)


def _incast(senders: int, size: str, quick: bool) -> Case:
    duration = 1.0
    tcp = bulk()["tcp"]
    flows = []
    for i in range(senders):
        times = [f"{0.02 * k:.2f}s" for k in range(1, int(duration / 0.02) - 5)]
        flows.append(
            {
                "name": f"test{i}",
                "tcp": dict(tcp),
                "traffic": {
                    "kind": "sessions",
                    "arrivals": {"kind": "given", "times": times},
                    "response": {"kind": "constant", "size": size},
                    "query": "all",
                },
            }
        )
    return Case(
        f"incast-{senders}",
        f"{senders} servers answer a query with {size[:-2]} kB each, 1 Gb/s, RTT 0.2 ms, drop-tail of 100 packets",
        through(flows, rate="1Gbps", rtt="200us", queue=100, duration=duration),
        (m.QUERY_P50, m.QUERY_P99, m.LOSS, m.TIMEOUTS),
        own=tuple(range(senders)),
        base_s=1e-4,
        packets=45 * senders * float(size[:-2]) / 1.448,
        bin_s=0.1,
        jitter_s=1e-4,
        quick=quick,
    )


def _data_centre() -> tuple[Case, ...]:
    flows = [bulk("test"), bulk("other")]
    beside = Case(
        "beside",
        "a long flow beside another on 1 Gb/s, RTT 0.5 ms, drop-tail of 100 packets",
        through(flows, rate="1Gbps", rtt="500us", queue=100, duration=3),
        (m.OTHER_GOODPUT, m.OTHER_QUEUE, m.OTHER_LOSS, m.GOODPUT),
        own=(0,),
        other=(1,),
        base_s=2.5e-4,
        marks={"rate_bps": 1e9},
        packets=250_000,
        bin_s=0.1,
        jitter_s=1e-3,
    )
    return _incast(16, "20kB", True), _incast(48, "20kB", False), beside


CRITERIA: tuple[Criterion, ...] = (
    Criterion(
        "short-flows",
        "Short flows",
        "5.1.5, 5.2.3",
        Level.MUST,
        "How long do short flows take beside long flows of the control, and short flows of the control themselves?",
        "sessions at 60, 85 and 110 % load beside a long flow, on 20 Mb/s, 40 ms, drop-tail of 1 BDP",
        _short_flows,
        note="The sessions are a model of our own (†): log-normal sizes with quartiles of 11, 30 and 82 kB, Poisson "
        "arrivals. The traces of the common TCP evaluation suite are not public.",
    ),
    Criterion(
        "mixed",
        "Beside standard congestion controls",
        "5.2.1",
        Level.MUST,
        "What do flows of other controls lose beside the control, compared with what they lose beside themselves?",
        "twin camps on 20 Mb/s, 40 ms: one camp of a baseline, the other of the control or of the same baseline",
        _mixed,
        note="Harm (Ware et al. 2019) compares a flow beside others with the same flow alone. A control does no more "
        "harm than the baseline does to itself if both harms are equal.",
    ),
    Criterion(
        "real-time",
        "Real-time media",
        "5.2.2",
        Level.SHOULD,
        "What delay and loss does interactive media have beside the control?",
        "the paths of RFC 8867, section 5 (one way 50 ms, a queue of 300 ms), with media of 500 kb/s over UDP",
        _rfc8867,
        note="RFC 8867 tests candidates for media congestion control. Here the media do not adapt: they measure what "
        "the control does to a path of these cases. Cases 5.1 to 5.5 and 5.8 have no TCP flow there; a transfer of the "
        "control is added. Rates and times are those of ns3-rmcat, which an author of RFC 8867 wrote for its last "
        "drafts. The media's rate and the short transfers of case 5.7 are chosen here (†).",
    ),
    Criterion(
        "aqm",
        "Active queue management",
        "7.1",
        Level.SHOULD,
        "Does the control use the feedback of active queues, by drops and by marks?",
        "2 flows on 20 Mb/s, 40 ms; RED, CoDel, FQ-CoDel and PIE, ECN on and off",
        _active_queues,
        unavailable="DualPI2 (RFC 9332) is not available: the simulator has no such queue yet.",
    ),
    Criterion(
        "circuit-breakers",
        "Circuit breakers",
        "7.2",
        Level.NONE,
        "Does the control ever send so much that a circuit breaker would stop the flow?",
        "shallow, crowded and lossy links; a monitor after RFC 8083, section 4.3, with intervals of 5 s †",
        _circuit_breakers,
    ),
    Criterion(
        "data-centre",
        "Data centres",
        "7.11",
        Level.SHOULD,
        "How long do queries take that many servers answer at once, and what can the control live beside?",
        "1 Gb/s, RTT under 2 ms: incast of 16 and 48 servers, and two long flows",
        _data_centre,
    ),
)
