"""Decoders: every decoder on the same trained machines, in pictures and in numbers."""
