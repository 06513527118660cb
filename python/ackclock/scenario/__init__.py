"""Scenarios: what is simulated."""
