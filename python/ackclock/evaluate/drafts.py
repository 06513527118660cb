"""Draft text for the requirements of RFC 9743, with the figures of a dossier filled in."""

from __future__ import annotations

from typing import Final

from ackclock.evaluate.declared import Criterion
from ackclock.evaluate.dossier import Dossier
from ackclock.evaluate.findings import amount, shown
from ackclock.evaluate.judging import Judged, Verdict

__all__ = ["draft", "template"]

OPENINGS: Final[dict[str, str]] = {
    "collapse": "Congestion collapse (sections 5.1.1 and 5.2). {name} was run at losses of up to 50 %, among 200 "
    "flows on 1 Mb/s, and without any acknowledgments for 20 s.",
    "short-flows": "Short flows (sections 5.1.5 and 5.2.3). A long flow of {name} was run beside sessions of short "
    "flows, and sessions of {name} beside a long flow.",
    "mixed": "Mixed environments (section 5.2.1). Flows of standard controls were run beside {name}, beside "
    "themselves, and alone. Harm is measured as by Ware et al. (2019).",
    "drop-tail": "Tail-drop queues (section 6.1). {name} was run over drop-tail queues at the points listed above.",
    "path-change": "Changes of the path (section 7.9). The rate, the delay and the reachability of the path were "
    "changed during a transfer of {name}.",
    "tunnel": "Tunnels (section 6.2). [If {name} reads explicit signals other than losses and delays, describe "
    "here what a tunnel does to them; otherwise say that it does not.]",
    "receivers": "Misbehaving receivers (section 7.6). A flow of {name} whose receiver misbehaves was run beside an "
    "honest flow of {name}. The gain is the ratio of their goodputs; 1 is fair.",
    "multipath": "Multipath (section 7.10). [If {name} is meant for multipath transports, evaluate here the harm "
    "at a shared bottleneck; otherwise say that it is not.]",
}
"""First sentences of the draft text, by criterion."""

MOST: Final = 6
"""Largest number of results that a draft text states."""


def draft(found: Dossier, criterion: Criterion) -> tuple[str, ...]:
    """Return paragraphs of draft text for a criterion that is a MUST, and for misbehaving receivers; else none."""
    if criterion.key not in OPENINGS:
        return ()
    opening = OPENINGS[criterion.key].format(name=found.subject)
    stated = [
        _sentence(found, one)
        for case in found.plan.cases(criterion)
        for one in found.of(criterion, case)
        if one.metric == case.metrics[0] and one.verdict is not Verdict.ABSENT
    ]
    rest = len(stated) - MOST
    more = [f"[{rest} further results are in the table.]"] if rest > 0 else []
    return (" ".join([opening, *stated[:MOST], *more]),)


def _sentence(found: Dossier, one: Judged) -> str:
    name, label = found.subject, found.plan.label(one.baseline)
    scale, unit = one.metric.scale, f" {one.metric.unit}" if one.metric.unit else ""
    beside = bool(one.case.other)
    mine = f"beside {name}" if beside else f"with {name}"
    theirs = f"beside {label} itself" if beside else f"with {label}"
    harm = "" if one.harm is None else f"; harm {one.harm.subject:.2f} and {one.harm.baseline:.2f}"
    subject = f"{label}: {one.metric.title.removeprefix('others’ ')}" if beside else one.metric.title
    return (
        f"{one.case.title[0].upper()}{one.case.title[1:]}: {subject} {mine} {amount(one, one.subject.mean)}, {theirs} "
        f"{amount(one, one.against.mean)} (difference {shown(one.difference, scale)}{unit}, {one.verdict}{harm})."
    )


def template(found: Dossier) -> tuple[str, ...]:
    """Return the template for what a specification has to say besides measurements (sections 3.2, 5.3 and 8)."""
    name = found.subject
    return (
        "Abstract (section 3.2). [State the status that is sought. If the document is Experimental, say in the "
        f"abstract that {name} is an experiment, and whether it is considered safe to deploy on the Internet.]",
        f"Deviations from principles (section 5.3.1, MUST). [Name each deviation of {name} from RFC 2914 "
        "(congestion control principles) and RFC 7141 (byte and packet congestion notification), or state that "
        "there is none.]",
        f"Incremental deployment (section 5.3.2, MUST). [Say whether {name} works if only the sender, only the "
        "receiver, or only some routers support it. If it is for certain environments only, say how it is kept to "
        "them.]",
        f"Security considerations (section 8, MUST). [Say what an attacker gains who forges, holds back or divides "
        f"acknowledgments, or who sends traffic at the times at which {name} probes.]",
    )
