"""The words of this subject, each explained in a sentence or two: one source for app and documents.

In sentences the first mention of a word is marked, and whoever points at it or comes to it by key reads what
it is. Only the mark travels with a sentence; the explanations are in the style sheet of the page.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from string import ascii_letters
from types import MappingProxyType

from ecocviz.views.shared.draw.outside import Shown, literal

GLOSSARY: Mapping[str, str] = MappingProxyType(
    {
        "bit": "One answer of one machine: + or −.",
        "bound": "An upper limit for an error, computed without testing the points one by one.",
        "C": "The penalty for points on the wrong side. Large values fit every training point.",
        "calibration": "Turning a machine's scores into probabilities that come true as often as they say.",
        "code matrix": "A row for each class, a column for each machine. An entry says which "
        "answer, + or −, the machine should give for the class; 0: it is never shown the class.",
        "codeword": "A class's row of the code matrix: the answers that the machines should give for it.",
        "cost": "How badly a class fits the machines' answers. The decoder picks the class with the lowest "
        "cost.",
        "decoder": "The rule that turns the machines' answers into a class.",
        "flip": "To change one answer, + into − or − into +, and see whether the decision changes.",
        "gamma": "How quickly two points stop being similar as they move apart. Large values are narrow: "
        "every point is an island.",
        "Hamming": "The decoder that counts in how many places the answers differ from each row.",
        "kernel": "A measure of how similar two points are, by which a machine can draw curved borders.",
        "leave-one-out": "Judging each training point by machines that were trained without it.",
        "likelihood": "How probable the machines' answers would be if a class were the true one.",
        "log-loss": "How little probability was given to the true classes: the mean of its negative "
        "logarithm. Smaller is better; a true class that was called impossible makes it infinite.",
        "machine": "A binary classifier: it answers + or −, nothing else. There is one for each column of "
        "the code.",
        "margin": "How far the winner is ahead of the runner-up.",
        "one-vs-all": "The code in which each machine separates one class from all others.",
        "one-vs-one": "The code in which each machine separates one class from one other.",
        "p": "How probable a difference of this size would be between two decoders that are equally good. "
        "A small one speaks against chance.",
        "phi": "How much two machines err on the same points: 1 means always together, 0 no more than by "
        "chance, less than 0 more seldom.",
        "reduction": "A way to solve a problem with many classes by means of binary classifiers.",
        "region": "A part of the plane where the decision is always the same class.",
        "row distance": "In how many places the two most similar rows of the code differ. The larger it is, "
        "the more wrong bits can be repaired.",
        "tie": "Two or more classes share the lowest cost. The one listed first wins.",
    }
)
"""Word -> what it is."""

OTHER_FORMS: Mapping[str, str] = MappingProxyType(
    {
        "γ": "gamma",
        "φ": "phi",
        "ties": "tie",
        "codewords": "codeword",
        "row distances": "row distance",
        "code matrices": "code matrix",
    }
)
"""Forms beside those that an s makes -> word."""


@cache
def _forms() -> Mapping[str, str]:
    """Return every form of a word -> the word, letters as they stand in the middle of a sentence."""
    plurals = {f"{word}s": word for word in GLOSSARY if word.islower()}
    return {**{word: word for word in GLOSSARY}, **plurals, **OTHER_FORMS}


@cache
def _pattern() -> re.Pattern[str]:
    either = "|".join(map(_form_pattern, sorted(_forms(), key=len, reverse=True)))
    return re.compile(rf"(?<![\w&#-])(?:{either})(?![\w-])")


def _form_pattern(form: str) -> str:
    """Return what finds a form; a letter may be the name of a class too, so it must be a quantity there."""
    if form in ascii_letters:
        return rf"(?:(?<=Choosing )|(?<=values of )){form}|{form}(?= (?:=|&#60;) )"
    return re.escape(form) if form[0].isupper() else f"[{form[0]}{form[0].upper()}]{re.escape(form[1:])}"


@lru_cache(maxsize=2048)
def marked(text: str, *others: str) -> tuple[Shown, ...]:
    """Return texts as HTML in which the first mention of each word of the glossary is marked.

    They are shown letter by letter, as `literal` does it; markup is left as it is. A word that the first
    text mentions is not marked again in the others.

    Examples
    --------
    >>> marked("2 bits < 3 bits")[0]
    '2 <dfn class="eco-term" data-term="bit" tabindex="0">bits</dfn> &#60; 3 bits'
    """
    met: set[str] = set()

    def mark(found: re.Match[str]) -> str:
        form = found[0]
        word = _forms().get(form) or _forms()[form[0].lower() + form[1:]]
        if word in met:
            return form
        met.add(word)
        return f'<dfn class="eco-term" data-term="{literal(word)}" tabindex="0">{form}</dfn>'

    return tuple(
        one if isinstance(one, Shown) else Shown(_pattern().sub(mark, literal(one)))
        for one in (text, *others)
    )


@cache
def glossary_css() -> str:
    """Return the style that shows what a marked word means, below its sentence."""
    tips = (
        f'.eco-term[data-term="{word}"]:is(:hover, :focus)::after {{ content: "{meaning}"; }}'
        for word, meaning in GLOSSARY.items()
    )
    return "\n".join(tips)


def document() -> str:
    """Return docs/glossary.md."""
    head = (
        "# Words\n\nThe words that the app marks in its sentences: point at one, or come to it with the "
        "Tab key, to read what it is.\n\n| word | what it is |\n|---|---|\n"
    )
    return head + "".join(f"| {word} | {meaning} |\n" for word, meaning in GLOSSARY.items())
