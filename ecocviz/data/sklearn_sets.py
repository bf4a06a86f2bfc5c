"""The sets that come with scikit-learn itself; no network."""

import functools
from collections.abc import Callable
from typing import Any

import pandas as pd

from ecocviz.data.bundled import GROUP_LARGE, GROUP_SMALL, LICENCE
from ecocviz.data.types import Dataset, Table


@functools.lru_cache(maxsize=4)
def _read(function: str, name: str, source: str) -> Table:
    from sklearn import datasets  # noqa: PLC0415 - takes half a second that only these sets should cost

    bunch: Any = getattr(datasets, function)(as_frame=True)
    features: pd.DataFrame = bunch.data.astype("float64")
    names = [str(target) for target in bunch.target_names]
    labels = pd.Series([names[code] for code in bunch.target], name="class", dtype="str")
    return Table(name=name, features=features, labels=labels, source=source, licence=LICENCE)


def _entry(function: str, key: str, title: str, summary: str, group: str, doi: str, order: int) -> Dataset:
    source = f"scikit-learn {function}, from the UCI Machine Learning Repository, doi:{doi}"

    def load() -> Table:
        return _read(function, title, source)

    typed: Callable[..., Table] = load
    return Dataset(
        key=key,
        title=title,
        summary=summary,
        group=group,
        load=typed,
        source=source,
        licence=LICENCE,
        order=order,
    )


SKLEARN_SETS: tuple[Dataset, ...] = (
    _entry(
        "load_iris",
        "iris",
        "Iris",
        "Three kinds of iris flowers from the sizes of their leaves; one kind stands apart.",
        GROUP_SMALL,
        "10.24432/C56C76",
        20,
    ),
    _entry(
        "load_wine",
        "wine",
        "Wine",
        "Three growers of one region, told apart by 13 chemical measurements.",
        GROUP_SMALL,
        "10.24432/C5PC7J",
        22,
    ),
    _entry(
        "load_breast_cancer",
        "breast-cancer",
        "Breast cancer",
        "Benign or malignant: only two classes, from 30 measurements of cell nuclei.",
        GROUP_SMALL,
        "10.24432/C5DW2B",
        33,
    ),
    _entry(
        "load_digits",
        "digits",
        "Digits",
        "1,797 handwritten digits as 8 x 8 counts of ink: the test part of Optical digits.",
        GROUP_LARGE,
        "10.24432/C50P49",
        48,
    ),
)
