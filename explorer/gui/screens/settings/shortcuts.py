"""The page of shortcuts: every command with a field for its keys, and the keys that stay as they are."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.chrome.actions import FIXED_KEYS, ActionBook, CommandSpec, clashes, plain
from explorer.gui.help.topics import help_button
from explorer.gui.screens.screen import Notice, label, named
from explorer.gui.settings.store import Settings
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import keep_icon_size, when_restyled
from explorer.gui.style.theme import chrome, em
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.end_button import add_clear_button
from explorer.i18n import tr

_KEYS_AT_ONCE = 8
_THREE_EMS = 38
"""The least width of the page with all three columns, in em."""


class ShortcutsPage(QWidget):
    """`changed()`: a shortcut was changed.

    settings: Where the user's own shortcuts are stored.
    """

    changed = Signal()

    def __init__(self, settings: Settings, book: ActionBook, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings, self._book = settings, book
        self.keys: dict[str, QKeySequenceEdit] = {}
        # A key that belongs to what has the focus cannot be changed.
        rows = [spec for spec in book.commands if spec.id in book.actions and not spec.of_focus]
        self._without_key: list[tuple[int, CommandSpec]] = list(enumerate(rows))
        # 0 ms: after the events that wait, so that the window reacts while dozens of fields are made.
        self._more_keys = QTimer(self, singleShot=True, interval=0)
        self._more_keys.timeout.connect(self._add_keys)
        self.notice = Notice()
        self.table = self._make_table(rows)
        self.reset = named(QPushButton(tr("Reset this page")), tr("Reset this page: {page}", page=tr("Shortcuts")))
        self.reset.setProperty("role", "quiet")
        self.reset.setIcon(icon("reset"))
        keep_icon_size(self.reset, 16, gap=4)
        self.reset.clicked.connect(self._reset_keys)
        head = QHBoxLayout()
        head.addWidget(label(tr("Shortcuts"), "title"), 1)
        head.addWidget(self.reset)
        head.addWidget(help_button("keyboard", tr("Keyboard")))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(head)
        layout.addWidget(self.notice)
        layout.addWidget(self.table, 1)
        self._fit_to_text()
        when_restyled(self, self._fit_to_text)
        self._add_keys()

    def _make_table(self, rows: list[CommandSpec]) -> QTableWidget:
        table = named(QTableWidget(len(rows) + len(FIXED_KEYS), 3), tr("Keyboard shortcuts"))
        table.setHorizontalHeaderLabels([tr("Command"), tr("Shortcut"), tr("What it does")])
        table.verticalHeader().hide()
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        table.setShowGrid(False)
        # Tab leaves the table instead of going through all cells.
        table.setTabKeyNavigation(False)
        table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        for row, spec in enumerate(rows):
            _fill(table, row, plain(tr(spec.text)), "", tr(spec.help))
        for row, (keys, what) in enumerate(FIXED_KEYS, start=len(rows)):
            _fill(table, row, "", tr(keys), tr(what))
        return table

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the sentences in a narrow window; they are in the tool tips of the commands, too."""
        super().resizeEvent(event)
        narrow = self.width() < em(_THREE_EMS)
        if narrow != self.table.isColumnHidden(2):
            self.table.setColumnHidden(2, narrow)
            # The commands get the room instead.
            modes = QHeaderView.ResizeMode
            self.table.horizontalHeader().setSectionResizeMode(0, modes.Stretch if narrow else modes.Interactive)
            self._fit_to_text()

    def _fit_to_text(self) -> None:
        self.table.setColumnWidth(0, em(14))
        self.table.setColumnWidth(1, em(10))
        self.table.verticalHeader().setDefaultSectionSize(chrome(34))

    def _add_keys(self) -> None:
        """Create fields for a few commands; the others follow in the next turns of the event loop."""
        for row, spec in self._without_key[:_KEYS_AT_ONCE]:
            edit = named(QKeySequenceEdit(QKeySequence.fromString(self._book.key_of(spec))), plain(tr(spec.text)))
            # One combination of keys; Qt would record up to four in a row.
            edit.setMaximumSequenceLength(1)
            # Qt's own button to clear it would have neither the theme's colors nor the size of the text.
            inner = edit.findChild(QLineEdit)
            assert inner is not None
            add_clear_button(inner)
            # Bound here: `spec` is that of the last row when the field is edited.
            edit.editingFinished.connect(lambda id=spec.id: self._set_key(id))
            self.keys[spec.id] = edit
            self.table.setCellWidget(row, 1, edit)
        del self._without_key[:_KEYS_AT_ONCE]
        if self._without_key:
            self._more_keys.start()
        # Not before: shortcuts are compared with those of the fields that exist.
        else:
            self._mark_clashes()

    def _set_key(self, id: str) -> None:
        # Only the commands that the user changed are stored: all others follow the defaults of later versions.
        self._settings.set("shortcuts", {**self._settings.get("shortcuts"), id: self._typed(id)})
        self._apply()

    def _typed(self, id: str) -> str:
        return self.keys[id].keySequence().toString(QKeySequence.SequenceFormat.PortableText)

    def _reset_keys(self) -> None:
        # Without the user's own shortcuts, the defaults apply.
        self._settings.set("shortcuts", {})
        for spec in self._book.commands:
            if spec.id in self.keys:
                self.keys[spec.id].setKeySequence(QKeySequence.fromString(spec.key))
        self._apply()

    def _apply(self) -> None:
        self._book.apply_shortcuts()
        self._mark_clashes()
        self.changed.emit()

    def _mark_clashes(self) -> None:
        """Report two commands with the same shortcut: neither would run."""
        both = sorted(clashes({id: self._typed(id) for id in self.keys}))
        names = [plain(tr(spec.text)) for spec in self._book.commands if spec.id in both]
        self.notice.show_text(
            tr("{names} have the same shortcut, so neither runs. Change one of them.", names=" and ".join(names))
            if names
            else ""
        )


def _fill(table: QTableWidget, row: int, *texts: str) -> None:
    for column, text in enumerate(texts):
        item = QTableWidgetItem(text)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        if texts[-1] != text:
            item.setToolTip(tip(texts[-1]))
        table.setItem(row, column, item)
