"""The base of every study's results: data, figures asked for, variants and their colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.study.data import StudyData
    from ackclock.study.names import Variants


class Results:
    """The base of a study's results, which adds its values by point (`StudyData.values`).

    Attributes:
        data: The data.
        figures: The figures asked for.
        added: The variants that a user added.
        variants: Keys of the study's variants, then of those added.
        palette: The curves of variants.
    """

    def __init__(self, data: StudyData, variants: Variants[Any]) -> None:
        self.data = data
        self.figures = set(data.figures)
        self.added = data.changes.added
        self.variants = (*variants, *self.added)
        self.palette = variants.palette(self.added)
