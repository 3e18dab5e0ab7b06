"""A table of the files of a build by kind, as high as its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import scaled
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.screens.index.build.kind_rows import KindRow

_SIDE, _PAD = 16, 10
"""Margins of the sentence at a text size of 10 points: frames have the first one."""


class KindsTable(PlainTable):
    """`chosen(KindRow)`: a person chose a row.

    leads: Whether rows can be chosen.
    """

    chosen = Signal(object)

    def __init__(self, leads: bool = True, parent: QWidget | None = None) -> None:
        self._rows_shown = PlainModel()
        super().__init__(self._rows_shown, tr("Files by kind"), wide=(0,), parent=parent)
        self._rows_shown.setParent(self)
        self.rows: tuple[KindRow, ...] = ()
        self._is_drawing = False
        self.setProperty("role", "inner")
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._leads = leads
        if not leads:
            self.setSelectionMode(self.SelectionMode.NoSelection)
        self.selectionModel().currentRowChanged.connect(self._choose)

    def show_rows(self, rows: Sequence[KindRow], kind: str | None = None) -> None:
        """Show these rows, and the chosen kind."""
        self.rows = tuple(rows)
        # The choice is shown, not made.
        self._is_drawing = True
        header = (tr("Kind"), tr("Files"), tr("Size"))
        self._rows_shown.show(header[: len(rows[0].cells) if rows else 0], [row.cells for row in rows])
        place = next((at for at, row in enumerate(self.rows) if row.kind == kind and not row.is_skipped), -1)
        if place >= 0 and self._leads:
            # Not `selectRow`, which asks for the column at the edge, and there is none before the table is laid out.
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(
                self._rows_shown.index(place, 0), flags.ClearAndSelect | flags.Rows | flags.Current
            )
        self._is_drawing = False
        self.setVisible(bool(rows))

    def _choose(self, now: QModelIndex, _: QModelIndex) -> None:
        if now.isValid() and not self._is_drawing:
            self.chosen.emit(self.rows[now.row()])


class FilesByKind(QWidget):
    """A sentence with what was found, read and skipped, over the table."""

    def __init__(self, leads: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary, self.table = label("", "strong"), KindsTable(leads)
        self.summary.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.summary)
        column.addWidget(self.table)
        self._leave_room()
        when_restyled(self, self._leave_room)

    def _leave_room(self) -> None:
        side, pad = scaled(_SIDE), scaled(_PAD)
        self.summary.setContentsMargins(side, pad, side, pad)
