"""Files of the store that are old, new, damaged or none; disks that are full, read-only or taken away."""

import os
import shutil
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from types import SimpleNamespace
from unittest.mock import create_autospec

import psutil
import pytest
from fault_tools import may_mount, told_by
from store_tools import VERSION_1, in_sql
from waiting import until

from ecocviz.lab import store_file, store_rows
from ecocviz.lab.store import Store, StoreError, open_store

ABOUT = {"scenario": {"v": "1", "data": "glass"}}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.sqlite3"


# Modes -----------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_nobody_else_may_read_the_store_nor_what_was_set_aside(path):
    damaged = path.with_name("runs-damaged-2026-01-01-000000")

    def modes():
        store = Store(path)
        store.begin("run", "Mine", ABOUT, 1)
        parts = [path.with_name(path.name + part) for part in store_file.PARTS]
        found = {file.name: file.stat().st_mode & 0o777 for file in (*parts, damaged)}
        store.close()
        return found

    before = os.umask(0o022)
    try:
        damaged.touch()
        assert set(modes().values()) == {0o600}
        for file in path.parent.iterdir():
            file.chmod(0o644)  # as older versions left it
        assert set(modes().values()) == {0o600}
    finally:
        os.umask(before)


# Versions --------------------------------------------------------------------------------------------


def test_a_file_of_version_1_is_brought_up_to_date_and_keeps_all(path):
    in_sql(path, VERSION_1)
    for _ in range(2):
        store = Store(path)
        assert (store.problem, store.notes) == (None, ())
        first, second, third = store.runs(recent=False)  # what it had counts as asked for
        assert (first.id, first.name, first.state, first.pinned) == (4, "mine", "stopped", True)
        assert (first.n_points, first.n_done, first.data) == (9, 2, ("iris",))
        assert (first.began, first.touched, first.seconds) == (1.5, 2.5, 3.5)
        assert (second.id, second.owner, second.data, second.n_done) == (7, "ann", ("glass",), 0)
        assert first.n_bytes == len('{"over":{"data":["iris"]},"scenario":{"v":"1"}}') + 2 + 25 + 7
        assert (third.about, third.damaged, third.data) == ({}, True, ())
        assert list(store.known(4).items()) == [("b", {"x": 0.1 + 0.2}), ("a", {"x": 1})]
        store.close()
    assert store.begin("run", "New", ABOUT, 1) == 9
    store.close()
    assert [each.name for each in path.parent.iterdir()] == ["runs.sqlite3"]


def test_a_step_that_fails_leaves_the_old_version(path, monkeypatch):
    in_sql(path, VERSION_1)

    def fail(_db):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store_file, "STEPS", (*store_file.STEPS, fail))
    assert Store(path).problem == "Runs are not kept: the disk is full; make room on it."
    monkeypatch.undo()
    store = Store(path)
    assert store.problem is None and len(store.runs()) == 3
    store.close()


def test_a_file_of_a_newer_version_is_left_alone(path):
    Store(path).close()
    in_sql(path, "PRAGMA user_version = 99; CREATE TABLE more (x)")
    before = path.read_bytes()
    store = Store(path)
    assert f"{path}, was written by a newer ecocviz and is left alone" in store.problem
    number = store.begin("run", "A run", ABOUT, 1)  # kept in memory
    store.add(number, "x", {"y": 1})
    assert store.known(number) == {"x": {"y": 1}} and store.problem is not None
    store.close()
    assert store.known(number) == {"x": {"y": 1}}
    assert path.read_bytes() == before and store.notes == ()


# Damage ----------------------------------------------------------------------------------------------


def garbage(path):
    path.write_bytes(os.urandom(5_000))


def beheaded(path):
    path.write_bytes(os.urandom(100) + path.read_bytes()[100:])


def scrambled(path):
    content = path.read_bytes()
    path.write_bytes(content[:4096] + os.urandom(len(content) - 4096))


def cut_short(path):
    path.write_bytes(path.read_bytes()[:4097])


def foreign(path):
    path.unlink()
    in_sql(path, "CREATE TABLE bookmarks (url)")


def folder(path):
    path.unlink()
    path.mkdir()
    (path / "inside").touch()


@pytest.mark.parametrize("harm", [garbage, beheaded, scrambled, cut_short, foreign, folder])
def test_a_damaged_file_is_set_aside(path, harm):
    store = Store(path)
    number = store.begin("run", "A run", ABOUT, 1)
    store.add(number, "x", {"y": "z" * 9_000})
    store.close()
    harm(path)
    before = path.read_bytes() if path.is_file() else None
    store = Store(path)
    assert store.runs() == [] and store.problem is None
    [note] = store.notes
    assert note.startswith("The store of runs was damaged. It was set aside as ")
    number = store.begin("run", "A run", ABOUT, 1)
    store.add(number, "x", {})
    store.close()
    [aside] = [each for each in path.parent.iterdir() if each.name.startswith("runs-damaged-2")]
    assert str(aside) in note
    assert aside.is_dir() if before is None else aside.read_bytes() == before
    store = Store(path)
    assert store.known(number) == {"x": {}} and store.notes == ()
    store.close()


@pytest.mark.parametrize("content", [b"", None])
def test_an_empty_file_and_none_are_a_new_store(path, content):
    if content is not None:
        path.write_bytes(content)
    store = Store(path)
    assert store.runs() == [] and (store.problem, store.notes) == (None, ())
    store.close()


def test_damage_that_shows_later_is_set_aside_then(path):
    store = Store(path)
    number = store.begin("sweep", "A sweep", ABOUT, 2)
    store.add(number, "x", {"y": "z" * 9_000})
    store.close()
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    store = Store(path)

    def use():
        for k in range(3):
            store.add(number, f"{k}", {"y": "z" * 9_000})
            store.known(number)

    with pytest.raises(StoreError, match=f"There is no run {number};"):
        use()
    assert len(store.notes) == 1 and store.problem is None
    assert store.begin("sweep", "A sweep", ABOUT, 2) == 1
    store.close()


def test_two_that_find_the_same_damage_set_it_aside_once(path):
    garbage(path)
    seen = store_file.identity(path)
    assert store_file.set_aside(path, seen)
    Store(path).close()
    assert store_file.set_aside(path, seen) is None
    assert len([*path.parent.glob("runs-damaged-*")]) == 1 and path.exists()


def test_files_set_aside_in_one_second_do_not_meet(path):
    for _ in range(4):
        garbage(path)
        assert store_file.set_aside(path, store_file.identity(path))
    assert len([*path.parent.glob("runs-damaged-*")]) == 4


def test_a_file_removed_while_it_is_used_is_made_again(path):
    store = Store(path)
    number = store.begin("run", "A run", ABOUT, 1)
    for part in store_file.PARTS:
        path.with_name(f"{path.name}{part}").unlink()
    assert store.runs() == []
    with pytest.raises(StoreError, match=f"There is no run {number};"):
        store.add(number, "x", {})
    store.add(store.begin("run", "A run", ABOUT, 1), "x", {})
    store.close()
    assert Store(path).runs()[0].n_done == 1


# Folders and disks -----------------------------------------------------------------------------------


def test_a_data_folder_that_is_a_file(tmp_path, monkeypatch):
    (tmp_path / "home").write_text("not a folder")
    for place in ("", "below/that"):
        monkeypatch.setenv("ECOCVIZ_HOME", str(tmp_path / "home" / place))
        store = open_store()
        assert store.problem == (
            "Runs are not kept: the data folder is a file; name another folder in ECOCVIZ_HOME."
        )
        store.add(store.begin("run", "A run", ABOUT, 1), "x", {})
        assert store.runs()[0].n_done == 1


def test_a_data_folder_that_disappears_is_made_again(tmp_path):
    store = Store(tmp_path / "home" / "runs.sqlite3")
    store.begin("run", "A run", ABOUT, 1)
    shutil.rmtree(tmp_path / "home")
    store.begin("run", "A run", ABOUT, 1)
    assert len(store.runs()) == 1
    store.close()


def test_another_program_that_holds_the_file_is_said(path, monkeypatch):
    monkeypatch.setattr(store_file, "BUSY_SECONDS", 0.01)
    store = Store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="another program is holding the store of runs; end it"):
            store.begin("run", "A run", ABOUT, 1)
        assert "another program" in store.problem
        other.execute("ROLLBACK")
    store.begin("run", "A run", ABOUT, 1)
    assert store.problem is None
    store.close()


def test_who_waits_for_another_program_lets_others_look_and_writes_when_it_is_gone(path):
    store = Store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other, ThreadPoolExecutor(1) as pool:
        other.execute("BEGIN IMMEDIATE")
        written = pool.submit(store.begin, "run", "A run", ABOUT, 1)
        until(lambda: store.problem)
        assert store.runs() == [] and not written.done()
        other.execute("ROLLBACK")
        assert written.result() == 1 and store.problem is None
    store.close()


def test_a_link_to_a_damaged_file_stays_and_the_file_is_set_aside_where_it_is(path, tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / "mine.sqlite3").write_bytes(b"not ours" * 100)
    path.symlink_to(tmp_path / "disk" / "mine.sqlite3")
    store = Store(path)
    assert "It was set aside as" in store.notes[0] and path.is_symlink()
    store.begin("run", "A run", ABOUT, 1)
    store.close()
    aside, new = sorted((tmp_path / "disk").glob("mine*"))
    assert aside.read_bytes() == b"not ours" * 100 and len(Store(new).runs()) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells ticks")
def test_a_process_is_known_after_the_clock_was_set(monkeypatch):
    mine = store_rows._this_process(os.getpid())
    boot = psutil.boot_time()
    monkeypatch.setattr(psutil._pslinux, "boot_time", lambda: boot + 500)  # as it says after that
    assert not store_rows._is_gone(mine)
    assert store_rows._is_gone(mine[:-1] + "x")


def test_a_full_file_is_said_and_what_was_there_stays(path):
    store = Store(path)
    number = store.begin("sweep", "A sweep", ABOUT, 2)
    store.add(number, "x", {})
    store._do(lambda db: db.execute("PRAGMA max_page_count = 20").fetchall())
    with pytest.raises(StoreError, match=r"^Runs are not kept: the disk is full; make room on it\.$"):
        store.add(number, "y", {"y": "z" * 100_000})
    assert store.known(number) == {"x": {}} and "disk is full" in store.problem
    store.add(number, "y", {})
    assert store.problem is None
    store.close()


@pytest.mark.parametrize("kind, journal", [("nfs4", "delete"), ("ext4", "wal")])
def test_a_disk_of_several_computers_is_written_without_shared_memory(path, monkeypatch, kind, journal):
    at = ("/", str(path.parent), str(path.parent / "deeper"), "/elsewhere")
    kinds = ("tmpfs", kind, "nfs", "cifs")
    disks = [
        SimpleNamespace(mountpoint=place, fstype=each, opts="rw")
        for place, each in zip(at, kinds, strict=True)
    ]
    monkeypatch.setattr(
        psutil, "disk_partitions", create_autospec(psutil.disk_partitions, return_value=disks)
    )
    store = Store(path)
    number = store.begin("run", "A run", ABOUT, 1)
    store.add(number, "x", {})
    assert store._do(lambda db: db.execute("PRAGMA journal_mode").fetchone()) == (journal,)
    others = [each.name for each in path.parent.iterdir() if each != path]
    assert bool(others) == (journal == "wal")
    store.close()
    assert Store(path).known(number) == {"x": {}}


@pytest.mark.skipif(not may_mount(), reason="this system lets no program mount a disk of its own")
def test_a_disk_that_is_full_read_only_or_taken_away(tmp_path):
    told_by("store_on_disks.py", tmp_path, alone=True)
