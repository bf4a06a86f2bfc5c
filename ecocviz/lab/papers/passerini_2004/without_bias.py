"""The study of Figure 4 once more, by machines without a bias: the kernel is 1 at distance 0, not 2."""

from ecocviz.lab.evidence.entries import Cell, Setting, Study
from ecocviz.lab.papers.passerini_2004.curves import CODES, EXPONENTS, make_cell, measure

SETS = {Setting.QUICK: ("satimage", "segment"), Setting.FULL: ("optdigits", "satimage", "segment")}


def cells(setting: Setting) -> list[Cell]:
    """List sets, codes and kernel widths."""
    return [
        make_cell(setting, data, coding, exponent, bias=0.0)
        for data in SETS[setting]
        for coding in CODES
        for exponent in EXPONENTS[setting]
    ]


STUDY = Study(key="without-bias", cells=cells, measure=measure)
