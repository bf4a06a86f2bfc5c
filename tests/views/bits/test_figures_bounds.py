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
from ecocviz.views.shared.draw.theme import LIGHT, THEMES


@pytest.fixture(scope="module")
def facts():
    return compare_bits(train(make_scenario(data="blobs", coding="hadamard")), "test")


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
    many = f"more than {facts.repairs} wrong bit" if facts.repairs else "a wrong bit"
    assert said.startswith(f"{share:.1f} % of the points have {many}")
    assert f"only pairs are correlated {100 * facts.tails.first_order[facts.repairs]:.1f} %." in said
    assert f"can have more than {100 * facts.tails.sharp[facts.repairs]:.1f} %." in said


def test_machines_that_do_not_exist_are_not_drawn():
    facts = compare_bits(train(make_scenario(data="glass", coding="bch")), "test")
    assert not facts.tails.paired_exist
    assert NAMES["first_order"] not in [trace.name for trace in bounds_figure(facts, LIGHT).data]
    said = bounds_sentence(facts)
    assert "explain no machines" in said and "only pairs are correlated" not in said


def test_where_nothing_is_promised_nothing_is_said():
    report = bit_report(np.ones((3, 2)), np.array([[1, -1], [1, 1]]), np.array([0, 1, 1]))

    class Facts:
        repairs = -1

    Facts.tails = tails(report, 2)
    assert bounds_sentence(Facts) == ""
