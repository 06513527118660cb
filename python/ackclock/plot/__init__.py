"""Figures and animations of runs, and the style of figures."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
