"""User-defined congestion controls in Python: the base class, loading from files, and conformance checks."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
