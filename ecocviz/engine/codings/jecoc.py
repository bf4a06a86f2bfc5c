"""JECOC: code and machines are found together, each in turn for the other."""

from dataclasses import dataclass

import numpy as np

from ecocviz.engine.columns import Train
from ecocviz.engine.entries import Coding, Design, Step
from ecocviz.engine.kernels.gram import Kernel, gram_matrix, scaled_gamma
from ecocviz.engine.parallel import nth_machine
from ecocviz.engine.params import FloatParam, IntParam
from ecocviz.engine.partitions import added_bits, repair, two_classes
from ecocviz.engine.progress import NO_PROGRESS, Progress
from ecocviz.engine.random_codes import best_random_code, drawn_bits
from ecocviz.engine.references import ZHONG_2012
from ecocviz.engine.types import CodeMatrix, FloatArray, IntArray

MAX_POINTS = 1_000
"""The programme is solved for so many points at most, drawn with the classes' shares."""
THRESHOLD = 0.1
"""Entries of smaller size become 0 in the end."""
ENOUGH = 1e-4
"""The alternation stops when a round lowers the objective by a smaller share."""
_INNER_STEPS = 10
_MAX_PASSES = 100
"""Passes of as many steps as there are points that each machine may take."""
_TOL = 1e-4
"""Duality gap of each machine, as a share of its objective."""


@dataclass(slots=True)
class JointProgramme:
    """Machines f_j = <w_j, phi> and a real-valued code, and the objective that both lower in turn.

    1/2 sum_j |w_j|^2 + C sum_i sum_j max(0, 1 - m_(y_i)j f_j(x_i)) - B/2 sum_(a<b) |m_a - m_b|^2.

    Attributes
    ----------
    gram : (n_samples, n_samples)
        Bias constant included.
    y : (n_samples,)
        Sorted.
    code : (n_classes, n_bits)
        Entries in [-1, 1].
    C
        Penalty of errors.
    B
        Weight of the separation of rows.
    alphas, scores : (n_samples, n_bits)
        Of the machines; zero before the first step.
    half_norm
        1/2 sum_j |w_j|^2.
    """

    gram: FloatArray
    y: IntArray
    code: FloatArray
    C: float
    B: float
    alphas: FloatArray
    scores: FloatArray
    half_norm: float = 0.0

    def train(self, progress: Progress = NO_PROGRESS) -> None:
        """Solve one quadratic programme per column, from the machines as they are."""
        self.half_norm = 0.0
        n_bits = self.code.shape[1]
        for j in range(n_bits):
            m = np.ascontiguousarray(self.code[self.y, j])
            start = np.ascontiguousarray(self.alphas[:, j])
            told = progress.part(j, n_bits)
            told.note(nth_machine(n_bits)(j))
            alphas, scores = solve_column(self.gram, m, self.C, start, _TOL, _MAX_PASSES, told)
            self.alphas[:, j], self.scores[:, j] = alphas, scores
            self.half_norm += float((alphas * m) @ scores) / 2

    def recode(self) -> int:
        """Lower the objective over the code, machines as they are; return the number of inner steps."""
        # Imported here: listing the codings must not wait for the compiler.
        from ecocviz.engine.kernels.joint_code import update_code  # noqa: PLC0415 - see above

        starts = np.searchsorted(self.y, np.arange(self.code.shape[0] + 1))
        scores = np.ascontiguousarray(self.scores)
        self.code, n_steps = update_code(scores, starts, self.code, self.C, self.B, _INNER_STEPS)
        return int(n_steps)

    def guard(self) -> int:
        """Give columns that lost one sign the class that leans there most; return how many there were."""
        means = np.stack([self.scores[self.y == c].mean(axis=0) for c in range(self.code.shape[0])])
        n_mended = 0
        for j, column in enumerate(self.code.T):
            signs = _rounded(column)
            if not (signs == -1).any():
                n_mended += 1
                self.code[np.argmin(means[:, j]), j] = -1.0
            if not (_rounded(self.code[:, j]) == 1).any():
                n_mended += 1
                others = np.where(self.code[:, j] == -1.0, -np.inf, means[:, j])
                self.code[np.argmax(others), j] = 1.0
        return n_mended

    def objective(self) -> float:
        """Return the value that both steps lower."""
        hinge = np.maximum(0, 1 - self.code[self.y] * self.scores).sum()
        k = self.code.shape[0]
        spread = k * (self.code**2).sum() - (self.code.sum(axis=0) ** 2).sum()
        return self.half_norm + self.C * float(hinge) - self.B / 2 * float(spread)


def solve_column(
    gram: FloatArray,
    m: FloatArray,
    C: float,
    start: FloatArray,
    tol: float,
    max_passes: int,
    progress: Progress = NO_PROGRESS,
) -> tuple[FloatArray, FloatArray]:
    """Minimise 1/2 |w|^2 + C sum of max(0, 1 - m_i f_i) over machines f = <w, phi>, by its dual.

    Parameters
    ----------
    gram : (n, n)
        The bias is a constant inside it.
    m : (n,)
        Any real number; a point with 0 is left out.
    start : (n,)
        Dual coefficients.
    tol
        Duality gap to reach, as a share of the objective.
    max_passes
        Limit of passes over the points.
    progress
        Asked after each pass, because nobody knows how many it will take, and told 1 at the end.

    Returns
    -------
    alphas, scores : (n,)
    """
    # Imported here: listing the codings must not wait for the compiler.
    from ecocviz.engine.kernels.joint_code import improve_column, start_column  # noqa: PLC0415 - see above

    alphas, scores = start_column(gram, m, C, start)
    for _ in range(max_passes):
        if improve_column(gram, m, C, alphas, scores, tol):
            break
        progress.check()
    progress.at(1.0)
    return alphas, scores


def _rounded(code: FloatArray) -> CodeMatrix:
    signs: CodeMatrix = np.where(np.abs(code) < THRESHOLD, 0, np.sign(code)).astype(np.int8)
    return signs


def jecoc(
    X: FloatArray,
    y: IntArray,
    train: Train,
    n_bits: int = 0,
    C: float = 1.0,
    separation: float = 0.1,
    rounds: int = 10,
    *,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> Design:
    """Alternate between training machines for a code and fitting the code to the machines.

    Implements the scheme of [Zhong2012]_: one programme over code and machines; with the code fixed one
    quadratic programme per column, with the machines fixed a difference of convex functions, lowered by
    the concave-convex procedure.

    Differs from the paper: its objective could not be had, so this one with the same properties is
    reconstructed (see `JointProgramme`). Starts from a sparse random code. Entries below 0.1 become 0 in
    the end. A column that lost one sign gets it back from the class that leans there most, which may raise
    the objective; the story says so. The machines inside are Gaussian kernel machines of their own,
    because they must reach margins that differ from class to class; those trained on the finished code
    are the chosen ones.

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
    train
        Not used, see above.
    n_bits
        Number of columns; 0 means ceil(5 log2 K).
    C
        Penalty of errors of the machines inside.
    separation
        How strongly rows are driven apart, as a share of C times the points per class.
    rounds
        Alternations at most.
    seed
        Draws the first code, and the points where there are more than 1000.
    progress
        Told the share of the work that is done.

    Returns
    -------
    design
        Code matrix (n_classes, n_bits) in {-1, 0, +1}, and the objective after each round.
    """
    del train
    n_classes = int(y.max()) + 1
    if n_classes == 2:
        return two_classes("rounds", "Objective")
    rng = np.random.default_rng(seed)
    picks = _picks(y, rng)
    first = best_random_code(n_classes, _wanted(n_classes, n_bits), zero_share=0.5, trials=200, rng=rng)
    programme = _programme(X[picks], y[picks], first, C, separation)
    story: list[Step] = []
    programme.train(progress.part(0, rounds + 1, "random code"))
    story.append(_told(programme, "Machines for a sparse random code"))
    for number in range(1, rounds + 1):
        told = progress.part(number, rounds + 1, f"round {number} of {rounds}")
        told.note("fitting the code")
        before = programme.objective()
        programme.recode()
        n_mended = programme.guard()
        programme.train(told)
        label = f"Round {number}: code, then machines"
        story.append(_told(programme, label + (f"; {n_mended} lost signs restored" if n_mended else "")))
        if not n_mended and before - programme.objective() < ENOUGH * abs(before):
            break
    code_matrix = repair(list(_rounded(programme.code).T), story)
    return Design(code_matrix=code_matrix, story=tuple(story), kind="rounds", value_name="Objective")


def _told(programme: JointProgramme, label: str) -> Step:
    return Step(
        value=programme.objective(), label=label, bits=programme.code.shape[1], table=programme.code.copy()
    )


def _programme(X: FloatArray, y: IntArray, code: CodeMatrix, C: float, separation: float) -> JointProgramme:
    """Set the programme up for points sorted by class."""
    kernel = Kernel("rbf", scaled_gamma(X), 1, 1.0)
    shape = (y.size, code.shape[1])
    return JointProgramme(
        gram=gram_matrix(kernel, X).astype(np.float64),
        y=y,
        code=code.astype(np.float64),
        C=C,
        B=separation * C * y.size / code.shape[0] ** 2,
        alphas=np.zeros(shape),
        scores=np.zeros(shape),
    )


def _picks(y: IntArray, rng: np.random.Generator) -> IntArray:
    """Pick points, sorted by class: all, or the same share of every class and one at least."""
    order = rng.permutation(y.size)
    share = min(1.0, MAX_POINTS / y.size)
    parts = [order[y[order] == c] for c in range(int(y.max()) + 1)]
    return np.concatenate([part[: max(1, round(share * part.size))] for part in parts])


def _wanted(n_classes: int, n_bits: int) -> int:
    return drawn_bits(n_classes, n_bits, 5, ternary=True)


def _n_bits(
    n_classes: int, n_bits: int = 0, C: float = 1.0, separation: float = 0.1, rounds: int = 10
) -> int:
    del C, separation, rounds
    return 1 if n_classes == 2 else _wanted(n_classes, n_bits) + added_bits(n_classes)


CODING = Coding(
    key="jecoc",
    title="JECOC: code and machines together",
    summary="Code and machines are fitted to each other in turns.",
    design=jecoc,
    n_bits=_n_bits,
    reference=ZHONG_2012,
    params=(
        IntParam(
            name="n_bits",
            label="Machines",
            default=0,
            low=0,
            high=200,
            automatic=0,
            help="How many columns to start with; 0 is automatic: five times log2 of the number of classes.",
        ),
        FloatParam(
            name="C",
            label="Penalty C",
            symbol="C",
            default=1.0,
            low=1e-3,
            high=1e3,
            log=True,
            help="What an error on a training point costs the machines inside the search.",
        ),
        FloatParam(
            name="separation",
            label="Drive rows apart",
            default=0.1,
            low=0.0,
            high=10.0,
            help="Large values push all entries to -1 and +1, so that rows differ more.",
        ),
        IntParam(
            name="rounds",
            label="Rounds",
            default=10,
            low=1,
            high=50,
            help="Code and machines take turns at most this many times.",
        ),
    ),
    seeded=True,
    ternary=True,
    max_classes=100,
    instead="dense-random",
    order=203,
)
