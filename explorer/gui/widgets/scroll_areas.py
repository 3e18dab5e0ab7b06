"""Parts of a screen that scroll where the window has no room for all of them, up and down or aside."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from explorer.gui.surfaces import when_restyled
from explorer.gui.theme import text_size

_LEAST = 160


def give_way(widget: QWidget, most: int) -> None:
    """Let a list or table of such an area be so high at most, so that what stands below it is seen."""
    widget.setMaximumHeight(most)


def at_least(widget: QWidget, width: int, height: int) -> None:
    """Keep a widget from becoming smaller than this, in points of the text size, whatever that will be."""

    def resize() -> None:
        widget.setMinimumSize(QSize(width, height) * text_size())

    resize()
    when_restyled(widget, resize)


class TallArea(QScrollArea):
    """Shows a widget as wide as it needs, and a part of its height at least."""

    def __init__(self, widget: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = widget
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(widget)

    def minimumSizeHint(self) -> QSize:
        """Never narrower than what it shows: there is no scrolling aside."""
        needed = self._shown.minimumSizeHint()
        return QSize(needed.width() + self.verticalScrollBar().sizeHint().width(), min(_LEAST, needed.height()))


class WideArea(QScrollArea):
    """Shows a plot as high as the area, and never narrower than the plot's minimum size says."""

    def __init__(self, plot: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plot = plot
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(plot)

    def minimumSizeHint(self) -> QSize:
        """As high as it needs: there is no scrolling up and down."""
        needed = self._plot.minimumSizeHint()
        return QSize(min(_LEAST, needed.width()), needed.height() + self.horizontalScrollBar().sizeHint().height())
