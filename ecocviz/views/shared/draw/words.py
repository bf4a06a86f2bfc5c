"""Sentences computed from numbers: what is to be seen under a figure. Plain arguments in, text out."""

from collections.abc import Sequence

MINUS = "−"


def count(n: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun.

    >>> count(1, "bit"), count(3, "class", "classes")
    ('1 bit', '3 classes')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def percent(n: int, of: int) -> str:
    """Write a share with its counts.

    >>> percent(6, 150)
    '4.0 % (6 of 150)'
    """
    return f"{100 * n / of:.1f} % ({n:,} of {of:,})"


def minus(text: str) -> str:
    """Write hyphens as true minus signs.

    >>> minus("-0.25")
    '−0.25'
    """
    return text.replace("-", MINUS)


def number(value: float) -> str:
    """Write a cost or score: three significant digits, a true minus sign.

    >>> number(-2.256), number(float("inf")), number(0.0), number(12345.6), number(-0.0001)
    ('−2.26', '∞', '0.00', '12,346', '−0.0001')
    """
    if value != value or abs(value) == float("inf"):  # noqa: PLR0124 - nan is the only value unlike itself
        return "∞" if value > 0 else f"{MINUS}∞" if value < 0 else "?"
    size = abs(value)
    text = f"{size:,.0f}" if size >= 1000 else f"{size:.1f}" if size >= 100 else f"{size:.2f}"
    if 0 < size < 0.005:
        text = f"{size:.1g}"
    return (MINUS if value < 0 and text.strip("0.,") else "") + text


def listed(names: Sequence[str]) -> str:
    """Join names.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def error_sentence(part: str, n_wrong: int, n: int) -> str:
    """Say how many points are decided wrongly.

    >>> error_sentence("Test", 6, 150)
    'Test error 4.0 % (6 of 150).'
    """
    return f"{part} error {percent(n_wrong, n)}."


def agreement_sentence(titles: Sequence[str], n_agreeing: int, n: int) -> str:
    """Say on how many points the decoders shown agree; nothing where there is one only.

    >>> agreement_sentence(["Hamming", "Linear"], 30, 40)
    'The 2 decoders shown agree on 75.0 % (30 of 40) of these points.'
    """
    if len(titles) < 2 or not n:
        return ""
    if n_agreeing == n:
        return f"The {len(titles)} decoders shown agree on all {count(n, 'point')}."
    return f"The {len(titles)} decoders shown agree on {percent(n_agreeing, n)} of these points."


def best_sentence(titles: Sequence[str], n_wrong: Sequence[int], shown: int) -> str:
    """Compare the decoders shown on the same machines.

    >>> best_sentence(["Hamming", "Linear", "Likelihood"], [9, 5, 5], 0)
    'On the same machines Linear and Likelihood make 4 fewer errors than Hamming.'
    >>> best_sentence(["Hamming", "Linear"], [3, 5], 0)
    'None of the decoders shown makes fewer errors.'
    """
    if len(titles) < 2:
        return ""
    least = min(n_wrong)
    if n_wrong[shown] == least:
        equal = [t for t, n in zip(titles, n_wrong, strict=True) if n == least and t != titles[shown]]
        tail = f"; {listed(equal)} {'makes' if len(equal) == 1 else 'make'} as many" if equal else ""
        return f"None of the decoders shown makes fewer errors{tail}."
    best = [title for title, n in zip(titles, n_wrong, strict=True) if n == least]
    fewer = n_wrong[shown] - least
    verb = "makes" if len(best) == 1 else "make"
    errors = "error" if fewer == 1 else "errors"
    return f"On the same machines {listed(best)} {verb} {fewer:,} fewer {errors} than {titles[shown]}."


def marks_sentence(tested: bool, n_points: int, n_drawn: int) -> str:
    """Explain how points are drawn.

    >>> marks_sentence(True, 160, 160)
    'Outlined points are decided wrongly; training points are drawn smaller.'
    """
    marks = "Outlined points are decided wrongly"
    marks += "; training points are drawn smaller." if tested else "."
    return marks if n_drawn == n_points else f"{marks} {n_drawn:,} of {n_points:,} points are drawn."


def code_sentence(
    row_distance: float, repairs: int, one_sided: int, repeated: int, complementary: int
) -> str:
    """Say what a code matrix can do; `repairs` is what Hamming decoding repairs, -1 for not even none.

    >>> code_sentence(4, 1, 0, 0, 0)
    'Row distance 4, so Hamming decoding repairs any 1 wrong bit. No repeated or complementary columns.'
    """
    distance = f"Row distance {row_distance:g}"
    if repairs > 0:
        first = f"{distance}, so Hamming decoding repairs any {count(repairs, 'wrong bit')}."
    elif repairs == 0:
        first = f"{distance}: one wrong bit can already cost the class under Hamming decoding."
    else:
        first = f"{distance}: Hamming decoding can miss a class even when all its bits are right."
    faults = [
        count(n, f"{kind} column")
        for n, kind in ((one_sided, "one-sided"), (repeated, "repeated"), (complementary, "complementary"))
        if n
    ]
    return (
        f"{first} {listed(faults).capitalize()}."
        if faults
        else f"{first} No repeated or complementary columns."
    )


def point_sentence(
    n_wrong_bits: int | None,
    n_asked: int,
    decided: str,
    truth: str | None,
    decoder: str,
) -> str:
    """Say what happened to the picked point.

    >>> point_sentence(1, 7, "circle", "circle", "Linear")
    '1 of its 7 bits is wrong; Linear decoding repairs it.'
    >>> point_sentence(0, 7, "square", "circle", "Linear")
    'No bit is wrong, and yet Linear decoding says square instead of circle.'
    """
    if truth is None or n_wrong_bits is None:
        return f"{decoder} decoding says {decided} here."
    right = decided == truth
    if n_wrong_bits == 0:
        if right:
            bits = "The only bit" if n_asked == 1 else f"All {n_asked} bits"
            return f"{bits} that {truth} asks for {'is' if n_asked == 1 else 'are'} right."
        return f"No bit is wrong, and yet {decoder} decoding says {decided} instead of {truth}."
    verb = "is" if n_wrong_bits == 1 else "are"
    first = (
        "Its only bit is wrong;" if n_asked == 1 else f"{n_wrong_bits} of its {n_asked} bits {verb} wrong;"
    )
    if right:
        return f"{first} {decoder} decoding repairs {'it' if n_wrong_bits == 1 else 'them'}."
    return f"{first} {decoder} decoding gives up and says {decided} instead of {truth}."


def tipping_sentence(n_flips: int | None, decided: str, bits: Sequence[int]) -> str:
    """Say how many more wrong bits the decision would survive.

    >>> tipping_sentence(2, "circle", [0, 3])
    'It stays circle after any 1 flip; flipping bits 1 and 4 changes it.'
    >>> tipping_sentence(1, "circle", [2])
    'Flipping bit 3 alone changes the decision.'
    """
    if n_flips is None:
        return "No set of flips was found that changes the decision."
    names = listed([str(b + 1) for b in bits])
    if n_flips == 1:
        return f"Flipping bit {names} alone changes the decision."
    if n_flips > 12:
        return f"It stays {decided} after any {n_flips - 1} flips."
    return f"It stays {decided} after any {count(n_flips - 1, 'flip')}; flipping bits {names} changes it."


def signed(r: float) -> str:
    """Write a correlation.

    >>> signed(0.314), signed(-0.5), signed(0.001)
    ('+0.31', '−0.50', '0.00')
    """
    text = f"{abs(r):.2f}"
    return text if text == "0.00" else ("+" if r > 0 else MINUS) + text
