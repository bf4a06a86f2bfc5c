import numpy as np
import pytest
from hearing import EndedError, ending

from ecocviz import ECOCClassifier, build_code
from ecocviz.data.catalogue import DATASETS, PREPARATIONS, SPLITS
from ecocviz.data.prepare import folds, prepare
from ecocviz.engine.catalogue import MACHINES
from ecocviz.engine.progress import Telling
from ecocviz.lab import run as lab_run
from ecocviz.lab.catalogue import why_not
from ecocviz.lab.evaluate import evaluate
from ecocviz.lab.run import restrict_code, run, train, without_decoder
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
        outcome = evaluate(trained, "test", choose("decoding", key))
        assert outcome.labels.tolist() == run(scenario.chosen("decoding", key)).test.labels.tolist()
    assert without_decoder(scenario.chosen("decoding", "hamming")) == without_decoder(scenario)


@pytest.mark.parametrize(
    "data", ["iris", pytest.param("ecoli", marks=pytest.mark.thorough), "postoperative", "lenses"]
)
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
    run(make_scenario(split=("k-fold", {"n_folds": 3})), Telling(lambda share, _note: seen.append(share)))
    assert seen == sorted(seen) and seen[-1] == pytest.approx(1.0)

    with pytest.raises(EndedError):
        run(make_scenario(), ending())


def test_kept_results_hold_no_gram_matrix():
    trained = train(make_scenario(data="iris"))
    way = trained.shown.estimator.columns_._way
    assert way._gram is None
    evaluate(trained, "test", choose("decoding", "likelihood"))
    assert trained.shown.estimator.columns_._way is way
    assert way._gram is None


WHERE = ["all points, before 3 folds", "fold 1 of 3", "fold 2 of 3", "fold 3 of 3"]


def notes_of(**choices):
    """What training says, every note once."""
    said = []
    heard = Telling(lambda _share, note: said.append(note))
    train(make_scenario(data=("blobs", {"n_samples": 60}), **choices), heard)
    return list(dict.fromkeys(said))


def test_training_says_which_machine_of_which_fold_it_trains():
    notes = notes_of(coding="one-vs-one", split=("k-fold", {"n_folds": 3}))
    assert notes[0] == "loading the data"
    for where in WHERE:
        here = [note.removeprefix(f"{where}: ") for note in notes if note.startswith(where)]
        assert here[:2] == ["preparing the points", "training, Independent machines"]
        assert here[2] == "training machine 1 of 6"
        # Two are trained at the same time, so that a number may be passed over.
        numbers = [
            int(note.removeprefix("training machine ").removesuffix(" of 6"))
            for note in here[2:]
            if note != "fitting the sigmoids"
        ]
        assert numbers == sorted(set(numbers)) and numbers[-1] == 6
    assert list(dict.fromkeys(note.split(":")[0] for note in notes[1:])) == WHERE


def test_training_says_no_machine_where_they_are_not_trained_one_by_one():
    assert notes_of(reduction="support-pattern")[-1] == "training, One machine for all classes"


def test_who_listens_changes_nothing():
    scenario = make_scenario(coding="dense-random", data=("blobs", {"n_samples": 80}))
    heard, unheard = train(scenario, Telling(lambda *_: None)), train(scenario)
    X = heard.shown.prepared.X_test
    assert np.array_equal(heard.shown.estimator.scores(X), unheard.shown.estimator.scores(X))


def test_fitting_takes_a_part_of_the_time_of_training():
    trained = train(make_scenario(data="iris", split=("k-fold", {"n_folds": 3})))
    fitting = [model.seconds for model in (trained.shown, *trained.models)]
    assert min(fitting) > 0 and sum(fitting) < trained.seconds < 100


def test_a_fixed_code_is_built_once_with_the_scenarios_seed_for_all_folds():
    scenario = make_scenario(data="iris", coding="dense-random", split=("k-fold", {"n_folds": 3}), seed=5)
    trained = train(scenario)
    code = build_code("dense-random", 3, seed=5)
    for model in (trained.shown, *trained.models):
        assert np.array_equal(model.estimator.code_matrix_, code)
    assert np.array_equal(trained.code_matrix, code)
