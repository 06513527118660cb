"""What is run: the points of each figure, as scenario documents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ackclock.studies.documents import link, to_json
from ackclock.studies.huang import peer
from ackclock.studies.huang import settings as k

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Experiment:
    """One sweep, or one point.

    Attributes:
        key: Its name in the data.
        figures: The figures drawn from it.
        place: What varies or is fixed, in words.
        middle: Rate and delay of R0-R1.
        curves: What runs in it, keys of `settings.CURVES`.
        errors_to: The node at the far end of the link with errors; empty without errors.
        xs: Error rates; 0 alone without errors.
        edge_delay: Delay of the links at the edges.
        length_s: How long flows send, s.
        crash: Whether the gateway crashes in the middle of the run.
        udp: Over 802.11, with these streams of datagrams beside the flow: each its start and stop in s, and for how
            long it is on and off in turn, s, or None where it is on all the time.
        sample_s: Width of the bins of throughput against time, s.
    """

    key: str
    figures: tuple[str, ...]
    place: str
    middle: tuple[str, str]
    curves: tuple[str, ...]
    errors_to: str = ""
    xs: tuple[float, ...] = (0.0,)
    edge_delay: str = "10ms"
    length_s: int = k.LENGTH_S
    crash: bool = False
    udp: tuple[tuple[float, float, float | None], ...] = ()
    sample_s: float = k.SAMPLE_S

    @property
    def several(self) -> bool:
        """Whether several flows run: then starts matter."""
        return not self.errors_to

    @property
    def start_s(self) -> float:
        """When flows start, s."""
        return 0 if self.udp else k.START_S

    def sampled(self, x: float) -> bool:
        """Whether throughput against time is drawn from this point."""
        return (x == k.FIGURE_ERROR and not self.crash) or "fig10" in self.figures or bool(self.udp)


OPEN: Final = ("10Mbps", "10ms")
"""R0-R1 without a bottleneck (Section 4.1)."""

NARROW: Final = ("1Mbps", "40ms")
"""R0-R1 as the bottleneck (Sections 4.2 and 5)."""

MIDDLE: Final = ("3Mbps", "10ms")
"""R0-AP, where the other side of AP is 802.11 (Section 4.3)."""

_SINGLE: Final = tuple(k.CURVES)
_PAIRS: Final = tuple(key for key, curve in k.CURVES.items() if not curve.gateway)


def _sweep(key: str, figures: tuple[str, ...], place: str, middle: tuple[str, str], to: str) -> Experiment:
    return Experiment(key, figures, place, middle, _SINGLE, errors_to=to, xs=k.ERRORS)


EXPERIMENTS: Final = (
    _sweep("open_d1", ("fig4", "fig5"), "errors on R1-D1", OPEN, "d1"),
    _sweep("open_r1", ("fig4", "fig5"), "errors on R0-R1", OPEN, "r1"),
    _sweep("narrow_d1", ("fig6", "fig7"), "errors on R1-D1", NARROW, "d1"),
    _sweep("narrow_r1", ("fig6", "fig7"), "errors on R0-R1", NARROW, "r1"),
    Experiment(
        "friendliness",
        ("fig10",),
        "beside Reno",
        NARROW,
        _PAIRS,
        length_s=k.FRIENDLINESS_S,
        sample_s=k.FRIENDLINESS_SAMPLE_S,
    ),
    Experiment(
        "crash",
        ("fig7",),
        "errors on R0-R1, gateway crashes",
        NARROW,
        tuple(key for key, curve in k.CURVES.items() if curve.gateway),
        errors_to="r1",
        xs=(k.CRASH_ERROR,),
        crash=True,
    ),
    Experiment(
        "hybrid",
        ("fig9",),
        "over 802.11, UDP until 10 s and from 20 s on",
        MIDDLE,
        _PAIRS,
        length_s=k.HYBRID_S,
        sample_s=k.HYBRID_SAMPLE_S,
        udp=tuple((start, stop, None) for start, stop in k.HYBRID_UDP_S),
    ),
    Experiment(
        "pulse",
        ("response",),
        "over 802.11, UDP on and off",
        MIDDLE,
        _PAIRS,
        length_s=k.RESPONSE_S,
        sample_s=k.HYBRID_SAMPLE_S,
        udp=((0, k.RESPONSE_S, 0.5),),
    ),
    Experiment("fairness", ("fig11",), "ten alike", OPEN, _PAIRS, edge_delay="1ms"),
)

FIGURES: Final = ("fig4", "fig5", "fig6", "fig7", "fig9", "response", "fig10", "fig11")
"""What `--only` takes."""

_QUICK_ERRORS: Final = (0.001, 0.01, 0.1)


@dataclass(frozen=True)
class Plan:
    """What one call of the study runs.

    Attributes:
        experiments: The sweeps, with the points chosen.
        seeds: Replications of points with random loss.
        jittered: Replications with jittered starts.
        together: Runs that start together.
        quick: Whether this is the quick form.
        figures: The figures asked for.
    """

    experiments: tuple[Experiment, ...]
    seeds: int
    jittered: int
    together: int
    quick: bool
    figures: tuple[str, ...]


def plan(*, quick: bool = False, only: str | None = None) -> Plan:
    """The full form, or the quick form: fewer points, fewer replications.

    Args:
        quick: The quick form.
        only: One of `FIGURES`; all of them where None. Figures 4 and 6 need 10 % error alone.
    """
    figures = FIGURES if only is None else (only,)
    chosen = [e for e in EXPERIMENTS if set(e.figures) & set(figures)]
    if only in ("fig4", "fig6"):
        chosen = [replace(e, xs=(k.FIGURE_ERROR,)) for e in chosen]
    if not quick:
        return Plan(tuple(chosen), k.SEEDS, k.JITTERED, k.TOGETHER, quick=False, figures=figures)
    fewer = tuple(replace(e, xs=tuple(x for x in e.xs if x in _QUICK_ERRORS or not x)) for e in chosen)
    return Plan(fewer, 4, 4, 1, quick=True, figures=figures)


@dataclass(frozen=True)
class Job:
    """One run.

    Attributes:
        experiment: What it belongs to.
        x: Error rate, 0 to 1.
        curve: Key of `settings.CURVES`.
        timestamps: Whether the flows have the timestamps option; without it only where ns-2 ran so.
        together: Whether several flows start at the same instant.
        seed: Seed of the run.
    """

    experiment: Experiment
    x: float
    curve: str
    timestamps: bool
    together: bool
    seed: int

    @property
    def jitter_s(self) -> float:
        """Start jitter, s. A single flow starts at its time: random loss makes its runs differ."""
        if not self.experiment.several or self.together:
            return 0.0
        return k.HYBRID_JITTER_S if self.experiment.udp else k.JITTER_S


def jobs(experiment: Experiment, chosen: Plan) -> list[Job]:
    """Every run of a sweep, by x and curve; the seeds are the same for every curve.

    Where ns-2 ran a curve without timestamps, so do we, beside the runs with them: for the comparison.
    """
    out: list[Job] = []
    for x in experiment.xs:
        for curve in experiment.curves:
            forms = [True] if peer.timestamps(experiment.key, curve) else [True, False]
            for timestamps in forms:
                out += _replications(experiment, x, curve, timestamps, chosen)
    return out


def _replications(
    experiment: Experiment, x: float, curve: str, timestamps: bool, chosen: Plan
) -> Sequence[Job]:
    if not experiment.several:
        seeds = range(k.BASE_SEED, k.BASE_SEED + chosen.seeds)
        return [Job(experiment, x, curve, timestamps, False, seed) for seed in seeds]
    together = range(k.BASE_SEED, k.BASE_SEED + chosen.together)
    # Replication 0 starts together, as everywhere in ackclock: it takes no part in the intervals.
    jittered = range(k.BASE_SEED + 1, k.BASE_SEED + 1 + chosen.jittered)
    return [
        *(Job(experiment, x, curve, timestamps, True, seed) for seed in together),
        *(Job(experiment, x, curve, timestamps, False, seed) for seed in jittered),
    ]


def document(job: Job) -> dict[str, object]:
    """The scenario of a run, as the document that `ackclock run` takes; its seed is the first one's."""
    if job.experiment.udp:
        return _hybrid(job)
    curves = flows(job.experiment, job.curve)
    count = len(curves)
    senders = [f"s{i}" for i in range(count)]
    receivers = ["d1"] if count == 1 else [f"d{i}" for i in range(count)]
    stop = f"{k.START_S + job.experiment.length_s}s"
    rate, delay = job.experiment.middle
    edge = ("10Mbps", job.experiment.edge_delay)
    links = [
        *(link(sender, "r0", *edge, k.QUEUE) for sender in senders),
        link("r0", "r1", rate, delay, k.QUEUE),
        *(link("r1", receiver, *edge, k.QUEUE) for receiver in receivers),
    ]
    found: dict[str, object] = {"duration": stop, "seed": k.BASE_SEED}
    if job.x > 0:
        lossy = links[-1] if job.experiment.errors_to == "d1" else links[count]
        lossy["loss"] = {"kind": "random", "rate": job.x, "toward": job.experiment.errors_to, "at": "entry"}
    if k.CURVES[job.curve].gateway:
        name = "r1" if job.experiment.errors_to == "d1" else "r0"
        found["node"] = [{"name": name, "gateway": k.GATEWAY}]
        if job.experiment.crash:
            event = {"at": f"{k.CRASH_S}s", "set": f"node.{name}.gateway.up", "to": False}
            found["event"] = [event]
    found["link"] = links
    found["flow"] = [
        {
            "from": sender,
            "to": receiver,
            "start": f"{k.START_S}s",
            "stop": stop,
            "traffic": {"kind": "ftp"},
            "tcp": {**k.TCP, "timestamps": job.timestamps, **k.CURVES[curve].tcp},
        }
        for sender, receiver, curve in zip(senders, receivers, curves, strict=True)
    ]
    return found


def _hybrid(job: Job) -> dict[str, object]:
    """Figure 8: S0 and S1 on the wired side, D0 behind 802.11b, D1 behind a wire."""
    e = job.experiment
    udp: dict[str, object] = {"kind": "cbr", "rate": "1Mbps", "packet": f"{k.SEGMENT_B}B", "header": "0B"}
    streams = []
    for start, stop, half in e.udp:
        pulse = {} if half is None else {"kind": "on-off", "on": f"{half:g}s", "off": f"{half:g}s"}
        times = {"start": f"{start:g}s", "stop": f"{stop:g}s"}
        streams.append({"from": "s1", "to": "d1", **times, "traffic": {**udp, **pulse}})
    rate, delay = e.middle
    return {
        "duration": f"{e.length_s}s",
        "seed": k.BASE_SEED,
        "node": [{"name": "ap", "position": [0, 0, 0]}, {"name": "d0", "position": [5, 0, 0]}],
        "link": [
            link("s0", "r0", "100Mbps", "2ms", k.QUEUE),
            link("s1", "r0", "100Mbps", "2ms", k.QUEUE),
            link("r0", "ap", rate, delay, k.QUEUE),
            link("ap", "d1", "100Mbps", "2ms", k.QUEUE),
        ],
        "wifi": [
            {
                "standard": "b",
                "profile": "ns2",
                "stations": ["ap", "d0"],
                "access_point": "ap",
                "rate": "11Mbps",
                "rts_threshold": "3000B",
            }
        ],
        "flow": [
            {
                "from": "s0",
                "to": "d0",
                "start": "0s",
                "traffic": {"kind": "ftp"},
                "tcp": {**k.TCP, "timestamps": job.timestamps, **k.CURVES[job.curve].tcp},
            },
            *streams,
        ],
    }


def flows(experiment: Experiment, curve: str) -> tuple[str, ...]:
    """Keys of the curves that the TCP flows of a run belong to, in order of the flows; they come first."""
    if experiment.key == "friendliness":
        return (curve, k.competitor(curve))
    return (curve,) * (k.SENDERS if experiment.key == "fairness" else 1)


def document_json(job: Job) -> str:
    """The same as one line of JSON."""
    return to_json(document(job))
