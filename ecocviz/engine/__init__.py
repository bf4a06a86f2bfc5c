"""Numerics: codes, machines, decoders and what can be said of them. No drawing, no files, no tables."""
