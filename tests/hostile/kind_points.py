"""Drawn points as the browser sends them: JSON of any shape, numbers beyond all bounds."""

import json
from random import Random

from ecocviz.views.playground.drawing import AXES, LABEL, MAX_DRAWN, read_points
from tests.hostile.cases import Kind

LEAVES = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        0.5,
        1.0,
        2.0,
        -0.0,
        1e-320,
        1e308,
        float("nan"),
        float("inf"),
        -float("inf"),
    ),
    *(2**31, 2**63, 2**64, 10**400, -(10**400), "", "0.5", "A", [], {}, [0.5], {"x": 1}, 9, 10, 11),
)


def anything(random: Random, depth: int = 0) -> object:
    """Return any JSON."""
    draw = random.random()
    if depth > 3 or draw < 0.7:
        return random.choice(LEAVES)
    inner = [anything(random, depth + 1) for _ in range(random.randrange(4))]
    return inner if draw < 0.85 else dict(zip(("points", "point", "x", ""), inner, strict=False))


def _point(random: Random) -> object:
    point = [random.random(), random.choice((random.random(), 0, 1)), random.randrange(10)]
    if random.random() < 0.02:
        point[random.randrange(3)] = anything(random)
    return point if random.random() < 0.99 else [*point, *point][: random.randrange(6)]


def make(random: Random) -> bytes:
    """Make a case."""
    if random.random() < 0.3:
        return json.dumps(anything(random)).encode()
    count = random.choice(
        (0, 1, 2, 5, 40, MAX_DRAWN, MAX_DRAWN + 1) if random.random() < 0.1 else (0, 1, 3, 12)
    )
    event = {"points": [_point(random) for _ in range(count)]}
    return json.dumps(event if random.random() < 0.95 else anything(random)).encode()


def take(content: bytes) -> str:
    """Read them as the Playground does."""
    frame = read_points(json.loads(content))
    assert frame[list(AXES)].to_numpy().min() >= 0 and frame[list(AXES)].to_numpy().max() <= 1
    assert set(frame[LABEL]) <= set("ABCDEFGHIJ")
    return "points"


KIND = Kind(name="points", make=make, take=take, share=0.5)
