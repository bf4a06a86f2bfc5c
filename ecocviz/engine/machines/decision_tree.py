"""Decision tree, scikit-learn's."""

from sklearn.tree import DecisionTreeClassifier

from ecocviz.engine.entries import Machine
from ecocviz.engine.params import IntParam


def decision_tree(max_depth: int = 5, min_samples_leaf: int = 3, seed: int = 0) -> DecisionTreeClassifier:
    """Return an unfitted tree; its scores are 2 p - 1 of the share p of +1 in a leaf."""
    return DecisionTreeClassifier(max_depth=max_depth, min_samples_leaf=min_samples_leaf, random_state=seed)


MACHINE = Machine(
    key="decision-tree",
    title="Decision tree",
    summary="A few yes-or-no questions in a row; borders run along the axes.",
    make=decision_tree,
    params=(
        IntParam(
            name="max_depth",
            label="Depth",
            default=5,
            low=1,
            high=30,
            help="At most this many questions in a row.",
            hint="deeper fits more closely",
            prominent=True,
        ),
        IntParam(
            name="min_samples_leaf",
            label="Points in a leaf",
            default=3,
            low=1,
            high=100,
            help="Every answer rests on at least this many training points.",
        ),
    ),
    seeded=True,
    order=20,
    effort=2.0,
)
