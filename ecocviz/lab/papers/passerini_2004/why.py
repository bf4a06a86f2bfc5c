"""What is known of why Figure 4 looks as it does."""

from collections.abc import Sequence
from statistics import median

from ecocviz.lab.evidence.entries import Measured
from ecocviz.lab.papers.passerini_2004.lines import curves_of


def why_selection(found: Sequence[Measured], sets: Sequence[str], more: str = "") -> str:
    """Say how far the bound lies above the error, and to which side it errs."""
    curves = list(curves_of(found, sets))
    if not curves:
        return ""
    steps = [curve.steps() for curve in curves]
    above = [
        curve.bounds()[curve.chosen()] / max(curve.errors("likelihood")[curve.chosen()], 0.01)
        for curve in curves
    ]
    said = (
        f"The γ of the least bound is the best one in {steps.count(0)} of {len(steps)} cases, larger in "
        f"{sum(step > 0 for step in steps)}, smaller in {sum(step < 0 for step in steps)}. The bound "
        f"there is {median(above):.1f} times the test error (median): it says where to stand, not how "
        "large the error is."
    )
    return f"{said} {more}".strip()
