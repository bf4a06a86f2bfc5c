"""The picked point for print: what is drawn and written are the numbers of the inspection."""

import numpy as np
import pytest
from print_tools import SVG, parsed

from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.playground.facts import make_picture
from ecocviz.views.playground.figures_saved import (
    LONG,
    bits_figure,
    bits_table,
    drawn_bits,
    verdicts_figure,
    verdicts_table,
)
from ecocviz.views.playground.inspection import inspect_picked
from ecocviz.views.shared.draw.print import print_figure
from ecocviz.views.shared.draw.theme import LIGHT
from ecocviz.views.shared.draw.words import number

DECODINGS = tuple(choose("decoding", key) for key in ("hamming", "likelihood"))


@pytest.fixture(scope="module")
def inspected():
    def made(coding, flips=(), n_classes=4):
        data = ("blobs", {"n_samples": 90, "overlap": 0.8, "n_classes": n_classes})
        trained = train(make_scenario(data=data, coding=coding))
        picture = make_picture(trained, "", DECODINGS)
        return inspect_picked(trained.shown, picture, 3, None, frozenset(flips)), trained.classes

    return made


def texts(figure, width=8.5):
    return ["".join(t.itertext()) for t in parsed(print_figure(figure, "svg", width)).iter(f"{SVG}text")]


def test_bits_are_bars_with_what_is_said_and_asked(inspected):
    inspection, _ = inspected("one-vs-all", flips=[1])
    figure = bits_figure(inspection, 1, title="Point 3 <b>", theme=LIGHT)
    assert np.array_equal(figure.data[0].x, inspection.scores)
    said, asked = (np.array(figure.data[1].z)[:, k] for k in (-2, -1))
    assert np.array_equal(said, inspection.seen(1)) and np.array_equal(asked, inspection.asked(1))
    found = texts(figure)
    assert {"Point 3 <b>", "P(+)", "says", "should say"} <= set(found)
    assert any("flipped" in text for text in found)
    table = bits_table(inspection, 1)
    assert table["score"].tolist() == inspection.scores.tolist()
    assert table["flipped"].tolist() == [b == 1 for b in range(4)]


def test_a_long_code_shows_the_bits_that_matter_and_says_so(inspected):
    inspection, _ = inspected("one-vs-one", n_classes=8)
    assert inspection.bits.size > LONG
    shown = drawn_bits(inspection, 0)
    assert np.isin(np.flatnonzero(inspection.matters(0)), shown).all() and shown.size < inspection.bits.size
    left_out = inspection.bits.size - shown.size
    assert f"{left_out} bits of other classes" in " ".join(
        texts(bits_figure(inspection, 0, title="", theme=LIGHT))
    )


def test_costs_of_every_decoder_are_written_and_the_least_is_the_darkest(inspected):
    inspection, classes = inspected("one-vs-all")
    figure = verdicts_figure(inspection, 1, classes, title="", width=17.0, theme=LIGHT)
    found = texts(figure, 17.0)
    for verdict, shares in zip(inspection.verdicts, np.array(figure.data[0].z), strict=True):
        assert shares[verdict.winner] == np.nanmax(shares) == 1
        assert {number(cost) for cost in verdict.costs.tolist()} <= set(found)
    assert any(text.startswith("Likelihood: ") for text in found)
    table = verdicts_table(inspection, classes)
    assert table["winner"].tolist() == [classes[verdict.winner] for verdict in inspection.verdicts]
    assert table[f"cost of {classes[2]}"].tolist() == [verdict.costs[2] for verdict in inspection.verdicts]
