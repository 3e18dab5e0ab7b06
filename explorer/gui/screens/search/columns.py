"""The columns of the lines: the document, the position, and metadata fields."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QToolButton

from explorer.gui.screens.search.lines_presenter import LinesPresenter
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
    """The menu of columns, and the button that opens it."""

    def __init__(self, presenter: LinesPresenter, parent: QObject) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.button = menu_button(tr("Columns"))
        self.button.menu().aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        menu, state, presenter = self.button.menu(), self._presenter.state, self._presenter
        menu.clear()
        for name, option, shown in (
            (tr("Document"), "document", state.options.document),
            (tr("Position in the document"), "position", state.options.position),
        ):
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(shown)
            action.toggled.connect(lambda on, option=option: presenter.choose(**{option: on}))
        if state.fields:
            menu.addSection(tr("Metadata"))
        for field in state.fields:
            action = menu.addAction(caption(field))
            action.setCheckable(True)
            action.setChecked(field in state.columns)
            action.toggled.connect(partial(presenter.show_column, field))
