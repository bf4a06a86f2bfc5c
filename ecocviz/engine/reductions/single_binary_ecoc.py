"""One binary machine for all columns of a code: every point is copied once per column."""

from typing import Any

import numpy as np

from ecocviz.engine.entries import Parts, Reduction
from ecocviz.engine.params import ParamValue
from ecocviz.engine.reductions._shared.decoded_classifier import CALIBRATION_FOLDS
from ecocviz.engine.reductions.single_binary import SingleBinaryClassifier
from ecocviz.engine.reductions.single_binary.settings import RADIUS_PARAM, SHARED_PARAMS, settled_copies
from ecocviz.engine.references import EL_YANIV_2008
from ecocviz.engine.types import CodeMatrix, IntArray


def _make(parts: Parts, **params: Any) -> SingleBinaryClassifier:  # noqa: ANN401 - the parameters declared below
    return SingleBinaryClassifier(
        "ecoc",
        coding=parts.coding,
        coding_params=parts.coding_params,
        decoding=parts.decoding,
        decoding_params=parts.decoding_params,
        random_state=parts.seed,
        **params,
    )


def _problems(class_counts: IntArray, code_matrix: CodeMatrix, **_params: ParamValue) -> IntArray:
    """One problem, of a copy of every point for every column of the code."""
    return np.array([class_counts.sum() * code_matrix.shape[1]])


REDUCTION = Reduction(
    key="single-binary-ecoc",
    title="One binary machine for a code",
    summary="Every point is copied once per column of the code; one machine answers for all columns.",
    make=_make,
    reference=EL_YANIV_2008,
    params=(*SHARED_PARAMS, RADIUS_PARAM, CALIBRATION_FOLDS),
    uses=frozenset({"coding", "decoding"}),
    ternary=False,
    problems=_problems,
    settle=settled_copies,
    order=51,
    effort=1.5,
)
