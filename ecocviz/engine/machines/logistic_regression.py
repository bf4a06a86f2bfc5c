"""Logistic regression, scikit-learn's."""

from sklearn.linear_model import LogisticRegression

from ecocviz.engine.entries import Machine
from ecocviz.engine.params import FloatParam


def logistic_regression(C: float = 1.0) -> LogisticRegression:
    """Return an unfitted logistic regression whose scores are log odds."""
    return LogisticRegression(C=C, max_iter=1_000)


MACHINE = Machine(
    key="logistic-regression",
    title="Logistic regression",
    summary="A linear machine whose scores are log odds.",
    make=logistic_regression,
    params=(FloatParam(name="C", label="Price of errors C", default=1.0, low=1e-4, high=1e4, log=True),),
    order=10,
    effort=3.0,
)
