"""The sets of OpenML that are kept, when the n-th file operation fails."""

import errno
import shutil
import warnings

import pytest
from fault_tools import age, note, pick
from openml_answers import answering

from ecocviz.data import uploads
from ecocviz.data.openml import fetch
from ecocviz.data.upload_store import LEFTOVER_SECONDS
from scripts.faulty import Faults


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
@pytest.mark.parametrize(
    "error, why",
    [(errno.ENOSPC, "but the disk is full; make room"), (errno.EROFS, "but nothing may be written")],
    ids=["full", "read-only"],
)
def test_a_set_is_fetched_or_a_sentence_says_why_not(fresh_home, error, why, lasting):
    with answering(61):
        fetch(61)  # loads what reading needs
        n = n_faults = 0
        faults = None
        while faults is None or faults.happened:
            n += pick(3, 1)
            shutil.rmtree(fresh_home / "openml")
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore"
                )  # scikit-learn tells that it fetches again what it cannot read
                with Faults(n, error, lasting=lasting) as faults:
                    try:
                        told = fetch(61).name
                    except ValueError as refused:
                        told = str(refused)
                assert told == "iris" or why in told or told.endswith("; choose another."), told
                n_faults += faults.happened is not None
                assert len(fetch(61).labels) == 150
            for left in (fresh_home / "openml").glob("**/tmp????????"):
                age(left, 2 * LEFTOVER_SECONDS)
            uploads.tidy()
            uploads.tidy()
            assert not list((fresh_home / "openml").glob("**/tmp????????"))
        assert n_faults > pick(8, 24)
        note("file operations", operation="openml", lasting=lasting, faults=n_faults)
