"""A generated text as code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from explorer.recipes.code import Recipe, Source, call, command, option, program

_USUAL: dict[str, Any] = {
    "max_tokens": 200, "temperature": 0.8, "top_k": 0, "top_p": 1.0, "seed": 0, "most_verbatim": 0,
    "stop_at_ends": True,
}  # fmt: skip
"""What `LanguageModel.generate` and the command take where nothing is given."""


def generation_recipe(
    source: Source, method: str, settings: Mapping[str, Any], prompt: str, how: Mapping[str, Any]
) -> Recipe:
    """A text that a model of the corpus writes.

    how: The settings of the text, as in `LanguageModel.generate`.
    Returns: Code that prints the text; the command prints the prompt before it.
    """
    # What is usual is left out, so that what was chosen can be seen.
    changed = {name: value for name, value in how.items() if value != _USUAL[name]}
    lines = [
        f"model = {call('corpus.model', [repr(method)], settings)}",
        f"found = {call('model.generate', [repr(prompt)], changed)}",
        "print(found.text)",
    ]
    options = [option("--method", method)] if method != "levels" else []
    options += [option(f"--{name}", "all" if value is None else value) for name, value in settings.items()]
    options += [_as_option(name, value) for name, value in changed.items()]
    return Recipe(program((), source, lines), (command("generate", source, options, prompt),))


def _as_option(name: str, value: object) -> str:
    return "--no-stop" if name == "stop_at_ends" else option(f"--{name.replace('_', '-')}", value)
