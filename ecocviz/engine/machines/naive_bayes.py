"""Gaussian naive Bayes, scikit-learn's."""

from sklearn.naive_bayes import GaussianNB

from ecocviz.engine.entries import Machine
from ecocviz.engine.params import FloatParam


def naive_bayes(var_smoothing: float = 1e-3) -> GaussianNB:
    """Return an unfitted naive Bayes machine with one Gaussian per feature and side."""
    return GaussianNB(var_smoothing=var_smoothing)


MACHINE = Machine(
    key="naive-bayes",
    title="Naive Bayes",
    summary="One Gaussian per feature and side; features taken as independent.",
    make=naive_bayes,
    params=(
        FloatParam(
            name="var_smoothing",
            label="Smoothing of variances",
            default=1e-3,
            low=1e-12,
            high=1.0,
            log=True,
            help="Added to every variance, as a share of the largest one.",
            hint="larger makes every feature's bell wider",
            prominent=True,
        ),
    ),
    order=22,
)
