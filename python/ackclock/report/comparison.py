"""Makes the tables and the report of a comparison."""

from __future__ import annotations

import hashlib
import itertools
import math
from typing import TYPE_CHECKING, Final

from ackclock.comparisons.provenance import SIMULATOR, provenance
from ackclock.comparisons.variants import stems
from ackclock.report import laboratory
from ackclock.report.comparison_figures import figures, windows
from ackclock.report.model import Code, Report, Section, Table, Text
from ackclock.report.spreads import difference_spreads, spreads
from ackclock.stats.contrast import NO_DIFFERENCE, POWER, UNDECIDED
from ackclock.stats.measures import measure_of, measures_of
from ackclock.stats.text import brief, estimate
from ackclock.sweeps.tables import columns_of, csv_text, without_nan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ackclock.comparisons.comparison import Comparison
    from ackclock.report.model import Block
    from ackclock.stats.contrast import Contrast

SCREEN: Final = ("goodput_bps", "packet_rtt_mean_s", "loss_ratio", "jain", "packet_rtt_p95_s", "utilisation")
"""Measures of the first table: throughput, delay, loss and fairness (RFC 5166). An 80-column terminal shows four."""

SCREEN_MIXED: Final = ("goodput_bps", "other_goodput_bps", "share", "loss_ratio")
"""Measures of the first table of a mix."""

STAR: Final = "\u00a0*"
"""Mark of the best values; a no-break space keeps it on the same line as its value."""

TRUTHS: Final = ("congestion", "random", "not-lost")
GUESSES: Final = ("congestion", "random")
"""Causes of losses, actual or inferred (glossary: ``loss_reactions``)."""

SAME: Final = ("equal", NO_DIFFERENCE)
"""Verdicts that mean that two variants do not differ relevantly."""

MOST_PAIRS: Final = 66
"""Maximum number of pairs in the report's table of differences; twelve variants have this many.

With more pairs the table has only the differences from the reference.
"""


def shown(found: Comparison) -> tuple[str, ...]:
    """Return the measures that the first table shows."""
    names: tuple[str, ...] = SCREEN_MIXED if found.plan.against else SCREEN
    if any(one.name == "fct_mean_s" for one in found.measures):
        names = ("fct_mean_s", *names)
    if len(found.plan.own) < 2:
        names = tuple(name for name in names if name != "jain")  # Jain's index of a single flow is always 1.
    if found.plan.by not in names:
        names = (found.plan.by, *names)
    first, *rest = names
    return tuple(dict.fromkeys((first, *(one.name for one in measures_of(found.plan.measure)), *rest)))


def summary(found: Comparison) -> Table:
    """Return the first table: each variant's rank and main measures."""
    names = shown(found)
    ranks = found.ranks()
    leaders = {name: found.leaders(name) for name in names}
    rows = [
        (
            variant,
            str(ranks[variant]),
            *(_starred(found, variant, name, leaders[name]) for name in names),
        )
        for variant in found.ordered()
    ]
    by = measure_of(found.plan.by).title
    margin = f"{100 * found.plan.margin:g} %"
    notes = [
        f"A star: by this measure no other is better beyond chance and the margin of {margin}. Rank by {by}."
    ]
    tied = _tied(found)
    if tied:
        notes.append(f"Not told apart, or no difference that matters: {tied}.")
    return Table(
        key="summary",
        title=f"{found.reps} replications: mean ±half of the {found.level * 100:g} % interval",
        columns=("label", "rank", *(measure_of(name).heading for name in names)),
        rows=tuple(rows),
        notes=tuple(notes),
        text_columns=2,
    )


def differences(found: Comparison, pairs: Iterable[tuple[str, str]] | None = None) -> Table:
    """Return the table of differences in the ranking measure; without `pairs`, those from the reference."""
    reference = found.reference
    shown = list(pairs or ((one, reference) for one in found.ordered() if one != reference))
    title = f"Difference in {measure_of(found.plan.by).heading}, paired by seed"
    if pairs is None:
        title = f"Difference in {measure_of(found.plan.by).heading} from {reference}, paired by seed"
    rows = [_difference(found, found.contrasts()[pair], named=pairs is not None) for pair in shown]
    return Table(
        key="differences",
        title=title,
        columns=(
            "label",
            *(("minus",) if pairs is not None else ()),
            "verdict",
            "difference",
            "%",
            "p (Holm)",
            "effect",
            "needed",
        ),
        rows=tuple(rows),
        text_columns=2 if pairs is None else 3,
    )


def _difference(found: Comparison, contrast: Contrast, *, named: bool) -> tuple[str, ...]:
    return (
        contrast.variant,
        *((contrast.other,) if named else ()),
        contrast.verdict,
        estimate(contrast.difference.interval, measure_of(found.plan.by).scale),
        estimate(contrast.percent),
        _p(contrast.p_holm),
        brief(contrast.difference.effect, digits=2) if math.isfinite(contrast.difference.effect) else "–",
        _needed(contrast),
    )


def _needed(contrast: Contrast) -> str:
    if contrast.verdict != UNDECIDED or math.isnan(contrast.difference.t):
        return "–"
    return "many" if contrast.needed is None else str(contrast.needed)


def friendliness(found: Comparison) -> Table:
    """Return for a mix the goodput that the competing flows get beside each variant, and beside their own kind."""
    against = str(found.plan.against)
    other, share = measure_of("other_goodput_bps"), measure_of("share")
    rows = []
    for variant in found.ordered("other_goodput_bps"):
        contrast = found.taken(variant)
        rows.append(
            (
                variant,
                estimate(found.interval(variant, share.name), share.scale),
                estimate(found.interval(variant, other.name), other.scale),
                *(
                    ("base line", "", "")
                    if contrast is None
                    else (contrast.verdict, estimate(contrast.percent), _p(contrast.p_holm))
                ),
            )
        )
    return Table(
        key="friendliness",
        title=f"What is left to {against} beside each variant, against beside its own kind",
        columns=(
            "beside",
            "its share (%)",
            f"{against}'s goodput (Mb/s)",
            "verdict",
            "%",
            "p (Holm)",
        ),
        rows=tuple(rows),
    )


def everything(found: Comparison) -> Table:
    """Return the table with all measures of all variants."""
    variants = found.ordered()
    return Table(
        key="measures",
        title="",
        columns=("measure", *variants),
        rows=tuple(
            (one.heading, *(estimate(found.interval(variant, one.name), one.scale) for variant in variants))
            for one in found.measures
        ),
    )


def reactions(found: Comparison) -> Table:
    """Return the table of losses that senders reacted to, by actual and by inferred cause."""
    rows = []
    for variant in found.ordered():
        counts = found.reactions(variant)
        every = sum(counts.values())
        right = sum(n for (truth, taken), n in counts.items() if truth == taken)
        cells = [counts.get((truth, taken), 0) for truth in TRUTHS for taken in GUESSES]
        rows.append(
            (variant, *(str(n) for n in cells), brief(100 * right / every, digits=3) if every else "–")
        )
    return Table(
        key="reactions",
        title="What senders reacted to, and what they took it for",
        columns=(
            "label",
            *(f"{truth}, taken for {taken}" for truth in TRUTHS for taken in GUESSES),
            "right (%)",
        ),
        rows=tuple(rows),
        notes=(
            "Reactions of the flows under test in all runs, by what had happened to the oldest outstanding segment, "
            "which only the simulator knows. Taken for random: the window was not cut, or the control said "
            "so. For BBR of the first version, which does not cut its window at a loss, this is normal.",
        ),
    )


def lead(found: Comparison) -> tuple[str, ...]:
    """Return the main findings as sentences."""
    by = measure_of(found.plan.by)
    if len(found.variants) == 1:
        only = found.variants[0]
        return (f"`{only}`: {by.title} {estimate(found.interval(only, by.name), by.scale)} {by.unit}.",)
    ranks = found.ranks()
    ordered = found.ordered()
    front = [variant for variant in ordered if ranks[variant].best == 1]
    contrasts = found.contrasts()
    alike = all(contrasts[pair].verdict in SAME for pair in itertools.combinations(front, 2))
    within = f"{100 * found.plan.margin:g} %"
    if len(front) == len(ordered) and alike:
        said = f"By {by.title}, there is no difference that matters between the variants: all lie within {within}."
    elif len(front) == len(ordered):
        said = (
            f"By {by.title}, these {found.reps} replications cannot tell any of the variants from the best."
        )
    elif len(front) == 1:
        said = f"By {by.title}, {_codes(front)} is significantly better than every other variant."
    elif alike:
        said = f"By {by.title}, {_codes(front)} lead, with no difference that matters between them (within {within})."
    else:
        said = f"By {by.title}, {_codes(front)} lead; these {found.reps} replications cannot name one of them the best."
    best = found.best()
    behind = [contrasts[one, best] for one in ordered if one != best]
    texts = [said]
    worse = _listed(one for one in behind if one.matters)
    if worse:
        texts.append(f"Significantly different from `{best}`: {worse}.")
    near = _listed(one for one in behind if one.verdict in SAME)
    if near and not alike:
        texts.append(f"No difference that matters (within {within}) from `{best}`: {near}.")
    if found.plan.against:
        harm = [
            contrast
            for variant in ordered
            if (contrast := found.taken(variant)) is not None and contrast.matters
        ]
        texts += [
            f"Beside `{contrast.variant}` the flows of `{found.plan.against}` get {abs(contrast.percent.mean):.1f} % "
            f"{contrast.verdict} than beside their own kind."
            for contrast in harm
        ]
    return tuple(texts)


def _listed(contrasts: Iterable[Contrast]) -> str:
    return ", ".join(f"`{one.variant}` ({one.percent.mean:+.1f} %)" for one in contrasts)


def report(found: Comparison, command: str = "") -> Report:
    """Return the full report; `command` is the command line to show in it."""
    ordered = found.ordered()
    pairs = list(itertools.combinations(ordered, 2))
    if len(pairs) > MOST_PAIRS:
        pairs = [(one, found.reference) for one in ordered if one != found.reference]
    remarks = [one for one in found.remarks() if one != found.diff_text]
    sections = [
        Section("Result", (summary(found), *_remarks(remarks))),
        *((Section("Differences", (differences(found, pairs), _difference_note(found))),) if pairs else ()),
        *_ties(found, pairs),
        *_mixed(found),
        Section("Throughput, delay and fairness", figures(found)),
        *((Section("Windows", (windows(found),)),) if found.timelines else ()),
        *(
            (Section("Losses and guesses", (reactions(found),)),)
            if any(found.reactions(variant) for variant in found.variants)
            else ()
        ),
        Section("All measures", (everything(found), definitions(found))),
        Section("How it was made", (_setup(found), _variants(found), *_apart(found), *_again(command))),
        *_laboratory(found),
    ]
    return Report(
        study="compare",
        title=f"Comparison: {', '.join(found.variants)}",
        subtitle=(
            f"{f'each beside {found.plan.against}, ' if found.plan.against else ''}"
            f"{found.reps} replications on common random numbers"
        ),
        lead=(*lead(found), *((f"{found.diff_text}.",) if found.diff_text else ())),
        sections=tuple(sections),
        footer=f"{SIMULATOR} · runs.csv sha256 {data_hash(found)}",
    )


def data_hash(found: Comparison) -> str:
    """Return a hash of the table of runs; equal comparisons have equal hashes."""
    return hashlib.sha256(csv_text(without_nan(columns_of(found.run_rows()))).encode()).hexdigest()


def definitions(found: Comparison) -> Table:
    """Return the table of the measures' definitions from the glossary."""
    return Table(
        key="definitions",
        title="Definitions",
        columns=("measure", "name", "definition"),
        rows=tuple((one.title, f"`{one.name}`", one.meaning) for one in found.measures),
        text_columns=3,
    )


def _setup(found: Comparison) -> Table:
    return Table(
        key="setup",
        title="Surroundings",
        columns=("what", "how"),
        rows=tuple(provenance(found)),
        text_columns=2,
    )


def _variants(found: Comparison) -> Table:
    rows = []
    for variant in found.variants:
        rows.append((variant, found.tcp_variant(variant), found.plan.parameters.get(variant) or "–"))
    return Table(
        key="variants",
        title="Variants",
        columns=("label", "variant", "parameters of its own"),
        rows=tuple(rows),
        text_columns=3,
    )


def _apart(found: Comparison) -> tuple[Block, ...]:
    """Return a table of the settings that differ between the scenarios."""
    if len(found.variants) < 2:
        return ()
    if not found.scenario_diff:
        return (Text(("The scenarios do not differ.",)),)
    return (
        Table(
            key="scenario-diff",
            title="Differences between the scenarios",
            columns=("setting", *found.variants),
            rows=tuple((f"`{one.path}`", *one.texts()) for one in found.scenario_diff),
            notes=("Defaults that follow from a setting in this table are left out.",),
            text_columns=1 + len(found.variants),
        ),
    )


def _ties(found: Comparison, pairs: Sequence[tuple[str, str]]) -> tuple[Section, ...]:
    made = (spreads(found, shown(found)), difference_spreads(found, pairs))
    tables = tuple(one for one in made if one is not None)
    return (Section("Ties and phase", tables),) if tables else ()


def _again(command: str) -> tuple[Block, ...]:
    first = (Text(("Made by:",)), Code((command,))) if command else ()
    return (
        *first,
        Text(
            (
                "`manifest.json` holds everything that decides the result, and the hash of every file here. This "
                "makes all of them again and says whether they are the same bytes:",
            )
        ),
        Code(("ackclock compare --again DIR",)),
        Text(
            (
                'One replication by itself, in Python: `ackclock.load("scenarios/VARIANT.toml").run(seed=SEED, '
                "jitter_s=BOUND)` with `seed` and `jitter_bound_s` of `runs.csv`.",
            )
        ),
    )


def _laboratory(found: Comparison) -> tuple[Section, ...]:
    """Return the section that opens the first run of each variant in a browser."""
    first = ((variant, found.jobs[variant][0]) for variant in found.variants)
    blocks = laboratory.runs(
        (variant, f"scenarios/{stem}.toml", job.scenario.view, job.scenario.to_toml(), job.seed)
        for stem, (variant, job) in zip(stems(found.variants), first, strict=True)
    )
    return (Section("In a browser", blocks),) if blocks else ()


def _difference_note(found: Comparison) -> Text:
    return Text(
        (
            f"Verdict: “{NO_DIFFERENCE}” if the interval of the per cent lies within "
            f"{100 * found.plan.margin:g} % (`--margin`). Otherwise “more” or “less” if the p value of the paired t "
            f"test is below {1 - found.level:.3g}, else “{UNDECIDED}”. Holm's method adjusts it for all comparisons "
            f"({math.comb(len(found.variants), 2)}). Each interval is for its pair alone. "
            "Effect: the mean difference in standard deviations of the differences (Cohen's d for pairs). "
            "Needed: the number of replications that would show a difference of "
            f"this size with a chance of {POWER:.0%}.",
        )
    )


def _mixed(found: Comparison) -> tuple[Section, ...]:
    against = found.plan.against
    if not against:
        return ()
    note = Text(
        (
            f"Each variant under test shares the path with flows of `{against}`. Share: goodput per flow of the "
            f"variant over that of both sides; 50 % is an equal share. Per cent: goodput of the flows of `{against}` "
            f"beside this variant, as a difference from their goodput beside flows of `{against}` on the same seeds.",
        )
    )
    return (Section(f"Beside {against}", (friendliness(found), note)),)


def _remarks(remarks: Sequence[str]) -> tuple[Text, ...]:
    return (Text(tuple(f"Note: {one}." for one in remarks)),) if remarks else ()


def _starred(found: Comparison, variant: str, name: str, leaders: Sequence[str]) -> str:
    text = estimate(found.interval(variant, name), measure_of(name).scale)
    return f"{text}{STAR}" if variant in leaders and len(found.variants) > 1 else text


def _tied(found: Comparison) -> str:
    """Return as text the groups of variants among which every pair is tied, larger groups first."""
    ordered, ranks = found.ordered(), found.ranks()
    groups: list[tuple[str, ...]] = []
    for i in range(len(ordered)):
        group: list[str] = []
        for one in ordered[i:]:
            if all(other in ranks[one].tied for other in group):
                group.append(one)
        if len(group) > 1 and not any(set(group) <= set(known) for known in groups):
            groups.append(tuple(group))
    return "; ".join(" = ".join(group) for group in groups)


def _codes(labels: Sequence[str]) -> str:
    marked = [f"`{label}`" for label in labels]
    return marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} and {marked[-1]}"


def _p(value: float) -> str:
    return "< 1e-12" if value < 1e-12 else brief(value, digits=2)
