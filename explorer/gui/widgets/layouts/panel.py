"""A rounded frame with a header and a footer: tables, texts and cards end inside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QChildEvent, QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.style.theme import chrome, qcolor, scaled
from explorer.gui.style.untrusted import Label
from explorer.gui.widgets.painting import RING, ring

_RADIUS, _PAD = 8, 16


class _Corners(QWidget):
    """Covers a panel: cuts its corners round, and draws its outline or the focus ring."""

    def __init__(self, panel: QWidget, ground: str) -> None:
        super().__init__(panel)
        self.ground = ground
        self.focused = False
        # It is above all that is in the panel, which must get the clicks.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        area = QRectF(self.rect())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outside, inside = QPainterPath(), QPainterPath()
        outside.addRect(area)
        inside.addRoundedRect(area, _RADIUS, _RADIUS)
        # Children are rectangles, and a mask has no smooth edges: the corners get the color of what is around.
        painter.fillPath(outside.subtracted(inside), qcolor(self.ground))
        if self.focused:
            ring(painter, area, _RADIUS)
        else:
            painter.setPen(QPen(qcolor("line"), 1))
            painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        painter.end()


class _Bar(QWidget):
    """The header or the footer."""

    def __init__(self, height: float, fill: str, line_below: bool) -> None:
        super().__init__()
        self._height, self._fill, self._line_below = height, fill, line_below
        self.row = QHBoxLayout(self)
        self._leave_room()

    def _leave_room(self) -> None:
        self.row.setContentsMargins(scaled(_PAD), 2, scaled(_PAD * 0.75), 2)
        self.row.setSpacing(scaled(8))
        self.setMinimumHeight(chrome(self._height))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._leave_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), qcolor(self._fill))
        y = self.height() - 1 if self._line_below else 0
        painter.fillRect(0, y, self.width(), 1, qcolor("line"))
        painter.end()


class Panel(QWidget):
    """A surface with round corners; what is in it ends at its edge.

    title: Shown in the header; "" for none.
    actions: Widgets at the end of the header, such as buttons. Without title and actions there is no header.
    footer: Widgets of the footer, from its start; None for no footer. A stretch comes from `footer_row.addStretch`.
    ground: The field of `Colors` that is around the panel, for its corners.

    Notes
    -----
    Widgets go into `body`, which has no margins; `hold` is for a table or a text, whose focus ring is then the panel's.
    """

    def __init__(
        self,
        title: str = "",
        actions: Sequence[QWidget] = (),
        footer: Sequence[QWidget] | None = None,
        ground: str = "window",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._layout = QVBoxLayout(self)
        # The outline is drawn on this pixel.
        self._layout.setContentsMargins(1, 1, 1, 1)
        self._layout.setSpacing(0)
        self.title = Label(title)
        self.title.setProperty("role", "heading")
        self._header = self._make_header(actions)
        self._layout.addWidget(self._header)
        self._header.setVisible(bool(title or actions))
        self.body = QVBoxLayout()
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        self._layout.addLayout(self.body, 1)
        self._footer = _Bar(36, "raised", line_below=False)
        for widget in footer or ():
            self._footer.row.addWidget(widget)
        self._layout.addWidget(self._footer)
        # Not before: without a parent it would be a window for a moment, and take the focus of the other.
        self._footer.setVisible(footer is not None)
        self._corners = _Corners(self, ground)
        self._held: list[QWidget] = []

    def _make_header(self, actions: Sequence[QWidget]) -> _Bar:
        header = _Bar(40, "surface", line_below=True)
        header.row.addWidget(self.title, 1)
        for widget in actions:
            header.row.addWidget(widget)
        return header

    @property
    def header_row(self) -> QHBoxLayout:
        """The row of the header; what is added to it is seen after `show_header`."""
        return self._header.row

    @property
    def footer_row(self) -> QHBoxLayout:
        """The row of the footer; what is added to it is seen after `show_footer`."""
        return self._footer.row

    def set_title(self, title: str) -> None:
        """Show a title in the header."""
        self.title.setText(title)
        self._header.show()

    def show_header(self, shown: bool = True) -> None:
        """Show or hide the header."""
        self._header.setVisible(shown)

    def show_footer(self, shown: bool = True) -> None:
        """Show or hide the footer."""
        self._footer.setVisible(shown)

    def hold(self, view: QWidget, beside: QWidget | None = None) -> None:
        """Fill the body with a table, a tree, a list or a text: it loses its frame, and its focus is the panel's.

        beside: What is at its end, such as a scroll bar of its own; None for nothing.
        """
        view.setProperty("role", "inner")
        view.installEventFilter(self)
        self._held.append(view)
        if beside is None:
            # Not in a row of its own, which would keep its share of the height while the view is hidden.
            self.body.addWidget(view, 1)
            return
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(view, 1)
        row.addWidget(beside)
        self.body.addLayout(row, 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the focus of what it holds.

        event: Any event of it; only those of the focus count.
        Returns: Whether the event ends here, which it never does.
        """
        if watched in self._held and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._corners.focused = event.type() == QEvent.Type.FocusIn
            self._corners.update()
        return False

    @property
    def focused(self) -> bool:
        """Whether it shows the focus ring."""
        return self._corners.focused

    def childEvent(self, event: QChildEvent) -> None:
        """Stay over what is added."""
        super().childEvent(event)
        # Children of the constructor come before the corners do.
        corners = getattr(self, "_corners", None)
        if corners is not None and event.type() == QEvent.Type.ChildAdded:
            corners.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cover the whole panel."""
        super().resizeEvent(event)
        self._corners.setGeometry(self.rect())
        self._corners.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The surface."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), qcolor("surface"))
        painter.end()


def margin_of(panel: Panel, pixels: int = _PAD) -> None:
    """Give the body of a panel margins, for cards with text and controls.

    pixels: The margin for text of 10 points. It is wide at least as much as the focus ring.
    """
    side = max(round(RING), scaled(pixels))
    panel.body.setContentsMargins(side, side, side, side)
    panel.body.setSpacing(scaled(8))
