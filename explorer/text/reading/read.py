"""How a text is read: as it is, or as Markdown."""

from __future__ import annotations

import re
from typing import Literal, get_args

from explorer.core.files.encoding import replace_surrogates
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.reading.value import ReadingText, plain_reading

ReadMode = Literal["plain", "markdown", "auto"]
"""As it is written; as Markdown; as Markdown if it has marks of Markdown."""
READ_MODES: tuple[ReadMode, ...] = get_args(ReadMode)

_SIGN = re.compile(r"[*_`#$|\\~\[<&]|^[ \t]*[-+>=]", re.MULTILINE)
"""What every mark has one of; a text without any is not parsed."""
_MARKED = frozenset(("heading", "bold", "italic", "strike", "code", "code_block", "link", "image", "table", "math"))
"""Styles that show that a text is Markdown. Numbers before lines are in plain texts as well."""


def read_text(text: str, mode: str = "auto") -> ReadingText:
    """Read a text as a person does.

    text: The text; unpaired surrogates are replaced.
    mode: "plain": as it is. "markdown": Markdown (CommonMark with tables, strikethrough and task lists) and LaTeX math
        lose their marks. "auto": as Markdown if the text has such marks.
    Returns: The text with its styles, and the map to the source.
    Raises `QueryError` if there is no such mode.

    Notes
    -----
    Linear in the text: about 0.3 s for a megabyte of Markdown.

    Examples
    --------
    >>> from explorer.text.reading import read_text
    >>> read_text("# Title\\n\\nSome **bold** words").text
    'Title\\n\\nSome bold words'
    """
    if mode not in READ_MODES:
        raise QueryError(
            mark('read must be one of {choices}, not "{read}".'),
            reason="bad-setting",
            read=mode,
            choices=", ".join(READ_MODES),
        )
    text = replace_surrogates(text)
    # Most texts that are typed have no marks at all.
    if mode == "plain" or (mode == "auto" and not _SIGN.search(text)):
        return plain_reading(text)
    # Loaded when it is needed, as the parser is: the command line reads nothing but plain text as a rule.
    from explorer.text.reading.markdown import read_markdown

    found = read_markdown(text)
    return found if mode == "markdown" or _has_marks(found) else plain_reading(text)


def looks_like_markdown(text: str) -> bool:
    """Tell whether a text has marks of Markdown or LaTeX, so that "auto" reads it as Markdown.

    Returns: True if it has headings, bold or italic words, code, links, tables, math, or a list with bullets.
    """
    return read_text(text, "auto").mode == "markdown"


def _has_marks(found: ReadingText) -> bool:
    return any(run.style in _MARKED or (run.style == "item" and not run.note[:1].isdigit()) for run in found.runs)
