"""Building a continuous code column by column, as each machine arrives."""

import numpy as np

from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.reductions.continuous.programs import Design, code_norm, design_code, total_loss
from ecocviz.engine.reductions.support_pattern.on_gram import one_hot, required_margins
from ecocviz.engine.types import FloatArray, IntArray, Scores


def literal_columns(
    scores: Scores,
    y_index: IntArray,
    n_classes: int,
    *,
    norm: str,
    beta: float,
    margins: FloatArray | None = None,
    tol: float = 1e-3,
    progress: Progress = NO_PROGRESS,
) -> tuple[Design, FloatArray]:
    """Find one column after the other, never touching the earlier ones.

    Implements the incremental method of section 5.2 of [Crammer2002]_: b_ir <- 1 - delta + F_ir -
    F_{i, y_i} with F the class scores so far, and Eq. 15 for the new column alone.

    Symbols: h'(x_i) -> scores[i, t], F -> outputs, M' -> column.

    Differs from the paper: for the l-infinity norm the largest entry of the whole code is charged,
    not every column's own, because that is the norm of the batch program.

    With three classes or more one column often cannot lower the hinge loss at all: it is then
    zero, and the objective stays where it was.

    Parameters
    ----------
    scores : (n_samples, n_bits)
    y_index : (n_samples,)
    n_classes, norm, beta, margins, tol, progress
        As in `design_code`.

    Returns
    -------
    design
        Its gap is that of the last column's own program, not of the batch program.
    objectives : (n_bits + 1,)
        Batch objective of the code so far, from no column to all; never increasing.
    """
    rows = np.arange(y_index.size)
    b = required_margins(y_index, n_classes) if margins is None else margins
    code = np.zeros((n_classes, scores.shape[1]))
    outputs = np.zeros(b.shape)
    objectives = [total_loss(outputs, b, y_index)]
    eta, gap = np.zeros(b.shape), 0.0
    for t in range(scores.shape[1]):
        column = design_code(
            scores[:, t : t + 1],
            y_index,
            n_classes,
            norm=norm,
            beta=beta,
            margins=b + outputs - outputs[rows, y_index][:, None],
            floor=code_norm(code, "linf"),
            tol=tol,
            progress=_column(progress, t, scores.shape[1]),
        )
        trial = code.copy()
        trial[:, t] = column.code[:, 0]
        trial_outputs = scores @ trial.T
        objective = beta * code_norm(trial, norm) + total_loss(trial_outputs, b, y_index)
        if objective < objectives[-1]:  # an optimum within the tolerance may be worse than no column
            code, outputs = trial, trial_outputs
        objectives.append(min(objective, objectives[-1]))
        eta, gap = column.eta, column.gap
    return Design(code, objectives[-1], gap, eta), np.array(objectives)


def corrective_columns(
    scores: Scores,
    y_index: IntArray,
    n_classes: int,
    *,
    norm: str,
    beta: float,
    margins: FloatArray | None = None,
    tol: float = 1e-3,
    progress: Progress = NO_PROGRESS,
) -> tuple[Design, FloatArray]:
    """Design the whole code anew each time a column arrives; what [Crammer2002]_ calls batch, t times.

    The last design is the batch optimum. Distributions are handed on from step to step where the
    solver has a use for them.

    Parameters and result are those of `literal_columns`.
    """
    b = required_margins(y_index, n_classes) if margins is None else margins
    objectives = [total_loss(np.zeros(b.shape), b, y_index)]
    n_bits = scores.shape[1]
    design = Design(np.zeros((n_classes, 0)), objectives[0], 0.0, one_hot(y_index, n_classes))
    for t in range(n_bits):
        fresh = design_code(
            scores[:, : t + 1],
            y_index,
            n_classes,
            norm=norm,
            beta=beta,
            margins=b,
            start=design.eta,
            tol=tol,
            progress=_column(progress, t, n_bits),
        )
        if fresh.objective > objectives[-1]:  # both are optimal within the tolerance
            widened = np.column_stack([design.code, np.zeros(n_classes)])
            gap = max(objectives[-1] - (fresh.objective - fresh.gap), 0.0)
            fresh = Design(widened, objectives[-1], gap, fresh.eta)
        design = fresh
        objectives.append(design.objective)
    return design, np.array(objectives)


def _column(progress: Progress, t: int, n_bits: int) -> Progress:
    """Say which column is designed, and return its part of the progress."""
    progress.note(f"designing column {t + 1} of {n_bits}")
    return progress.part(t, n_bits)
