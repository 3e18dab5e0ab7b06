"""The columns of the lines, in two menus: that of the button, and that of a header."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from explorer.gui.direction import isolated
from explorer.gui.screen import offer
from explorer.gui.screens.search.column_layout import (
    DOCUMENT,
    FIXED,
    LEFT,
    MATCH,
    NUMBER,
    POSITION,
    RIGHT,
    field_key,
    field_name,
)
from explorer.gui.screens.search.columns_presenter import ColumnsPresenter
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.sorting import header_preset, header_tip, needs_words
from explorer.gui.untrusted import caption
from explorer.i18n import mark, tr

_NAMES = {
    NUMBER: mark("Line number"),
    LEFT: mark("Left context"),
    MATCH: mark("Match"),
    RIGHT: mark("Right context"),
    DOCUMENT: mark("Document"),
    POSITION: mark("Position in the document"),
}


def menu_button(text: str) -> QToolButton:
    """A button that opens a menu."""
    button = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setText(text)
    button.setProperty("role", "menu")
    button.setMenu(QMenu(button))
    return button


def column_name(key: str, right_to_left: bool = False) -> str:
    """The name of a column."""
    if right_to_left and key in (LEFT, RIGHT):
        return tr("Following context") if key == LEFT else tr("Preceding context")
    return isolated(field_name(key)) if field_name(key) else tr(_NAMES[key])


def fill_columns_menu(menu: QMenu, presenter: SearchPresenter, without_room: tuple[str, ...]) -> None:
    """Add an entry for each column, checked where it is shown.

    Parameters
    ----------
    menu
        The menu.
    presenter
        Knows the columns, and shows or hides them.
    without_room
        Columns that are wanted, but for which the window is too narrow.
    """
    state, columns = presenter.state.columns, presenter.columns
    shown, right_to_left = state.layout.shown, presenter.state.lines.right_to_left
    for key in (*(key for key in FIXED if key != MATCH), *map(field_key, state.fields)):
        if state.fields and key == field_key(state.fields[0]):
            menu.addSection(tr("Metadata"))
        name = caption(column_name(key, right_to_left))
        action = menu.addAction(tr("{name} (no room)", name=name) if key in without_room else name)
        action.setCheckable(True)
        action.setChecked(key in shown)
        action.toggled.connect(partial(columns.show, key))
    menu.addSeparator()
    menu.addAction(tr("Reset columns")).triggered.connect(columns.reset)


def open_header_menu(parent: QWidget, presenter: SearchPresenter, key: str, place: QPoint) -> QMenu:
    """Open the menu of a column's header.

    Parameters
    ----------
    parent
        The owner.
    presenter
        Does what is chosen.
    key
        The column.
    place
        Where to open it, on the screen.

    Returns
    -------
    QMenu
        The menu.
    """
    lines, columns = presenter.state.lines, presenter.columns
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setToolTipsVisible(True)
    preset = header_preset(key, lines.right_to_left)
    why_not = header_tip(key, lines.why_no_words)
    able = bool(preset) and not (needs_words(preset) and lines.why_no_words)
    again = able and lines.sort.preset == preset and preset != "index"
    sort = menu.addAction(tr("Reverse the order") if again else tr("Sort by this column"))
    offer(sort, "" if able else why_not)
    sort.triggered.connect(lambda: presenter.lines.sort_by_header(key))
    menu.addSeparator()
    for text, act in _arranging(columns, key):
        menu.addAction(text).triggered.connect(act)
    menu.addSeparator()
    menu.addAction(tr("Reset columns")).triggered.connect(columns.reset)
    menu.popup(place)
    return menu


def _arranging(columns: ColumnsPresenter, key: str) -> list[tuple[str, partial[None]]]:
    """What can be done with a column, in words."""
    entries = [
        (tr("Move left\tShift+Alt+Left"), partial(columns.step, key, -1)),
        (tr("Move right\tShift+Alt+Right"), partial(columns.step, key, 1)),
        (tr("Fit the width"), partial(columns.fit, key)),
    ]
    return entries if key == MATCH else [*entries, (tr("Hide this column"), partial(columns.show, key, False))]


class ColumnsMenu(QObject):
    """The menu of columns, and the button that opens it."""

    def __init__(self, presenter: SearchPresenter, parent: QObject) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.without_room: tuple[str, ...] = ()
        self.button = menu_button(tr("Columns"))
        self.button.menu().aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.button.menu().clear()
        fill_columns_menu(self.button.menu(), self._presenter, self.without_room)
