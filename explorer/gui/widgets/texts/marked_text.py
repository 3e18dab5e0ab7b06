"""Thousands of runs of a plain text edit in formats of their own.

They are formats of the blocks' layouts, not extra selections: Qt checks every selection for every line that it paints
(a thousand in one paragraph take 200 ms per painting, formats 9 ms).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextDocument, QTextLayout
from PySide6.QtWidgets import QPlainTextEdit

Run = tuple[int, int, QTextCharFormat]
"""Positions [start, end) as Qt counts them, and the format."""


def mark_runs(edit: QPlainTextEdit, runs: Iterable[Run], within: tuple[int, int] | None = None) -> None:
    """Show runs of a text in their formats, and no others; where runs overlap, the later ones are on top.

    They stay where they are in their paragraph: when the text changes, mark again `within` the positions that changed,
    with all runs.

    runs: First position, end and format of each run, in Qt's positions (UTF-16 units).
    within: The first and last position in which to mark; None for the whole text.

    Notes
    -----
    Costs the paragraphs that have or had a mark; the text itself and its undo history stay unchanged.
    """
    document = edit.document()
    first, last = within or (0, document.characterCount())
    wanted = _by_block(document, runs)
    block = document.findBlock(first)
    while block.isValid() and block.position() <= last:
        made = wanted.get(block.blockNumber(), [])
        # A paragraph that lost its last mark still has a format; all others are left alone.
        if made or block.layout().formats():
            block.layout().setFormats(made)
            document.markContentsDirty(block.position(), block.length())
        block = block.next()


def _by_block(document: QTextDocument, runs: Iterable[Run]) -> dict[int, list[QTextLayout.FormatRange]]:
    found: dict[int, list[QTextLayout.FormatRange]] = defaultdict(list)
    for start, end, form in runs:
        block = document.findBlock(start)
        while block.isValid() and max(start, block.position()) < end:
            found[block.blockNumber()].append(_part(block, start, end, form))
            block = block.next()
    return found


def _part(block: QTextBlock, start: int, end: int, form: QTextCharFormat) -> QTextLayout.FormatRange:
    """The part of a run that is in a block."""
    part = QTextLayout.FormatRange()
    part.start = max(0, start - block.position())
    # Counted from the beginning of the paragraph, whose length includes its separator.
    part.length = min(end - block.position(), block.length()) - part.start
    part.format = form
    return part
