"""The large field of a page: borderless text, with its switches and menus in one frame."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from explorer.gui.style.icons import draw_icon
from explorer.gui.style.theme import chrome, scaled
from explorer.gui.widgets.painting import ring, rounded

_RADIUS, _ICON, _PAD = 8, 16, 12


class QueryField(QWidget):
    """Draws one frame around a field and its tools; the focus ring is the frame's while the field has the focus.

    field: The field. It loses its own frame.
    tools: Switches and buttons at its end.
    icon_name: The icon at its start; "" for none.

    Notes
    -----
    `tools` is the layout of the switches, for more of them later.
    """

    def __init__(
        self,
        field: QWidget,
        tools: Sequence[QWidget] = (),
        icon_name: str = "search",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.field = field
        self._icon_name, self._invalid = icon_name, False
        field.setProperty("role", "query")
        if isinstance(field, QLineEdit):
            field.setFrame(False)
        # The frame draws the ring, but Qt tells only the field of its focus.
        field.installEventFilter(self)
        # Whoever gives the frame the focus means the field; a frame with a focus of its own would be a second stop of
        # Tab.
        self.setFocusProxy(field)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.tools = QHBoxLayout(self)
        self.tools.addWidget(field, 1)
        for widget in tools:
            self.tools.addWidget(widget)
        self._leave_room()

    @property
    def invalid(self) -> bool:
        """Whether it shows that its text cannot be used."""
        return self._invalid

    def set_invalid(self, invalid: bool) -> None:
        """Show by the frame and a sign that the text cannot be used; the sentence is the caller's."""
        if invalid != self._invalid:
            self._invalid = invalid
            self._leave_room()
            self.update()

    def minimumSizeHint(self) -> QSize:
        """One line, with its tools."""
        return QSize(super().minimumSizeHint().width(), self._height())

    def sizeHint(self) -> QSize:
        """One line, with its tools."""
        return QSize(super().sizeHint().width(), self._height())

    def _height(self) -> int:
        # The tools may be higher than usual in a platform's font.
        return max(chrome(40), self.tools.sizeHint().height())

    def _leave_room(self) -> None:
        icon = scaled(_ICON) + scaled(8) if self._icon_name else 0
        start, end = scaled(_PAD) + icon, scaled(6)
        # Qt turns the order of a row around, but not its margins.
        left, right = (end, start) if self.isRightToLeft() else (start, end)
        self.tools.setContentsMargins(left, 4, right, 4)
        self.tools.setSpacing(scaled(4))
        self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Draw the ring when the field gets or loses the focus.

        Returns: Whether the event ends here, which it never does.
        """
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.EnabledChange):
            self.update()
        return False

    def changeEvent(self, event: QEvent) -> None:
        """Grow with the text, and follow the direction."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange, QEvent.Type.LayoutDirectionChange):
            self._leave_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Frame, surface and icon."""
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        area, enabled = QRectF(self.rect()), self.field.isEnabled()
        outline = "error" if self._invalid else "line_strong" if enabled else "line"
        rounded(painter, area, _RADIUS, "surface" if enabled else "window", outline)
        if self.field.hasFocus():
            ring(painter, area, _RADIUS, "error" if self._invalid else "accent")
        if self._icon_name:
            side = scaled(_ICON)
            left = self.width() - scaled(_PAD) - side if self.isRightToLeft() else scaled(_PAD)
            where = QRectF(left, (self.height() - side) / 2, side, side)
            name, ink = ("error", "error") if self._invalid else (self._icon_name, "muted" if enabled else "faint")
            draw_icon(painter, name, where, ink)
        painter.end()
