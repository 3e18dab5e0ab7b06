"""A small frame over the page next to a button: its options, without a row that pushes the page down."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.style.surfaces import apply_stylesheet
from explorer.gui.style.theme import scaled
from explorer.gui.style.untrusted import Label
from explorer.gui.widgets.painting import rounded, see_through

_RADIUS, _PAD, _GAP, _SHADOW = 8, 16, 4, 8
_DENSE = 0.5
"""The share of the room around and between its parts that is left where the window is too low for all of it."""
_LEAST, _AWAY = 200, 8


class Ground(QWidget):
    """What is around an open pop-over, over the whole window: a click on it closes the pop-over."""

    def __init__(self, popover: QWidget) -> None:
        super().__init__(popover.parentWidget())
        self._popover = popover
        # It draws nothing. Shown and hidden like any other widget, it would have the whole window drawn again.
        self.setUpdatesEnabled(False)
        self.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Close the pop-over; the click does nothing else."""
        event.accept()
        self._popover.close()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Keep the page where it is, and the pop-over next to its anchor."""
        event.accept()


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def widgets_of(layout: QLayout) -> list[QWidget]:
    """The widgets that are directly in a layout."""
    items = (layout.itemAt(place) for place in range(layout.count()))
    widgets = (item.widget() for item in items if item is not None)
    return [widget for widget in widgets if isinstance(widget, QWidget)]


class Popover(QWidget):
    """Opens next to its anchor. Esc and a click outside close it, and the focus goes back to the anchor.

    anchor: The button that it belongs to. The caller connects it: `button.clicked.connect(popover.toggle)`.
    title: A heading, also its name for assistive technology; "" for none.

    Notes
    -----
    Widgets go into `body`, a small button beside the title into `head`, and what ends the dialog into `foot`. What is
    higher than the window scrolls, except for the foot. Tab stays within. It is a part of the window and no window of
    its own, so it looks the same on every platform and is in every picture of the window. `closed()` is emitted when it
    is closed, however that happens.

    Examples
    --------
    >>> from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton
    >>> application = QApplication.instance() or QApplication(["", "-platform", "offscreen"])
    >>> button = QPushButton("Columns")
    >>> popover = Popover(button, "Columns")
    >>> popover.body.addWidget(QCheckBox("generator"))
    >>> button.clicked.connect(popover.toggle)  # doctest: +SKIP
    """

    closed = Signal()

    def __init__(self, anchor: QWidget, title: str = "") -> None:
        # A child of its anchor until it opens: the anchor may not be in its window yet.
        super().__init__(anchor)
        self._anchor = anchor
        self._opened = False
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._content = QWidget()
        self.body = QVBoxLayout(self._content)
        self._scroll = QScrollArea(widgetResizable=True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._content)
        # After `setWidget`, which lets what it is given fill its background. The pop-over paints the surface.
        for ground in (self._content, self._scroll.viewport()):
            ground.setAutoFillBackground(False)
        around = QVBoxLayout(self)
        edge = _SHADOW + 1
        around.setContentsMargins(edge, edge, edge, edge)
        around.setSpacing(0)
        around.addWidget(self._scroll)
        self.foot = QHBoxLayout()
        around.addLayout(self.foot)
        self.head = QHBoxLayout()
        self.body.addLayout(self.head)
        if title:
            heading = Label(title)
            heading.setProperty("role", "heading")
            self.head.addWidget(heading, 1)
        apply_stylesheet(self)
        anchor.installEventFilter(self)
        self._ground = Ground(self)
        self._leave_room()
        self.hide()

    def hang_on(self, anchor: QWidget) -> None:
        """Belong to another button from now on, as where the first one is folded away in a narrow window."""
        if anchor is not self._anchor:
            self._anchor.removeEventFilter(self)
            self._anchor = anchor
            anchor.installEventFilter(self)

    @property
    def anchor(self) -> QWidget:
        """The button that it belongs to."""
        return self._anchor

    def open(self) -> None:
        """Show it under its anchor, or above it where there is more room, with the focus in it."""
        self._enter(self._anchor.window())
        # As a child of the window it would have the window's direction, not that of the anchor's part of the page.
        self.setLayoutDirection(self._anchor.layoutDirection())
        self.fit()
        if isinstance(self._anchor, QAbstractButton):
            self._anchor.setDown(True)
        # The ground first: what is raised last is on top.
        for widget in (self._ground, self):
            widget.show()
            widget.raise_()
        # Nothing beside the title, such as its help, which nobody opens a pop-over for.
        beside = widgets_of(self.head)
        first = next((stop for stop in self._stops() if stop not in beside), self)
        first.setFocus(Qt.FocusReason.PopupFocusReason)
        if not self._opened:
            # Connected only while it is open: the signal comes with every move of the focus in the program.
            self._opened = True
            # A filter in Python sees every event of the window, so it is there for as long only.
            self.window().installEventFilter(self)
            _application().focusChanged.connect(self._focus_moved)

    def get_ready(self) -> bool:
        """Do what takes longest when it opens for the first time, ahead of that.

        Returns: Whether there was anything to do.
        """
        window = self._anchor.window()
        # The anchor is in no window yet if that is what an anchor is: a part of a page that was not added.
        if self.parentWidget() is window or window is self._anchor:
            return False
        # In another window it gets its style again, and only a widget that has it can be measured.
        self._enter(window)
        self.fit()
        return True

    def _enter(self, window: QWidget) -> None:
        """Become a part of the window, over the rest of it."""
        if self.parentWidget() is not window:
            self.setParent(window)
            self._ground.setParent(window)
        self._ground.setGeometry(window.rect())

    def toggle(self) -> None:
        """Open or close it."""
        if self.isVisible():
            self.close()
        else:
            self.open()

    def fit(self) -> None:
        """Give it the size of what is in it, next to its anchor; to be called when that changes while it is open."""
        # Before it is polished, it has not got the fonts of the style sheet. Without `activate`, the layout would take
        # account of new widgets only in a later turn of the event loop.
        self.ensurePolished()
        edge = 2 * (_SHADOW + 1)
        room = self._anchor.window().rect().adjusted(_AWAY, _AWAY, -_AWAY, -_AWAY)
        for share in (1.0, _DENSE):
            self._leave_room(share)
            self.body.activate()
            wanted = self._content.sizeHint().expandedTo(self._content.minimumSizeHint())
            # Of an empty one, Qt would count the margins.
            foot = self.foot.sizeHint() if self.foot.count() else QSize(0, 0)
            wanted.setWidth(max(wanted.width(), foot.width()))
            more = edge + foot.height()
            if wanted.height() + more <= room.height():
                break
        # It does not scroll to the side: without room for the bar, the ends of its lines would be cut.
        bar = self._scroll.verticalScrollBar().sizeHint().width() if wanted.height() + more > room.height() else 0
        width = min(max(wanted.width() + bar, scaled(_LEAST)) + edge, room.width())
        if self._content.hasHeightForWidth():
            wanted.setHeight(self._content.heightForWidth(width - edge))
        size = QSize(width, min(wanted.height() + more, room.height()))
        self.setGeometry(QRect(self._place(size, room), size))

    def _place(self, size: QSize, room: QRect) -> QPoint:
        """Its upper left corner in the window: below the anchor, aligned with the side where lines begin."""
        anchor = QRect(self._anchor.mapTo(self._anchor.window(), QPoint(0, 0)), self._anchor.size())
        right = self._anchor.layoutDirection() == Qt.LayoutDirection.RightToLeft
        # Its frame is aligned with the anchor, and not the shadow, which is a part of its area.
        left = anchor.right() + 1 + _SHADOW - size.width() if right else anchor.left() - _SHADOW
        below, above = anchor.bottom() + 1 + _GAP - _SHADOW, anchor.top() - _GAP + _SHADOW - size.height()
        # Where there is room neither below nor above, it is below and then moved into the window, over its anchor.
        fits = below + size.height() <= room.bottom() + 1 or above < room.top()
        top = below if fits else above
        return QPoint(
            max(room.left(), min(left, room.right() + 1 - size.width())),
            max(room.top(), min(top, room.bottom() + 1 - size.height())),
        )

    def _stops(self) -> list[QWidget]:
        """The widgets in it that take the focus by Tab, in their order."""
        left = {widget for widget in self.findChildren(QWidget) if self._takes_focus(widget)}
        # The chain is a ring through all widgets of the window, thousands, of which those in here follow each other.
        stops, widget = [], self.nextInFocusChain()
        while left and widget is not None and widget is not self:
            if widget in left:
                left.remove(widget)
                stops.append(widget)
            widget = widget.nextInFocusChain()
        return stops

    def _takes_focus(self, widget: QWidget) -> bool:
        tab = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        return bool(tab) and widget.focusProxy() is None and widget.isVisibleTo(self) and widget.isEnabled()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep Tab within."""
        stops, focus = self._stops(), QApplication.focusWidget()
        if not stops:
            # Handled: otherwise Qt would move the focus to the page below.
            return True
        step = 1 if forward else -1
        here = stops.index(focus) if focus in stops else -1 if forward else 0
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stops[(here + step) % len(stops)].setFocus(reason)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close when the anchor goes, as with its screen, and follow the window's size.

        Returns: Whether the event ends here, which it never does.
        """
        if event.type() == QEvent.Type.Hide and watched is self._anchor:
            self.close()
        elif event.type() == QEvent.Type.Resize and watched is self._anchor.window() and self.isVisible():
            self._ground.setGeometry(self._anchor.window().rect())
            self.fit()
        return False

    def _focus_moved(self, _: object, new: object) -> None:
        """Close when the focus goes elsewhere in the window, as by a shortcut."""
        # Another program or another window may take the focus, such as the list of a combo box in it: it stays open.
        inside = (
            not isinstance(new, QWidget) or new.window() is not self.window() or new is self or self.isAncestorOf(new)
        )
        if not inside and new is not self._anchor:
            self.close()

    def _leave_room(self, share: float = 1.0) -> None:
        pad, high = scaled(_PAD), round(scaled(_PAD) * share)
        self.body.setContentsMargins(pad, high, pad, high)
        self.body.setSpacing(round(scaled(8) * share))
        self.foot.setContentsMargins(pad, 0, pad, high)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Give the focus back to the anchor."""
        super().hideEvent(event)
        # Qt also reports that a page around it is hidden, at which time it may be closed already.
        if not self._opened:
            return
        self._opened = False
        self.window().removeEventFilter(self)
        _application().focusChanged.disconnect(self._focus_moved)
        self._ground.hide()
        if isinstance(self._anchor, QAbstractButton):
            self._anchor.setDown(False)
        # Not if what was chosen here has moved the focus elsewhere on purpose.
        focus = QApplication.focusWidget()
        if focus is None or focus is self or self.isAncestorOf(focus):
            self._anchor.setFocus(Qt.FocusReason.PopupFocusReason)
        self.closed.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Grow with the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._leave_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A surface with a strong outline on a soft shadow."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(see_through("on_mark", 0.02))
        # Layers on top of each other are darker toward the frame. Qt's shadow effect would first paint all that is in
        # the pop-over into a picture.
        for away in range(_SHADOW):
            radius = _RADIUS + _SHADOW - away
            painter.drawRoundedRect(area.adjusted(away, away, -away, -away), radius, radius)
        rounded(painter, area.adjusted(_SHADOW, _SHADOW, -_SHADOW, -_SHADOW), _RADIUS, "surface", "line_strong")
        painter.end()
