"""Rejection: what is measured, against loops over the points, and what is made of it."""

import numpy as np
import pytest
from evidence_tools import exhibits_of, judge_of, measure_quick

from ecocviz.lab.evaluate import score_part
from ecocviz.lab.evidence.entries import Cell, Measured
from ecocviz.lab.papers._words_received import scenario_of
from ecocviz.lab.papers.rejection.study import CODES, SHARES, SOFT, STUDY
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose

EXHIBITS = exhibits_of("rejection")
word = judge_of("rejection")


@pytest.fixture(scope="module")
def found():
    (one,) = measure_quick(STUDY, "glass/0")
    return one


def planted(*, gone=20, wrong_kept=10, margins=(5, 5, 5), curve=(20, 15, 10, 8, 5, 1), within_right=70):
    """Records of one set in which 20 of 100 points are wrong."""
    margin = {
        key: {"gone": [0, 5, 10, 20, 30, 50], "wrong": list(curve), "same": [gone, n_wrong]}
        for key, n_wrong in zip(SOFT, margins, strict=True)
    }
    run = {"n": 100, "wrong": 20, "gone": gone, "wrong_kept": wrong_kept, "margin": margin}
    run |= {"within": 70, "within_right": within_right}
    return [Measured(Cell("glass/0", {"set": "glass", "seed": 0}), {"codes": dict.fromkeys(CODES, run)})]


@pytest.mark.parametrize("code", ["one-vs-one", "dense-random"])
def test_points_are_counted_one_by_one(found, code):
    run = found.record["codes"][code]
    trained = train(scenario_of(found.cell.about, code))
    scored = score_part(trained, "test")
    (batch,) = scored.batches
    matrix = trained.code_matrix.astype(int)
    apart = min(
        sum(a * b == -1 for a, b in zip(first, second, strict=True))
        for i, first in enumerate(matrix.tolist())
        for second in matrix.tolist()[:i]
    )
    assert run["repairs"] == (apart - 1) // 2
    truth = batch.y
    gone = wrong = wrong_kept = within = within_right = 0
    for received, c in zip(np.sign(batch.scores).astype(int).tolist(), truth.tolist(), strict=True):
        far = [sum(m not in (0, b) for b, m in zip(received, row, strict=True)) for row in matrix.tolist()]
        nearest = far.index(min(far))
        kept = far.count(min(far)) == 1 and min(far) <= run["repairs"]
        gone += not kept
        wrong += nearest != c
        wrong_kept += kept and nearest != c
        within += far[c] <= run["repairs"]
        within_right += kept and nearest == c and far[c] <= run["repairs"]
    assert (gone, wrong, wrong_kept) == (run["gone"], run["wrong"], run["wrong_kept"])
    assert (within, within_right) == (run["within"], run["within_right"])
    costs = scored.decide(choose("decoding", "exponential")).costs
    doubt = -np.diff(np.sort(costs, axis=1)[:, :2], axis=1)[:, 0]
    last = np.argsort(doubt)  # the surest first; without ties
    for share, n_gone, n_wrong in zip(
        SHARES, *(run["margin"]["exponential"][k] for k in ("gone", "wrong")), strict=True
    ):
        assert n_gone == int(share / 100 * run["n"])
        left = last[: run["n"] - n_gone]
        assert n_wrong == int((costs[left].argmin(axis=1) != scored.truth[left]).sum())


def test_verdicts_follow_the_counts():
    assert {word(key, planted()) for key in EXHIBITS} == {"agrees"}
    assert word("syndrome", planted(wrong_kept=17)) == "partly"
    assert word("syndrome", planted(within_right=69)) == "partly"
    assert word("margin", planted(margins=(5, 10, 11))) == "partly"
    assert word("margin", planted(margins=(10, 10, 10))) == "differs"
    assert word("curve", planted(curve=(20, 19, 18, 16, 14, 10))) == "differs"
    # Where nothing is rejected nothing is compared.
    assert [statement.of for statement in EXHIBITS["margin"].judge(planted(gone=0))] == [0, 0, 0]


def test_it_is_said_where_the_margin_chooses_better_and_who_errs_more_to_begin_with():
    why = EXHIBITS["margin"].why
    said = why(planted(margins=(5, 10, 11)))
    assert "one-vs-all: better in 1, 0 and 0 of 1, errors 20.0, 20.0 and 20.0 % (20.0 %)" in said
    assert "behind" not in said
    assert "three begin behind it" in why(planted(curve=(21, 15, 10, 8, 5, 1)))
    assert "rejected, error" in EXHIBITS["syndrome"].why(planted())
    assert why(planted(gone=0)) == why([]) == EXHIBITS["syndrome"].why([]) == ""
