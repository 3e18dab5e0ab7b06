"""The columns of the lines: the pop-over in which they are chosen, and the menu of a header."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import get_args

from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QMenu, QWidget

from explorer.gui.help.topics import help_button
from explorer.gui.screens.screen import label, named, offer
from explorer.gui.screens.search.lines.column_layout import (
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
from explorer.gui.screens.search.lines.columns_presenter import ColumnsPresenter
from explorer.gui.screens.search.lines.sort_form import divider
from explorer.gui.screens.search.lines.sorting import header_preset, header_tip, needs_words
from explorer.gui.screens.search.lines.state import MOST_ROWS
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.state import SearchState
from explorer.gui.screens.search.work import MOST_WIDTH, Unit
from explorer.gui.style.direction import isolated
from explorer.gui.style.text_positions import short_text
from explorer.gui.style.theme import em
from explorer.gui.style.untrusted import caption
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.number_box import NumberBox
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.fields.segments import Segments
from explorer.i18n import mark, tr

_UNITS: tuple[Unit, ...] = get_args(Unit)

_NAMES = {
    NUMBER: mark("Line number"),
    LEFT: mark("Left context"),
    MATCH: mark("Match"),
    RIGHT: mark("Right context"),
    DOCUMENT: mark("Document"),
    POSITION: mark("Position in the document"),
}


def column_name(key: str, right_to_left: bool = False) -> str:
    """Name a column.

    right_to_left: Whether lines run right to left: there the column on the left has what follows.
    """
    if right_to_left and key in (LEFT, RIGHT):
        return tr("Following context") if key == LEFT else tr("Preceding context")
    return isolated(field_name(key)) if field_name(key) else tr(_NAMES[key])


def open_header_menu(parent: QWidget, presenter: SearchPresenter, key: str, place: QPoint) -> QMenu:
    """Open the menu of a column's header."""
    lines, columns = presenter.state.lines, presenter.columns
    menu = QMenu(parent)
    # Made for each opening: what it offers depends on the column and the order.
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setToolTipsVisible(True)
    preset = header_preset(key, lines.right_to_left)
    why_not = header_tip(key, lines.why_no_words)
    able = bool(preset) and not (needs_words(preset) and lines.why_no_words)
    # The order of the index has no reverse.
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


class ColumnsForm(Popover):
    """Which columns are shown, and how much of the contexts: the pop-over of the columns button."""

    def __init__(self, presenter: SearchPresenter, anchor: QWidget) -> None:
        super().__init__(anchor, tr("Columns"))
        self._presenter = presenter
        self._shown: tuple[object, ...] = ()
        self.boxes: dict[str, QCheckBox] = {}
        self._grid = QGridLayout()
        self.unit = Segments([tr("Fill the column"), tr("Words"), tr("Characters")], tr("Unit of the context"))
        self.width_box = named(NumberBox(minimum=1, maximum=MOST_WIDTH, value=10), tr("Context on each side"))
        self.rows = named(NumberBox(minimum=1, maximum=MOST_ROWS, value=1), tr("Lines of text per row"))
        self.fixed = QCheckBox(tr("Fixed-width font"))
        self.reset = push_button(tr("Reset columns"), "quiet", "reset")
        self.help = help_button("search#lines", tr("Columns"), anchor)
        self.head.addWidget(self.help)
        self._lay_out()
        choose = presenter.lines.choose
        self.unit.chosen.connect(lambda number: choose(unit=_UNITS[number]))
        self.width_box.valueChanged.connect(lambda value: choose(width=value))
        self.rows.valueChanged.connect(lambda value: choose(rows=value))
        self.fixed.toggled.connect(lambda on: choose(fixed=on))
        self.reset.clicked.connect(presenter.columns.reset)
        self.draw(presenter.state)

    def _lay_out(self) -> None:
        self.body.addLayout(self._grid)
        self.body.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(divider())
        form = QGridLayout()
        form.setHorizontalSpacing(em(0.8))
        side = QHBoxLayout()
        side.addWidget(self.unit)
        side.addWidget(self.width_box)
        side.addStretch(1)
        form.addWidget(label(tr("Context")), 0, 0)
        form.addLayout(side, 0, 1)
        form.addWidget(label(tr("Lines per row")), 1, 0)
        form.addWidget(self.rows, 1, 1, Qt.AlignmentFlag.AlignLeft)
        form.setColumnStretch(1, 1)
        self.body.addLayout(form)
        self.body.addWidget(self.fixed)

    def draw(self, state: SearchState) -> None:
        """Show the choices."""
        columns, options = state.columns, state.lines.options
        keys = (*(key for key in FIXED if key != MATCH), *map(field_key, columns.fields))
        # Boxes that stay keep the focus while one of them is checked.
        if (keys, state.lines.right_to_left) != self._shown:
            self._shown = (keys, state.lines.right_to_left)
            self._make_boxes(keys)
        for key, box in self.boxes.items():
            name = caption(short_text(column_name(key, state.lines.right_to_left), 40))
            box.setText(tr("{name} (no room)", name=name) if key in columns.without_room else name)
            # Shown, not chosen.
            with QSignalBlocker(box):
                box.setChecked(key in columns.layout.shown)
        self.unit.choose(_UNITS.index(options.unit))
        self.width_box.setVisible(options.unit != "fill")
        for number, value in ((self.width_box, options.width), (self.rows, options.rows)):
            with QSignalBlocker(number):
                number.setValue(value)
        with QSignalBlocker(self.fixed):
            self.fixed.setChecked(options.fixed)

    def _make_boxes(self, keys: Sequence[str]) -> None:
        for box in self.boxes.values():
            self._grid.removeWidget(box)
            box.hide()
            box.deleteLater()
        self.boxes = {}
        # Two columns of boxes, the first one longer by at most one.
        half = -(-len(keys) // 2)
        for number, key in enumerate(keys):
            box = QCheckBox()
            box.toggled.connect(partial(self._presenter.columns.show, key))
            self._grid.addWidget(box, number % half, number // half)
            self.boxes[key] = box
        # Boxes that are made later would otherwise be last for the keyboard.
        for before, after in pairwise((self.help, *self.boxes.values(), self.reset)):
            QWidget.setTabOrder(before, after)
