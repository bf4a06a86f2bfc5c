"""Which of scikit-learn's checks ask for what an estimator does not promise, and why."""

EQUIVALENCE = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)
FINE = 1e-9
"""The check compares to 1e-7."""


def unequal_copies(estimator):
    """Return the checks that need weights and copies to give the same to 1e-7, where they need not."""
    if getattr(estimator, "decoding", "") == "likelihood":
        return dict.fromkeys(
            EQUIVALENCE, "calibration draws its folds by rows, and copies are rows of their own"
        )
    machine = getattr(estimator, "machine", estimator)
    if machine is None or (getattr(machine, "tol", None) or 0) > FINE:
        return dict.fromkeys(
            EQUIVALENCE, "training ends at the tolerance, by another way where points are copied"
        )
    return {}
