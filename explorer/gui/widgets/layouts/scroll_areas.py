"""Parts of a screen that scroll, vertically or horizontally, if the window has no room for them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import text_size

_LEAST = 160


def at_least(widget: QWidget, width: int, height: int) -> None:
    """Keep a widget from becoming smaller than a size that grows with the text."""

    def resize() -> None:
        widget.setMinimumSize(QSize(width, height) * text_size())

    resize()
    when_restyled(widget, resize)


class _Area(QScrollArea):
    """Shows a widget without a frame; the content takes the keyboard focus."""

    def __init__(self, shown: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = shown
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(shown)


class TallArea(_Area):
    """Shows a widget in the width it needs, and at least a part of its height."""

    def __init__(self, shown: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(shown, parent)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Rows that wrap need a different height at a different width."""
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the height again when part of the content is shown, hidden or changed."""
        # QScrollArea watches its widget by itself, so no filter has to be installed.
        handled = super().eventFilter(watched, event)
        if watched is self._shown and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return handled

    def _fit(self) -> None:
        """Qt's own scroll area ignores the height of rows that wrap: it would squeeze them instead of scrolling."""
        layout = self._shown.layout()
        if layout is not None and layout.hasHeightForWidth():
            needed = layout.minimumHeightForWidth(self.viewport().width())
        else:
            # Nothing wraps any more, as after another page of a stack is in front: what was set before is too high.
            needed = 0
        if needed != self._shown.minimumHeight():
            self._shown.setMinimumHeight(needed)

    def minimumSizeHint(self) -> QSize:
        """As wide as its content: there is no horizontal scrolling."""
        needed = self._shown.minimumSizeHint()
        # With the scroll bar, even while it is hidden, so that nothing is cut off when it appears.
        return QSize(needed.width() + self.verticalScrollBar().sizeHint().width(), min(_LEAST, needed.height()))


class WideArea(_Area):
    """Shows a plot as high as the area, and at least as wide as the plot's minimum width."""

    def __init__(self, shown: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(shown, parent)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def minimumSizeHint(self) -> QSize:
        """As high as its content: there is no vertical scrolling."""
        needed = self._shown.minimumSizeHint()
        return QSize(min(_LEAST, needed.width()), needed.height() + self.horizontalScrollBar().sizeHint().height())
