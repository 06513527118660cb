"""Reports: figures, tables and verdicts, from stored results to SVG, PNG, HTML and Markdown.

Nothing here runs a simulation.
"""

from ackclock._names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
