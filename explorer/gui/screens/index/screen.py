"""The Index screen: the open index, what can be opened, and builds. Its pages draw the presenters' states.

The window starts with its first page. The others, hundreds of widgets that the start does not wait for, are made one by
one when all screens exist, or when they are first shown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QMessageBox, QVBoxLayout, QWidget

from explorer.gui.app.host import Host, HostedScreen
from explorer.gui.chrome.dialog import message_box
from explorer.gui.presenting.requests import (
    BuildFrom,
    IndexNotice,
    IndexProblem,
    NoTokenizer,
    Request,
    ShowIndexPage,
)
from explorer.gui.screens.index import commands
from explorer.gui.screens.index.pages import IndexPages
from explorer.gui.screens.index.presenter import IndexScreenPresenter
from explorer.gui.screens.index.start.state import describe_paused
from explorer.gui.screens.index.state import ADDRESS, AGAIN, NOT_NOW, SEND, IndexScreenState, Page, View
from explorer.gui.screens.screen import Notice
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.gui.widgets.layouts.page_tabs import PageTabs
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.building.paused import PausedBuild
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError
    from explorer.gui.index.desk import IndexDesk
    from explorer.gui.screens.index.build.state import BuildState


class IndexScreen(HostedScreen):
    """One of four pages at a time, under tabs if an index is open."""

    reads_text = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = IndexScreenPresenter(self.lanes, self.requested.emit)
        self.tabs = PageTabs(tr("This index"), tr("Another index"), name=tr("Index"))
        self.notice = Notice()
        self.unchecked = push_button(tr("Open without the check"))
        self.pages = IndexPages(self.presenter, self.requested.emit)
        self.start = self.pages.start
        self.question: QMessageBox | None = None
        self._desk: IndexDesk | None = None
        self._lay_out()
        self._connect()
        # What is dropped here is a source of a build; the window takes what is dropped elsewhere.
        self.setAcceptDrops(True)
        # Drawn once by hand: `watch` reports changes only.
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)
        self.presenter.build.watch(self._draw_build)
        # Builds of an earlier run of the program.
        self.presenter.start.find_paused()

    def _lay_out(self) -> None:
        self.unchecked.setToolTip(tr("The text will be unreadable if the tokenizer is the wrong one"))
        self._notices = QWidget()
        notices = QVBoxLayout(self._notices)
        notices.setContentsMargins(16, 12, 16, 0)
        notices.setSpacing(8)
        notices.addWidget(self.notice)
        notices.addWidget(flowing(self.unchecked))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self._notices)
        column.addWidget(self.pages, 1)

    def _connect(self) -> None:
        presenter = self.presenter
        self.tabs.currentChanged.connect(lambda number: presenter.show_page(Page(number)))
        self.unchecked.clicked.connect(lambda _=False: presenter.open_unchecked())
        self.start.asked.connect(self.requested)
        self.start.zone.dropped.connect(lambda paths: presenter.add_sources(tuple(map(str, paths))))
        self.start.files.clicked.connect(lambda _=False: self.pages.prepare.sources.ask_files())
        self.start.folder.clicked.connect(lambda _=False: self.pages.prepare.sources.ask_folder())
        self.start.offers.resume_requested.connect(presenter.resume)
        self.start.offers.discard_requested.connect(self._ask_discard)

    def use_host(self, host: Host) -> None:
        """Show which indexes were open before, and the progress of building the sample."""
        self._desk = host.indexes
        self.presenter.sharing = host.indexes.share
        # The signal reports changes only, so the state of this moment is taken below.
        host.indexes.changed.connect(lambda state, _: self.presenter.use_indexes(state))
        host.indexes.progressed.connect(self.pages.show_progress)
        self.presenter.use_indexes(host.indexes.state)

    def show_keys(self, key: Callable[[str], str]) -> None:
        """Show the shortcut that opens an index."""
        self.start.show_key(key("open"))

    def take(self, request: Request) -> None:
        """Show a page, take sources of a build, or state what happened to an index or the settings."""
        match request:
            case ShowIndexPage(commands.OPEN_PAGE):
                self.presenter.show_page(Page.OPEN)
            case ShowIndexPage(commands.ABOUT_PAGE):
                self.presenter.show_page(Page.ABOUT)
            case ShowIndexPage(commands.CHECK_PAGE):
                self.presenter.check_now()
            case BuildFrom(paths):
                self.presenter.add_sources(paths)
            case IndexProblem(error, refused):
                self.presenter.fail(error, refused)
            case IndexNotice(text):
                self.presenter.remark(text)
            case NoTokenizer():
                self.presenter.miss_tokenizer()
            case _:
                super().take(request)

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Show another index. Nothing else is canceled: a build is independent of the open index."""
        self.corpus = corpus
        self.presenter.use_corpus(corpus)

    def prepare_next(self) -> bool:
        """Make one more of the pages."""
        return self.pages.prepare_next()

    def warn(self, error: CorpusError) -> None:
        """Report something about the open index."""
        self.presenter.fail(error)

    def showEvent(self, event: QShowEvent) -> None:
        """Read what is shown only when it is seen."""
        super().showEvent(event)
        self.pages.turn(self.presenter.state.view)
        self.presenter.show(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Read nothing for a page that nobody sees."""
        super().hideEvent(event)
        self.presenter.show(False)

    def _ask_discard(self, build: PausedBuild) -> None:
        """Ask again, since the finished part will be deleted."""
        box = message_box(self, tr("Discard the build"), tr("Discard the build of {name}?", name=build.name))
        box.setInformativeText(describe_paused(build))
        keep = box.addButton(tr("Keep"), QMessageBox.ButtonRole.RejectRole)
        discard = box.addButton(tr("Discard"), QMessageBox.ButtonRole.DestructiveRole)
        discard.clicked.connect(lambda: self.presenter.start.discard(build))
        # Enter and Esc both keep the build.
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        self.question = box
        box.open()

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: IndexScreenState, before: IndexScreenState | None) -> None:
        self.tabs.setVisible(state.has_tabs)
        self.tabs.setCurrentIndex(state.page)
        if before is None or _told(state) != _told(before):
            words = {SEND: tr("Send"), NOT_NOW: tr("Not now"), AGAIN: tr("Try again"), ADDRESS: tr("Change address …")}
            remedies = [(words[name], partial(self.presenter.settle, name)) for name in state.remedies]
            self.notice.show_notice(state.notice, state.title_of_notice, remedies=remedies)
        self.unchecked.setVisible(state.unchecked is not None)
        self._notices.setVisible(bool(state.notice))
        if self.isVisible():
            self.pages.turn(state.view)
        if state.view is View.PROGRESS:
            self._draw_progress(state)

    def _draw_progress(self, state: IndexScreenState) -> None:
        build = self.presenter.build.state
        if state.builds and build.begun is not None:
            stopping = tr("Pausing at a safe point …") if build.pausing else tr("Removing what has been done …")
            clock = self.lanes.named("build").clock
            hint = tr("It goes to {out}. You can use other screens meanwhile.", out=build.begun.out)
            self.pages.progress.show_build(build.building_title, hint, stopping if build.stopping else "", clock)
        elif self._desk is not None:
            stopping = tr("Stopping …") if state.indexes.stopping else ""
            hint = tr("It is built once from the Python standard library, then opened.")
            self.pages.progress.show_build(tr("Building the sample index"), hint, stopping, self._desk.opener.clock)

    def _draw_build(self, build: BuildState, before: BuildState) -> None:
        self.pages.draw_build(build, before)
        self.presenter.use_build(build)
        if build.stopping != before.stopping:
            # The sentences of a build that stops are of its own state, a change of which the screen's presenter does
            # not see.
            self._draw(self.presenter.state, self.presenter.state)
        # After the page is shown, which writes that the build starts.
        if build.building and build.progress is not None and build.progress is not before.progress:
            self.pages.progress.show_progress(build.progress)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and folders may be dropped to build from them."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take dropped files as sources of a build."""
        urls = event.mimeData().urls()
        self.presenter.add_sources(tuple(url.toLocalFile() for url in urls if url.isLocalFile()))


def _told(state: IndexScreenState) -> tuple[object, ...]:
    """What the notice is made of."""
    return state.notice, state.remedies, state.refused
