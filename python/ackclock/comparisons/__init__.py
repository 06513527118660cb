"""Comparisons of variants on the same seeds: plans, runs, paired differences, advice."""
