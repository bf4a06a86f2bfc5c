"""Linear support vector machine for many points, scikit-learn's LinearSVC."""

from threading import Lock
from typing import Self

from numpy.typing import ArrayLike
from sklearn.svm import LinearSVC

from ecocviz.engine.entries import Machine
from ecocviz.engine.machines._kernel_settings import PENALTY

_LIBLINEAR = Lock()


class SerialLinearSVC(LinearSVC):  # type: ignore[misc]  # scikit-learn ships no types
    """LinearSVC of which one is fitted at a time, so that threads do not change what it finds.

    liblinear has one generator of random numbers for the whole process: every fit seeds it and draws
    from it without the interpreter's lock, and a second fit at the same time would draw from the same row.

    Examples
    --------
    >>> machine = SerialLinearSVC(random_state=0).fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> machine.predict([[0.5], [3.5]]).tolist()
    [0, 1]
    """

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train on (n_samples, n_features) points with labels and weights, (n_samples,) each."""
        with _LIBLINEAR:
            super().fit(X, y, sample_weight)
        return self


def linear_svm(C: float = 1.0, seed: int = 0) -> SerialLinearSVC:
    """Return an unfitted linear machine with hinge loss, which keeps no kernel matrix."""
    return SerialLinearSVC(C=C, loss="hinge", max_iter=20_000, random_state=seed)


MACHINE = Machine(
    key="linear-svm",
    title="Linear SVM",
    summary="A linear machine that needs no kernel matrix; for many points.",
    make=linear_svm,
    params=(PENALTY,),
    seeded=True,
    order=11,
    effort=2.0,
)
