"""Runs: results, tables, traces, and runs that a program drives."""
