"""What holds in comparisons, sweeps and studies if nothing is given."""

MOST_REPS = 200
"""Where replicating until the intervals are narrow enough ends in any case."""
