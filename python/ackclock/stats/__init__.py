"""Statistics over replications: measures of runs, intervals, differences, ranks, independence."""
