"""Sentences about a data set, its split and its preparation. Plain arguments in, text out."""

from collections.abc import Sequence

from ecocviz.engine.params import shorten
from ecocviz.views.shared.draw.words import count, listed, percent

NAMED = 4
"""So many columns are named, the others counted."""


def data_sentence(name: str, n_features: int, classes: Sequence[str], counts: Sequence[int]) -> str:
    """Say how large a set is and what its classes weigh.

    >>> data_sentence("Iris", 4, ["a", "b"], [50, 50])
    'Iris has 100 rows of 4 features in 2 classes of 50 rows each.'
    >>> data_sentence("Blood", 1, ["ill", "well"], [10, 90])
    'Blood has 100 rows of 1 feature in 2 classes, from 10 rows (ill) to 90 (well).'
    """
    start = f"{name} has {count(sum(counts), 'row')} of {count(n_features, 'feature')}"
    start += f" in {count(len(counts), 'class', 'classes')}"
    least, most = min(counts), max(counts)
    if least == most:
        return f"{start} of {count(least, 'row')} each."
    rare, frequent = classes[list(counts).index(least)], classes[list(counts).index(most)]
    return f"{start}, from {count(least, 'row')} ({shorten(rare, 24)}) to {most:,} ({shorten(frequent, 24)})."


def guess_sentence(classes: Sequence[str], train: Sequence[int], test: Sequence[int]) -> str:
    """Say what naming the most frequent training class always would cost; nothing where nothing is tested.

    >>> guess_sentence(["a", "b"], [30, 20], [12, 8])
    'Always answering a, the most frequent class, would be wrong on 40.0 % (8 of 20) of the test rows.'
    >>> guess_sentence(["a", "b"], [20, 20], [8, 8])
    'Always answering one class, such as a, would be wrong on 50.0 % (8 of 16) of the test rows.'
    """
    if not sum(test):
        return ""
    most = list(train).index(max(train))
    name = shorten(classes[most], 24)
    who = f"{name}, the most frequent class," if list(train).count(max(train)) == 1 else ""
    who = who or f"one class, such as {name},"
    cost = percent(sum(test) - test[most], sum(test))
    return f"Always answering {who} would be wrong on {cost} of the test rows."


def split_sentence(sizes: Sequence[tuple[int, int]], same: bool) -> str:
    """Say how many rows train and test; `sizes` holds both for every fold, `same` if they are the same rows.

    >>> split_sentence([(112, 48)], same=False)
    '112 rows train and 48 others test.'
    >>> split_sentence([(120, 30), (121, 29)], same=False)
    '2 folds: each trains on 120 to 121 rows and tests on the 29 to 30 others.'
    """
    if len(sizes) == 1:
        train, test = sizes[0]
        if same:
            return f"All {count(train, 'row')} train, and the same rows test."
        return f"{count(train, 'row')} {'trains' if train == 1 else 'train'} and {test:,} others test."
    train_text, test_text = (_between([size[k] for size in sizes]) for k in (0, 1))
    others = "other" if test_text == "1" else f"{test_text} others"
    return f"{len(sizes):,} folds: each trains on {train_text} rows and tests on the {others}."


def _between(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def columns_sentence(
    n_before: int,
    n_after: int,
    encoded: Sequence[str],
    constant: Sequence[str],
    n_filled: int,
    n_dropped: int,
) -> str:
    """Say what preparation makes of the columns and of missing values.

    >>> columns_sentence(4, 4, [], [], 0, 0)
    'The machines see all 4 columns; nothing is missing.'
    >>> columns_sentence(3, 7, ["colour"], ["weight"], 12, 0)
    'Of 3 columns the machines see 7: colour becomes one 0/1 column a word, and weight is constant \
and left out. 12 missing values are filled in.'
    """
    parts = []
    if encoded:
        verb = "becomes" if len(encoded) == 1 else "become"
        parts.append(f"{_named(encoded)} {verb} one 0/1 column a word")
    if constant:
        verb = "is constant" if len(constant) == 1 else "are constant"
        parts.append(f"{_named(constant)} {verb} and left out")
    if parts:
        text = f"Of {count(n_before, 'column')} the machines see {n_after:,}: {', and '.join(parts)}."
    elif n_before == n_after:
        text = f"The machines see {'all' if n_before > 1 else 'the only'} {count(n_before, 'column')}"
        text = text.replace("only 1 column", "only column")
        text += "." if n_filled or n_dropped else "; nothing is missing."
    else:
        more = count(n_after - n_before, "column saying that a value is", "columns saying that a value is")
        text = f"The machines see {n_after:,} columns: the {n_before:,}, and {more} missing."
    if n_filled:
        verb = "is" if n_filled == 1 else "are"
        text += f" {count(n_filled, 'missing value')} {verb} filled in."
    if n_dropped:
        verb = "is" if n_dropped == 1 else "are"
        text += f" {count(n_dropped, 'row')} with a missing value {verb} left out."
    return text


def _named(names: Sequence[str]) -> str:
    shown = [shorten(name, 24) for name in names[:NAMED]]
    rest = len(names) - len(shown)
    return listed([*shown, f"{rest:,} more"] if rest else shown)


def cloud_sentence(
    n_points: int, n_drawn: int, n_hidden: int, n_tested: int, scattered: Sequence[str] = ()
) -> str:
    """Say which rows are drawn and how.

    >>> cloud_sentence(150, 150, 0, 45)
    'Training rows are drawn smaller.'
    >>> cloud_sentence(9, 9, 1, 0)
    '1 row is not drawn, because a value is missing.'
    >>> cloud_sentence(9, 9, 0, 0, ["age"])
    'Rows are scattered a little around their age, so that equal ones do not hide each other.'
    """
    said = []
    if 0 < n_tested < n_points:
        said.append("Training rows are drawn smaller.")
    if n_drawn < n_points:
        said.append(f"{n_drawn:,} of {n_points:,} rows are drawn, evenly from every class.")
    if n_hidden:
        verb = "is" if n_hidden == 1 else "are"
        said.append(f"{count(n_hidden, 'row')} {verb} not drawn, because a value is missing.")
    if scattered:
        said.append(
            f"Rows are scattered a little around their {_named(scattered)}, so that equal ones do not "
            "hide each other."
        )
    return " ".join(said)
