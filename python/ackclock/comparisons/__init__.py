"""Comparisons of variants with equal seeds: plans, runs, paired differences and advice."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
