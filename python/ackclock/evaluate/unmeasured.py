"""Criteria without experiments, each with the reason."""

from __future__ import annotations

from ackclock.evaluate.declared import Criterion, Level

__all__ = ["CRITERIA"]

CRITERIA: tuple[Criterion, ...] = (
    Criterion(
        "tunnel", "Tunnels", "6.2", Level.MUST,
        "How does the control react to explicit signals that come through a tunnel?", "none",
        unavailable="The section applies to controls that read explicit signals other than losses and delays. The "
        "simulator has no tunnels, so it cannot show what an encapsulation does to marks (RFC 6040). Criterion aqm "
        "shows the reaction to marks on a plain path.",
    ),
    Criterion(
        "multipath", "Multipath transport", "7.10", Level.MUST,
        "What harm do several subflows do at a shared bottleneck?", "none",
        unavailable="The simulator has no multipath transport. For a control of a single path the section does not "
        "apply.",
    ),
    Criterion(
        "documents", "Documents", "5.3", Level.MUST,
        "What has the specification to say besides measurements?", "none; the report has a template",
    ),
)  # fmt: skip
