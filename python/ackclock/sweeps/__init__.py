"""Sweeps of a scenario over a grid of settings: jobs, a store of finished runs, and results with intervals."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
