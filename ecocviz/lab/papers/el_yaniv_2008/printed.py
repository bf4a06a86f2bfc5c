"""What El-Yaniv et al. (2008) print: test errors in per cent, average ranks, sizes of problems."""

from types import MappingProxyType
from typing import Final

METHODS: Final = ("ova", "all-pairs", "ecoc", "sbc-ecoc", "sbc-single", "sbc-identity", "sbc-kernel")
"""In the order of Table 2."""

_TABLE_2: Final = {
    "car": (1.10, 0.76, 4.36, 3.90, 5.64, 4.36, 0.41),
    "page-blocks": (3.33, 4.64, 3.20, 3.42, 3.51, 3.18, 2.96),
    "iris-uci": (21.33, 24.00, 6.00, 4.00, 66.67, 6.00, 4.00),
    "wine": (5.88, 4.71, 1.76, 3.53, 65.29, 2.35, 2.94),
    "vehicle": (25.48, 25.00, 20.48, 20.48, 76.55, 20.95, 13.10),
    "balance": (22.42, 22.74, 92.26, 22.42, 92.26, 8.06, 3.39),
    "lenses": (40.0, 55.0, 80.0, 40.0, 80.0, 40.0, 40.0),
    "new-thyroid": (5.71, 5.71, 28.57, 5.71, 28.57, 3.8, 3.3),
    "postoperative": (28.89, 30.0, 30.0, 28.89, 30.0, 30.0, 32.22),
    "tae": (53.33, 52.0, 67.33, 53.33, 67.33, 67.33, 40.0),
}
SETS: Final = tuple(_TABLE_2)
TABLE_2: Final = MappingProxyType(
    {name: dict(zip(METHODS, row, strict=True)) for name, row in _TABLE_2.items()}
)
"""Set -> method -> test error."""
RANKS: Final = MappingProxyType(dict(zip(METHODS, (4.0, 4.68, 4.32, 3.27, 6.45, 3.36, 1.91), strict=True)))
"""Method -> average rank, as printed."""

COUNTS: Final = MappingProxyType(
    {
        "car": (384, 69, 1210, 65),
        "page-blocks": (4913, 329, 28, 88, 115),
        "iris-uci": (50, 50, 50),
        "wine": (59, 71, 48),
        "vehicle": (218, 212, 217, 199),
        "balance": (49, 288, 288),
        "lenses": (4, 15, 5),
        "new-thyroid": (150, 35, 30),
        "postoperative": (64, 2, 24),
        "tae": (49, 50, 52),
    }
)
"""Set -> rows of each class: of the sets, not of the paper."""


def as_constant(name: str, error: float) -> bool:
    """Say whether a printed error is one that always answering the same class may have.

    The paper cuts a set into ten equal parts, so that up to nine rows are left out, of which we do not know
    the classes.

    >>> as_constant("iris-uci", 66.67), as_constant("iris-uci", 24.0)
    (True, False)
    """
    counts = COUNTS[name]
    n_rows = sum(counts)
    n_used = n_rows // 10 * 10
    return any(
        abs(100 * n_wrong / n_used - error) < 0.006
        for count in counts
        for n_wrong in range(n_rows - count - (n_rows - n_used), n_rows - count + 1)
    )


def formula(method: str, n_classes: int, n_points: int, n_bits: int) -> tuple[float, float]:
    """Return number and size of the binary problems by Table 1 of the paper.

    >>> formula("all-pairs", 4, 100, 7)
    (6.0, 50.0)
    """
    c, m, bits = float(n_classes), float(n_points), float(n_bits)
    if method == "ova":
        return c, m
    if method == "all-pairs":
        return c * (c - 1) / 2, 2 * m / c
    if method == "ecoc":
        return bits, m
    return 1.0, m * (bits if method == "sbc-ecoc" else c)
