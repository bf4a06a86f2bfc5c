"""Random forest, scikit-learn's."""

from sklearn.ensemble import RandomForestClassifier

from ecocviz.engine.entries import Machine
from ecocviz.engine.params import IntParam


def random_forest(n_estimators: int = 50, max_depth: int = 10, seed: int = 0) -> RandomForestClassifier:
    """Return an unfitted forest; its scores are 2 p - 1 of the trees' mean share p of +1."""
    return RandomForestClassifier(n_estimators=n_estimators, max_depth=max_depth, random_state=seed)


MACHINE = Machine(
    key="random-forest",
    title="Random forest",
    summary="Many trees on random parts of the data vote.",
    make=random_forest,
    params=(
        IntParam(
            name="n_estimators", label="Trees", default=50, low=1, high=500, help="How many trees vote."
        ),
        IntParam(
            name="max_depth",
            label="Depth",
            default=10,
            low=1,
            high=30,
            help="Of each tree, at most.",
            hint="deeper fits more closely",
            prominent=True,
        ),
    ),
    seeded=True,
    order=23,
    effort=28.0,
)
