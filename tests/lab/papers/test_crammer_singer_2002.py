"""Crammer and Singer: programs and columns against literal ones; the rules reach every word."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from evidence_tools import by_hand, exhibits_of, judge_of, opening
from hypothesis import given
from hypothesis import strategies as st
from oracles_design import default_margins, linear_optimum, quadratic_optimum, tie_aware_loss
from scipy.optimize import minimize
from strategies import examples

from ecocviz.engine.discrete import first_column
from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.engine.reductions.support_pattern.on_gram import solve_on_gram
from ecocviz.lab.evidence.entries import Cell, Setting
from ecocviz.lab.papers.crammer_singer_2002 import first_columns, generic, run_time, sizes
from ecocviz.lab.papers.crammer_singer_2002.claims import printed_sizes, ratios
from ecocviz.lab.papers.crammer_singer_2002.programs import NORMS, optimum, write_dual, write_primal
from ecocviz.lab.run import run, train

EXHIBITS = exhibits_of("crammer-singer-2002")
word = judge_of("crammer-singer-2002")


# Run times -------------------------------------------------------------------------------------------

CELL = next(cell for cell in run_time.cells(Setting.QUICK) if cell.key == "10/1")


def test_the_dual_program_is_that_of_the_paper():
    """Its optimum, by a slow solver that is given the program alone, is that of our solver."""
    X, y = run_time.points(run_time.scenario(CELL.about["scenario"]), 1)
    gram = X @ X.T
    P, q, rows, right = generic.dual_program(gram, y, 4, 0.5)
    P, rows = P.toarray(), rows.toarray()
    m = y.size
    found = minimize(
        lambda t: t @ P @ t / 2 + q @ t,
        np.zeros(4 * m),
        jac=lambda t: P @ t + q,
        method="SLSQP",
        constraints=[
            {"type": "eq", "fun": lambda t: rows[:m] @ t - right[:m], "jac": lambda _: rows[:m]},
            {"type": "ineq", "fun": lambda t: right[m:] - rows[m:] @ t, "jac": lambda _: -rows[m:]},
        ],
        options={"maxiter": 500, "ftol": 1e-12},
    )
    ours = solve_on_gram(gram, y, 4, 0.5, tol=1e-8).objective
    assert -found.fun == pytest.approx(ours, rel=1e-5)
    assert ours == pytest.approx(quadratic_optimum(X, y, default_margins(y, 4), 0.5), rel=1e-4)


@pytest.mark.parametrize("name", generic.SOLVERS)
def test_generic_solvers_find_the_same_optimum(name):
    pytest.importorskip(name)
    X, y = run_time.points(run_time.scenario(CELL.about["scenario"]), 0)
    ours = solve_on_gram(X @ X.T, y, 4, 0.1, tol=1e-8).objective
    assert generic.installed()[name](X @ X.T, y, 4, 0.1) == pytest.approx(ours, rel=1e-4)


def test_solvers_that_are_not_installed_are_named(monkeypatch):
    monkeypatch.setattr(generic, "find_spec", lambda name: None if name == "clarabel" else object())
    assert "install clarabel (" in run_time.STUDY.needs()
    assert set(generic.installed()) == {"quadprog"}
    monkeypatch.setattr(generic, "find_spec", lambda _: object())
    assert run_time.STUDY.needs() is None
    monkeypatch.setattr(generic, "find_spec", lambda _: None)
    assert "install quadprog and clarabel (" in run_time.STUDY.needs()
    assert generic.installed() == {}


def test_all_solvers_are_timed_on_three_data_sets(monkeypatch):
    def rival(gram, y, n_classes, beta):
        return solve_on_gram(gram, y, n_classes, beta, tol=1e-8).objective

    monkeypatch.setattr(generic, "installed", lambda: {"quadprog": rival})
    record = run_time.measure(CELL, NO_PROGRESS)
    assert set(record["sets"]) == {"SPOC", "SPOC, two levels", "quadprog"}
    for name, each in record["sets"].items():
        assert len(each) == 3
        assert min(each) > 0
        assert record["milliseconds"][name] == pytest.approx(np.mean(each), abs=1e-3)
    assert record["spread"] <= 1e-5  # all reach the same objective


def test_points_of_figure_5_open_the_data_that_were_timed():
    found = by_hand([CELL], lambda _: time_record(CELL))
    (asked,) = {point.opens.scenario for point in opening(EXHIBITS["figure-5"].draw(found))}
    X, y = run_time.points(asked, asked.seed)
    shown = train(asked).shown
    np.testing.assert_array_equal(shown.prepared.X_train, X)
    np.testing.assert_array_equal(shown.prepared.y_train, y)
    ours = solve_on_gram(X @ X.T, y, 4, CELL.about["beta"], tol=1e-6).objective
    assert run(asked).trained.shown.estimator.objective_ == pytest.approx(ours, rel=2e-3)


def time_record(cell, quadprog=200.0, clarabel=150.0):
    """Our times are a millisecond for every ten points."""
    factors = {"SPOC": 1, "SPOC, two levels": 0.5, "quadprog": quadprog, "clarabel": clarabel}
    each = {name: cell.about["size"] / 10 * factor for name, factor in factors.items()}
    return {"milliseconds": each, "sets": {name: [t] * 3 for name, t in each.items()}, "spread": 1e-6}


def test_times_are_judged_by_factors():
    assert word("figure-5", time_record) == "agrees"
    assert word("figure-5", lambda c: time_record(c, clarabel=99.0)) == "partly"
    assert word("figure-5", lambda c: time_record(c, 0.5, 0.5)) == "differs"
    why = EXHIBITS["figure-5"].why(by_hand(run_time.cells(Setting.FULL), time_record))
    assert "With 250 points" in why
    assert "quadprog 200 (β = 1), 200 (β = 0.1), 200 (β = 0.01); clarabel 150" in why
    assert "From β = 1 to 0.01 the times grow by these factors: SPOC 1.0, quadprog 1.0, clarabel 1.0." in why

    def slower(cell):
        record = time_record(cell)
        record["milliseconds"]["SPOC"] /= cell.about["beta"]
        return record

    grown = by_hand(run_time.cells(Setting.FULL), slower)
    assert "SPOC 100.0, quadprog 1.0" in EXHIBITS["figure-5"].why(grown)
    one = [cell for cell in run_time.cells(Setting.FULL) if cell.about["beta"] == 1]
    assert EXHIBITS["figure-5"].why(by_hand(one, time_record)).endswith("neither β nor the gap.")


def test_without_generic_solvers_nothing_is_claimed():
    def alone(cell):
        record = time_record(cell)
        keep = ("SPOC", "SPOC, two levels")
        return record | {name: {k: record[name][k] for k in keep} for name in ("milliseconds", "sets")}

    assert word("figure-5", alone) == "differs"
    found = by_hand(run_time.cells(Setting.QUICK), alone)
    assert EXHIBITS["figure-5"].why(found) == ""
    assert EXHIBITS["figure-5"].draw(found)[1].columns == ("", "objectives differ by")
    assert ratios(by_hand([CELL], time_record)[0], "clarabel") == [150.0] * 3


# Theorem 1 -------------------------------------------------------------------------------------------


@st.composite
def small_samples(draw):
    n_classes, n = draw(st.integers(2, 5)), draw(st.integers(1, 12))
    y = draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n))
    bits = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    return np.array(bits, dtype=np.int8), np.array(y), n_classes


@examples(60)
@given(small_samples())
def test_the_theorems_column_is_the_best_of_all_counted_in_fractions(sample):
    bits, y, n_classes = sample
    losses = {
        column: tie_aware_loss([[u * int(h) for u in column] for h in bits], y)
        for column in product([-1, 1], repeat=n_classes)
    }
    column, error = first_column(bits, y, n_classes)
    assert losses[tuple(column.tolist())] == min(losses.values())
    assert error == pytest.approx(float(min(losses.values())))
    columns = first_columns.all_columns(n_classes)
    counted = first_columns.true_errors(bits, y, columns)
    assert len(losses) == len(columns)
    for each, found in zip(columns.tolist(), counted, strict=True):
        assert Fraction(found).limit_denominator(1000) == losses[tuple(each)]


def test_columns_are_counted(monkeypatch):
    cell = Cell("4", {"n_classes": 4, "n_samples": 30})
    record = first_columns.measure(cell, NO_PROGRESS)
    assert record == {"n": 30, "optimal": 30, "tried": 3, "all": 16}

    def worse(bits, y, n_classes):
        column, error = first_column(bits, y, n_classes)
        return -column, error

    monkeypatch.setattr(first_columns, "first_column", worse)
    assert first_columns.measure(cell, NO_PROGRESS)["optimal"] < 15


def test_one_sample_with_a_better_column_is_enough():
    def record(missed):
        return {"n": 100, "optimal": 100 - missed, "tried": 1, "all": 4}

    assert word("theorem-1", lambda _: record(0)) == "agrees"
    assert word("theorem-1", lambda c: record(c.key == "5")) == "differs"


# Table 1 ---------------------------------------------------------------------------------------------


def test_programs_have_the_optima_of_literal_ones():
    H, y, k = sizes.problem(Cell("", {"m": 14, "k": 3, "l": 4}))
    b = default_margins(y, k)
    for norm in NORMS:
        primal, dual = write_primal(H, y, k, norm, 0.7), write_dual(H, y, k, norm, 0.7)
        found = optimum(H, y, k, norm, 0.7, primal, dual, NO_PROGRESS)
        wanted = quadratic_optimum(H, y, b, 0.7) if norm == "l2" else linear_optimum(H, y, b, 0.7, norm)
        assert found == pytest.approx((wanted, wanted), rel=1e-5), norm


def test_a_program_written_out_wrongly_is_noticed():
    H, y, k = sizes.problem(Cell("", {"m": 14, "k": 3, "l": 4}))
    primal, dual = write_primal(H, y, k, "l2", 1.0), write_dual(H, y, k, "l2", 1.0)
    primal.least_right[0] += 5.0
    with pytest.raises(ValueError, match="does not keep the constraints"):
        optimum(H, y, k, "l2", 1.0, primal, dual, NO_PROGRESS)


def test_table_1_is_printed_as_in_the_paper():
    m, k, n_bits = 100, 7, 3
    wanted = {  # m + 2kl, km + 2kl and so on, worked out by hand
        "l1": {"primal": (142, 0, 742), "dual": (742, 742, 142)},
        "l2": {"primal": (121, 0, 700), "dual": (700, 700, 100)},
        "linf": {"primal": (122, 0, 742), "dual": (742, 742, 122)},
    }
    assert printed_sizes(m, k, n_bits) == wanted


def test_sizes_are_counted_and_judged():
    cell = sizes.cells(Setting.QUICK)[0]
    record = sizes.measure(cell, NO_PROGRESS)
    assert record["counts"]["l2"] == {"primal": [20 + 12, 0, 60], "dual": [60, 60, 20]}
    assert word("table-1", by_hand([cell], lambda _: record)) == "agrees"
    other = {**record, "optima": {norm: [1.0, 1.1] for norm in NORMS}}
    assert word("table-1", by_hand([cell], lambda _: other)) == "partly"
    wrong = {**other, "counts": {norm: {"primal": [1, 0, 1], "dual": [1, 1, 1]} for norm in NORMS}}
    assert word("table-1", by_hand([cell], lambda _: wrong)) == "differs"
    (table,) = EXHIBITS["table-1"].draw(by_hand([cell], lambda _: record))
    assert all(e.ours == e.theirs for _, entries in table.rows[:6] for e in entries)
