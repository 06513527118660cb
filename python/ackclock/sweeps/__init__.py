"""From a scenario and a grid to jobs, runs, a store of finished runs, and results."""
