"""Notes for the report of a study that a user changed: the changes, and values that cannot be compared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock.report.model import Figure, Section, Table, Text
from ackclock.study.agreement import unaltered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.report.model import Block
    from ackclock.study.agreement import Comparison
    from ackclock.study.data import StudyData


class AsPublished(str):
    """A sentence that explains a result of the study as published.

    In a changed study the result may have other causes.
    """

    __slots__ = ()

    def beside_changes(self) -> str:
        """Return the sentence with a note that it explains the study as published, for a report of changed runs."""
        return f"{self} (The explanation is of the study as published; these runs were changed.)"


def explained(sentences: Sequence[str], data: StudyData) -> tuple[str, ...]:
    """Return the sentences; if settings changed runs, explanations are marked as those of the study as published."""
    changed = data.altered_runs[0] > 0
    return tuple(
        one.beside_changes() if changed and isinstance(one, AsPublished) else one for one in sentences
    )


def marked(
    sections: Sequence[Section], data: StudyData, compared: Mapping[str, Sequence[Comparison]]
) -> tuple[Section, ...]:
    """Return the sections, with a note on the user's settings under each figure and table that they affect."""
    if not data.altered_runs[0]:
        return tuple(sections)
    left_out = [peer for peer, every in compared.items() if len(unaltered(every)) < len(every)]
    said = ", ".join(f"`--set {setting}`" for setting in data.changes.settings)
    changed = (
        f"Changed: run with {said}, which overrides the set-up described here. Published values are of the study as "
        "published."
    )

    def block(one: Block) -> Block:
        if isinstance(one, Text):
            return Text(explained(one.paragraphs, data))
        if isinstance(one, Figure):
            return _captioned(one, changed)
        if isinstance(one, Table):
            peers = [peer for peer in left_out if any(peer in column for column in one.columns)]
            notes = [
                f"No value of {peer} stands beside a changed scenario, which it did not run."
                for peer in peers
            ]
            return replace(one, notes=(*one.notes, *notes))
        return one

    return tuple(replace(section, blocks=tuple(map(block, section.blocks))) for section in sections)


def _captioned(figure: Figure, changed: str) -> Figure:
    notes = (changed, *figure.notes)
    if not figure.hollow:
        return replace(figure, notes=notes)
    if not figure.beside_peer:
        return replace(
            figure, notes=(*notes, f"Not drawn: {figure.peer}, which did not run the changed scenarios.")
        )
    return replace(
        figure,
        notes=notes,
        hollow=f"{figure.hollow} No point of {figure.peer} is drawn for a changed scenario.",
    )


def left_out(compared: Mapping[str, Sequence[Comparison]]) -> tuple[Text, ...]:
    """Return a paragraph with the number of values that are not compared with peers; empty if all are compared."""
    texts = [
        f"{len(every) - len(unaltered(every))} of {len(every)} values are not held against {peer}, which did not run "
        "the changed scenarios."
        for peer, every in compared.items()
        if len(unaltered(every)) < len(every)
    ]
    return (Text(tuple(texts)),) if texts else ()
