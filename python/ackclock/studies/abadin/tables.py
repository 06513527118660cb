"""The tables of the study's report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import ackclock.study as st
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.claims import CLAIMS, COLUMNS
from ackclock.studies.abadin.experiments import Neighbour
from ackclock.studies.abadin.results import Results, place


def table1(s: Results, *, brief: bool = False) -> tuple[st.Table, ...]:
    """Return Table 1 with the published, our and ns-2's values; `brief` makes it fit in 80 columns."""

    def row(variant: str) -> dict[str, st.Cell]:
        same, paper = s.interval("table1", 0, variant, jittered=False), k.TABLE1_BPS.get(variant)
        theirs = st.curves.mean_of(s.ns2("table1", 0.0, variant))
        own = {"published": st.cell(paper, 2), "ours": st.cell(same.mean if brief else same, 2)}
        own["ns-2"] = st.cell(theirs, 2)
        to, digits = ("to", 2) if brief else ("ours to", 3)
        own |= {
            f"{to} published": _to(same.mean, paper, digits),
            f"{to} ns-2": _to(same.mean, theirs, digits),
        }
        if brief:
            return {"variant": k.SHORT[variant], **own}
        jittered = s.interval("table1", 0, variant)
        return {"variant": k.VARIANTS[variant].label, **own, "ours, jittered (95 % CI)": jittered}

    return k.TEXT.table("table1_short" if brief else "table1", map(row, s.variants), key="table1")


def _to(ours: float, other: float | None, digits: int) -> str:
    return "-" if other is None else f"{st.signed(100 * (ours / other - 1), digits)} %"


_ASKED: Final[dict[str, Callable[[Mapping[str, float]], bool]]] = {
    "the full order": lambda m: (
        m["tahoe"] < m["reno"] < min(m["newreno"], m["sack"]) and max(m["newreno"], m["sack"]) < m["vegas"]
    ),
    "Tahoe worst": lambda m: m["tahoe"] < min(m[v] for v in ("reno", "newreno", "sack", "vegas")),
    "Vegas best (ns-2's)": lambda m: m["vegas"] > max(m[v] for v in k.LOSS_BASED),
    "Vegas best (equal size)": lambda m: m["vegas40"] > max(m[v] for v in k.LOSS_BASED),
}
"""Questions about Table 1 that are asked in each neighbouring setting; each is a test of the variants' mean
throughputs."""


BEST: Final = ("Vegas best (ns-2's)", "Vegas best (equal size)")
"""Keys of the two questions about Vegas."""


def held(s: Results, question: str, keep: Callable[[Neighbour], bool] = lambda _: True) -> tuple[int, int]:
    """Return the number of settings for which the answer is yes, and of all settings; `keep` selects settings."""
    found = [_ASKED[question](means) for near, means in s.neighbours().items() if keep(near)]
    return sum(found), len(found)


def neighbours(s: Results) -> tuple[st.Table, ...]:
    """Return a table of the questions with the number of neighbouring settings for which the answer is yes."""
    if not s.neighbours():
        return ()

    def row(label: str, keep: Callable[[Neighbour], bool]) -> dict[str, str]:
        counts = {question: held(s, question, keep) for question in _ASKED}
        return {
            "settings": label,
            **{question: f"{there} of {of}" for question, (there, of) in counts.items()},
        }

    def of(label: str, name: str, value: float) -> dict[str, str]:
        return row(label, lambda near: getattr(near, name) == value)

    rows = [
        row("all settings", lambda _: True),
        *(
            of(f"first start {first:g} s, then each {step:g} s", "first_s", first)
            for first, step in k.NEAR_STARTS_S
        ),
        *(of(f"access links {ms} ms", "access_ms", ms) for ms in k.NEAR_ACCESS_MS),
        *(of(f"access links {mbps} Mb/s", "access_mbps", mbps) for mbps in k.NEAR_ACCESS_MBPS),
        *(of(f"minimum RTO {rto:g} s", "min_rto_s", rto) for rto in k.NEAR_MIN_RTO_S),
    ]
    seeds = len(s.near.of("seed", *next(iter(s.near))))
    return k.TEXT.table("neighbours", rows, seeds=seeds, plural="s" if seeds > 1 else "")


def windows(s: Results) -> tuple[st.Table, ...]:
    """Return the verdicts on Figures 4 and 7 for each maximum window that was tried, on which these verdicts depend."""
    by_window = s.with_windows()
    if not by_window:
        return ()
    figures = {"fig4", "fig7"}
    verdicts = {window: st.judged(CLAIMS, at, tuple(COLUMNS), figures) for window, at in by_window.items()}

    def said(judgement: st.Judgement | None) -> str:
        if judgement is None:
            return "-"
        part = judgement.decisive
        return f"{judgement.verdict.value}: {st.part_name(part)}, {st.part_number(part)}"

    claims = next(iter(verdicts.values()))
    rows = (
        {
            "published in": claim.figure,
            "claim": claim.text,
            "with": label,
            **{f"window {window}": said(found[i].judgements[column]) for window, found in verdicts.items()},
        }
        for i, claim in enumerate(claims)
        for column, label in enumerate(COLUMNS.values())
    )
    runs = len(next(iter(by_window.values())).values("delay", 100.0, "tahoe"))
    (table,) = k.TEXT.table("windows", rows, runs=runs)
    return (replace(table, text_columns=len(by_window) + 3),)


def header(s: Results) -> tuple[st.Table, ...]:
    """Return Vegas's lead in Table 1 for both forms of Vegas; the difference is due to the header that ns-2's lacks."""

    def row(vegas: str) -> dict[str, str]:
        leads = {f"over {k.SHORT[r]}": st.percent(s.above("table1", 0, vegas, r)) for r in k.LOSS_BASED}
        return {"": k.VARIANTS[vegas].label, **leads}

    return k.TEXT.table("header", map(row, COLUMNS))


def added(s: Results) -> tuple[st.Table, ...]:
    """Return the throughput of the variants that a user added at every point of the sweeps."""

    def row(variant: str, experiment: str, x: float) -> dict[str, st.Cell]:
        return {
            "point": place(experiment, x),
            "variant": k.SHORT[variant],
            "throughput, bytes/s": s.interval(experiment, x, variant),
            "difference from NewReno": st.percent(s.above(experiment, x, variant, "newreno")),
        }

    sweeps = [experiment for experiment in s.experiments() if experiment != "table1"]
    rows = (row(variant, e, x) for e in sweeps for variant in s.data.changes.added for x in s.xs(e))
    return k.TEXT.table("added", rows)


def points(s: Results, compared: Sequence[st.Comparison]) -> list[dict[str, Any]]:
    """Return one row per point and variant with our means (identical, jittered starts), ns-2's and published values."""
    against = st.by_point(compared)
    rows = []
    for *at, jittered in s.runs:
        if not jittered:
            moved, same, other = s.interval(*at), s.interval(*at, jittered=False), against.get(tuple(at))
            rows.append(
                {
                    "experiment": at[0],
                    "x": at[1],
                    "variant": at[2],
                    "jittered_Bps": moved.mean,
                    **st.ends("jittered_{}_Bps", moved),
                    "jittered_n": moved.n,
                    "identical_starts_Bps": same.mean,
                    **st.ends("identical_starts_{}_Bps", same),
                    "identical_starts_n": same.n,
                    "identical_starts_timeouts": s.runs.mean("timeouts", *at, False),
                    "ns2_Bps": other.theirs.mean if other else None,
                    **st.ends("ns2_{}_Bps", other.theirs if other else None),
                    "difference_from_ns2": other.difference if other else None,
                    "agreement": other.outcome if other else None,
                    "published_Bps": k.TABLE1_BPS.get(at[2]) if at[0] == "table1" else None,
                }
            )
    return rows
