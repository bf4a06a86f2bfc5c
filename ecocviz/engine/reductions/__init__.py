"""scikit-learn estimators that make one multiclass learner of binary ones, each with a constant REDUCTION."""
