"""Compiled loops: arrays in, arrays out. Every file is an island (numba's cache does not see other files)."""
