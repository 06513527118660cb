"""Defaults of comparisons, sweeps and studies."""

MOST_REPS = 200
"""Replications after which replicating until the intervals are narrow enough ends in any case."""
