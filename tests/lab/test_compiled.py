"""Compiled code goes to a folder of its own where it could be written nowhere else."""

import errno
import os
from pathlib import Path

import pytest

from ecocviz.lab import compiled


@pytest.fixture(autouse=True)
def unset(monkeypatch, tmp_path):
    monkeypatch.setenv(compiled.VARIABLE, "")
    monkeypatch.setattr(compiled.tempfile, "tempdir", str(tmp_path))


def test_where_it_can_be_written_nothing_changes():
    compiled.find_room_for_compiled()
    assert os.environ[compiled.VARIABLE] == ""


def test_where_it_cannot_it_goes_to_a_folder_of_its_own(monkeypatch, tmp_path):
    monkeypatch.setattr(compiled, "_can_be_written", lambda _folder: False)
    compiled.find_room_for_compiled()
    place = Path(os.environ[compiled.VARIABLE])
    assert place.parent == tmp_path and place.is_dir()
    compiled.find_room_for_compiled()  # what somebody has chosen stays
    assert os.environ[compiled.VARIABLE] == str(place)


def test_a_folder_is_tried_with_bytes(monkeypatch, tmp_path):
    assert compiled._can_be_written(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
    (tmp_path / "file").write_text("")
    assert not compiled._can_be_written(tmp_path / "file")

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(compiled.tempfile, "TemporaryFile", full)
    assert not compiled._can_be_written(tmp_path / "new")
