"""Fig. 1: how the weights of independently trained machines correlate."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from ecocviz.data.catalogue import load_table
from ecocviz.data.prepare import folds, prepare
from ecocviz.engine.catalogue import build_code
from ecocviz.engine.progress import Progress
from ecocviz.engine.types import FloatArray
from ecocviz.lab.evidence.drawings import Drawing, Heatmap, Opens, Page
from ecocviz.lab.evidence.entries import Cell, Exhibit, Measured, Record, Statement, Study
from ecocviz.lab.papers.liu_2016.trials import SVM, make
from ecocviz.lab.scenario import Scenario, make_scenario

COSINES = "the machines measured, with the cosines of their weights; shown are Pearson's correlations"
LARGE, MEDIUM = 0.5, 0.3
"""What is usually called a large and a medium correlation."""


def scenario_of(cell: Cell) -> Scenario:
    """Return the scenario that is measured: machines trained on all points."""
    return make_scenario(
        data=cell.about["data"],
        preparation="standardise",
        split="all",
        coding="one-vs-all",
        machine=("libsvm", {"kernel": "linear", "C": cell.about["C"]}),
    )


def measure(cell: Cell, progress: Progress) -> Record:
    """Train the machines; correlate their weights over the features."""
    scenario = scenario_of(cell)
    table = load_table(scenario.data.key)
    points = prepare(table, folds(table, "all")[0], "standardise")
    progress.note("training the machines")
    code_matrix = build_code("one-vs-all", len(points.classes))
    model = make(SVM, code_matrix, {"C": cell.about["C"]}).fit(points.X_train, points.y_train)
    n_features = points.X_train.shape[1]
    weights: FloatArray = model.scores(np.eye(n_features)) - model.scores(np.zeros((1, n_features)))
    correlations = np.corrcoef(weights.T).round(4)
    return {"classes": list(points.classes), "features": n_features, "correlations": correlations.tolist()}


STUDY = Study(
    key="weights", cells=lambda _: [Cell("vehicle", {"data": "vehicle", "C": 1.0})], measure=measure
)


def pairs(found: Sequence[Measured]) -> list[float]:
    """Return the correlation of every pair of machines."""
    values: list[float] = []
    for each in found:
        matrix = np.asarray(each.record["correlations"])
        values += matrix[np.triu_indices_from(matrix, 1)].tolist()
    return values


def judge(found: Sequence[Measured]) -> list[Statement]:
    """Count the pairs that are correlated."""
    sizes = np.abs(pairs(found))
    return [
        Statement(
            f"a pair of machines has a {word} correlation, {least} or more, of either sign",
            int(np.count_nonzero(sizes >= least)),
            sizes.size,
            least=0.5,
        )
        for word, least in (("large", LARGE), ("medium", MEDIUM))
    ]


def draw(found: Sequence[Measured]) -> list[Drawing]:
    """Draw the matrix of correlations."""
    return [
        Heatmap(
            title=f"{each.cell.key}: correlations of the machines' weights",
            rows=tuple(each.record["classes"]),
            columns=tuple(each.record["classes"]),
            values=tuple(tuple(row) for row in each.record["correlations"]),
            low=-1.0,
            high=1.0,
            opens=Opens(scenario_of(each.cell), Page.RELATIONS, COSINES),
        )
        for each in found
    ]


def chance(n_features: int) -> float:
    """Return the size that one of twenty correlations of unrelated weights reaches.

    >>> round(chance(18), 3)
    0.468
    """
    t = float(stats.t.ppf(0.975, n_features - 2))
    return t / math.sqrt(n_features - 2 + t * t)


def why(found: Sequence[Measured]) -> str:
    """Say how large the correlations are."""
    if not found:
        return ""
    values = pairs(found)
    sizes = ", ".join(f"{value:+.2f}" for value in sorted(values))
    n_features = found[0].record["features"]
    return (
        f"The correlations are {sizes}. With {n_features} features, one pair in twenty of weights that have "
        f"nothing to do with each other reaches {chance(n_features):.2f}. Targets of one-vs-all exclude each "
        "other, which makes correlations negative by itself."
    )


FIGURE_1 = Exhibit(
    key="figure-1",
    title="Fig. 1: correlations of the machines' weights",
    claim="On vehicle, one-vs-all machines are highly correlated although they are trained separately.",
    protocol=(
        "Linear support vector machines with C = 1, trained on all standardised points of vehicle.",
        "Pearson's correlation of two machines' weights over the features; the page Relations shows cosines.",
    ),
    deviations=("The paper shows colours, no numbers, and does not say C nor the preparation.",),
    study=STUDY,
    judge=judge,
    rule=f"Agrees if half of the pairs have a large correlation ({LARGE} or more, of either sign), and half "
    f"of them at least a medium one ({MEDIUM}).",
    draw=draw,
    why=why,
)
