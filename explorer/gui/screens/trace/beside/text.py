"""One of two texts side by side, and the map between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

from explorer.gui.screens.trace.beside.work import Side
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.text_positions import Utf16Map
from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.texts.painted_runs import Look, Painted, areas_of, heights_of, visible_positions
from explorer.gui.widgets.texts.prose_edit import ProseEdit
from explorer.i18n import tr

Places = NDArray[np.int64]
# Looks name colors of the theme, which are looked up when they are painted: another theme needs no new runs.
_SAME = Look(fill="rel2")
_MOVED = Look(fill="rel1")
_ONLY = Look(line="muted", style=Qt.PenStyle.DotLine)
# The line through the words is painted by `SideText.paintEvent`: a look has underlines only.
_STRUCK = Look(text="muted")
_FRAME = Look(frame="accent")
_NOTHING = Side(*(np.empty((0, 2), np.int64) for _ in range(4)))


class SideText(ProseEdit):
    """A text with the words that it shares, also in another place, and those that it has alone: dotted, or struck.

    `escaped`: Esc.

    struck: Whether its own words are struck.
    name: Its name for assistive technology.
    """

    escaped = Signal()

    def __init__(self, struck: bool, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._struck = struck
        self._side = _NOTHING
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setProperty("role", "reading")
        self.setAccessibleName(name)

    @property
    def same(self) -> Places:
        """Qt's positions of the runs that both texts have, int64 of shape (runs, 2)."""
        return self._side.same

    @property
    def between(self) -> Places:
        """Qt's positions of the words between the runs, one row per difference."""
        return self._side.between

    @property
    def only(self) -> Places:
        """Qt's positions of the words that only this text has."""
        return self._side.only

    @property
    def moved(self) -> Places:
        """Qt's positions of the words that the other text has in another place."""
        return self._side.moved

    def show_text(self, text: str, side: Side = _NOTHING) -> None:
        """Show another text."""
        positions = Utf16Map(text)
        self.setPlainText(text)
        # After the text was set: an edit moves painted runs, and these are places in the new text already.
        parts = (side.same, side.between, side.only, side.moved)
        self._side = Side(*(positions.all_to_qt(part.ravel()).reshape(-1, 2) for part in parts))
        self.frame(-1)

    def frame(self, number: int) -> None:
        """Draw a frame around a difference; -1 for none."""
        own = _STRUCK if self._struck else _ONLY
        places = [self.same, self.moved, self.only]
        looks = [_SAME] * len(self.same) + [_MOVED] * len(self.moved) + [own] * len(self.only)
        # Last, and so on top. A difference has one number in both texts, and no width in a text without words there.
        if 0 <= number < len(self.between):
            places.append(self.between[number : number + 1])
            looks.append(_FRAME)
        self.runs.paint(Painted(np.concatenate(places), tuple(looks)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text with its marks, and a line through the words that are struck."""
        super().paintEvent(event)
        if not self._struck or not len(self.only):
            return
        # After the base class has painted the letters, which the line crosses.
        first, last = visible_positions(self)
        painter = QPainter(self.viewport())
        painter.setPen(QPen(qcolor("muted"), max(1.0, scaled(1))))
        for start, end in self.only[(self.only[:, 0] < last) & (self.only[:, 1] > first)].tolist():
            for area in areas_of(self, max(start, first), min(end, last)):
                # A little below the middle of the line, through the middle of small letters.
                middle = area.center().y() + area.height() * 0.06
                painter.drawLine(round(area.left()), round(middle), round(area.right()), round(middle))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves the page."""
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        super().keyPressEvent(event)


def _rows_with(heights: NDArray[np.float64], pitch: float, rows: int) -> NDArray[np.bool_]:
    """Which rows of a picture have a run; heights: first and last of each run in pixels, of shape (runs, 2)."""
    steps = np.zeros(rows + 1, np.int64)
    first, last = np.clip((heights // pitch).astype(np.int64), 0, max(0, rows - 1)).T
    # One more from where a run begins, one less after its end: the running sum counts the runs in each row.
    np.add.at(steps, first, 1)
    np.add.at(steps, last + 1, -1)
    return np.cumsum(steps)[:-1] > 0


class RunMap(QWidget):
    """A narrow picture of a text: which lines have words that both texts have, and which part is visible.

    text: The text beside it; a click or a drag scrolls it.
    """

    def __init__(self, text: SideText, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._heights: NDArray[np.float64] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Map of your text: bars are words that the document has, too"))
        text.laid_out.connect(self.forget)
        text.verticalScrollBar().valueChanged.connect(lambda _: self.update())
        when_restyled(self, self.updateGeometry)

    def forget(self) -> None:
        """Draw again, since the text or its layout is another one."""
        self._heights = None
        self.update()

    def sizeHint(self) -> QSize:
        """A strip as wide as two letters."""
        return QSize(scaled(28), scaled(120))

    def _whole(self) -> float:
        return float(self._text.verticalScrollBar().maximum() + self._text.viewport().height())

    def _picture(self) -> QRectF:
        return QRectF(1, 1, self.width() - 2, max(1.0, min(float(self.height()) - 2, self._whole())))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A bar per run, as high as the run, and a frame around what is visible."""
        painter = QPainter(self)
        area, bar = self._picture(), self._text.verticalScrollBar()
        scale = area.height() / self._whole()
        view = QRectF(area.left(), area.top() + bar.value() * scale, area.width(), bar.pageStep() * scale)
        painter.fillRect(view.intersected(area), qcolor("hover"))
        if self._heights is None:
            self._heights = heights_of(self._text, self._text.same.ravel()).reshape(-1, 2)
        pitch = scaled(4)
        # Heights are pixels of the text, and are kept for one layout; times `scale` they are pixels of the picture.
        same = _rows_with(self._heights * scale, pitch, int(area.height() // pitch))
        for row in range(len(same)):
            # Short and pale where the text has words of its own: told by length, too.
            width = (area.width() - 8) * (1.0 if same[row] else 0.35)
            bar_area = QRectF(area.right() - 4 - width, area.top() + row * pitch, width, pitch - 1)
            painter.fillRect(bar_area, qcolor("muted" if same[row] else "line_strong"))
        painter.setPen(QPen(qcolor("line_strong"), 1))
        painter.drawRoundedRect(view.intersected(area).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Scroll so that the place of the click is in the middle."""
        self._scroll_to(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scroll with the pointer."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._scroll_to(event.position().y())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the text."""
        # The scroll bar knows how far a turn of the wheel scrolls, as if the pointer were over the text.
        QApplication.sendEvent(self._text.verticalScrollBar(), event)

    def _scroll_to(self, y: float) -> None:
        area, bar = self._picture(), self._text.verticalScrollBar()
        bar.setValue(round((y - area.top()) / area.height() * self._whole() - bar.pageStep() / 2))

    def event(self, event: QEvent) -> bool:
        """Explain the bars."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(tr("Words of your text that the document has, too")), self)
            return True
        return super().event(event)
