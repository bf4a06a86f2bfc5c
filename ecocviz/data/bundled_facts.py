"""What the manifest of the bundled sets does not say: titles, summaries, DOIs, and what to know."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Facts:
    """One bundled set.

    `own_notes` are about the set's own training and test part. `not_features` are columns of the file that
    say where a row comes from and must not be learned from; `lost_n_train` is the size of an original
    training part whose rows are no longer known.
    """

    file: str
    key: str
    title: str
    summary: str
    doi: str
    notes: tuple[str, ...] = ()
    own_notes: tuple[str, ...] = ()
    not_features: tuple[str, ...] = ()
    lost_n_train: int | None = None
    order: int = 50


FACTS: tuple[Facts, ...] = (
    Facts(
        "iris_uci",
        "iris-uci",
        "Iris (UCI)",
        "The Iris flowers as in the UCI file, with its two known typing errors.",
        "10.24432/C56C76",
        ("The UCI file has typing errors in two rows; the set called Iris is corrected.",),
        order=21,
    ),
    Facts(
        "wine",
        "wine-uci",
        "Wine (UCI)",
        "Three growers of one region, told apart by 13 chemical measurements; the UCI file.",
        "10.24432/C5PC7J",
        order=23,
    ),
    Facts(
        "glass",
        "glass",
        "Glass",
        "Six kinds of glass from refractive index and eight chemical elements.",
        "10.24432/C5WW2P",
        ("The running number of the original file is left out; papers that count 10 features count it.",),
        order=24,
    ),
    Facts(
        "ecoli",
        "ecoli",
        "Ecoli",
        "Where in the cell a protein of E. coli goes: eight places, from seven measurements.",
        "10.24432/C5388M",
        (
            "Three classes have 5 rows or fewer.",
            "The sequence name of the original file is left out; papers that count 8 features count it.",
        ),
        order=25,
    ),
    Facts(
        "new-thyroid",
        "new-thyroid",
        "Thyroid",
        "Normal, over- or underactive thyroid from five laboratory values.",
        "10.24432/C5D010",
        order=26,
    ),
    Facts(
        "balance",
        "balance",
        "Balance scale",
        "Does a scale tip left, right, or balance, from the weights and distances on its arms.",
        "10.24432/C5488X",
        order=27,
    ),
    Facts(
        "tae",
        "tae",
        "Teaching assistants",
        "Low, medium or high marks of 151 teaching assistants, mostly from who and what they taught.",
        "",
        order=28,
    ),
    Facts(
        "zoo",
        "zoo",
        "Zoo",
        "101 animals in seven kinds, from 16 traits such as hair, eggs and legs.",
        "10.24432/C5R59V",
        ("The animal's name is left out; papers that count 17 features count it.",),
        order=29,
    ),
    Facts(
        "lenses",
        "lenses",
        "Lenses",
        "24 cases: hard, soft or no contact lenses.",
        "10.24432/C5K88Z",
        ('"none" is the name of a class: fit no lenses.',),
        order=30,
    ),
    Facts(
        "postoperative",
        "postoperative",
        "Postoperative patients",
        "Where to send 90 patients after surgery, from body temperatures and the like.",
        "10.24432/C5DG6Q",
        ("The class I (intensive care) has only 2 rows.",),
        order=31,
    ),
    Facts(
        "dermatology",
        "dermatology",
        "Dermatology",
        "Six skin diseases from 34 findings.",
        "10.24432/C5FK5P",
        ("The 8 of 366 rows with unknown age are missing.",),
        order=32,
    ),
    Facts(
        "soybean",
        "soybean",
        "Soybean diseases",
        "19 diseases of soybeans from 35 described symptoms.",
        "10.24432/C5JG6Z",
        ('"?" (unknown) is kept as a value of its own.',),
        order=40,
    ),
    Facts(
        "vehicle",
        "vehicle",
        "Vehicle silhouettes",
        "Bus, van and two cars from 18 shape measurements of their silhouettes.",
        "10.24432/C5HG6N",
        ("There are four classes; one paper's table says three.",),
        order=41,
    ),
    Facts(
        "anneal",
        "anneal",
        "Steel annealing",
        "Five classes of annealed steel from 38 properties, most of them words.",
        "10.24432/C5RW2F",
        ('"?" (does not apply, or unknown) is kept as a value of its own.',),
        order=42,
    ),
    Facts(
        "vowel",
        "vowel",
        "Vowels",
        "Eleven English vowels by fifteen speakers, from ten numbers each.",
        "10.24432/C58P4S",
        ("Speaker, sex and the training flag are left out, as in the papers.",),
        ("The training part has eight speakers, the test part seven others.",),
        not_features=("train_or_test", "speaker", "sex"),
        order=43,
    ),
    Facts(
        "cmc",
        "cmc",
        "Contraceptive method",
        "No, long-term or short-term contraception of 1,473 couples from nine facts about them.",
        "10.24432/C59W2D",
        order=44,
    ),
    Facts(
        "yeast",
        "yeast",
        "Yeast",
        "Where in the cell a yeast protein goes: ten places, from eight measurements.",
        "10.24432/C5KG68",
        ("The class ERL has only 5 rows.",),
        order=45,
    ),
    Facts(
        "car",
        "car",
        "Car evaluation",
        "How acceptable a car is, from six described properties; made by a rule.",
        "10.24432/C5JP48",
        order=46,
    ),
    Facts(
        "segment",
        "segment",
        "Image segments",
        "Seven kinds of outdoor surfaces from 19 measurements of a small image region.",
        "10.24432/C5GP4N",
        own_notes=("Which 210 rows were the UCI training part is no longer known.",),
        lost_n_train=210,
        order=47,
    ),
    Facts(
        "page-blocks",
        "page-blocks",
        "Page blocks",
        "Text, lines, pictures and graphics on a page, from ten measurements; nine in ten are text.",
        "10.24432/C5J590",
        order=60,
    ),
    Facts(
        "optdigits",
        "optdigits",
        "Optical digits",
        "Handwritten digits as 8 x 8 counts of ink.",
        "10.24432/C50P49",
        own_notes=("The test part was written by other people than the training part.",),
        order=61,
    ),
    Facts(
        "satimage",
        "satimage",
        "Satellite image",
        "Six kinds of soil and crop from the colours of 3 x 3 pixels.",
        "10.24432/C55887",
        order=62,
    ),
    Facts(
        "pendigits",
        "pendigits",
        "Pen digits",
        "Handwritten digits as eight points along the pen's way.",
        "10.24432/C5MG6K",
        own_notes=("Which 7,494 rows were the UCI training part is no longer known.",),
        lost_n_train=7_494,
        order=63,
    ),
    Facts(
        "letter",
        "letter",
        "Letters",
        "26 capital letters in twenty typefaces, from 16 measurements.",
        "10.24432/C5ZP40",
        own_notes=("The training part is the first 16,000 rows; some papers take the first 15,000.",),
        order=64,
    ),
)
