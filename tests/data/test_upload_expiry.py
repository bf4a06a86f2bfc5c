"""How long uploads stay, whose they are on a shared server, and clocks that jump."""

import os
import re

import pytest

from ecocviz.data import upload_presence, uploads
from ecocviz.data import upload_store as store
from ecocviz.data.policy import DAY, HOUR
from ecocviz.data.upload_presence import Presence, owner_of
from ecocviz.data.upload_words import terms
from ecocviz.data.uploads import UploadedFiles, bring, is_kept_as, keep, load, reopen, tend

CSV = b"a,b,class\n1,2,u\n3,4,v\n"
MINE = UploadedFiles(content=CSV, filename="mine.csv")


class Clocks:
    """The clock of the day, which can be set, and the one that only goes on."""

    def __init__(self):
        self.day, self.steady = 1_800_000_000.0, 5_000.0

    def on(self, seconds):
        self.day += seconds
        self.steady += seconds

    def live(self, seconds, *present, step=store.BEAT_SECONDS):
        """Let time pass, with a server that tends the folder and these sessions present."""
        while seconds > 0:
            self.on(min(step, seconds))
            seconds -= step
            tend(lambda session: session not in present)


@pytest.fixture
def clocks(monkeypatch, fresh_home):
    del fresh_home
    made = Clocks()
    monkeypatch.setattr(store, "now", lambda: made.day)
    monkeypatch.setattr(upload_presence, "steady", lambda: made.steady)
    monkeypatch.setattr(uploads, "PRESENCE", Presence())
    tend(lambda _session: True)
    return made


@pytest.fixture
def shared(monkeypatch):
    monkeypatch.setenv("ECOCVIZ_SHARED", "1")


def is_there(name):
    return store.place_of(name).is_dir()


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
@pytest.mark.usefixtures("clocks")
def test_nobody_else_may_list_the_names():
    before = os.umask(0o022)
    try:
        keep(CSV, "mine.csv")
    finally:
        os.umask(before)
    assert store.folder().stat().st_mode & 0o777 == 0o700
    store.folder().chmod(0o755)  # as older versions left it
    tend(lambda _session: True)
    assert store.folder().stat().st_mode & 0o777 == 0o700


# Alone -----------------------------------------------------------------------------------------------


def test_an_upload_goes_thirty_days_after_its_last_use(clocks):
    used, unused = keep(CSV, "used.csv"), keep(CSV, "unused.csv")
    clocks.live(20 * DAY, step=DAY)
    load(digest=used)
    clocks.live(11 * DAY, step=DAY)
    assert is_there(used) and not is_there(unused)
    with pytest.raises(
        ValueError, match=r"no longer kept \(30 days after its last use\); upload it again\.$"
    ):
        load(digest=unused)
    clocks.live(20 * DAY, step=DAY)
    assert not is_there(used)


def test_what_is_on_somebodys_screen_stays(clocks):
    name = keep(CSV, "mine.csv")
    uploads.PRESENCE.shows("reader", name)
    clocks.live(40 * DAY, "reader", step=DAY)
    assert is_there(name)
    uploads.PRESENCE.shows("reader", "")
    clocks.live(31 * DAY, "reader", step=DAY)
    assert not is_there(name)


def test_an_upload_that_is_brought_when_another_has_expired_finds_it_gone(clocks):
    old = keep(CSV, "old.csv")
    clocks.on(31 * DAY)
    keep(CSV, "new.csv")
    assert not is_there(old)


def test_one_session_cannot_take_the_room_of_others(clocks, monkeypatch):
    monkeypatch.setenv("ECOCVIZ_MAX_FOLDER_BYTES", "1000")
    others = [bring(UploadedFiles(content=CSV, filename=f"{k}.csv"), f"session {k}").name for k in range(4)]
    gone = []
    for k in range(20):
        clocks.on(1)
        brought = bring(UploadedFiles(content=CSV + b"5,6,u\n" * k, filename=f"many {k}.csv"), "greedy")
        gone += brought.gone
        assert is_there(brought.name)
    assert all(map(is_there, others))
    assert gone == [f"many {k}.csv" for k in range(len(gone))] and gone
    assert sum(kept.n_bytes for kept in store.scan()) <= 1000


def test_what_two_sessions_have_brought_stays_when_one_gives_it_up(clocks):
    del clocks
    name = bring(MINE, "one").name
    assert bring(MINE, "two").name == name
    kept = store.look(store.place_of(name))
    assert set(kept.owners) == {owner_of("one"), owner_of("two")}
    store.disown(kept, owner_of("one"))
    assert is_there(name) and set(store.look(store.place_of(name)).owners) == {owner_of("two")}
    store.disown(kept, owner_of("two"))
    assert not is_there(name)


def test_what_another_claims_while_it_is_removed_is_put_back(clocks, monkeypatch):
    del clocks
    name = bring(MINE, "one").name
    place, rename = store.place_of(name), store.Path.rename

    def claimed_just_before(path, target):
        monkeypatch.setattr(store.Path, "rename", rename)
        store._claim(place, owner_of("two"))
        return rename(path, target)

    monkeypatch.setattr(store.Path, "rename", claimed_just_before)
    store.disown(store.look(place), owner_of("one"))
    assert reopen(digest=name).content == CSV


# Shared ----------------------------------------------------------------------------------------------


def test_on_a_shared_server_a_name_says_nothing_of_the_content(clocks, shared, fresh_home):
    del clocks, shared
    first, second = bring(MINE, "one").name, bring(MINE, "two").name
    assert first != second and MINE.digest not in {first, second}
    assert re.fullmatch("[0-9a-f]{32}", first)
    for name in (first, second):
        assert reopen(digest=name).content == CSV and is_kept_as(name, MINE)
    with pytest.raises(ValueError, match=r"no longer kept \(an hour after all who use it have left\)"):
        load(digest=MINE.digest)
    (fresh_home / "uploads" / first / "train").write_bytes(CSV + b"9,9,w\n")
    with pytest.raises(ValueError, match=r"is damaged; upload it again\.$"):
        load(digest=first)
    assert not any("one" in path.name for path in (fresh_home / "uploads" / first).iterdir())


def test_on_a_shared_server_what_was_kept_for_one_alone_is_not_found_and_not_removed(
    clocks, fresh_home, monkeypatch
):
    del fresh_home
    mine = keep(CSV, "mine.csv")
    monkeypatch.setenv("ECOCVIZ_SHARED", "1")
    secret = keep(CSV, "mine.csv")
    with pytest.raises(ValueError, match="not on this computer"):
        load(digest=mine)
    clocks.live(2 * HOUR)
    assert is_there(mine) and not is_there(secret)
    secret = keep(CSV, "mine.csv")
    monkeypatch.delenv("ECOCVIZ_SHARED")
    assert load(digest=mine).name == "mine.csv" == load(digest=secret).name
    clocks.live(2 * HOUR)
    assert is_there(mine) and not is_there(secret)  # as it was promised to whoever brought it


def test_on_a_shared_server_an_upload_goes_an_hour_after_its_session(clocks, shared):
    del shared
    name = bring(MINE, "me").name
    clocks.live(5 * HOUR, "me")
    assert is_there(name)
    clocks.live(50 * 60)
    assert is_there(name)
    clocks.live(10 * 60, "me")  # the network is back
    clocks.live(HOUR - 120)
    assert is_there(name)
    clocks.live(5 * 60)
    assert not is_there(name)


def test_a_session_that_comes_back_under_another_name_keeps_its_upload(clocks, shared, monkeypatch):
    del shared
    name = bring(MINE, "before").name
    monkeypatch.setattr(uploads, "PRESENCE", Presence())  # its process has died
    tend(lambda _session: True)
    clocks.live(50 * 60)
    uploads.PRESENCE.shows("after", name)
    clocks.live(10 * HOUR, "after")
    assert is_there(name)
    clocks.live(HOUR + 180)
    assert not is_there(name)


def test_two_processes_tell_each_other_who_is_there(clocks, shared, monkeypatch):
    del shared
    name = bring(MINE, "mine").name
    here, there = uploads.PRESENCE, Presence()
    for _ in range(120):
        clocks.on(60)
        monkeypatch.setattr(uploads, "PRESENCE", there)
        tend(lambda _session: True)
        monkeypatch.setattr(uploads, "PRESENCE", here)
        tend(lambda _session: False)
    assert is_there(name)


def test_what_one_has_given_up_is_not_claimed_again(clocks):
    name = bring(MINE, "one").name
    bring(MINE, "two")
    store.disown(store.look(store.place_of(name)), owner_of("one"))
    clocks.live(600, "one", "two")
    assert set(store.look(store.place_of(name)).owners) == {owner_of("two")}
    assert uploads.PRESENCE._seen["one"].brought == set()


def test_sessions_that_have_left_are_forgotten(clocks):
    bring(MINE, "one")
    clocks.live(2 * HOUR)
    assert uploads.PRESENCE._seen == {}


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, "until 30 days after its last use. Yours may take 200 MB together"),
        ({"ECOCVIZ_SHARED": "1"}, "until an hour after all who use it have left. Yours may take 60 MB"),
    ],
)
def test_how_long_files_are_kept_is_said(monkeypatch, environment, words):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert words in terms()
    assert ("a secret" in terms()) == bool(environment)


# Clocks that jump ------------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", [DAY, -DAY, 400 * DAY, -400 * DAY])
def test_a_clock_that_is_set_while_the_server_runs_removes_nothing_and_keeps_nothing_for_ever(
    clocks, shared, jump
):
    del shared
    there, left = bring(MINE, "there").name, bring(MINE, "left").name
    clocks.live(30 * 60, "there")
    clocks.day += jump
    clocks.live(30 * 60, "there")
    assert is_there(there) and is_there(left)
    clocks.live(35 * 60, "there")
    assert is_there(there) and not is_there(left)
    clocks.day -= jump
    clocks.live(HOUR / 2)
    assert is_there(there)
    clocks.live(HOUR)
    assert not is_there(there)


def test_what_was_brought_in_the_future_is_not_kept_until_then(clocks):
    name = keep(CSV, "mine.csv")
    place = store.place_of(name)
    os.utime(place, (clocks.day + 4_000 * DAY,) * 2)
    left = place.with_name("new-left")
    left.mkdir()
    os.utime(left, (clocks.day + 4_000 * DAY,) * 2)
    clocks.live(DAY, step=DAY)
    assert is_there(name) and not left.exists()
    clocks.live(31 * DAY, step=DAY)
    assert not is_there(name)


def test_what_killed_processes_left_is_removed_later_and_not_at_once(clocks):
    keep(CSV, "mine.csv")
    left = [store.folder() / name for name in ("new-abc", "old-abc")]
    for place in left:
        place.mkdir()
        (place / "train").write_bytes(CSV)
        os.utime(place, (clocks.day, clocks.day))
    clocks.live(store.LEFTOVER_SECONDS - 120)
    assert all(place.exists() for place in left)
    clocks.live(300)
    assert not any(place.exists() for place in left)
    assert len(store.scan()) == 1
