"""Runs comparisons of variants, each alone or against a competing variant, with common random numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ackclock import executors
from ackclock._io.options import check_value
from ackclock.comparisons.base_scenario import tcp_flows
from ackclock.comparisons.comparison import MOST_WATCHED, Comparison
from ackclock.comparisons.plan import Plan
from ackclock.comparisons.trace_stats import BINS, TIMELINE_TRACES, Timeline, delays, timeline
from ackclock.errors import UserError, choices
from ackclock.runs.bottleneck import bottleneck
from ackclock.runs.run import Run
from ackclock.scenario.scenario import Scenario
from ackclock.stats.groups import described_flows
from ackclock.stats.measures import BY_NAME, MIXED, measure_of, measures_of
from ackclock.stats.statistics import replications_needed
from ackclock.sweeps.drawn import Drawing, draw
from ackclock.sweeps.jobs import Job, Progress, Traced, run_jobs, watch_jobs
from ackclock.sweeps.options import MOST_REPS, TEXT

Result = TypeVar("Result")


def compare(
    scenarios: Mapping[str, Scenario],
    *,
    own: Sequence[int] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    executor: executors.ExecutorLike = None,
    **options: Any,
) -> Comparison:
    """Run each variant's scenario with equal seeds and return the comparison.

    Args:
        scenarios: Scenario of each variant, by label.
        own: Numbers of the flows under test; all TCP flows if None.
        threads: Number of runs at the same time; 0 for one per core.
        progress: Progress callback; replications added because of `until` increase the total.
        executor: Executor of the runs; threads of this process if None.
        options: Further fields of `Plan`: reps, until, seed, jitter_s, overhead_s, level, margin, by, reference,
            other, against, bottleneck.

    """
    flows = tuple(tcp_flows(next(iter(scenarios.values())))) if own is None else tuple(own)
    plan = Plan(dict(scenarios), flows, **options)
    return run_plan(plan, threads=threads, progress=progress, executor=executor)


def run_plan(
    plan: Plan, *, threads: int = 0, progress: Progress | None = None, executor: executors.ExecutorLike = None
) -> Comparison:
    """Run a plan on threads of this process or on an executor, and return the comparison.

    If `Plan.until` decides the number of replications, the coverage of intervals is slightly below their level.

    Raises:
        UserError: If the plan ranks by a measure that the runs do not have, or its reference is not compared.

    """
    _check(plan)
    with executors.opened(executor, threads) as pool:
        return _carried_out(plan, pool, progress)


def _carried_out(plan: Plan, pool: executors.WorkerPool, progress: Progress | None) -> Comparison:
    wanted = plan.reps if plan.until is None else max(plan.reps, 3)
    first = {label: _jobs(plan, label, 1) for label in plan.scenarios}
    runs = len(plan.scenarios)
    tell = None if progress is None else lambda done, _: progress(done, wanted * runs)
    summaries = _dealt(plan, run_jobs(_flat(first), progress=tell, executor=pool))
    sent = max(sum(flow["sent_packets"] for flow in some[0]["flows"]) for some in summaries.values())
    bottleneck(summaries[next(iter(plan.scenarios))][0], plan.bottleneck)
    found = Comparison(plan, first, summaries)
    if plan.watch and sent <= MOST_WATCHED:
        found = _watched(found, pool)
    if not found.has(plan.by):
        raise UserError(f"--by: no run has a value of {plan.by}, in the first replication at least")
    while True:
        found = _continued(found, wanted, pool, progress)
        if plan.until is None or found.reps >= MOST_REPS:
            return _perturbed(found, pool, progress)
        needed = [
            replications_needed(found.independent(label, plan.by), plan.until, plan.level)
            for label in plan.scenarios
        ]
        more = min(MOST_REPS, 2 * found.reps, max((one for one in needed if one is not None), default=0))
        if more <= found.reps:
            return _perturbed(found, pool, progress)
        wanted = more


def _perturbed(found: Comparison, pool: executors.WorkerPool, progress: Progress | None) -> Comparison:
    """Return the comparison with runs on perturbed links added, if the plan has ``ties``."""
    plan, before = found.plan, found.reps * len(found.variants)
    if not plan.ties:
        return found
    drawn = draw(
        {
            label: Drawing(jobs[0].scenario, found.reps, found.taken_of, jobs[0].jitter_s)
            for label, jobs in found.jobs.items()
        },
        seed=found.jobs[found.variants[0]][0].seed,
        pool=pool,
        progress=None if progress is None else lambda done, total: progress(before + done, before + total),
    )
    return replace(found, drawn=drawn)


@dataclass(frozen=True)
class _First:
    """Callable that extracts the timeline and the delay quantiles from the traced first replication of a variant."""

    own: tuple[int, ...]

    def __call__(self, _: Job, run: Run) -> tuple[Timeline, tuple[float, ...]]:
        return timeline(run, self.own), delays(run, self.own)


@dataclass(frozen=True)
class _Further:
    """Callable that extracts the summary, and if `own` is not empty the delay quantiles, from a further replication."""

    own: tuple[int, ...]

    def __call__(self, _: Job, run: Run) -> tuple[dict[str, Any], tuple[float, ...]]:
        return run.summary, delays(run, self.own) if self.own else ()


def _watched(found: Comparison, pool: executors.WorkerPool) -> Comparison:
    """Return the comparison with timelines and delays, from first replications that are repeated with traces."""
    own = found.plan.own
    longest = max(float(some[0]["manifest"]["duration_s"]) for some in found.summaries.values())
    seen = watch_jobs(
        _flat(found.jobs),
        Traced((*TIMELINE_TRACES, "delay"), max(longest / BINS, 1e-3)),
        _First(own),
        executor=pool,
    )
    both = dict(zip(found.variants, seen, strict=True))
    return replace(
        found,
        delays={label: [quantiles] for label, (_, quantiles) in both.items()},
        timelines={label: first for label, (first, _) in both.items()},
    )


def _continued(
    found: Comparison, wanted: int, pool: executors.WorkerPool, progress: Progress | None
) -> Comparison:
    """Return the comparison with replications added up to `wanted`; they record traces if the first one did."""
    plan, made = found.plan, found.reps
    if wanted <= made:
        return found
    added = {label: _jobs(plan, label, wanted)[made:] for label in plan.scenarios}
    runs = len(plan.scenarios)
    seen = watch_jobs(
        _flat(added),
        Traced(("delay",) if found.delays else ()),
        _Further(plan.own if found.delays else ()),
        executor=pool,
        progress=None if progress is None else lambda done, _: progress(made * runs + done, wanted * runs),
    )
    more = _dealt(plan, seen)
    return replace(
        found,
        jobs={label: [*found.jobs[label], *added[label]] for label in added},
        summaries={label: [*found.summaries[label], *(one for one, _ in more[label])] for label in added},
        delays={label: [*known, *(one for _, one in more[label])] for label, known in found.delays.items()},
    )


def _jobs(plan: Plan, label: str, reps: int) -> list[Job]:
    labels = {"variant": label}
    return plan.randomness.replications(plan.scenarios[label], reps, seed=plan.seed, labels=labels)


def _flat(jobs: Mapping[str, list[Job]]) -> list[Job]:
    return [job for some in jobs.values() for job in some]


def _dealt(plan: Plan, results: Sequence[Result]) -> dict[str, list[Result]]:
    """Return the results by variant; `results` are in the order of `_flat`."""
    each = len(results) // len(plan.scenarios)
    return {label: list(results[i * each : (i + 1) * each]) for i, label in enumerate(plan.scenarios)}


def _check(plan: Plan) -> None:
    plan.check()
    check_value("where", plan.where, TEXT)
    _check_flows(plan)
    left = {one.name for one in MIXED} if not plan.against else set()
    names = [name for name, one in BY_NAME.items() if one.better != "neither" and name not in left]
    if ":" not in plan.by and plan.by not in names:
        raise UserError(f"--by: cannot rank by {plan.by!r}{choices(plan.by, names)}")
    if measure_of(plan.by, "--by").better == "neither":
        raise UserError(f"--by: cannot rank by {plan.by!r}, of which neither more nor less is better")
    _check_groups(plan)
    for what, label in (("--reference", plan.reference), ("--against", plan.against)):
        if label is not None and label not in plan.scenarios:
            raise UserError(f"{what}: {label} is not compared\n  allowed: {', '.join(plan.scenarios)}")


def _check_groups(plan: Plan) -> None:
    """Raise `UserError` for a measure that the runs cannot have.

    That is an unknown measure, or a measure of a group of flows that has no flow in any scenario.
    """
    asked = [
        ("--by", measure_of(plan.by)),
        *(("--measure", one) for one in measures_of(plan.measure, "--measure")),
    ]
    flows = None
    for what, one in asked:
        if one in MIXED and not plan.against:
            raise UserError(f"{what}: only a mix has {one.name}\n  add --against VARIANT")
        for group in (one.group, one.base):
            if group is not None:
                flows = flows or [described_flows(each.described) for each in plan.scenarios.values()]
                group.check(flows, what)


def _check_flows(plan: Plan) -> None:
    """Raise `UserError` if the plan has no scenarios, or names flows that the scenarios do not have."""
    if not plan.scenarios:
        raise UserError("nothing to compare: no variant is given")
    there = dict.fromkeys(tcp_flows(next(iter(plan.scenarios.values()))))
    if not plan.own:
        raise UserError("flows under test: none is given")
    for one in (*plan.own, *plan.other):
        if type(one) is not int or one not in there:
            raise UserError(
                f"flows under test: there is no TCP flow {one!r}\n  allowed: {', '.join(map(str, there))}"
            )
