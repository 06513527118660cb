"""What is run: the points of each figure, as scenario documents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ackclock.studies.abadin import settings as k
from ackclock.studies.documents import drop_tail, link, to_json

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Point:
    """One x of one figure: the network that every variant meets there.

    Attributes:
        x: Position on the figure's axis, in the axis's unit.
        rate: Rate of the bottleneck, both ways.
        delay: Propagation delay of the bottleneck, one way.
        queue: Places of the queue N2 -> N3, packets, the one in transmission included.
        flows: Number of flows.
        loss: Probability that a packet is lost before the queue N2 -> N3.
    """

    x: float
    rate: str
    delay: str
    queue: int
    flows: int = 2
    loss: float = 0.0


@dataclass(frozen=True)
class Experiment:
    """One sweep.

    Attributes:
        key: Its name in the data.
        figures: The figures drawn from it.
        axis: Label of the x axis.
        points: What is run, by rising x.
    """

    key: str
    figures: tuple[str, ...]
    axis: str
    points: tuple[Point, ...]


def _sources(queue: int, counts: Sequence[int]) -> tuple[Point, ...]:
    return tuple(Point(n, "5Mbps", "10ms", queue, flows=n) for n in counts)


_SOURCES: Final = (2, 4, 6, 8, 10, 15, 20, 25, 30)

EXPERIMENTS: Final = (
    Experiment("table1", ("table1", "fig2"), "", (Point(0, "0.3Mbps", "20ms", 5),)),
    Experiment(
        "error",
        ("fig3",),
        "error rate N2 to N3",
        tuple(
            Point(rate, "1Mbps", "20ms", 20, loss=rate)
            for rate in (0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1)
        ),
    ),
    Experiment(
        "bandwidth",
        ("fig4",),
        "bandwidth N2 to N3, Mb/s",
        tuple(Point(rate, f"{rate}Mbps", "20ms", 20) for rate in (0.5, 1, 1.5, 2, 2.5, 3, 4, 5)),
    ),
    Experiment("sources_q20", ("fig6",), "number of sources", _sources(20, _SOURCES)),
    Experiment("sources_q50", ("fig6",), "number of sources", _sources(50, _SOURCES)),
    Experiment(
        "delay",
        ("fig7",),
        "delay N2 to N3, ms",
        tuple(Point(ms, "1Mbps", f"{ms}ms", 20) for ms in (10, 20, 50, 100, 200, 300, 500)),
    ),
    Experiment(
        "buffer",
        ("fig8",),
        "buffer of N2, packets",
        tuple(Point(size, "2Mbps", "10ms", size) for size in (2, 5, 10, 15, 20, 30, 50, 75, 100)),
    ),
)

FIGURES: Final = ("table1", "fig2", "fig3", "fig4", "fig6", "fig7", "fig8")
"""What `--only` takes."""

_QUICK_X: Final[dict[str, tuple[float, ...]]] = {
    "table1": (0,),
    "error": (0, 0.01, 0.03, 0.05, 0.1),
    "bandwidth": (0.5, 1, 3, 5),
    "sources_q20": (2, 10, 20),
    "sources_q50": (2, 10, 20),
    "delay": (20, 100, 300),
    "buffer": (2, 5, 15, 50),
}


@dataclass(frozen=True)
class Plan:
    """What one call of the study runs.

    Attributes:
        experiments: The sweeps, with the points chosen.
        same_starts: Seeds with identical starts at points without random loss.
        same_starts_loss: The same in the sweep of error rates.
        jittered: Replications with jittered starts at points without random loss.
        jittered_loss: The same in the sweep of error rates.
        quick: Whether this is the quick form.
        figures: The figures asked for.
    """

    experiments: tuple[Experiment, ...]
    same_starts: int
    same_starts_loss: int
    jittered: int
    jittered_loss: int
    quick: bool
    figures: tuple[str, ...]


def plan(*, quick: bool = False, only: str | None = None) -> Plan:
    """The full form, or the quick form: fewer points, fewer replications.

    Args:
        quick: The quick form.
        only: One of `FIGURES`; all of them where None.
    """
    figures = FIGURES if only is None else (only,)
    chosen = tuple(e for e in EXPERIMENTS if set(e.figures) & set(figures))
    if not quick:
        return Plan(
            chosen,
            k.SAME_STARTS_SEEDS,
            k.SAME_STARTS_SEEDS_LOSS,
            k.JITTERED_REPLICATIONS,
            k.JITTERED_REPLICATIONS_LOSS,
            quick=False,
            figures=figures,
        )
    fewer = tuple(replace(e, points=tuple(p for p in e.points if p.x in _QUICK_X[e.key])) for e in chosen)
    return Plan(fewer, 1, 10, 4, 4, quick=True, figures=figures)


@dataclass(frozen=True)
class Job:
    """One run.

    Attributes:
        experiment: Key of the sweep.
        point: Where on it.
        variant: Key of `settings.VARIANTS`.
        jittered: Whether its starts are jittered.
        seed: Seed of the run.
    """

    experiment: str
    point: Point
    variant: str
    jittered: bool
    seed: int

    @property
    def jitter_s(self) -> float:
        """Start jitter, s."""
        return k.JITTER_S if self.jittered else 0.0


def jobs(experiment: Experiment, chosen: Plan) -> list[Job]:
    """Every run of a sweep: by point, then variant, then identical starts before jittered ones.

    With identical starts the seeds count from `BASE_SEED`, as in ns-2's runs. Jittered replications are 1, 2,
    ... of `BASE_SEED`: replication 0 is the run with identical starts and takes no part in their intervals.
    """
    out: list[Job] = []
    for point in experiment.points:
        same, jittered = (
            (chosen.same_starts_loss, chosen.jittered_loss)
            if experiment.key == "error"
            else (chosen.same_starts, chosen.jittered)
        )
        for variant in k.VARIANTS:
            out += [
                Job(experiment.key, point, variant, jittered=False, seed=k.BASE_SEED + r) for r in range(same)
            ]
            out += [
                Job(experiment.key, point, variant, jittered=True, seed=k.BASE_SEED + r)
                for r in range(1, jittered + 1)
            ]
    return out


def document(point: Point, variant: str) -> dict[str, object]:
    """The scenario of a point for a variant, as the document that `ackclock run` takes.

    Hosts are named as in the paper for two flows (N0, N1 and N4, N5), `s0...` and `d0...` for more.
    """
    count = point.flows
    senders = ["n0", "n1"] if count == 2 else [f"s{i}" for i in range(count)]
    receivers = ["n4", "n5"] if count == 2 else [f"d{i}" for i in range(count)]
    bottleneck: dict[str, object] = {
        "between": ["n2", "n3"],
        "rate": point.rate,
        "delay": point.delay,
        "queue": drop_tail(point.queue),
        "reverse": {"queue": drop_tail(k.REVERSE_QUEUE)},
    }
    if point.loss > 0:
        bottleneck["loss"] = {"kind": "random", "rate": point.loss, "toward": "n3", "at": "entry"}
    access = [*((s, "n2") for s in senders), *(("n3", d) for d in receivers)]
    return {
        "duration": f"{k.DURATION_S}s",
        "seed": k.BASE_SEED,
        "link": [
            bottleneck,
            *(link(a, b, k.ACCESS_RATE, k.ACCESS_DELAY, k.ACCESS_QUEUE) for a, b in access),
        ],
        "flow": [
            {
                "from": sender,
                "to": receiver,
                "start": _start(i),
                "stop": f"{k.DURATION_S}s",
                "traffic": {"kind": "ftp"},
                "tcp": {**k.VARIANTS[variant], **k.TCP},
            }
            for i, (sender, receiver) in enumerate(zip(senders, receivers, strict=True))
        ],
    }


def document_json(point: Point, variant: str) -> str:
    """The same as one line of JSON."""
    return to_json(document(point, variant))


def _start(index: int) -> str:
    # In whole milliseconds: a sum of binary fractions would print digits that nobody set.
    return f"{round((k.FIRST_START_S + k.START_SPACING_S * index) * 1000)}ms"
