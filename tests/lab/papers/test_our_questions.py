"""Codes or one-vs-rest, and choosing the decoder: a cell against loops, judging of records made by hand."""

import dataclasses
import itertools

import numpy as np
import pytest
from evidence_tools import exhibits_of, judge_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ecocviz import ECOCClassifier, build_code
from ecocviz.data.catalogue import DATASETS
from ecocviz.engine.analysis.ranks import rank_methods, wilcoxon
from ecocviz.engine.catalogue import CODINGS
from ecocviz.engine.columns import stratified_fold_ids
from ecocviz.engine.progress import NO_PROGRESS
from ecocviz.lab.evidence.drawings import Heatmap, Ranks, Table
from ecocviz.lab.evidence.entries import Cell, Measured, Setting
from ecocviz.lab.papers.our_questions import decoders, links, one_vs_rest, protocol
from ecocviz.lab.papers.our_questions.measuring import choose_decoders, draw_rows, machine_at, measure
from ecocviz.lab.papers.our_questions.tables import BEST_LOSS, CHOSEN, HINDSIGHT, errors_of
from ecocviz.lab.run import run

DECODERS = list(protocol.DECODERS)
judge = judge_of("our-questions")


# Measuring -------------------------------------------------------------------------------------------


def scaled(X, rows, seen):
    """Standardised by the rows that are seen; columns constant there are left out."""
    mean, spread = X[seen].mean(axis=0), X[seen].std(axis=0)
    return ((X[rows] - mean) / np.where(spread > 0, spread, 1))[:, spread > 0]


def plain_cell(about):
    """Nested cross-validation in loops: every decoder's machines are trained for it alone."""
    table = DATASETS[about["set"]].load()
    rows = draw_rows(table.codes(), about["rows"], 6, 0)
    X, y = np.asarray(table.features)[rows], np.unique(table.codes()[rows], return_inverse=True)[1]
    found = {}
    for code in about["codes"]:
        coding = code if CODINGS[code].build is None else build_code(code, y.max() + 1, seed=0)
        folds, n_bits = [], 0
        for fold in range(3):
            test, train = np.flatnonzero(fold_of(y, 0) == fold), np.flatnonzero(fold_of(y, 0) != fold)
            inner, tuned, tested = fold_of(y[train], 1), [], []
            for decoding in DECODERS:

                def wrong(seen, asked, point, coding=coding, decoding=decoding):
                    X_seen, X_asked = scaled(X, seen, seen), scaled(X, asked, seen)
                    machine = machine_at(about["machine"], point, X_seen, 0)
                    model = ECOCClassifier(
                        coding, decoding=decoding, machine=machine, calibration_folds=2, random_state=0
                    )
                    model.fit(X_seen, y[seen])
                    return int((model.predict(X_asked) != y[asked]).sum()), model.code_matrix_.shape[1]

                totals = [
                    sum(wrong(train[inner != part], train[inner == part], point)[0] for part in range(3))
                    for point in about["grid"]
                ]
                best = about["grid"][totals.index(min(totals))]
                tuned.append(min(totals))
                tested.append(wrong(train, test, best)[0])
                n_bits = max(n_bits, wrong(train, test, best)[1])
            losses = tuned[2:]
            folds.append([*tested, 2 + losses.index(min(losses)), tuned.index(min(tuned))])
        found[code] = {"bits": n_bits, "folds": folds}
    return {"rows": y.size, "classes": int(y.max()) + 1, "codes": found}


def fold_of(y, seed):
    return stratified_fold_ids(y, 3, seed)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "machine", "codes"),
    [
        ("new-thyroid", "decision-tree", ["one-vs-all", "decoc"]),
        ("vehicle", "rbf", ["one-vs-one"]),
        ("zoo", "naive-bayes", ["bch"]),
    ],
)
def test_a_cell_is_nested_cross_validation_of_plain_classifiers(name, machine, codes):
    cells = {cell.key: cell for cell in protocol.cells(Setting.QUICK)}
    cell = cells[f"{name}/{machine}/fixed"]
    about = {**cell.about, "codes": codes, "rows": 45, "grid": cell.about["grid"][:2]}
    record = measure(Cell("tiny", about), NO_PROGRESS)
    assert record == plain_cell(about)
    assert measure(Cell("tiny", about), NO_PROGRESS) == record


@given(st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_the_first_decoder_with_the_fewest_inner_errors_is_chosen(wrong):
    loss, chosen = choose_decoders(np.array(wrong), DECODERS)
    assert DECODERS[loss] in protocol.LOSSES
    assert wrong[loss] == min(wrong[2:]) and wrong[loss] not in wrong[2:loss]
    assert wrong[chosen] == min(wrong) and wrong[chosen] not in wrong[:chosen]


@given(
    st.lists(st.integers(0, 40), min_size=2, max_size=6).filter(lambda c: max(c) >= 6), st.integers(12, 200)
)
def test_rows_are_drawn_in_proportion_and_rare_classes_left_out(counts, n_rows):
    labels = np.repeat(np.arange(len(counts)), counts)
    rows = draw_rows(labels, n_rows, 6, 0)
    assert (np.diff(rows) > 0).all()
    drawn = np.bincount(labels[rows], minlength=len(counts))
    total = sum(count for count in counts if count >= 6)
    for count, got in zip(counts, drawn, strict=True):
        share = count * min(1, n_rows / total)
        assert got == 0 if count < 6 else 6 <= got <= count and (got == 6 or abs(got - share) <= 0.5)


def test_cells_are_all_sets_machines_and_codes_once():
    for setting, sets in ((Setting.QUICK, protocol.QUICK_SETS), (Setting.FULL, protocol.SETS)):
        cells = protocol.cells(setting)
        assert len({cell.key for cell in cells}) == len(cells)
        found = [
            (cell.about["set"], cell.about["machine"], code) for cell in cells for code in cell.about["codes"]
        ]
        assert sorted(found) == sorted(itertools.product(sets, protocol.MACHINES, protocol.CODES))
        assert {cell.about["rows"] for cell in cells} <= {protocol.QUICK_ROWS, protocol.N_ROWS}
    assert protocol.N_ROWS <= 2000
    learned = {key for key, coding in CODINGS.items() if coding.build is None and coding.design is not None}
    assert set(protocol.LEARNED) <= learned


# Judging ---------------------------------------------------------------------------------------------


N_CODES = len(protocol.CODES)
ONE_VS_ALL = protocol.CODES.index("one-vs-all")


def recorded(wrong, machines=tuple(protocol.MACHINES)):
    """Records of errors (n_sets, n_codes, n_decoders) in each outer fold, the same for all machines.

    The best loss is the linear one, and the likelihood decoder is chosen.
    """
    found = []
    families = (protocol.FIXED, protocol.LEARNED)
    for s, machine, family in itertools.product(range(len(wrong)), machines, families):
        folds = dict(zip(protocol.CODES, wrong[s].tolist(), strict=True))
        codes = {code: {"folds": [[*folds[code], 2, 1]] * 3} for code in family}
        cell = Cell(f"{s}/{machine}/{family[0]}", {"set": protocol.SETS[s], "machine": machine})
        found.append(Measured(cell, {"rows": 300, "codes": codes}))
    return found


def level(n_sets, wrong=20):
    """The same errors everywhere, (n_sets, n_codes, n_decoders)."""
    return np.full((n_sets, N_CODES, len(DECODERS)), wrong)


def test_ways_to_decode_are_added_up_from_the_folds():
    errors = errors_of(recorded(level(2, [9, 7, 6, 5, 8])), "rbf")
    for way, wrong in (("hamming", 27), (BEST_LOSS, 18), (CHOSEN, 21), (HINDSIGHT, 15)):
        assert errors.rates(way) == pytest.approx(np.full((2, 13), wrong / 300))
    assert errors.choices.tolist() == [0, 2 * 13 * 3, 0, 0, 0]


def test_folds_may_choose_differently():
    [first, *rest] = recorded(level(1, [0, 1, 2, 3, 4]), ("rbf",))
    folds = [[5, 4, 3, 2, 1, 4, 0], [5, 4, 3, 2, 1, 2, 4], [0, 1, 2, 3, 4, 3, 1]]
    first.record["codes"]["bch"]["folds"] = folds
    errors = errors_of([first, *rest], "rbf")
    bch = errors.codes.index("bch")
    assert errors.wrong[0, bch].tolist() == [10, 9, 8, 7, 6, 1 + 3 + 3, 5 + 1 + 1, 6]


def test_a_set_that_lacks_codes_is_left_out():
    found = recorded(level(3), ("rbf",))
    assert errors_of(found[:-1], "rbf").sets == protocol.SETS[:2]
    assert errors_of([], "rbf").sets == ()


@pytest.mark.parametrize(
    ("one_vs_all", "others", "word"),
    [
        # All codes level with one-vs-all, or worse: the sentence holds.
        (20, 20, "agrees"),
        (20, 30, "agrees"),
        # Better by a hair: in all settings, and by Wilcoxon's test, but not by the critical difference.
        (21, 20, "partly"),
        # Better with Hamming only.
        ([90, 20, 20, 20, 20], 20, "partly"),
    ],
)
def test_the_sentence_is_judged_by_what_codes_do(one_vs_all, others, word):
    wrong = level(8, others)
    wrong[:, ONE_VS_ALL] = one_vs_all
    assert judge("one-vs-rest-linear", recorded(wrong)) == word


def test_the_sentence_can_be_wrong_altogether():
    # Only with many sets can Nemenyi's test tell more than half of eleven codes from one-vs-all.
    wrong = level(22)
    for s, code in itertools.product(range(22), range(N_CODES)):
        wrong[s, code] = 80 if code > 8 else 20 + (code + s) % 8
    wrong[:, ONE_VS_ALL] = 90
    found = recorded(wrong)
    assert judge("one-vs-rest-rbf", found) == judge("one-vs-rest", found) == "differs"
    statements = one_vs_rest.judge_machine(found, "rbf")
    assert [statement.held for statement in statements[:3]] == [0, 4, 0]
    assert "codes err less than one-vs-all in 242 of 242 settings" in one_vs_rest.say_machine(found, "rbf")


def test_without_records_nothing_holds_and_nothing_is_drawn():
    for exhibit in exhibits_of("our-questions").values():
        statements = exhibit.judge([])
        assert statements and not any(statement.holds for statement in statements)
        assert list(exhibit.draw([])) == [] and exhibit.why([]) == ""


def any_errors(seed, n_sets=9):
    drawn = np.random.default_rng(seed).integers(5, 40, (n_sets, N_CODES, len(DECODERS)))
    return recorded(drawn), drawn


@examples(5)
@given(st.integers(0, 10**6))
def test_statements_ranks_and_sentences_are_those_of_the_errors(seed):
    found, drawn = any_errors(seed)
    hamming = drawn[:, :, 0] * 3 / 300
    against = hamming[:, [0]]
    counted = [c for c, code in enumerate(protocol.CODES) if code not in ("one-vs-all", "one-vs-one")]
    settings, nemenyi, signed = one_vs_rest.judge_machine(found, "naive-bayes")[:3]
    assert (settings.held, settings.of) == (int((hamming >= against)[:, counted].sum()), 9 * 11)
    ranking = rank_methods(hamming)
    ahead = ranking.ranks[0] - ranking.ranks[counted]
    assert (nemenyi.held, nemenyi.of) == (int((ahead < ranking.critical_difference).sum()), 11)
    # Holm by hand: the p-values in order, times how many are left, never falling.
    p_values = [wilcoxon(hamming[:, c], hamming[:, 0]) for c in range(1, 13)]
    corrected, so_far = {}, 0.0
    for place, c in enumerate(np.argsort(p_values, kind="stable")):
        so_far = max(so_far, min(1.0, p_values[c] * (12 - place)))
        corrected[int(c) + 1] = so_far
    better = [c for c in counted if corrected[c] < 0.05 and hamming[:, c].mean() < hamming[:, 0].mean()]
    assert signed.held == 11 - len(better)
    ranks = next(iter(one_vs_rest.draw_machine(found, "naive-bayes")))
    assert isinstance(ranks, Ranks)
    assert ranks.ranks == pytest.approx(ranking.ranks)
    assert (ranks.n_sets, ranks.critical_difference) == (9, ranking.critical_difference)
    sentence = one_vs_rest.say_machine(found, "naive-bayes")
    won = int((hamming < against)[:, counted].sum())
    assert f"Hamming: codes err less than one-vs-all in {won} of 99 settings" in sentence


def test_drawings_hold_the_errors_and_open_their_scenarios():
    found, drawn = any_errors(1, 4)
    *ranks, tests, hamming, _, _ = one_vs_rest.draw_machine(found, "rbf")
    assert [type(drawing) for drawing in (*ranks, tests)] == [Ranks, Ranks, Ranks, Table]
    assert len(tests.rows) == 12 and all(len(entries) == 6 for _, entries in tests.rows)
    assert len(hamming.columns) == 14 and hamming.rows[-1][0] == "mean"
    for s, (_, entries) in enumerate(hamming.rows[:-1]):
        assert [entry.ours for entry in entries] == pytest.approx(drawn[s, :, 0].tolist())
        least = drawn[s, :, 0].min()
        assert [entry.best for entry in entries] == [value == least for value in drawn[s, :, 0]]
        scenario = entries[4].opens.scenario
        assert (scenario.data.key, scenario.coding.key) == (protocol.SETS[s], "bch")
        assert (scenario.machine.values["kernel"], scenario.decoding.key) == ("rbf", "hamming")


def test_the_sentence_for_all_machines_adds_them_up():
    wrong = level(3)
    wrong[:, ONE_VS_ALL] = [25, 21, 20, 20, 20]  # best loss is linear, chosen is likelihood
    wrong[0, :, 1] = 30
    said = one_vs_rest.say_all(recorded(wrong))
    assert said.startswith(
        "Over all machines codes err less than one-vs-all in 88 of 132 settings with the decoder chosen "
        "for each, 132 of 132 settings with Hamming, 0 of 132 settings with best loss. Linear kernel "
        "machines: codes err"
    )


def test_the_drawing_of_all_machines_says_how_often_and_by_how_much():
    found, drawn = any_errors(2, 4)
    tests, gains, *ranks = one_vs_rest.draw_all(found)
    assert [type(drawing) for drawing in ranks] == [Ranks] * 4
    chosen = drawn[:, :, 1]
    against = chosen[:, [ONE_VS_ALL]]
    others = [code for code in range(N_CODES) if code != ONE_VS_ALL]
    ahead = (against - chosen).mean(axis=0)[others]
    np.testing.assert_allclose(np.array(gains.values)[:, 3], ahead, atol=1e-9)
    assert -gains.low == gains.high == np.abs(gains.values).max()
    for (_, entries), code in zip(tests.rows, others, strict=True):
        signs = np.sign(chosen[:, code] - against[:, 0])
        assert entries[0].ours == "-".join(str((signs == sign).sum()) for sign in (-1, 0, 1))


# Choosing the decoder --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hamming", "likelihood", "word"),
    [
        (np.arange(30, 42), 10, "agrees"),
        (np.full(12, 30), 30, "differs"),
        (np.full(12, 30), 31, "differs"),
        # In three sets of five: most settings, but too few for a test.
        (np.array([30, 30, 30, 29, 29]), 29, "partly"),
    ],
)
def test_choosing_is_judged_by_settings_and_codes(hamming, likelihood, word):
    wrong = level(hamming.size)
    wrong[:, :, 0], wrong[:, :, 1] = hamming[:, None], likelihood
    assert judge("choosing-the-decoder", recorded(wrong)) == word


def test_gains_are_counted_in_settings_and_points():
    found, drawn = any_errors(3, 4)
    hamming, chosen = drawn[:, :, 0], drawn[:, :, 1]
    statements = decoders.judge(found)
    assert (statements[0].held, statements[0].of) == (int((chosen < hamming).sum()), 4 * 13)
    summary, by_choice, by_hindsight, errors, *others = decoders.draw(found)
    assert isinstance(by_choice, Heatmap) and len(others) == 3
    for code, (_, entries) in enumerate(errors.rows):
        means = [*drawn[:, code].mean(axis=0), chosen[:, code].mean()]
        assert [entry.ours for entry in entries] == pytest.approx(means)
        assert [entry.best for entry in entries] == [mean == min(means) for mean in means]
    values = np.array(by_choice.values)
    np.testing.assert_allclose(values[:, 0], (hamming - chosen).mean(axis=0), atol=1e-9)
    least = (hamming - drawn.min(axis=2)).mean(axis=0)
    np.testing.assert_allclose(np.array(by_hindsight.values)[:, 2], least, atol=1e-9)
    wins, ties, losses = (int((np.sign(hamming - chosen) == sign).sum()) for sign in (1, 0, -1))
    assert summary.rows[0][1][0].ours == f"{wins}-{ties}-{losses}"
    assert summary.rows[0][1][1].ours == pytest.approx((hamming - chosen).mean())
    assert f"errs less than Hamming in {wins} of 52 settings, as much in {ties}" in decoders.say(found)


def test_a_scenario_that_is_opened_has_all_rows_of_its_set():
    result = run(links.scenario_of("wine-uci", "naive-bayes", "bch", "likelihood"))
    assert result.test.truth.size == links.rows_of("wine-uci") == 178


def test_a_number_says_rows_parameters_and_decoder_of_what_it_opens():
    [first, *rest] = recorded(level(1, [9, 7, 6, 5, 8]), ("rbf",))
    first.record["codes"]["bch"]["folds"] = [[9, 7, 6, 5, 8, d, 0] for d in (4, 2, 4)]
    errors = errors_of([first, *rest], "rbf")
    few = dataclasses.replace(errors, rows=np.array([120]))
    bch = errors.codes.index("bch")
    whole = dataclasses.replace(errors, rows=np.array([150]))
    machine = links.opens(whole, 0, bch, "hamming").differs
    assert machine.startswith("C = 10 and γ as \u201cscale\u201d, amid the grid: which parameters")
    assert links.opens(few, 0, bch, "hamming").differs == f"all 150 rows (the study has 120), {machine}"
    for way, key, words in (
        (BEST_LOSS, "exponential", "the loss Exponential, which most folds chose"),
        (CHOSEN, "hamming", "decoding Hamming, which most folds chose"),
        (HINDSIGHT, "soft-margin", "decoding Soft margin, the best in hindsight"),
    ):
        found = links.opens(whole, 0, bch, way)
        assert (found.scenario.decoding.key, found.differs) == (key, f"{words}, {machine}")


def test_a_mean_opens_the_set_that_comes_nearest_to_it():
    wrong = level(3)
    wrong[:, :, 0] = np.array([5, 40, 12])[:, None]
    errors = errors_of(recorded(wrong), "linear")
    found = links.of_mean(errors, 4, "hamming", errors.rates("hamming")[:, 4])
    assert found.scenario.data.key == protocol.SETS[2]
    assert found.differs.startswith("Glass, the nearest of 3 sets to their mean, ")
    setting = links.of_settings(errors, "hamming", errors.rates("hamming"))
    assert setting.differs.startswith("Glass with One-vs-all, one of the 39 settings counted, ")
