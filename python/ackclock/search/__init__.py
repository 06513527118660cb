"""Search for the scenarios in which a control or a stack does worst (``ackclock search``).

A family states the paths and the cross traffic that a search may choose. CMA-ES and a fuzzer guided by the sender's
states look for the greatest harm in it. The shrinker makes what they find as small as it can be.
"""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
