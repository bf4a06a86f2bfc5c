"""A scenario whose decoder leaves points undecided: links and files, runs, sweeps, scripts, records."""

import numpy as np
import pytest

from ecocviz.engine.analysis.rejection import Reason
from ecocviz.lab.choices import why_not_for
from ecocviz.lab.curves import Measure
from ecocviz.lab.evaluate import evaluate, score_part
from ecocviz.lab.export import python_script
from ecocviz.lab.plane import make_plane
from ecocviz.lab.regions import make_points, make_regions
from ecocviz.lab.run import run, train, without_decoder
from ecocviz.lab.scenario import Decider, choose, explain, from_flat, from_query, from_toml, make_scenario
from ecocviz.lab.store_about import key_of, record_of, title_of
from ecocviz.lab.sweep import put, sweep

BLOBS = ("blobs", {"n_samples": 120, "overlap": 0.8})
MARGIN = ("margin", {"share": 0.25})


def asked(**more):
    return make_scenario(3, **{"data": BLOBS, "decoding": "hamming", "rejecting": MARGIN, **more})


@pytest.fixture(scope="module")
def result():
    return run(asked(decoding="likelihood"))


def test_without_the_option_a_scenario_is_written_as_it_always_was():
    plain = make_scenario(data="glass", decoding="hamming")
    assert plain.to_query() == "v=1&data=glass&decoding=hamming"
    assert key_of(plain) == '{"data":"glass","decoding":"hamming","v":"1"}'
    assert title_of(plain) == "Glass, One-vs-all, Hamming"
    assert plain.decider is plain.decoding
    without = plain.to_toml().split("[rejecting]")[0]  # a file of before
    assert from_toml(without) == (plain, ())
    assert "left undecided" not in python_script(plain)


def test_the_option_is_two_fields_of_links_and_files():
    scenario = asked()
    assert scenario.to_flat()["rejecting"] == "margin" and scenario.to_flat()["rejecting.share"] == "0.25"
    assert from_query(scenario.to_query()) == from_toml(scenario.to_toml()) == (scenario, ())
    assert eval(scenario.to_python(), {"make_scenario": make_scenario}) == scenario  # noqa: S307 - our own
    assert title_of(scenario).endswith("Hamming, Rejects by margin")
    assert without_decoder(scenario) == without_decoder(make_scenario(3, data=BLOBS))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"rejecting": "distance"}, "rejecting 'distance' does not exist"),
        ({"rejecting": "margin", "rejecting.share": "1.5"}, "rejecting.share '1.5' is not allowed"),
        ({"rejecting": "margin", "rejecting.share": "nan"}, "rejecting.share 'nan' is not allowed"),
        ({"rejecting": "syndrome", "rejecting.share": "0.1"}, "'rejecting.share' is unknown"),
    ],
)
def test_what_a_link_cannot_mean_is_told_in_one_sentence(fields, sentence):
    scenario, problems = from_flat(fields)
    assert explain(problems) == f"Parts of this link were replaced by defaults: {sentence}."
    assert scenario.rejecting.key in ("none", "margin", "syndrome")


def test_a_run_counts_what_its_estimator_leaves_undecided(result):
    model = result.trained.shown
    estimator, prepared = model.estimator, model.prepared
    estimator.set_params(decoding="likelihood", rejecting="margin", reject_share=0.25)
    gone = estimator.reasons(prepared.X_test) != Reason.DECIDED
    by_row = dict(zip(prepared.test_rows.tolist(), gone.tolist(), strict=True))
    assert result.test.undecided.tolist() == [by_row[row] for row in result.test.rows.tolist()]
    assert 0 < gone.sum() < gone.size
    counted = estimator.score_decided(prepared.X_test, prepared.y_test)
    assert result.test.decided == counted
    # The error of all points stays what it is without the option.
    plain = evaluate(result.trained, "test", choose("decoding", "likelihood"))
    assert plain.decided is None and plain.n_wrong == result.test.n_wrong
    assert counted.error < plain.error
    assert record_of(result.test) == {
        **record_of(plain),
        "undecided": int(counted.n_rejected),
        "decided_wrong": int(counted.n_wrong),
        "decided_error": counted.error,
    }


def test_each_fold_rejects_by_its_own_machines():
    scenario = asked(split=("k-fold", {"n_folds": 3}), decoding="likelihood")
    result = run(scenario)
    for model in result.trained.models:
        estimator = model.estimator.set_params(decoding="likelihood", rejecting="margin", reject_share=0.25)
        gone = estimator.reasons(model.prepared.X_test) != Reason.DECIDED
        assert result.test.undecided[model.prepared.test_rows].tolist() == gone.tolist()


def test_classes_with_several_rows_are_apart_from_the_rows_of_others_only():
    scenario = make_scenario(
        data=("spirals", {"n_samples": 150}), coding="subclass-ecoc", decoding="hamming", rejecting="syndrome"
    )
    result = run(scenario)
    model = result.trained.shown
    code, classes = model.estimator.code_matrix_, model.estimator.design_.row_classes
    assert classes is not None and code.shape[0] > 3
    pairs = [(i, j) for i in range(len(code)) for j in range(len(code)) if classes[i] != classes[j]]
    repairs = (min(int((code[i] * code[j] < 0).sum()) for i, j in pairs) - 1) // 2
    X, _, rows = model.points("test")
    for row, score in zip(rows.tolist(), model.estimator.scores(X), strict=True):
        off = ((code * score < 0) & (code != 0)).sum(axis=1)
        of_class = np.array([off[classes == c].min() for c in range(3)])
        decided = of_class.min() <= repairs and (of_class == of_class.min()).sum() == 1
        assert result.test.undecided[result.test.rows.tolist().index(row)] == (not decided)


def test_a_reduction_without_a_decoder_decides_every_point():
    result = run(asked(reduction="ddag"))
    assert result.test.decided is None and "undecided" not in record_of(result.test)
    assert why_not_for(asked(reduction="ddag"), "rejecting", None) == {}


def test_a_sweep_over_the_option_trains_once(monkeypatch):
    trained = []
    monkeypatch.setattr("ecocviz.lab.sweep.train", lambda *how: trained.append(how) or train(*how))
    scenario = asked(decoding="likelihood")
    shares = [0.0, 0.1, 0.4]
    points = {p.position: p for p in sweep(scenario, {"rejecting.share": shares}, measures=[Measure.TEST])}
    assert len(trained) == 1
    for position, share in enumerate(shares):
        found = points[position].found[Measure.TEST]
        expected = run(scenario.chosen("rejecting", None, share=share)).test
        assert record_of(found) == record_of(expected)
    left = [points[k].found[Measure.TEST].decided.n_rejected for k in range(3)]
    assert left == sorted(left) and left[0] == 0 and left[2] > left[1]
    kinds = list(sweep(scenario, {"rejecting": ["none", "syndrome", "margin"]}, measures=[Measure.TEST]))
    assert [point.found[Measure.TEST].decided is None for point in kinds] == [True, False, False]
    assert put(scenario, "rejecting.share", "0.5").rejecting.values == {"share": 0.5}


def test_the_script_has_the_option_and_prints_the_same_numbers(result, capsys):
    exec(python_script(result.scenario), {})  # noqa: S102 - our own
    printed = capsys.readouterr().out
    for part, outcome in (("training", result.train), ("test", result.test)):
        assert f"{part} error {outcome.n_wrong} of {outcome.n}\n" in printed
        decided = outcome.decided
        left, others = decided.n_rejected, decided.n - decided.n_rejected
        assert (
            f"{part}: {left:g} left undecided, {decided.n_wrong:g} of the other {others:g} wrong\n" in printed
        )


def test_a_plane_knows_its_undecided_cells_and_points(result):
    model, rule = result.trained.shown, result.scenario.rejecting
    plane = make_plane(model.prepared, "")
    decodings = tuple(Decider(key, choose("decoding", key).params, rule) for key in ("hamming", "likelihood"))
    regions = make_regions(model, plane, decodings, 12)
    points = make_points(model, plane, decodings)
    cells = np.unpackbits(regions.undecided, axis=1, count=144).astype(bool)
    for k, decoding in enumerate(decodings):
        estimator = model.estimator.set_params(rejecting="margin", reject_share=0.25)
        expected = estimator.reasons(plane.lift(plane.cells(12)), decoding.key, decoding.values) > 0
        assert cells[k].tolist() == expected.tolist()
    n_train = model.prepared.y_train.size
    assert points.undecided[1, n_train:].sum() == result.test.decided.n_rejected
    assert points.wrong[1, n_train:].sum() == result.test.decided.n_wrong
    plain = make_regions(model, plane, (choose("decoding", "hamming"),), 12)
    assert plain.undecided is None


def test_the_rule_is_learned_once_for_every_part(result):
    scored = score_part(result.trained, "test")
    learned = result.trained.shown.learned
    before = dict(learned)
    scored.decide(result.scenario.decider)
    assert learned == before and any("held-out scores" in needs for needs in learned)
