"""Liu and Zheng: errors against libsvm and loops over the measures; the rules reach every word."""

from dataclasses import replace

import numpy as np
import pytest
from evidence_tools import by_hand, exhibits_of, judge_of, measure_quick, opening, value
from oracles_decodings import local_reliability, reliability_costs, static_reliability
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from ecocviz.data.catalogue import load_table
from ecocviz.data.prepare import folds, prepare
from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.lab.evidence.entries import Cell, Setting
from ecocviz.lab.papers.liu_zheng_2005.claims import nearest_setting, reductions
from ecocviz.lab.papers.liu_zheng_2005.printed import ROWS, SEGMENT_TEST, SHARES
from ecocviz.lab.papers.liu_zheng_2005.stopped import measure_stopped
from ecocviz.lab.papers.liu_zheng_2005.study import DECODERS, STUDY, cells, first_classes, measure, scenario
from ecocviz.lab.run import run, train

EXHIBITS = exhibits_of("liu-zheng-2005")
word = judge_of("liu-zheng-2005")


def literal_errors(data, n_classes, cost, neighbours, **settings):
    """Train a libsvm machine for each class, weigh them by the measures' definitions, count errors."""
    targets = np.where(data.y_train[:, None] == np.arange(n_classes), 1, -1)
    machines = [SVC(C=cost, **settings).fit(data.X_train, t) for t in targets.T]
    train_scores = np.column_stack([svc.decision_function(data.X_train) for svc in machines])
    scores = np.column_stack([svc.decision_function(data.X_test) for svc in machines])
    losses = np.maximum(0, 1 - targets * train_scores)
    norms = [
        float(svc.dual_coef_[0] @ (svc.decision_function(svc.support_vectors_) - svc.intercept_[0]))
        for svc in machines
    ]
    static = [static_reliability(n, h, t, cost) for n, h, t in zip(norms, losses.T, targets.T, strict=True)]
    code = 2 * np.eye(n_classes, dtype=int) - 1
    weighed = {"f": -scores, "srm": reliability_costs(scores, code, [static] * len(scores))}
    each = list(zip(train_scores.T, targets.T, norms, losses.T, strict=True))
    for k in neighbours:
        local = [
            [
                local_reliability(x, score, data.X_train, *machine, cost, k, -1)
                for score, machine in zip(f, each, strict=True)
            ]
            for x, f in zip(data.X_test, scores, strict=True)
        ]
        weighed[f"drm-{k}"] = reliability_costs(scores, code, local)
    wrong = {name: int((costs.argmin(axis=1) != data.y_test).sum()) for name, costs in weighed.items()}
    return wrong, min(static)


def test_errors_are_those_of_libsvm_and_of_the_measures_as_they_are_defined():
    whole = next(c for c in cells(Setting.QUICK) if c.key == "segment-1/C=10/1")
    cell = Cell(whole.key, {**whole.about, "classes": [3]})
    table = first_classes(load_table("segment"), 3)
    data = train(scenario(cell, "f"), NO_PROGRESS, table).shown.prepared
    assert (data.y_train.size, data.y_test.size) == (90, 900)  # 30 and 300 of each class
    few = np.arange(0, 900, 3)
    part = prepare_part(data, few)
    wrong, least = literal_errors(part, 3, 10.0, (1, 5), kernel="poly", degree=1, gamma=1.0, coef0=1.0)
    trained = train(scenario(cell, "f"), NO_PROGRESS, table).shown.estimator
    for name in wrong:
        costs = trained.costs(part.X_test, *DECODERS[name])
        assert (costs.argmin(axis=1) != part.y_test).sum() == wrong[name], name
    record = measure(cell, NO_PROGRESS)
    assert record["least_reliability"] == pytest.approx(least, abs=1e-3)
    for name, decoder in DECODERS.items():
        costs = trained.costs(data.X_test, *decoder)
        assert record["classes"]["3"]["wrong"][name] == (costs.argmin(axis=1) != data.y_test).sum(), name
    assert record["classes"]["3"]["n"] == 900


def prepare_part(data, rows):
    """Keep some test points: the loops are slow."""
    return replace(data, X_test=data.X_test[rows], y_test=data.y_test[rows], test_rows=data.test_rows[rows])


def test_a_stopped_solver_is_weighed_by_the_same_measures():
    table = load_table("segment")
    data = prepare(table, folds(table, "hold-out", {"test_share": SEGMENT_TEST}, 1)[0], "as-is", {})
    settings = {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0, "max_iter": 5_000}
    with pytest.warns(ConvergenceWarning):
        wrong, least = literal_errors(data, 7, 1.0, (), **settings)
    record = measure_stopped(1, 5_000)
    assert record["n"] == 2100
    assert {name: record["wrong"][name] for name in wrong} == wrong
    assert record["least_reliability"] == pytest.approx(least, rel=1e-2)
    assert record["wrong"]["drm-1"] < record["wrong"]["f"]


def test_the_first_classes_keep_the_sets_own_split():
    table = load_table("letter")
    some = first_classes(table, 2)
    assert some.classes == ("A", "B")
    assert some.n_train == (table.labels[:16_000] <= "B").sum()
    assert len(some.labels) == len(some.features) == (table.labels <= "B").sum()
    assert first_classes(load_table("segment"), 7).n_train is None


def test_numbers_are_those_printed():
    counts = {"segment-1": (194, 180, 163, 2100), "segment-2": (584, 209, 201, 2100), "iris": (6, 4, 3, 150)}
    for row, (*wrong, n) in counts.items():
        assert ROWS[row].percent == pytest.approx([100 * w / n for w in wrong], abs=0.05)
    for row, about in ROWS.items():
        f, srm, drm = about.percent
        assert SHARES[row] == pytest.approx([100 * (f - srm) / f, 100 * (f - drm) / f], abs=0.5)


@pytest.mark.parametrize("key", ["segment-2/C=100/0", pytest.param("iris/C=1/0", marks=pytest.mark.thorough)])
def test_entries_open_the_scenario_they_show(key):
    found = measure_quick(STUDY, key)
    entries = list(opening(EXHIBITS["table-1"].draw(found)[:2]))
    assert len(entries) == 3 + 2 + 5
    assert [bool(entry.opens.differs) for entry in entries[:5]] == [False] * 3 + [True] * 2
    for entry in entries[:3]:
        assert value(entry) == pytest.approx(100 * run(entry.opens.scenario).test.error)
    points = list(opening(EXHIBITS["figure-2"].draw(found)))
    n = found[0].cell.about["classes"][-1]
    assert {point.x for point in points if not point.opens.differs} == {n}
    few = {point.opens.differs for point in points if point.x == 2}
    assert few == {f"with all {n} classes instead of the first 2"}


def record(cell, f=0.10, srm=0.08, drm=0.06, *, printed=False):
    """Errors of 10,000 points in shares, or the paper's own."""
    if cell.about["kind"] == "stopped":
        return {"n": 100, "wrong": {"f": 28, "srm": 12, "drm-1": 11}, "least_reliability": 0.01}
    if printed:
        f, srm, drm = (percent / 100 for percent in ROWS[cell.about["row"]].percent)
    wrong = {"f": f, "srm": srm, **{name: drm for name in DECODERS if name.startswith("drm")}}
    counts = {name: round(10_000 * share) for name, share in wrong.items()}
    numbers = {str(n): {"n": 10_000, "wrong": counts} for n in cell.about["classes"]}
    return {"classes": numbers, "least_reliability": 0.8}


def test_the_table_is_judged_by_order_and_by_shares():
    assert word("table-1", lambda c: record(c, printed=True)) == "agrees"
    assert word("table-1", lambda c: record(c, 0.1, 0.0999, 0.0998)) == "partly"
    assert word("table-1", lambda c: record(c, 0.10, 0.11, 0.12)) == "differs"


def test_the_figure_is_judged_class_by_class():
    assert word("figure-2", record) == "agrees"
    only = {"iris": 0.06}
    assert word("figure-2", lambda c: record(c, drm=only.get(c.about.get("row"), 0.09))) == "partly"
    assert word("figure-2", lambda c: record(c, drm=0.09)) == "differs"


def test_the_setting_nearest_to_the_printed_error_is_shown():
    f = {"C=100": 0.09}
    found = by_hand(STUDY.cells(Setting.FULL), lambda c: record(c, f.get(c.about.get("setting"), 0.2)))
    places = nearest_setting(found, "segment-1")
    assert {p.cell.about["setting"] for p in places} == {"C=100"}
    assert len(places) == 10
    assert reductions(places) == pytest.approx((100 / 9, 100 / 3))


def test_it_is_said_what_explains_the_row_that_does_not_come_out():
    why = EXHIBITS["table-1"].why(by_hand(STUDY.cells(Setting.QUICK), record))
    assert "stopped after 10,000 steps" in why
    assert "28.0, 12.0 and 11.0 %" in why
    assert "(here 0.80)" in why and "looks like an unconverged solver" in why
    assert "takes away 57 % of the errors (printed: 64 %)" in why
    assert EXHIBITS["table-1"].why(()) == ""
    for other in (
        lambda cell: {**record(cell), "least_reliability": 0.3},  # those that converged are silenced, too
        lambda cell: record(cell, srm=0.02, drm=0.01),  # and gain more than those that were stopped
    ):
        said = EXHIBITS["table-1"].why(by_hand(STUDY.cells(Setting.QUICK), other))
        assert "looks like" not in said and "stopped after 10,000 steps" in said


def test_no_converged_machine_is_silenced():
    """The least static reliability of an optimal machine is 1/e, so SRM can turn little."""
    for one in measure_quick(STUDY, "segment-2/C=1/0", "segment-2/C=100/1"):
        assert one.record["least_reliability"] >= np.exp(-1)
