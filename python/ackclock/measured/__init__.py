"""Measurements of real transfers as runs, and the path that a measurement suggests."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
