"""The browser's own decoding logic, run by node, against Python's."""

import base64

import numpy as np
import pytest

from ecocviz.engine.analysis.codes import code_report
from ecocviz.lab.regions import LEVELS, Frames, Plane, Points, Regions, quantise
from ecocviz.lab.scenario import choose
from ecocviz.views.shared.app.components.code_grid import read_rows
from ecocviz.views.shared.app.components.joining import FOLDER
from ecocviz.views.shared.app.components.region_view import Picked, pack_regions


@pytest.fixture(scope="module")
def node(node_on):
    return node_on(
        "payload.js", "cells.js", "codes.js", "region_records.js", "points.js", "region_axes.js", "text.js"
    )


@pytest.fixture(scope="module")
def records():
    rng = np.random.default_rng(3)
    n, n_bits, n_points = 9, 11, 17
    decodings = (choose("decoding", "hamming"), choose("decoding", "linear"))
    plane = Plane("0,1", ("a", "b"), np.zeros(2), np.eye(2), (0.0, 1.0), (-1.0, 2.0))
    scores = rng.normal(size=(n * n, n_bits))
    regions = Regions(
        plane,
        decodings,
        n,
        n_bits,
        np.packbits(scores.T > 0, axis=1),
        rng.integers(0, 4, (2, n * n)).astype(np.uint8),
        quantise(rng.exponential(size=(2 * n * n))).reshape(2, -1),
    )
    points = Points(
        rng.uniform(0, 1, (n_points, 2)),
        rng.integers(0, 4, n_points),
        rng.integers(0, 2, n_points) > 0,
        rng.integers(0, 4, (2, n_points)),
        np.zeros(n_points, dtype=np.int64),
        rng.integers(0, 3, (2, n_points)) == 0,
        np.packbits(rng.normal(size=(n_points, n_bits)) > 0, axis=1),
    )
    frames = Frames(
        decodings[1],
        np.array([1, 6, 11]),
        rng.integers(0, 4, (3, n * n)).astype(np.uint8),
        np.array([5, 3, 1]),
        n_points,
    )
    return scores, regions, points, frames


def test_a_message_is_read_back_as_it_was_packed(node, records):
    scores, regions, points, frames = records
    code_matrix = np.random.default_rng(1).choice([-1, 1], (4, regions.n_bits)).astype(np.int8)
    message = pack_regions(
        regions,
        points,
        classes=("p", "q", "r", "ß"),
        code_matrix=code_matrix,
        deciders=(("Hamming", "Counts."), ("Linear", "Adds.")),
        decoder=1,
        picked=Picked(7, 3),
        playable=True,
        frames=frames,
    )
    read = node(
        """
        const bytes = Uint8Array.from(Buffer.from(given, "base64"));
        const {header, blocks} = await logic.readPayload(bytes);
        const n = header.nx * header.ny, rows = (planes) => planes.map((p) => Array.from(p));
        const xy = new Float32Array(blocks.xy.buffer);
        const {points, wrong} = logic.readRecords({header, blocks});
        const bitsOf = (planes, n) => Array.from({length: n}, (_, i) =>
          Array.from({length: header.nBits}, (_, b) => logic.bitAt(planes, n, b, i)));
        return {
          header,
          labels: rows(logic.undoDifferences(blocks.labels, 2)),
          wrong: rows(wrong), decided: rows(points.labels), pointBits: bitsOf(points.bits, points.n),
          left: [0, 1].map((k) => Array.from(points.labels[k], (_, i) => logic.isLeft(points, k, i))),
          frames: rows(logic.undoDifferences(blocks.prefix, 3)),
          confidence: Array.from(blocks.confidence),
          bits: bitsOf(blocks.bits, n),
          xy: Array.from(xy), ids: Array.from(new Uint32Array(blocks.ids.buffer)),
        };
        """,
        base64.b64encode(message).decode(),
    )
    assert read["labels"] == regions.labels.tolist()
    assert read["frames"] == frames.labels.tolist()
    assert read["confidence"] == regions.confidence.ravel().tolist()
    assert read["bits"] == np.where(scores > 0, 1, -1).tolist()
    assert read["decided"] == points.labels.tolist() and read["left"] == points.undecided.tolist()
    assert read["wrong"] == points.wrong.astype(int).tolist()
    said = np.unpackbits(points.bits, axis=1, count=regions.n_bits).astype(int)
    assert read["pointBits"] == (2 * said - 1).tolist()
    assert np.allclose(np.reshape(read["xy"], (2, -1)).T, points.coordinates, atol=1e-6)
    assert read["ids"] == list(range(17))
    assert read["header"]["classes"][3]["name"] == "ß"
    assert read["header"]["prefix"] == {"decoder": 1, "lengths": [1, 6, 11], "errors": [5, 3, 1], "of": 17}
    assert read["header"]["levels"] == LEVELS
    assert read["header"]["pick"] == {"serial": 7, "point": 3, "place": None}


def test_disagreement_is_where_not_all_decoders_say_the_same(node):
    planes = np.random.default_rng(0).integers(0, 3, (3, 40))
    told = node(
        "return Array.from(logic.disagreement(given.map((p) => Uint8Array.from(p))));", planes.tolist()
    )
    assert told == [int(len(set(column)) > 1) for column in planes.T.tolist()]


@pytest.mark.parametrize("seed", range(4))
def test_row_distance_of_the_first_bits(node, seed):
    code_matrix = np.random.default_rng(seed).integers(-1, 2, (5, 9)).astype(np.int8)
    for length in (1, 4, 9):
        told = node(
            "return logic.doubledRowDistance(given.code, given.length);",
            {"code": code_matrix.tolist(), "length": length},
        )
        distances = [
            sum(1 - int(a) * int(b) for a, b in zip(first[:length], second[:length], strict=True))
            for i, first in enumerate(code_matrix)
            for second in code_matrix[i + 1 :]
        ]
        assert told == min(distances)
    report = code_report(code_matrix)
    told = node("return logic.doubledRowDistance(given, 9);", code_matrix.tolist())
    assert told / 2 == report.min_hamming_distance


def test_blending_gives_the_corner_at_a_corner_and_the_nearer_of_two_in_between(node):
    at = "return given.map(([l, m, u, v]) => logic.blend(l, m, u, v)[0]);"
    corners = [[[4, 5, 6, 7], [0.2, 0.9, 0.1, 0.5], u, v] for v in (0, 1) for u in (0, 1)]
    assert node(at, corners) == [4, 5, 6, 7]
    halves = [[[1, 2, 1, 2], [0.3, 0.1, 0.3, 0.1], u, 0.5] for u in (0.74, 0.76)]
    # The boundary lies where 0.3 (1 - u) = 0.1 u, at u = 0.75.
    assert node(at, halves) == [1, 2]


def test_arrow_keys_go_to_the_nearest_point_in_their_direction(node):
    xs, ys = [0, 1, 5, 0, -2], [0, 0, 0.1, 3, 0]
    step = "return logic.nextPoint(given.xs, given.ys, [0, 0], given.dx, given.dy);"
    for direction, expected in {(1, 0): 1, (0, 1): 3, (-1, 0): 4, (0, -1): -1}.items():
        given = {"xs": xs, "ys": ys, "dx": direction[0], "dy": direction[1]}
        assert node(step, given) == expected


def test_ticks_are_round_and_few(node):
    assert node("return logic.ticks(-0.06, 1.06, 5);", None) == [0, 0.5, 1]
    assert node("return logic.ticks(0, 1000, 5);", None) == [0, 200, 400, 600, 800, 1000]
    assert node("return logic.ticks(1, 1, 5);", None) == []


def test_edits_of_the_grid_read_back_in_python(node):
    code = [[1, -1, 0], [-1, 1, 1]]
    texts = node(
        """
        return [
          given,
          logic.cycle(given, 0, 2, 1),
          logic.cycle(given, 0, 0, 1),
          logic.setEntry(given, 1, 1, 0),
          logic.addColumn(given, 3),
          logic.duplicateColumn(given, 0),
          logic.removeColumn(given, 1),
          logic.complementColumn(given, 2),
        ].map(logic.writeCode);
        """,
        code,
    )
    read = [read_rows(text, 2).tolist() for text in texts]
    assert read[0] == code
    assert read[1] == [[1, -1, 1], [-1, 1, 1]]
    assert read[2] == [[-1, -1, 0], [-1, 1, 1]]
    assert read[3] == [[1, -1, 0], [-1, 0, 1]]
    assert [row[3] for row in read[4]] == [1, -1]
    assert read[5] == [[1, 1, -1, 0], [-1, -1, 1, 1]]
    assert read[6] == [[1, 0], [-1, 1]]
    assert read[7] == [[1, -1, 0], [-1, 1, -1]]


def test_the_components_fetch_nothing_from_elsewhere():
    for file in FOLDER.iterdir():
        if file.suffix in {".js", ".css", ".html"}:
            text = file.read_text(encoding="utf-8").replace("/** @import {", "")  # of types, for the checker
            text = text.replace("http://www.w3.org/2000/svg", "")  # a name, asked by nobody
            assert "http:" not in text and "https:" not in text and "@import" not in text
