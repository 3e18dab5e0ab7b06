"""The footer of the lines: which line is chosen, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import keep_icon_size, when_restyled
from explorer.gui.style.theme import em
from explorer.gui.style.untrusted import tip

_LEAST_EMS = 12
"""The width that it needs at least; with less than all of it has, buttons show their icons only."""


class TableFooter(QWidget):
    """A bar below a table: facts on the left, actions on the right. Without room for words, actions become icons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place = label("", "muted")
        # Button, picture, and whether the picture is shown beside the words, too.
        self._actions: list[tuple[QPushButton, str, bool]] = []
        # A folded button has no words of its own, so they are remembered here.
        self._texts: dict[QPushButton, str] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(em(0.6))
        self._row.addWidget(self.place)
        self._row.addStretch(1)
        when_restyled(self, self.fold)

    def add_fact(self, widget: QWidget) -> None:
        """Put a fact on the left, before the place of the line."""
        self._row.insertWidget(self._row.indexOf(self.place), widget)

    def add_action(self, button: QPushButton, picture: str) -> None:
        """Put an action on the right, after the others.

        picture: The name of its icon, for a narrow window.
        """
        keep_icon_size(button, 16)
        self._actions.append((button, picture, not button.icon().isNull()))
        self._texts[button] = button.text()
        self._row.addWidget(button)

    def set_text(self, button: QPushButton, text: str) -> None:
        """Give an action another text.

        text: Its new words, which are also its tool tip and its name for assistive technology.
        """
        self._texts[button] = text
        button.setAccessibleName(text)
        button.setToolTip(text)
        self.fold()

    def fold(self) -> None:
        """Show words if there is room for them, and icons otherwise."""
        # Unfolded first: only then does the layout tell how much room the words need.
        for button, picture, has_icon in self._actions:
            button.setText(self._texts[button])
            button.setAccessibleName(self._texts[button])
            button.setIcon(icon(picture) if has_icon else QIcon())
        self.place.show()
        if self._row.sizeHint().width() <= self.width():
            return
        # All or none: a row of words and icons would look like two kinds of actions.
        for button, picture, _ in self._actions:
            button.setText("")
            button.setIcon(icon(picture))
            if not button.toolTip():
                button.setToolTip(tip(self._texts[button]))
        # The place gives way last: words of buttons can still be read in tool tips, and this cannot.
        self.place.setVisible(self._row.sizeHint().width() <= self.width())

    def minimumSizeHint(self) -> QSize:
        """Narrow, so that the footer never widens the page."""
        return QSize(em(_LEAST_EMS), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold or unfold."""
        super().resizeEvent(event)
        self.fold()
