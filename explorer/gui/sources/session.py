"""The texts that a screen asks about, as JSON values of a session. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

from explorer.documents.inputs.on_bad import POLICIES
from explorer.documents.inputs.text_input import FORMATS
from explorer.gui.sources.inputs import TextInputs

I = TypeVar("I", bound=TextInputs)  # noqa: E741 - inputs
_CHOICES = {"format": FORMATS, "on_bad": POLICIES}
_LISTS = {"files": Path, "removed": str}


def session_of_inputs(inputs: TextInputs) -> dict[str, Any]:
    """The inputs of `TextInputs`, as JSON values: it has neither paths nor tuples."""
    values = {each.name: getattr(inputs, each.name) for each in fields(TextInputs)}
    return values | {name: [str(each) for each in values[name]] for name in _LISTS}


def restored_inputs(inputs: I, values: Mapping[str, Any]) -> I:
    """Take the inputs of a session.

    values: What `session_of_inputs` gave, perhaps of another version, or edited.
    Returns: The inputs with the values that fit; missing or invalid ones are left unchanged.
    """
    restored: dict[str, Any] = {}
    for name in (each.name for each in fields(TextInputs)):
        value = values.get(name)
        if name in _LISTS and isinstance(value, list):
            restored[name] = tuple(_LISTS[name](each) for each in value if isinstance(each, str))
        elif name not in _LISTS and isinstance(value, str) and value in _CHOICES.get(name, (value,)):
            restored[name] = value
    return replace(inputs, **restored)
