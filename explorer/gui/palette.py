"""The command palette: type a few letters of a command, press Enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from explorer.gui.dialog import Dialog
from explorer.gui.screen import named
from explorer.i18n import tr


@dataclass(frozen=True)
class Command:
    """An entry of the palette: a name, a hint (shortcut or help), and its function."""

    name: str
    hint: str
    call: Callable[[], object]


def matching(commands: Sequence[Command], typed: str) -> list[Command]:
    """Find commands that have all the typed words.

    Parameters
    ----------
    commands
        All commands.
    typed
        What was typed; case is ignored.

    Returns
    -------
    list[Command]
        Those whose name begins with the text, then the others, both in the order of `commands`.
    """
    words = typed.lower().split()
    found = [c for c in commands if all(word in f"{c.name} {c.hint}".lower() for word in words)]
    return sorted(found, key=lambda c: (not c.name.lower().startswith(typed.lower().strip()), commands.index(c)))


class CommandPalette(Dialog):
    """A field and a list; arrow keys move, Enter runs, Esc closes."""

    def __init__(self, commands: Sequence[Command], parent: QWidget) -> None:
        super().__init__(parent, tr("Commands"), Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("palette")
        self._commands = tuple(commands)
        self._shown: list[Command] = []
        self.field = named(QLineEdit(placeholderText=tr("Type a command …")), tr("Command"))
        self.list = named(QListWidget(), tr("Commands"))
        # The field keeps the focus, and `eventFilter` gives the arrow keys to the list.
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self.resize(min(620, parent.width() - 40), 380)
        self.field.textChanged.connect(self._filter)
        self.field.returnPressed.connect(self._run)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(lambda _: self._run())
        self._filter("")

    def open_over(self, window: QWidget) -> None:
        """Show near the top of a window."""
        corner = window.mapToGlobal(window.rect().topLeft())
        self.move(corner.x() + (window.width() - self.width()) // 2, corner.y() + 60)
        self.open()
        self.field.setFocus()

    def _filter(self, typed: str) -> None:
        self._shown = matching(self._commands, typed)
        self.list.clear()
        for command in self._shown:
            item = QListWidgetItem(f"{command.name}    {command.hint}")
            self.list.addItem(item)
        if self._shown:
            self.list.setCurrentRow(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys in the field move through the list.

        Parameters
        ----------
        watched
            The field.
        event
            Its event.

        Returns
        -------
        bool
            Whether the event was an arrow key, which the field does not get.
        """
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}.get(
                Qt.Key(event.key())
            )
            if step is not None and self._shown:
                row = min(len(self._shown) - 1, max(0, self.list.currentRow() + step))
                self.list.setCurrentRow(row)
                return True
        return super().eventFilter(watched, event)

    def _run(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._shown):
            command = self._shown[row]
            # Closed first, since the command may open a dialog of its own.
            self.close()
            command.call()
