"""How bad it can be: what is drawn are the bounds, and the sentence has their numbers."""

import numpy as np
import plotly.graph_objects as go
import pytest

from ecocviz.engine.analysis.bits import bit_report
from ecocviz.engine.analysis.error_bounds import tails
from ecocviz.lab.run import train
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.bits.facts import compare_bits
from ecocviz.views.bits.figures_bounds import NAMES, bounds_figure, bounds_table, n_drawn
from ecocviz.views.bits.words import bounds_sentence
from ecocviz.views.shared.draw.theme import THEMES


@pytest.fixture(scope="module")
def facts():
    return compare_bits(train(make_scenario(data="glass", coding="bch")), "test")


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_bound_is_a_line(facts, theme):
    figure = bounds_figure(facts, theme)
    assert len(go.Figure(figure.to_dict()).data) == 4  # plotly accepts every value
    assert [trace.name for trace in figure.data] == list(NAMES.values())
    for trace, name in zip(figure.data, NAMES, strict=True):
        np.testing.assert_allclose(trace.y, 100 * getattr(facts.tails, name)[: n_drawn(facts)], atol=1e-3)
    assert [shape.x0 for shape in figure.layout.shapes] == [facts.repairs]
    observed, at_most = figure.data[0].y, figure.data[3].y
    assert (observed <= at_most + 1e-3).all()
    table = bounds_table(facts)
    counted = [(facts.report.wrong_bits > k).mean() for k in table["more wrong bits than"]]
    np.testing.assert_allclose(table["these machines"], counted)


def test_the_sentence_has_the_numbers_at_the_code_s_promise(facts):
    said = bounds_sentence(facts)
    share = 100 * (facts.n - facts.n_within) / facts.n
    assert said.startswith(f"More than {facts.repairs} wrong bits, beyond certain repair, have {share:.1f} %")
    assert f"can have more than {100 * facts.tails.sharp[facts.repairs]:.1f} %." in said


def test_where_nothing_is_promised_nothing_is_said():
    report = bit_report(np.ones((3, 2)), np.array([[1, -1], [1, 1]]), np.array([0, 1, 1]))

    class Facts:
        repairs = -1

    Facts.tails = tails(report, 2)
    assert bounds_sentence(Facts) == ""
