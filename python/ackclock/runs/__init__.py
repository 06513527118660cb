"""Runs: results, tables, traces, and runs that a program drives."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
