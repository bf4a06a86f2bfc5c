"""What is compared, on which rows, and among which parameters: decided before anything was measured."""

from collections.abc import Mapping, Sequence
from typing import Any

from ecocviz.engine.params import ParamValue
from ecocviz.lab.evidence.entries import Cell, Setting

N_ROWS = 1000
"""Rows of a set at most; 2,000 are the most that were planned. A larger study is a change of this number."""
QUICK_ROWS = 120
LEAST_OF_A_CLASS = 6
"""A class with fewer rows is left out: three folds within three folds would lack it."""
FOLDS = 3
"""Of both loops: the outer one, which tests, and the inner one, which chooses."""
CALIBRATION_FOLDS = 2
SEED = 0

SETS = (
    "iris-uci",
    "wine-uci",
    "glass",
    "ecoli",
    "new-thyroid",
    "balance",
    "tae",
    "zoo",
    "dermatology",
    "soybean",
    "vehicle",
    "anneal",
    "vowel",
    "cmc",
    "yeast",
    "car",
    "segment",
    "page-blocks",
    "optdigits",
    "satimage",
    "pendigits",
    "letter",
)
QUICK_SETS = ("wine-uci", "new-thyroid", "vehicle", "zoo")

ONE_VS_ALL, ONE_VS_ONE = "one-vs-all", "one-vs-one"
FIXED = (ONE_VS_ALL, ONE_VS_ONE, "dense-random", "sparse-random", "bch")
LEARNED = (
    "decoc",
    "forest-ecoc",
    "ecoc-one",
    "jecoc",
    "subclass-ecoc",
    "thinned-ecoc",
    "optimal-columns",
    "optimal-code",
)
CODES = (*FIXED, *LEARNED)

HAMMING = "hamming"
LOSSES = ("linear", "soft-margin", "exponential")
DECODERS = (HAMMING, "likelihood", *LOSSES)
"""In this order the first wins a tie of the inner loop: whatever is not better than Hamming is not chosen."""

MACHINES: Mapping[str, tuple[str, Mapping[str, ParamValue]]] = {
    "linear": ("kernel", {"kernel": "linear"}),
    "rbf": ("kernel", {"kernel": "rbf"}),
    "decision-tree": ("decision-tree", {}),
    "naive-bayes": ("naive-bayes", {}),
}
"""What a machine is called here -> key and parameters in the catalogue."""

WIDTH = "gamma_times_scale"
"""In a grid: by what the width "scale" is multiplied."""
GRIDS: Mapping[str, Sequence[Mapping[str, float]]] = {
    "linear": ({"C": 0.1}, {"C": 1.0}, {"C": 10.0}),
    "rbf": tuple({"C": C, WIDTH: width} for C in (1.0, 10.0) for width in (0.5, 2.0)),
    "decision-tree": ({"max_depth": 2}, {"max_depth": 5}, {"max_depth": 10}),
    "naive-bayes": ({"var_smoothing": 1e-1}, {"var_smoothing": 1e-3}, {"var_smoothing": 1e-9}),
}
"""The same for every code of a machine; the first, the simplest, wins a tie of the inner loop."""

TITLES = {
    "linear": "linear kernel machines",
    "rbf": "rbf kernel machines",
    "decision-tree": "decision trees",
    "naive-bayes": "naive Bayes machines",
}


def cells(setting: Setting) -> list[Cell]:
    """Return a cell for each set and machine, one of fixed codes and one of learned ones."""
    quick = setting is Setting.QUICK
    families = {"fixed": FIXED, "learned": LEARNED}
    return [
        Cell(f"{name}/{machine}/{family}", _about(name, machine, codes, QUICK_ROWS if quick else N_ROWS))
        for name in (QUICK_SETS if quick else SETS)
        for machine in MACHINES
        for family, codes in families.items()
    ]


def _about(name: str, machine: str, codes: Sequence[str], n_rows: int) -> dict[str, Any]:
    """Return all that measuring takes: what the constants say stands in the cell, so that a change shows."""
    return {
        "set": name,
        "machine": machine,
        "codes": list(codes),
        "decoders": list(DECODERS),
        "grid": [dict(point) for point in GRIDS[machine]],
        "rows": n_rows,
        "least_of_a_class": LEAST_OF_A_CLASS,
        "folds": FOLDS,
        "calibration_folds": CALIBRATION_FOLDS,
        "seed": SEED,
    }
