"""Machines of many columns at one value of C after the other, without each of several sets of points.

One Gram matrix serves them all. A machine begins where its C before ended, moved as the machines without
other points have moved, and trains on few points: those that have something to say.
"""

import numpy as np

from ecocviz.engine.kernels.box_dual import RealArray, solve_box_dual
from ecocviz.engine.kernels.dual_sums import add_rows, cut_square
from ecocviz.engine.kernels.gram import GramArray
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import Bits, BoolArray, FloatArray, IntArray

FIRST_STEPS = 150
"""Steps on all points before a machine is trained on few of them."""
MOST_STEPS = 20_000
"""Steps between two looks at whether to stop; in single precision, also before residuals are made afresh."""
BAND = 0.3
"""How far beyond the margin a point may be and still have something to say."""
FEW = 0.6
"""Share of the points up to which cutting their kernel values out pays."""
CUT_BYTES = 1 << 26
"""Kernel values of single machines that are kept from one training to the next."""
INNER_SHARE = 0.9
"""Share of the tolerance to which few points are trained, for what rounding adds on all."""
_SPARSE = 0.1
"""Share of non-zero coefficients below which adding rows beats a matrix product."""


class ColumnPaths:
    """The machines of all columns, each trained several times, with other points left out each time.

    Parameters
    ----------
    gram : (n_samples, n_samples)
        Kernel values with the bias constant.
    columns : (n_samples, n_columns)
        Sides of each machine; 0 leaves a point out.
    left_out : (n_sets, n_samples)
        Which points each training does without.
    shares : (n_sets, n_samples) or (n_sets, n_columns, n_samples)
        By what C is multiplied at each point; 0 where it is left out.
    tol
        Largest violation of the optimality conditions at which a machine counts as trained.
    max_updates
        Steps after which a machine is given up as unconverged.

    Attributes
    ----------
    C
        The one that was trained last.
    alphas, residuals : (n_sets, n_columns, n_samples)
        Coefficients, and sides minus scores, of all points.
    left : (n_sets, n_columns)
        Largest violation that is left.
    settled : (n_sets, n_columns)
        Whether no coefficient is at its bound: the machine is that of every larger C, too.
    """

    def __init__(
        self,
        gram: GramArray,
        columns: Bits,
        left_out: BoolArray,
        shares: FloatArray,
        *,
        tol: float,
        max_updates: int,
    ) -> None:
        self.gram = gram
        self.columns = columns
        self.left_out = left_out
        self.shares = shares
        self.tol = tol
        self.max_updates = max_updates
        self.C = 0.0
        self._cuts: dict[int, tuple[IntArray, GramArray]] = {}
        self._room = CUT_BYTES
        self.signs = np.ascontiguousarray(columns.T, dtype=np.float64)
        shape = (left_out.shape[0], columns.shape[1], columns.shape[0])
        self.alphas: FloatArray = np.zeros(shape)
        self.residuals: RealArray = np.empty(shape, dtype=gram.dtype)
        self.left: FloatArray = np.full(shape[:2], np.inf)
        self.settled: BoolArray = np.zeros(shape[:2], dtype=np.bool_)

    def rise(self, C: float, progress: Progress) -> None:
        """Train all machines with the next C, which is larger than the one before.

        How the coefficients of the first sets have moved says where those of the next ones begin.
        """
        before, self.C = self.C, C
        moved: FloatArray = np.zeros(self.signs.shape)
        seen = np.zeros(self.signs.shape[1])
        for s, left_out in enumerate(self.left_out):
            was = self.alphas[s].copy()
            machines = np.flatnonzero(~self.settled[s])
            if machines.size:
                self._begin(s, machines, before, moved, seen)
                bounds = self.C * self._limits(s, machines)
                for b, upper in zip(machines, bounds, strict=True):
                    progress.check()
                    self._train(s, int(b), upper)
            moved += self.alphas[s] - was
            seen += ~left_out
            progress.at((s + 1) / self.left_out.shape[0])

    def _limits(self, s: int, machines: IntArray) -> FloatArray:
        """Return the upper bounds of some machines' coefficients at C = 1, (n_machines, n_samples)."""
        share = self.shares[s] if self.shares.ndim == 2 else self.shares[s, machines]
        limits: FloatArray = np.where(self.signs[machines] != 0, share, 0.0)
        return limits

    def _begin(self, s: int, machines: IntArray, before: float, moved: FloatArray, seen: FloatArray) -> None:
        """Give the machines of one set coefficients to start from, and the residuals that go with them.

        A coefficient moves as it did on average in the sets before that held its point. Where there were
        none, one at its bound is raised to the new bound; the first C begins at 0. Residuals are made afresh,
        so that what steps round does not add up from one C to the next.
        """
        limits, alphas = self._limits(s, machines), self.alphas[s, machines]
        full = (alphas >= before * limits) & (before * limits > 0)
        start = np.where(full, self.C * limits, alphas)
        known = np.flatnonzero(seen)
        start[:, known] = alphas[:, known] + moved[np.ix_(machines, known)] / seen[known]
        self.alphas[s, machines] = start = np.clip(start, 0.0, self.C * limits)
        signed = (start * self.signs[machines]).astype(self.gram.dtype)
        self.residuals[s, machines] = self.signs[machines] - _scores(self.gram, signed)

    def _train(self, s: int, b: int, upper: FloatArray) -> None:
        """Train one machine: on the kernel values of its own points, where these are few."""
        alphas = self.alphas[s, b]
        problem = self.signs[b], upper, alphas, self.residuals[s, b]
        cut = self._cut(b)
        if cut is None:
            left = _solve(self.gram, *problem, self.tol, self.max_updates)
        else:
            left, _ = _solve_few(self.gram, *problem, *cut, self.tol, self.max_updates)
        self.left[s, b] = left
        self.settled[s, b] = left <= self.tol and not ((alphas >= upper) & (upper > 0)).any()

    def _cut(self, b: int) -> tuple[IntArray, GramArray] | None:
        """Return the points of one machine, where they are few, and their kernel values."""
        shown = np.flatnonzero(self.signs[b])
        if shown.size > FEW * self.gram.shape[0]:
            return None
        if b not in self._cuts:
            cut = shown, cut_square(self.gram, shown)
            if self._room < cut[1].nbytes:
                return cut
            self._room -= cut[1].nbytes
            self._cuts[b] = cut
        return self._cuts[b]


def _scores(gram: GramArray, signed: RealArray) -> RealArray:
    """Return the scores that signed coefficients (n, n_samples) give to all points, (n, n_samples)."""
    if np.count_nonzero(signed) < _SPARSE * signed.size:
        return add_rows(gram, signed)
    product: RealArray = signed @ gram
    return product


def _solve(
    gram: GramArray,
    signs: FloatArray,
    upper: FloatArray,
    alphas: FloatArray,
    residual: RealArray,
    tol: float,
    max_updates: int,
) -> float:
    """Train one machine in place as `solve_box_dual` does; return the violation that is left.

    A few steps on all points are enough for most. What takes more goes on with the points that support the
    machine or are near its margin, and comes back to all of them to see whether others have to join.
    """
    spent, limit = 0, FIRST_STEPS
    while True:
        limit = min(limit, max_updates - spent)
        steps, left = solve_box_dual(gram, signs, upper, alphas, residual, tol, limit)
        spent += steps
        if left <= tol or spent >= max_updates:
            return left
        near = (upper > 0) & ((alphas > 0) | (signs * residual > -BAND))
        rows = np.flatnonzero(near)
        if rows.size <= FEW * signs.size:
            sub = cut_square(gram, rows)
            limit = min(MOST_STEPS, max_updates - spent)
            _, steps = _solve_few(gram, signs, upper, alphas, residual, rows, sub, INNER_SHARE * tol, limit)
            spent += steps
            limit = FIRST_STEPS
        elif limit < MOST_STEPS:
            limit *= 4
        else:
            signed = (alphas * signs).astype(gram.dtype)[None]
            residual[:] = signs - _scores(gram, signed)[0]


def _solve_few(
    gram: GramArray,
    signs: FloatArray,
    upper: FloatArray,
    alphas: FloatArray,
    residual: RealArray,
    rows: IntArray,
    sub: GramArray,
    tol: float,
    max_updates: int,
) -> tuple[float, int]:
    """Train on some points, whose kernel values are `sub`, and bring the residuals of all up to date.

    Returns the violation that is left among them, and the steps made.
    """
    own, near = alphas[rows], residual[rows]
    spent, left = 0, np.inf
    while left > tol and spent < max_updates:
        limit = min(MOST_STEPS, max_updates - spent)
        steps, left = solve_box_dual(sub, signs[rows], upper[rows], own, near, tol, limit)
        spent += steps
        moved = np.zeros((1, signs.size), dtype=gram.dtype)
        moved[0, rows] = (own - alphas[rows]) * signs[rows]
        residual -= add_rows(gram, moved)[0]
        alphas[rows], near = own, residual[rows]
    return left, spent
