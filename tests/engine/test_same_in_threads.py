"""Compiled loops hold no state: threads that run the same ones at the same time get the same bits."""

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from sklearn.datasets import make_blobs

import ecocviz
from ecocviz.engine.catalogue import DECODINGS

N_THREADS = 4
ESTIMATORS = {
    "ecoc": partial(ecocviz.ECOCClassifier, "one-vs-one", random_state=0),
    "joint": partial(ecocviz.JointECOCClassifier, random_state=0),
    "single": partial(ecocviz.SingleBinaryClassifier, random_state=0),
    "support": partial(ecocviz.SupportPatternClassifier, random_state=0),
    "continuous": partial(ecocviz.ContinuousCodeClassifier, random_state=0),
    "ddag": partial(ecocviz.DDAGClassifier, random_state=0),
}
X, Y = make_blobs(90, n_features=3, centers=4, cluster_std=2.5, random_state=1)


def digest(*arrays):
    hashed = hashlib.sha256()
    for array in arrays:
        hashed.update(np.ascontiguousarray(array).tobytes())
    return hashed.hexdigest()


def fitted(make):
    """Train, decide by every decoder that can; a digest of all that comes out."""
    model = make().fit(X, Y)
    costs = [model.costs(X, key) for key in DECODINGS] if make is ESTIMATORS["ecoc"] else [model.costs(X)]
    return digest(model.predict(X), *costs)


def together(work):
    """Do the same work in several threads that begin at once; return what each got."""
    start = threading.Barrier(N_THREADS)

    def begin():
        start.wait()
        return work()

    with ThreadPoolExecutor(N_THREADS) as pool:
        return [future.result() for future in [pool.submit(begin) for _ in range(N_THREADS)]]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_training_and_deciding_is_the_same_to_the_bit(name):
    alone = fitted(ESTIMATORS[name])
    assert set(together(lambda: fitted(ESTIMATORS[name]))) == {alone}


def test_different_trainings_at_once_do_not_touch_each_other():
    alone = {name: fitted(make) for name, make in ESTIMATORS.items()}
    for round_ in range(2):
        names = [list(ESTIMATORS)[(k + round_) % len(ESTIMATORS)] for k in range(N_THREADS)]
        with ThreadPoolExecutor(N_THREADS) as pool:
            found = dict(zip(names, pool.map(lambda name: fitted(ESTIMATORS[name]), names), strict=True))
        assert found == {name: alone[name] for name in names}
