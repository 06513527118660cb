"""Readings of a paper: what its printed digits say, and which settings and definitions give its numbers."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
