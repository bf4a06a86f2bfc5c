"""The picked point as the browser receives it."""

import json

from ecocviz.lab.run import train
from ecocviz.lab.scenario import choose, make_scenario
from ecocviz.views.playground.facts import make_picture
from ecocviz.views.playground.figures import inspector_data
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


def test_every_bit_and_every_decoder_is_told():
    inspection, data = told(pick=7)
    assert [bit["score"] for bit in data["bits"]] == inspection.scores.tolist()
    assert [bit["hard"] for bit in data["bits"]] == inspection.bits.tolist()
    assert [bit["asks"] for bit in data["bits"]] == inspection.asked.tolist()
    assert [bit["p"] for bit in data["bits"]] == inspection.probabilities.tolist()
    assert data["flips"] == [1] and data["truth"] == inspection.truth and data["decoder"] == 1
    assert [verdict["winner"] for verdict in data["verdicts"]] == [v.winner for v in inspection.verdicts]
    assert data["verdicts"][0]["costs"] == [number(cost) for cost in inspection.verdicts[0].costs]
    assert data["tipping"] == list(inspection.verdicts[1].tipping)
    assert [chip["name"] for chip in data["classes"]] == ["A", "B", "C", "D"]


def test_a_place_asks_for_nothing():
    inspection, data = told(place=(0.3, 0.4))
    assert data["truth"] == -1 == inspection.truth
    assert all(bit["asks"] is None for bit in data["bits"])
