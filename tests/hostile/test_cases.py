"""Hostile cases in their quick form, and that what judges them sees what is wrong."""

import re
import time
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from tests.hostile import cases
from tests.hostile.cases import Kind, case_of, collect, no_sentence, note
from tests.hostile.workers import Chunk, Form, Result, chunks, run

KINDS = collect()
QUICK = 1_500


def ran(asked, form):
    """Run chunks; return what was told, by kind and number."""
    told: dict[tuple[str, int], Result] = {}
    run(asked, form, lambda result: told.update({(result.kind, result.number): result}))
    return told


@pytest.mark.thorough
def test_no_case_fails():
    asked = chunks(list(KINDS.values()), QUICK)
    told = ran(asked, Form(n_workers=1))
    assert len(told) == sum(chunk.last - chunk.first for chunk in asked) >= QUICK - len(KINDS)
    assert not [result for result in told.values() if result.noted.failure]
    # Each kind gets through to what it is about; links open whatever they say.
    for name in KINDS:
        outcomes = Counter(result.noted.outcome for (kind, _), result in told.items() if kind == name)
        assert len(outcomes) > 1, (name, outcomes)
        assert outcomes["sentence"] < 0.97 * outcomes.total(), (name, outcomes)


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
@examples(20)
@given(random=st.randoms(use_true_random=False))
def test_cases_that_hypothesis_draws(kind, random):
    assert note(kind, kind.make(random)).failure == ""


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_a_case_is_made_from_its_number(kind):
    assert [case_of(kind, 0, k) for k in range(5)] == [case_of(kind, 0, k) for k in range(5)]
    assert len({case_of(kind, 0, k) for k in range(40)}) > 20
    assert case_of(kind, 1, 0) != case_of(kind, 0, 0) or case_of(kind, 1, 1) != case_of(kind, 0, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("This file is empty; choose another.", ""),
        ("This file is empty", "ends without a full stop"),
        ("One.\nTwo.", "has several lines"),
        ("a" * 400 + ".", "has 401 characters"),
        ("It is <pandas.core.Frame object at 0x7f1b2c3d4e5f>.", "shows an object"),
        ("Traceback (most recent call last).", "shows an object"),
    ],
)
def test_what_is_one_sentence(text, why):
    assert no_sentence(text) == why


def _refuses(_content):
    raise ValueError("no sentence")


def _breaks(_content):
    raise KeyError(3)


def _takes_memory(_content):
    return str(len(bytearray(600_000_000)))


def _takes_time(_content):
    start = time.process_time()
    while time.process_time() - start < 0.3:
        pass
    return "late"


@pytest.mark.parametrize(
    ("take", "failure"),
    [
        (lambda _: "fine", r"^$"),
        (_refuses, "ends without a full stop: no sentence"),
        (_breaks, "KeyError: 3"),
        (_takes_memory, r"took [56]\d\d MB"),
        (_takes_time, r"took 0\.[3-9]\d s"),
    ],
)
def test_what_a_case_may_not_do(monkeypatch, take, failure):
    monkeypatch.setattr(cases, "MOST_SECONDS", 0.2 if take is _takes_time else 2.0)
    kind = Kind(name="test", make=Random.randbytes, take=take)
    assert re.search(failure, note(kind, b"").failure)


DIES = """
import os
from tests.hostile.cases import Kind
def take(content):
    if content == {fatal!r}:
        os._exit(9)
    return "fine"
KIND = Kind(name="dies", make=lambda random: random.randbytes(8), take=take)
"""


def test_a_process_that_dies_is_one_failure_and_the_rest_goes_on(tmp_path, monkeypatch):
    kind = Kind(name="dies", make=lambda random: random.randbytes(8), take=bytes.hex)
    package = tmp_path / "fatal_kinds"
    package.mkdir()
    (package / "kind_dies.py").write_text(DIES.format(fatal=case_of(kind, 0, 7)), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    told = ran([Chunk("dies", 0, 20)], Form(n_workers=1, package=package.name))
    assert len(told) == 20
    failed = {number: result.noted for (_, number), result in told.items() if result.noted.failure}
    assert list(failed) == [7]
    assert (failed[7].outcome, failed[7].failure) == ("crash", "the process died with status 9")
