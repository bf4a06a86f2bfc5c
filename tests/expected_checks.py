"""Which of scikit-learn's checks ask for what an estimator does not promise, and why."""

from ecocviz.engine.catalogue import is_learned

EQUIVALENCE = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)
WEIGHTED = (
    "check_sample_weights_pandas_series",
    "check_sample_weights_not_an_array",
    "check_sample_weights_list",
    "check_sample_weights_shape",
    "check_sample_weights_not_overwritten",
)
FINE = 1e-9
"""The check compares to 1e-7."""


def unequal_copies(estimator):
    """Return the checks that need weights and copies to give the same to 1e-7, where they need not."""
    kind = type(estimator).__name__
    if kind == "ECOCClassifierCV" and estimator.scoring != "cv":
        return dict.fromkeys(EQUIVALENCE, "of several copies one is left out, of a weight all of it")
    calibrated = hasattr(estimator, "calibration_folds") and hasattr(estimator, "predict_proba")
    if calibrated and kind != "ECOCClassifierCV":
        return dict.fromkeys(EQUIVALENCE, "calibration draws its folds by rows, of which copies are several")
    if is_learned(getattr(getattr(estimator, "base", None), "coding", "")):
        return dict.fromkeys((*EQUIVALENCE, *WEIGHTED), "learned codes refuse weights")
    iterating = ("KernelMachine", "LibsvmMachine", "SupportPatternClassifier", "SingleBinaryClassifier")
    linear = kind == "SingleBinaryClassifier" and estimator.kernel == "linear"  # the same to the last digit
    if (kind in iterating and estimator.tol > FINE and not linear) or kind == "ContinuousCodeClassifier":
        return dict.fromkeys(EQUIVALENCE, "training ends at the tolerance, another way than with copies")
    return {}
