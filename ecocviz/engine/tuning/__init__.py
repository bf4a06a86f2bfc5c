"""Choosing the kernel's width, C, the code and the decoder of an ECOC classifier by one search."""
