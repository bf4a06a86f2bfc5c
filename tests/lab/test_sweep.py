"""Sweeps: their points, what is measured at each, and that the data come along."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from cluster_tools import dask_cluster

from ecocviz.data.catalogue import load_table
from ecocviz.data.uploads import keep
from ecocviz.engine.tasks import Failed
from ecocviz.lab import sweep as module
from ecocviz.lab.curve_plan import Line, axes, grid_values, make_plan, trace
from ecocviz.lab.curves import Measure, Memory
from ecocviz.lab.grid_elsewhere import trace_by
from ecocviz.lab.report import Report
from ecocviz.lab.run import run, train, without_decoder
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.lab.sweep import measure_all, points_of, put, sweep
from ecocviz.lab.sweep_axes import read_over, read_table

IRIS = make_scenario(data="iris", decoding="hamming")
BOTH = (Measure.TEST, Measure.BOUND)


# The points ------------------------------------------------------------------------------------------


def test_every_combination_is_a_point_and_another_entry_drops_the_old_ones_parameters():
    points = points_of(IRIS, {"machine.gamma": ["0.5", 2.0], "seed": [0, 7], "coding": ["one-vs-all"]})
    assert [(p.machine.values["gamma"], p.seed) for p in points] == [(0.5, 0), (0.5, 7), (2.0, 0), (2.0, 7)]
    assert points[1] == make_scenario(
        7, data="iris", decoding="hamming", coding="one-vs-all", machine=("kernel", {"gamma": 0.5})
    )
    assert points_of(IRIS, {"machine": ["kernel", "decision-tree"]})[1].machine.key == "decision-tree"


@pytest.mark.parametrize(
    "name, value, sentence",
    [
        ("machin.gamma", "1", "A scenario has no 'machin.gamma'"),
        ("machine.gama", "1", "has no parameter 'gama'; it has"),
        ("split.x", "1", "has no parameter 'x'"),
        ("machine.gamma", "-1", "takes a number from"),
        ("coding", "teapot", "There is no coding 'teapot'"),
        ("seed", "x", "Seed"),
    ],
)
def test_a_field_that_cannot_be_swept_is_refused_in_a_sentence(name, value, sentence):
    with pytest.raises(ValueError, match=sentence):
        put(IRIS, name, value)


def test_too_many_points_and_none_are_refused(monkeypatch):
    with pytest.raises(ValueError, match="no values for seed"):
        points_of(IRIS, {"seed": []})
    monkeypatch.setattr(module, "MOST_POINTS", 3)
    with pytest.raises(ValueError, match="has 4 points, but at most 3"):
        points_of(IRIS, {"seed": [1, 2], "machine.gamma": [1, 2]})


@pytest.mark.parametrize(
    "text, values",
    [
        ("machine.gamma=0.25:4:3", [0.25, 1.0, 4.0]),  # told on a logarithmic scale
        ("data.n_samples=100:300:3", [100, 200, 300]),
        ("seed=0:2:9", [0, 1, 2]),
        ("machine.gamma=scale, 0.5", ["scale", "0.5"]),
    ],
)
def test_values_are_written_as_a_list_or_from_here_to_there(text, values):
    scenario = make_scenario(data="moons")
    name, found = read_over(scenario, text)
    assert name == text.partition("=")[0]
    np.testing.assert_array_equal(found, values) if isinstance(
        values[0], str
    ) else np.testing.assert_allclose(found, values)


@pytest.mark.parametrize(
    "text", ["machine.gamma", "machine.gamma=", "machine.gamma=a:b:3", "machine.gamma=-1:1:3"]
)
def test_values_that_cannot_be_read_are_refused(text):
    with pytest.raises(ValueError, match=r"takes NAME=VALUES|needs numbers|above 0"):
        read_over(IRIS, text)


def test_the_table_of_a_file_says_the_same():
    ranged = {"from": 0, "to": 4, "values": 3, "scale": "linear"}
    nested = {"machine": {"gamma": ranged, "C": [1, 2.5]}, "coding": "one-vs-all"}
    found = {"machine.gamma": [0.0, 2.0, 4.0], "machine.C": ["1", "2.5"], "coding": ["one-vs-all"]}
    assert read_table(IRIS, nested) == found
    assert read_table(IRIS, {"machine.gamma": ranged}) == {"machine.gamma": [0.0, 2.0, 4.0]}
    for wrong in (
        [],
        {"seed": [[1]]},
        {"seed": [True]},
        {"seed": {**ranged, "step": 1}},
        {"seed": {"from": 1}},
    ):
        with pytest.raises(ValueError, match=r"\[sweep\]|range of seed"):
            read_table(IRIS, wrong)
    with pytest.raises(ValueError, match="scale is log or linear"):
        read_table(IRIS, {"seed": {**ranged, "scale": "square"}})


# Measuring -------------------------------------------------------------------------------------------


def arrays(point):
    return {
        measure: reading
        if isinstance(reading, str)
        else (reading.n_wrong, reading.n, reading.margins.tobytes())
        for measure, reading in point.found.items()
    }


def test_points_have_the_numbers_of_runs_and_decoders_share_their_machines(monkeypatch):
    trained = []
    monkeypatch.setattr(module, "train", lambda s, *rest: trained.append(s) or train(s, *rest))
    over = {"machine.gamma": [0.1, 1.0], "decoding": ["hamming", "linear"]}
    found = {point.position: point for point in sweep(IRIS, over)}
    assert len(trained) == 2 and sorted(found) == [0, 1, 2, 3]
    for position, scenario in enumerate(points_of(IRIS, over)):
        result, point = run(scenario), found[position]
        assert point.scenario == scenario and point.failed is None
        assert point.found[Measure.TEST].n_wrong == result.test.n_wrong
        assert point.found[Measure.TRAIN].n_wrong == result.train.n_wrong


def test_what_cannot_be_combined_or_trained_is_told_and_the_rest_goes_on():
    over = {"machine": ["kernel", "decision-tree"], "decoding": ["hamming", "srm"]}
    found = {point.position: point for point in sweep(IRIS, over)}
    assert [found[k].failed is None for k in range(4)] == [True, True, True, False]
    assert "works with kernel machines only" in found[3].failed
    gone = make_scenario(data=("upload", {"digest": "0" * 32}))
    with pytest.raises(ValueError, match="upload"):
        list(sweep(gone, {"machine.gamma": [1.0]}))


def test_a_table_of_ones_own_takes_the_place_of_the_data():
    table = load_table("wine")
    (point,) = sweep(IRIS, {"machine.gamma": [1.0]}, table=table)
    scenario = put(IRIS, "machine.gamma", 1.0)
    assert point.found[Measure.TEST].n_wrong == run(scenario, table=table).test.n_wrong


@pytest.mark.usefixtures("fresh_home")
def test_only_what_workers_cannot_make_themselves_travels():
    content = load_table("iris").features.assign(kind=load_table("iris").labels).to_csv(index=False).encode()
    upload = make_scenario(data=("upload", {"digest": keep(content, "iris.csv")}))
    tasks = [
        module.CurveTask(without_decoder(scenario), (scenario.decoding,), BOTH)
        for scenario in (IRIS, upload, upload.chosen("machine", None, gamma=2.0), make_scenario(data="moons"))
    ]
    assert [choice.key for choice, _ in module._tables(tasks, None)] == ["upload"]
    with ThreadPoolExecutor(2) as pool:
        points = {0: upload}
        (there,) = measure_all(points, BOTH, executor=pool)
        (here,) = measure_all(points, BOTH)
    assert arrays(here) == arrays(there)


# Elsewhere -------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("fresh_home")
def test_a_sweep_of_ones_own_table_on_a_cluster_is_that_of_one_thread_to_the_last_bit():
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    content = (
        load_table("glass").features.assign(kind=load_table("glass").labels).to_csv(index=False).encode()
    )
    scenario = make_scenario(data=("upload", {"digest": keep(content, "glass.csv")}))
    over = {"machine.gamma": [0.1, 1.0, 10.0], "decoding": ["hamming", "likelihood"]}
    here = {point.position: point for point in sweep(scenario, over, measures=BOTH, n_jobs=1)}
    with dask_cluster() as cluster, distributed.Client(cluster.address, set_as_default=False) as client:
        executor = client.get_executor()
        there = {point.position: point for point in sweep(scenario, over, measures=BOTH, executor=executor)}
    assert sorted(there) == list(range(6))
    assert {k: arrays(point) for k, point in here.items()} == {k: arrays(point) for k, point in there.items()}


@pytest.fixture
def plan():
    axis = axes(IRIS)[0]
    line = Line(axis, grid_values(axis, -1, 1, 3))
    return make_plan(IRIS, (line,), (choose("decoding", "hamming"),), BOTH)


def counts(report):
    found = dict(report.partial)
    return {k: {key: reading.n_wrong for key, reading in point.found.items()} for k, point in found.items()}


def test_a_curve_by_an_executor_is_the_same_curve_and_known_points_are_not_measured_again(plan):
    here, there, again, memory = Report(), Report(), Report(), Memory()
    trace(plan, here, Memory(), train)
    with ThreadPoolExecutor(2) as pool:
        trace_by(pool, plan, there, memory, train)
    assert counts(here) == counts(there) and there.share == 1.0
    trace_by(None, plan, again, memory, None)  # nothing is left to do
    assert counts(again) == counts(here)


def test_points_that_a_cluster_could_not_measure_are_measured_here(plan, monkeypatch):
    def gone(tasks, **_):
        yield 0, Failed("The scheduler is gone.")
        yield from module.measure_tasks(tasks[1:])

    here, there = Report(), Report()
    trace(plan, here, Memory(), train)
    monkeypatch.setattr("ecocviz.lab.grid_elsewhere.measure_tasks", lambda tasks, **_: _shifted(gone(tasks)))
    trace_by(None, plan, there, Memory(), train)
    assert counts(here) == counts(there)


def _shifted(outcomes):
    first = next(outcomes)
    yield first
    for number, found in outcomes:
        yield number + 1, found
