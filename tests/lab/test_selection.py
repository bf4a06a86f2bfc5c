"""What is selected: fields with defaults, by their declarations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecocviz.lab.selection import FLIPS, PICK, PLACE, PLANE, PRESENT, SHARED, Selection, split_link


def test_a_field_holds_its_default_until_it_is_put():
    selection = Selection()
    assert (selection[PICK], selection[PLANE], selection[PRESENT]) == (-1, "", "0")
    changed = selection.put(SHARED, pick=7, plane="0,2")
    assert (changed[PICK], changed[PLANE], changed[FLIPS]) == (7, "0,2", "")
    assert changed.put(SHARED, pick=-1) == Selection().put(SHARED, plane="0,2")


def test_fields_that_are_forgotten_take_their_defaults_and_the_others_stay():
    selection = Selection().put(SHARED, pick=7, plane="0,2", flips="1.3", present="1")
    assert selection.without([PICK, FLIPS, PLACE]) == Selection().put(SHARED, plane="0,2", present="1")
    assert selection.without([]) == selection


@pytest.mark.parametrize("wrong", [{"pick": -2}, {"pick": "3"}, {"plane": "x y"}, {"present": "2"}])
def test_a_value_that_a_field_does_not_allow_is_refused(wrong):
    with pytest.raises(ValueError):  # noqa: PT011 - the sentence is the parameter's own
        Selection().put(SHARED, **wrong)


def test_an_unknown_field_is_an_error():
    with pytest.raises(KeyError):
        Selection().put(SHARED, teapot=1)


@given(st.integers(-1, 500), st.sampled_from(["", "pca", "1,2"]), st.dictionaries(st.text("abc"), st.text()))
def test_a_link_is_parted_into_the_selection_and_the_rest(pick, plane, more):
    selection = Selection().put(SHARED, pick=pick, plane=plane)
    rest = {name: text for name, text in more.items() if name not in {field.name for field in SHARED}}
    assert split_link({**rest, **selection.to_flat()}, SHARED) == (rest, selection, ())


def test_what_a_link_says_wrongly_is_dropped_with_a_clause():
    rest, selection, problems = split_link({"pick": "many", "plane": "pca", "coding": "x"}, SHARED)
    assert (rest, selection) == ({"coding": "x"}, Selection().put(SHARED, plane="pca"))
    assert problems == ("pick 'many' is not allowed",)
