"""Reductions: every way to make one multiclass learner of binary ones, on the same data."""
