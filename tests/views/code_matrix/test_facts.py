"""What the code of a scenario is, built or found by training."""

import numpy as np
import pytest

from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.catalogue import build_code
from ecocviz.engine.progress import NO_PROGRESS, Telling
from ecocviz.lab.codewords import part_names
from ecocviz.lab.gate import Gate
from ecocviz.lab.jobs import Jobs
from ecocviz.lab.report import JobState
from ecocviz.lab.run import load, train, why_not_run
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.code_matrix.facts import (
    code_of,
    column_distances,
    is_built,
    is_learned,
    learned_code,
    learner,
    measures,
    pairs_of,
    plain_code,
    problem_of,
    row_distances,
)

SMALL = ("blobs", {"n_samples": 60})
SCENARIO = make_scenario(data=SMALL)


def learn(scenario, progress=NO_PROGRESS):
    """The code of a scenario as the page finds it."""
    plain = plain_code(scenario, problem_of(scenario, load(scenario)))
    return learned_code(train(learner(scenario), progress).shown, plain)


def test_the_points_of_each_class_are_those_the_model_is_trained_on():
    for split in ("hold-out", ("k-fold", {"n_folds": 3})):
        scenario = make_scenario(data=SMALL, split=split)
        trained = train(scenario)
        problem = problem_of(scenario, load(scenario))
        assert problem.classes == trained.classes
        truth = trained.shown.prepared.y_train.tolist()
        assert problem.counts.tolist() == [truth.count(c) for c in range(4)]
        code = plain_code(scenario, problem)
        assert code.editable and not is_learned(scenario)
        assert code.code_matrix.tolist() == trained.code_matrix.tolist()


def test_a_learned_code_is_the_one_that_all_pages_use():
    scenario = make_scenario(data=SMALL, coding="decoc", seed=3)
    shares = []
    code = learn(scenario, Telling(lambda share, _note: shares.append(share)))
    assert is_learned(scenario) and not is_built(scenario)
    assert plain_code(scenario, problem_of(scenario, load(scenario))) is None
    assert code.code_matrix.tolist() == train(scenario).code_matrix.tolist()
    assert code.design.kind == "tree" and len(code.design.story) == 3
    assert shares and max(shares) <= 1


@pytest.mark.parametrize("coding", ["decoc", "jecoc", "optimal-code"])
def test_a_job_that_nobody_waits_for_ends_in_mid_search(coding):
    scenario, jobs, heard = make_scenario(data="glass", coding=coding), Jobs(Gate(1)), []

    def work(report):
        def tell(share, _note):
            heard.append(share)
            if share > 0:
                jobs.leave("code", "me")
            report.at(share)

        return learn(scenario, Telling(tell))

    jobs.start("code", work, "me")
    assert jobs.wait("code").state is JobState.CANCELLED
    assert 0 < heard[-1] < 0.5 and not any(heard[:-1])
    jobs.close()


def test_a_class_in_parts_has_a_row_each():
    data = ("spirals", {"n_samples": 150})
    code = learn(make_scenario(data=data, coding="subclass-ecoc"))
    assert not code.editable
    assert len(code.names) == len(set(code.names)) == code.code_matrix.shape[0] > 3
    truth = train(make_scenario(data=data)).shown.prepared.y_train.tolist()
    for c in range(3):
        assert code.counts[code.classes == c].sum() == truth.count(c)


def test_parts_of_classes_are_numbered():
    assert part_names(("a", "b"), np.array([1, 0, 1])) == ("b, part 1", "a", "b, part 2")


def test_real_codewords_stand_beside_the_code_they_came_from():
    scenario = make_scenario(data=SMALL, reduction="continuous-code")
    code = learn(scenario)
    assert code.code_matrix.tolist() == build_code("one-vs-all", 4).tolist()
    assert code.weights.shape == (4, 4) and not np.isin(code.weights, (-1, 0, 1)).all()


def test_parts_of_a_class_share_its_real_codeword():
    data = ("spirals", {"n_samples": 150})
    code = learn(make_scenario(data=data, coding="subclass-ecoc", reduction="continuous-code"))
    assert len(code.names) > 3 and code.weights.shape == code.code_matrix.shape
    assert np.isfinite(code.weights).all()
    shared = [np.unique(code.weights[code.classes == c], axis=0) for c in range(3)]
    assert [len(rows) for rows in shared] == [1, 1, 1]
    assert len(np.unique(code.weights, axis=0)) == 3


def test_machines_trained_with_the_code_may_begin_with_a_learned_one():
    reduction = ("continuous-code", {"interleave": "joint", "rounds": 1})
    code = learn(make_scenario(data=SMALL, coding="decoc", reduction=reduction, seed=3))
    plain = learn(make_scenario(data=SMALL, coding="decoc", seed=3))
    assert code.code_matrix.shape == plain.code_matrix.shape == code.weights.shape == (4, 3)
    assert set(np.unique(code.code_matrix)) <= {-1, 0, 1} and code.design.kind == "tree"


def test_a_reduction_without_a_code_still_lets_one_be_learned():
    scenario = make_scenario(data=SMALL, coding="decoc", reduction="support-pattern")
    assert learner(scenario).reduction.key == "ecoc"
    assert learn(scenario).code_matrix.shape == (4, 3)
    assert train(scenario).code_matrix.shape == (4, 0)


def test_a_decoder_that_does_not_go_with_the_machines_still_lets_a_code_be_learned():
    scenario = make_scenario(
        data=SMALL, coding="decoc", reduction="joint", machine="naive-bayes", decoding="beta-density"
    )
    assert why_not_run(learner(scenario)) is None
    assert learner(scenario) == learner(scenario.chosen("decoding", "hamming"))


def test_the_distances_of_rows_and_columns_have_names_and_a_limit():
    problem = problem_of(SCENARIO, load(SCENARIO))
    rows = row_distances(code_of(build_code("one-vs-one", 4), problem))
    assert (rows.names, rows.noun) == (problem.classes, "class")
    columns = column_distances(code_of(build_code("one-vs-one", 4), problem))
    assert (columns.names, columns.noun) == (tuple("123456"), "machine")
    wide = code_of(build_code("dense-random", 4, n_bits=7)[:, [0] * 513], problem)
    assert column_distances(wide) is None


def test_measures_and_pairs():
    problem = problem_of(SCENARIO, load(SCENARIO))
    code = code_of(build_code("one-vs-one", 4), problem)
    report = code_report(code.code_matrix, code.counts)
    counts = code.counts.tolist()
    expected = [
        sum(range(counts[a] + counts[b])) for a in range(4) for b in range(a + 1, 4)
    ]  # pairs of n points: 0 + 1 + ... + (n - 1)
    assert pairs_of(report).tolist() == expected
    told = measures(report)
    assert told["Machines"] == 6 and told["Smallest row distance"] == 1
    assert told["Pairs of training points, summed"] == sum(expected)
    assert told["Zeros, % of entries"] == 50
