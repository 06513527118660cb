"""From a scenario and a grid to jobs, runs, a store of finished runs, and results."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
