"""Public classifiers and machines of others, for tests of all of them on the same flowers."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron, Ridge
from sklearn.naive_bayes import MultinomialNB
from sklearn.svm import SVC, SVR, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from ecocviz import (
    ContinuousCodeClassifier,
    DDAGClassifier,
    ECOCClassifier,
    JointECOCClassifier,
    KernelMachine,
    SingleBinaryClassifier,
    SupportPatternClassifier,
)

X, y = load_iris(return_X_y=True)
_order = np.random.default_rng(0).permutation(y.size)
X, y = X[_order], y[_order]
N_CLASSES = 3

OWN = {
    "ECOCClassifier": ECOCClassifier,
    "JointECOCClassifier": JointECOCClassifier,
    "SingleBinaryClassifier": SingleBinaryClassifier,
    "SupportPatternClassifier": SupportPatternClassifier,
    "ContinuousCodeClassifier": ContinuousCodeClassifier,
    "DDAGClassifier": DDAGClassifier,
}
"""Every public classifier with its default machine."""


def around(name, machine, coding="one-vs-all"):
    """A classifier that takes machines of others, around one."""
    if name == "DDAGClassifier":
        return DDAGClassifier(machine)
    # Sums of scores without a common scale say little of every two classes; votes do.
    decoding = "voting" if coding == "one-vs-one" else "linear"
    base = ECOCClassifier(coding, machine=machine, decoding=decoding, random_state=0)
    return base if name == "ECOCClassifier" else ContinuousCodeClassifier(base, random_state=0)


AROUND = ("ECOCClassifier", "ContinuousCodeClassifier", "DDAGClassifier")
"""The classifiers that take machines of others."""

DECISIVE = {
    "LinearSVC": LinearSVC(random_state=0),
    "SVC": SVC(),
    "Perceptron": Perceptron(random_state=0),
    "LogisticRegression": LogisticRegression(),
    "KernelMachine": KernelMachine(),
}
"""Machines with decision_function."""
PROBABILISTIC = {
    "MultinomialNB": MultinomialNB(),
    "DecisionTreeClassifier": DecisionTreeClassifier(random_state=0),
}
"""Machines with predict_proba only."""
MACHINES = DECISIVE | PROBABILISTIC
REGRESSING = {
    "LinearRegression": LinearRegression(),
    "Ridge": Ridge(),
    "SVR": SVR(),
    "DecisionTreeRegressor": DecisionTreeRegressor(random_state=0),
}
