"""What is known of models and their answers without a connection, whose modules take 40 ms to import."""

from __future__ import annotations

import re

MOST_TOKENS = 32_768
"""Tokens that may be asked for in one answer."""
HOTTEST = 2.0
"""The highest temperature that the interface knows."""


def shown_name(model: str) -> str:
    """Name a model as a person knows it: llama.cpp names it by the path of its file.

    Examples
    --------
    >>> shown_name("/models/small-q4.gguf"), shown_name("org/small")
    ('small-q4.gguf', 'org/small')
    """
    return re.split(r"[/\\]", model)[-1] or model if model.endswith(".gguf") else model


def passes_on(model: str) -> bool:
    """Tell whether a server on this machine passes questions for this model on to another one.

    Returns: Whether its tag is that of Ollama's models that run elsewhere. Another server that passes questions on is
        not recognized.

    Examples
    --------
    >>> passes_on("gpt-oss:120b-cloud"), passes_on("cloudy:7b")
    (True, False)
    """
    tag = model.rpartition(":")[2] if ":" in model else ""
    return tag == "cloud" or tag.endswith("-cloud")
