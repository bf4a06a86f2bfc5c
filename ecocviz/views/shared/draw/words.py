"""Sentences computed from numbers: what is to be seen under a figure. Plain arguments in, text out."""

from collections.abc import Sequence

MINUS = "−"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


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


def any_wrong(n: int) -> str:
    """Say which wrong bits are repaired.

    >>> any_wrong(1), any_wrong(3)
    ('any single wrong bit', 'any 3 wrong bits')
    """
    return "any single wrong bit" if n == 1 else f"any {n:,} wrong bits"


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


def setting(value: float, digits: int = 3) -> str:
    """Write the value of a parameter with so many significant digits, far from 1 with a power of ten.

    >>> setting(0.1234), setting(1000.0), setting(2e-5), setting(1e6), setting(99_999.0), setting(0.0)
    ('0.123', '1000', '2·10⁻⁵', '10⁶', '10⁵', '0')
    """
    text = f"{value:.{digits}g}"
    if "e" not in text:
        return text
    rounded = float(text)
    if 1e-4 <= abs(rounded) < 1e5:
        return f"{rounded:.5g}"
    factor, exponent = text.split("e")
    power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return power if factor == "1" else f"{factor}·{power}"


def listed(names: Sequence[str]) -> str:
    """Join names.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def signed(r: float) -> str:
    """Write a correlation.

    >>> signed(0.314), signed(-0.5), signed(-0.001), signed(float("nan"))
    ('+0.31', '−0.50', '0.00', 'none')
    """
    if r != r:  # noqa: PLR0124 - nan is the only value unlike itself
        return "none"
    text = f"{abs(r):.2f}"
    return text if text == "0.00" else ("+" if r > 0 else MINUS) + text


def hundredth(value: float) -> str:
    """Write a number with two decimals: nothing rounded is less than zero.

    >>> hundredth(-0.123), hundredth(-0.004), hundredth(0.5)
    ('−0.12', '0.00', '0.50')
    """
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else minus(text)


def p_text(p: float) -> str:
    """Write a p-value.

    >>> p_text(1.0), p_text(0.0312), p_text(0.0000012)
    ('1.00', '0.031', '< 0.001')
    """
    if p < 0.001:
        return "< 0.001"
    return f"{p:.2f}" if p >= 0.1 else f"{p:.3f}"
