"""Declaration of the study, and its conclusions from the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import ackclock.study as st
from ackclock.studies.suherman import experiments, published, tables
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.claims import CLAIMS, LABELS, fall
from ackclock.studies.suherman.figures import figures, place
from ackclock.studies.suherman.results import NS2, QUANTITIES, Results
from ackclock.studies.suherman.setups import BY_KEY, WINDOW

_NS2_NOTE: Final = k.TEXT("ns2_note", agree_within=100 * k.AGREE_WITHIN)


def find(data: st.StudyData) -> st.Findings:
    """Return all conclusions from the data: verdicts, comparisons, tables and figures."""
    s = Results(data)
    compared = s.comparisons()
    columns = s.columns or ((WINDOW.key,) if list(s.windows) else ())
    # The tables are folded, since most of their values are shown by Figures 2 and 6.
    effects = [replace(table, folded=True) for column in s.columns for table in tables.effect(s, column)]
    reductions = tables.reductions(s) if s.columns else ()
    return st.Findings(
        columns=tuple(BY_KEY[column].label for column in columns),
        claims=st.judged(CLAIMS, s, columns, None if s.columns else s.figures),
        compared={"ns-2": compared},
        findings=_findings(s),
        sections=st.sections(
            {
                "What k does, and where": (*reductions, *effects),
                "What was added": tables.added(s),
                "Video": tables.video(s),
                "Other readings": tables.beside(s),
                "What contradicts itself in the published text": (tables.contradictions(),),
                "Figures": figures(s),
            }
        ),
        beside=NS2.beside(compared, _NS2_NOTE, *tables.signs(s)),
        summary=(*reductions, *NS2.agreement(compared, brief=True)),
        points=tables.points(s),
        # With a user's settings all k are run, so the note on runs in which k has no effect does not apply.
        procedure=(*tables.counts(s), *(() if data.changes.settings else tables.idle(s))),
    )


def _findings(s: Results) -> tuple[str, ...]:
    """Return sentences with the main results on the effect of k on delay and jitter."""
    said = []
    for scaled, every in (("the cuts after a fast retransmit, as in ns-2", False), ("every cut", True)):
        rates = [rate for rate in s.rates if BY_KEY[rate].every is every]
        if rates:
            delay, jitter = (_falls(s, quantity, rates) for quantity in QUANTITIES)
            said.append(
                f"If k scales {scaled}, the delay in the network {delay} from k = 0.9 to 0.1. The jitter {jitter}."
            )
    if said:
        reductions = {"delay": published.DELAY_REDUCTION, "jitter": published.JITTER_REDUCTION}
        said.append(k.TEXT("published_reductions", **reductions))
    if s.found:
        said.append(_found(s))
    if not said:
        return ()
    said.append(st.AsPublished(_from_the_write(s)))
    own = [rate for rate in s.rates if not BY_KEY[rate].every]
    if own:
        busiest = max(own, key=lambda rate: s.mean("cuts", rate, s.nodes(rate)[-1], s.ks(rate)[0]))
        nodes = s.nodes(busiest)[-1]
        cuts, timeouts = (s.over_k(what, busiest, nodes) for what in ("cuts", "timeouts_each"))
        where = {"nodes": nodes, "label": BY_KEY[busiest].label, "length_s": k.LENGTH_S}
        said.append(st.AsPublished(k.TEXT("idle", cuts=cuts, timeouts=timeouts, **where)))
        said += _silent(s)
    return tuple(said)


def _falls(s: Results, quantity: str, rates: Sequence[str]) -> str:
    """Return the fall of a quantity at each rate, as a verb phrase with numbers."""
    falls = [(fall(s, quantity, rate, LABELS[0]).mean, place(rate)) for rate in rates]
    verb = "falls" if all(by > -_NOTHING for by, _ in falls) else "changes"
    shown = [
        f"{'' if verb == 'falls' else '-' if by > 0 else '+'}{abs(by):.1f} % at {place}"
        for by, place in falls
    ]
    return f"{verb} by {_listed(shown)}"


_NOTHING: Final = 0.05
"""Greatest percentage that is printed as 0.0."""


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _found(s: Results) -> str:
    """Return a sentence on the interpretations found after the results, with the numbers that they explain."""

    def reached(setup: str) -> str:
        delay, jitter, write = (
            _unsigned(fall(s, what, setup, LABELS[0])) for what in (*QUANTITIES, "write_delay_ms")
        )
        how = "n/2 flows" if BY_KEY[setup].pairs else "the ring of the main runs"
        return f"With {how} the delay falls by {delay}, the jitter by {jitter} and the delay from the write by {write}."

    return k.TEXT("found", reached=" ".join(map(reached, s.found)))


def _from_the_write(s: Results) -> str:
    """Return sentences on the effect of k in all networks on the delay from the write, which a viewer notices."""
    measures = {"write_delay_ms": "it", "delay_ms": "the delay in the network", "jitter_ms": "the jitter"}
    at = {
        setup: fall(s, "write_delay_ms", setup, LABELS[0])
        for setup in s.setups
        if {0.1, 0.9} <= set(s.ks(setup))
    }
    gains = [setup for setup, by in at.items() if abs(by.mean) >= st.MARGIN_PERCENT]
    small = [abs(by.mean) for setup, by in at.items() if setup not in gains]
    said = []
    if small:
        many = f"{len(small)} of the {len(at)}" if gains else f"all {len(at)}"
        said.append(
            f"The delay from the write to the delivery changes by at most {max(small):.2f} % in {many} networks. "
            "A packet that waits less in the network has waited longer in the sender, so a viewer gains nothing."
        )
    for setup in gains:
        changes = []
        for what, name in measures.items():
            by = fall(s, what, setup, LABELS[0])
            changes.append(f"{name} {'falls' if by.mean > 0 else 'rises'} by {_unsigned(by)}")
        said.append(f"In the network “{BY_KEY[setup].label}” {_listed(changes)}.")
    return " ".join(said)


def _unsigned(by: st.Ratio) -> str:
    """Return the absolute value of a change in percent, with its interval, as text."""
    found = st.interval(by if by.mean > 0 else -by)
    if not found.known or found.half_width == 0:
        return f"{found.mean:.2f} %"
    return f"{found.mean:.2f} % [{st.number(found.low, 2)}, {st.number(found.high, 2)}]"


def _silent(s: Results) -> list[str]:
    """Return sentences on the share of flows that deliver no data, in the main runs and with ns-2's timeouts."""

    def most(setups: list[str]) -> tuple[float, str]:
        at = [(s.over_k("silent_percent", setup, n), setup, n) for setup in setups for n in s.nodes(setup)]
        share, setup, n = max(at, default=(0.0, "", 0))
        return share, f"{place(setup)}, {n} nodes" if setup else ""

    ours, where = most(list(s.rates))
    heard = "In the main runs all stations hear each other, and every flow delivers something."
    if ours > 0:
        silent = f"At most {ours:.1f} % of the flows deliver nothing ({where})."
        heard = f"In the main runs all stations hear each other. {silent}"
    theirs, there = most([setup for setup in s.setups if setup.endswith("-ns2")])
    if not theirs:
        return [heard]
    return [
        f"{heard} With ns-2's timeouts up to {theirs:.0f} % of the flows deliver nothing ({there}): their stations are "
        "more than 600 m from each other."
    ]


STUDY: Final = k.TEXT.study(experiments, find, k.SETTINGS, k.VARIANTS, unasked=experiments.unscaled)
