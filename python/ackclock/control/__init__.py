"""User-defined congestion controls in Python: base class, loading from files, conformance checks."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
