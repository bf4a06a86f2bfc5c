"""ECOC-ONE: machines are added one by one for the two classes that are still confused most."""

import math
from collections.abc import Callable

import numpy as np

from ecocviz.engine.columns import Train
from ecocviz.engine.entries import Coding, Design, Step
from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam
from ecocviz.engine.partitions import (
    class_sums,
    column_name,
    discriminant_tree,
    information,
    two_classes,
)
from ecocviz.engine.progress import NO_PROGRESS, Asking, Progress
from ecocviz.engine.references import PUJOL_2008
from ecocviz.engine.types import BoolArray, CodeMatrix, FloatArray, IntArray

VALIDATION_SHARE = 0.15
"""Share of each class that judges the machines without training them."""
VALIDATION_WEIGHT = 0.5
"""How much confusions on the validation part count against those on the training part."""
GROWING_ROUNDS = 5
TRIES = 5

Growth = Callable[[CodeMatrix], float]
"""What is wrong with a column (n_classes,); smaller is better."""


def ecoc_one(
    X: FloatArray,
    y: IntArray,
    train: Train,
    start: str = "tree",
    columns: str = "grown",
    additions: int = 10,
    enough: float = 0.05,
    *,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> Design:
    """Start from a small code and add one column at a time for the most confused pair of classes.

    Implements ECOC-ONE of [Pujol2008]_: one part of the points trains the machines, another judges them;
    from the confusions on both, the two classes that are mistaken for each other most get a machine that
    puts them on opposite sides. Answers are decoded with weighted machines and a distance that ignores
    zeros. The search stops when the error is small enough, when it rises (the column that raised it is
    taken back), or after the allowed additions.

    Differs from the paper: sizes and weights follow [EscaleraLibrary2010]_ (15 % validation, both
    parts count half), but the validation part is drawn at random in each class. A pair that already has
    every column that was tried for it gives way to the next. Machine j weighs 1/2 ln((1 - e_j) / e_j) by
    its validation error e_j; its scores are cut to [-1, 1]. The machines' weights are used inside the
    search only: the code is decoded by the chosen decoder.

    Parameters
    ----------
    X : (n_samples, n_features)
    y : (n_samples,)
    train
        Trains one machine per column of targets.
    start
        "tree" (the paper's: a discriminant tree, see [Pujol2006]_), "one-vs-all" or "one-vs-one".
    columns
        "pair": the two classes only. "grown": other classes join either side, by random tries, as long as
        the share of information that points carry about their side does not fall. "grown-by-error": as
        long as the machine's own error does not rise.
    additions
        Columns added at most.
    enough
        Error at which the search stops.
    seed
        Draws the validation part and the tries.
    progress
        Told the share of the work that is done.

    Returns
    -------
    design
        Code matrix (n_classes, n_bits) in {-1, 0, +1}; each step with the confusions that called for it.
    """
    n_classes = int(y.max()) + 1
    if n_classes == 2:
        return two_classes("additions", "Error")
    rng = np.random.default_rng(seed)
    judge = _Judge(X, y, train, _validation_part(y, rng))
    told = progress.part(0, additions + 1, "first columns")
    first = _first_columns(start, X, y, n_classes, told.part(0, 3))
    judge.add(first, told.part(1, 3))
    story = [Step(value=judge.error(), label=f"Start: {start}", bits=first.shape[1])]
    by_error = columns == "grown-by-error"
    growth = _error_of(judge, progress) if by_error else _spread_of(X, y, told.part(2, 3))
    for number in range(additions):
        told = progress.part(number + 1, additions + 1, f"addition {number + 1} of {additions}")
        told.note("looking for a column")
        error = judge.error()
        if error <= enough:
            break
        confused = judge.confused()
        column, pair = _new_column(confused, judge.code, columns, growth, rng, told.part(0, 2))
        if column is None:
            break
        judge.add(column[:, None], told.part(1, 2))
        rose = judge.error() > error + 1e-12
        label = f"For classes {pair[0] + 1} and {pair[1] + 1}" + ("; taken back" if rose else "")
        if rose:
            story.append(_told(column, judge.error(), label, judge.code.shape[1] - 1, confused))
            judge.drop()
            break
        story.append(_told(column, judge.error(), label, judge.code.shape[1], confused))
    return Design(code_matrix=judge.code, story=tuple(story), kind="additions", value_name="Error")


def _told(column: CodeMatrix, error: float, label: str, n_bits: int, confused: FloatArray) -> Step:
    plus, minus = (tuple(np.flatnonzero(column == sign).tolist()) for sign in (1, -1))
    return Step(plus=plus, minus=minus, value=error, label=label, bits=n_bits, table=confused)


class _Judge:
    """Trains machines on one part of the points and watches what the code confuses on both parts."""

    def __init__(
        self,
        X: FloatArray,
        y: IntArray,
        train: Train,
        validation: BoolArray,
    ) -> None:
        self.train, self.validation = train, validation
        self.X, self.y = X, y
        self.n_classes = int(y.max()) + 1
        self.code: CodeMatrix = np.zeros((self.n_classes, 0), dtype=np.int8)
        self.scores = np.zeros((y.size, 0))

    def scores_of(self, columns: CodeMatrix, progress: Progress) -> FloatArray:
        """Train machines for columns (n_classes, n); return the scores of all points, (n_samples, n)."""
        part = ~self.validation
        return self.train(self.X[part], columns[self.y[part]], progress).predict_scores(self.X)

    def add(self, columns: CodeMatrix, progress: Progress = NO_PROGRESS) -> None:
        """Append columns (n_classes, n) and their machines."""
        self.scores = np.column_stack([self.scores, self.scores_of(columns, progress)])
        self.code = np.column_stack([self.code, columns])

    def drop(self) -> None:
        """Take the last column back."""
        self.scores, self.code = self.scores[:, :-1], self.code[:, :-1]

    def shares(self) -> tuple[FloatArray, FloatArray]:
        """Return the share of points of each class (row) given each, on the training and validation part."""
        weights = machine_weights(self.scores, self.code, self.y, self.validation)
        labels = decode(self.scores, self.code, weights)
        tables = []
        for part in (~self.validation, self.validation):
            counts = np.zeros((self.n_classes, self.n_classes))
            np.add.at(counts, (self.y[part], labels[part]), 1)
            tables.append(counts / max(1, part.sum()))
        return tables[0], tables[1]

    def error(self) -> float:
        """Return the error, both parts weighed."""
        trained, validated = (1 - float(np.trace(table)) for table in self.shares())
        return VALIDATION_WEIGHT * validated + (1 - VALIDATION_WEIGHT) * trained

    def confused(self) -> FloatArray:
        """Return how often each two classes are confused, both parts weighed, (n_classes, n_classes)."""
        return confusions(*self.shares())


def confusions(trained: FloatArray, validated: FloatArray) -> FloatArray:
    """Join two tables of shares and both directions of confusion; the diagonal is 0.

    Parameters
    ----------
    trained, validated : (n_classes, n_classes)
        Share of the part's points of one class (row) that were given another (column).
    """
    both = VALIDATION_WEIGHT * validated + (1 - VALIDATION_WEIGHT) * trained
    np.fill_diagonal(both, 0)
    joined: FloatArray = both + both.T
    return joined


def machine_weights(
    scores: FloatArray, code_matrix: CodeMatrix, y: IntArray, validation: BoolArray
) -> FloatArray:
    """Return 1/2 ln((1 - e) / e) for each machine's validation error e, (n_bits,).

    A machine without validation points is judged by its training points.
    """
    targets = code_matrix[y]
    wrong = (targets != 0) & (np.sign(scores) != targets)
    shown = targets != 0
    judged = np.where((shown & validation[:, None]).any(axis=0), validation[:, None], True) & shown
    errors = (wrong & judged).sum(axis=0) / judged.sum(axis=0)
    errors = np.clip(errors, 1e-7, 1 - 1e-7)
    weights: FloatArray = np.log((1 - errors) / errors) / 2
    return weights


def decode(scores: FloatArray, code_matrix: CodeMatrix, weights: FloatArray) -> IntArray:
    """Return the class of least sum of w_j |m_j| (f_j - m_j)^2, (n_samples,); scores f are cut to [-1, 1]."""
    f = np.clip(scores, -1, 1)
    M = code_matrix.astype(np.float64)
    weighted = np.abs(M) * weights
    # (f - m)^2 = f^2 - 2 f m + 1 where m is -1 or +1.
    costs = f**2 @ weighted.T - 2 * f @ (M * weights).T + weighted.sum(axis=1)
    labels: IntArray = np.argmin(costs, axis=1).astype(np.int64)
    return labels


def _validation_part(y: IntArray, rng: np.random.Generator) -> BoolArray:
    """Draw the validation points, (n_samples,): a share of each class, none of classes of one point."""
    validation = np.zeros(y.size, dtype=np.bool_)
    for c in range(int(y.max()) + 1):
        members = rng.permutation(np.flatnonzero(y == c))
        n_held = min(max(1, round(VALIDATION_SHARE * members.size)), members.size - 1)
        validation[members[:n_held]] = True
    return validation


def _first_columns(start: str, X: FloatArray, y: IntArray, n_classes: int, progress: Progress) -> CodeMatrix:
    """Make the code to start from."""
    if start == "one-vs-all":
        return np.where(np.eye(n_classes) > 0, 1, -1).astype(np.int8)
    if start == "one-vs-one":
        first, second = np.triu_indices(n_classes, k=1)
        pairs = np.eye(n_classes, dtype=np.int8)
        return np.ascontiguousarray((pairs[first] - pairs[second]).T)
    return np.stack(discriminant_tree(X, y, progress)[0], axis=1)


def _new_column(
    confused: FloatArray,
    code_matrix: CodeMatrix,
    columns: str,
    growth: Growth,
    rng: np.random.Generator,
    progress: Progress = NO_PROGRESS,
) -> tuple[CodeMatrix | None, tuple[int, int]]:
    """Return a column that is not there yet for the most confused pair that has one, and the pair."""
    taken = {column_name(column) for column in code_matrix.T}
    first, second = np.triu_indices(confused.shape[0], k=1)
    for number, place in enumerate(np.argsort(-confused[first, second], kind="stable")):
        a, b = int(first[place]), int(second[place])
        if confused[a, b] <= 0:
            break
        column = np.zeros(confused.shape[0], dtype=np.int8)
        column[a], column[b] = 1, -1
        if columns != "pair":
            column = grow_column(column, (a, b), taken, growth, rng, progress.part(number, first.size))
        if column_name(column) not in taken:
            return column, (a, b)
    return None, (-1, -1)


def grow_column(
    column: CodeMatrix,
    pair: tuple[int, int],
    taken: set[bytes],
    growth: Growth,
    rng: np.random.Generator,
    progress: Progress = NO_PROGRESS,
) -> CodeMatrix:
    """Let other classes join a column, and leave it again, by random tries.

    Rounds take turns: in odd ones unused classes try to join the + side, then the - side; in even ones
    classes other than the pair try to leave. A try is kept if the column is new and no worse.

    Parameters
    ----------
    column : (n_classes,)
        The pair alone.
    """
    best = column
    # A pair that is a column already may be replaced by whatever is new.
    value = growth(best) if column_name(best) not in taken else np.inf
    for turn in range(GROWING_ROUNDS):
        for side in (1, -1):
            for number in range(TRIES):
                progress.at((2 * turn + (side < 0) + number / TRIES) / (2 * GROWING_ROUNDS))
                pool = np.flatnonzero(best == 0 if turn % 2 == 0 else best == side)
                pool = pool[~np.isin(pool, pair)]
                if not pool.size:
                    break
                tried = best.copy()
                tried[rng.choice(pool)] = side if turn % 2 == 0 else 0
                if column_name(tried) in taken:
                    continue
                tried_value = growth(tried)
                if tried_value <= value:
                    best, value = tried, tried_value
                    break
    return best


def _spread_of(X: FloatArray, y: IntArray, progress: Progress = NO_PROGRESS) -> Growth:
    """Judge columns by minus the share of information that points carry about their side.

    The quadratic information is divided by the potential of all points that take part: otherwise it
    would fall with every class that joins, however well it is parted.
    """
    table = class_sums(X, y, np.arange(int(y.max()) + 1), progress)

    def growth(column: CodeMatrix) -> float:
        members = np.flatnonzero(column)
        part = table.subset(members)
        potential = float(part.sums.sum()) / float(part.counts.sum()) ** 2
        return -information(part, column[members] == 1) / potential

    return growth


def _error_of(judge: _Judge, progress: Progress) -> Growth:
    """Judge columns by the error of their own machine, both parts weighed; `progress` may end that."""

    def growth(column: CodeMatrix) -> float:
        target = column[judge.y]
        wrong = np.sign(judge.scores_of(column[:, None], Asking(progress))[:, 0]) != target
        errors = []
        for part in (~judge.validation, judge.validation):
            shown = part & (target != 0)
            errors.append(float(wrong[shown].mean()) if shown.any() else 0.0)
        return VALIDATION_WEIGHT * errors[1] + (1 - VALIDATION_WEIGHT) * errors[0]

    return growth


def _n_bits(
    n_classes: int,
    start: str = "tree",
    columns: str = "grown",
    additions: int = 10,
    enough: float = 0.05,
) -> int:
    del columns, enough
    if n_classes == 2:
        return 1
    first = {"tree": n_classes - 1, "one-vs-all": n_classes, "one-vs-one": math.comb(n_classes, 2)}
    return first[start] + additions


CODING = Coding(
    key="ecoc-one",
    title="ECOC-ONE: a machine for each confusion",
    summary="A small code grows: each new machine is for the two classes that are confused most.",
    design=ecoc_one,
    n_bits=_n_bits,
    reference=PUJOL_2008,
    params=(
        ChoiceParam(
            name="start",
            label="Start from",
            default="tree",
            options=(
                ("tree", "A tree learned from data"),
                ("one-vs-all", "One-vs-all"),
                ("one-vs-one", "One-vs-one"),
            ),
            help="The code that machines are added to.",
        ),
        ChoiceParam(
            name="columns",
            label="An added machine sees",
            default="grown",
            options=(
                ("grown", "the pair and others, if the sides stay apart"),
                ("grown-by-error", "the pair and others, if its error does not rise"),
                ("pair", "the pair only"),
            ),
            help="The option that looks at the error is slow: it trains a machine for every class that is "
            "tried.",
        ),
        IntParam(
            name="additions",
            label="Added machines",
            default=10,
            low=0,
            high=100,
            help="At most this many; the search may stop earlier.",
        ),
        FloatParam(
            name="enough",
            label="Small enough error",
            default=0.05,
            low=0.0,
            high=1.0,
            help="No machine is added once the error on the training points is below this.",
        ),
    ),
    seeded=True,
    ternary=True,
    max_classes=60,
    instead="one-vs-all",
    order=202,
)
