"""Declaration of the study, and its conclusions from the data."""

from __future__ import annotations

from typing import Final

import ackclock.study as st
from ackclock.studies.maulana import experiments, found, tables
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import BY_KEY, COLUMNS, FOUND, LONGER
from ackclock.studies.maulana.claims import CLAIMS, UNBIASED_WITHIN
from ackclock.studies.maulana.figures import figures
from ackclock.studies.maulana.results import NS2, Results

LEVEL_WITHIN: Final = 20.0
"""An interpretation is near the published rates if both variants' throughputs are within this percentage of them."""

_PEERS_NOTE: Final = k.TEXT("peers_note", agree_within=100 * k.AGREE_WITHIN, agree_radio=100 * k.AGREE_RADIO)


def find(data: st.StudyData) -> st.Findings:
    """Return all conclusions from the data: verdicts, comparisons, tables and figures."""
    s = Results(data)
    compared, lte = s.comparisons(), s.ns3_comparisons()
    lengths = k.LENGTHS_S if "averages" in s.figures else ()
    averages, beside, bloat = (
        [table for length in lengths for table in make(s, length)]
        for make in (tables.averages, tables.beside, tables.bufferbloat)
    )
    drawn = figures(s)
    return st.Findings(
        columns=tuple(COLUMNS.values()),
        claims=st.judged(CLAIMS, s, tuple(COLUMNS), s.figures),
        compared={"ns-2": compared, "ns-3": lte},
        findings=_findings(s),
        sections=st.sections(
            {
                "What the set-up may have been": tables.readings(),
                "What contradicts itself in the published numbers": (found.contradictions(),),
                "A reading found after the results": found.found(s),
                "Averages": (*averages, *beside, *tables.longer(s)),
                "LTE and its buffer": bloat,
                "Figures": (*drawn, *tables.files(s)) if drawn else (),
            }
        ),
        beside=(
            *((st.Text((_PEERS_NOTE,)),) if st.unaltered([*compared, *lte]) else ()),
            *NS2.agreement(compared),
            *NS2.outside(compared),
            *tables.beside_ns3(s, lte),
        ),
        summary=tables.short(s),
        points=tables.points(s),
    )


def _findings(s: Results) -> tuple[str, ...]:
    """Return sentences with the main results of the long runs' averages."""
    length = k.LENGTHS_S[-1]
    cases = [case for case in s.cases() if case != FOUND]
    if not cases:
        return ()

    def rate(case: str, variant: str) -> float:
        return s.mean("throughput_kbps", case, length, variant)

    def off(case: str) -> float:
        return max(abs(rate(case, v) / level - 1) for v, level in k.THROUGHPUT_KBPS.items())

    near = [case for case in cases if off(case) <= LEVEL_WITHIN / 100]
    readings = list(dict.fromkeys(BY_KEY[case].reading.label for case in near))
    lead = f"Only the reading as {' and '.join(readings)}" if readings else "No reading of the set-up"
    said = [100 * (rate(case, "newreno") / rate(case, "vegas") - 1) for case in cases]
    nearest = min(cases, key=off)
    paper, rates = k.MEAN_DELAY_MS.values(), k.THROUGHPUT_KBPS
    stated = 100 * (rates["newreno"] / rates["vegas"] - 1)
    slowest = max(s.mean("delay_ms", case, length, v) for case in cases for v in k.MEAN_DELAY_MS)
    return (
        f"{lead} comes within {LEVEL_WITHIN:g} % of the published rates. Of {len(cases)} cases (readings with their "
        "windows and queues) the nearest is "
        f"“{BY_KEY[nearest].label}”: {rate(nearest, 'newreno'):.0f} and {rate(nearest, 'vegas'):.0f} kb/s, published "
        f"{k.THROUGHPUT_KBPS['newreno']:.0f} and {k.THROUGHPUT_KBPS['vegas']:.0f}.",
        f"Over {length} s NewReno has more throughput than Vegas in {sum(x > 0 for x in said)} of {len(said)} cases "
        f"({st.signed(min(said), 1)} to {st.signed(max(said), 1)} %; published {st.signed(stated, 1)} %).",
        *_biased(s),
        f"The longest mean delay of all cases is {slowest:,.0f} ms, published {min(paper):,.0f} and {max(paper):,.0f}.",
        *found.sentences(s),
    )


def _biased(s: Results) -> tuple[str, ...]:
    """Return a sentence on the throughput that each variant loses by a longer round trip."""
    if not list(s.longer):
        return ()
    cases = dict.fromkeys(LONGER.values())
    costs = {v: [-s.bias(case, v).mean for case in cases] for v in k.PUBLISHED}
    said = " and ".join(f"{min(x):.0f} to {max(x):.0f} % with {k.SHORT[v]}" for v, x in costs.items())
    newreno, vegas = (costs[v] for v in k.PUBLISHED)
    less = all(mine < other for mine, other in zip(vegas, newreno, strict=True))
    biased = max(vegas) > UNBIASED_WITHIN
    held = f"Vegas is {'biased, too' if biased else 'not biased'}{', and less' if biased and less else ''}"
    return (f"If two flows share a link, a longer round trip costs {said}: {held}.",)


STUDY: Final = k.TEXT.study(experiments, find, k.SETTINGS, k.VARIANTS)
