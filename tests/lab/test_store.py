"""The store of runs beside a plain dictionary: what is begun, kept, found, changed, bounded and exported."""

import io
import json
import os
import platform
import threading
import tracemalloc

import pandas as pd
import psutil
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from strategies import examples

import ecocviz
from ecocviz.lab import store_room, store_rows
from ecocviz.lab.run import run
from ecocviz.lab.scenario import make_scenario
from ecocviz.lab.store import Store, StoreError, open_store
from ecocviz.lab.store_about import record_of

ABOUT = {"scenario": make_scenario(data="glass").to_flat()}
RECORD = {"test": {"points": 3, "wrong": 1, "error": 1 / 3}}


@pytest.fixture
def store(tmp_path):
    found = Store(tmp_path / "runs.sqlite3")
    yield found
    assert found.problem is None and found.notes == ()
    found.close()


# Beside a dictionary ---------------------------------------------------------------------------------

abouts = st.sampled_from(
    [ABOUT, {"scenario": {"v": "1"}, "over": {"seed": ["1", "2"]}, "measures": ["test"]}, {"paper": "p"}]
)
owners = st.sampled_from(["", "ann", "bob"])
records = st.dictionaries(st.text("ab", max_size=2), st.floats(allow_nan=False) | st.text(max_size=4))


class BesideADictionary(RuleBasedStateMachine):
    """Whatever is done, the store holds what a dictionary would, also after it was closed."""

    @initialize()
    def begin_empty(self):
        self.store, self.runs = Store(None), {}

    @rule(kind=st.sampled_from(["run", "sweep", "paper"]), about=abouts, owner=owners, fresh=st.booleans())
    def begin(self, kind, about, owner, fresh):
        number = self.store.begin(kind, f"a {kind}", about, 7, owner, fresh=fresh)
        same = [key for key, value in self.runs.items() if value[:3] == (kind, about, owner)]
        assert same in ([], [number])
        before = self.runs.setdefault(number, (kind, about, owner, {}, {"name": "", "pinned": False}))
        if fresh:
            before[3].clear()

    @rule(data=st.data(), key=st.text("xy", max_size=2), record=records)
    def add(self, data, key, record):
        if self.runs:
            number = data.draw(st.sampled_from(sorted(self.runs)))
            self.store.add(number, key, record)
            self.runs[number][3][key] = record

    @rule(data=st.data(), name=st.text("né ", max_size=5), pinned=st.booleans())
    def change(self, data, name, pinned):
        if self.runs:
            number = data.draw(st.sampled_from(sorted(self.runs)))
            self.store.rename(number, name)
            self.store.pin(number, pinned)
            self.runs[number][4].update(name=" ".join(name.split()), pinned=pinned)

    @rule(data=st.data())
    def delete(self, data):
        if self.runs:
            number = data.draw(st.sampled_from(sorted(self.runs)))
            self.store.delete(number)
            del self.runs[number]
            with pytest.raises(StoreError, match=f"There is no run {number};"):
                self.store.add(number, "x", {})

    @invariant()
    def the_same_is_there(self):
        listed = {each.id: each for each in self.store.runs()}
        assert set(listed) == set(self.runs)
        for number, (kind, about, owner, points, changed) in self.runs.items():
            each = listed[number]
            assert (each.kind, each.about, each.owner, each.n_done) == (kind, about, owner, len(points))
            assert (each.name, each.pinned) == (changed["name"], changed["pinned"])
            found = self.store.known(number)
            assert found == points and list(found) == list(points)  # in the order of finishing
            n_bytes = sum(len(k) + len(json.dumps(v, ensure_ascii=False)) for k, v in points.items())
            assert 0 < each.n_bytes <= n_bytes + 200


TestBesideADictionary = BesideADictionary.TestCase
TestBesideADictionary.settings = examples(20)


# Runs ------------------------------------------------------------------------------------------------


def test_the_same_is_the_same_run_and_resumes(store, tmp_path, monkeypatch):
    first = store.begin("sweep", "A sweep", ABOUT, 2)
    store.add(first, "a", RECORD)
    store.close()
    again = Store(tmp_path / "runs.sqlite3")
    assert again.begin("sweep", "A sweep", dict(reversed(ABOUT.items())), 2) == first
    assert again.known(first) == {"a": RECORD}
    assert again.begin("sweep", "A sweep", ABOUT, 2, "ann") != first
    assert again.begin("run", "A sweep", ABOUT, 2) != first
    monkeypatch.setattr(ecocviz, "__version__", "99")
    other = again.begin("sweep", "A sweep", ABOUT, 2)
    assert other != first and again.known(other) == {} and again.find(other).version == "99"
    again.close()


def test_every_digit_of_a_number_is_kept(store):
    numbers = [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 2**63 + 1]
    number = store.begin("run", "Numbers", ABOUT, 1)
    store.add(number, "x", {"found": numbers})
    assert [repr(value) for value in store.known(number)["x"]["found"]] == [repr(n) for n in numbers]


def test_states(store):
    number = store.begin("sweep", "A sweep", ABOUT, 2)
    assert store.find(number).state == "running"
    for state in ("stopped", "failed", "done"):
        store.end(number, state)
        assert store.find(number).state == state
    with pytest.raises(ValueError, match="ends as one of done, stopped, failed, not as 'lost'"):
        store.end(number, "lost")
    with pytest.raises(ValueError, match="A run is one of run, sweep, paper, not 'lost'"):
        store.begin("lost", "", {}, 1)
    assert store.begin("sweep", "A sweep", ABOUT, 3) == number
    assert (store.find(number).state, store.find(number).n_points) == ("running", 3)


def test_a_run_of_a_process_that_is_gone_counts_as_stopped(store):
    number = store.begin("sweep", "A sweep", ABOUT, 2)
    mine = store.find(number)
    for process, state in (("999999999 1.00", "stopped"), ("1 0.00", "stopped")):
        store._do(lambda db, p=process: db.execute(
            "UPDATE runs SET process = REPLACE(process, ?, ?)", (now(db), p)
        ), writes=True)  # fmt: skip
        assert store.find(number).state == state and mine.state == "running"
    store._do(lambda db: db.execute("UPDATE runs SET process = 'another-computer 1 1.00'"), writes=True)
    assert store.find(number).state == "running"


def now(db):
    return db.execute("SELECT process FROM runs").fetchone()[0].split(" ", 1)[1]


def test_a_task_is_free_unless_another_process_that_lives_has_begun_it(store, monkeypatch):
    run = store.begin("sweep", "A sweep", ABOUT, 3)
    store.add(run, "a", RECORD)
    assert store.claim(run, "t", ["a", "b"]) == (True, {"a": RECORD})
    assert store.claim(run, "t", ["b"]) == (True, {})  # one's own
    host = platform.node()
    alive = f"{host} {os.getppid()} {psutil.Process(os.getppid()).create_time():.2f}"
    dead, elsewhere = f"{host} {os.getpid()} 1.00", "another-computer 1 2.00"
    for process, free in ((alive, False), (dead, True), (elsewhere, False)):
        monkeypatch.setattr(store_rows, "_this_process", lambda _pid, name=process: name)
        store.claim(run, f"of {process}", ["b"])
        monkeypatch.undo()
        assert store.claim(run, f"of {process}", ["b"]) == (free, {})
    store.end(run, "stopped")  # here: the others go on
    assert store.find(run).state == "running"
    store.end(run, "done")
    assert store.find(run).state == "done"
    store.begin("sweep", "A sweep", ABOUT, 3, fresh=True)
    assert store.claim(run, f"of {alive}", ["a"]) == (True, {})


def test_many_are_deleted_at_once_or_none_is(store):
    for seed in range(60):
        store.record(make_scenario(seed=seed), RECORD, 0.1, "ann" if seed == 30 else "")
    store.flush()
    numbers = [each.id for each in store.runs()]
    (hers,) = (each.id for each in store.runs("ann"))
    for missing, owner in ((numbers[0] + 1, None), (hers, "")):
        with pytest.raises(StoreError, match=f"There is no run {missing};"):
            store.delete([*numbers, missing], owner)
        assert len(store.runs()) == 60
    kept = numbers[::2]
    store.delete([number for number in numbers if number not in kept] * 2)
    assert [each.id for each in store.runs()] == kept
    assert all(store.points(number) == RECORD for number in kept)
    assert store.look(lambda db: db.execute("SELECT COUNT(*) FROM points").fetchone()) == (30,)
    store.delete([])


def test_lists_are_narrowed(store):
    one = store.begin("run", "Glass, Dense", {"scenario": {"v": "1", "data": "glass"}}, 1)
    two = store.begin("sweep", "A sweep", {"scenario": {"v": "1"}, "over": {"data": ["iris", "glass"]}}, 1)
    three = store.begin("paper", "Übung", {"paper": "passerini-2004", "study": "s", "setting": "quick"}, 1)
    store.rename(two, "Before the LECTURE")
    store.pin(three)

    def found(**narrowed):
        return [each.id for each in store.runs(**narrowed)]

    assert found() == [three, two, one]
    store.add(one, "test", {})
    assert found() == [one, three, two] and found(limit=1, skip=1) == [three]
    assert found(kind="sweep") == [two] and found(pinned=True) == [three] == found(text="übung")
    assert found(data="glass") == [one, two] and found(data="glas") == [] == found(data="%")
    assert found(text="lecture SWEEP") == [two] and found(text="passerini") == [three]
    assert store.find(two).data == ("glass", "iris") and store.find(three).data == ()


def test_visitors_see_what_is_theirs(store):
    hers, his = (store.begin("run", "A run", ABOUT, 1, owner) for owner in ("ann", "bob"))
    assert hers != his and [each.id for each in store.runs("ann")] == [hers]
    acts = [
        lambda: store.find(hers, "bob"),
        lambda: store.points(hers, "bob"),
        lambda: store.rename(hers, "mine", "bob"),
        lambda: store.pin(hers, True, "bob"),
        lambda: store.delete([his, hers], "bob"),
        lambda: store.export([his, hers], "json", "bob"),
    ]
    for act in acts:
        with pytest.raises(StoreError, match=f"There is no run {hers};"):
            act()
    assert {each.id for each in store.runs()} == {hers, his}
    assert not store.find(hers).name and not store.find(hers).pinned
    assert "owner" not in json.loads(store.export([hers], "json", "ann"))[0]


def test_names_are_bounded_and_cleaned(store):
    number = store.begin("run", "A run", ABOUT, 1)
    store.rename(number, "  a \n name\0\ud800 ")
    assert store.find(number).name == "a name ?"
    with pytest.raises(ValueError, match="at most 200 characters"):
        store.rename(number, "x" * 201)


# What the app computes -------------------------------------------------------------------------------


def test_recording_keeps_the_numbers_of_a_scenario(store):
    scenario = make_scenario(3, data="iris", decoding="hamming")
    result = run(scenario)
    store.record(scenario, {"test": record_of(result.test), "train": record_of(result.train)}, 0.25)
    store.record(scenario, {"bound": {"refused": "It has none."}}, 0.5)
    store.flush()
    [kept] = store.runs()
    assert (kept.title, kept.data, kept.state) == ("Iris, One-vs-all, Hamming", ("iris",), "done")
    assert (kept.about, kept.seconds, kept.n_points) == ({"scenario": scenario.to_flat()}, 0.5, 3)
    test = {"points": result.test.n, "wrong": result.test.n_wrong, "error": result.test.error}
    assert store.points(kept.id)["test"] == test


def test_recording_waits_for_nobody(store):
    """While the store is held up, whoever records goes on: this test would never end otherwise."""
    with store._lock:
        recording = threading.Thread(target=store.record, args=(make_scenario(), RECORD, 0.1))
        recording.start()
        recording.join()
        for seed in range(1, 500):
            store.record(make_scenario(seed), RECORD, 0.1)
    store.flush()
    assert len(store.runs()) == 500


def test_what_waits_to_be_written_is_bounded(monkeypatch):
    monkeypatch.setattr("ecocviz.lab.store_writer.MOST_WAITING", 3)
    bounded = Store(None)
    with bounded._lock:
        for seed in range(50):
            bounded.record(make_scenario(seed), RECORD, 0.1)
    bounded.flush()
    assert len(bounded.runs()) <= 6 and bounded.runs()[0].about["scenario"]["seed"] == "49"


def test_many_threads_use_one_store(store):
    number = store.begin("sweep", "A sweep", ABOUT, 200)

    def work(k):
        for i in range(20):
            store.add(number, f"{k}-{i}", {"k": k})
            store.runs()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.find(number).n_done == len(store.known(number)) == 200


# Room ------------------------------------------------------------------------------------------------


def fill(store, n, owner="", first=0, pin=None):
    """Begin runs of about 10 kB each; return their numbers. Those that are pinned are added to a list."""
    found = []
    for k in range(first, first + n):
        found.append(store.begin("run", f"Run {k}", {"k": k}, 1, owner))
        store.add(found[-1], "x", {"text": "x" * 10_000})
        if pin is not None:
            store.pin(found[-1])
            pin.append(found[-1])
    return found


def test_the_oldest_unpinned_give(store, tmp_path, monkeypatch):
    monkeypatch.setattr(store_room, "MAX_BYTES", 1_000_000)
    first = fill(store, 10)
    store.pin(first[3])
    store.add(first[5], "y", {})  # used again
    later = fill(store, 200, first=10)
    left = [each.id for each in store.runs()]
    assert first[3] in left and len(left) > 50
    others = [number for number in [*first[:3], first[4], *first[6:], first[5], *later] if number in left]
    assert others == later[-len(others) :]
    assert (tmp_path / "runs.sqlite3").stat().st_size < 1_100_000
    store.delete(left)
    store.close()
    assert (tmp_path / "runs.sqlite3").stat().st_size < 100_000  # given back to the disk


def test_when_all_is_pinned_a_sentence_says_so_and_nothing_is_lost(store, monkeypatch):
    monkeypatch.setattr(store_room, "MAX_BYTES", 300_000)
    kept = []
    with pytest.raises(StoreError, match=r"is full \(0 MB\), and all that is in it is pinned: unpin"):
        fill(store, 40, pin=kept)
    assert 10 < len(kept) == sum(each.n_done for each in store.runs(pinned=True))
    store.pin(kept[0], False)
    assert fill(store, 1, first=50) and kept[0] not in {each.id for each in store.runs()}


def test_whoever_holds_most_gives(store, monkeypatch):
    monkeypatch.setattr(store_room, "MAX_BYTES", 1_000_000)
    hers = fill(store, 5, "ann")
    fill(store, 150, "bob", first=5)
    assert [each.id for each in reversed(store.runs("ann"))] == hers


def test_a_visitor_keeps_to_a_share_and_leaves_nothing_behind(store, monkeypatch):
    monkeypatch.setattr(store_room, "MAX_OWNED", 200_000)
    fill(store, 5, "ann")
    fill(store, 50, "bob", first=5)
    fill(store, 50, first=60)
    kept = store.runs("bob")
    assert len(store.runs("ann")) == 5 and len(store.runs("")) == 50 and 10 < len(kept) <= 20
    assert [each.id for each in kept] == sorted((each.id for each in kept), reverse=True)
    for each in kept:
        store.pin(each.id, True, "bob")
    with pytest.raises(StoreError, match="Your runs take all the room that one visitor has"):
        fill(store, 30, "bob", first=200)
    store._do(lambda db: db.execute("UPDATE runs SET touched = touched - 90000"), writes=True)
    store.begin("run", "Of the next day", ABOUT, 1, "cid")
    assert {each.owner for each in store.runs()} == {"", "cid"}


def show(store, k, owner="", recent=True):
    return store.begin("run", "As a page shows it", {"k": k}, 1, owner, "bits", recent=recent)


def test_of_what_nobody_asked_for_an_owner_keeps_the_last_ones(store, monkeypatch):
    monkeypatch.setattr(store_room, "MOST_RECENT", 3)
    asked, hers = show(store, 0, recent=False), show(store, 0, "ann")
    first, *_ = (show(store, seed) for seed in (1, 2, 3, 1))  # the first is looked at again
    last = [show(store, 4), show(store, 5)]
    assert [each.id for each in store.runs()] == [*reversed(last), first, hers, asked]


def test_what_somebody_wants_is_recent_no_more(store):
    acts = (
        store.pin,
        lambda run: store.rename(run, "mine"),
        lambda run: store.want([999, run]),  # what cannot be is passed over
        lambda _: show(store, 3, recent=False),
    )
    for seed, act in enumerate(acts):
        run = show(store, seed)
        store.pin(run, False)
        store.rename(run, "")
        store.want([run], "bob")
        assert json.loads(store.export([run], "json"))[0]["recent"] is True
        act(run)
        store.pin(run, False)
        assert show(store, seed) == run and not store.find(run).recent


@pytest.mark.parametrize(("owner", "bound", "n_bytes"), [("", "BYTES", 180_000), ("ann", "OWNED", 130_000)])
def test_where_there_is_no_room_what_nobody_asked_for_goes_first(store, monkeypatch, owner, bound, n_bytes):
    kept = fill(store, 10, owner)
    shown = show(store, "later", owner)
    monkeypatch.setattr(store_room, f"MAX_{bound}", n_bytes)
    fill(store, 5, owner, first=10)
    left = {each.id for each in store.runs()}
    assert shown not in left and kept[-1] in left


# Export ----------------------------------------------------------------------------------------------


def two_runs(store):
    one = store.begin("run", "=SUM(A1)", ABOUT, 2)
    store.add(one, "test", {"points": 3, "wrong": 1, "error": 1 / 3})
    store.add(one, "bound", {"refused": "@it has none"})
    store.rename(one, "-2+3")
    two = store.begin("sweep", "A sweep", ABOUT, 1)
    store.add(two, "p", {"scenario": {"v": "1"}, "test": {"error": 0.1 + 0.2}, "labels": ["=a", "b"]})
    return one, two


def test_exports_hold_every_number_and_no_formula(store):
    numbers = two_runs(store)
    text = store.export(numbers, "csv").decode()
    frame = pd.read_csv(io.StringIO(text))
    assert list(frame["run"]) == [1, 1, 2] and list(frame["point"]) == ["test", "bound", "1"]
    assert frame["error"][0] == pytest.approx(1 / 3) and "0.30000000000000004" in text  # each digit
    assert ",3,1,0.3333333333333333," in text  # whole numbers stay whole
    assert "'=SUM(A1)" in text and "'-2+3" in text and "'@it has none" in text
    assert not any(cell.startswith(("=", "@")) for line in text.splitlines() for cell in line.split(","))
    assert frame["scenario.data"][0] == "glass" and frame["labels"][2] == '["=a", "b"]'
    parquet = pd.read_parquet(io.BytesIO(store.export(numbers, "parquet")))
    assert parquet["error"][0] == 1 / 3 and parquet["title"][0] == "=SUM(A1)"
    assert list(parquet.columns) == list(frame.columns)
    read = json.loads(store.export(numbers, "json"))
    assert [each["points"] for each in read] == [store.points(number) for number in numbers]
    with pytest.raises(ValueError, match="exported as csv, json, parquet, not as 'xls'"):
        store.export(numbers, "xls")


def test_every_setting_and_number_comes_back_from_an_export(store):
    """Of a scenario, a sweep and a study: what pandas reads is what was kept, the usual settings too."""
    scenario = make_scenario(data="glass", seed=7)
    one = store.keep(scenario, {**RECORD, "bits-test": {"points": 3, "points_by_wrong_bits": [2, 1]}}, 0.1)
    points = [make_scenario(data="glass", machine=("kernel", {"gamma": 1 / 3})), make_scenario(data="glass")]
    about = {"scenario": make_scenario(data="glass").to_flat(), "over": {"machine.gamma": ["x"]}}
    two = store.begin("sweep", "A sweep", about, 2)
    for k, point in enumerate(points):
        error = {"points": 9, "wrong": k, "error": k / 9}
        store.add(two, str(k), {"scenario": point.to_flat(), "test": error, "training_seconds": 0.25})
    three = store.begin("paper", "A study", {"paper": "p", "study": "s", "setting": "quick"}, 1)
    store.add(three, "cell 1", {"error": 0.1 + 0.2, "seconds": 2.0})
    numbers = [one, two, three]
    csv = io.StringIO(store.export(numbers, "csv").decode())
    parquet = pd.read_parquet(io.BytesIO(store.export(numbers, "parquet")))
    # As text: older pandas reads the last digit of a CSV's numbers otherwise, unless it is told not to.
    for read in (pd.read_csv(csv, dtype=str).set_index("run"), parquet.astype("string").set_index("run")):
        read.index = read.index.astype(int)
        assert set(read["version"]) == {ecocviz.__version__} and set(read["state"]) == {"done", "running"}
        assert list(read.loc[one, "scenario.seed"]) == ["7", "7"]
        assert list(read.loc[two, "scenario.seed"]) == ["0", "0"]
        assert list(read.loc[one, "scenario.coding"]) == ["one-vs-all"] * 2
        assert list(read.loc[two, "scenario.machine.gamma"]) == [str(1 / 3), "scale"]
        assert list(read.loc[two, "test.error"].map(float)) == [0 / 9, 1 / 9]
        assert list(read.loc[two, "test.wrong"]) == ["0", "1"]
        assert list(read.loc[two, "training_seconds"].map(float)) == [0.25, 0.25]
        assert float(read.loc[three, "error"]) == 0.1 + 0.2
        assert float(read.loc[three, "found.seconds"]) == 2.0 != float(read.loc[three, "seconds"])
        assert json.loads(read.loc[one, "points_by_wrong_bits"].iloc[1]) == [2, 1]
    exported = json.loads(store.export(numbers, "json"))
    assert [each["settings"]["seed"] for each in exported[:2]] == [7, 0] and "settings" not in exported[2]
    assert exported[0]["settings"]["coding"] == "one-vs-all"
    assert [each["points"] for each in exported] == [store.points(number) for number in numbers]


def test_an_export_of_nothing_is_an_empty_table(store):
    number = store.begin("run", "A run", ABOUT, 1)
    for runs in ([], [number]):
        assert store.export(runs, "csv").decode() == "run,point\r\n"
        assert len(pd.read_parquet(io.BytesIO(store.export(runs, "parquet")))) == 0


# The one of this process -----------------------------------------------------------------------------


def test_there_is_one_store_for_a_folder(fresh_home, tmp_path, monkeypatch):
    found = open_store()
    assert open_store() is found and (fresh_home / "runs.sqlite3").exists()
    number = found.begin("run", "A run", ABOUT, 1)
    found.close()
    assert open_store().find(number).title == "A run"
    monkeypatch.setenv("ECOCVIZ_HOME", str(tmp_path / "other"))
    assert open_store() is not found and open_store().runs() == []
    open_store().close()
    found.close()


@pytest.mark.thorough
def test_long_lists_are_quick_and_small(store):
    """A thousand scenarios of a class: the newest hundred come without reading all of them into memory."""
    for seed in range(1_000):
        store.record(make_scenario(seed), RECORD, 0.1)
    store.flush()
    tracemalloc.start()
    assert len(store.runs(limit=100)) == 100
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()
