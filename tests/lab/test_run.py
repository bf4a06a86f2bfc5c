import numpy as np
import pytest

from ecocviz import ECOCClassifier, build_code
from ecocviz.data.catalogue import DATASETS, PREPARATIONS, SPLITS
from ecocviz.data.prepare import folds, prepare
from ecocviz.engine.catalogue import MACHINES
from ecocviz.lab import run as lab_run
from ecocviz.lab.catalogue import why_not
from ecocviz.lab.run import decide, restrict_code, run, train, undecoded
from ecocviz.lab.scenario import choose, make_scenario


def test_a_run_is_what_one_does_by_hand():
    scenario = make_scenario(
        data="glass", coding="one-vs-one", decoding="linear", machine=("kernel", {"gamma": 2.0}), seed=3
    )
    result = run(scenario)
    table = DATASETS["glass"].load()
    fold = folds(table, "hold-out", {"test_share": 0.3}, 3)[0]
    prepared = prepare(table, fold, "min-max", {"missing": "impute"})
    model = ECOCClassifier(
        build_code("one-vs-one", 6),
        decoding="linear",
        machine=MACHINES["kernel"].make(kernel="rbf", gamma=2.0, degree=3, C="inverse-mean-kernel", bias=1.0),
    ).fit(prepared.X_train, prepared.y_train)
    assert result.test.labels.tolist() == model.predict(prepared.X_test).tolist()
    assert result.test.rows.tolist() == sorted(prepared.test_rows.tolist())
    assert result.test.n_wrong == int((model.predict(prepared.X_test) != prepared.y_test).sum())
    assert result.test.error == result.test.n_wrong / prepared.y_test.size


def test_the_same_scenario_gives_the_same_numbers():
    scenario = make_scenario(data="ecoli", coding="dense-random", seed=5)
    first, second = run(scenario), run(scenario)
    assert (first.test.costs == second.test.costs).all()
    assert (first.trained.code_matrix == second.trained.code_matrix).all()


def test_a_decoder_never_retrains():
    scenario = make_scenario(data="iris")
    trained = train(scenario)
    for key in ("hamming", "linear", "likelihood"):
        outcome = decide(trained.models, choose("decoding", key), 3, part="test")
        assert outcome.labels.tolist() == run(scenario.chosen("decoding", key)).test.labels.tolist()
    assert undecoded(scenario.chosen("decoding", "hamming")) == undecoded(scenario)


@pytest.mark.parametrize("data", ["iris", "ecoli", "postoperative", "lenses"])
@pytest.mark.parametrize("split", list(SPLITS))
@pytest.mark.parametrize("preparation", list(PREPARATIONS))
def test_every_split_and_preparation_judges_every_point_once(data, split, preparation):
    scenario = make_scenario(
        data=data, split=split, preparation=preparation, coding="one-vs-one", decoding="hamming"
    )
    result = run(scenario)
    assert np.unique(result.test.rows).size == result.test.rows.size
    if split in {"k-fold", "leave-one-out"}:
        assert result.test.rows.size == result.trained.table.labels.size
    assert 0 <= result.test.error <= 1
    assert (result.test.truth == result.trained.table.codes()[result.test.rows]).all()


def test_cross_validation_is_done_fold_by_fold():
    scenario = make_scenario(data="iris", split=("k-fold", {"n_folds": 3}), decoding="linear", seed=1)
    result = run(scenario)
    table = DATASETS["iris"].load()
    for fold in folds(table, "k-fold", {"n_folds": 3}, 1):
        prepared = prepare(table, fold, "min-max", {})
        model = ECOCClassifier(build_code("one-vs-all", 3), decoding="linear").fit(
            prepared.X_train, prepared.y_train
        )
        at = np.searchsorted(result.test.rows, prepared.test_rows)
        assert (result.test.labels[at] == model.predict(prepared.X_test)).all()


def test_a_class_that_training_lacks_is_never_decided():
    code = build_code("one-vs-one", 4)
    kept = restrict_code(code, np.array([0, 2, 3]))
    assert (kept == build_code("one-vs-one", 3)).all()


def test_impossible_choices_are_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr(lab_run, "why_not", lambda *_: "These two do not go together.")
    with pytest.raises(ValueError, match="These two do not go together"):
        run(make_scenario())
    assert why_not(None, None, None, None) is None


def test_progress_grows_to_one_and_may_cancel():
    seen = []
    run(make_scenario(split=("k-fold", {"n_folds": 3})), seen.append)
    assert seen == sorted(seen) and seen[-1] == pytest.approx(1.0)

    class CancelledError(RuntimeError):
        pass

    def cancel(_):
        raise CancelledError

    with pytest.raises(CancelledError):
        run(make_scenario(), cancel)


def test_kept_results_hold_no_gram_matrix():
    trained = train(make_scenario(data="iris"))
    assert trained.shown.estimator.columns_._gram is None
    decide(trained.models, choose("decoding", "likelihood"), 3, part="test")
    assert trained.shown.estimator.columns_._gram is None
