"""A table of what a build leaves out or changes: where, why, and what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from explorer.gui.presenting.cells import Cell
from explorer.gui.chrome.dialog import Dialog
from explorer.gui.screens.screen import label, offer
from explorer.gui.screens.index.build.state import ENCODINGS
from explorer.gui.screens.index.parts import elided
from explorer.gui.style.surfaces import keep_monospace
from explorer.gui.style.text_positions import cell_text
from explorer.gui.style.theme import scaled
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.texts.plain_text import PlainText
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.screens.index.build.problems import ProblemRow


class LeftOutTable(QWidget):
    """The rows, and buttons for the selected one.

    `line_wanted(ProblemRow)`: its line is to be shown. `encoding_wanted(str)`: texts of unknown encoding are to be read
    in this one.
    """

    line_wanted = Signal(object)
    encoding_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ProblemRow, ...] = ()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Skipped or changed"), wide=(2,))
        self.table.setProperty("role", "inner")
        self.line = push_button(tr("Show line"))
        self.folder = push_button(tr("Show in folder"), icon_name="folder")
        self.install = push_button(tr("Copy command"), icon_name="copy")
        self.install.hide()
        self.read_as = push_button(tr("Read as"))
        self.encodings = QMenu(self.read_as)
        for name, title in ENCODINGS:
            self.encodings.addAction(tr(title), partial(self.encoding_wanted.emit, name))
        self.read_as.setMenu(self.encodings)
        # Of the page that has one; a build that is only prepared is not built again.
        self.again = push_button(tr("Build again with them …"))
        self.again.setToolTip(tr("An index never changes: its build is prepared again, for a folder beside it"))
        self.more = elided("muted")
        footer = QVBoxLayout()
        footer.setContentsMargins(12, 6, 12, 6)
        footer.setSpacing(4)
        # In as many rows as they need: four buttons with large text are wider than a small window.
        footer.addWidget(flowing(self.line, self.read_as, self.install, self.folder, self.again))
        footer.addWidget(self.more)
        self.again.hide()
        self.more.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addLayout(footer)
        self.line.clicked.connect(lambda _=False: self._show_line())
        self.install.clicked.connect(lambda _=False: self._copy_command())
        self.folder.clicked.connect(lambda _=False: self._show_folder())
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._offer(now))
        # Enter or a double click does what the row allows: a whole file has no line to show.
        self.table.activated.connect(lambda _: self._show_line() if self.line.isEnabled() else self._show_folder())
        self._offer(QModelIndex())

    def show_rows(self, rows: Sequence[ProblemRow], more: str = "") -> None:
        """Show these rows.

        rows: What was left out or changed.
        more: How much of it is not listed; "" if all is.
        """
        self._rows = tuple(rows)
        self.model.show((tr("Where"), tr("Reason"), tr("Detail")), tuple(map(_cells, self._rows)))
        self.more.setText(more)
        self.more.setVisible(bool(more))
        # New rows have no selection, and the buttons are about the selected one.
        self._offer(QModelIndex())

    def chosen(self) -> ProblemRow | None:
        """The selected row."""
        index = self.table.currentIndex()
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def _offer(self, index: QModelIndex) -> None:
        row = self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None
        why_not = "" if row is not None else tr("Select a row first")
        offer(self.folder, why_not)
        self.install.setVisible(any(each.command for each in self._rows))
        command = row.command if row is not None else ""
        offer(self.install, why_not or ("" if command else tr("Nothing is to be installed for this file")))
        readable = row is not None and row.can_read_as
        offer(self.read_as, why_not or ("" if readable else tr("The encoding of this file is not the problem")))
        offer(self.line, why_not or ("" if row is not None and row.can_show_line else tr("This is about a whole file")))

    def _show_line(self) -> None:
        row = self.chosen()
        if row is not None and row.can_show_line:
            self.line_wanted.emit(row)

    def _copy_command(self) -> None:
        row = self.chosen()
        if row is not None and row.command:
            copy(row.command)

    def _show_folder(self) -> None:
        row = self.chosen()
        if row is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(row.path.parent)))


def copy(text: str) -> None:
    """Put a text on the clipboard."""
    QGuiApplication.clipboard().setText(text)


class LineDialog(Dialog):
    """A line of a file as it is, to see what is wrong with it."""

    def __init__(self, parent: QWidget, where: str, line: str) -> None:
        super().__init__(parent, where)
        self.text = PlainText()
        self.text.setReadOnly(True)
        self.text.setPlainText(line or tr("The line is empty."))
        self.text.setAccessibleName(where)
        keep_monospace(self.text)
        close = push_button(tr("Close"))
        close.clicked.connect(lambda _=False: self.reject())
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(label(where, "heading"))
        column.addWidget(self.text, 1)
        column.addLayout(row)
        room = parent.window().size()
        self.resize(min(scaled(720), room.width()), min(scaled(320), room.height()))


def _cells(row: ProblemRow) -> tuple[Cell, ...]:
    return (
        Cell(cell_text(row.where), tip=str(row.path)),
        Cell(cell_text(row.reason)),
        Cell(cell_text(row.detail), muted=True, tip=row.detail),
    )
