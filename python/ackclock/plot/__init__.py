"""Figures and animations of runs."""
