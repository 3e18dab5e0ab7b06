"""A text as a strip: one column per token or pixel, whose height and shade show the value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.analyses.agreement.analysis import TextAgreement
from explorer.gui.screens.agreement.texts.shading import LEVELS, describe_token, heights, shade, shade_levels
from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.i18n import tr, trn

_MARK = 3


class TokenRibbon(QWidget):
    """`token_chosen(int)`: clicked, or reached with the arrow keys; `brushed(int, int)`: tokens [first, end)."""

    token_chosen = Signal(int)
    brushed = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: TextAgreement | None = None
        self._heights: NDArray[np.float64] = np.zeros(0)
        self._levels: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._marked: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self._window = (0, 0)
        self._pressed = -1
        self._drag = (0, 0)
        self._at = 0
        self.setAccessibleName(tr("The text as a strip of tokens"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        """A strip."""
        return QSize(300, scaled(34))

    def show_text(self, found: TextAgreement | None, kind: str) -> None:
        """Show a text's figures of one kind.

        found: The text; None clears the ribbon.
        kind: "n" for effective n, "p" for probability, "a" for agreement.
        """
        # The same text is shown again when another part of it comes into view: the keys continue where they are.
        if found is not self._found:
            self._at = 0
        self._found = found
        count = len(found.infgram) if found is not None else 0
        self._heights = heights(found, kind) if found is not None else np.zeros(0)
        self._levels = shade_levels(found, kind) if found is not None else np.zeros(0, dtype=np.int64)
        self._marked = np.zeros(count, dtype=np.bool_)
        self.setAccessibleDescription(
            trn(
                "{n:,} token; the arrow keys move between tokens",
                "{n:,} tokens; the arrow keys move between tokens",
                count,
            )
        )
        self.update()

    def show_marked(self, marked: NDArray[np.bool_] | None) -> None:
        """Highlight some tokens, or none."""
        self._marked = marked if marked is not None else np.zeros(len(self._levels), dtype=np.bool_)
        self.update()

    def go_to(self, token: int) -> None:
        """Let the arrow keys continue from a token."""
        self._at = token
        self.update()

    @property
    def marked(self) -> tuple[int, ...]:
        """The numbers of the highlighted tokens."""
        return tuple(np.flatnonzero(self._marked).tolist())

    def show_window(self, first: int, end: int) -> None:
        """Frame the tokens that the text below shows.

        first: The first of them, from 0.
        """
        self._window = (first, end)
        self.update()

    def token_at(self, x: float) -> int:
        """The token at a position, -1 without a text."""
        count = len(self._levels)
        # A drag may leave the widget on either side.
        return min(count - 1, max(0, int(x * count / max(1, self.width())))) if count else -1

    def x_of(self, token: int) -> int:
        """The left edge of a token's column."""
        return token * self.width() // max(1, len(self._levels))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the columns, the marks above them, the frame of the visible part, and the current token."""
        count, width = len(self._levels), self.width()
        painter = QPainter(self)
        painter.fillRect(self.rect(), qcolor("surface"))
        if count:
            # Never more columns than pixels, however long the text is.
            columns = min(count, width)
            # A column of pixels may have many tokens: it shows the tallest, the strongest shade, and any mark.
            starts = np.arange(columns, dtype=np.int64) * count // columns
            tall = np.maximum.reduceat(self._heights, starts)
            strong = np.maximum.reduceat(self._levels, starts)
            marked = np.logical_or.reduceat(self._marked, starts)
            self._paint_columns(painter, tall, strong, marked)
            self._paint_window(painter, count)
        if self.hasFocus() and count:
            x = self.x_of(self._at)
            painter.setPen(QPen(qcolor("accent"), 2))
            painter.drawRect(QRect(x, 1, max(3, self.x_of(self._at + 1) - x), self.height() - 2))
        painter.end()

    def _paint_columns(
        self, painter: QPainter, tall: NDArray[np.float64], strong: NDArray[np.int64], marked: NDArray[np.bool_]
    ) -> None:
        columns, bottom = len(tall), self.height() - 1
        room = self.height() - _MARK - 3
        # The palest level would be invisible; draw it slightly stronger, so that every token shows.
        fills = [shade(max(1, level)) for level in range(LEVELS)]
        mark = qcolor("text")
        lefts = (np.arange(columns + 1) * self.width() // columns).tolist()
        for i, (height, level, on) in enumerate(zip(tall.tolist(), strong.tolist(), marked.tolist(), strict=True)):
            left, wide = lefts[i], max(1, lefts[i + 1] - lefts[i])
            high = max(1, round(room * height))
            painter.fillRect(QRect(left, bottom - high, wide, high), fills[level])
            if on:
                painter.fillRect(QRect(left, 0, wide, _MARK), mark)

    def _paint_window(self, painter: QPainter, count: int) -> None:
        painter.setPen(QPen(qcolor("line_strong"), 1))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        first, end = self._window
        # A text that is shown as a whole needs no frame.
        if end - first < count:
            painter.setPen(QPen(qcolor("muted"), 1))
            painter.drawRect(
                QRect(self.x_of(first), _MARK, self.x_of(end) - self.x_of(first) - 1, self.height() - _MARK - 1)
            )
        if self._pressed >= 0 and self._drag[1] - self._drag[0] > 1:
            painter.setPen(QPen(qcolor("accent"), 1))
            left, right = self.x_of(self._drag[0]), self.x_of(self._drag[1])
            painter.drawRect(QRect(left, 0, max(1, right - left), self.height() - 1))

    # --- mouse and keys ----------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press starts a click or a selection."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = self.token_at(event.position().x())
            # Half-open, as token ranges are everywhere.
            self._drag = (self._pressed, self._pressed + 1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag across tokens to select them."""
        if self._pressed >= 0:
            here = self.token_at(event.position().x())
            self._drag = (min(self._pressed, here), max(self._pressed, here) + 1)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses a token, a drag selects tokens."""
        if event.button() != Qt.MouseButton.LeftButton or self._pressed < 0:
            return
        first, end = self._drag
        self._pressed = -1
        self._at = first
        # Within one token a drag is a shaky click.
        if end - first > 1:
            self.brushed.emit(first, end)
        else:
            self.token_chosen.emit(first)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys, Home and End go from token to token."""
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Home: -len(self._levels),
            Qt.Key.Key_End: len(self._levels),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None or not len(self._levels):
            super().keyPressEvent(event)
            return
        # Home and End are steps beyond the ends, which are cut off here.
        self._at = min(len(self._levels) - 1, max(0, self._at + step))
        self.token_chosen.emit(self._at)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show a token's values in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._found is not None:
            token = self.token_at(QPointF(event.pos()).x())
            QToolTip.showText(event.globalPos(), tip(describe_token(self._found, token)) if token >= 0 else "", self)
            return True
        return super().event(event)
