"""Sentences about a data set, its split and its preparation."""

from collections.abc import Sequence

from ecocviz.engine.params import shorten
from ecocviz.views.data.cloud import Cloud
from ecocviz.views.data.facts import Consequences, TableFacts
from ecocviz.views.shared.draw.words import count, listed, percent

SHOWN_ROWS, SHOWN_COLUMNS = 200, 60
"""The preview of a table shows so many."""
NAMED = 4
"""So many columns are named, the others counted."""


def data_sentence(facts: TableFacts) -> str:
    """Say how large a set is and what its classes weigh."""
    counts, classes = facts.counts.tolist(), facts.classes
    start = f"{facts.name} has {count(sum(counts), 'row')} of {count(len(facts.columns), 'feature')}"
    start += f" in {count(len(counts), 'class', 'classes')}"
    least, most = min(counts), max(counts)
    if least == most:
        return f"{start} of {count(least, 'row')} each."
    rare, frequent = classes[counts.index(least)], classes[counts.index(most)]
    return f"{start}, from {count(least, 'row')} ({shorten(rare, 24)}) to {most:,} ({shorten(frequent, 24)})."


def guess_sentence(found: Consequences) -> str:
    """Say what naming the most frequent training class always would cost; nothing where nothing is tested."""
    train, test = found.train.tolist(), found.test.tolist()
    if not sum(test):
        return ""
    most = train.index(max(train))
    name = shorten(found.classes[most], 24)
    who = f"{name}, the most frequent class," if train.count(max(train)) == 1 else ""
    who = who or f"one class, such as {name},"
    cost = percent(sum(test) - test[most], sum(test))
    return f"Always answering {who} would be wrong on {cost} of the test rows."


def split_sentence(found: Consequences) -> str:
    """Say how many rows train and test."""
    if found.n_folds == 1:
        n_train, n_test = found.prepared.y_train.size, found.prepared.y_test.size
        if found.tests_trained:
            return f"The machines train on all {count(n_train, 'row')} and are tested on the same rows."
        others = "other" if n_test == 1 else "others"
        return f"The machines train on {count(n_train, 'row')} and are tested on {n_test:,} {others}."
    train_text, test_text = (_between(found.fold_sizes[:, k].tolist()) for k in (0, 1))
    others = "other" if test_text == "1" else f"{test_text} others"
    return f"{found.n_folds:,} folds: each trains on {train_text} rows and tests on the {others}."


def _between(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def columns_sentence(found: Consequences) -> str:
    """Say what preparation makes of the columns and of missing values."""
    n_before, n_after = found.n_columns, len(found.prepared.feature_names)
    n_filled, n_dropped = found.n_filled, found.n_dropped
    made = []
    if found.encoded:
        verb = "becomes" if len(found.encoded) == 1 else "become"
        made.append(f"{_named(found.encoded)} {verb} one 0/1 column per value")
    if found.constant:
        verb = "is constant" if len(found.constant) == 1 else "are constant"
        made.append(f"{_named(found.constant)} {verb} and left out")
    if made:
        text = (
            f"The table has {count(n_before, 'column')}, the machines see {n_after:,}: {', and '.join(made)}."
        )
    elif n_before == n_after:
        text = f"The machines see {'all' if n_before > 1 else 'the only'} {count(n_before, 'column')}"
        text = text.replace("only 1 column", "only column").replace("all 2 columns", "both columns")
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


def cloud_sentence(cloud: Cloud) -> str:
    """Say which rows are drawn and how."""
    n_points, n_drawn, n_hidden = cloud.rows.size, cloud.drawn.size, cloud.n_hidden
    said = []
    if 0 < cloud.is_test.sum() < n_points:
        said.append("Training rows are drawn as smaller marks.")
    if n_drawn < n_points:
        said.append(f"{n_drawn:,} of {n_points:,} rows are drawn, evenly from every class.")
    if n_hidden:
        verb = "is" if n_hidden == 1 else "are"
        said.append(f"{count(n_hidden, 'row')} {verb} not drawn, because a value is missing.")
    if cloud.scattered:
        said.append(
            f"Rows are scattered a little around their {_named(cloud.scattered)}, so that equal ones do not "
            "hide each other."
        )
    return " ".join(said)


def preview_sentence(n_rows: int, n_columns: int) -> str:
    """Say what of a table the preview leaves out.

    >>> preview_sentence(1000, 4), preview_sentence(150, 4)
    ('The first 200 of 1,000 rows.', '')
    """
    said = [f"The first {SHOWN_ROWS:,} of {n_rows:,} rows."] if n_rows > SHOWN_ROWS else []
    if n_columns > SHOWN_COLUMNS:
        said.append(f"The first {SHOWN_COLUMNS} of {n_columns:,} columns.")
    return " ".join(said)


def kinds_sentence(facts: TableFacts) -> str:
    """Say what the columns hold and where values are missing."""
    columns = facts.columns
    n_words = sum(column.kind == "words" for column in columns)
    gaps = [column.n_missing for column in columns if column.n_missing]
    missing = (
        f"{count(sum(gaps), 'value')} missing in {count(len(gaps), 'column')}."
        if gaps
        else "Nothing is missing."
    )
    return f"{count(len(columns) - n_words, 'column')} of numbers, {n_words:,} of words. {missing}"
