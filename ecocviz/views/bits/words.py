"""Sentences about wrong bits."""

from ecocviz.views.bits.facts import Bar, BarPoints, BitFacts
from ecocviz.views.shared.draw.words import any_wrong, count, hundredth, percent


def promise_sentence(facts: BitFacts) -> str:
    """Lay what the code repairs beside what the machines got wrong."""
    if facts.repairs < 0:
        return "This code can miss a class even when all its bits are right, so no repair is certain."
    share = f"{100 * facts.expected_within / facts.n:.1f} %"
    within = percent(facts.n_within, facts.n)
    if not facts.repairs:
        return (
            f"One wrong bit can be enough to lose the class; {within} of the points have none. If the "
            "machines "
            f"erred independently, {share} would have none."
        )
    return (
        f"The code repairs {any_wrong(facts.repairs)}; {within} of the points have no more. If "
        f"the machines erred independently, {share} would have no more."
    )


def tail_sentence(facts: BitFacts) -> str:
    """Say whether points beyond repair are more than independence would give; "" where none is promised."""
    if facts.repairs < 0:
        return ""
    n_beyond, expected = facts.n - facts.n_within, facts.n - facts.expected_within
    has = "has" if n_beyond == 1 else "have"
    many = f"{count(n_beyond, 'point')} {has} more wrong bits than the code is sure to repair"
    gap = n_beyond - expected
    if abs(gap) < 0.5:
        return f"{many}, the same number as with independent errors."
    # Few bits repaired: errors that fall on the same points leave more points without any.
    mean = facts.mean_phi
    why = ": errors come together" if mean > 0.05 else ": errors avoid each other" if mean < -0.05 else ""
    size = f"{abs(gap):,.0f}" if abs(gap) >= 100 else f"{abs(gap):.1f}"
    return f"{many}, {size} points {'more' if gap > 0 else 'fewer'} than with independent errors{why}."


def bounds_sentence(facts: BitFacts) -> str:
    """Say how often more bits fail than are repaired, and what bounds that; "" where none is repaired."""
    k, found = facts.repairs, facts.tails
    if not 0 <= k < found.observed.size:
        return ""
    names = ("observed", "independent", "chernoff", "first_order", "sharp")
    share = {name: f"{100 * float(getattr(found, name)[k]):.1f} %" for name in names}
    pairs = f", machines of which only pairs are correlated {share['first_order']}"
    some = f"more than {count(k, 'wrong bit')}" if k else "a wrong bit"
    none = " These are correlated so strongly that the correlations of pairs alone explain no machines."
    return (
        f"{share['observed']} of the points have {some}, beyond certain repair. "
        f"Independent machines would have {share['independent']} there (exponential bound: "
        f"{share['chernoff']}){pairs if found.paired_exist else ''}.{'' if found.paired_exist else none} No "
        f"machines whose number of wrong bits has this mean and variance can have more than {share['sharp']}."
    )


def bridge_sentence(facts: BitFacts, decoder: str, n_right: int | None) -> str:
    """Say that beyond certain repair does not mean lost; "" where nothing is beyond it.

    `n_right` is how many of these points the decoder gets right, None while that is not known.
    """
    n_beyond = facts.n - facts.n_within
    if facts.repairs < 0 or not n_beyond:
        return ""
    if n_right is None:
        return f"{'It is' if n_beyond == 1 else 'They are'} not lost for that reason alone."
    if not n_right:
        return f"{decoder} gets {'it' if n_beyond == 1 else 'none of them'} right."
    if n_beyond == 1:
        return f"It is not lost: {decoder} still gets it right."
    return f"They are not all lost: {decoder} still gets {n_right:,} of them right."


def accuracy_sentence(facts: BitFacts) -> str:
    """Say which machine is weakest and how many are no better than always guessing the majority side."""
    worst, accuracies = facts.weakest, facts.report.accuracies
    if worst is None:
        return "No machine is asked about these points."
    n_below = int((accuracies <= facts.baselines).sum())
    only = facts.n_bits == 1
    first = "The only machine" if only else f"The weakest of {facts.n_bits} machines, bit {worst + 1},"
    said = (
        f"{first} is right on {100 * accuracies[worst]:.1f} % of its points; always guessing the majority "
        f"side would be right on {100 * facts.baselines[worst]:.1f} %."
    )
    if not n_below:
        return said
    if only:
        return f"{said} It does no better than such a guess."
    return (
        f"{said} {count(n_below, 'machine')} {'does' if n_below == 1 else 'do'} no better than such a guess."
    )


def pair_sentence(facts: BitFacts) -> str:
    """Say which machines err together most, beyond chance."""
    if facts.closest is None:
        return "No two machines fail together more often than by chance."
    a, b = facts.closest
    points = count(int(facts.joint[a, b]), "point")
    first = f"Bits {a + 1} and {b + 1} fail together most: both are wrong on {points}, φ = "
    return f"{first}{hundredth(float(facts.phi[a, b]))}. {mean_sentence(facts)}".rstrip()


def mean_sentence(facts: BitFacts) -> str:
    """Say the mean correlation, and over which pairs."""
    n, n_pairs = facts.phis.size, facts.n_pairs
    if not n:
        return ""
    if n == n_pairs:
        return f"The mean φ of all {count(n, 'pair')} is {hundredth(facts.mean_phi)}."
    none = n_pairs - n
    return (
        f"The mean φ of the {count(n, 'pair')} that have one is {hundredth(facts.mean_phi)}; "
        f"{none:,} {'has' if none == 1 else 'have'} none, because one of the two bits is never (or always) "
        "wrong where both are asked."
    )


def bar_title(bar: Bar, n: int) -> str:
    """Name the points of a picked bar.

    >>> bar_title(Bar("bit", (2,)), 5), bar_title(Bar("count", (0,)), 40), bar_title(Bar("count", (2,)), 1)
    ('5 points that bit 3 gets wrong', '40 points with no wrong bit', '1 point with 2 wrong bits')
    >>> bar_title(Bar("pair", (0, 3)), 2)
    '2 points that bits 1 and 4 both get wrong'
    """
    points, first = count(n, "point"), bar.numbers[0]
    if bar.kind == "bit":
        return f"{points} that bit {first + 1} gets wrong"
    if bar.kind == "count":
        wrong = count(first, "wrong bit") if first else "no wrong bit"
        return f"{points} with {wrong}"
    return f"{points} that bits {first + 1} and {bar.numbers[1] + 1} both get wrong"


def fate_sentence(decoder: str, listed: BarPoints) -> str:
    """Say how many of the listed points are right in spite of their bits."""
    n, n_right = listed.positions.size, listed.n_right
    if n == 0:
        return ""
    if n == 1:
        return f"{decoder} gets it {'right' if n_right else 'wrong'}."
    share = "all" if n_right == n else f"{n_right:,}" if n_right else "none"
    return f"{decoder} gets {share} of these {n:,} right."


def reductions_sentence(first: tuple[str, BitFacts], second: tuple[str, BitFacts]) -> str:
    """Compare two reductions, each with its name, on the same code."""
    (name, one), (other_name, other) = first, second
    gap = other.n_wrong - one.n_wrong
    if gap:
        bits = count(abs(gap), "fewer wrong bit" if gap < 0 else "more wrong bit")
        said = f"{other_name} has {bits} than {name} ({other.n_wrong:,} to {one.n_wrong:,})"
    else:
        said = f"{other_name} and {name} have the same number of wrong bits ({one.n_wrong:,})"
    beyond, beyond_other = one.n - one.n_within, other.n - other.n_within
    repair = f"points with more wrong bits than the code is sure to repair: {beyond_other:,}"
    both = " with both" if beyond == beyond_other else f", not {beyond:,}"
    return f"{said}; {repair}{both}{_means(one, other)}."


def _means(one: BitFacts, other: BitFacts) -> str:
    """Lay the mean correlations side by side, where both have one."""
    if not (one.phis.size and other.phis.size):
        return ""
    texts = [hundredth(facts.mean_phi) for facts in (one, other)]
    return f"; mean φ is {texts[1]}" + ("" if texts[0] == texts[1] else f", not {texts[0]}")
