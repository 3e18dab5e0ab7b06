"""The card that appears over a marked passage while the pointer rests on it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QTextEdit, QVBoxLayout

from explorer.gui.screens.screen import label
from explorer.gui.screens.trace.documents.choice import Mark
from explorer.gui.screens.trace.text.marks import TextMarks
from explorer.gui.style.theme import em
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.painting import rounded
from explorer.i18n import tr

_WIDEST = 30.0
"""Width of a card at most, in em."""
_AWAY = 6
"""Pixels that the pointer may move before the card goes."""


class HoverCard(QFrame):
    """A mark explained: its passage, its spans, and the best document with the words in it.

    text: The text; the card is on its viewport, and never takes the pointer.
    """

    def __init__(self, text: QTextEdit, marks: TextMarks) -> None:
        super().__init__(text.viewport())
        self._view, self._marks = text.viewport(), marks
        self._at = QPoint()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.heading = label("", "heading")
        self.facts = label("", "muted")
        self.document = label("")
        self.quote = label("")
        column = QVBoxLayout(self)
        for part in (self.heading, self.facts, self.document, self.quote):
            part.setWordWrap(True)
            column.addWidget(part)
        self.hide()
        self._view.installEventFilter(self)

    def tell(self, mark: Mark, point: QPoint) -> None:
        """Show the facts of a mark."""
        self._at = point
        first, _, more = mark.hint().partition("\n")
        source = mark.source() if mark.source is not None else None
        self.heading.setText(first)
        self.facts.setText(more)
        self.facts.setVisible(more != "")
        for part in (self.document, self.quote):
            part.setVisible(source is not None)
        if source is not None:
            self.document.setText(tr("Best document {title}", title=source[0]))
            self.quote.setText(source[1])
        self.setAccessibleName(tip(mark.hint()))
        self._place(point)
        self.show()
        self.raise_()

    def _place(self, point: QPoint) -> None:
        """Below the pointer, or above it where there is no room; always within the text."""
        pad = em(0.9)
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(pad, em(0.7), pad, em(0.7))
        layout.setSpacing(em(0.35))
        view = self._view.rect()
        width = min(em(_WIDEST), view.width() - em(1))
        # Hidden parts have no height; those that wrap tell theirs for this width only.
        height = layout.totalHeightForWidth(width)
        left = max(view.left(), min(point.x() - em(2), view.right() - width))
        below = point.y() + em(1.5)
        top = below if below + height <= view.bottom() else max(view.top(), point.y() - em(1.2) - height)
        self.setGeometry(left, top, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Appear while the pointer rests on a mark; go when it leaves the place, or the text scrolls under it."""
        kind = event.type()
        if isinstance(event, QHelpEvent) and kind == QEvent.Type.ToolTip:
            mark = self._marks.under(event.pos())
            self.hide() if mark is None else self.tell(mark, event.pos())
            return True
        if self.isHidden():
            return False
        if isinstance(event, QMouseEvent) and kind == QEvent.Type.MouseMove:
            if (event.position().toPoint() - self._at).manhattanLength() > _AWAY:
                self.hide()
        elif kind in (QEvent.Type.Leave, QEvent.Type.Wheel, QEvent.Type.Resize, QEvent.Type.Hide):
            self.hide()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """A raised surface with an outline."""
        painter = QPainter(self)
        rounded(painter, self.rect().toRectF(), 8, "surface", "line_strong")
        painter.end()
