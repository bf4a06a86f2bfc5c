"""Generators of two-feature problems, one per file, each ending in DATASET. Discovered by the catalogue."""
