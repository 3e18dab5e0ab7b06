"""Which indexes benchmarks are looked for in beside the open one: a menu of recent ones, and a chip for each."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from explorer.gui.chrome.folders import begin_in
from explorer.gui.index.recents import RecentIndex
from explorer.gui.style.text_positions import short_text
from explorer.gui.style.untrusted import caption
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.chip import Chip
from explorer.gui.widgets.fields.menu import Menu
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.i18n import tr


class IndexChoice(QObject):
    """A button with a menu, and the indexes that were chosen. `added(place)`, `removed(place)`: a folder or address.

    row: Gets the button and the chips, one after another: a widget of their own would wrap for itself.
    """

    added = Signal(str)
    removed = Signal(str)

    def __init__(self, row: FlowLayout, parent: QWidget) -> None:
        super().__init__(parent)
        self.recent: Callable[[], Sequence[RecentIndex]] = tuple
        """Gives the indexes that were opened before."""
        self._places: tuple[str, ...] = ()
        self._open: tuple[str, ...] = ()
        self.button = push_button(tr("Add an index"), "", "plus")
        self.button.setToolTip(tr("Look for the same items in another index, and compare the shares"))
        self.menu = Menu(parent=self.button)
        self.menu.aboutToShow.connect(self._fill)
        self.button.setMenu(self.menu)
        self.chips: list[Chip] = []
        self._row = row
        row.addWidget(self.button)

    def show_places(self, places: tuple[str, ...], opened: tuple[str, ...]) -> None:
        """Show which indexes are chosen.

        opened: Those of the open index, which is not offered.
        """
        self._open = opened
        if places == self._places:
            return
        self._places = places
        entered = any(chip.hasFocus() for chip in self.chips)
        for chip in self.chips:
            self._row.removeWidget(chip)
            # Its own signal may have led here.
            chip.hide()
            chip.deleteLater()
        self.chips = [self._chip(place) for place in places]
        # They are made after the rest of the page, and would be reached last.
        for first, second in itertools.pairwise((self.button, *self.chips)):
            QWidget.setTabOrder(first, second)
        if entered:
            (self.chips[-1] if self.chips else self.button).setFocus()

    def _chip(self, place: str) -> Chip:
        chip = Chip(short_text(self._name(place)), "filter", removable=True)
        chip.set_hint(place)
        chip.removed.connect(partial(self.removed.emit, place))
        self._row.addWidget(chip)
        chip.show()
        return chip

    def _name(self, place: str) -> str:
        return next((each.shown for each in self.recent() if each.path == place), Path(place).name or place)

    def _fill(self) -> None:
        self.menu.clear()
        for each in self.recent():
            if each.path not in (*self._places, *self._open):
                chosen = self.menu.addAction(caption(short_text(each.shown)))
                chosen.triggered.connect(partial(self._add, each.path))
        self.menu.addSeparator()
        self.menu.addAction(tr("Choose a folder …")).triggered.connect(self.ask_folder)

    def _add(self, place: str, _: bool = False) -> None:
        self.added.emit(place)

    def ask_folder(self) -> None:
        """Ask for the folder of an index."""
        if place := QFileDialog.getExistingDirectory(self.button, tr("Index to compare with"), begin_in("")):
            self.added.emit(place)
