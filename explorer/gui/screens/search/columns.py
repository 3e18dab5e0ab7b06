"""The columns of the lines: the document, the position, and metadata fields."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QToolButton

from explorer.gui.screens.search.model import DOCUMENT, POSITION
from explorer.gui.screens.search.table import KwicTable
from explorer.gui.untrusted import caption
from explorer.i18n import tr


def menu_button(text: str) -> QToolButton:
    """A button that opens a menu."""
    button = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setText(text)
    button.setProperty("role", "menu")
    button.setMenu(QMenu(button))
    return button


class ColumnsMenu(QObject):
    """The menu of columns. `changed()`: other fields are shown."""

    changed = Signal()

    def __init__(self, table: KwicTable, parent: QObject) -> None:
        super().__init__(parent)
        self._table = table
        self.button = menu_button(tr("Columns"))
        self.fields: tuple[str, ...] = ()
        self.shown: tuple[str, ...] = ()
        self.button.menu().aboutToShow.connect(self._fill)

    def set_fields(self, fields: tuple[str, ...]) -> None:
        """Offer the fields of another index, all hidden."""
        self.fields, self.shown = fields, ()

    def _fill(self) -> None:
        menu = self.button.menu()
        menu.clear()
        for name, column in ((tr("Document"), DOCUMENT), (tr("Position in the document"), POSITION)):
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(not self._table.isColumnHidden(column))
            action.toggled.connect(lambda on, column=column: self._table.setColumnHidden(column, not on))
        if self.fields:
            menu.addSection(tr("Metadata"))
        for field in self.fields:
            action = menu.addAction(caption(field))
            action.setCheckable(True)
            action.setChecked(field in self.shown)
            action.toggled.connect(partial(self.show_field, field))

    def show_field(self, field: str, shown: bool) -> None:
        """Show a metadata field as a column, or hide it.

        Parameters
        ----------
        field
            The name of the field.
        shown
            Whether to show it.
        """
        others = tuple(name for name in self.shown if name != field)
        self.shown = (*others, field) if shown else others
        self.changed.emit()
