"""What a plain text edit shows in formats of its own."""

from __future__ import annotations

from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit


def marked_runs(edit: QPlainTextEdit) -> list[tuple[str, QTextCharFormat]]:
    """(text, format) of each run, in order."""
    found = []
    block = edit.document().begin()
    while block.isValid():
        units = block.text().encode("utf-16-le", "surrogatepass")
        for part in block.layout().formats():
            text = units[2 * part.start : 2 * (part.start + part.length)].decode("utf-16-le", "surrogatepass")
            # A copy: the run's own goes with the list that it came in.
            found.append((text, QTextCharFormat(part.format)))
        block = block.next()
    return found
