"""Which of scikit-learn's checks ask for what an estimator does not promise, and why."""

EQUIVALENCE = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)
FINE = 1e-9
"""The check compares to 1e-7."""


def unequal_copies(estimator):
    """Return the checks that need weights and copies to give the same to 1e-7, where they need not."""
    kind = type(estimator).__name__
    if getattr(estimator, "decoding", "") == "likelihood" and kind != "ContinuousCodeClassifier":
        return dict.fromkeys(EQUIVALENCE, "calibration draws its folds by rows, of which copies are several")
    iterating = ("KernelMachine", "LibsvmMachine", "SupportPatternClassifier", "SingleBinaryClassifier")
    if (kind in iterating and estimator.tol > FINE) or kind == "ContinuousCodeClassifier":
        return dict.fromkeys(EQUIVALENCE, "training ends at the tolerance, another way than with copies")
    return {}
