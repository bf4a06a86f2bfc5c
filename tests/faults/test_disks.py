"""Real disks: full, read-only, taken away; and data folders that are none."""

import shutil

import pytest
from fault_tools import may_mount, told_by

from ecocviz.data.uploads import keep, load, reopen, tend

CSV = b"a,b,class\n1,2,u\n3,4,v\n"


@pytest.mark.thorough
@pytest.mark.skipif(not may_mount(), reason="this system lets no program mount a disk of its own")
def test_a_disk_that_is_full_read_only_or_taken_away(fresh_home):
    told_by("faults/on_disks.py", fresh_home, alone=True)


@pytest.mark.parametrize("place", ["", "below/that"])
def test_a_data_folder_that_is_a_file(tmp_path, monkeypatch, place):
    (tmp_path / "home").write_text("not a folder")
    monkeypatch.setenv("ECOCVIZ_HOME", str(tmp_path / "home" / place))
    for _ in range(3):
        tend(lambda _session: False)
    with pytest.raises(
        ValueError, match=r"^These data cannot be kept, because the data folder is a file; name"
    ):
        keep(CSV, "mine.csv")
    with pytest.raises(ValueError, match="not on this computer"):
        load(digest="0" * 32)


def test_a_data_folder_that_disappears_is_made_again(fresh_home):
    name = keep(CSV, "mine.csv")
    shutil.rmtree(fresh_home)
    tend(lambda _session: False)
    with pytest.raises(ValueError, match="not on this computer"):
        reopen(digest=name)
    assert keep(CSV, "mine.csv") == name
    assert load(digest=name).name == "mine.csv"


def test_a_data_folder_of_a_user_that_nobody_knows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ECOCVIZ_HOME", "~nobody-of-that-name/data")
    assert load(digest=keep(CSV, "mine.csv")).name == "mine.csv"
