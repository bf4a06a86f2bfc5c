"""Trellis codes: their graph against one that is walked by hand, their decoder against all codewords."""

import numpy as np
import oracles_codes as oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from strategies import examples

from ecocviz import ECOCClassifier, KernelMachine
from ecocviz.engine.catalogue import CODINGS, DECODINGS, build_code
from ecocviz.engine.entries import BoundRule
from ecocviz.engine.kernels.trellis import sums_in_order
from ecocviz.engine.losses import exponential_loss
from ecocviz.engine.params import complete
from ecocviz.engine.trellis import Trellis, trellis

SIZES = [(2, 2), (3, 2), (3, 7), (8, 2), (9, 3), (26, 2), (26, 5), (105, 2), (105, 11), (1000, 10), (4097, 2)]


def walked(graph):
    """All paths as sets of edges, in the order in which each vertex lists its edges."""
    sink = len(graph.starts) - 2
    found, waiting = [], [(0, ())]
    while waiting:
        vertex, path = waiting.pop()
        if vertex == sink:
            found.append(path)
            continue
        edges = range(graph.starts[vertex + 1] - 1, graph.starts[vertex] - 1, -1)
        waiting += [(graph.heads[edge], (*path, edge)) for edge in edges]
    return found


@pytest.mark.parametrize(("K", "width"), SIZES)
def test_the_codewords_are_all_paths_once(K, width):
    graph = trellis(K, width)
    paths = walked(graph)
    assert len(paths) == len(set(paths)) == K
    expected = np.full((K, graph.n_edges), -1)
    for c, path in enumerate(paths):
        expected[c, list(path)] = 1
    always = (expected == 1).all(axis=0)
    assert (graph.shared == always).all()
    assert (graph.codewords() == expected[:, ~always]).all()
    if K > 2:
        assert (build_code("trellis", K, width=width) == expected[:, ~always]).all()
        assert CODINGS["trellis"].n_bits(K, width=width) == (~always).sum()


@pytest.mark.parametrize(("K", "n_edges"), [(105, 28), (1000, 42), (12_294, 56), (11_947, 61)])
def test_width_two_is_the_graph_that_the_paper_builds_on(K, n_edges):
    # Two edges from the source, four between slices, three behind the last, one for each further digit 1.
    digits = f"{K:b}"
    assert trellis(K).n_edges == 2 + 4 * (len(digits) - 2) + 2 + 1 + digits[1:].count("1") == n_edges


@pytest.mark.parametrize("width", [2, 3, 10])
def test_machines_grow_with_the_logarithm_of_the_classes(width):
    ends = [trellis(K, width).n_edges / np.log(K) for K in (1_000, 100_000)]
    assert 0.6 < ends[1] / ends[0] < 1.6


@given(st.integers(2, 300), st.integers(2, 12))
@examples(20)
def test_any_two_paths_differ_in_three_edges_at_least(K, width):
    graph = trellis(K, width)
    assert graph.heads[-1] == graph.starts.size - 2  # the sink
    code_matrix = graph.codewords()
    with_shared = np.column_stack([code_matrix, np.ones((K, int(graph.shared.sum())), dtype=np.int8)])
    gram = with_shared.astype(int) @ with_shared.T
    np.fill_diagonal(gram, -graph.n_edges)
    assert (graph.n_edges - gram.max()) / 2 >= 3


@given(st.integers(2, 80), st.integers(2, 6), st.integers(0, 99))
def test_the_shortest_path_is_the_cheapest_codeword_the_first_of_several(K, width, seed):
    graph = trellis(K, width)
    code_matrix = graph.codewords()
    costs = np.random.default_rng(seed).integers(0, 3, size=(2, 5, code_matrix.shape[1])).astype(float)
    plus, minus = costs
    every = plus @ (code_matrix == 1).T + minus @ (code_matrix == -1).T  # whole numbers: ties are exact
    assert graph.nearest(plus, minus).tolist() == every.argmin(axis=1).tolist()


def added_in_order(plus, minus, code_matrix):
    """The costs as they are defined: a sum from the first column to the last."""
    costs = np.zeros((len(plus), len(code_matrix)))
    for b, column in enumerate(code_matrix.T):
        costs += np.where(column[None, :] > 0, plus[:, [b]], minus[:, [b]])
    return costs


@given(
    st.integers(2, 80),
    st.integers(2, 6),
    st.integers(0, 2**32 - 1),
    st.sampled_from([3, 40, 300]),
    st.booleans(),
)
@examples(60)
def test_huge_losses_swallow_no_others(K, width, seed, reach, signed):
    graph, rng = trellis(K, width), np.random.default_rng(seed)
    code_matrix = graph.codewords()
    shape = (2, 20, code_matrix.shape[1])
    losses = rng.integers(1, 4, shape) * 10.0 ** rng.integers(-reach, reach + 1, shape)
    losses *= rng.choice([-1.0, 1.0], shape) if signed else 1.0
    losses[:, -4:] = np.where(rng.random((2, 4, shape[2])) < 0.2, np.inf, losses[:, -4:])
    every = added_in_order(*losses, code_matrix)
    assert graph.nearest(*losses).tolist() == every.argmin(axis=1).tolist()
    assert (sums_in_order(*losses, code_matrix.T.copy()) == every).all()


def test_sums_that_rounding_makes_equal_go_to_the_first():
    """A path that is ahead by little is no longer so where a huge loss comes later."""
    graph = trellis(8)
    code_matrix = graph.codewords()
    plus, minus = np.zeros((2, 1, code_matrix.shape[1]))
    plus[0, :2] = 1.0, 0.0  # the second half of the classes is ahead
    plus[0, -1] = minus[0, -1] = 1e20
    assert graph.nearest(plus, minus).tolist() == [0]
    plus[0, -1] = minus[0, -1] = 0.0
    assert graph.nearest(plus, minus)[0] == added_in_order(plus, minus, code_matrix).argmin() > 0


def entries_apart(key):
    """Whether a decoder charges for each entry of a codeword by itself."""
    decoding = DECODINGS[key]
    params = complete(decoding.params, {})
    return decoding.terms is not None and decoding.bound_rule(params) is BoundRule.BORDERS


LOSSES = [key for key in DECODINGS if entries_apart(key) and not DECODINGS[key].needs]


@pytest.mark.parametrize("key", LOSSES)
@pytest.mark.parametrize(("K", "width"), [(3_000, 2), (5_000, 7)])
def test_thousands_of_classes_are_decoded_as_by_comparing_all(key, K, width):
    graph = trellis(K, width)
    code_matrix = graph.codewords()
    scores = np.random.default_rng(K).normal(size=(60, code_matrix.shape[1]))
    params = complete(DECODINGS[key].params, {})
    every = DECODINGS[key].costs(scores, code_matrix, None, **params)
    sides = np.repeat([[1], [-1]], code_matrix.shape[1], axis=1).astype(np.int8)
    terms = DECODINGS[key].terms(scores, sides, None, **params)
    found = graph.nearest(terms[:, 0], terms[:, 1])
    least = every.min(axis=1)
    assert np.allclose(every[np.arange(60), found], least, rtol=1e-12)
    clear = np.partition(every, 1, axis=1)[:, 1] - least > 1e-9 * np.abs(least)
    assert (found[clear] == every.argmin(axis=1)[clear]).all()
    if DECODINGS[key].hard:
        assert (found == every.argmin(axis=1)).all()
    else:
        assert clear.mean() > 0.9


def test_losses_of_the_paper_are_among_them():
    assert {"hamming", "exponential", "linear", "soft-margin"} <= set(LOSSES)


def classifier():
    machine = KernelMachine(C=10.0)
    return ECOCClassifier("trellis", coding_params={"width": 3}, machine=machine, random_state=0)


def test_two_classes_take_one_machine():
    scores = np.array([[0.5], [-0.5], [0.0]])
    assert CODINGS["trellis"].nearest(2, np.exp(-scores), np.exp(scores)).tolist() == [1, 0, 0]
    X, y = make_blobs(60, centers=2, random_state=0)
    model = ECOCClassifier("trellis", decoding="hamming").fit(X, y)
    assert (model.predict(X) == model.costs(X).argmin(axis=1)).all() and model.score(X, y) > 0.9


@pytest.fixture(scope="module")
def blobs():
    X, y = make_blobs(400, n_features=3, centers=40, cluster_std=1.2, random_state=0)
    model = ECOCClassifier(
        "trellis", coding_params={"width": 3}, machine=KernelMachine(C=10.0), random_state=0
    )
    return X, y, model.fit(X, y)


@pytest.mark.parametrize(
    "key", [*filter(entries_apart, DECODINGS), "loss-weighted-linear", "inverse-hamming"]
)
def test_a_classifier_predicts_the_class_of_least_cost(blobs, key):
    X, _, model = blobs
    assert (model.predict(X, key) == model.costs(X, key).argmin(axis=1)).all()


def test_a_classifier_whose_losses_are_huge_scores_what_its_costs_say():
    X, y = make_blobs(200, n_features=2, centers=24, random_state=1)
    machine = KernelMachine("poly", C=1.0, tol=0.1)
    model = ECOCClassifier("trellis", decoding="exponential", machine=machine).fit(X / 10, y)
    far = X * np.geomspace(0.1, 3, 200)[:, None]
    scores, costs = model.scores(far), model.costs(far)
    assert np.abs(scores).max() > 40  # beside the largest loss, one of 1 is rounded away
    assert (model.predict(far) == costs.argmin(axis=1)).all()
    sides = exponential_loss(scores), exponential_loss(-scores)
    assert (costs == added_in_order(*sides, model.code_matrix_)).all()


def test_a_classifier_takes_the_path_where_it_may(blobs, monkeypatch):
    X, y, model = blobs
    assert model.score(X, y) > 0.7
    calls = []
    nearest = Trellis.nearest
    monkeypatch.setattr(Trellis, "nearest", lambda *args: calls.append(args) or nearest(*args))
    model.predict(X, "exponential")
    assert len(calls) == 1 and calls[0][1].shape == (400, model.code_matrix_.shape[1])
    model.predict(X, "loss-weighted-linear")  # weighs each class's machines differently
    model.costs(X, "exponential")
    ECOCClassifier(model.code_matrix_, machine=KernelMachine(), decoding="hamming").fit(X, y).predict(X)
    assert len(calls) == 1


def test_labels_are_those_of_the_data(blobs):
    X, y, model = blobs
    words = np.array([f"class {c:02d}" for c in range(40)])
    named = ECOCClassifier(
        "trellis", coding_params={"width": 3}, machine=KernelMachine(C=10.0), random_state=0
    )
    assert (named.fit(X, words[y]).predict(X) == words[model.predict(X)]).all()


def test_a_hundred_thousand_classes_have_a_code():
    code_matrix = build_code("trellis", 100_000)
    assert code_matrix.shape == (100_000, 2 + 4 * 15 + 2 + 1 + f"{100_000:b}"[1:].count("1"))
    some = code_matrix[::9_999]
    assert oracles.smallest_row_distance(some.tolist()) >= 3


@pytest.mark.parametrize("weight", [np.inf, np.nan])
def test_a_walk_ends_where_no_edge_costs_a_number(weight):
    graph = trellis(13, 2)
    n_bits = graph.codewords().shape[1]
    plus = np.vstack([np.full(n_bits, weight), np.where(np.arange(n_bits) % 2, 1.0, -1.0)])
    found = graph.nearest(plus, np.zeros_like(plus))
    assert 0 <= found[0] < 13
    assert found[1] == graph.nearest(plus[1:], np.zeros((1, n_bits)))[0]
