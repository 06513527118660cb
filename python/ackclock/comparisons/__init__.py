"""Comparisons of variants on the same seeds: plans, runs, paired differences, advice."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
