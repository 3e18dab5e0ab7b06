"""The page of a tab before a file is opened: where files can be dropped, what does it, and what a file looks like."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.screens.screen import label, text_order
from explorer.gui.style.surfaces import keep_monospace, when_restyled
from explorer.gui.style.theme import em
from explorer.gui.widgets.notices.empty_state import DropZone
from explorer.i18n import tr

_NEXT = ",\n "
"""Between two records of a list in JSON."""
_LOWEST = 24.0
"""Height from which there is room for an example, in em."""
_WIDEST = 44.0
"""Width of the zone at most, in em: lines of about 70 letters."""


class StartPage(QWidget):
    """A zone for files in the middle of a page, with buttons and an example in the code font.

    title: What can be opened here.
    hint: What a file has in it, and what is done with it.
    example: A few lines of such a file.
    buttons: What does the same without a mouse.
    """

    def __init__(
        self,
        title: str,
        hint: str,
        example: str,
        buttons: Sequence[QAbstractButton],
        open_file: Callable[[Path], None],
    ) -> None:
        super().__init__()
        self.zone = DropZone(title, hint, "trace")
        for button in buttons:
            self.zone.row.addWidget(button)
        # Code runs from left to right in any window.
        self.example = text_order(label(example))
        keep_monospace(self.example)
        self.example.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.example.setWordWrap(True)
        self.example.setAccessibleName(tr("Example of a file"))
        middle = QVBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self.zone, 4)
        self.caption = label(tr("Example"), "muted")
        middle.addWidget(self.caption)
        middle.addWidget(self.example)
        middle.addStretch(2)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addLayout(middle, 1)
        self.zone.dropped.connect(lambda paths: open_file(paths[0]))
        when_restyled(self, self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stay in the middle, no wider than lines that can be read."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        layout = self.layout()
        assert layout is not None
        # A low window has no room for both, and the zone is what begins.
        for part in (self.caption, self.example):
            part.setVisible(self.height() > em(_LOWEST))
        spare = max(0, (self.width() - em(_WIDEST)) // 2)
        layout.setContentsMargins(spare, 0, spare, 0)


def example_conversation() -> str:
    """Write the same short conversation in both forms that are read."""
    asked, answered = tr("What sat on the mat?"), tr("The cat sat on the mat.")
    turns = [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]
    marked = f"User: {asked}\nAssistant: {answered}"
    return f"{marked}\n\n[{_lines(turns, _NEXT)}]"


def example_answers() -> str:
    """Write two lines of a file of answers."""
    pairs = (
        (tr("What sat on the mat?"), tr("The cat sat on the mat.")),
        (tr("Who saw it?"), tr("The dog saw the cat.")),
    )
    return _lines([{"prompt": prompt, "answer": answer} for prompt, answer in pairs], "\n")


def _lines(records: Sequence[dict[str, str]], between: str) -> str:
    return between.join(json.dumps(record, ensure_ascii=False) for record in records)
