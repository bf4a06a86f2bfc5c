"""Sentences about wrong bits. Plain arguments in, text out."""

from ecocviz.views.shared.draw.words import count, percent


def promise_sentence(repairs: int, n_within: int, n: int, expected: float) -> str:
    """Lay what the code repairs beside what the machines got wrong.

    Parameters
    ----------
    repairs
        Wrong bits that Hamming decoding repairs for certain; -1 for not even none.
    n_within
        Points with no more wrong bits than that.
    n
        Points.
    expected
        How many of them independent machines of the same accuracy would give.

    >>> promise_sentence(3, 46, 50, 49.5)
    'The code repairs any 3 wrong bits; 92.0 % (46 of 50) of the points have no more, and independent \
machines of the same accuracy would give 99.0 %.'
    >>> promise_sentence(0, 40, 50, 35.0)
    'The code repairs no wrong bit for certain; 80.0 % (40 of 50) of the points have none, and \
independent machines of the same accuracy would give 70.0 %.'
    """
    if repairs < 0:
        return "This code can miss a class even when all its bits are right, so it repairs none for certain."
    share = f"{100 * expected / n:.1f} %"
    what = f"any {count(repairs, 'wrong bit')}" if repairs else "no wrong bit for certain"
    more = "no more" if repairs else "none"
    return (
        f"The code repairs {what}; {percent(n_within, n)} of the points have {more}, and independent "
        f"machines of the same accuracy would give {share}."
    )


def tail_sentence(n_beyond: int, expected: float, mean_phi: float) -> str:
    """Say whether points beyond repair are more than independence would give.

    Parameters
    ----------
    n_beyond
        Points with more wrong bits than the code repairs for certain.
    expected
        How many of them independent machines of the same accuracy would give.
    mean_phi
        Mean correlation of the machines' errors.

    >>> tail_sentence(5, 2.9, 0.38)
    '5 points are beyond certain repair, 2.1 more than independence would leave: errors come together.'
    >>> tail_sentence(25, 34.8, 0.2)
    '25 points are beyond certain repair, 9.8 fewer than independence would leave: errors come together.'
    >>> tail_sentence(1, 1.2, 0.1)
    '1 point is beyond certain repair, as many as independence would leave.'
    """
    many = f"{count(n_beyond, 'point')} {'is' if n_beyond == 1 else 'are'} beyond certain repair"
    gap = n_beyond - expected
    if abs(gap) < 0.5:
        return f"{many}, as many as independence would leave."
    # Few bits repaired: errors that fall on the same points leave more points without any.
    why = (
        ": errors come together"
        if mean_phi > 0.05
        else ": errors avoid each other"
        if mean_phi < -0.05
        else ""
    )
    size = f"{abs(gap):,.0f}" if abs(gap) >= 100 else f"{abs(gap):.1f}"
    return f"{many}, {size} {'more' if gap > 0 else 'fewer'} than independence would leave{why}."


def accuracy_sentence(worst: int, accuracy: float, baseline: float, n_below: int, n_bits: int) -> str:
    """Say which machine is weakest and how many are no better than always naming the larger side.

    Parameters
    ----------
    worst
        The weakest machine, counted from 0.
    accuracy, baseline
        Of that machine.
    n_below
        Machines at or below their baseline.
    n_bits
        Machines.

    >>> accuracy_sentence(2, 0.81, 0.75, 0, 7)
    'The weakest of 7 machines is bit 3 with 81.0 %; always naming the larger side would give it 75.0 %.'
    >>> accuracy_sentence(2, 0.81, 0.85, 2, 7)
    'The weakest of 7 machines is bit 3 with 81.0 %; always naming the larger side would give it 85.0 %. \
2 machines are no better than that.'
    """
    first = "The only machine" if n_bits == 1 else f"The weakest of {n_bits} machines is bit {worst + 1}"
    said = (
        f"{first} {'has' if n_bits == 1 else 'with'} {100 * accuracy:.1f} %; always naming the larger side "
        f"would give it {100 * baseline:.1f} %."
    )
    if not n_below:
        return said
    return f"{said} {count(n_below, 'machine')} {'is' if n_below == 1 else 'are'} no better than that."


def pair_sentence(pair: tuple[int, int] | None, phi: float, n_joint: int, mean: float) -> str:
    """Say which machines err together most, beyond chance.

    >>> pair_sentence((0, 4), 0.5, 3, 0.1)
    'Bits 1 and 5 fail together most: φ = 0.50, 3 points in common. The mean over all pairs is 0.10.'
    >>> pair_sentence(None, 0.0, 0, -0.1)
    'No two machines fail together more often than chance would have it.'
    """
    if pair is None:
        return "No two machines fail together more often than chance would have it."
    average = f"{mean:.2f}".replace("-", "−")
    return (
        f"Bits {pair[0] + 1} and {pair[1] + 1} fail together most: φ = {phi:.2f}, "
        f"{count(n_joint, 'point')} in common. The mean over all pairs is {average}."
    )


def bar_title(kind: str, numbers: tuple[int, ...], n: int) -> str:
    """Name the points of a picked bar.

    >>> bar_title("bit", (2,), 5), bar_title("count", (0,), 40), bar_title("count", (2,), 1)
    ('5 points that bit 3 gets wrong', '40 points with no wrong bit', '1 point with 2 wrong bits')
    >>> bar_title("pair", (0, 3), 2)
    '2 points that bits 1 and 4 both get wrong'
    """
    points = count(n, "point")
    if kind == "bit":
        return f"{points} that bit {numbers[0] + 1} gets wrong"
    if kind == "count":
        wrong = count(numbers[0], "wrong bit") if numbers[0] else "no wrong bit"
        return f"{points} with {wrong}"
    return f"{points} that bits {numbers[0] + 1} and {numbers[1] + 1} both get wrong"


def fate_sentence(decoder: str, n_right: int, n: int) -> str:
    """Say how many of the listed points are decided rightly in spite of their bits.

    >>> fate_sentence("Likelihood", 3, 5), fate_sentence("Likelihood", 1, 1)
    ('Likelihood decides 3 of these 5 rightly.', 'Likelihood decides it rightly.')
    """
    if n == 0:
        return ""
    if n == 1:
        return f"{decoder} decides it {'rightly' if n_right else 'wrongly'}."
    share = "all" if n_right == n else f"{n_right:,} of" if n_right else "none of"
    return f"{decoder} decides {share} these {n:,} rightly."


def reductions_sentence(
    first: str, second: str, n_wrong: tuple[int, int], beyond: tuple[int, int], means: tuple[float, float]
) -> str:
    """Compare two reductions with the same code.

    Parameters
    ----------
    first, second
        Their names.
    n_wrong
        Wrong bits of each, over all points.
    beyond
        Points beyond certain repair.
    means
        Mean correlation of the errors.

    >>> reductions_sentence("Independent machines", "Joint learning", (40, 30), (4, 3), (0.2, 0.3))
    'Joint learning has 10 wrong bits fewer than Independent machines (30 to 40); 3 points are beyond \
certain repair, not 4; mean φ is 0.30, not 0.20.'
    """
    gap = n_wrong[1] - n_wrong[0]
    if gap:
        many = f"{count(abs(gap), 'wrong bit')} {'fewer' if gap < 0 else 'more'} than"
        said = f"{second} has {many} {first} ({n_wrong[1]:,} to {n_wrong[0]:,})"
    else:
        said = f"{second} and {first} have as many wrong bits ({n_wrong[0]:,})"
    same = beyond[0] == beyond[1]
    repair = f"{count(beyond[1], 'point')} {'is' if beyond[1] == 1 else 'are'} beyond certain repair"
    texts = [f"{mean:.2f}".replace("-", "−") for mean in means]
    phi = f"mean φ is {texts[1]}" + ("" if texts[0] == texts[1] else f", not {texts[0]}")
    return f"{said}; {repair}{' with both' if same else f', not {beyond[0]:,}'}; {phi}."
