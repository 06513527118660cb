"""What holds in comparisons, sweeps and studies if nothing is given."""

MOST_REPS = 200
"""Where replicating until the intervals are narrow enough ends in any case."""

START_JITTER = "100ms"
"""Bound of the start jitter.

Several round-trip times of a usual path, so that queues fill in another order, and little beside a usual run's length.
"""
