"""The worked example: an answer as a language model might write it, for the sample corpus."""

from __future__ import annotations

from explorer.resources import resource_text


def example_prompt() -> str:
    """The question."""
    return resource_text("example/prompt.txt").strip()


def example_answer() -> str:
    """The answer."""
    return resource_text("example/answer.txt").strip()
