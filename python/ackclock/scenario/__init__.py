"""Scenarios: networks, flows and events to simulate."""
