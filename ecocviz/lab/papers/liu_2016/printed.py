"""What Liu et al. (2016) print: accuracies in per cent."""

from types import MappingProxyType
from typing import Final

SETS: Final = (
    "balance",
    "cmc",
    "tae",
    "wine",
    "new-thyroid",
    "vehicle",
    "dermatology",
    "glass",
    "zoo",
    "ecoli",
    "vowel",
)
"""The eleven sets of UCI, in the order of the tables."""
ABSENT: Final = ("Texture", "AD")
"""Two sets of images that cannot be had."""

FIXED: Final = ("one-vs-one", "one-vs-all", "decoc", "forest-ecoc")
"""The codes of Table 2."""
LEARNED: Final = ("ecoc-one", "jecoc")
"""The codes of Table 3."""
NAMES: Final = MappingProxyType(
    {
        "one-vs-one": "one-vs-one",
        "one-vs-all": "one-vs-all",
        "decoc": "DECOC",
        "forest-ecoc": "Forest-ECOC",
        "ecoc-one": "ECOC-ONE",
        "jecoc": "JECOC",
    }
)
"""What the codes are called."""

_TABLE_2: Final = {
    "balance": (87.69, 88.41, 91.67, 88.02, 88.04, 88.04, 87.87, 89.22),
    "cmc": (52.89, 53.43, 48.67, 52.47, 50.24, 50.38, 50.24, 49.83),
    "tae": (54.64, 51.64, 48.00, 54.64, 50.04, 53.26, 50.04, 51.72),
    "wine": (98.82, 99.52, 97.75, 97.76, 98.46, 98.93, 98.93, 99.26),
    "new-thyroid": (91.16, 88.83, 88.37, 89.31, 89.30, 90.70, 88.83, 86.05),
    "vehicle": (78.25, 80.22, 75.37, 78.58, 77.39, 76.98, 77.09, 77.39),
    "dermatology": (96.78, 97.74, 96.09, 98.30, 96.69, 97.50, 95.50, 96.77),
    "glass": (65.22, 67.35, 61.61, 65.74, 63.48, 64.85, 62.50, 64.48),
    "zoo": (92.22, 93.63, 93.22, 94.32, 87.06, 88.51, 93.63, 91.67),
    "ecoli": (87.66, 85.89, 77.64, 85.77, 84.57, 85.98, 84.57, 85.08),
    "vowel": (47.84, 49.49, 42.12, 47.07, 55.25, 56.36, 55.25, 56.34),
    "Texture": (82.25, 84.36, 73.00, 77.50, 71.25, 72.56, 71.52, 74.85),
    "AD": (55.61, 60.97, 53.42, 59.76, 53.30, 54.57, 52.25, 55.56),
}
TABLE_2: Final = MappingProxyType(
    {
        name: dict(zip(FIXED, zip(row[::2], row[1::2], strict=True), strict=True))
        for name, row in _TABLE_2.items()
    }
)
"""Set -> code -> accuracy of (SVM, joint learning)."""
MEANS_2: Final = MappingProxyType(
    {
        "one-vs-one": (76.23, 77.04),
        "one-vs-all": (72.84, 76.10),
        "decoc": (74.24, 75.28),
        "forest-ecoc": (74.48, 75.25),
    }
)
WINS_2: Final = MappingProxyType(
    {"one-vs-one": (8, 2, 3), "one-vs-all": (11, 1, 1), "decoc": (8, 5, 0), "forest-ecoc": (8, 3, 2)}
)
"""Code -> sets on which joint learning wins, ties, loses."""

_TABLE_3: Final = {
    "balance": (89.62, 87.06, 88.74, 91.68, 87.69, 88.41),
    "cmc": (48.89, 45.07, 49.67, 52.27, 52.89, 55.22),
    "tae": (40.75, 46.62, 47.48, 52.00, 52.64, 53.44),
    "wine": (93.75, 96.58, 98.52, 96.58, 98.22, 99.68),
    "new-thyroid": (92.55, 86.04, 88.40, 95.34, 91.16, 93.14),
    "vehicle": (65.45, 75.38, 75.95, 78.72, 78.34, 80.45),
    "dermatology": (64.93, 95.81, 96.19, 96.06, 95.78, 96.83),
    "glass": (63.15, 62.74, 65.00, 64.22, 65.22, 68.75),
    "zoo": (78.54, 88.21, 87.50, 94.44, 94.22, 95.83),
    "ecoli": (65.85, 80.89, 81.93, 87.39, 87.66, 87.41),
    "vowel": (32.52, 49.29, 49.91, 67.98, 64.84, 78.65),
}
TABLE_3: Final = MappingProxyType(
    {name: {"ecoc-one": (row[1], row[2]), "jecoc": (row[4], row[5])} for name, row in _TABLE_3.items()}
)
"""Set -> code -> accuracy of (SVM, joint learning) on that code."""
OWN_3: Final = MappingProxyType(
    {name: {"ecoc-one": row[0], "jecoc": row[3]} for name, row in _TABLE_3.items()}
)
"""Set -> method -> accuracy of the method itself, with its own machines."""
MEANS_3: Final = MappingProxyType({"ecoc-one": (73.97, 75.39), "jecoc": (78.95, 81.91)})
WINS_3: Final = MappingProxyType({"ecoc-one": (8, 3, 0), "jecoc": (8, 3, 0)})

BIT_ACCURACY: Final = MappingProxyType({"glass": (74.36, 86.28), "zoo": (97.81, 98.58)})
"""Set -> mean accuracy of the bits of (SVM, joint learning), one-vs-all."""
