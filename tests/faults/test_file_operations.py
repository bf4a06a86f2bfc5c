"""Uploads when the n-th file operation fails, for every n; or when the process dies there."""

import errno
import os
import shutil

import pytest
from fault_tools import CSV, OTHER, TEST, age, cleaned_up, look_over, note, pick, sweep_out, told_by

from ecocviz.data import upload_store as store
from ecocviz.data import uploads
from ecocviz.data.uploads import UploadedFiles, bring, load, reopen, tidy
from scripts.faulty import ERRORS, Faults

MINE = UploadedFiles(content=CSV, filename="mine.csv", label="class", test=TEST, test_filename="more.csv")
OTHERS = UploadedFiles(content=OTHER, filename="others.csv")
MOST = 400
"""More operations than any of these has."""


@pytest.fixture(params=["unshared", "shared"])
def others(request, fresh_home, monkeypatch):
    """Someone else's upload, which nothing here may touch; return its name and the folder."""
    monkeypatch.setattr(os, "fsync", lambda _handle: None)  # nobody cuts the power here
    if request.param == "shared":
        monkeypatch.setenv("ECOCVIZ_SHARED", "1")
    name = bring(OTHERS, "other").name
    return name, fresh_home / "uploads"


@pytest.fixture
def every(others):
    """Run an operation with a fault at its first, second, ... file operation until none happens."""
    name, folder = others

    def run(operation, *, lasting, prepare=lambda: None):
        n_faults = 0
        for error in ERRORS.values() if pick(False, True) else [errno.ENOSPC, errno.EIO, errno.EACCES]:
            for n in range(1, MOST):
                prepare()
                with Faults(n, error, lasting=lasting) as faults:
                    told = operation()
                if faults.happened is None:
                    break
                n_faults += 1
                yield faults.happened, told
                assert reopen(digest=name).content == OTHER
                look_over(folder, leftovers=lasting)
                sweep_out(folder)
            else:
                pytest.fail(f"There is no end to the file operations: {MOST}.")
        note("file operations", operation=operation.__name__, lasting=lasting, faults=n_faults)

    return run


def sentence(work):
    """Return what `work` returns, or the one sentence that it raises: anything else is a failure."""
    try:
        return work()
    except ValueError as error:
        text = str(error)
        assert text.endswith((".", "unchanged).")) and "\n" not in text and "Errno" not in text, text
        return error


def brought():
    return sentence(lambda: bring(MINE, "me"))


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
def test_what_is_brought_is_kept_whole_or_refused_with_a_sentence(every, lasting):
    for _, told in every(brought, lasting=lasting):
        if isinstance(told, ValueError):
            assert "cannot be kept" in str(told)
        else:
            assert reopen(digest=told.name).test == TEST
        again = bring(MINE, "me").name  # and then it works
        assert load(digest=again).n_train == 3
        for kept in store.scan():  # so that the next has to be written again
            if "me" not in kept.name and uploads.is_kept_as(kept.name, MINE):
                store.remove(store.place_of(kept.name))


@pytest.mark.parametrize("others", ["unshared"], indirect=True)
def test_what_is_there_already_is_claimed_or_refused(every):
    bring(MINE, "me")
    for _, told in every(brought, lasting=True):
        assert not isinstance(told, ValueError) or "cannot be kept" in str(told)
        assert any(uploads.is_kept_as(kept.name, MINE) for kept in store.scan())


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
@pytest.mark.parametrize("read", [load, reopen])
def test_what_is_kept_is_read_or_a_sentence_says_why_not(every, read, lasting):
    name = bring(MINE, "me").name

    def again():
        uploads._open.cache_clear()
        uploads._read.cache_clear()
        return sentence(lambda: read(digest=name))

    for operation, told in every(again, lasting=lasting):
        if isinstance(told, ValueError):
            assert str(told).startswith("The kept copy of this uploaded file cannot be read just now ("), told
            assert operation != "utime"  # what cannot be written to can be read
        again_whole = read(digest=name)
        assert type(again_whole) is type(told) or isinstance(told, ValueError)


def test_making_room_takes_nothing_that_it_need_not_take(every, monkeypatch, others):
    name, folder = others
    size = sum(kept.n_bytes for kept in store.scan())

    def filled():
        for place in folder.iterdir():
            if place.name != name:
                shutil.rmtree(place)
        monkeypatch.setenv("ECOCVIZ_MAX_FOLDER_BYTES", "100000")
        bring(UploadedFiles(content=CSV + b"8,8,v\n", filename="old.csv"), "me")
        monkeypatch.setenv("ECOCVIZ_MAX_FOLDER_BYTES", str(size + 200))

    made_room = 0
    for _, told in every(brought, lasting=False, prepare=filled):
        if not isinstance(told, ValueError):
            assert reopen(digest=told.name).content == CSV
            made_room += len(list(folder.iterdir())) == 2
    assert made_room > 20


def test_what_has_expired_is_removed_now_or_the_next_time(every, others):
    name, folder = others

    def expired():
        age(folder / bring(MINE, "me").name, 90 * 86_400)
        store.touch(folder / name)

    tidy()
    for _ in every(tidy, lasting=False, prepare=expired):
        tidy()
        assert {place.name for place in folder.iterdir()} == {name}


def test_a_process_that_dies_at_any_operation_leaves_nothing_half_done(others):
    name, folder = others
    n_deaths = int(told_by("faults/dying.py", folder, pick("3", "1")))
    assert n_deaths > pick(8, 24)
    assert reopen(digest=name).content == OTHER
    look_over(folder, leftovers=True)
    cleaned_up(folder)
    note("killed at a file operation", deaths=n_deaths)
