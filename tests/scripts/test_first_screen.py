"""The table of the search for the first screen is the script's, and the app opens with its best row."""

from ecocviz.lab.first_screen import first_scenario
from scripts import first_screen as search


def rows():
    lines = search.TABLE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("|")][2:]


def test_the_table_has_every_candidate_that_can_be_shown_best_first():
    scores = [float(line.split("|")[1]) for line in rows()]
    assert 30 <= len(scores) <= 64
    assert scores == sorted(scores, reverse=True)


def test_the_app_opens_with_the_best_one():
    candidates = [
        one
        for one in search.candidates()
        if one.chosen("coding", first_scenario().coding.key) == first_scenario()
    ]
    (candidate,) = candidates
    found = search.row(candidate)
    assert found is not None and found[2] == first_scenario()
    told = found[1].split("|")[:-2]  # but for the seconds
    assert told == rows()[0].split("|")[:-2]
