"""The command palette: type a few letters of a command, an index, a setting or a page of help, and press Enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListView, QVBoxLayout, QWidget

from explorer.gui.chrome.dialog import Dialog
from explorer.gui.palette.delegate import ROW, PaletteDelegate
from explorer.gui.palette.rows import PREFIXES, Command, Row, rows
from explorer.gui.screens.screen import label, named
from explorer.gui.style.icons import icon
from explorer.gui.style.theme import chrome, em
from explorer.gui.widgets.texts.key_cap import KeyCap
from explorer.i18n import tr

_WIDTH_EMS, _SHOWN = 53, 11
_PAGE = 8
_ROOT = QModelIndex()


class PaletteModel(QAbstractListModel):
    """The lines of the palette; headings cannot be chosen, and what cannot be used is read with its reason."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []

    def show_rows(self, found: list[Row]) -> None:
        """Show other lines."""
        self.beginResetModel()
        self.rows = found
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        """How many lines there are."""
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        """Only commands can be chosen."""
        command = self.command(index.row())
        return Qt.ItemFlag.NoItemFlags if command is None else Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a line shows.

        role: The text, or for assistive technology also key and explanation, or for the delegate the line itself.
        Returns: The value; None for other roles.
        """
        row = self.rows[index.row()]
        command = row.command
        if role == ROW:
            return row
        if command is None:
            return tr(row.heading.value) if row.heading is not None and role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return command.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (command.name, command.key, command.why_not or command.hint) if part)
        return None

    def command(self, row: int) -> Command | None:
        """The command in a line; None for a heading, or if there is no such line."""
        return self.rows[row].command if 0 <= row < len(self.rows) else None


class CommandPalette(Dialog):
    """A field and a list; arrow keys move, Enter runs, Esc closes.

    recent: The ids of the commands that were used last.
    used: Called with the id of a command that is run.
    """

    def __init__(
        self,
        commands: Sequence[Command],
        parent: QWidget,
        recent: Sequence[str] = (),
        used: Callable[[str], object] = str,
    ) -> None:
        super().__init__(parent, tr("Commands"), Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("palette")
        self._commands, self._recent, self._used = tuple(commands), tuple(recent), used
        self.field = named(QLineEdit(placeholderText=tr("Type a command …")), tr("Command"))
        self.field.setProperty("role", "query")
        self.model = PaletteModel(self)
        self.list = named(QListView(), tr("Commands"))
        self._set_up_list()
        self.nothing = label(tr("Nothing is called that"), "muted")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out(parent)
        self.field.textChanged.connect(self._filter)
        self.field.returnPressed.connect(self._run)
        self.field.installEventFilter(self)
        self.list.clicked.connect(lambda _: self._run())
        self._filter("")

    def _set_up_list(self) -> None:
        self.list.setProperty("role", "inner")
        self.list.setModel(self.model)
        self.list.setItemDelegate(PaletteDelegate(self.list))
        # All lines are of one height, headings too: a thousand need not be measured.
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        # The field keeps the focus, and `eventFilter` gives the arrow keys to the list.
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _lay_out(self, window: QWidget) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(em(1.1), 0, em(1.1), 0)
        picture = label()
        picture.setPixmap(icon("search").pixmap(em(1.2), em(1.2)))
        top.addWidget(picture)
        top.addWidget(self.field, 1)
        for sign, (_, name) in PREFIXES.items():
            top.addWidget(label(f"{sign} {tr(name)}", "small"))
        foot = QHBoxLayout()
        foot.setContentsMargins(em(1.1), 0, em(1.1), 0)
        for keys, text in ((("↑", "↓"), tr("choose")), ((tr("Enter"),), tr("run")), ((tr("Esc"),), tr("close"))):
            # In the order of keys on a keyboard, also in a window that runs from right to left.
            for key in keys[::-1] if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else keys:
                foot.addWidget(KeyCap(key))
            foot.addWidget(label(text, "small"))
            foot.addSpacing(em(0.6))
        foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, em(0.5), 1, em(0.6))
        layout.setSpacing(em(0.5))
        layout.addLayout(top)
        layout.addWidget(_line())
        layout.addWidget(self.list, 1)
        layout.addWidget(self.nothing, 1)
        layout.addWidget(_line())
        layout.addLayout(foot)
        height = chrome(46) + chrome(40) + _SHOWN * chrome(34)
        self.resize(min(em(_WIDTH_EMS), window.width() - 40), min(height, window.height() - chrome(40) - em(2)))

    def open_over(self, window: QWidget, typed: str = "") -> None:
        """Show near the top of a window."""
        corner = window.mapToGlobal(QPoint((window.width() - self.width()) // 2, chrome(40) + 8))
        self.move(corner)
        # Not `exec`, which would block the caller until the palette closes.
        self.open()
        self.field.setText(typed)
        self.field.setFocus()

    def _filter(self, typed: str) -> None:
        # For every letter, on the interface thread: a thousand names take about ten milliseconds.
        self.model.show_rows(rows(self._commands, typed, self._recent))
        self.nothing.setVisible(not self.model.rows)
        self.list.setVisible(bool(self.model.rows))
        self._go(0, 1)
        self.list.scrollToTop()

    def shown(self) -> list[Command]:
        """The commands in the list, in its order."""
        return [row.command for row in self.model.rows if row.command is not None]

    def chosen(self) -> Command | None:
        """The command that Enter runs."""
        return self.model.command(self.list.currentIndex().row())

    def _go(self, row: int, step: int) -> None:
        """Choose the line, or the next one in that direction that is not a heading."""
        last = len(self.model.rows) - 1
        row = min(max(row, 0), last)
        if self.model.command(row) is None:
            row = row + step if 0 <= row + step <= last else row + 1
        index = self.model.index(row)
        self.list.setCurrentIndex(index)
        # The heading above the first line comes into view with it.
        self.list.scrollTo(self.model.index(max(0, row - 1)) if row <= 1 else index)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys in the field move through the list.

        Returns: Whether the event was an arrow key, which the field does not get.
        """
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _PAGE, Qt.Key.Key_PageUp: -_PAGE}.get(
                Qt.Key(event.key())
            )
            if step is not None and self.model.rows:
                self._go(self.list.currentIndex().row() + step, 1 if step > 0 else -1)
                return True
        return super().eventFilter(watched, event)

    def _run(self) -> None:
        command = self.chosen()
        # The reason is in the list, which stays open to be read.
        if command is None or command.why_not:
            return
        # Before it runs: a command may close the window.
        if command.id:
            self._used(command.id)
        # Closed first, since the command may open a dialog of its own.
        self.close()
        command.call()


def _line() -> QWidget:
    line = label()
    line.setProperty("role", "divider")
    line.setFixedHeight(1)
    return line
