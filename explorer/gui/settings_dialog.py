"""The settings, made from the schema, and the shortcuts, made from the table of commands."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.actions import FIXED_KEYS, ActionBook, CommandSpec, clashes, plain
from explorer.gui.dialog import Dialog
from explorer.gui.schema import SETTINGS, Setting
from explorer.gui.screen import Notice, label, named
from explorer.gui.settings import Settings
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.scroll_areas import TallArea
from explorer.i18n import tr

SETTINGS_TAB, SHORTCUTS_TAB = range(2)
_KEYS_AT_ONCE = 8


class SettingsDialog(Dialog):
    """Every change takes effect, and is stored, at once. `changed(str)`: the key of what was changed."""

    changed = Signal(str)

    def __init__(self, settings: Settings, book: ActionBook, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("Settings"))
        self._settings, self._book = settings, book
        self.fields: dict[str, QWidget] = {}
        self.keys: dict[str, QKeySequenceEdit] = {}
        self._without_key: list[tuple[int, CommandSpec]] = []
        # 0 ms: after the events that wait, so that the dialog reacts while its rows are made.
        self._more_keys = QTimer(self, singleShot=True, interval=0)
        self._more_keys.timeout.connect(self._add_keys)
        self.notice = Notice()
        self.tabs = QTabWidget()
        self.tabs.addTab(TallArea(self._settings_page()), tr("Settings"))
        # There are dozens of fields for keys: they are created when they are shown, a few at a time.
        self._keys_page = QWidget()
        self.tabs.addTab(self._keys_page, tr("Shortcuts"))
        self.tabs.currentChanged.connect(self._make_shortcuts)
        close = QPushButton(tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(label(tr("Saved in {path}", path=settings.path), "muted"), 1)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self.notice)
        layout.addLayout(row)
        self.resize(680, 520)

    def _settings_page(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        section = ""
        for setting in SETTINGS:
            # The program remembers such a value by itself, for example the size of the window.
            if not setting.section:
                continue
            if setting.section != section:
                section = setting.section
                layout.addWidget(label(tr(section), "heading"))
            field = self._field(setting)
            self.fields[setting.key] = field
            row = QHBoxLayout()
            # A check box has its title beside it already.
            if not isinstance(field, QCheckBox):
                row.addWidget(label(tr(setting.title)))
            row.addWidget(field)
            row.addStretch(1)
            layout.addLayout(row)
            about = label(tr(setting.help), "muted")
            about.setWordWrap(True)
            layout.addWidget(about)
        layout.addStretch(1)
        return page

    def _field(self, setting: Setting) -> QWidget:
        value = self._settings.get(setting.key)
        if setting.choices:
            box = named(QComboBox(), tr(setting.title))
            for choice, name in setting.choices:
                box.addItem(tr(name), choice)
            box.setCurrentIndex(box.findData(value))
            box.currentIndexChanged.connect(lambda _: self._set(setting.key, box.currentData()))
            return box
        if isinstance(setting.default, bool):
            check = QCheckBox(tr(setting.title))
            check.setChecked(value)
            check.toggled.connect(lambda on: self._set(setting.key, on))
            return check
        spin = named(NumberBox(minimum=setting.low, maximum=setting.high, value=value), tr(setting.title))
        # 0 leaves the value to the system.
        if setting.low == 0:
            spin.setSpecialValueText(tr("system"))
        spin.valueChanged.connect(lambda number: self._set(setting.key, number))
        return spin

    def _set(self, key: str, value: Any) -> None:
        self._settings.set(key, value)
        self.changed.emit(key)

    def _make_shortcuts(self, tab: int) -> None:
        if tab == SHORTCUTS_TAB and self._keys_page.layout() is None:
            self._fill_keys_page()
            self._add_keys()

    def _fill_keys_page(self) -> None:
        layout = QVBoxLayout(self._keys_page)
        rows = [spec for spec in self._book.commands if spec.id in self._book.actions]
        table = named(QTableWidget(len(rows) + len(FIXED_KEYS), 3), tr("Keyboard shortcuts"))
        self.table = table
        table.setHorizontalHeaderLabels([tr("Command"), tr("Shortcut"), tr("Action")])
        table.verticalHeader().hide()
        # Tab leaves the table instead of going through all cells.
        table.setTabKeyNavigation(False)
        table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        table.setColumnWidth(0, 190)
        table.setColumnWidth(1, 150)
        for row, spec in enumerate(rows):
            _fill(table, row, plain(tr(spec.text)), "", tr(spec.help))
        self._without_key = list(enumerate(rows))
        for row, (keys, what) in enumerate(FIXED_KEYS, start=len(rows)):
            _fill(table, row, "", tr(keys), tr(what))
        self.reset = QPushButton(tr("Reset all"))
        self.reset.clicked.connect(self._reset_keys)
        bottom = QHBoxLayout()
        bottom.addStretch(1)
        bottom.addWidget(self.reset)
        layout.addWidget(table, 1)
        layout.addLayout(bottom)

    def _add_keys(self) -> None:
        """Create fields for a few commands; the others follow in the next turns of the event loop."""
        for row, spec in self._without_key[:_KEYS_AT_ONCE]:
            edit = named(QKeySequenceEdit(QKeySequence.fromString(self._book.key_of(spec))), plain(tr(spec.text)))
            # One combination of keys; Qt would record up to four in a row.
            edit.setMaximumSequenceLength(1)
            edit.setClearButtonEnabled(True)
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
        self.changed.emit("shortcuts")

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
        table.setItem(row, column, item)
