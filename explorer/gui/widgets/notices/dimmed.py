"""Answers that no longer belong to the question, dimmed to 40 % until the new ones arrive."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QWidget

from explorer.gui.style.theme import qcolor

STRENGTH = 0.4
"""The opacity of a dimmed answer."""
SOON_MS = 150
"""An answer that takes less than this replaces the old one without a flicker."""


class _Veil(QWidget):
    """A veil over a widget in the window's color. The widget below can still be read and used with the mouse."""

    def __init__(self, covered: QWidget) -> None:
        super().__init__(covered)
        self._covered = covered
        # The old answer can still be scrolled, selected and copied.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # A child that is added later would lie above the veil, and a resize would leave a strip uncovered.
        covered.installEventFilter(self)
        self.hide()

    def cover(self) -> None:
        """Cover the whole widget and its children."""
        self.setGeometry(self._covered.rect())
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep covering the widget when its size or its children change."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.ChildAdded) and self.isVisibleTo(self._covered):
            self.cover()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a translucent veil."""
        color = qcolor("window")
        color.setAlphaF(1 - STRENGTH)
        painter = QPainter(self)
        painter.fillRect(event.rect(), color)
        painter.end()


class Dimmer(QObject):
    """Dims all the widgets that show one answer.

    widgets: The widgets that show the answer: labels, tables, plots, texts. Not a QSplitter, which would make the veil
        a pane.
    """

    def __init__(self, *widgets: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        if any(isinstance(widget, QSplitter) for widget in widgets):
            raise TypeError("a QSplitter takes every child as a pane: dim its panes")
        self._veils = [_Veil(widget) for widget in widgets]
        self._stale = False
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self._show)

    @property
    def stale(self) -> bool:
        """Whether the widgets show the answer to an earlier question; dimmed now or within `SOON_MS`."""
        return self._stale

    def set_stale(self, stale: bool, at_once: bool = True) -> None:
        """Dim, or show at full strength again.

        stale: Whether the widgets show the answer to an earlier question.
        at_once: False: dim only if this is still so after `SOON_MS` milliseconds, for answers that are on their way.
        """
        self._stale = stale
        if not stale or at_once:
            self._soon.stop()
            self._show()
        # Not started again by each key: someone who types steadily would never see that the answer is old.
        elif not self._soon.isActive():
            self._soon.start()

    def _show(self) -> None:
        for veil in self._veils:
            veil.setVisible(self._stale)
            if self._stale:
                veil.cover()


def is_dimmed(widget: QWidget) -> bool:
    """Whether a veil covers the widget or one of its parents."""
    above: QWidget | None = widget
    # Each level is asked for its own veils only; a search in depth would find veils of unrelated parts.
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    while above is not None:
        if any(veil.isVisibleTo(above) for veil in above.findChildren(_Veil, options=direct)):
            return True
        above = above.parentWidget()
    return False
