"""Congestion controls of your own."""
