"""Congestion controls of your own: in Python, loaded from files, checked for conformance."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
