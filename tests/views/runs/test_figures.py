"""Kept runs as tables and figures, and their sentences."""

from datetime import UTC
from itertools import product

import plotly.graph_objects as go
import pytest
from runs_tools import HOSTILE, memory, over, scenario, some

from ecocviz.data.uploads import keep
from ecocviz.lab.selection import Selection
from ecocviz.lab.store_about import key_of, title_of
from ecocviz.lab.to_keep import counted
from ecocviz.views.runs import figures, words
from ecocviz.views.runs.facts import asked, list_runs, same_test
from ecocviz.views.runs.over_sets import title_of_set
from ecocviz.views.runs.points import points_of
from ecocviz.views.shared.draw.ranks import ranks_figure
from ecocviz.views.shared.draw.theme import DARK, LIGHT


def test_the_list_says_what_each_run_does_otherwise_than_the_first():
    runs = some(scenario(), scenario(decoding="linear"), scenario("glass", seed=7))
    table = figures.list_table(runs, UTC)
    assert table["Differs"].tolist() == ["", "Linear", "Glass · seed 7"]
    assert table["Error"].tolist() == pytest.approx([4.0, 5.0, 6.0])
    assert table["Training"].tolist() == pytest.approx([0.0, 1.0, 2.0])
    assert table["Interval"].tolist()[0] == "1.6 to 9.8 %"
    long = figures.list_table(some(scenario(), names=["a name that is longer than its column"]), UTC)
    assert long["Run"].tolist() == ["a name that is longer than…"]


def test_parameters_are_told_in_words():
    gamma = scenario(machine=("kernel", {"gamma": 0.5}))
    assert words.difference_words(gamma, scenario()) == "γ 0.5"
    assert words.difference_words(scenario(), gamma) == "γ from the data's variance"
    assert words.difference_words(scenario(), scenario()) == ""


def test_only_the_fields_that_differ_are_compared():
    runs = some(scenario(), scenario(machine=("kernel", {"gamma": 0.5})), names=["mine"])
    differ, found = figures.compared_rows(runs, UTC)
    assert differ == [("Machine: γ", "from the data's variance", "0.5")]
    assert found[0] == ("Test error", "4.0 % (4 of 100)", "5.0 % (5 of 100)")
    assert figures.short_names(runs) == ["1 mine", "2 γ 0.5"]
    table = figures.compared_table(runs)
    assert table["link"].tolist()[1] == f"?{runs[1].scenario.to_query()}"
    assert words.compared_sentence(runs, 2, same=same_test(runs)) == (
        "Run 1 of 2 errs least, 4.0 %.", "All were tested on the same points.",
    )  # fmt: skip


def test_more_than_can_be_compared_is_said():
    runs = some(*(scenario(seed=seed) for seed in range(8)))
    assert words.compared_sentence(runs, 11, same=False)[1].endswith("The first 8 of 11 are compared.")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_plotly_takes_the_figures_and_names_from_outside_are_letters(theme):
    runs = some(*(scenario(seed=seed) for seed in range(4)), names=HOSTILE)
    drawn = [figures.errors_figure(runs, theme), ranks_figure(figures.diagram_of(over()), theme)]
    for figure in drawn:
        text = go.Figure(figure.to_dict()).to_json()
        assert not any(name in text for name in ("<script", "![a]", "<img"))


def test_a_sweep_is_drawn_over_its_parameter_on_a_logarithmic_scale():
    store, gammas = memory(), (0.01, 0.1, 1.0)
    scenarios = [
        scenario(decoding=key, machine=("kernel", {"gamma": gamma}))
        for key, gamma in product(("hamming", "linear"), gammas)
    ]
    number = store.begin("sweep", "A sweep", {"scenario": scenarios[0].to_flat()}, 9)
    for k, one in enumerate(scenarios):
        store.add(number, key_of(one), {"test": counted(k, 10)})
    store.end(number, "stopped")
    (kept,) = list_runs(store, asked(Selection(), None)).runs
    points = points_of(store, kept.run, None)
    figure = go.Figure(figures.points_figure(points, LIGHT).to_dict())
    assert (figure.layout.xaxis.type, figure.layout.xaxis.title.text) == ("log", "γ")
    assert [list(trace.y) for trace in figure.data] == [[0, 10, 20], [30, 40, 50]]
    assert words.points_sentence(kept, points) == (
        "Sweep, 6 of 9 points, stopped. Test errors from 0.0 % to 50.0 % over γ from 0.01 to 1."
    )
    table = figures.points_table(points)
    assert table["test.wrong"].tolist() == list(range(6))


def test_over_seeds_mean_and_spread_are_told_and_no_seed_is_named():
    store, seeds = memory(), (3, 1, 2)
    scenarios = [scenario(seed=seed, decoding=key) for key in ("hamming", "linear") for seed in seeds]
    for n in (3, 6):
        number = store.begin("sweep", "A sweep", {"scenario": scenarios[0].to_flat(), "n": n}, n)
        for k, one in enumerate(scenarios[:n]):
            store.add(number, key_of(one), {"test": counted(k, 10)})
        store.end(number, "done")
    many, few = list_runs(store, asked(Selection(), None)).runs
    told = [words.points_sentence(kept, points_of(store, kept.run, None)) for kept in (few, many)]
    hamming = "10.0 % on average over 3 seeds (standard deviation 10.0 %)"
    assert told[0] == f"Sweep, 3 points. The test error is {hamming}."
    assert f"Test errors: Hamming {hamming}; Linear 40.0 % on average over 3 seeds" in told[1]


def test_runs_that_differ_in_their_seed_only_are_told_as_mean_and_spread():
    store = memory()
    for seed in range(3):
        store.keep(scenario(seed=seed), {"test": counted(seed + 1, 10)}, 1.0)
    runs = list_runs(store, asked(Selection(), None)).runs
    first, _ = words.compared_sentence(runs, 3, same=False)
    assert first == "The test error is 20.0 % on average over 3 seeds (standard deviation 10.0 %)."
    store.keep(scenario(seed=0, decoding="linear"), {"test": counted(0, 10)}, 1.0)
    first, _ = words.compared_sentence(list_runs(store, asked(Selection(), None)).runs, 4, same=False)
    assert first == (
        "Test errors: run 1: 0.0 % with one seed; runs 2, 3 and 4: 20.0 % on average over 3 seeds "
        "(standard deviation 10.0 %)."
    )


def test_a_file_is_called_by_its_name(fresh_home):
    digest = keep(b"a,b,class\n1,2,u\n1,3,v\n", "flowers.csv")
    assert fresh_home.is_dir()
    mine = scenario(data=("upload", {"digest": digest}), decoding="hamming")
    assert title_of(mine) == "flowers.csv, One-vs-all, Hamming"
    assert words.setting_rows(mine)[0][1].startswith("flowers.csv · ")
    assert title_of_set(f"upload data.digest={digest}") == "flowers.csv"
    assert title_of(scenario(data=("upload", {"digest": "ab" * 8}))).startswith("Your own data, ")


def test_the_tables_over_data_sets_hold_every_set_and_every_pair():
    found = over()
    sets, pairs = figures.sets_table(found), figures.pairs_table(found)
    assert len(sets) == 7
    assert sets[found.names[0]].tolist() == [0.05] * 7
    assert pairs["first better"].tolist() == [7, 7, 7]
    assert [row[1] for row in figures.pair_rows(found)[1]] == ["7 · 0 · 0"] * 2
    assert figures.diagram_of(found).difference is not None
    few = over(3)
    assert figures.diagram_of(few).difference is None
    heads, rows = figures.pair_rows(few)
    assert len(heads) == 1 and all(len(row) == 2 for row in rows)
