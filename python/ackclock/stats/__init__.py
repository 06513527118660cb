"""Statistics over replications: measures of runs, confidence intervals, differences, ranks and independence."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
