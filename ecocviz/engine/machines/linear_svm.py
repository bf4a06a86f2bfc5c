"""Linear support vector machine for many points, scikit-learn's LinearSVC."""

from sklearn.svm import LinearSVC

from ecocviz.engine.entries import Machine
from ecocviz.engine.params import FloatParam


def linear_svm(C: float = 1.0, seed: int = 0) -> LinearSVC:
    """Return an unfitted linear machine with hinge loss, which keeps no kernel matrix."""
    return LinearSVC(C=C, loss="hinge", max_iter=20_000, random_state=seed)


MACHINE = Machine(
    key="linear-svm",
    title="Linear SVM",
    summary="A linear machine that needs no kernel matrix; for many points.",
    make=linear_svm,
    params=(FloatParam(name="C", label="Price of errors C", default=1.0, low=1e-4, high=1e4, log=True),),
    seeded=True,
    order=11,
)
