"""What is asked of a file before it becomes the data: label, columns left out, and both again later."""

import errno
import json
import shutil
from dataclasses import replace
from unittest.mock import Mock

import pytest
from streamlit.testing.v1 import AppTest

from ecocviz import cli
from ecocviz.data import upload_store as store
from ecocviz.data import uploads
from ecocviz.data.home import home
from ecocviz.data.policy import ALONE
from ecocviz.data.upload_presence import PRESENCE, owner_of
from ecocviz.data.uploads import keep, reopen
from ecocviz.lab.run import load
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.data import page_upload
from ecocviz.views.shared.app import cache
from tests.pages_tools import texts

pytestmark = pytest.mark.page

HEAD = b"code;long;kind;shade\n"
ROWS = b"".join(
    b"%d;%d,5;%s;%s\n" % (7 * k, k * k % 17, [b"red", b"green", b"blue"][k % 3], [b"dim", b"lit"][k % 2])
    for k in range(30)
)
FILE, TEST = HEAD + ROWS, HEAD + ROWS[: ROWS.index(b"84;")]
LABEL, LEFT_OUT = "Column that holds the class", "Columns left out"


@pytest.fixture
def app(root):
    def start(digest=None):
        test = AppTest.from_file(str(root / "pages" / "data.py"), default_timeout=120)
        if digest is not None:
            test.query_params["data"] = "upload"
            test.query_params["data.digest"] = digest
        return test.run()

    return start


def unfold(test):
    test.session_state["upload.place.False"] = True
    return test.run()


def brought(test, content=FILE, name="mine.csv"):
    return test.file_uploader(key="upload.train").upload(name, content).run()


def widget(test, kind, label):
    return next((box for box in test.get(kind) if box.label == label), None)


def label(test):
    return widget(test, "selectbox", LABEL)


def left_out(test):
    return widget(test, "multiselect", LEFT_OUT)


def use(test):
    return test.button(key="upload.use").click().run()


def told(test):
    return " ".join(caption.value.replace("\\", "") for caption in test.caption)


def scenario_of(test):
    return test.session_state["ecocviz"].scenario


def digest_of(test):
    return dict(scenario_of(test).data.params)["digest"]


def columns(test):
    return load(scenario_of(test)).features.columns.tolist()


def assert_fine(test):
    assert not test.exception, test.exception
    assert not test.error, [error.value for error in test.error]


def test_a_column_that_numbers_the_rows_is_left_out_unless_taken_back(app):
    test = brought(app())
    assert left_out(test).value == ["code"] and label(test).value == "shade"
    assert left_out(test).options == ["code", "long", "kind"]
    assert "mine.csv: 30 rows, 2 features;" in told(test)
    assert "code has a different value in every row, so it is left out unless you put it back." in told(test)
    use(test)
    assert_fine(test)
    assert columns(test) == ["long", "kind"]
    assert "Columns left out: code." in told(test)
    assert test.button(key="upload.use").disabled
    former = digest_of(test)

    left_out(test).set_value([]).run()
    assert "a different value in every row" not in told(test) and not test.button(key="upload.use").disabled
    use(test)
    assert_fine(test)
    assert columns(test) == ["code", "long", "kind"] and digest_of(test) != former
    assert "Columns left out:" not in told(test)


def test_a_first_file_starts_as_on_the_command_line(app, tmp_path, capsys):
    (tmp_path / "mine.csv").write_bytes(FILE)
    assert cli.main(["run", "--data", str(tmp_path / "mine.csv"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["scenario"]
    test = use(brought(app()))
    mine = scenario_of(test)
    assert replace(mine, seed=0).to_flat() == printed
    assert (mine.coding.key, mine.preparation.key, mine.decoding.key) == (
        "one-vs-one",
        "standardise",
        "likelihood",
    )
    assert mine.machine.values["gamma"] == "scale"


def test_what_somebody_chose_and_many_classes_start_otherwise():
    chosen = make_scenario(decoding="linear", machine=("kernel", {"C": 3.0}))
    first = page_upload.with_upload(chosen, "ab", 31, own_split=False)
    assert first.coding.key == "one-vs-all" and first.preparation.key == "standardise"
    assert first.decoding == chosen.decoding and first.machine == chosen.machine
    again = first.chosen("coding", "hadamard")
    assert page_upload.with_upload(again, "cd", 4, own_split=False) == again.chosen(
        "data", "upload", digest="cd"
    )


def test_the_preview_shows_what_would_be_used(app):
    test = brought(app())
    shown = next(frame.value for frame in test.dataframe if len(frame.value) == 6)
    assert shown.columns.tolist() == ["shade", "long", "kind"]


def test_any_column_can_be_left_out_and_the_label_leaves_the_list(app):
    test = brought(app())
    left_out(test).set_value(["code", "kind"]).run()
    label(test).select("kind").run()
    assert left_out(test).value == ["code"] and left_out(test).options == ["code", "long", "shade"]
    # A row number that was the label becomes a feature only if that is wanted.
    label(test).select("code").run()
    assert left_out(test).value == []
    label(test).select("kind").run()
    assert left_out(test).value == ["code"]
    use(test)
    assert_fine(test)
    assert load(scenario_of(test)).classes == ("blue", "green", "red")
    assert columns(test) == ["long", "shade"]


def test_a_row_number_that_is_taken_for_the_label_first(app):
    test = brought(
        app(), b"a,kind,code\n" + b"".join(b"%d,%s,%d\n" % (k % 5, [b"u", b"v"][k % 2], k) for k in range(9))
    )
    assert label(test).value == "code" and left_out(test).value == []
    label(test).select("kind").run()
    assert left_out(test).value == ["code"]


def test_leaving_everything_out_is_one_sentence_and_nothing_is_lost(app):
    test = brought(app())
    before = scenario_of(test)
    left_out(test).set_value(["code", "long", "kind"]).run()
    assert not test.exception and test.button(key="upload.use").disabled
    assert [error.value for error in test.error] == [
        "All columns but the label are left out; put at least one back."
    ]
    assert scenario_of(test) == before
    left_out(test).set_value(["code", "kind"]).run()
    assert not test.error
    use(test)
    assert_fine(test)
    assert columns(test) == ["long"]


def test_it_is_said_that_nothing_has_changed_until_the_data_are_used(app):
    test = brought(app())
    button = test.button(key="upload.use")
    waits = "all pages still show other data until you press the button."
    assert button.proto.type == "primary" and waits in texts(test)
    use(test)
    assert test.button(key="upload.use").proto.type == "secondary"
    assert waits not in texts(test)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"a,class\n1," + b"x" * 101 + b"\n2,y\n", "holds a text of 101 characters, which is too long"),
        (b"a,class\n1,x\n2,x\n", "has 1 class, but at least two are needed"),
        (
            b"a,b,class\n"
            + b"".join(b"w%d,%d,%s\n" % (k // 2, k % 3, b"xy"[k % 2 :][:1]) for k in range(42_000)),
            "The column a holds 21,000 different words but at most 20,000 are accepted altogether; leave",
        ),
    ],
    ids=["long class", "one class", "words"],
)
def test_what_will_be_refused_is_told_before_the_button(app, content, sentence):
    test = brought(app(), content)
    assert not test.exception
    (error,) = test.error
    assert sentence in error.value and test.button(key="upload.use").disabled


def test_a_missing_label_is_no_class_of_its_own(app):
    test = brought(app(), b"a,class\n1,x\n2,y\n2,\n5,?\n6,x\n7,y\n")
    assert "class has 2 different values: x and y." in told(test)


def test_a_kept_file_is_offered_again_and_can_be_labelled_anew(app):
    first = keep(FILE, "mine.csv", "shade", left_out=["code"])
    test = app(first)
    assert_fine(test)
    assert label(test) is None  # nothing is read again before it is asked for
    unfold(test)
    assert (label(test).value, left_out(test).value) == ("shade", ["code"])
    assert test.button(key="upload.use").disabled
    label(test).select("kind").run()
    left_out(test).set_value(["shade"]).run()
    assert digest_of(test) == first  # nothing changes before it is asked for
    use(test)
    assert_fine(test)
    second = digest_of(test)
    assert second != first
    assert load(scenario_of(test)).classes == ("blue", "green", "red")
    assert columns(test) == ["code", "long"]
    assert (label(test).value, left_out(test).value) == ("kind", ["shade"])
    assert test.button(key="upload.use").disabled

    test.button(key="undo").click().run()
    assert_fine(test)
    assert digest_of(test) == first
    assert (label(test).value, left_out(test).value) == ("shade", ["code"])
    assert test.button(key="upload.use").disabled


def test_a_row_number_that_was_kept_is_not_proposed_again(app):
    test = unfold(app(keep(FILE, "mine.csv", "kind")))
    assert left_out(test).value == [] and "a different value in every row" not in told(test)
    assert test.button(key="upload.use").disabled


def test_the_kept_test_file_stays_with_it(app):
    test = unfold(app(keep(FILE, "mine.csv", "shade", TEST, "more.csv")))
    assert "mine.csv, test rows in more.csv: 30 rows" in told(test)
    label(test).select("kind").run()
    use(test)
    assert_fine(test)
    table = load(scenario_of(test))
    assert (table.n_train, len(table.labels)) == (30, 42)
    assert scenario_of(test).split.key == "hold-out"  # as it was, not as the files are


def test_other_test_rows_for_a_kept_file(app):
    test = unfold(app(keep(FILE, "mine.csv", "kind")))
    test.file_uploader(key="upload.test").upload("more.csv", TEST).run()
    use(test)
    assert_fine(test)
    assert scenario_of(test).split.key == "own"
    assert reopen(digest=digest_of(test)).test == TEST
    assert load(scenario_of(test)).n_train == 30


def test_a_new_file_goes_before_the_kept_one(app):
    test = unfold(app(keep(FILE, "mine.csv", "kind")))
    brought(test, b"a,b,class\n" + b"1,2,x\n3,4,y\n" * 9, "other.csv")
    assert label(test).value == "class" and "other.csv: 18 rows" in told(test)
    use(test)
    assert_fine(test)
    assert columns(test) == ["a", "b"]


@pytest.mark.parametrize("harm", ["gone", "changed"])
def test_a_kept_file_that_is_gone_or_changed_is_told_of_once(app, harm):
    digest = keep(FILE, f"{harm}.csv", "kind")  # under a name of its own: no other test has it remembered
    place = home() / "uploads" / digest
    if harm == "gone":
        shutil.rmtree(place)
    else:
        (place / "train").write_bytes(FILE + b"1;1,0;red;lit\n")
    test = unfold(app(digest))
    assert not test.exception
    assert len(test.error) == 1 and test.error[0].value.endswith("upload it again.")
    assert label(test) is None
    brought(test)
    use(test)
    assert_fine(test)


def test_a_damaged_copy_is_mended_by_the_same_file(app):
    digest = keep(FILE, "mended.csv", "kind", left_out=["code"])
    (home() / "uploads" / digest / "train").write_bytes(b"")
    test = brought(unfold(app(digest)), name="mended.csv")
    label(test).select("kind").run()
    use(test)
    assert_fine(test)
    assert digest_of(test) == digest and load(scenario_of(test)).name == "mended.csv"
    assert test.button(key="upload.use").disabled


def test_it_is_said_how_long_a_file_is_kept_and_what_goes_for_another(app, fresh_home, monkeypatch):
    test = unfold(app())
    kept = "A file is kept on the computer that runs this app until 30 days after its last use."
    assert f"{kept} Yours may take 200 MB together" in told(test)
    policy = replace(ALONE, upload_bytes=len(FILE) + 200)
    monkeypatch.setattr(uploads, "current_policy", lambda: policy)
    use(brought(test))
    assert_fine(test)
    assert not test.info
    first = digest_of(test)
    brought(test, FILE + b"9;9,0;red;lit\n", "an_other.csv")
    use(test)
    assert_fine(test)
    (place,) = (fresh_home / "uploads").iterdir()
    assert place.name == digest_of(test) != first
    assert [info.value.replace("\\", "") for info in test.info] == [
        "mine.csv is no longer kept: it had been unused for longest, and the file now in use needed its room."
    ]
    label(test).select("kind").run()
    assert not test.info


def test_on_a_shared_server_a_file_is_kept_under_a_secret_name_for_its_session(app, fresh_home, monkeypatch):
    monkeypatch.setenv("ECOCVIZ_SHARED", "1")
    test = unfold(app())
    assert "kept on the server until an hour after all who use it have left" in told(test)
    use(brought(test))
    assert_fine(test)
    name = digest_of(test)
    assert name != reopen(digest=name).digest
    assert test.button(key="upload.use").disabled
    place = fresh_home / "uploads" / name
    (owner,) = store.look(place).owners
    assert PRESENCE._seen and owner in {owner_of(session) for session in PRESENCE._seen}
    assert name in {seen.shown for seen in PRESENCE._seen.values()}
    test.query_params.clear()
    test.button(key="reset").click().run()
    assert name not in {seen.shown for seen in PRESENCE._seen.values()}
    assert name in {brought for seen in PRESENCE._seen.values() for brought in seen.brought}


@pytest.mark.parametrize("code, why", [(errno.ENOSPC, "the disk is full"), (errno.EIO, "not be written")])
def test_a_file_that_cannot_be_kept_is_one_sentence_and_changes_nothing(app, monkeypatch, code, why):
    test = unfold(app())
    before = scenario_of(test)
    monkeypatch.setattr(store.os, "fsync", Mock(side_effect=OSError(code, "no")))
    use(brought(test, name=f"unkept{code}.csv"))
    (error,) = test.error
    assert error.value.startswith("These data cannot be kept, because") and why in error.value
    assert not test.exception and scenario_of(test) == before
    monkeypatch.undo()
    use(test)
    assert_fine(test)
    assert scenario_of(test) != before


def test_the_columns_of_another_data_set_are_not_asked_for(app):
    test = unfold(app())
    assert_fine(test)
    assert label(test) is None and left_out(test) is None


def test_a_large_file_is_read_in_another_process(app, monkeypatch):
    monkeypatch.setattr(page_upload, "LARGE_BYTES", len(FILE))
    asked, submit = [], cache.workers().submit
    monkeypatch.setattr(
        cache.workers(), "submit", lambda work, *given: asked.append(work) or submit(work, *given)
    )
    test = brought(app(), name="large.csv")
    assert "large.csv: 30 rows, 2 features;" in told(test)
    use(test)
    assert_fine(test)
    assert asked == [page_upload.look, uploads.check] and columns(test) == ["long", "kind"]
