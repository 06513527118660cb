"""Emulates a scenario's network in real time between two network namespaces, for real applications (Linux)."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
