"""Base class of a study's results: data, requested figures, variants and their colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.study.data import StudyData
    from ackclock.study.names import Variants


class Results:
    """Base class of a study's results; a subclass adds the study's values by point (`StudyData.values`).

    Attributes:
        data: The data of the runs.
        figures: The figures whose runs were requested.
        added: Keys of the variants that a user added.
        variants: Keys of the study's variants, then of the added ones.
        palette: Names, colours and dashes of the variants' curves.
    """

    def __init__(self, data: StudyData, variants: Variants[Any]) -> None:
        self.data = data
        self.figures = set(data.figures)
        self.added = data.changes.added
        self.variants = (*variants, *self.added)
        self.palette = variants.palette(self.added)
