"""Any machines and a continuous code in turns: the code's signs and sizes train the next machines."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from ecocviz.engine.kernels.box_dual import solve_box_dual
from ecocviz.engine.kernels.gram import Kernel, gram_matrix
from ecocviz.engine.machines.kernel_machine import KernelMachine
from ecocviz.engine.parallel import in_threads, nth_machine
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions._shared.chunks import kernel_expansion
from ecocviz.engine.reductions.continuous.programs import Design
from ecocviz.engine.types import FloatArray, IntArray, Scores

Designer = Callable[[Scores, IntArray, Progress], Design]


class WeightedKernelColumns:
    """Kernel machines whose price of errors differs from point to point.

    Parameters
    ----------
    machine
        Gives kernel, C, tolerance.
    X : (n_samples, n_features)
    wishes : (n_samples, n_bits)
        Their signs are the sides, their sizes the weights; zeros leave points out.
    counts : (n_samples,), optional
        As how many points each point counts.
    """

    def __init__(
        self,
        machine: KernelMachine,
        X: FloatArray,
        wishes: FloatArray,
        progress: Progress = NO_PROGRESS,
        counts: FloatArray | None = None,
    ) -> None:
        self.kernel: Kernel
        self.kernel, C = machine.settle(X, counts)
        self.X = X
        gram = gram_matrix(self.kernel, X)
        self.coefficients: FloatArray = np.zeros(wishes.shape)

        def train(b: int) -> None:
            rows = np.flatnonzero(wishes[:, b])
            if not rows.size:
                return  # a column of zeros asks for nothing and gets a machine that says nothing
            signs = np.sign(wishes[rows, b])
            alphas = np.zeros(rows.size)
            upper = C * _weights(wishes[rows, b], None if counts is None else counts[rows])
            sub = np.ascontiguousarray(gram[np.ix_(rows, rows)])
            solve_box_dual(sub, signs, upper, alphas, signs.copy(), machine.tol, machine.max_updates)
            self.coefficients[rows, b] = alphas * signs

        in_threads(train, wishes.shape[1], 1, progress, doing=nth_machine(wishes.shape[1]))
        self.scores: Scores = gram @ self.coefficients

    def predict_scores(self, X: FloatArray) -> Scores:
        """Return the scores of new points, (n, n_bits)."""
        return kernel_expansion(self.kernel, X, self.X, self.coefficients)


class WeightedColumns:
    """Machines of any kind that take sample weights; parameters as `WeightedKernelColumns`."""

    def __init__(
        self,
        machine: Any,  # noqa: ANN401 - scikit-learn estimators share no type
        X: FloatArray,
        wishes: FloatArray,
        progress: Progress = NO_PROGRESS,
        counts: FloatArray | None = None,
    ) -> None:
        if not has_fit_parameter(machine, "sample_weight"):
            raise ValueError(
                f"{type(machine).__name__} takes no sample weights; interleaving needs a machine that does."
            )

        def train(b: int) -> Any:  # noqa: ANN401 - a fitted machine, or the constant that needs none
            rows = np.flatnonzero(wishes[:, b])
            sides = np.sign(wishes[rows, b]).astype(np.int64)
            if np.unique(sides).size < 2:
                return float(sides[0]) if rows.size else 0.0
            weights = _weights(wishes[rows, b], None if counts is None else counts[rows])
            return clone(machine).fit(X[rows], sides, sample_weight=weights)

        n_bits = wishes.shape[1]
        self.machines = in_threads(train, n_bits, 1, progress, doing=nth_machine(n_bits))
        self.scores: Scores = self.predict_scores(X)

    def predict_scores(self, X: FloatArray) -> Scores:
        """Return the scores of new points, (n, n_bits)."""
        return np.stack([_score(machine, X) for machine in self.machines], axis=1)


def _score(machine: Any, X: FloatArray) -> FloatArray:  # noqa: ANN401 - a fitted machine or a constant
    if isinstance(machine, float):
        return np.full(X.shape[0], machine)
    if hasattr(machine, "decision_function"):
        return np.asarray(machine.decision_function(X), dtype=np.float64)
    return 2 * np.asarray(machine.predict_proba(X), dtype=np.float64)[:, 1] - 1


def _weights(wishes: FloatArray, counts: FloatArray | None) -> FloatArray:
    """Return weights of mean one times the counts: the machine's own price of errors keeps its meaning."""
    sizes = np.abs(wishes)
    if counts is None:
        return np.asarray(sizes / sizes.mean())
    return np.asarray(counts * (sizes / np.average(sizes, weights=counts)))


@dataclass(frozen=True, slots=True)
class Round:
    """Machines and the code designed on their training scores."""

    columns: Any
    design: Design


def alternate(
    first: Any,  # noqa: ANN401 - trained columns of any kind
    machine: Any,  # noqa: ANN401 - scikit-learn estimators share no type
    X: FloatArray,
    y_index: IntArray,
    design: Designer,
    n_rounds: int,
    progress: Progress = NO_PROGRESS,
    counts: FloatArray | None = None,
) -> list[Round]:
    """Design a code, then train machines on it and design again, round by round.

    Machine b is trained with the signs of M_{y_i, b} as sides and their sizes as weights; entries of
    zero leave the class out. Nothing promises that the objective falls from round to round.

    Extension of [Crammer2002]_, which names this direction and leaves it open.

    Parameters
    ----------
    first
        Trained machines to begin with: `scores` (n_samples, n_bits) and `predict_scores`.
    machine
        Unfitted machine.
    X : (n_samples, n_features)
    y_index : (n_samples,)
    design
        Gives the code for training scores, class numbers and a progress call.
    n_rounds
        Times that machines are trained anew.
    progress
        Told the share of the work that is done; may raise to cancel.
    counts : (n_samples,), optional
        As how many points each point counts for the machines.
    """
    exact = isinstance(machine, KernelMachine) and machine.approximation is None
    kind = WeightedKernelColumns if exact else WeightedColumns
    step = progress.part(0, n_rounds + 1)
    step.note("designing the code")
    rounds = [Round(first, design(first.scores, y_index, step))]
    for number in range(n_rounds):
        step = progress.part(number + 1, n_rounds + 1, f"round {number + 1} of {n_rounds}")
        columns = kind(machine, X, rounds[-1].design.code[y_index], step.part(0, 2), counts)
        step.note("designing the code")
        rounds.append(Round(columns, design(columns.scores, y_index, step.part(1, 2))))
    return rounds


def held_out_part(y_index: IntArray, fold_ids: IntArray) -> tuple[IntArray, IntArray]:
    """Return training and validation rows: fold 0 validates, but no class is taken away whole."""
    counts = np.bincount(y_index)
    held = (fold_ids == 0) & (counts[y_index] > 1)
    return np.flatnonzero(~held), np.flatnonzero(held)


def error_rate(
    code: FloatArray, scores: Scores, y_index: IntArray, counts: FloatArray | None = None
) -> float:
    """Return the share of points whose largest M_r . h is not their own class's, 1.0 without points."""
    if not y_index.size:
        return 1.0
    return float(np.average(np.argmax(scores @ code.T, axis=1) != y_index, weights=counts))
