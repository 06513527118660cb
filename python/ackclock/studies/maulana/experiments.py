"""What is run: each case for each variant, at two lengths, and at other packet sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ackclock.studies.documents import to_json
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import BY_KEY, CASES, COLUMNS, LARGE_B, NS3_RUNS, UES, Case, Ns3

FIGURES: Final = ("averages", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8")
"""What `--only` takes. The figures come in pairs, NewReno's and Vegas's: either names both."""

_PAIRS: Final = {"fig4": "fig3", "fig6": "fig5", "fig8": "fig7"}

_QUICK_SIZES: Final = (64, 512, 1500)


@dataclass(frozen=True)
class Plan:
    """What one call of the study runs.

    Attributes:
        cases: The cases, each at both lengths.
        sized: The cases run with other packet sizes.
        sizes: Those sizes, bytes.
        replications: Replications with jittered starts.
        heavy_replications: The same in cases that take long.
        sizes_replications: The same with other packet sizes.
        ns3: What ns-3 ran, run as there.
        quick: Whether this is the quick form.
        figures: The figures asked for; of a pair, the first.
    """

    cases: tuple[Case, ...]
    sized: tuple[Case, ...]
    sizes: tuple[int, ...]
    replications: int
    heavy_replications: int
    sizes_replications: int
    ns3: tuple[Ns3, ...]
    quick: bool
    figures: tuple[str, ...]


def plan(*, quick: bool = False, only: str | None = None) -> Plan:
    """The full form, or the quick form: fewer replications, packet sizes and radio networks.

    Args:
        quick: The quick form.
        only: One of `FIGURES`; all of them where None. But for the averages, a figure needs the cases of
            `COLUMNS` alone.
    """
    figures = tuple(f for f in FIGURES if f not in _PAIRS) if only is None else (_PAIRS.get(only, only),)
    columns = tuple(BY_KEY[column.case] for column in COLUMNS)
    quick_cases = tuple(case for case in CASES if not case.radio or case in columns)
    averages, drawn = "averages" in figures, bool({"fig3", "fig7"} & set(figures))
    return Plan(
        cases=(quick_cases if quick else CASES) if averages else columns if drawn else (),
        sized=columns if "fig5" in figures else (),
        sizes=_QUICK_SIZES if quick else k.SIZES_B,
        replications=3 if quick else k.REPLICATIONS,
        heavy_replications=2 if quick else k.HEAVY_REPLICATIONS,
        sizes_replications=2 if quick else k.SIZES_REPLICATIONS,
        ns3=NS3_RUNS if averages and not quick else (),
        quick=quick,
        figures=figures,
    )


@dataclass(frozen=True)
class Job:
    """One run.

    Attributes:
        case: The network.
        length_s: Length of the run, s.
        size_b: Payload of a segment, bytes.
        variant: Key of `settings.VARIANTS`.
        jittered: Whether its starts are jittered.
        seed: Seed of the run.
        sized: Whether it is run for its packet size (Figures 5 and 6).
    """

    case: Case
    length_s: int
    size_b: int
    variant: str
    jittered: bool
    seed: int
    sized: bool

    @property
    def jitter_s(self) -> float:
        """Start jitter, s."""
        return k.JITTER_S if self.jittered else 0.0


def averages(case: Case, length_s: int, variant: str, chosen: Plan) -> list[Job]:
    """The runs of one variant in one case: the paper's starts first, then jittered ones."""
    # Replication 0 has the paper's starts: it takes no part in the intervals.
    return [
        Job(case, length_s, k.SEGMENT_B, variant, r > 0, k.BASE_SEED + r, sized=False)
        for r in range((chosen.heavy_replications if case.heavy else chosen.replications) + 1)
    ]


def sizes(case: Case, chosen: Plan) -> list[Job]:
    """The runs of one case with other packet sizes, by size and variant."""
    return [
        Job(case, k.SIZES_LENGTH_S, size, variant, r > 0, k.BASE_SEED + r, sized=True)
        for size in chosen.sizes
        for variant in k.VARIANTS
        for r in range(chosen.sizes_replications + 1)
    ]


def document(job: Job) -> dict[str, object]:
    """The scenario of a run, as the document that `ackclock run` takes."""
    stop = f"{job.length_s}s"
    tcp = {**k.TCP, "segment": f"{job.size_b}B", "max_window": job.case.window, **k.VARIANTS[job.variant]}
    return {
        "duration": stop,
        "seed": k.BASE_SEED,
        **job.case.network(),
        "flow": [
            {
                "from": "server",
                "to": ue,
                "start": f"{round(start * 1000)}ms",
                "stop": stop,
                "traffic": {"kind": "ftp"},
                "tcp": tcp,
            }
            for ue, start in zip(UES, k.STARTS_S, strict=True)
        ],
    }


@dataclass(frozen=True)
class Ns3Job:
    """A run of ours that is held against one of ns-3's.

    Attributes:
        run: What ns-3 ran.
        variant: Key of the variant.
        attempt: One of `settings.NS3_TRIES`.
    """

    run: Ns3
    variant: str
    attempt: int = 0

    @property
    def seed(self) -> int:
        """Seed of the run."""
        return k.BASE_SEED + self.attempt - k.NS3_TRIES[0]

    @property
    def jitter_s(self) -> float:
        """Start jitter, s."""
        return k.JITTER_S if self.attempt else 0.0


def ns3_jobs(chosen: Plan) -> list[Ns3Job]:
    """Every run that is held against ns-3's."""
    return [
        Ns3Job(run, variant, attempt)
        for run in chosen.ns3
        for variant in k.NS3_VARIANTS
        for attempt in k.NS3_TRIES
    ]


def ns3_document(job: Ns3Job) -> dict[str, object]:
    """The scenario of such a run."""
    network = job.run.network()
    if job.run.buffer_b > LARGE_B:
        network["lte"][0]["rlc"]["buffer"] = f"{job.run.buffer_b + job.attempt * k.NS3_PACKET_B}B"
    return {
        "duration": f"{k.NS3_LENGTH_S}s",
        "seed": k.BASE_SEED,
        **network,
        "flow": [
            {
                "from": "server",
                "to": ue,
                "start": f"{round(1000 * start)}ms",
                "traffic": {"kind": "ftp"},
                "tcp": {**k.NS3_TCP, **k.NS3_VARIANTS[job.variant]},
            }
            for ue, start in zip(UES, k.NS3_STARTS_S, strict=True)
        ],
    }


def document_json(job: Job) -> str:
    """The same as one line of JSON."""
    return to_json(document(job))
