"""From a grid to jobs, runs, a store, and statistics over replications."""
