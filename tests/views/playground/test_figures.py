"""The picked point as the browser receives it."""

import json
from dataclasses import replace

import numpy as np

from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.playground.facts import make_picture
from ecocviz.views.playground.figures import chance, inspector_data
from ecocviz.views.playground.inspection import inspect_picked
from ecocviz.views.shared.draw.words import number

DECODINGS = tuple(choose("decoding", key) for key in ("hamming", "likelihood"))


def told(place=None, pick=-1):
    trained = train(make_scenario(data=("blobs", {"n_samples": 60})))
    inspection = inspect_picked(
        trained.shown, make_picture(trained, "", DECODINGS), pick, place, frozenset({1})
    )
    data = inspector_data(inspection, 1, trained.classes, title="Here", of="7|", next_text="Next")
    return inspection, json.loads(json.dumps(data))


def signs(text):
    return [{"+": 1, "-": -1, "0": 0}[letter] for letter in text]


def test_every_bit_and_every_decoder_is_told():
    inspection, data = told(pick=7)
    assert data["scores"] == [number(score) for score in inspection.scores]
    assert max(map(abs, data["bars"])) == 100
    assert signs(data["says"]) == inspection.seen(1).tolist()
    assert signs(data["asks"]) == inspection.asked(1).tolist()
    assert data["chances"] == [chance(p) for p in inspection.probabilities]
    assert data["flips"] == [1] and data["truth"] == inspection.truth and data["decoder"] == 1
    assert data["wrong"] == np.flatnonzero(inspection.wrong(1)).tolist()
    assert data["split"] == np.flatnonzero(inspection.split).tolist()
    assert data["matter"] == np.flatnonzero(inspection.matters(1)).tolist()
    assert [verdict["winner"] for verdict in data["verdicts"]] == [v.winner for v in inspection.verdicts]
    assert data["verdicts"][0]["costs"] == [number(cost) for cost in inspection.verdicts[0].costs]
    assert data["tipping"] == list(inspection.verdicts[1].tipping)
    assert [chip["name"] for chip in data["classes"]] == ["A", "B", "C", "D"]


def test_a_place_asks_for_nothing():
    inspection, data = told(place=(0.3, 0.4))
    assert data["truth"] == -1 == inspection.truth
    assert data["asks"] is None and data["wrong"] == []


def test_a_tie_names_its_classes_and_has_no_margin():
    inspection, _ = told(pick=7)
    tie = replace(inspection.verdicts[0], tied=(0, 2), winner=0, margin=1e-17)
    tied = replace(inspection, verdicts=(tie,))
    verdict = inspector_data(tied, 0, "ABCD", title="", of="", next_text="")["verdicts"][0]
    assert verdict["tied"] == (0, 2) and verdict["margin"] == "0"


def test_a_point_with_325_bits_is_a_small_message():
    n = 325
    inspection, _ = told(pick=7)
    wide = replace(
        inspection,
        scores=np.linspace(-1, 1, n),
        bits=np.ones(n, np.int64),
        flipped=np.zeros(n, bool),
        probabilities=np.full(n, 0.5),
        code_matrix=np.ones((4, n), np.int8),
    )
    data = inspector_data(wide, 0, "ABCD", title="", of="", next_text="")
    assert len(json.dumps(data)) < 16_000
