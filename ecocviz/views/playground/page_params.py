"""The parameters that matter most, in view beside the regions that they change."""

import streamlit as st

from ecocviz.engine.params import FloatParam, Param
from ecocviz.lab.catalogue import SLOTS
from ecocviz.lab.choices import uses
from ecocviz.lab.scenario import Choice, Scenario
from ecocviz.lab.settled import Numbers, word_numbers
from ecocviz.views.playground.page_view import View
from ecocviz.views.shared.app import cache, state
from ecocviz.views.shared.app.numbers import Change, log_number
from ecocviz.views.shared.app.said import caption
from ecocviz.views.shared.app.widgets import param_widgets
from ecocviz.views.shared.draw.outside import literal
from ecocviz.views.shared.draw.settings import matters
from ecocviz.views.shared.draw.words import setting

PLACE = "playground."


def draw_params(view: View) -> None:
    """Draw the prominent parameters of what is trained, with the numbers that their words have become."""
    scenario = state.current().scenario
    slot = "machine" if uses(scenario, "machine") else "reduction"
    choice, params = prominent(scenario, slot)
    if not params or not state.is_offered(slot):
        return
    key = slot, cache.choices_key((choice,))
    numbers = view.once("numbers", lambda: word_numbers(view.trained, choice, slot), *key)

    def changed(name: str, value: float | str) -> None:
        state.set_slot(slot, None, **{name: value})

    with st.container(key="playground-params"):
        for column, param in zip(st.columns(2, gap="medium"), params, strict=False):
            with column:
                _draw(f"{PLACE}{slot}", param, choice, changed, numbers)


def prominent(scenario: Scenario, slot: str) -> tuple[Choice, tuple[Param, ...]]:
    """Return a slot's choice, and which of its parameters stand in view: two at most."""
    choice: Choice = getattr(scenario, slot)
    params = [param for param in SLOTS[slot][choice.key].params if param.prominent]
    return choice, tuple(param for param in params if matters(param, choice.values))[:2]


def _draw(place: str, param: Param, choice: Choice, change: Change, numbers: Numbers) -> None:
    value = choice.values[param.name]
    if not isinstance(param, FloatParam) or not param.log:
        param_widgets(place, (param,), choice, change)
        caption(_said(param.hint))
        return
    became = {word: number for (name, word), number in numbers.items() if name == param.name}
    number = value if not isinstance(value, str) else became.get(value)
    if number is None:  # what the word stands for is not known before the scores are
        param_widgets(place, (param,), choice, change)
        return
    mark = next(iter(became.values()), None)
    log_number(param, f"w.{place}.{choice.key}.{param.name}", float(number), change, mark=mark)
    labels = dict(param.words)
    if isinstance(value, str):
        caption(_said(f"{labels[value]}; {param.hint}"))
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        caption(_said(param.hint), width="content")
        for word, known in list(became.items())[:1]:
            st.button(
                literal(f"From the data: {setting(known)}"), type="tertiary", help=literal(labels[word]),
                key=f"{place}.{param.name}.{word}", on_click=change, args=(param.name, word),
            )  # fmt: skip


def _said(text: str) -> str:
    """Write a few words as a sentence."""
    return f"{text[:1].upper()}{text[1:]}." if text else ""
