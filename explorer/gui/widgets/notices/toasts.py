"""Short reports in the status bar, of what is done and needs no answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QDesktopServices,
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.gui.style.direction import reads_right_to_left
from explorer.gui.style.theme import chrome, font_of, inverse, qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.painting import PaintedButton
from explorer.i18n import tr

Action = tuple[str, Callable[[], object]]
LIFE_MS = 6_000
# Pixels for text of 10 points, but the radius does not grow.
_MARGIN, _HEIGHT, _RADIUS, _PAD = 6, 28, 6, 10
_MOST = 3
"""Toasts that wait for the newer ones to go, and the one that is seen."""
# Characters: a sentence may quote what is in a file, and a toast must stay small.
_MOST_SAID = 200


class _Words(PaintedButton):
    """The sentence, which is not pressed, in the colors of the other theme. What has no room is elided."""

    _most = 0

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # It is a button only for its painting. What the pointer does is for the toast.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def use_room(self, pixels: int) -> bool:
        """Be no wider; whether the whole sentence is shown then."""
        self._most = pixels
        self.updateGeometry()
        return self._wanted() <= pixels

    def _wanted(self) -> int:
        return self.metrics().horizontalAdvance(self.words) + scaled(8)

    def sizeHint(self) -> QSize:
        return QSize(max(0, min(self._wanted(), self._most)), chrome(22))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def draw(self, painter: QPainter) -> None:
        painter.setFont(font_of())
        painter.setPen(qcolor("window"))
        # As the words read: in the direction of the window, what is elided would be at the wrong end.
        flip = reads_right_to_left(self.words)
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if flip else Qt.LayoutDirection.LeftToRight)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        shown = self.metrics().elidedText(self.words, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(flags), shown)


class _Link(PaintedButton):
    WEIGHT = 600

    def sizeHint(self) -> QSize:
        return QSize(self.metrics().horizontalAdvance(self.words) + 2 + 2 * scaled(4), chrome(22))

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
        # On one line.
        sentence = " ".join(sentence.split())
        self.sentence = sentence if len(sentence) <= _MOST_SAID else sentence[:_MOST_SAID] + " …"
        self.setAccessibleName(self.sentence)
        self.timer = QTimer(self, singleShot=True, interval=life)
        # It does not remove itself: the one below it may be seen then, and only `Toasts` knows it.
        self.timer.timeout.connect(self.gone)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(scaled(_PAD), 0, scaled(_PAD) - 4, 0)
        row.setSpacing(scaled(8))
        row.setAlignment(Qt.AlignmentFlag.AlignLeading)
        self._words = _Words(self.sentence, self)
        self.setMouseTracking(True)
        row.addWidget(self._words)
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
        """Begin its time, and tell assistive technology."""
        self.timer.start()
        # It takes no focus when it appears: without this, a screen reader would not read it.
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def fit(self, room: QRect) -> None:
        """Lie at the beginning of a strip; what the sentence has no room for is in the tool tip."""
        self._words.use_room(0)
        whole = self._words.use_room(room.width() - self._row.sizeHint().width())
        self.setToolTip(tip("" if whole else self.sentence))
        self.setGeometry(room)
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay while one of its links has the focus.

        event: Any event of it; only those of the focus count.
        Returns: Whether the event ends here, which it never does.
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
        self._follow(event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The same within it: beside the words and the links, it is not seen."""
        super().mouseMoveEvent(event)
        self._follow(event.position().toPoint())

    def _follow(self, pointer: QPoint) -> None:
        if self._ground().contains(pointer):
            self.timer.stop()
        elif not self.timer.isActive() and not any(link.hasFocus() for link in self.links):
            self.timer.start()

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
        """The ink of the page as its ground, so that it is noticed; beside it, nothing of what is covered."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), qcolor("window"))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qcolor("text"))
        painter.drawRoundedRect(self._ground(), _RADIUS, _RADIUS)
        painter.end()

    def _ground(self) -> QRect:
        """The words and the links, with their margins."""
        width = min(self._row.sizeHint().width(), self.width())
        return QRect(self.width() - width if self.isRightToLeft() else 0, 0, width, self.height())


class Toasts(QObject):
    """The toasts of a window. The newest is seen, where it covers no control, then an older one that still has time.

    life: How long each is shown, in milliseconds.
    over: Gives the parts that they cover, in one row, with nothing to press in it; None: the foot of the window.

    Examples
    --------
    >>> from PySide6.QtWidgets import QApplication, QWidget
    >>> application = QApplication.instance() or QApplication(["", "-platform", "offscreen"])
    >>> toasts = Toasts(QWidget())
    >>> toasts.show("Copied 12 lines").sentence
    'Copied 12 lines'
    """

    def __init__(
        self, window: QWidget, life: int = LIFE_MS, over: Callable[[], Sequence[QWidget]] | None = None
    ) -> None:
        super().__init__(window)
        self._window, self._life, self._over = window, life, over
        self._shown: list[Toast] = []
        # Toasts are over the window and in none of its layouts: nothing else moves them when it is resized.
        for part in (window, *(() if over is None else over())):
            part.installEventFilter(self)

    @property
    def shown(self) -> tuple[Toast, ...]:
        """The one that is seen, last, and before it those below it, oldest first."""
        return tuple(self._shown)

    def focus_newest(self) -> None:
        """Go to the links of the newest toast by keyboard; it stays as long as it has the focus."""
        # Without a toast there is nothing to go to, and the focus stays.
        if links := [toast.links[0] for toast in self._shown if toast.links]:
            links[-1].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show(self, sentence: str, actions: Sequence[Action] = ()) -> Toast:
        """Show a report."""
        toast = Toast(self._window, sentence, actions, self._life)
        toast.gone.connect(lambda: self._remove(toast))
        self._shown.append(toast)
        while len(self._shown) > _MOST:
            self._remove(self._shown[0])
        toast.start()
        self._place()
        return toast

    def saved(self, path: Path, sentence: str) -> Toast:
        """Report a file or folder that was written, with links that open it and show it in its folder."""

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

    def _room(self) -> QRect:
        if self._over is None:
            height = chrome(_HEIGHT)
            around = QRect(0, self._window.height() - height, self._window.width(), height)
            return around.adjusted(scaled(_MARGIN), 1, -scaled(_MARGIN), -1)
        room = QRect()
        for part in self._over():
            room = room.united(QRect(part.mapTo(self._window, QPoint(0, 0)), part.size()))
        return room

    def _place(self) -> None:
        # First its place: one that is shown elsewhere for a moment may be under the pointer there.
        if self._shown:
            self._shown[-1].fit(self._room())
        for toast in self._shown:
            toast.setVisible(toast is self._shown[-1])
        if self._shown:
            self._shown[-1].raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the foot of the window.

        Returns: Whether the event ends here, which it never does.
        """
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.LayoutDirectionChange) and self._shown:
            self._place()
        return False
