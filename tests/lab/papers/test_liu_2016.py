"""The study of joint learning: numbers against plain loops, rules on made-up records, links."""

import warnings

import numpy as np
import pytest
from evidence_tools import by_hand, exhibits_of, folds_within, judge_of, standardised
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from ecocviz import JointECOCClassifier, build_code
from ecocviz.data.catalogue import load_table
from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.lab.evidence.drawings import Page
from ecocviz.lab.evidence.entries import Cell, Measured, Setting
from ecocviz.lab.papers.liu_2016 import accuracies, bits, printed, tables, weights
from ecocviz.lab.papers.liu_2016.trials import ALONE, JCL, READINGS, SVM, make, usual
from ecocviz.lab.run import run, train

TINY = {"seed": 3, "inner": 2, "Cs": [0.01, 1.0], "lambdas": [1e-4, 1.0]}
BOTH = ["real", "hard"]
EXHIBITS = exhibits_of("liu-2016")
judge = judge_of("liu-2016")


def tiny(data, coding, readings, **more):
    """A cell of a small grid."""
    return Cell("tiny", {"data": data, "coding": coding, "readings": readings, **TINY, **more})


# What is measured ------------------------------------------------------------------------------------


def plain_predict(X, y, train, test, learner, values, hard):
    """Standardise, train and decode one-vs-all by linear loss-weighted decoding, written out."""
    A, B = standardised(X, train, test)
    n_classes = int(y.max()) + 1
    on_train, on_test = np.zeros((train.size, n_classes)), np.zeros((test.size, n_classes))
    if learner == SVM:
        for c in range(n_classes):
            machine = SVC(kernel="linear", C=values["C"]).fit(A, np.where(y[train] == c, 1, -1))
            on_train[:, c], on_test[:, c] = machine.decision_function(A), machine.decision_function(B)
    else:
        joint = JointECOCClassifier("one-vs-all", kernel="linear", decoding="hamming", **values)
        joint.fit(A, y[train])
        on_train, on_test = joint.scores(A), joint.scores(B)
    labels = []
    for f in np.where(on_test >= 0, 1.0, -1.0) if hard else on_test:
        costs = []
        for k in range(n_classes):
            trust = []
            for c in range(n_classes):
                code = np.where(np.arange(n_classes) == c, 1, -1)
                right = np.sign(on_train[:, c]) == code[y[train]]
                trust.append(right.mean() if hard else right[y[train] == k].mean())
            row = np.where(np.arange(n_classes) == k, 1, -1)
            costs.append(-np.sum(np.array(trust) / np.sum(trust) * row * f))
        labels.append(int(np.argmin(costs)))
    return np.array(labels)


def test_a_cell_is_what_plain_loops_over_folds_and_grids_find():
    record = accuracies.measure(tiny("wine", "one-vs-all", BOTH), NO_PROGRESS)
    table = load_table("wine")
    X, y = table.features.to_numpy(dtype=float), table.codes()
    grids = {
        SVM: [{"C": 0.01}, {"C": 1.0}],
        JCL: [{"lambda1": a, "lambda2": b} for a in (1.0, 1e-4) for b in (1.0, 1e-4)],
        ALONE: [{"lambda1": a, "lambda2": 0.0} for a in (1.0, 1e-4)],
    }
    outer = folds_within(table, np.arange(y.size), 5, 3)
    assert record["n"] == [test.size for _, test in outer]
    for learner, grid in grids.items():
        for reading in BOTH:

            def right(rows, asked, values, learner=learner, hard=reading == "hard"):
                return np.sum(plain_predict(X, y, rows, asked, learner, values, hard) == y[asked])

            for k, (train_rows, test_rows) in enumerate(outer):
                inner = folds_within(table, train_rows, 2, 3)
                totals = [sum(right(a, b, values) for a, b in inner) for values in grid]
                best = grid[int(np.argmax(totals))]
                assert record[learner][reading]["chosen"][k] == best
                assert record[learner][reading]["right"][k] == right(train_rows, test_rows, best)


def test_bits_of_all_learners_and_of_constant_answers_are_counted_point_by_point():
    record = bits.measure(tiny("zoo", "one-vs-all", ["hamming"], seed=0), NO_PROGRESS)
    counts = np.bincount(load_table("zoo").codes())
    assert record["n"] == counts.sum() == 101
    # No class has half of the points, so that "no" is the constant answer of every machine.
    assert record["constant"]["right_bits"] == (101 - counts).tolist()
    assert record["constant"]["histogram"] == [0, 101, 0, 0, 0, 0, 0, 0]
    for learner in (SVM, JCL, ALONE):
        found = record[learner]
        n_wrong = sum(101 - right for right in found["right_bits"])
        assert n_wrong == sum(k * count for k, count in enumerate(found["histogram"]))
        assert sum(found["histogram"]) == 101
        # A point without a wrong bit is decided rightly.
        assert found["histogram"][0] <= found["right"] <= 101


def test_weights_of_vehicle_are_correlated_as_those_of_the_machines_themselves():
    record = weights.measure(weights.STUDY.cells(Setting.FULL)[0], NO_PROGRESS)
    table = load_table("vehicle")
    X = table.features.to_numpy(dtype=float)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    rows = [SVC(kernel="linear").fit(X, np.where(table.codes() == c, 1, -1)).coef_[0] for c in range(4)]
    assert np.allclose(record["correlations"], np.corrcoef(rows), atol=2e-3)
    assert record["classes"] == ["bus", "opel", "saab", "van"]
    # As measured when the protocol was reconstructed.
    expected = {(0, 1): -0.43, (0, 2): -0.58, (0, 3): -0.09, (1, 2): -0.03, (1, 3): -0.41, (2, 3): -0.05}
    for (a, b), value in expected.items():
        assert record["correlations"][a][b] == pytest.approx(value, abs=0.011)


def test_full_cells_are_all_sets_and_codes():
    for study, codes in ((accuracies.TABLE_2, printed.FIXED), (accuracies.TABLE_3, printed.LEARNED)):
        full = {(c.about["data"], c.about["coding"]) for c in study.cells(Setting.FULL)}
        assert full == {(name, code) for name in printed.SETS for code in codes}


def test_learned_codes_are_learned_on_each_training_part_and_shared_by_all_learners():
    record = accuracies.measure(tiny("tae", "decoc", BOTH), NO_PROGRESS)
    assert record["bits"] == [2] * 5
    assert sum(record["n"]) == 151


# What is printed -------------------------------------------------------------------------------------


def test_printed_means_are_those_of_the_printed_rows_but_for_two():
    for code, means in printed.MEANS_2.items():
        rows = np.array([printed.TABLE_2[name][code] for name in printed.TABLE_2])
        assert rows.shape == (13, 2)
        assert np.abs(rows.mean(axis=0) - means).max() < 0.006
    for code, means in printed.MEANS_3.items():
        rows = np.array([printed.TABLE_3[name][code] for name in printed.SETS])
        wrong = np.abs(rows.mean(axis=0) - means) > 0.006
        assert wrong.tolist() == [code == "jecoc"] * 2
    own = np.array([list(printed.OWN_3[name].values()) for name in printed.SETS])
    assert own.mean(axis=0) == pytest.approx([66.90, 79.69], abs=0.0095)  # cut, not rounded
    jecoc = np.array([printed.TABLE_3[name]["jecoc"] for name in printed.SETS]).mean(axis=0)
    assert jecoc == pytest.approx([78.97, 81.62], abs=0.006)


# Verdicts --------------------------------------------------------------------------------------------


JOINT = {"lambda1": 1e-4, "lambda2": 1e-4}
CHOSEN = {SVM: [{"C": 1.0}] * 5, JCL: [JOINT] * 5, ALONE: [JOINT] * 5}


def made(study, shift):
    """Return records in which joint learning is ahead of the SVM and of the control by some points."""
    rng = np.random.default_rng(0)
    numbers = printed.TABLE_2 if study is accuracies.TABLE_2 else printed.TABLE_3

    def record_of(cell):
        svm, _ = numbers[cell.about["data"]][cell.about["coding"]]
        record, noise = {"n": [10_000] * 5}, rng.normal(0, 1, 5)
        for learner, ahead in ((SVM, 0.0), (JCL, shift), (ALONE, 0.0)):
            right = (100 * (svm + ahead + noise)).round().astype(int).tolist()
            record[learner] = {reading: {"right": right, "chosen": CHOSEN[learner]} for reading in BOTH}
        return record

    return by_hand(study.cells(Setting.FULL), record_of)


@pytest.mark.parametrize(
    "key, study, shift, word",
    [
        ("table-2", accuracies.TABLE_2, 1.0, "agrees"),
        ("table-2", accuracies.TABLE_2, -1.0, "partly"),
        ("table-2", accuracies.TABLE_2, -20.0, "partly"),  # the SVM's own numbers are still found again
        ("control", accuracies.TABLE_2, 1.0, "agrees"),
        ("control", accuracies.TABLE_2, 0.0, "differs"),
        ("table-3", accuracies.TABLE_3, 1.5, "agrees"),
        ("table-3", accuracies.TABLE_3, -20.0, "partly"),
    ],
)
def test_the_verdict_follows_the_numbers(key, study, shift, word):
    assert judge(key, made(study, shift)) == word


def test_all_statements_of_the_tables_can_fail():
    found = made(accuracies.TABLE_2, -30.0)
    for each in found:
        for reading in BOTH:
            place = each.record[SVM][reading]
            place["right"] = [right - 1000 for right in place["right"]]
    assert judge("table-2", found) == "differs"


def test_a_set_is_won_only_where_the_folds_say_so():
    record = {"n": [100] * 5, SVM: {"real": {"right": [50, 52, 48, 51, 49]}}, JCL: {"real": {}}}

    def result(right):
        record[JCL]["real"]["right"] = right
        return accuracies.outcome(record, "real")

    assert result([52, 54, 50, 53, 51]) == 1  # two more in every fold
    assert result([50, 52, 48, 51, 49]) == 0
    assert result([60, 45, 50, 55, 47]) == 0  # ahead by chance
    assert result([45, 47, 42, 46, 45]) == -1


def bit_records(svm, jcl, right):
    """Return records of the two sets: shares of right bits, and numbers of points with 0, 1, 2 wrong bits."""

    def record_of(cell):
        name = cell.about["data"]
        n_bits, constant = (6, 8333) if name == "glass" else (7, 8570)
        record = {"n": 10_000, "constant": {"right_bits": [constant] * n_bits}}
        for learner, ((share, histogram), n_right) in {
            SVM: (svm[name], right[0]),
            JCL: (jcl[name], right[1]),
        }.items():
            record[learner] = {
                "right_bits": [round(100 * share)] * n_bits,
                "histogram": histogram,
                "right": n_right,
            }
        return record

    return by_hand(bits.STUDY.cells(Setting.FULL), record_of)


def as_the_paper_has_it():
    svm = {"glass": (74.36, [5000, 2000, 3000]), "zoo": (97.81, [9000, 500, 500])}
    jcl = {"glass": (86.28, [5000, 4000, 1000]), "zoo": (98.58, [9300, 400, 300])}
    return svm, jcl


def test_bits_as_the_paper_draws_them_agree_but_for_constant_answers():
    found = bit_records(*as_the_paper_has_it(), right=(6000, 7000))
    statements = EXHIBITS["figure-2"].judge(found)
    assert [s.holds for s in statements] == [True, True, True, True, False]
    assert str(statements[-1]) == "a printed mean is above that of constant answers: 3 of 4"
    assert judge("figure-3", found) == "agrees"
    assert "below constant answers" in EXHIBITS["figure-2"].why(found)


def test_bits_the_other_way_round_do_not_agree():
    svm, jcl = as_the_paper_has_it()
    found = bit_records(jcl, svm, right=(7000, 6000))
    assert judge("figure-3", found) == "differs"
    assert not any(s.holds for s in EXHIBITS["figure-2"].judge(found)[:2])
    mixed = bit_records(svm, jcl, right=(7000, 6000))
    assert judge("figure-3", mixed) == "partly"


@pytest.mark.parametrize("value, word", [(-0.6, "agrees"), (0.4, "partly"), (0.1, "differs")])
def test_correlations_are_judged_by_their_size(value, word):
    matrix = np.full((4, 4), value) + (1 - value) * np.eye(4)
    record = {"classes": list("abcd"), "features": 18, "correlations": matrix.tolist()}
    found = by_hand(weights.STUDY.cells(Setting.QUICK), lambda _: record)
    assert judge("figure-1", found) == word
    assert EXHIBITS["figure-1"].draw(found)[0].values[0][1] == pytest.approx(value)


def test_the_control_says_how_often_the_relation_is_ahead_level_and_behind():
    found = made(accuracies.TABLE_2, 1.0)[:3]
    for each, shift in zip(found, (0, -1000, -2000), strict=True):
        place = each.record[JCL]["real"]
        place["right"] = [right + shift for right in place["right"]]
    said = EXHIBITS["control"].why(found)
    assert "by real scores it is ahead 1 times, level 0 times and behind 2 times" in said
    assert "by signs it is ahead 3 times, level 0 times and behind 0 times, by +1.00 points" in said
    assert "ordinary least squares" not in said
    level = EXHIBITS["control"].why(made(accuracies.TABLE_2, 0.0)[:3])
    assert "level 3 times" in level and level.endswith("leave nearly ordinary least squares.")
    assert "least squares" in EXHIBITS["table-2"].why(made(accuracies.TABLE_2, 0.1))
    assert "ordinary" not in EXHIBITS["table-2"].why(made(accuracies.TABLE_2, 1.0))


# Drawings --------------------------------------------------------------------------------------------


def test_a_table_shows_ours_beside_theirs_and_opens_what_was_measured():
    found = made(accuracies.TABLE_2, 1.5)
    real, hard, gains = EXHIBITS["table-2"].draw(found)
    rows = dict(real.rows)
    svm, joint = rows["glass"][2:4]
    assert (svm.theirs, joint.theirs) == (61.61, 65.74)
    assert joint.ours - svm.ours == pytest.approx(1.5)
    assert joint.best
    assert not svm.best
    assert rows["AD"][0].ours == "not available"
    assert rows["mean of the sets measured"][2].theirs == pytest.approx(74.59, abs=0.01)
    assert rows["won / tied / lost"][3].theirs == "11 / 1 / 1"
    signs = dict(hard.rows)["glass"][2].opens
    assert signs.scenario.decoding.values["weights"] == "library"
    assert signs.differs.startswith("with the same weights on real scores")
    assert {name for name, row in hard.rows for e in row if e.theirs and not e.opens} == {"Texture", "AD"}
    scenario = joint.opens.scenario
    keys = (scenario.data.key, scenario.coding.key, scenario.reduction.key)
    assert keys == ("glass", "one-vs-all", "joint")
    assert scenario.reduction.values["lambda1"] == 1e-4
    assert svm.opens.scenario.machine.values["C"] == 1.0
    panel = next(p for p in gains.panels if p.title == "one-vs-all")
    theirs = next(line for line in panel.lines if line.theirs)
    assert {p.x: p.y for p in theirs.points}["ecoli"] == pytest.approx(8.13)


def test_the_scenario_of_a_link_has_the_accuracy_that_is_shown_where_all_folds_chose_alike():
    cell = tiny("wine", "one-vs-one", BOTH, Cs=[0.1], lambdas=[1e-3])
    each = Measured(cell, accuracies.measure(cell, NO_PROGRESS))
    for learner in (SVM, JCL):
        opened = tables.opens(each, learner, "real").scenario
        n_right = sum(each.record[learner]["real"]["right"])
        assert run(opened).test.n_wrong == 178 - n_right


def test_bits_open_the_machines_whose_bits_were_counted():
    cell = tiny("zoo", "one-vs-all", ["hamming"], Cs=[0.1], lambdas=[1e-3])
    each = Measured(cell, bits.measure(cell, NO_PROGRESS))
    (drawn,) = EXHIBITS["figure-3"].draw([each])
    by_name = {line.name: line for line in drawn.panels[0].lines}
    opened = by_name["joint learning"].points[0].opens
    assert opened.page is Page.BITS
    trained = train(opened.scenario)
    perfect = 0
    for model in trained.models:
        codewords = model.estimator.code_matrix_[model.prepared.y_test]
        perfect += (np.sign(model.estimator.scores(model.prepared.X_test)) == codewords).all(1).sum()
    assert perfect == each.record[JCL]["histogram"][0]
    assert by_name["constant answers"].points[0].opens.scenario == by_name["SVM"].points[0].opens.scenario
    alone = by_name["without the relation"].points[0].opens
    assert alone.scenario.reduction.values["lambda2"] == 1e-8 and "in place of none" in alone.differs


def test_settings_that_do_not_converge_are_taken_as_they_are():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        cell = tiny("tae", "one-vs-one", BOTH, Cs=[1.0], lambdas=[1e-8])
        record = accuracies.measure(cell, NO_PROGRESS)
    assert sum(record["n"]) == 151


def test_the_usual_setting_is_the_one_of_most_folds_and_the_first_of_several():
    assert usual([{"C": 1.0}, {"C": 10.0}, {"C": 10.0}]) == {"C": 10.0}
    assert usual([{"C": 1.0}, {"C": 10.0}]) == {"C": 1.0}


def test_the_control_is_what_the_estimator_keeps_as_independent():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 4
    code = build_code("one-vs-one", 4)
    joint = make(JCL, code, {"lambda1": 0.01, "lambda2": 0.1}).fit(X, y)
    alone = make(ALONE, code, {"lambda1": 0.01, "lambda2": 0.0}).fit(X, y)
    assert np.allclose(joint.independent_.scores(X), alone.scores(X))
    assert not np.allclose(joint.scores(X), alone.scores(X))


def test_readings_hand_the_decoder_scores_or_signs():
    model = JointECOCClassifier("one-vs-all", kernel="linear", decoding="hamming")
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), np.arange(30) % 3
    model.fit(X, y)
    scores = np.array([[3.0, 1.0, -2.0], [0.0, -1.0, -1.0]])
    assert READINGS["real"].decide(model, scores)[0] == 0
    signs = READINGS["hard"].decide(model, scores)
    assert signs.tolist() == READINGS["hard"].decide(model, 7 * scores).tolist()
    assert signs[1] == 0  # a score of 0 counts as yes
