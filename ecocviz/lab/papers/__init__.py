"""The papers: a folder each, with claims, protocols and printed numbers; each ends in `PAPER`."""
