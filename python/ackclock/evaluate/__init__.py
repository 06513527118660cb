"""Dossiers on congestion controls by the criteria of RFC 9743 (``ackclock evaluate``).

A criterion has cases, which are scenarios with metrics. The control under test is compared with baselines in each of
them; every verdict has an interval, and its spread on slightly changed links.
"""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
