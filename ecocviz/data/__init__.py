"""Data: bundled sets, generators, readers of users' files, preparation and splits.

Start at `ecocviz.data.catalogue`. This package draws nothing and serves nothing.
"""
