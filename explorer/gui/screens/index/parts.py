"""Parts that the pages of the Index screen share: frames with a header, and buttons that are a row or a card."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em, scaled
from explorer.gui.style.untrusted import Label
from explorer.gui.widgets.layouts.panel import Panel, margin_of
from explorer.gui.widgets.painting import ring, rounded
from explorer.gui.widgets.texts.elided_label import ElidedLabel

_RADIUS = 8


class Picture(Label):
    """An icon that grows with the text and follows the theme.

    pixels: Its size at a text size of 10 points.
    color: A field of `Colors`; "" for that of muted text.
    """

    def __init__(self, name: str, pixels: int = 16, color: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._name, self._pixels, self._color = name, pixels, color
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._draw()
        when_restyled(self, self._draw)

    def show_icon(self, name: str, color: str = "") -> None:
        """Show another icon.

        color: A field of `Colors`; "" for that of muted text.
        """
        if (name, color) != (self._name, self._color):
            self._name, self._color = name, color
            self._draw()

    def _draw(self) -> None:
        ratio, side = self.devicePixelRatioF(), scaled(self._pixels)
        pixmap = icon(self._name, self._color).pixmap(round(side * ratio), round(side * ratio))
        # Drawn in the pixels of the display: an icon that Qt enlarges would be blurred.
        pixmap.setDevicePixelRatio(ratio)
        self.setPixmap(pixmap)


class RowButton(QAbstractButton):
    """A button with an icon, a title and a line below it; as a row of a list, or as a card. It paints itself.

    card: Whether it is a card, with a frame; otherwise it is a row.
    arrow: Whether an arrow at its end tells that it leads somewhere.
    """

    def __init__(self, card: bool, picture: str, arrow: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._card = card
        self.picture = Picture(picture)
        # The titles of cards are sentences, which wrap; rows have names.
        self.title: QLabel = label("", "strong") if card else elided("strong")
        self.title.setWordWrap(card)
        self.line = elided("small", "·")
        # Without this, Qt would not paint the button again when the pointer enters or leaves it.
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Cards beside each other are all as high as the highest.
        upright = QSizePolicy.Policy.Preferred if card else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Expanding, upright)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(self.title)
        column.addWidget(self.line)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 8, 8)
        row.setSpacing(12)
        row.addWidget(self.picture)
        row.addLayout(column, 1)
        if arrow:
            row.addWidget(Picture("chevron-right"))
        for child in self.findChildren(QLabel):
            # The button is one thing for the mouse.
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def say(self, title: str, line: str) -> None:
        """Show other texts; they are also its name for assistive technology.

        line: The smaller line below it; "" for none.
        """
        self.title.setText(title)
        self.line.setText(line)
        self.line.setVisible(bool(line))
        self.setAccessibleName(f"{title}, {line}" if line else title)

    def sizeHint(self) -> QSize:
        """As high as its two lines."""
        layout = self.layout()
        return QSize(em(16), layout.sizeHint().height() if layout is not None else 0)

    def minimumSizeHint(self) -> QSize:
        """Room for a few words."""
        return QSize(em(10), self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter clicks, as on every button."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame of a card, the fill under the pointer, and the focus ring."""
        painter = QPainter(self)
        area, over = QRectF(self.rect()), self.isEnabled() and self.underMouse()
        if self._card:
            rounded(painter, area, _RADIUS, "hover" if over else "surface", "line_strong" if over else "line")
        elif over:
            rounded(painter, area.adjusted(2, 2, -2, -2), _RADIUS - 2, "hover")
        if self.hasFocus():
            ring(painter, area if self._card else area.adjusted(2, 2, -2, -2), _RADIUS)
        painter.end()


def elided(role: str, between: str = "") -> ElidedLabel:
    """A label that takes the room it is given, with a role in the style sheet; see `ElidedLabel` for `between`."""
    made = ElidedLabel(between=between)
    made.setProperty("role", role)
    # Ignored: a long text must not make the page wider.
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return made


def framed(title: str, *actions: QWidget, inset: bool = True) -> tuple[Panel, QVBoxLayout]:
    """Make a panel with a header.

    title: The words of the header; "" for no header.
    inset: Whether the content keeps a distance from the frame.
    """
    panel = Panel(title, actions)
    if inset:
        margin_of(panel)
        panel.body.setSpacing(8)
    return panel, panel.body
