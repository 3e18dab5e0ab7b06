"""A line above the page: what the user should know about the whole window, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QStyle, QStyleOption, QVBoxLayout, QWidget

from explorer.gui.icons import icon
from explorer.gui.screen import label
from explorer.gui.surfaces import apply_stylesheet, when_restyled
from explorer.gui.theme import qcolor, scaled
from explorer.gui.untrusted import Label
from explorer.gui.widgets.buttons import push_button

_ICONS = {"info": "info", "warn": "warning", "error": "error"}
_MOST = 600
"""Characters of a sentence, which may quote a file."""


class RemedyBar(QWidget):
    """An icon, a title with a sentence, and buttons. Hidden while there is nothing to report."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = Label()
        self.title, self.sentence = label("", "heading"), label("", "")
        self.sentence.setWordWrap(True)
        self.sentence.setTextInteractionFlags(self.sentence.textInteractionFlags().TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._kind = "info"
        self._row = QHBoxLayout(self)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.sentence)
        self._row.addWidget(self.picture)
        self._row.addLayout(words, 1)
        self._buttons: list[QPushButton] = []
        self._fit_to_text()
        when_restyled(self, self._fit_to_text)
        apply_stylesheet(self)
        self.hide()

    def say(self, kind: str, title: str, sentence: str, remedies: Sequence[tuple[str, Callable[[], object]]]) -> None:
        """Show something.

        Parameters
        ----------
        kind
            "info", "warn" or "error".
        title
            It in a few words.
        sentence
            It in a sentence.
        remedies
            Texts and actions of the buttons, the most likely first.
        """
        self._kind = kind
        self.title.setText(title)
        self.sentence.setText(sentence if len(sentence) <= _MOST else sentence[:_MOST] + " …")
        # Made again each time: there are three at most, and their actions differ.
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = [push_button(text) for text, _ in remedies]
        for button, (_, action) in zip(self._buttons, remedies, strict=True):
            button.clicked.connect(lambda _=False, action=action: action())
            self._row.addWidget(button)
        self._fit_to_text()
        self.show()

    def buttons(self) -> list[QPushButton]:
        """The buttons, in their order."""
        return list(self._buttons)

    def _fit_to_text(self) -> None:
        self._row.setContentsMargins(scaled(16), scaled(8), scaled(16), scaled(8))
        self._row.setSpacing(scaled(8))
        side = scaled(20)
        self.picture.setPixmap(icon(_ICONS[self._kind], _INKS[self._kind]).pixmap(side, side))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill with the color of the kind, over a line."""
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        painter.fillRect(self.rect(), qcolor(_FILLS[self._kind]))
        painter.fillRect(0, self.height() - 1, self.width(), 1, qcolor(_LINES[self._kind]))
        painter.end()


_FILLS = {"info": "accent_soft", "warn": "warn_soft", "error": "error_soft"}
_LINES = {"info": "accent_mid", "warn": "warn_line", "error": "error_line"}
_INKS = {"info": "accent", "warn": "warn", "error": "error"}
