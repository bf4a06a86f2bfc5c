"""All papers, collected from their folders."""

from collections.abc import Mapping

from ecocviz.engine.registry import collect
from ecocviz.lab import papers
from ecocviz.lab.evidence.entries import Paper

PAPERS: Mapping[str, Paper] = collect(papers, "PAPER", Paper)
