"""Reports: figures, tables and verdicts, from stored results to SVG, PNG, HTML and Markdown.

Nothing here runs a simulation.
"""
