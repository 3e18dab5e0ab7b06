"""The content of a page that has nothing to show: what happens here, and how to begin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from explorer.gui.style.icons import draw_icon
from explorer.gui.style.theme import em, qcolor, scaled
from explorer.gui.style.untrusted import Label
from explorer.gui.widgets.fields.chip import Chip
from explorer.gui.widgets.layouts.flow_layout import FlowLayout

_ICON, _RADIUS, _PAD = 32, 8, 24
_WIDEST_EMS = 44
"""The widest that sentences in the middle of a page get: longer lines are hard to read."""


class _Picture(QWidget):
    """A large icon."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(scaled(_ICON), scaled(_ICON + 8))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        side = scaled(_ICON)
        draw_icon(painter, self._name, QRectF((self.width() - side) / 2, 0, side, side), "muted")
        painter.end()


class EmptyState(QWidget):
    """An icon, a sentence, what to do next, and examples. `chosen(str)`: an example was pressed."""

    chosen = Signal(str)

    def __init__(self, icon_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wanted = False
        self._title, self._hint = Label(), Label()
        self._title.setProperty("role", "heading")
        self._hint.setProperty("role", "muted")
        self._examples = QWidget()
        self._row = FlowLayout(self._examples, 8, centered=True)
        self._middle = QWidget()
        self._middle.setMaximumWidth(em(_WIDEST_EMS))
        column = QVBoxLayout(self._middle)
        column.setContentsMargins(0, 0, 0, 0)
        for part in (self._title, self._hint):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
            part.setWordWrap(True)
            column.addWidget(part)
        # Apart from the sentences: the two are read one after the other.
        self._row.setContentsMargins(0, scaled(8), 0, 0)
        column.addWidget(self._examples)
        # The middle gets all the width that it may have; the rest is divided.
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._middle, 1000)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addStretch(1)
        layout.addWidget(_Picture(icon_name))
        layout.addLayout(row)
        # Twice the room that is above: what is exactly in the middle of a high page seems too low.
        layout.addStretch(2)
        self._examples.hide()

    def changeEvent(self, event: QEvent) -> None:
        """Allow lines of as many words in another text size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._middle.setMaximumWidth(em(_WIDEST_EMS))

    @property
    def title(self) -> str:
        """The sentence."""
        return self._title.text()

    @property
    def hint(self) -> str:
        """What to do, or why there is nothing."""
        return self._hint.text()

    def focus_next(self, wanted: bool) -> None:
        """Decide whether the first example gets the focus at the next `focus_now`."""
        self._wanted = wanted

    def focus_now(self) -> None:
        """Give the first example the focus if that was decided, once, and if there is one."""
        if self._wanted and not self._examples.isHidden():
            # When it is laid out.
            QTimer.singleShot(0, self._examples, lambda: self.examples()[0].setFocus(Qt.FocusReason.TabFocusReason))
        self._wanted = False

    def say(self, title: str, hint: str, examples: Sequence[str] = ()) -> None:
        """Show another text.

        examples: What can be tried; each becomes a chip.
        """
        self._title.setText(title)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        # The same examples keep their chips, one of which may have the focus.
        if [chip.words for chip in self.examples()] != list(examples):
            self._show_examples(examples)

    def examples(self) -> list[Chip]:
        """The chips of the examples, in their order."""
        items = (self._row.itemAt(number) for number in range(self._row.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, Chip)]

    def _show_examples(self, examples: Sequence[str]) -> None:
        while (item := self._row.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                # Hidden at once, and deleted in a later turn: this may be called by the click on one of them.
                old.hide()
                old.deleteLater()
        for text in examples:
            chip = Chip(text)
            # The text is bound here: every closure of the loop would have the last one.
            chip.clicked.connect(lambda _=False, text=text: self.chosen.emit(text))
            self._row.addWidget(chip)
            chip.show()
        self._examples.setVisible(bool(examples))


class DropZone(QWidget):
    """A dashed frame that takes files and folders. `dropped(list)`: their paths, as `Path`.

    title: What can be dropped here.
    hint: The formats, or what happens then; "" for none.
    icon_name: The icon above them.

    Notes
    -----
    Buttons that do the same without a mouse go into `row`.
    """

    dropped = Signal(object)

    def __init__(self, title: str, hint: str = "", icon_name: str = "drop", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._over = False
        self.setAcceptDrops(True)
        self.setAccessibleName(title)
        self.title, self.hint = Label(title), Label(hint)
        self.title.setProperty("role", "heading")
        self.hint.setProperty("role", "muted")
        # Only hidden: shown before it has a parent, it would be a window for a moment, and take the keyboard.
        if not hint:
            self.hint.hide()
        layout = QVBoxLayout(self)
        layout.addStretch(1)
        self._picture = _Picture(icon_name)
        layout.addWidget(self._picture)
        for part in (self.title, self.hint):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
            part.setWordWrap(True)
            layout.addWidget(part)
        buttons = QWidget()
        self.row = FlowLayout(buttons, 8, centered=True)
        layout.addWidget(buttons)
        layout.addStretch(1)
        pad = scaled(_PAD)
        layout.setContentsMargins(pad, pad, pad, pad)

    def show_picture(self, shown: bool) -> None:
        """Show the icon, or leave it out where there is room for words and buttons only."""
        self._picture.setVisible(shown)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files, and show it."""
        # A link from a browser is a URL as well, and is not accepted.
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self._over = True
            self.update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """They went elsewhere."""
        super().dragLeaveEvent(event)
        self._over = False
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:
        """Report the paths."""
        self._over = False
        self.update()
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.dropped.emit(paths)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The dashed frame; while files are over it, a solid one in the accent."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        solid = Qt.PenStyle.SolidLine
        pen = QPen(qcolor("accent"), 2, solid) if self._over else QPen(qcolor("faint"), 1, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(qcolor("accent_soft" if self._over else "surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)
        painter.end()
