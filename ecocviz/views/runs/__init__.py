"""Runs: everything that was computed, kept, compared, and over several data sets ranked."""
