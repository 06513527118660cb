"""Exceptions and messages for errors that a user can cause."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
