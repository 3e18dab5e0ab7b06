"""The list of indexes that were opened before: each with its figures, a pin and a menu."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from explorer.gui.screens.index.parts import RowButton
from explorer.gui.screens.screen import label
from explorer.gui.style.theme import qcolor
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.screens.index.start.state import RecentRow


class RecentList(QWidget):
    """`acted(what, path)`: what a person wants of an index.

    "open", "pin", "locate", "rename", "show", "check" or "forget".
    """

    acted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[str, RecentIndexRow] = {}
        self.empty = label(tr("Indexes that you open are listed here."), "muted")
        self.empty.setWordWrap(True)
        self.empty.setContentsMargins(16, 8, 16, 16)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.empty)

    def show_rows(self, shown: Sequence[RecentRow]) -> None:
        """Show these indexes. A row stays the same widget as long as its index is listed, and so keeps the focus."""
        paths = [row.path for row in shown]
        for path in [path for path in self.rows if path not in paths]:
            old = self.rows.pop(path)
            # Hide it at once: it is deleted only in the next turn of the event loop.
            old.hide()
            old.deleteLater()
        for place, row in enumerate(shown):
            if row.path not in self.rows:
                self.rows[row.path] = RecentIndexRow(row.path, self)
                self.rows[row.path].acted.connect(self.acted)
            self.rows[row.path].draw(row, first=place == 0)
            # At its place already, it is not moved: a move takes the focus from some platforms' screen readers.
            if self._column.indexOf(self.rows[row.path]) != place:
                self._column.insertWidget(place, self.rows[row.path])
        self._order_tabs(paths)
        self.empty.setVisible(not shown)

    def _order_tabs(self, paths: Sequence[str]) -> None:
        """Let Tab follow the order in which the rows are shown."""
        stops = [stop for path in paths for stop in self.rows[path].stops()]
        for before, after in itertools.pairwise(stops):
            QWidget.setTabOrder(before, after)


class RecentIndexRow(QWidget):
    """One index. `acted(what, path)` as in `RecentList`."""

    acted = Signal(str, str)

    def __init__(self, path: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._pinned = self._is_elsewhere = False
        self._first = True
        self.open = RowButton(False, "index")
        self.locate = push_button(tr("Locate …"))
        self.pin = icon_button("pin", tr("Keep at the top"))
        self.pin.setCheckable(True)
        self.more = icon_button("more", tr("More"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(4)
        row.addWidget(self.open, 1)
        for stop in self.stops()[1:]:
            row.addWidget(stop)
        self.open.clicked.connect(lambda _=False: self._act("open"))
        self.locate.clicked.connect(lambda _=False: self._act("locate"))
        self.pin.clicked.connect(lambda _=False: self._act("pin"))
        self.more.clicked.connect(lambda _=False: self.show_menu())

    def stops(self) -> tuple[QWidget, ...]:
        """The widgets that Tab stops at, in their order."""
        return self.open, self.locate, self.pin, self.more

    def draw(self, row: RecentRow, first: bool) -> None:
        """Show an index.

        first: Whether it is the first of the list, which has no line above it.
        """
        self._pinned, self._is_elsewhere = row.pinned, row.is_elsewhere
        if first != self._first:
            self._first = first
            self.update()
        self.open.say(row.name, row.facts)
        self.open.setToolTip(tip(row.path))
        usual = "cloud" if row.is_elsewhere else "index"
        self.open.picture.show_icon("warning" if row.missing else usual, "warn" if row.missing else "")
        self.open.setEnabled(not row.missing)
        self.locate.setVisible(row.missing)
        self.locate.setAccessibleName(tr("Locate {name}", name=row.name))
        self.pin.setChecked(row.pinned)
        said = tr("Unpin {name}", name=row.name) if row.pinned else tr("Keep {name} at the top", name=row.name)
        self.pin.setToolTip(tip(said))
        self.pin.setAccessibleName(said)
        self.more.setAccessibleName(tr("More for {name}", name=row.name))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line above every row but the first. A style sheet would polish the row each time the order changes."""
        if not self._first:
            painter = QPainter(self)
            painter.fillRect(0, 0, self.width(), 1, qcolor("line"))
            painter.end()

    def _act(self, what: str) -> None:
        self.acted.emit(what, self._path)

    def show_menu(self) -> QMenu:
        """Offer what else can be done with the index."""
        # A menu is made for each click.
        menu = QMenu(self.more)
        menu.aboutToHide.connect(menu.deleteLater)
        missing = not self.open.isEnabled()
        for what, text, usable in (
            ("open", tr("Open"), not missing),
            ("check", tr("Check for damage"), not missing and not self._is_elsewhere),
            ("show", tr("Show in folder"), not missing and not self._is_elsewhere),
            ("rename", tr("Rename …"), True),
            ("pin", tr("Unpin") if self._pinned else tr("Keep at the top"), True),
            ("forget", tr("Remove from list"), True),
        ):
            menu.addAction(text, partial(self._act, what)).setEnabled(usable)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))
        return menu
