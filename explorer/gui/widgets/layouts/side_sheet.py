"""Settings at the side of a page, over its content and closed at first."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.style.untrusted import Label
from explorer.gui.widgets.fields.buttons import icon_button
from explorer.i18n import tr

_WIDTH, _PAD = 352, 16
_SHARE = 0.9
"""Of the page's width at most."""


class SideSheet(QWidget):
    """Covers the end of a page at its full height. Esc and its cross close it, and the focus goes back.

    title: Its heading, also its name for assistive technology.

    Notes
    -----
    Widgets go into `body`, which scrolls if it is higher than the page. `shown(bool)` is emitted when it opens and
    closes, for the button that opens it.
    """

    shown = Signal(bool)

    def __init__(self, page: QWidget, title: str) -> None:
        super().__init__(page)
        self._page = page
        self._before: QWidget | None = None
        self.setAccessibleName(title)
        heading = Label(title)
        heading.setProperty("role", "heading")
        self.cross = icon_button("close", tr("Close"))
        self.cross.clicked.connect(self.shut)
        self._head = QHBoxLayout()
        self._head.addWidget(heading, 1)
        self._head.addWidget(self.cross)
        content = QWidget()
        self.body = QVBoxLayout(content)
        self.body.setAlignment(Qt.AlignmentFlag.AlignTop)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(content)
        # Only now: Qt lets what is put into a scroll area fill its background.
        for ground in (content, scroll.viewport()):
            ground.setAutoFillBackground(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._head)
        layout.addWidget(scroll, 1)
        self._leave_room()
        # It covers the page and is not in its layout, which would make room for it.
        page.installEventFilter(self)
        self.hide()

    def open(self) -> None:
        """Show it with the focus in it."""
        if self.isHidden():
            # Only when it opens: called again, the focus may be in the sheet itself.
            self._before = QApplication.focusWidget()
            self._place()
            self.show()
            self.shown.emit(True)
        self.raise_()
        # From the cross to the control after it, the first in `body`: which one that is, only Qt's chain tells.
        self.cross.setFocus(Qt.FocusReason.OtherFocusReason)
        self.focusNextChild()

    def shut(self) -> None:
        """Close it, and give the focus back to what had it."""
        if self.isHidden():
            return
        # If the user has moved the focus to the page meanwhile, it stays there.
        focus = QApplication.focusWidget()
        inside = focus is None or focus is self or self.isAncestorOf(focus)
        self.hide()
        if inside and self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self._before = None
        self.shown.emit(False)

    def toggle(self) -> None:
        """Open or close it."""
        if self.isHidden():
            self.open()
        else:
            self.shut()

    def _leave_room(self) -> None:
        pad = scaled(_PAD)
        self._head.setContentsMargins(pad, scaled(8), scaled(8), scaled(8))
        self.body.setContentsMargins(pad, scaled(8), pad, pad)
        self.body.setSpacing(scaled(8))

    def _place(self) -> None:
        width = min(scaled(_WIDTH), round(self._page.width() * _SHARE))
        left = 0 if self.isRightToLeft() else self._page.width() - width
        self.setGeometry(left, 0, width, self._page.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the page's size.

        Returns: Whether the event ends here, which it never does.
        """
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False

    def changeEvent(self, event: QEvent) -> None:
        """Grow with the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._leave_room()
            if not self.isHidden():
                self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.shut()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A surface with a line at the side of the page."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), qcolor("surface"))
        x = self.width() - 1 if self.isRightToLeft() else 0
        painter.fillRect(x, 0, 1, self.height(), qcolor("line_strong"))
        painter.end()
