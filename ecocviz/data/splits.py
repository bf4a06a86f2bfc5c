"""Ways to divide the rows of a table into a training and a test part.

A class with a single member stays in training, and every class keeps at least one training member:
only leave-one-out, which by definition leaves out each row once, and a set's own split may train
without some class.
"""

import numpy as np

from ecocviz.data.limits import current_limits, raising
from ecocviz.data.types import Fold, Split, Table
from ecocviz.engine.params import FloatParam, IntParam
from ecocviz.engine.types import IntArray

DEFAULT_SHARE = 0.3


def stratified_sizes(counts: IntArray, n_test: int) -> IntArray:
    """Divide a test part among the classes in proportion, leaving each class one training row.

    Parameters
    ----------
    counts : (n_classes,)
        Members of each class, at least 1.
    n_test
        Wanted size; less is given out if the classes cannot spare it.

    Returns
    -------
    sizes : (n_classes,)
        At most counts - 1.

    Examples
    --------
    >>> stratified_sizes(np.array([10, 5, 1]), 5).tolist()
    [3, 2, 0]
    """
    spare = counts - 1
    n_test = min(n_test, int(spare.sum()))
    shares = n_test * counts / counts.sum()
    sizes: IntArray = np.minimum(np.floor(shares).astype(np.int64), spare)
    while (left := n_test - int(sizes.sum())) > 0:
        # One more to each of the classes that are furthest below their share and can spare a row.
        able = np.flatnonzero(sizes < spare)
        neediest = able[np.argsort((sizes - shares)[able], kind="stable")]
        sizes[neediest[:left]] += 1
    return sizes


def _draw(table: Table, wanted: int, seed: int) -> Fold:
    """Draw a stratified test part of about `wanted` rows."""
    codes = table.codes()
    counts = np.bincount(codes)
    sizes = stratified_sizes(counts, max(1, wanted))
    if not sizes.any():
        raise ValueError(
            "Every class of these data has a single row, so none can be spared for testing;"
            " choose the split that tests on the training rows."
        )
    rng = np.random.default_rng(seed)
    chosen = [rng.permutation(np.flatnonzero(codes == c))[:size] for c, size in enumerate(sizes)]
    test = np.sort(np.concatenate(chosen)).astype(np.int64)
    return Fold(_others(codes.size, test), test, _single_note(counts))


def _others(n_samples: int, test: IntArray) -> IntArray:
    kept = np.ones(n_samples, dtype=np.bool_)
    kept[test] = False
    return np.flatnonzero(kept).astype(np.int64)


def _single_note(counts: IntArray) -> tuple[str, ...]:
    n_single = int((counts == 1).sum())
    if n_single == 0:
        return ()
    which = "One class has" if n_single == 1 else f"{n_single} classes have"
    return (f"{which} a single row, which stays in the training part.",)


def hold_out(table: Table, *, test_share: float, seed: int) -> list[Fold]:
    """Test on a random share of every class."""
    return [_draw(table, round(test_share * len(table.labels)), seed)]


def own(table: Table, *, seed: int) -> list[Fold]:
    """Take the set's own training and test part.

    Where only the sizes of the parts are known they are drawn in those sizes; where nothing is
    known, `DEFAULT_SHARE` of the rows is held out. Both are said in the fold's notes.
    """
    n_samples = len(table.labels)
    if table.n_train is not None and 0 < table.n_train < n_samples:
        rows = np.arange(n_samples, dtype=np.int64)
        return [Fold(rows[: table.n_train], rows[table.n_train :], table.own_notes)]
    if table.has_own_split and table.lost_n_train is not None:
        fold = _draw(table, n_samples - table.lost_n_train, seed)
        notes = (*table.own_notes, "The split is drawn anew at random, in the same sizes.")
    else:
        fold = _draw(table, round(DEFAULT_SHARE * n_samples), seed)
        notes = (no_own_split(table.name),)
    return [Fold(fold.train, fold.test, (*notes, *fold.notes))]


def no_own_split(name: str) -> str:
    """Say what is done for a set that did not come in two parts.

    >>> no_own_split("Iris")
    'Iris brings no test part of its own: 30 % of its rows, drawn at random, are held out instead.'
    """
    share = f"{100 * DEFAULT_SHARE:.0f} %"
    return (
        f"{name} brings no test part of its own: {share} of its rows, drawn at random, are held out instead."
    )


def k_fold(table: Table, *, n_folds: int, seed: int) -> list[Fold]:
    """Test every row once, in `n_folds` stratified parts of nearly equal size.

    A class with fewer members than folds is tested in as many folds as it has members; a class
    with one member is never tested.
    """
    codes = table.codes()
    counts = np.bincount(codes)
    rng = np.random.default_rng(seed)
    # Dealing out all classes with one running count keeps both the classes and the folds even.
    order = np.concatenate(
        [rng.permutation(np.flatnonzero(codes == c)) for c in range(counts.size) if counts[c] > 1]
        or [np.zeros(0, dtype=np.int64)]
    )
    if order.size == 0:
        raise ValueError(
            "Every class of these data has a single row, so none can be spared for testing;"
            " choose the split that tests on the training rows."
        )
    notes = _single_note(counts)
    if order.size < n_folds:
        notes = (f"Only {order.size} rows can be tested, which makes {order.size} folds.", *notes)
        n_folds = order.size
    small = int(((counts > 1) & (counts < n_folds)).sum())
    if small:
        notes = (*notes, f"{small} of the classes have fewer rows than there are folds.")
    dealt = np.arange(order.size) % n_folds
    tests = [np.sort(order[dealt == k]).astype(np.int64) for k in range(n_folds)]
    return [Fold(_others(codes.size, test), test, notes) for test in tests]


def leave_one_out(table: Table) -> list[Fold]:
    """Test every row on a training part of all the others; refuse more rows than folds are allowed."""
    n_samples = len(table.labels)
    limit = current_limits().folds
    if n_samples > limit:
        raise ValueError(
            f"Leaving out each of {n_samples:,} rows would mean training {n_samples:,} times"
            f" (at most {limit:,}); choose k-fold, or the leave-one-out bound, which trains once"
            f"{raising(limit)}."
        )
    counts = np.bincount(table.codes())
    n_single = int((counts == 1).sum())
    notes: tuple[str, ...] = ()
    if n_single:
        which = "One class has" if n_single == 1 else f"{n_single} classes have"
        notes = (f"{which} a single row, which is tested by machines that never saw its class.",)
    rows = np.arange(n_samples, dtype=np.int64)
    return [Fold(np.delete(rows, i), rows[i : i + 1], notes) for i in range(n_samples)]


def everything(table: Table) -> list[Fold]:
    """Train on all rows and test on the same: the training error."""
    rows = np.arange(len(table.labels), dtype=np.int64)
    note = "Tested on the training rows themselves: this is the training error."
    return [Fold(rows, rows.copy(), (note,))]


SPLIT_ENTRIES: tuple[Split, ...] = (
    Split(
        key="hold-out",
        title="Hold-out",
        summary="A random share of every class is kept for testing; the machines train on the rest.",
        cut=hold_out,
        params=(
            FloatParam(
                name="test_share",
                label="Part kept for testing",
                default=DEFAULT_SHARE,
                low=0.05,
                high=0.95,
                help="Of the rows of every class; 0.3 is 30 %.",
            ),
        ),
        seeded=True,
        order=1,
    ),
    Split(
        key="own",
        title="The set's own",
        summary="The training and test parts that the set comes with.",
        cut=own,
        seeded=True,
        as_it_came=True,
        order=2,
    ),
    Split(
        key="k-fold",
        title="k-fold",
        summary="The rows are cut into k parts; each part is tested with machines trained on all the others.",
        cut=k_fold,
        params=(
            IntParam(name="n_folds", label="Folds", default=5, low=2, high=20, help="Number of parts, k."),
        ),
        seeded=True,
        order=3,
    ),
    Split(
        key="leave-one-out",
        title="Leave-one-out",
        summary="Every row is tested with machines trained on all the others; slow, only for small sets.",
        cut=leave_one_out,
        order=4,
    ),
    Split(
        key="all",
        title="Everything",
        summary="The machines train on all rows and are tested on the same rows: this shows the training "
        "error.",
        cut=everything,
        order=5,
    ),
)
