"""Sentences about wrong bits."""

from ecocviz.views.bits.facts import Bar, BarPoints, BitFacts
from ecocviz.views.shared.draw.words import count, minus, percent


def promise_sentence(facts: BitFacts) -> str:
    """Lay what the code repairs beside what the machines got wrong."""
    if facts.repairs < 0:
        return "This code can miss a class even when all its bits are right, so it repairs none for certain."
    share = f"{100 * facts.expected_within / facts.n:.1f} %"
    what = f"any {count(facts.repairs, 'wrong bit')}" if facts.repairs else "no wrong bit for certain"
    more = "no more" if facts.repairs else "none"
    return (
        f"The code repairs {what}; {percent(facts.n_within, facts.n)} of the points have {more}, and "
        f"independent machines of the same accuracy would give {share}."
    )


def tail_sentence(facts: BitFacts) -> str:
    """Say whether points beyond repair are more than independence would give; "" where none is promised."""
    if facts.repairs < 0:
        return ""
    n_beyond, expected = facts.n - facts.n_within, facts.n - facts.expected_within
    many = f"{count(n_beyond, 'point')} {'is' if n_beyond == 1 else 'are'} beyond certain repair"
    gap = n_beyond - expected
    if abs(gap) < 0.5:
        return f"{many}, as many as independence would leave."
    # Few bits repaired: errors that fall on the same points leave more points without any.
    mean = facts.mean_phi
    why = ": errors come together" if mean > 0.05 else ": errors avoid each other" if mean < -0.05 else ""
    size = f"{abs(gap):,.0f}" if abs(gap) >= 100 else f"{abs(gap):.1f}"
    return f"{many}, {size} {'more' if gap > 0 else 'fewer'} than independence would leave{why}."


def accuracy_sentence(facts: BitFacts) -> str:
    """Say which machine is weakest and how many are no better than always naming the larger side."""
    worst, accuracies = facts.weakest, facts.report.accuracies
    if worst is None:
        return "No machine is asked about these points."
    n_below = int((accuracies <= facts.baselines).sum())
    only = facts.n_bits == 1
    first = "The only machine" if only else f"The weakest of {facts.n_bits} machines is bit {worst + 1}"
    said = (
        f"{first} {'has' if only else 'with'} {100 * accuracies[worst]:.1f} %; always naming the larger side "
        f"would give it {100 * facts.baselines[worst]:.1f} %."
    )
    if not n_below:
        return said
    return f"{said} {count(n_below, 'machine')} {'is' if n_below == 1 else 'are'} no better than that."


def pair_sentence(facts: BitFacts) -> str:
    """Say which machines err together most, beyond chance."""
    if facts.closest is None:
        return "No two machines fail together more often than chance would have it."
    a, b = facts.closest
    return (
        f"Bits {a + 1} and {b + 1} fail together most: φ = {facts.phi[a, b]:.2f}, "
        f"{count(int(facts.joint[a, b]), 'point')} in common. The mean over all pairs is "
        f"{minus(f'{facts.mean_phi:.2f}')}."
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
    """Say how many of the listed points are decided rightly in spite of their bits."""
    n, n_right = listed.positions.size, listed.n_right
    if n == 0:
        return ""
    if n == 1:
        return f"{decoder} decides it {'rightly' if n_right else 'wrongly'}."
    share = "all" if n_right == n else f"{n_right:,} of" if n_right else "none of"
    return f"{decoder} decides {share} these {n:,} rightly."


def reductions_sentence(first: tuple[str, BitFacts], second: tuple[str, BitFacts]) -> str:
    """Compare two reductions, each with its name, on the same code."""
    (name, one), (other_name, other) = first, second
    gap = other.n_wrong - one.n_wrong
    if gap:
        many = f"{count(abs(gap), 'wrong bit')} {'fewer' if gap < 0 else 'more'} than"
        said = f"{other_name} has {many} {name} ({other.n_wrong:,} to {one.n_wrong:,})"
    else:
        said = f"{other_name} and {name} have as many wrong bits ({one.n_wrong:,})"
    beyond, beyond_other = one.n - one.n_within, other.n - other.n_within
    repair = f"{count(beyond_other, 'point')} {'is' if beyond_other == 1 else 'are'} beyond certain repair"
    texts = [minus(f"{facts.mean_phi:.2f}") for facts in (one, other)]
    phi = f"mean φ is {texts[1]}" + ("" if texts[0] == texts[1] else f", not {texts[0]}")
    both = " with both" if beyond == beyond_other else f", not {beyond:,}"
    return f"{said}; {repair}{both}; {phi}."
