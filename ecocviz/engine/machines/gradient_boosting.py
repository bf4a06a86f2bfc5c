"""Gradient boosting of small trees, scikit-learn's."""

from sklearn.ensemble import GradientBoostingClassifier

from ecocviz.engine.entries import Machine
from ecocviz.engine.params import FloatParam, IntParam


def gradient_boosting(
    n_estimators: int = 50, learning_rate: float = 0.1, max_depth: int = 3, seed: int = 0
) -> GradientBoostingClassifier:
    """Return an unfitted boosted ensemble whose scores are log odds."""
    return GradientBoostingClassifier(
        n_estimators=n_estimators, learning_rate=learning_rate, max_depth=max_depth, random_state=seed
    )


MACHINE = Machine(
    key="gradient-boosting",
    title="Gradient boosting",
    summary="Small trees, each correcting those before it.",
    make=gradient_boosting,
    params=(
        IntParam(name="n_estimators", label="Trees", default=50, low=1, high=500, help="One after another."),
        FloatParam(
            name="learning_rate",
            label="Learning rate",
            default=0.1,
            low=0.001,
            high=1.0,
            log=True,
            help="By how much each tree corrects those before it.",
            hint="larger fits more closely",
            prominent=True,
        ),
        IntParam(name="max_depth", label="Depth", default=3, low=1, high=10, help="Of each tree, at most."),
    ),
    seeded=True,
    order=24,
    effort=30.0,
)
