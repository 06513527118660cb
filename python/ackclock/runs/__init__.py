"""Results of runs, their tables and traces, and simulations that a program advances step by step."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
