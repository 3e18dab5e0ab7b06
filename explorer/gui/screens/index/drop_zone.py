"""The place where files and folders are dropped."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from explorer.gui.screen import label
from explorer.gui.screens.index.parts import Picture
from explorer.gui.theme import em, qcolor
from explorer.gui.widgets.buttons import push_button
from explorer.i18n import tr

_DASHES = [5.0, 4.0]
_RADIUS, _PADDING = 8, 24


class DropZone(QWidget):
    """A dashed frame with a sentence and two buttons. `files_wanted()`, `folder_wanted()`.

    The screen takes what is dropped; the frame only shows that it may be dropped here.
    """

    files_wanted = Signal()
    folder_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._over = False
        self.files = push_button(tr("Choose files …"), "primary")
        self.folder = push_button(tr("Choose a folder …"))
        self.files.clicked.connect(lambda _=False: self.files_wanted.emit())
        self.folder.clicked.connect(lambda _=False: self.folder_wanted.emit())
        title = label(tr("Drop files or a folder here"), "title")
        hint = label(
            tr(
                "Text, Markdown, code, JSON Lines, CSV, Parquet, also compressed. You see what was recognized "
                "before anything is built."
            ),
            "muted",
        )
        hint.setWordWrap(True)
        self._hint = hint
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_PADDING, _PADDING, _PADDING, _PADDING)
        layout.setSpacing(12)
        layout.addStretch(1)
        picture = Picture("drop", 32, "accent")
        for part in (picture, title, hint):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(picture, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(title)
        layout.addWidget(hint)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(8)
        self._buttons.addStretch(1)
        self._buttons.addWidget(self.files)
        self._buttons.addWidget(self.folder)
        self._buttons.addStretch(1)
        layout.addLayout(self._buttons)
        layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_over(self, over: bool) -> None:
        """Whether something is held over the screen that may be dropped."""
        self._over = over
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons below each other where they do not fit side by side."""
        super().resizeEvent(event)
        # Short lines are read more easily than one long one.
        side = max(0, (event.size().width() - 2 * _PADDING - em(26)) // 2)
        self._hint.setContentsMargins(side, 0, side, 0)
        needed = self.files.sizeHint().width() + self.folder.sizeHint().width() + 4 * _PADDING
        narrow = event.size().width() < needed
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._buttons.setDirection(down if narrow else across)

    def minimumSizeHint(self) -> QSize:
        """Room for the wider button."""
        return QSize(self.folder.sizeHint().width() + 2 * _PADDING, max(em(22), super().minimumSizeHint().height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame; the accent's color tells that a drop will be taken."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(qcolor("accent" if self._over else "line_strong"), 2)
        pen.setDashPattern(_DASHES)
        painter.setPen(pen)
        painter.setBrush(qcolor("accent_soft" if self._over else "surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)
        painter.end()
