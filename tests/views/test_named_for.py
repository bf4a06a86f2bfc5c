"""Every page with every coding, on data on which the coding does what it is named for.

A coding that divides classes shows what it does only where classes need dividing: on easy data its code
is like any other. The usual run takes what divides classes to every page; the nightly one takes every coding.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from pages_tools import finished, page_at
from strategies import nightly

from ecocviz.engine.catalogue import CODINGS
from ecocviz.lab.codewords import rows_of
from ecocviz.lab.run import train
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.trained import Trained

pytestmark = pytest.mark.page

PAGES = (
    "playground", "decoders", "bits", "relations", "code_matrix", "model_selection", "reductions", "data",
)  # fmt: skip


@dataclass(frozen=True)
class Stage:
    """Data for a coding, and what it must have done there."""

    data: tuple[str, dict]
    did: Callable[[Trained], bool]


def divided(trained):
    """Some class has several rows."""
    rows = rows_of(trained.shown, trained.code_matrix.shape[0])
    return rows.size > np.unique(rows).size


def has_zeros(trained):
    return bool((trained.code_matrix == 0).any())


def searched(trained):
    """The code was found on these data: machines were added, left out, or exchanged."""
    design, n_bits = trained.shown.estimator.design_, trained.code_matrix.shape[1]
    did = {
        "tree": n_bits > 1,
        "additions": n_bits > design.story[0].bits,
        "path": n_bits < design.story[0].bits,
        "rounds": len(design.story) > 1,
    }
    return did[design.kind]


def stage(key):
    """Where a coding does what it is named for; most need no more than classes that overlap."""
    if key == "subclass-ecoc":
        return Stage(("spirals", {"n_samples": 150}), divided)
    if CODINGS[key].design is not None:
        return Stage(("blobs", {"n_samples": 60, "overlap": 0.8}), searched)
    if CODINGS[key].ternary:
        return Stage(("blobs", {"n_samples": 60}), has_zeros)
    return Stage(("blobs", {"n_samples": 60}), lambda trained: not has_zeros(trained))


def link(data, **fields):
    name, values = data
    return {"data": name, **{f"data.{key}": str(value) for key, value in values.items()}, **fields}


QUICK = {
    "grid": "-1,1,3",
    "decoding": "hamming",
    "compare": "hamming",
    "tried": "hamming",
    "against": "joint",
}
"""Little of what has nothing to do with the code."""


def opened(root, page, key):
    test = page_at(root / "pages" / f"{page}.py", link(stage(key).data, coding=key, **QUICK))
    return finished(test.run())


def assert_fine(test, where):
    assert not test.exception, (where, test.exception)
    assert not test.error, (where, [error.value for error in test.error])


@pytest.mark.parametrize("key", CODINGS)
def test_a_coding_does_what_it_is_named_for_there(key):
    if key == "custom":
        pytest.skip("is named for hands")
    trained = train(make_scenario(data=stage(key).data, coding=key))
    assert stage(key).did(trained), key


@pytest.mark.parametrize("page", PAGES)
def test_a_class_in_parts_on_every_page(root, page):
    assert_fine(opened(root, page, "subclass-ecoc"), page)


@nightly
@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # joint learning's, beside
@pytest.mark.parametrize("key", [key for key in CODINGS if key != "custom"])
@pytest.mark.parametrize("page", PAGES)
def test_every_coding_on_every_page(root, page, key):
    assert_fine(opened(root, page, key), (page, key))


@nightly
@pytest.mark.thorough
@pytest.mark.parametrize("data", ["glass", "ecoli", "vehicle", "segment"])
def test_real_data_that_get_sub_classes_on_the_playground(root, data):
    fields = {"data": data, "coding": "subclass-ecoc", **QUICK}
    assert_fine(finished(page_at(root / "pages" / "playground.py", fields).run()), data)
