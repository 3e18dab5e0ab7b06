"""The environment variables that the commands read, for the help and the manual pages."""

from __future__ import annotations

import os
import textwrap

INDEX, TOKENIZER = "CORPUS_EXPLORER_INDEX", "CORPUS_EXPLORER_TOKENIZER"
# Name and meaning. The window has further ones for its settings.
VARIABLES = (
    (INDEX, "index of the commands that only read one; INDEX can then be left out"),
    (TOKENIZER, "tokenizer of indexes that have none of their own, unless --tokenizer is given"),
    ("CORPUS_EXPLORER_DATA", "folder of the sample index"),
    ("CORPUS_EXPLORER_CACHE", "folder for files that can be rebuilt"),
    ("SOURCE_DATE_EPOCH", "seconds since 1970 that an index states as its time, for reproducible builds"),
    ("NO_COLOR", "if set and not empty, no colors unless --color always is given"),
)


def named(variable: str) -> str | None:
    """The value of a variable; None if it is not set, or empty."""
    return os.environ.get(variable) or None


def table(rows: tuple[tuple[str, str], ...]) -> str:
    """Lay out names with their meanings, as argparse does for options.

    Returns: The lines, without a line feed at the end. Meanings are wrapped at 78 characters.
    """
    lines = []
    # Two spaces before the names and two after the longest one.
    width = 4 + max(len(name) for name, _ in rows)
    for name, meaning in rows:
        first, *rest = textwrap.wrap(meaning, 78 - width)
        lines += [f"  {name:<{width - 2}}{first}", *(" " * width + line for line in rest)]
    return "\n".join(lines)
