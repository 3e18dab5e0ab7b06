"""What takes the place of an answer: a place for files and the ways to begin, or why there is nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.chip import Chip
from explorer.gui.widgets.layouts.stack import Stack
from explorer.gui.widgets.notices.empty_state import DropZone, EmptyState
from explorer.i18n import tr


class Invitation(Stack):
    """A drop zone with two buttons, or a sentence.

    paste: Opens the field for a text.
    add: Takes files that are dropped.
    examples: What can be tried, each a button.

    Notes
    -----
    `tried(int)`: an example was pressed.
    """

    tried = Signal(int)

    def __init__(
        self,
        icon_name: str,
        paste: Callable[[], None],
        open_files: Callable[[], None],
        add: Callable[[list[Path]], None],
        examples: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.zone = DropZone("", icon_name=icon_name)
        self.zone.dropped.connect(add)
        self.paste = push_button(tr("Paste a text"), "primary")
        self.files = push_button(tr("Open files …"))
        self.paste.clicked.connect(paste)
        self.files.clicked.connect(open_files)
        for button in (self.paste, self.files):
            self.zone.row.addWidget(button)
        self.examples = [Chip(words) for words in examples]
        for number, chip in enumerate(self.examples):
            chip.clicked.connect(partial(self._try, number))
            self.zone.row.addWidget(chip)
        self.sentence = EmptyState(icon_name)
        self.addWidget(self.zone)
        self.addWidget(self.sentence)

    def _try(self, number: int) -> None:
        self.tried.emit(number)

    def say(self, title: str, hint: str, offered: bool) -> None:
        """Show another sentence.

        offered: Whether there is something to begin with: without an index there is not.
        """
        # Both pages get the words; `offered` alone decides which one is seen.
        self.zone.setAccessibleName(title)
        self.zone.title.setText(title)
        self.zone.hint.setText(hint)
        self.zone.hint.setVisible(bool(hint))
        self.sentence.say(title, hint)
        self.setCurrentWidget(self.zone if offered else self.sentence)
