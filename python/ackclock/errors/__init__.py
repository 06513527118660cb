"""Exceptions for errors that a user can cause, and their messages."""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
