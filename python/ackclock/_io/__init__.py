"""Shared input and output: files, tables, templates, declared options and progress bars."""
