"""Logistic regression, scikit-learn's."""

from sklearn.linear_model import LogisticRegression

from ecocviz.engine.entries import Machine
from ecocviz.engine.machines._kernel_settings import PENALTY


def logistic_regression(C: float = 1.0) -> LogisticRegression:
    """Return an unfitted logistic regression whose scores are log odds."""
    return LogisticRegression(C=C, max_iter=1_000)


MACHINE = Machine(
    key="logistic-regression",
    title="Logistic regression",
    summary="A linear machine whose scores are log odds.",
    make=logistic_regression,
    params=(PENALTY,),
    order=10,
    effort=3.0,
)
