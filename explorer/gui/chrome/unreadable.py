"""What is shown in place of a screen that can do nothing with the open index, since it has no tokenizer."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.notices.empty_state import EmptyState
from explorer.i18n import tr


class Unreadable(QWidget):
    """States that the tokenizer is missing, and offers to choose it. `choose_wanted()`: the button was pressed."""

    choose_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.empty = EmptyState("words")
        self.choose = push_button(tr("Choose the tokenizer …"), "primary")
        self.choose.clicked.connect(lambda _=False: self.choose_wanted.emit())
        layout = QVBoxLayout(self)
        # Around both: `EmptyState` would push the button to the lower edge.
        layout.addStretch(1)
        layout.addWidget(self.empty)
        layout.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(2)

    def show_name(self, name: str) -> None:
        """Name the index."""
        self.empty.say(
            tr("“{name}” has no tokenizer", name=name),
            tr(
                "An index stores numbers of tokens. Only the tokenizer that it was built with turns text into them and "
                "back: a file named tokenizer.json."
            ),
        )
