"""Texts of corpora, files and errors in places where Qt would interpret them as markup.

Labels show plain text, tool tips no markup, menus and buttons no shortcuts; characters that reorder or hide the text
around them are shown as escapes, and long texts are cut.
"""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget

from explorer.core.visible import visible

MOST_SHOWN = 5_000
"""The most characters of a label or tool tip: laying out a million would block the window for seconds."""


# Direction isolates are inserted by the program itself: they stay, as do line breaks.
_KEPT = "\n\t\u2066\u2067\u2068\u2069"


def plain(text: str) -> str:
    """The text with control characters made visible, and cut if it is very long."""
    return visible(text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + " …", keep=_KEPT)


def tip(text: str) -> str:
    """A text for a tool tip, which Qt treats as HTML if it looks like it."""
    shown = plain(text)
    return f"<span style='white-space: pre-wrap'>{html.escape(shown)}</span>" if "<" in shown else shown


def caption(text: str) -> str:
    """A text for a button, a tab or a menu, where & would underline the next letter and make it a shortcut."""
    return plain(text).replace("&", "&&")


class Label(QLabel):
    """A label that shows any text as plain text, at the side where the window's lines begin.

    The window has no other kind of label. Qt itself would put a left-to-right text at the left of a window that runs
    from right to left, away from what it belongs to.
    """

    # Of the class: Qt may report a change of direction before the constructor is done.
    _asked = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        # Heights by widths, until the text or its look changes: Qt lays the text out each time that it is asked, and
        # one change of a page asks for the same widths dozens of times.
        self._heights: dict[int, int] = {}
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._lean()
        self.setText(text)

    def setAlignment(self, alignment: Qt.AlignmentFlag) -> None:
        """Put the text at a side, or in the middle."""
        self._asked = alignment
        self._lean()

    def _lean(self) -> None:
        """Where lines begin is asked of the window, and not of the text."""
        asked, absolute = self._asked, Qt.AlignmentFlag.AlignAbsolute
        leads = asked & Qt.AlignmentFlag.AlignHorizontal_Mask == Qt.AlignmentFlag.AlignLeading
        if leads and self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            asked = Qt.AlignmentFlag.AlignRight | absolute | asked & Qt.AlignmentFlag.AlignVertical_Mask
        if asked != self.alignment():
            super().setAlignment(asked)

    def setText(self, text: str) -> None:
        """Set the text."""
        shown = plain(text)
        if shown != self.text():
            self._heights.clear()
            super().setText(shown)

    def setWordWrap(self, on: bool) -> None:
        """Set whether the text may have several lines."""
        self._heights.clear()
        super().setWordWrap(on)

    def setToolTip(self, text: str) -> None:
        """Set the tool tip."""
        super().setToolTip(tip(text))

    def heightForWidth(self, width: int) -> int:
        """The height of the text at a width."""
        if width not in self._heights:
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]

    def changeEvent(self, event: QEvent) -> None:
        """Measure again in another font or style, and move to the other side with the window's direction."""
        self._heights.clear()
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._lean()
