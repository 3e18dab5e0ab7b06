"""A screen with a row of tabs, each a page of its own that is made when it is first turned to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from explorer.errors import CorpusError
from explorer.gui.app.host import Host, HostedScreen
from explorer.gui.help.topics import about
from explorer.gui.presenting.requests import CopyRecipe
from explorer.gui.screens.screen import KeyButtons
from explorer.gui.screens.tab_page import TabPage
from explorer.gui.style.theme import em
from explorer.gui.threads.ahead import Ahead, InTurns
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.page_tabs import PageTabs
from explorer.gui.widgets.layouts.stack import Stack
from explorer.i18n import tr
from explorer.recipes import Recipe, Source

_NARROW = 76
"""Width in em below which the buttons beside the tabs have no words."""


@dataclass(frozen=True)
class Tab:
    """One tab.

    id: Its identity in sessions and in the code; never shown.
    title: Its name, not yet translated.
    make: Makes its page from the lanes of the screen; called when the tab is first turned to.
    topic: The topic of the guide about it.
    """

    id: str
    title: str
    make: Callable[[Lanes], TabPage]
    topic: str


class TabbedScreen(HostedScreen):
    """Tabs on top; below them the page of the chosen one.

    name: What the tabs are, for assistive technology.
    """

    def __init__(self, rows: Sequence[Tab], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = {row.id: row for row in rows}
        self._made: dict[str, TabPage] = {}
        self._ahead = {row.id: Ahead(partial(self._new, row), self) for row in rows}
        # Of tabs that are not made yet, and of tabs that this version does not have: they are kept as they are.
        self._sessions: dict[str, Any] = {}
        self._host: Host | None = None
        self.tabs = PageTabs(*(tr(row.title) for row in rows), name=name, squeezed=True)
        self.copy = push_button(tr("Copy as Python"), "quiet", "copy")
        self.copy.setToolTip(tr("Copy the Python program that computes this result again"))
        self.exports, self.pages = Stack(), Stack()
        self._lay_out()
        # A page is made part by part: at once, it would hold the event loop for 0.1 s.
        self._turning = InTurns(
            lambda: self.current not in self._made and self._ahead[self.current].step(), self._turn_to, self
        )
        self.tabs.currentChanged.connect(self._turning.begin)
        self.copy.clicked.connect(lambda: self.requested.emit(CopyRecipe(True)))

    def _lay_out(self) -> None:
        self._top = QHBoxLayout()
        self._top.setContentsMargins(16, 4, 16, 0)
        self._top.addWidget(self.tabs, 1)
        self._top.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignVCenter)
        self._top.addWidget(self.exports, 0, Qt.AlignmentFlag.AlignVCenter)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(self._top)
        whole.addWidget(self.pages, 1)

    # --- pages ---------------------------------------------------------------------------------------

    @property
    def current(self) -> str:
        """The id of the tab in front."""
        return list(self._rows)[max(0, self.tabs.currentIndex())]

    def page(self, id: str) -> TabPage:
        """The page of a tab, which is made if there is none yet."""
        if id not in self._made:
            self._made[id] = self._make(id)
        return self._made[id]

    def turn_to(self, id: str) -> TabPage:
        """Bring a tab to the front."""
        self.tabs.setCurrentIndex(list(self._rows).index(id))
        # The first tab is in front before its page is made.
        self._turn_to()
        return self.page(id)

    def _new(self, row: Tab) -> TabPage:
        # Named for the guide before its parts are: F1 in any of them finds the tab.
        return about(row.make(self.lanes), row.topic)

    def _make(self, id: str) -> TabPage:
        page = self._ahead[id].complete()
        page.requested.connect(self.requested)
        self.pages.addWidget(page)
        self.exports.addWidget(page.export)
        page.export.shorten(self.width() < em(_NARROW))
        if self._host is not None:
            page.use_host(self._host)
        # The session last: its texts are asked of the index.
        page.use_corpus(self.corpus)
        if isinstance(stored := self._sessions.pop(id, None), dict):
            page.restore_session(stored)
        return page

    def _turn_to(self) -> None:
        self._turning.stop()
        page = self.page(self.current)
        self.pages.setCurrentWidget(page)
        self.exports.setCurrentWidget(page.export)

    def prepare_next(self) -> bool:
        """Make the page of the tab in front, then its parts; other pages are made when they are turned to."""
        if self.current not in self._made:
            if not self._ahead[self.current].step():
                self._turn_to()
            return True
        return any(page.prepare_next() for page in self._made.values())

    def setVisible(self, visible: bool) -> None:
        """Have the page of the tab in front before it is seen."""
        if visible:
            self._turn_to()
        super().setVisible(visible)

    # --- what the window asks of a screen ------------------------------------------------------------

    def use_host(self, host: Host) -> None:
        """Keep what the window offers for pages that are made later."""
        self._host = host
        for page in self._made.values():
            page.use_host(host)

    def corpus_changed(self) -> None:
        """Ask the same of the new index."""
        for page in self._made.values():
            page.use_corpus(self.corpus)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the open index in the tab in front."""
        self.page(self.current).warn(error)

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        for page in self._made.values():
            page.theme_changed()

    def recipe(self, source: Source) -> Recipe | None:
        """The result of the tab in front."""
        return self.page(self.current).recipe(source)

    def pressed_by_keys(self) -> KeyButtons:
        """What the tab in front opens and saves."""
        page = self.page(self.current)
        files: QAbstractButton | None = page.asks_files()
        return KeyButtons(files, (page.export,))

    def focus_input(self) -> None:
        """The first field of the tab in front."""
        self.page(self.current).focus_input()

    def session(self) -> dict[str, Any]:
        """The tab in front, and the sessions of all tabs, also of those that were not turned to."""
        made = {id: page.session() for id, page in self._made.items()}
        return {"tab": self.current, "tabs": self._sessions | made}

    def restore_session(self, values: dict[str, Any]) -> None:
        """Restore the tabs; those that are not made yet get theirs when they are turned to."""
        stored = values.get("tabs")
        self._sessions = dict(stored) if isinstance(stored, dict) else {}
        for id, page in self._made.items():
            if isinstance(kept := self._sessions.pop(id, None), dict):
                page.restore_session(kept)
        # The tab of a session may be one that this version does not have.
        tab = values.get("tab")
        if isinstance(tab, str) and tab in self._rows:
            self.turn_to(tab)

    def sizeHint(self) -> QSize:
        """Room for a plot and a text."""
        return QSize(1000, 600)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the buttons beside the tabs with the words that fit."""
        super().resizeEvent(event)
        # Icons alone keep their names for assistive technology.
        narrow = self.width() < em(_NARROW)
        self.copy.setText("" if narrow else tr("Copy as Python"))
        self.copy.setAccessibleName(tr("Copy as Python"))
        for page in self._made.values():
            page.export.shorten(narrow)
