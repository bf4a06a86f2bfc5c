"""What widgets say by themselves when they are put on the screen, before anybody has touched them."""

from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState


def shown_state(content: Any) -> WidgetState | None:
    """Return what a widget says when it is put on the screen, None for what says nothing by itself."""
    kind = type(content).__name__
    make = _SHOWN.get(kind)
    return None if make is None else make(content)


def _selectbox(content: Any) -> WidgetState | None:
    value = content.raw_value if content.set_value else None
    if not content.set_value and content.HasField("default") and content.options:
        value = content.options[content.default]
    return None if value is None else WidgetState(id=content.id, string_value=value)


def _slider(content: Any) -> WidgetState | None:
    state = WidgetState(id=content.id)
    if content.type == content.SELECT_SLIDER:
        values = (
            content.raw_value if content.set_value else [content.options[int(k)] for k in content.default]
        )
        state.string_array_value.data.extend(values)
    else:
        state.double_array_value.data.extend(content.value if content.set_value else content.default)
    return state


def _number_input(content: Any) -> WidgetState | None:
    value = content.value if content.set_value else content.default
    if content.data_type == content.INT:
        return WidgetState(id=content.id, int_value=int(value))
    return WidgetState(id=content.id, double_value=value)


def _checkbox(content: Any) -> WidgetState | None:
    return WidgetState(id=content.id, bool_value=content.value if content.set_value else content.default)


def _several(content: Any) -> WidgetState | None:
    state = WidgetState(id=content.id)
    options = [getattr(option, "content", option) for option in content.options]
    values = content.raw_values if content.set_value else [options[k] for k in content.default]
    state.string_array_value.data.extend(values)
    return state


def _text(content: Any) -> WidgetState | None:
    return WidgetState(id=content.id, string_value=content.value if content.set_value else content.default)


def _table(content: Any) -> WidgetState | None:
    """Return what a table says in which something is chosen from the beginning; any other says nothing."""
    chosen = content.selection_default
    return WidgetState(id=content.id, string_value=chosen) if chosen else None


_SHOWN = {
    "Dataframe": _table,
    "Selectbox": _selectbox,
    "Radio": _selectbox,
    "Slider": _slider,
    "NumberInput": _number_input,
    "Checkbox": _checkbox,
    "MultiSelect": _several,
    "ButtonGroup": _several,
    "TextInput": _text,
    "TextArea": _text,
}
