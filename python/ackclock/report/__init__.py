"""Turns stored results into reports: figures, tables and verdicts as SVG, PNG, HTML and Markdown.

No module of this package runs a simulation.
"""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
