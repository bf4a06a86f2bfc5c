"""Settings the way a person reads them, one at a time."""

from ecocviz.engine.params import ChoiceParam, FloatParam, IntParam, Param, ParamValue
from ecocviz.lab.settled import AUTOMATIC, is_automatic
from ecocviz.views.shared.draw.words import setting


def told(param: Param, value: ParamValue, number: float | None = None) -> str:
    """Write one setting; `number` is what a word stands for, or what an automatic number became.

    >>> gamma = FloatParam(name="g", label="Width g", symbol="g", default="auto", low=0.1, high=9.0,
    ...                    words=(("auto", "from the data"),))
    >>> told(gamma, "auto", 0.4217), told(gamma, "auto"), told(gamma, 2.0)
    ('g 0.422, from the data', 'g from the data', 'g 2')
    >>> told(IntParam(name="n", label="Machines", default=0, low=0, high=99, automatic=0), 0, 30)
    'Machines automatic (30)'
    """
    text, name = text_of(param, value), param.symbol or param.label
    if isinstance(param, ChoiceParam):
        return text
    if is_automatic(param, value):
        return f"{name} {text}" + ("" if number is None else f" ({number:,})")
    if isinstance(value, str) and number is not None:
        return f"{name} {setting(number)}, {text}"
    return f"{name} {text}"


def text_of(param: Param, value: ParamValue) -> str:
    """Write a value the way a person reads it."""
    if isinstance(param, ChoiceParam):
        return dict(param.options)[str(value)]
    if is_automatic(param, value):
        return AUTOMATIC
    if isinstance(value, str):
        words = dict(param.words) if isinstance(param, FloatParam) else {}
        return words.get(value, value)
    return f"{value:,}" if isinstance(param, IntParam) else setting(value, 6)


def matters(param: Param, values: dict[str, ParamValue]) -> bool:
    """Say whether a parameter has a meaning beside the values of the others."""
    return param.only_if is None or values[param.only_if[0]] in param.only_if[1]
