"""`ackclock.compare`: a comparison in one call, for scripts and notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ackclock._io.options import takes
from ackclock._io.progress import bar
from ackclock.comparisons.base_scenario import BaseScenario, of_scenario, of_topology, tcp_flows
from ackclock.comparisons.compare import run_plan
from ackclock.comparisons.options import ComparisonOptions, TopologyOptions
from ackclock.comparisons.plan import Plan
from ackclock.comparisons.variants import Variant, check_label
from ackclock.errors import SAID, UserError, choices
from ackclock.lint.running import warn_of
from ackclock.scenario.network import variant_name
from ackclock.scenario.scenario import Scenario, load

if TYPE_CHECKING:
    from ackclock.comparisons.comparison import Comparison
    from ackclock.comparisons.keywords import ComparisonKeywords
    from ackclock.control.control import Control
    from ackclock.executors import ExecutorLike
    from ackclock.sweeps.jobs import Progress


@takes(ComparisonOptions, TopologyOptions)
def compare(
    *variants: str | type[Control] | Sequence[str | type[Control]] | Mapping[str, Scenario],
    scenario: Scenario | str | Path | None = None,
    flows_under_test: str | Iterable[str | int] | None = None,
    settings: Iterable[str] = (),
    allow_code: bool = False,
    threads: int = 0,
    executor: ExecutorLike = None,
    progress: Progress | bool | None = None,
    **options: Unpack[ComparisonKeywords],
) -> Comparison:
    """Compare variants in one base scenario, with replications on equal seeds, like ``ackclock compare``.

    ::

        found = ac.compare("reno", "vegas", rate="2Mbps", queue="2bdp", reps=5)
        found.ranks()                                        # rank of each variant by goodput
        found.interval("vegas", "delay_p95_s")               # mean with its confidence interval
        found.runs.to_polars()                               # 10 rows: one per variant and replication

    Variants have the command line's notation (``"reno:decrease=0.7"``, ``"gentle=reno:decrease=0.7"``). A mapping of
    labels to scenarios in place of variants compares these scenarios: ``ac.compare({"few": one, "many": other})``.
    Findings of ``ackclock check`` become Python warnings (`ackclock.errors.ExperimentWarning`).

    Args:
        variants: Variants to compare, as single arguments or in a list: names, or classes of user-defined controls.
        options: Declared options; their texts replace this line.
        scenario: Base scenario or its file, in place of a ready-made topology and its options.
        flows_under_test: Flows of `scenario`, by name or number, that get the variant; all TCP flows if not given.
        settings: ``PATH=VALUE`` settings of the base scenario.
        allow_code: Run the Python files of congestion controls that a scenario file names.
        threads: Number of runs at the same time; 0 for one per core.
        executor: Executor of the runs: ``"processes"``, ``"dask:local"``, ``"dask:ADDRESS"``, or any
            `concurrent.futures.Executor`. By default runs use threads of this process.
        progress: Function called with the number of finished runs and of all runs; False for no progress bar in a
            notebook.

    Returns:
        The comparison. Its table ``runs`` has a row for each variant and replication, with a column for each measure;
        its table ``flows`` has a row for each flow of each run.
    """
    asked = ComparisonOptions.of_given(options)
    of_topology = {name: value for name, value in options.items() if name not in ComparisonOptions.named()}
    if len(variants) == 1 and isinstance(variants[0], Mapping):
        named = dict(variants[0])
        given = next(
            (name for name in (*of_topology, "scenario" if scenario else "", asked.against) if name), None
        )
        if given:
            raise UserError(f"{given}: the scenarios of the mapping say it")
        plan = Plan(named, _flows_of_all(named), **asked.values())
    else:
        plan = _plan(
            [variant_name(one) for one in _listed(variants)],
            scenario,
            flows_under_test,
            asked,
            settings,
            of_topology,
            allow_code=allow_code,
        )
    plan.check()
    made = {label: plan.randomness.on(one) for label, one in plan.scenarios.items()}
    warn_of(made, reps=plan.reps, jitter_s=plan.randomness.jitter_s(next(iter(made.values()))))
    with bar("comparing", wanted=None if progress is None else bool(progress)) as shown:
        tell = progress if callable(progress) else shown
        return run_plan(plan, threads=threads, progress=tell, executor=executor)


def _flows_of_all(named: Mapping[Any, Any]) -> tuple[int, ...]:
    """Return the numbers of the TCP and QUIC flows that all scenarios have; raise `UserError` for a wrong mapping."""
    if not named:
        raise UserError('name the scenarios to compare: ac.compare({"few": one, "many": other})')
    for label, scenario in named.items():
        if not isinstance(label, str) or not label.strip():
            raise UserError(
                f"the label {label!r} is not text\n  wanted: ac.compare({{'few': one, 'many': other}})"
            )
        check_label(label, label)
        if not isinstance(scenario, Scenario):
            raise UserError(
                f"{label}: not a scenario but {type(scenario).__name__}\n"
                "  wanted: a Scenario, such as ac.dumbbell(...) or ac.load('FILE.toml')"
            )
    shared = set.intersection(*(set(tcp_flows(one)) for one in named.values()))
    if not shared:
        raise UserError("the scenarios share no TCP flow to compare")
    return tuple(sorted(shared))


def _listed(
    variants: Sequence[str | type[Control] | Sequence[str | type[Control]] | Mapping[str, Scenario]],
) -> list[str | type[Control]]:
    """Return a flat list of variants from arguments that are variants or lists of variants."""
    out: list[str | type[Control]] = []
    for one in variants:
        if isinstance(one, Mapping):
            raise UserError(
                "a mapping of labels to scenarios stands alone: ac.compare({'few': one, 'many': other})"
            )
        out += [one] if isinstance(one, str | type) else one
    return out


def _plan(
    texts: Sequence[str],
    scenario: Scenario | str | Path | None,
    chosen: str | Iterable[str | int] | None,
    asked: ComparisonOptions,
    settings: Iterable[str],
    options: Mapping[str, object],
    *,
    allow_code: bool,
) -> Plan:
    if not texts:
        raise UserError('name the variants to compare: ac.compare("reno", "vegas")')
    found = [Variant.parse(text) for text in texts]
    base = None
    if asked.against is not None:
        base = next((one for one in found if one.label == asked.against), None)
        base = base or Variant.parse(asked.against)
        found += [base] if base not in found else []
    if scenario is not None and not isinstance(scenario, Scenario):
        scenario = load(scenario, allow_code=allow_code)
    base_scenario = _base_scenario(scenario, chosen, settings, options, mix=base is not None)
    repeated = next(
        (one.label for i, one in enumerate(found) if one.label in [x.label for x in found[:i]]), None
    )
    if repeated is not None:
        raise UserError(f"{repeated} is listed twice: give each a label of its own, LABEL={repeated}")
    against = None if base is None else base.label
    topology = TopologyOptions.of_given(options).topology
    return Plan(
        scenarios={one.label: base_scenario.of(one, base) for one in found},
        own=base_scenario.own,
        other=base_scenario.other,
        parameters={one.label: one.own for one in found},
        where="a scenario" if scenario is not None else f"topology {topology}",
        **{**asked.values(), "against": against},
    )


def _base_scenario(
    scenario: Scenario | None,
    chosen: str | Iterable[str | int] | None,
    settings: Iterable[str],
    options: Mapping[str, object],
    *,
    mix: bool,
) -> BaseScenario:
    known = TopologyOptions.named()
    for name in options:
        if name not in known:
            every = [*known, *ComparisonOptions.named()]
            raise UserError(f"compare has no option {name!r}{choices(name, every, words=SAID)}")
        if scenario is not None:
            raise UserError(
                f"{name}: the scenario says it; change a value of it by scenario.set(path, value)"
            )
    if scenario is None:
        if chosen is not None:
            raise UserError("flows_under_test goes with scenario=")
        given = {key: str(value) if key == "queue" else value for key, value in options.items()}
        read = TopologyOptions.of_given(given)
        topology = read.topology
        given = {key: getattr(read, known[key]) for key in given}
        given.pop("topology", None)
        return of_topology(topology, given, settings, mix=mix)
    listed = chosen if chosen is None or isinstance(chosen, str) else ",".join(str(one) for one in chosen)
    return of_scenario(scenario.apply(settings), listed, mix=mix)
