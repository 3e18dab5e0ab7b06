"""The two bars of the document panel: its title with what can be done, and which of its hits is looked at."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.style.icons import draw_icon
from explorer.gui.style.theme import chrome, qcolor, scaled
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr


class Picture(QWidget):
    """An icon that grows with the text."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """A square."""
        return QSize(scaled(16), scaled(16))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the icon."""
        painter = QPainter(self)
        # Painted each time, and not a label with a picture: so it follows the theme and the text size.
        draw_icon(painter, self._name, QRectF(self.rect()), "muted")
        painter.end()


class Bar(QWidget):
    """A row between two parts of the panel, with a line below."""

    def __init__(self, widgets: Sequence[QWidget], stretched: QWidget) -> None:
        super().__init__()
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(scaled(12), scaled(4), scaled(8), scaled(4))
        self.row.setSpacing(scaled(6))
        for widget in widgets:
            self.row.addWidget(widget, 1 if widget is stretched else 0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As high as its buttons, and as the bars of a page at least."""
        # Not a minimum height, which would stay that of the text size in which the bar was made.
        return super().sizeHint().expandedTo(QSize(0, chrome(40)))

    def minimumSizeHint(self) -> QSize:
        """No lower."""
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line below."""
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, qcolor("line"))
        painter.end()


class DocumentHeader(QWidget):
    """The title, its place in the index, and buttons that copy, open the menu and close."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__()
        self.title = ElidedLabel()
        self.title.setProperty("role", "heading")
        self.place = label("", "muted")
        self.copy = icon_button("copy", tr("Copy a citation"))
        self.more = icon_button("more", tr("Find, copy, or open the original"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(menu)
        self.close_button = icon_button("close", tr("Close the document (Esc)"))
        bar = Bar((Picture("document"), self.title, self.copy, self.more, self.close_button), self.title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(bar)
        self.place.setContentsMargins(scaled(12), scaled(6), scaled(8), 0)
        layout.addWidget(self.place)


class HitBar(QWidget):
    """Which hit of how many is looked at, the buttons that go to the others, and one that traces the document."""

    def __init__(self) -> None:
        super().__init__()
        self.position = label("", "heading")
        self.previous = icon_button("chevron-up", tr("Previous hit in this document"))
        self.following = icon_button("chevron-down", tr("Next hit in this document"))
        self.trace = push_button(tr("Trace"), "", "trace")
        self.trace.setToolTip(tr("Find out what this document shares with the others"))
        self.outside = label("", "muted")
        self.outside.setWordWrap(True)
        self.outside.setContentsMargins(scaled(12), scaled(6), scaled(12), 0)
        self.outside.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.outside)
        layout.addWidget(Bar((self.position, self.previous, self.following, self.trace), self.position))

    def show_outside(self, text: str) -> None:
        """Show that no listed line is in the document; "" for nothing."""
        self.outside.setText(text)
        self.outside.setVisible(bool(text))
