"""Codes longer than pages draw: trained, decoded and reported; refused only where memory ends."""

import numpy as np
import pytest

from ecocviz import ECOCClassifier, KernelMachine, build_code, code_report
from ecocviz.engine import memory
from ecocviz.engine.catalogue import CODINGS, why_not_drawn
from ecocviz.engine.reductions._shared import decoded_classifier
from ecocviz.lab.run import fixed_code
from ecocviz.lab.scenario import make_scenario

N_CLASSES = 64
"""One class more than pages draw the pairs of."""


def made_up(n_classes=N_CLASSES, n_each=3):
    generator = np.random.default_rng(0)
    y = np.arange(n_each * n_classes) % n_classes
    return 3.0 * generator.normal(size=(n_classes, 8))[y] + generator.normal(size=(y.size, 8)), y


@pytest.fixture(scope="module")
def pairs():
    X, y = made_up()
    machine = KernelMachine(gamma=0.05, C=10.0)
    return X, y, ECOCClassifier("one-vs-one", decoding="hamming", machine=machine).fit(X, y)


def test_pairs_of_more_classes_than_pages_draw_are_trained(pairs):
    X, y, model = pairs
    assert model.code_matrix_.shape == (N_CLASSES, 2_016)
    assert model.columns_.converged.all()
    assert model.score(X, y) > 0.95
    assert code_report(model.code_matrix_).min_distance == 1
    with pytest.raises(ValueError, match=r"would take 2,016 machines .* pages and links hold 2,000"):
        fixed_code(make_scenario(coding="one-vs-one"), N_CLASSES)
    assert why_not_drawn(CODINGS["one-vs-one"], N_CLASSES - 1, {}) is None


@pytest.mark.parametrize("decoding", ["hamming", "linear", "voting", "logit", "euclidean", "laplacian"])
def test_every_decoder_reads_them_in_parts_as_at_once(pairs, decoding, monkeypatch):
    X, _, model = pairs
    whole = model.costs(X[:20], decoding)
    monkeypatch.setattr(decoded_classifier, "SCORES_BYTES", 1)
    monkeypatch.setattr(decoded_classifier, "CHUNK", 7)
    np.testing.assert_allclose(model.costs(X[:20], decoding), whole, rtol=1e-9, atol=1e-9)


def test_what_memory_does_not_hold_is_refused_with_a_sentence(pairs, monkeypatch):
    X, y, model = pairs
    monkeypatch.setattr(memory, "available_memory", lambda: 1 << 20)
    monkeypatch.setattr(memory, "LITTLE", 0)
    with pytest.raises(ValueError, match=r"499,500 machines for 1,000 classes needs .* GiB, and only"):
        build_code("one-vs-one", 1_000)
    with pytest.raises(ValueError, match=r"Training 2,016 machines on 192 points needs .* fewer machines"):
        ECOCClassifier(model.code_matrix_, machine=model.machine).fit(X, y)
