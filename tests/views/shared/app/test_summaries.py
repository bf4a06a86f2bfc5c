"""The lines of the sidebar's folded groups say what is, in as few words as a line has room for."""

from ecocviz.data.catalogue import load_table
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.scenario import make_scenario
from ecocviz.views.shared.app.sidebar import GROUPS
from ecocviz.views.shared.app.summaries import Known, summary


def test_an_automatic_number_says_so_and_what_it_became():
    scenario = make_scenario(coding="dense-random")
    assert summary(scenario, ("coding",), Known(n_classes=8)) == "Machines automatic (30) · Draws 1,000"
    assert summary(scenario, ("coding",)) == "Machines automatic · Draws 1,000"
    assert summary(scenario.chosen("coding", n_bits=12), ("coding",)) == "Machines 12 · Draws 1,000"


def test_no_summary_tells_a_number_of_machines_that_is_not_theirs():
    for key in SLOTS["coding"]:
        told = summary(make_scenario(coding=key), ("coding",), Known(n_classes=8)).split(" · ")
        assert not [part for part in told if part.endswith(" 0")], key


def test_words_say_their_numbers():
    numbers = ((("gamma", "scale"), 3.34645), (("C", "inverse-mean-kernel"), 1.0))
    line = summary(make_scenario(), ("machine",), Known(numbers=numbers))
    assert line.startswith("Gaussian (rbf) · γ 3.35, from the data's variance · C 1, from the mean")


def test_a_split_that_the_set_does_not_have_is_not_claimed():
    slots = dict(GROUPS)["Data"]
    iris, letter = (make_scenario(data=key, split="own") for key in ("iris", "letter"))
    assert "30 % held out, no split of its own" in summary(iris, slots, Known.of(load_table("iris")))
    assert "The set's own" in summary(letter, slots, Known.of(load_table("letter")))


def test_drawn_points_are_not_called_a_file_and_nothing_is_promised_of_where_they_are():
    entry = SLOTS["data"]["upload"]
    assert "file" not in entry.title.lower()
    said = f"{entry.title} {entry.summary} {summary(make_scenario(data='upload'), ('data',))}".lower()
    assert "computer" not in said and "stays" not in said


def test_a_decoder_is_summed_up_by_what_it_does_not_by_what_rarely_matters():
    assert summary(make_scenario(decoding="hamming"), ("decoding",)) == SLOTS["decoding"]["hamming"].summary


def test_the_decoder_s_option_is_named_where_it_is_chosen():
    slots = ("decoding", "rejecting")
    assert summary(make_scenario(decoding="hamming"), slots) == SLOTS["decoding"]["hamming"].summary
    assert summary(make_scenario(rejecting="syndrome"), slots).endswith("Rejects by syndrome")
    found = summary(make_scenario(rejecting=("margin", {"share": 0.3})), slots)
    assert "Rejects by margin" in found and "0.3" in found
