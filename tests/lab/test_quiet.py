"""What is logged of errors: the marker stands for what a visitor brought, and must never be seen."""

import logging
import subprocess
import sys
import textwrap

import pytest

from ecocviz.lab import quiet
from ecocviz.lab.quiet import hushed, last_place, places

MARK = "MARKER-of-a-visitor"


def record_of(log):
    """Return the record that a call makes, hushed while its caller is still there."""
    made = []
    usual = logging.getLogRecordFactory()
    logging.setLogRecordFactory(lambda *given, **more: made.append(hushed(usual(*given, **more))) or made[-1])
    try:
        log(logging.getLogger("quiet-test"))
    finally:
        logging.setLogRecordFactory(usual)
    (record,) = made
    return logging.Formatter().format(record)


@pytest.fixture(autouse=True)
def heard(caplog):
    caplog.set_level(logging.DEBUG, "quiet-test")


def fails():
    try:
        {}[MARK]
    except KeyError as error:
        raise ValueError(f"no {MARK}") from error


def raised():
    try:
        fails()
    except ValueError as error:
        return error


def test_a_constant_message_stays():
    assert record_of(lambda log: log.error("All is lost.")) == "All is lost."
    assert (
        record_of(lambda log: log.warning("A long message in two pieces.")) == "A long message in two pieces."
    )


def test_values_are_left_out_but_for_numbers():
    told = record_of(lambda log: log.warning("%s has %d rows, %.1f of %r", MARK, 7, 0.5, {"a": MARK}))
    assert told == "… has 7 rows, 0.5 of '…'"
    assert record_of(lambda log: log.warning("%(name)s", {"name": MARK})) == "%(name)s"
    assert record_of(lambda log: log.warning("%d rows", MARK)) == "%d rows"


def test_a_message_that_was_put_together_is_left_out():
    for made in (f"no {MARK}", MARK + "!", raised(), MARK.upper()):
        told = record_of(lambda log, made=made: log.error(made))
        assert MARK not in told
        assert told.startswith("(a message of ")


def test_of_an_exception_kind_and_places_are_told():
    told = record_of(lambda log: log.error("It failed.", exc_info=raised()))
    assert MARK not in told
    first, *lines = told.splitlines()
    assert first == "It failed."
    assert lines[0] == "ValueError"
    assert any(line.endswith("in fails") for line in lines)
    assert "after KeyError" in lines


def test_stacks_and_what_servers_attach_are_left_out():
    told = record_of(lambda log: log.warning("Here.", stack_info=True, extra={"color_message": MARK}))
    assert told == "Here."


def test_notes_and_groups_are_left_out():
    error = ExceptionGroup(MARK, [raised()])
    error.add_note(MARK)
    assert places(error) == "ExceptionGroup"


def test_where_an_error_was_raised():
    assert last_place(raised()).startswith("tests/lab/test_quiet.py:") or "test_quiet.py" in last_place(
        raised()
    )
    assert last_place(ValueError(MARK)) == ""


def test_errors_are_counted_with_kind_and_place(monkeypatch):
    monkeypatch.setattr(quiet, "ERRORS", type(quiet.ERRORS)(maxlen=3))
    usual, before = logging.getLogRecordFactory(), quiet.Counted.total
    quiet.watch_errors(quiet=False)
    quiet.watch_errors(quiet=False)  # twice is no more than once
    try:
        log = logging.getLogger("quiet-test")
        log.warning("Not yet.")
        log.error("Now.", exc_info=raised())
        log.error("%s", MARK)
    finally:
        logging.setLogRecordFactory(usual)
    assert quiet.Counted.total - before == 2
    assert [error["kind"] for error in quiet.ERRORS] == ["ValueError", "error"]
    assert MARK not in repr(quiet.ERRORS)


def test_nothing_of_a_process_says_what_an_exception_says():
    """All the ways in which a process complains, in one that was told to be quiet."""
    code = f"""
        import asyncio, gc, logging, threading, warnings
        from ecocviz.lab.quiet import watch_errors
        watch_errors(quiet=True)

        def fail(*_):
            raise ValueError("{MARK}")

        class Bad:
            def __del__(self):
                fail()

        threading.Thread(target=fail).start()
        Bad()
        gc.collect()
        warnings.warn("{MARK}")
        logging.getLogger("other").error("said", exc_info=ValueError("{MARK}"))
        mark = "{MARK}"
        logging.error(f"no {{mark}}")

        async def lost():
            asyncio.ensure_future(failing())
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            gc.collect()

        async def failing():
            fail()

        asyncio.run(lost())
        gc.collect()
        fail()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert MARK not in done.stdout + done.stderr
    for told in (
        "A thread ended by an error: ValueError",
        "An error that could not be raised: ValueError",
        "UserWarning at ",
        "said\nValueError",
        "This process ends by an error: ValueError",
    ):
        assert told in done.stderr
