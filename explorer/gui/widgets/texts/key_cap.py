"""Keys as caps: “Ctrl+Shift+P” in a small frame, as on a keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gui.style.theme import font_of, qcolor, scaled
from explorer.gui.widgets.painting import rounded

_SIZE, _PAD, _RADIUS = 0.85, 5, 4


def key_cap_size(keys: str) -> QSize:
    """The size of a cap with these keys; 0 wide for none."""
    if not keys:
        return QSize(0, 0)
    metrics = QFontMetrics(font_of(_SIZE, 500))
    return QSize(metrics.horizontalAdvance(keys) + 1 + 2 * scaled(_PAD), metrics.height() + scaled(4))


def draw_key_cap(painter: QPainter, at: QPoint, keys: str) -> None:
    """Draw a cap, for lists and menus that paint their rows.

    painter: The painter; its font and pen are changed.
    at: The upper left corner.
    keys: The keys as the platform writes them; nothing is drawn for "".
    """
    if not keys:
        return
    area = QRectF(QPoint(0, 0), key_cap_size(keys)).translated(at)
    # The lower edge is twice as thick, which makes it a key.
    rounded(painter, area, _RADIUS, "line_strong")
    rounded(painter, area.adjusted(1, 1, -1, -2), _RADIUS - 1, "surface")
    painter.setFont(font_of(_SIZE, 500))
    painter.setPen(qcolor("muted"))
    # Keys are read from left to right in every language. In a right-to-left window, the sign between them would turn
    # them around.
    before = painter.layoutDirection()
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    painter.drawText(area.adjusted(0, 0, 0, -1), Qt.AlignmentFlag.AlignCenter, keys)
    painter.setLayoutDirection(before)


class KeyCap(QWidget):
    """A cap as a widget.

    keys: The keys as the platform writes them; it has no size for "".
    """

    def __init__(self, keys: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_keys(keys)

    @property
    def keys(self) -> str:
        """The keys that it shows."""
        return self._keys

    def show_keys(self, keys: str) -> None:
        """Show other keys."""
        self._keys = keys
        self.setAccessibleName(keys)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as the keys."""
        return key_cap_size(self._keys)

    def changeEvent(self, event: QEvent) -> None:
        """Measure again in another text size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the cap."""
        painter = QPainter(self)
        draw_key_cap(painter, QPoint(0, 0), self._keys)
        painter.end()
