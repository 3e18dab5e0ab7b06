"""Short reports at the lower edge of the window, of what is done and needs no answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QDesktopServices, QEnterEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.gui.direction import reads_right_to_left
from explorer.gui.theme import chrome, font_of, inverse, qcolor, scaled
from explorer.gui.widgets.painting import PaintedButton
from explorer.i18n import tr

Action = tuple[str, Callable[[], object]]
LIFE_MS = 6_000
# Pixels for text of 10 points, but the gap and the radius do not grow. `_ABOVE` leaves room for the status bar.
_MARGIN, _ABOVE, _GAP, _RADIUS, _PAD = 24, 44, 8, 8, 16
_MOST = 3
"""Toasts at once: an older one gives way."""
# Characters: a sentence may quote what is in a file, and a toast must stay small.
_MOST_SAID = 200


class _Words(PaintedButton):
    """The sentence, which is not pressed, in the colors of the other theme."""

    _width = 0

    def __init__(self, text: str, width: int, parent: QWidget) -> None:
        # First: Qt may ask for the size while the base class is made.
        self._width = width
        super().__init__(text, parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # It is a button only for its painting. What the pointer does is for the toast.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        # 10,000 pixels: more than the highest toast has, so that only the width wraps the sentence.
        wanted = self.metrics().boundingRect(0, 0, self._width, 10_000, Qt.TextFlag.TextWordWrap, self.words)
        # Right to left, the space at the end of a line takes room at its left.
        return QSize(wanted.width() + scaled(8), max(wanted.height(), chrome(24)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def draw(self, painter: QPainter) -> None:
        painter.setFont(font_of())
        painter.setPen(qcolor("window"))
        # As the words read: in the direction of the window, spaces at the ends of wrapped lines would indent them.
        flip = reads_right_to_left(self.words)
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if flip else Qt.LayoutDirection.LeftToRight)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        painter.drawText(self.rect(), int(flags | Qt.TextFlag.TextWordWrap), self.words)


class _Link(PaintedButton):
    WEIGHT = 600

    def sizeHint(self) -> QSize:
        return QSize(self.metrics().horizontalAdvance(self.words) + 2 + 2 * scaled(4), chrome(24))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def draw(self, painter: QPainter) -> None:
        ink = inverse().accent_hover
        font = font_of(1.0, self.WEIGHT)
        font.setUnderline(self.hovered)
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.words)
        if self.hasFocus():
            painter.setPen(ink)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)


class Toast(QWidget):
    """One report. `gone()`: its time is over, an action was chosen, or Esc was pressed in it.

    It stays while the pointer is over it or the focus is in it.
    """

    gone = Signal()

    def __init__(self, host: QWidget, sentence: str, actions: Sequence[Action], life: int) -> None:
        super().__init__(host)
        self.sentence = sentence if len(sentence) <= _MOST_SAID else sentence[:_MOST_SAID] + " …"
        self.setAccessibleName(self.sentence)
        self.timer = QTimer(self, singleShot=True, interval=life)
        # It does not remove itself: the toasts above it must move down, and only `Toasts` knows them.
        self.timer.timeout.connect(self.gone)
        row = QHBoxLayout(self)
        row.setContentsMargins(scaled(_PAD), scaled(8), scaled(_PAD) - 4, scaled(8))
        row.setSpacing(scaled(8))
        row.addWidget(_Words(self.sentence, max(scaled(120), min(scaled(360), host.width() // 2)), self))
        self.links = [self._link(words, action) for words, action in actions]
        for link in self.links:
            row.addWidget(link)

    def _link(self, words: str, action: Callable[[], object]) -> PaintedButton:
        link = _Link(words, self)
        # The events of a child's focus do not reach its parent.
        link.installEventFilter(self)

        def choose() -> None:
            action()
            self.gone.emit()

        link.clicked.connect(choose)
        return link

    def start(self) -> None:
        """Show it for its time, and tell assistive technology."""
        self.adjustSize()
        self.show()
        self.raise_()
        self.timer.start()
        # It takes no focus when it appears: without this, a screen reader would not read it.
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay while one of its links has the focus.

        Parameters
        ----------
        watched
            One of the links.
        event
            Any event of it; only those of the focus count.

        Returns
        -------
        bool
            Whether the event ends here, which it never does.
        """
        if event.type() == QEvent.Type.FocusIn:
            self.timer.stop()
        # Its whole time begins again, here and in `leaveEvent`: what was stopped late must not go at once.
        elif event.type() == QEvent.Type.FocusOut and not self.underMouse():
            self.timer.start()
        return False

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stay while the pointer is over it."""
        super().enterEvent(event)
        self.timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Go a while after the pointer has left."""
        super().leaveEvent(event)
        if not any(link.hasFocus() for link in self.links):
            self.timer.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes it."""
        if event.key() == Qt.Key.Key_Escape:
            self.gone.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ink of the page as its ground, so that it is noticed."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qcolor("text"))
        painter.drawRoundedRect(self.rect(), _RADIUS, _RADIUS)
        painter.end()


class Toasts(QObject):
    """The toasts of a window, at its lower corner where lines end, the newest at the bottom.

    Parameters
    ----------
    window
        The window.
    life
        How long each is shown, in milliseconds.

    Examples
    --------
    >>> from PySide6.QtWidgets import QApplication, QWidget
    >>> application = QApplication.instance() or QApplication(["", "-platform", "offscreen"])
    >>> toasts = Toasts(QWidget())
    >>> toasts.show("Copied 12 lines").sentence
    'Copied 12 lines'
    """

    def __init__(self, window: QWidget, life: int = LIFE_MS) -> None:
        super().__init__(window)
        self._window, self._life = window, life
        self._shown: list[Toast] = []
        # Toasts are over the window and in none of its layouts: nothing else moves them when it is resized.
        window.installEventFilter(self)

    @property
    def shown(self) -> tuple[Toast, ...]:
        """Those that are seen now, oldest first."""
        return tuple(self._shown)

    def focus_newest(self) -> None:
        """Go to the links of the newest toast by keyboard; it stays as long as it has the focus."""
        # Without a toast there is nothing to go to, and the focus stays.
        if links := [toast.links[0] for toast in self._shown if toast.links]:
            links[-1].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show(self, sentence: str, actions: Sequence[Action] = ()) -> Toast:
        """Show a report.

        Parameters
        ----------
        sentence
            What was done.
        actions
            Words and actions of its links.

        Returns
        -------
        Toast
            The toast, which removes itself.
        """
        toast = Toast(self._window, sentence, actions, self._life)
        toast.gone.connect(lambda: self._remove(toast))
        self._shown.append(toast)
        while len(self._shown) > _MOST:
            self._remove(self._shown[0])
        toast.start()
        self._place()
        return toast

    def saved(self, path: Path, sentence: str) -> Toast:
        """Report a file or folder that was written, with links that open it and show it in its folder.

        Parameters
        ----------
        path
            Where it is.
        sentence
            What was saved, in words.

        Returns
        -------
        Toast
            The toast, which removes itself.
        """

        def reveal(where: Path) -> None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(where)))

        actions = ((tr("Open"), lambda: reveal(path)), (tr("Show in folder"), lambda: reveal(path.parent)))
        return self.show(sentence, actions)

    def _remove(self, toast: Toast) -> None:
        # It may have gone already: its own action may show a toast that pushes it out, before `gone` comes.
        if toast in self._shown:
            self._shown.remove(toast)
            toast.timer.stop()
            # Deleted in a later turn of the event loop, since a click on one of its links may still be under way.
            toast.hide()
            toast.deleteLater()
            self._place()

    def _place(self) -> None:
        bottom = self._window.height() - chrome(_ABOVE)
        # From the lower edge upward, since their heights differ with their sentences.
        for toast in reversed(self._shown):
            toast.adjustSize()
            right = self._window.isRightToLeft()
            left = scaled(_MARGIN) if right else self._window.width() - toast.width() - scaled(_MARGIN)
            toast.move(max(0, left), bottom - toast.height())
            bottom -= toast.height() + _GAP

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the corner of the window.

        Parameters
        ----------
        watched
            The window.
        event
            Any event of it.

        Returns
        -------
        bool
            Whether the event ends here, which it never does.
        """
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutDirectionChange) and self._shown:
            self._place()
        return False
