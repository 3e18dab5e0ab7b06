"""A few choices in one frame, of which one is in force."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QSizePolicy, QWidget

from explorer.gui.style.theme import chrome, font_of, qcolor, scaled
from explorer.gui.widgets.painting import PaintedButton, ring, rounded

_RADIUS, _PAD, _TIGHT = 6, 12, 4
"""Pixels for text of 10 points, but the radius does not grow. In a narrow row, words may be closer to their borders."""


class _Segment(PaintedButton):
    WEIGHT = 600

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Measured in bold, so that a choice moves nothing."""
        return self._with_margin(_PAD)

    def minimumSizeHint(self) -> QSize:
        return self._with_margin(_TIGHT)

    def _with_margin(self, margin: int) -> QSize:
        return QSize(self.metrics().horizontalAdvance(self.words) + 1 + 2 * scaled(margin), chrome(28))

    def draw(self, painter: QPainter) -> None:
        on = self.isChecked()
        if on or self.hovered:
            # The outer corners of the first and the last segment are round, as those of the frame are.
            painter.setClipPath(self._inside())
            painter.fillRect(self.rect(), qcolor("select" if on else "hover"))
            painter.setClipping(False)
        if self.hasFocus():
            ring(painter, QRectF(self.rect()), _RADIUS)
        ink = "faint" if not self.isEnabled() else "accent" if on else "muted"
        painter.setFont(font_of(1.0, 600 if on else 500))
        painter.setPen(qcolor(ink))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End choose another one."""
        holder = self.parentWidget()
        right = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        # An arrow moves the choice to where it points, in either direction of the window.
        steps = {Qt.Key.Key_Left: 1 if right else -1, Qt.Key.Key_Right: -1 if right else 1}
        if isinstance(holder, Segments) and event.key() in (*steps, Qt.Key.Key_Home, Qt.Key.Key_End):
            last = holder.count - 1
            place = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}.get(
                Qt.Key(event.key()), holder.current + steps.get(Qt.Key(event.key()), 0)
            )
            chosen = holder.button(min(max(place, 0), last))
            chosen.setFocus(Qt.FocusReason.TabFocusReason)
            if chosen is not self:
                # Not `choose`: the key is the user's choice, which `chosen` reports.
                chosen.click()
        else:
            super().keyPressEvent(event)

    def _inside(self) -> QPainterPath:
        """The part of the frame that is this segment, with the frame's round corners."""
        path = QPainterPath()
        holder = self.parentWidget()
        frame = (self if holder is None else holder).rect().translated(-self.pos())
        path.addRoundedRect(QRectF(frame).adjusted(1, 1, -1, -1), _RADIUS - 1, _RADIUS - 1)
        return path


class Segments(QFrame):
    """`chosen(int)`: the user chose the segment with this number, counted from 0.

    Arrow keys, Home and End move the choice.

    name: What is chosen here, for assistive technology.
    """

    chosen = Signal(int)

    def __init__(self, names: Sequence[str], name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for number, text in enumerate(names):
            segment = _Segment(text, self)
            self._group.addButton(segment, number)
            layout.addWidget(segment)
        self.choose(0)
        # Not `idToggled`: clicks are the user's, while `choose` toggles as well.
        self._group.idClicked.connect(self.chosen)

    @property
    def count(self) -> int:
        """How many segments there are."""
        return len(self._group.buttons())

    @property
    def current(self) -> int:
        """The number of the chosen segment; -1 for none."""
        return self._group.checkedId()

    def button(self, number: int) -> PaintedButton:
        """The segment with that number."""
        found = self._group.button(number)
        assert isinstance(found, PaintedButton)
        return found

    def choose(self, number: int) -> None:
        """Choose one without a signal; -1 for none of them, where the choice is made elsewhere."""
        if number >= 0:
            self.button(number).setChecked(True)
        elif self.current >= 0:
            # An exclusive group keeps one checked.
            self._group.setExclusive(False)
            self.button(self.current).setChecked(False)
            self._group.setExclusive(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame, and a line between each two segments."""
        painter = QPainter(self)
        rounded(painter, QRectF(self.rect()), _RADIUS, "surface", "line_strong")
        painter.setPen(QPen(qcolor("line"), 1))
        for button in self._group.buttons():
            # Both edges of each, since the first segment is at the right in a right-to-left window. The outermost are
            # the frame's.
            for edge in (button.geometry().left(), button.geometry().right() + 1):
                if 0 < edge < self.width() - 1:
                    painter.drawLine(edge, 1, edge, self.height() - 2)
        painter.end()
