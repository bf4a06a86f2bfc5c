"""Two open questions: do codes beat one-vs-all, and when is choosing a decoder worth it."""

from functools import partial

from ecocviz.lab.evidence.entries import Exhibit, Paper, Study
from ecocviz.lab.papers.our_questions import decoders, one_vs_rest
from ecocviz.lab.papers.our_questions.measuring import measure
from ecocviz.lab.papers.our_questions.protocol import (
    CALIBRATION_FOLDS,
    FOLDS,
    LEAST_OF_A_CLASS,
    MACHINES,
    N_ROWS,
    SETS,
    TITLES,
    cells,
)

STUDY = Study(key="codes-machines-decoders", cells=cells, measure=measure)

SENTENCE = (
    "\u201cECOC don't really seem to work better then ovr in most settings\u201d (scikit-learn, pull "
    "request 2391, 2015; ovr is one-vs-rest, here one-vs-all)"
)
PROTOCOL = (
    (
        f"{len(SETS)} of the sets that ship with the package; 13 codes: one-vs-all, one-vs-one, dense and "
        "sparse random, BCH, and the eight that are learned from data, in their usual lengths."
    ),
    (
        f"Nested cross-validation, {FOLDS} outer folds to test and {FOLDS} inner ones to choose, stratified; "
        "every point is tested once. Preparation is learned from the training points of each fold."
    ),
    (
        "The inner folds choose the machine's parameters for each code and decoder from a grid that is the "
        "same for every code: linear C in 0.1, 1, 10; rbf C in 1, 10 and gamma half and twice "
        "\u201cscale\u201d; depth 2, 5, 10; smoothing of variances 1e-9, 1e-3, 1e-1."
    ),
    (
        "They also choose the loss of \u201cbest loss\u201d (linear, soft margin or exponential) and the "
        "decoder of \u201cchosen\u201d (Hamming, likelihood or one of these). One training serves all "
        "decoders."
    ),
)
DEVIATIONS = (
    (
        f"At most {N_ROWS} rows of a set, drawn in proportion to its classes with at least "
        f"{LEAST_OF_A_CLASS} of each, so that machines see {N_ROWS * 4 // 9} points while choosing and "
        f"{N_ROWS * 2 // 3} after; results may differ for larger data."
    ),
    (
        f"Classes with fewer than {LEAST_OF_A_CLASS} rows are left out (in ecoli, zoo and yeast), because "
        "folds within folds would lack them; lenses and postoperative then have fewer than three classes "
        "and are left out."
    ),
    (
        "Sets of two classes are left out, since a code adds nothing there; of sets that come twice (iris, "
        "wine, the digits of scikit-learn, which are part of optical digits) one is taken."
    ),
    (
        "Generated sets (blobs, spirals, moons, ...) are left out: how many of each, how noisy and how large "
        "would be our choice, and they would count as much as measured data."
    ),
    (
        "Six sets have three classes: there dense random codes and BCH have the columns of one-vs-all, some "
        "with sides swapped, and are level with it."
    ),
    f"Sigmoids of likelihood decoding are fitted on {CALIBRATION_FOLDS} folds, not 3.",
    (
        "Learned codes have their own default parameters; their search is repeated in every fold, and "
        "nothing of it is tuned. One seed."
    ),
)


_exhibit = partial(Exhibit, protocol=PROTOCOL, deviations=DEVIATIONS, study=STUDY, rule=one_vs_rest.RULE)


def _of_machine(machine: str) -> Exhibit:
    return _exhibit(
        key=f"one-vs-rest-{machine}",
        title=f"Codes or one-vs-rest, {TITLES[machine]}",
        claim=SENTENCE + f": with {TITLES[machine]}.",
        protocol=(*PROTOCOL, "All codes are decoded by Hamming, by likelihood, and by the best loss."),
        judge=partial(one_vs_rest.judge_machine, machine=machine),
        draw=partial(one_vs_rest.draw_machine, machine=machine),
        why=partial(one_vs_rest.say_machine, machine=machine),
    )


PAPER = Paper(
    key="our-questions",
    title="Two open questions",
    reference=None,
    exhibits=(
        _exhibit(
            key="one-vs-rest",
            title="Codes or one-vs-rest",
            claim=SENTENCE + ".",
            protocol=(
                *PROTOCOL,
                "Every code, one-vs-all too, has the decoder that the inner folds chose for it.",
            ),
            judge=one_vs_rest.judge_all,
            draw=one_vs_rest.draw_all,
            why=one_vs_rest.say_all,
        ),
        *map(_of_machine, MACHINES),
        _exhibit(
            key="choosing-the-decoder",
            title="Choosing the decoder",
            claim="It is worth choosing the decoder by cross-validation: what it chooses errs less than "
            "Hamming decoding in most settings.",
            judge=decoders.judge,
            rule=decoders.RULE,
            draw=decoders.draw,
            why=decoders.say,
        ),
    ),
    group="Open questions",
    order=200,
)
