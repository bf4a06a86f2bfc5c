"""Points left undecided: curves, the code's own rule, the sentences and the table."""

import numpy as np
import plotly.graph_objects as go
import pytest

from ecocviz.engine.analysis.rejecting import Decided
from ecocviz.engine.catalogue import build_code
from ecocviz.lab.evaluate import Outcome
from ecocviz.lab.judge import Judgement
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.decoders.facts import compare
from ecocviz.views.decoders.figures_rejection import rejection_figure, rejection_table
from ecocviz.views.decoders.rejection import by_syndrome, rejections
from ecocviz.views.decoders.words_rejection import option_sentence, share_sentence, syndrome_sentence
from ecocviz.views.shared.draw.theme import LIGHT, THEMES

CODE = build_code("hadamard", 4)  # three columns, every two rows differ in two: nothing is repaired
LONG = np.repeat(CODE, 2, axis=1)  # differ in four: one wrong bit is repaired


def judged(key, costs, truth):
    costs = np.asarray(costs, dtype=float)
    labels = costs.argmin(axis=1)
    return Judgement(key, Outcome(np.arange(len(truth)), np.asarray(truth), labels, costs), (0, 1), 0.1)


def some(own="linear", n=40):
    """Decoders that are surer the less they err; words with 0 to 3 bits off."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, n)
    bits = LONG[truth] * np.where(rng.random((n, 6)) < 0.2, -1, 1)
    distances = (bits[:, None, :] != LONG[None]).sum(axis=2)
    soft = distances + rng.normal(scale=0.2, size=(n, 4))
    found = [judged("hamming", distances, truth), judged("linear", soft, truth)]
    return compare(found, own, {"hamming": "Hamming", "linear": "<i>Linear</i>"}, "test"), distances, truth


def test_the_scenario_s_own_decoder_comes_first_and_the_syndrome_last():
    compared, distances, truth = some()
    found = rejections(compared, LONG)
    assert [(each.name, each.repairs) for each in found] == [
        ("<i>Linear</i>", None),
        ("Hamming", None),
        ("Hamming", 1),
    ]
    syndrome = found[-1]
    near = np.sort(distances, axis=1)
    kept = (near[:, 0] < near[:, 1]) & (near[:, 0] <= 1)
    assert syndrome.curve.n_rejected[syndrome.promised] == (~kept).sum()
    wrong = distances.argmin(axis=1) != truth
    assert syndrome.curve.n_wrong[syndrome.promised] == (wrong & kept).sum()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_curve_is_drawn_and_the_code_s_own_rule_is_ringed(theme):
    found = rejections(some()[0], LONG)
    figure = rejection_figure(found, 10, theme)
    assert len(go.Figure(figure.to_dict()).data) == 4  # plotly accepts every value
    names = [trace.name for trace in figure.data]
    assert names[0] == "&#60;i&#62;Linear&#60;/i&#62;, by margin" and names[-1] == "at most 1 bit off"
    assert figure.data[0].x[0] == 0
    np.testing.assert_allclose(figure.data[0].y[0], 100 * found[0].curve.errors[0], atol=1e-3)
    assert figure.data[-1].x == (100 * found[-1].curve.shares[found[-1].promised],)
    assert [shape.x0 for shape in figure.layout.shapes] == [10]
    table = rejection_table(found)
    assert len(table) == sum(each.curve.n_rejected.size for each in found)


def test_the_sentences_have_the_numbers():
    found = rejections(some()[0], LONG)
    curve = found[0].curve
    step = curve.at(0.1)
    assert curve.n_rejected[step] == 4
    said = share_sentence(found, 10)
    assert said.startswith("With the 4 most doubtful points left undecided, <i>Linear</i> has ")
    assert f"({curve.n_wrong[step]} of 36) of the others wrong" in said
    rule = syndrome_sentence(found)
    gone = found[-1].curve.n_rejected[found[-1].promised]
    assert rule.startswith("By distance: only words with at most 1 bit off are decided.")
    assert f"({gone} of 40) undecided" in rule
    assert syndrome_sentence(found[:1]) == ""


def test_points_that_are_doubted_alike_cannot_be_told_apart():
    compared, distances, _ = some(own="hamming")
    near = np.sort(distances, axis=1)
    tied = int((near[:, 0] == near[:, 1]).sum())
    said = share_sentence(rejections(compared, LONG), 5)
    assert tied > 2 and said.startswith("Hamming doubts ") and f"({tied} of 40) of the points alike" in said


def test_words_are_known_only_where_their_distances_were_judged():
    compared, *_ = some()
    assert by_syndrome(compared, np.where(np.eye(4, 6) > 0, 0, LONG)) is None  # zeros count for Hamming
    assert by_syndrome(compared, LONG * 0.5) is None  # no words
    assert by_syndrome(compared, CODE).repairs == 0
    assert rejection_figure(rejections(compared, LONG * 0.5), 10, LIGHT).data[-1].name == "Hamming, by margin"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_scenario_s_own_option_is_marked(theme):
    found = rejections(some()[0], LONG)
    mark = rejection_figure(found, 10, theme, Decided(40, 10, 3)).data[-1]
    assert mark.name == "as chosen in the sidebar"
    assert (list(mark.x), list(mark.y)) == ([25.0], [10.0])
    wide = rejection_figure(found, 10, theme, Decided(40, 36, 0))
    assert wide.layout.xaxis.range[1] > 90
    assert list(rejection_figure(found, 10, theme, Decided(40, 40, 0)).data[-1].y) == [None]


def test_the_scenario_s_own_option_is_told():
    margin = make_scenario(rejecting=("margin", {"share": 0.25}))
    assert option_sentence(margin, "Linear", Decided(40, 10, 3)) == (
        "As chosen in the sidebar (by margin, share 0.25), Linear leaves 25.0 % (10 of 40) undecided, and "
        "10.0 % (3 of 30) of the others wrong."
    )
    syndrome = make_scenario(rejecting="syndrome")
    assert option_sentence(syndrome, "Linear", Decided(40, 40, 0)).endswith("undecided.")
    assert "Doubtful points" in option_sentence(make_scenario(), "Linear", None)
