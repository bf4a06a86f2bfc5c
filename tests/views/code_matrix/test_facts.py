"""Code matrices as text, and the codes that scenarios find."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.data.writers import write_csv
from ecocviz.engine.analysis.codes import code_report
from ecocviz.engine.catalogue import CODINGS, build_code
from ecocviz.engine.params import pack_matrix
from ecocviz.lab.jobs import Jobs, JobState
from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.code_matrix.facts import (
    code_of,
    is_learned,
    learn_code,
    learner,
    matrix_table,
    measures,
    pairs_of,
    part_names,
    plain_code,
    problem_of,
    read_coding,
    read_matrix,
    write_coding,
)

NAMES = ["a", "-b", "c, d", "=e", "1", "ü"]
SMALL = ("blobs", {"n_samples": 60})


@st.composite
def matrices(draw):
    rows = draw(st.integers(2, 6))
    columns = draw(st.integers(1, 9))
    values = st.integers(-1, 1)
    return np.array(
        draw(st.lists(st.lists(values, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    )


@given(matrices())
def test_what_is_downloaded_is_read_back(code):
    names = NAMES[: len(code)]
    assert read_matrix(write_csv(matrix_table(code, names)), names).tolist() == code.tolist()


@given(matrices(), st.sampled_from([",", ";", "\t", " "]), st.randoms(use_true_random=False))
def test_separators_and_the_order_of_named_rows_do_not_matter(code, separator, random):
    names = ["pear", "fig", "plum", "kiwi", "lime", "nut"][: len(code)]
    lines = [separator.join([name, *map(str, row)]) for name, row in zip(names, code.tolist(), strict=True)]
    random.shuffle(lines)
    assert read_matrix("\n".join(lines), names).tolist() == code.tolist()


@given(matrices())
def test_lines_of_signs(code):
    names = NAMES[: len(code)]
    text = "\n".join("".join("-0+"[value + 1] for value in row) for row in code.tolist())
    assert read_matrix(text, names).tolist() == code.tolist()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no matrix in this text"),
        ("1,-1\n-1,1\n1,1", "3 rows but the data have 2 classes"),
        ("1,-1\n-1", "Line 2 has 1 entries but the first row has 2"),
        ("1,0.5\n-1,1", "Line 1, entry 2 is '0.5'"),
        ("1,\n-1,1", "Line 1, entry 2 is ''"),
        ("a,1,-1\nc,-1,1", "A row is called 'c'"),
        ("a,1,-1\na,-1,1", "A row is called 'a'"),
        ('"a,1,-1\n"b,-1,1', "quotation mark"),
        ("1," * 3_000 + "1\n" + "1," * 3_000 + "1", "3,001 columns"),
        ("1" * 2_000_000, "2,000,000 characters"),
        ("<script>alert(1)</script>\nx", "entry"),
        ("\x00\x01\n\x02", "entry"),
    ],
)
def test_anything_else_is_refused_in_one_sentence(text, said):
    with pytest.raises(ValueError, match=r"\A[^\n]*\Z") as refusal:
        read_matrix(text, ["a", "b"])
    assert said in str(refusal.value)


def test_names_that_look_like_entries():
    # The first column is the classes' names, unless it could be a machine's column.
    assert read_matrix("1,-1\n0,1", ["0", "1"]).tolist() == [[1], [-1]]
    assert read_matrix("1,-1\n-1,1", ["-1", "1"]).tolist() == [[1, -1], [-1, 1]]
    assert read_matrix("class,m\n1,-1\n0,1", ["0", "1"]).tolist() == [[1], [-1]]
    # Names of somebody's own leave the rows in their order.
    assert read_matrix("row one;1\nrow two;-1", ["a", "b"]).tolist() == [[1], [-1]]


@pytest.mark.parametrize("key", CODINGS)
def test_a_coding_in_a_link(key):
    assert read_coding(write_coding(choose("coding", key))) == choose("coding", key)


def test_a_coding_in_a_link_keeps_its_parameters_and_refuses_others():
    packed = pack_matrix(build_code("one-vs-one", 4))
    for key, params in (("custom", {"matrix": packed}), ("dense-random", {"n_bits": 9})):
        choice = choose("coding", key, params)
        assert read_coding(write_coding(choice)) == choice
    for text in ("", "x", "one-vs-all?x=1", "dense-random?n_bits=many", "dense-random?" + "a=1&" * 90):
        assert read_coding(text) is None


def test_the_points_of_each_class_are_those_the_model_is_trained_on():
    for split in ("hold-out", ("k-fold", {"n_folds": 3})):
        scenario = make_scenario(data=SMALL, split=split)
        trained = train(scenario)
        problem = problem_of(scenario)
        assert problem.classes == trained.classes
        truth = trained.shown.prepared.y_train.tolist()
        assert problem.counts.tolist() == [truth.count(c) for c in range(4)]
        code = plain_code(scenario, problem)
        assert code.editable and not is_learned(scenario)
        assert code.code_matrix.tolist() == trained.code_matrix.tolist()


def test_a_learned_code_is_the_one_that_all_pages_use():
    scenario = make_scenario(data=SMALL, coding="decoc", seed=3)
    shares = []
    code = learn_code(scenario, shares.append)
    assert is_learned(scenario) and plain_code(scenario, problem_of(scenario)) is None
    assert code.code_matrix.tolist() == train(scenario).code_matrix.tolist()
    assert code.design.kind == "tree" and len(code.design.story) == 3
    assert shares and max(shares) <= 1


@pytest.mark.parametrize("coding", ["decoc", "jecoc", "optimal-code"])
def test_a_job_that_nobody_waits_for_ends_in_mid_search(coding):
    scenario, jobs, heard = make_scenario(data="glass", coding=coding), Jobs(1), []

    def work(told):
        def progress(share):
            heard.append(share)
            if share > 0:
                jobs.leave("code", "me")
            told.progress(share)

        return learn_code(scenario, progress)

    jobs.start("code", work, "me")
    assert jobs.wait("code").state is JobState.CANCELLED
    assert 0 < heard[-1] < 0.5 and not any(heard[:-1])
    jobs.close()


def test_a_class_in_parts_has_a_row_each():
    data = ("spirals", {"n_samples": 150})
    code = learn_code(make_scenario(data=data, coding="subclass-ecoc"))
    assert not code.editable
    assert len(code.names) == len(set(code.names)) == code.code_matrix.shape[0] > 3
    truth = train(make_scenario(data=data)).shown.prepared.y_train.tolist()
    for c in range(3):
        assert code.counts[code.classes == c].sum() == truth.count(c)
    assert part_names(("a", "b"), np.array([1, 0, 1])) == ("b, part 1", "a", "b, part 2")


def test_real_codewords_stand_beside_the_code_they_came_from():
    scenario = make_scenario(data=SMALL, reduction="continuous-code")
    code = learn_code(scenario)
    assert code.code_matrix.tolist() == build_code("one-vs-all", 4).tolist()
    assert code.weights.shape == (4, 4) and not np.isin(code.weights, (-1, 0, 1)).all()


def test_parts_of_a_class_share_its_real_codeword():
    data = ("spirals", {"n_samples": 150})
    code = learn_code(make_scenario(data=data, coding="subclass-ecoc", reduction="continuous-code"))
    assert len(code.names) > 3 and code.weights.shape == code.code_matrix.shape
    assert np.isfinite(code.weights).all()
    shared = [np.unique(code.weights[code.classes == c], axis=0) for c in range(3)]
    assert [len(rows) for rows in shared] == [1, 1, 1]
    assert len(np.unique(code.weights, axis=0)) == 3


def test_machines_trained_with_the_code_may_begin_with_a_learned_one():
    reduction = ("continuous-code", {"interleave": "joint", "rounds": 1})
    code = learn_code(make_scenario(data=SMALL, coding="decoc", reduction=reduction, seed=3))
    plain = learn_code(make_scenario(data=SMALL, coding="decoc", seed=3))
    assert code.code_matrix.shape == plain.code_matrix.shape == code.weights.shape == (4, 3)
    assert set(np.unique(code.code_matrix)) <= {-1, 0, 1} and code.design.kind == "tree"


def test_a_reduction_without_a_code_still_lets_one_be_learned():
    scenario = make_scenario(data=SMALL, coding="decoc", reduction="support-pattern")
    assert learner(scenario).reduction.key == "ecoc"
    assert learn_code(scenario).code_matrix.shape == (4, 3)
    assert train(scenario).code_matrix.shape == (4, 0)


def test_measures_and_pairs():
    problem = problem_of(make_scenario(data=SMALL))
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
