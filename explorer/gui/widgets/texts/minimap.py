"""A narrow picture of a whole text beside its scroll bar: how long the matches are, and which part is visible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.texts.painted_runs import heights_of
from explorer.gui.widgets.texts.prose_edit import ProseEdit
from explorer.i18n import counted, tr, trn

_STRONG = 5
"""Tokens of a match from which its bar is dark: shorter ones occur by chance."""
_PARAGRAPHS = 1_500
"""Paragraphs whose heights are asked for: more than a picture has rows."""
_WAIT_MS = 30
"""Milliseconds after the last change of the layout until the picture is painted again."""


def rows_of(heights: NDArray[np.float64], lengths: NDArray[np.int64], step: float, rows: int) -> NDArray[np.int64]:
    """Take the longest match in each row of a picture.

    heights: For each token its place in the text in pixels, ascending.
    lengths: The longest match that contains each token, int64 of the same shape.
    Returns: For each row the longest match of the tokens in it, 0 without tokens; of shape (rows,).
    """
    found = np.zeros(rows, np.int64)
    at = np.clip((heights / step).astype(np.int64), 0, max(0, rows - 1))
    if rows:
        np.maximum.at(found, at, lengths)
    return found


class Minimap(QWidget):
    """Draws the longest match at each place of a text as gray bars; a click or a drag scrolls the text."""

    def __init__(self, text: ProseEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._places: Sequence[int] | NDArray[np.int64] = ()
        self._lengths = np.empty(0, np.int64)
        self._chosen: tuple[tuple[int, int], ...] = ()
        self._heights: NDArray[np.float64] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Longest match at each token"))
        # The heights of all paragraphs are asked for once a change of the layout has ended.
        self._soon = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._soon.timeout.connect(self.update)
        text.laid_out.connect(self._forget)
        text.verticalScrollBar().valueChanged.connect(lambda _: self.update())
        when_restyled(self, self.updateGeometry)

    def show_lengths(self, places: Sequence[int] | NDArray[np.int64], lengths: NDArray[np.int64]) -> None:
        """Show other matches.

        places: The position of each token in the text, as Qt counts, ascending.
        lengths: The longest match that contains each token, int64 of the same length.
        """
        self._places, self._lengths = places, lengths
        most = int(lengths.max()) if len(lengths) else 0
        self.setAccessibleDescription(
            trn(
                "{n:,} token; the longest match has {most:,}",
                "{n:,} tokens; the longest match has {most:,}",
                len(lengths),
                most=most,
            )
        )
        self._forget()

    def show_chosen(self, chosen: tuple[tuple[int, int], ...]) -> None:
        """Draw the bars of these positions [start, end) in the color of a chosen passage."""
        self._chosen = chosen
        self.update()

    def _forget(self) -> None:
        # Asked for when it is painted next: one edit changes the layout several times.
        self._heights = None
        self._soon.start()

    def sizeHint(self) -> QSize:
        """A strip as wide as two letters."""
        return QSize(scaled(34), scaled(120))

    def _whole(self) -> float:
        """The height of the text."""
        bar = self._text.verticalScrollBar()
        # Not the document's own height, which is less than the view's for a short text.
        return float(bar.maximum() + self._text.viewport().height())

    def _picture(self) -> QRectF:
        """Where the text is drawn: as high as the text itself if there is room."""
        height = min(float(self.height()) - 2, self._whole())
        return QRectF(1, 1, self.width() - 2, max(1.0, height))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a bar per row of pixels, as long as the longest match there (on a square-root scale)."""
        painter = QPainter(self)
        area, whole = self._picture(), self._whole()
        bar = self._text.verticalScrollBar()
        scale = area.height() / whole
        view = QRectF(area.left(), area.top() + bar.value() * scale, area.width(), bar.pageStep() * scale)
        painter.fillRect(view, qcolor("hover"))
        if len(self._lengths):
            self._paint_bars(painter, area, whole)
        painter.setPen(QPen(qcolor("line_strong"), 1))
        painter.drawRoundedRect(view.intersected(area).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.end()

    def _paint_bars(self, painter: QPainter, area: QRectF, whole: float) -> None:
        # Kept until the layout changes: scrolling paints the strip again, with the same heights.
        if self._heights is None:
            self._heights = heights_of(self._text, self._places, _PARAGRAPHS)
        # Rows of some pixels, not one each: lengths can be compared, and a long text costs as much as a short one.
        pitch = scaled(4)
        rows = max(1, int(area.height() // pitch))
        step = whole / rows
        longest = rows_of(self._heights, self._lengths, step, rows)
        chosen = self._chosen_rows(step, rows)
        # Square roots: on a linear scale, one copied page would leave nothing to see of all other matches.
        most = max(1, int(longest.max())) ** 0.5
        inner = area.adjusted(3, 0, -3, 0)
        right = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        for row in np.flatnonzero(longest):
            length = int(longest[row])
            width = max(2.0, inner.width() * length**0.5 / most)
            left = inner.left() if right else inner.right() - width
            # Gray, since color means relevance in the text; matches under five tokens occur by chance and are pale.
            name = "mark" if chosen[row] else "muted" if length >= _STRONG else "line_strong"
            painter.fillRect(QRectF(left, area.top() + row * pitch, width, pitch - 1), qcolor(name))

    def _chosen_rows(self, step: float, rows: int) -> NDArray[np.bool_]:
        found = np.zeros(rows, np.bool_)
        places = np.asarray(self._places)
        # `_paint_bars` asks for the rows after it has set the heights.
        assert self._heights is not None
        for start, end in self._chosen:
            tokens = self._heights[(places >= start) & (places < end)]
            found[np.clip((tokens / step).astype(np.int64), 0, rows - 1)] = True
        return found

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Scroll so that the place of the click is in the middle."""
        self._scroll_to(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scroll with the pointer."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._scroll_to(event.position().y())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the text."""
        # To the bar itself, which knows how far the system scrolls for one step of the wheel.
        QApplication.sendEvent(self._text.verticalScrollBar(), event)

    def _scroll_to(self, y: float) -> None:
        area = self._picture()
        bar = self._text.verticalScrollBar()
        # Outside of the picture the value would be out of range; a scroll bar limits it by itself.
        bar.setValue(round((y - area.top()) / area.height() * self._whole() - bar.pageStep() / 2))

    def event(self, event: QEvent) -> bool:
        """Show in a tool tip what the bars are, and the longest match under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._heights is not None:
            area = self._picture()
            y = (event.pos().y() - area.top()) / area.height() * self._whole()
            # Heights are set by painting bars, and there are bars only for one token or more: this token exists.
            token = int(np.clip(np.searchsorted(self._heights, y), 0, len(self._lengths) - 1))
            text = tr(
                "Longest match per token, 0–{most:,}. Here, token {token:,}: {tokens}.",
                most=int(self._lengths.max()),
                token=token + 1,
                tokens=counted("token", int(self._lengths[token])),
            )
            QToolTip.showText(event.globalPos(), tip(text), self)
            return True
        return super().event(event)
