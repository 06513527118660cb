"""Test cases that specifications give for congestion controls, loss recovery or stacks (``ackclock conform``).

A case is a scenario, a statement of the behaviour that its source requires, and a function that judges a run of it.
"""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
