"""The main window: puts its parts together. What each part does is in its own module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QCursor, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QMenuBar

from explorer.gui.app.bugs import BugReporter
from explorer.gui.app.closing import Departure
from explorer.gui.app.first_paint import when_painted
from explorer.gui.app.host import Host, HostedScreen
from explorer.gui.asking.recipes import copied
from explorer.gui.chrome.actions import EDIT, ActionBook, CommandSpec, check_commands
from explorer.gui.chrome.commands import COMMANDS, commands_of, fill_recent
from explorer.gui.chrome.dialogs import Dialogs
from explorer.gui.chrome.edit_desk import EditDesk
from explorer.gui.chrome.rail import Rail
from explorer.gui.chrome.splits import keep_document, keep_splits
from explorer.gui.chrome.stage import Stage, below_each_other
from explorer.gui.chrome.status_bar import StatusBar
from explorer.gui.chrome.top_bar import TopBar
from explorer.gui.help.guide import ABOUT, PROJECTS, START, TOKENS, keys_page
from explorer.gui.help.topics import topic_of
from explorer.gui.index.desk import IndexDesk
from explorer.gui.presenting.requests import (
    BuildFrom,
    ChooseTokenizer,
    CloseWindow,
    CopyRecipe,
    IndexNotice,
    IndexProblem,
    NewWindow,
    NoTokenizer,
    OpenProject,
    OpenRequest,
    Request,
    Saved,
    ShowMessage,
    ShowOpened,
    ShowPalette,
    ShowScreen,
    ShowStart,
    Told,
    TraceText,
    Warn,
)
from explorer.gui.presenting.router import Router
from explorer.gui.project.desk import ProjectDesk, is_project
from explorer.gui.screens.registry import SCREENS, ScreenSpec, check_screens
from explorer.gui.screens.screen import Screen, has_text
from explorer.gui.screens.screen_set import Handover, Preload, ScreenSet
from explorer.gui.settings.session import Session
from explorer.gui.style.appearance import Appearance
from explorer.gui.style.surfaces import apply_stylesheet, apply_stylesheet_to_parts, when_restyled
from explorer.gui.threads.runner import Runner, close_all
from explorer.gui.widgets.notices.toasts import Toasts

if TYPE_CHECKING:
    from explorer.corpus import Corpus
    from explorer.gui.index.indexes import IndexState
    from explorer.gui.index.recents import RecentIndex
    from explorer.gui.settings.store import Settings

_ASKED = (
    BuildFrom, ChooseTokenizer, CopyRecipe, IndexNotice, IndexProblem, NoTokenizer, OpenProject, OpenRequest, Saved,
    ShowOpened, ShowStart, Told, TraceText, Warn,
)  # fmt: skip
"""What the window itself, its indexes, the document panel and the buttons of figures ask for."""

_SIZE, _FRAME = QSize(1280, 800), QSize(16, 48)
"""The size of a window at first, and the most that systems add to it as a frame."""


class MainWindow(QMainWindow):
    """Composes the window. `new_window_wanted()`; `closing()`.

    commands: The commands, besides those of the screens.
    Raises `ValueError, LookupError` if two rows clash, if nobody takes a request that a row names, or if a command is
        for an unknown screen.
    """

    new_window_wanted = Signal()
    closing = Signal()

    def __init__(
        self, settings: Settings, specs: Sequence[ScreenSpec] = SCREENS, commands: Sequence[CommandSpec] = COMMANDS
    ) -> None:
        super().__init__()
        # Rows are checked before anything is made: after a mistake in one, no thread has started.
        check_screens(specs)
        rows = commands_of(specs, commands)
        check_commands(rows, [spec.id for spec in specs])
        self.settings = settings
        self.bugs = BugReporter(self)
        # Parts get `ask` before the router knows any taker: nobody asks before `_start`.
        self.router = Router()
        self.appearance = Appearance(settings, self)
        self.indexes = IndexDesk(settings, self.ask, self, partial(_front, self))
        self.stage = Stage(self._connect_part)
        self.rail = Rail(specs)
        self.screens = ScreenSet(specs, self._adopt)
        self.session = Session(settings, self.indexes.presenter, self.screens, self, lambda: self.projects.path, self)
        self.projects = ProjectDesk(settings, self.ask, self.session.views, self.session.show, self)
        self.departure = Departure(self, self.lanes)
        self.top = TopBar(lambda menu: fill_recent(menu, self, self.indexes.state.is_elsewhere))
        self.edit = EditDesk(self)
        self.book = ActionBook(self, self, rows, settings)
        guide = (START, TOKENS, *(spec.page for spec in specs), PROJECTS, keys_page(self.book.keys), ABOUT)
        self.dialogs = Dialogs(
            self, self, settings, self.book, guide, lambda pointed: page_about(self, pointed), self.ask
        )
        self.status = StatusBar(self.indexes.index_label, self.lanes)
        self.toasts = Toasts(self, over=self.status.texts)
        self.preload = Preload(self.screens, self, self.stage.prepare_next)
        self._handover = Handover(self.screens, self)
        self._add_routes(specs, rows)
        self._lay_out()
        self._connect()
        self._start()

    def _add_routes(self, specs: Sequence[ScreenSpec], commands: Sequence[CommandSpec]) -> None:
        """Name the takers of all requests, and check that none is missing."""
        own: dict[type[Request], Callable[[Any], object]] = {
            ShowScreen: lambda request: self.go_to(request.id),
            ShowStart: lambda _: self.show_start(),
            ShowOpened: self._show_opened,
            Warn: lambda request: self.current_screen().warn(request.error),
            Saved: lambda request: self.toasts.saved(request.path, request.sentence),
            Told: lambda request: self.toasts.show(request.sentence, _links(request, self.ask)),
            ShowMessage: lambda _: self.toasts.focus_newest(),
            CopyRecipe: lambda request: self.toasts.show(copied(request, self.current_screen(), self.indexes.state)),
            NewWindow: lambda _: self.new_window_wanted.emit(),
            CloseWindow: lambda _: self.close(),
        }
        for routes in (
            own,
            self.indexes.routes(),
            self.projects.routes(),
            self.stage.routes(),
            self.edit.routes(),
            self.appearance.routes(),
            self.dialogs.routes(),
        ):
            for kind, taker in routes.items():
                self.router.add(kind, taker)
        for spec in specs:
            for kind in spec.takes:
                self.router.add(kind, partial(_give, self, spec.id))
        self.router.check([*_ASKED, *(kind for spec in specs for kind in spec.asks)])
        self.router.check(type(command.does) for command in commands if isinstance(command.does, Request))

    def _lay_out(self) -> None:
        self.setAcceptDrops(True)
        # Qt turns the contents of a window around, but not the sides of its bars.
        flip = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self.addToolBar(Qt.ToolBarArea.RightToolBarArea if flip else Qt.ToolBarArea.LeftToolBarArea, self.rail)
        self.setCentralWidget(below_each_other(self.projects.place, self.stage))
        # In place of the window's own menu bar, which would be a row of its own.
        self.setMenuWidget(self.top)
        self.setStatusBar(self.status)
        # No style sheet here: it would stop the palette from reaching the containers below. See
        # `apply_stylesheet_to_parts`.
        for part in (self.top, self.rail, self.status, self.stage.unreadable):
            apply_stylesheet(part)

    def _connect(self) -> None:
        keep_document(self.stage, self.settings)
        self.stage.unreadable.choose_wanted.connect(lambda: self.ask(ChooseTokenizer()))
        # As soon as the screen exists: nobody waits for its modules with a window that does not answer.
        self.rail.chosen.connect(self.go_to)
        self.top.switcher.when_asked = lambda: self.indexes.state.asked_of
        self.top.palette_wanted.connect(lambda: self.ask(ShowPalette()))
        self.indexes.opener.busy_changed.connect(self.status.note_busy)
        self.indexes.changed.connect(self._index_changed)
        for desk in (self.indexes, self.projects):
            desk.bug.connect(self.report_bug)
        self.appearance.keys_changed.connect(self._show_keys)
        self.book.before[EDIT] = lambda: self.edit.offer(self.book)

    def _connect_part(self, part: Screen) -> None:
        apply_stylesheet_to_parts(part)
        when_restyled(part, part.theme_changed)
        part.requested.connect(self.ask)
        part.answered.connect(partial(self.status.note_time, part))
        part.lanes.busy_changed.connect(self.status.note_busy)
        part.bug.connect(self.report_bug)

    def _start(self) -> None:
        self.projects.show_title(self.indexes.state.title)
        self.resize(first_size(self.screen().availableGeometry().size()))
        if (geometry := self.settings.geometry()) is not None:
            self.restoreGeometry(geometry)
        self._show_keys()
        # Before anything is shown: the first menu that opens is right.
        self.book.allow(index_open=False)
        self.show_start()
        if self.settings.notice:
            self.ask(IndexNotice(self.settings.notice))
        # Not by time: whatever it does before the window is painted, the window is painted later.
        when_painted(self, self.preload.start)

    def _adopt(self, spec: ScreenSpec, screen: Screen) -> None:
        """Add a new screen: its place, its signals, the open index, and the texts of the last session."""
        self.stage.stack.addWidget(screen)
        self._connect_part(screen)
        # The host comes before the index, with which a screen may ask its first question and write its history.
        if isinstance(screen, HostedScreen):
            screen.use_host(Host(self.settings, self.indexes, self.projects, self.book))
        screen.show_keys(self.book.shown_key)
        keep_splits(screen, spec.id, self.settings)
        if self.corpus is not None:
            self._hand_over(spec.id, screen)

    def _hand_over(self, id: str, screen: Screen) -> None:
        """Give a screen the open index, and what was typed in it when it was last open."""
        screen.set_corpus(self.corpus)
        if self.corpus is not None:
            self.session.restore_screen(id, screen)

    @property
    def corpus(self) -> Corpus | None:
        """The open index."""
        return self.indexes.state.corpus

    @Slot(object)
    def ask(self, request: Request) -> None:
        """Have a request done by the part of the window, or the screen, that takes it."""
        self.router.deliver(request)

    def go_to(self, id: str, then: Callable[[Screen], object] = lambda screen: None) -> None:
        """Bring a screen to the front as soon as it exists, and do something with it then.

        id: The id of the screen. It takes the place of one that was asked for before and is still being made.
        """
        self.preload.want(id, lambda: then(self.show_screen(id)))

    def show_screen(self, id: str) -> Screen:
        """Bring a screen to the front, which is made now if it does not exist."""
        self.preload.forget()
        screen = self.screens[id]
        self.stage.stack.setCurrentWidget(screen)
        self.status.show_times_of(screen)
        self.rail.check(id)
        self.stage.focus_input()
        return screen

    def show_start(self) -> Screen:
        """Bring the screen to the front with which a window begins."""
        return self.show_screen(self.screens.id_with("at_start"))

    def current_screen(self) -> Screen:
        """The visible screen."""
        return self.stage.current()

    def menuBar(self) -> QMenuBar:
        """The menus, which are part of the top bar."""
        return self.top.menus

    def recent_indexes(self) -> Sequence[RecentIndex]:
        """The recent indexes, pinned ones first."""
        return self.settings.recents.all()

    def open(self, request: OpenRequest, then: Callable[[], object] | None = None) -> None:
        """Open an index in the background; see `Indexes.open`.

        then: Called when it is open; not if that fails.
        """
        self.indexes.presenter.open(request, then)

    def _index_changed(self, state: IndexState, before: IndexState) -> None:
        if state.corpus is before.corpus:
            return
        self.projects.show_title(state.title)
        self.projects.presenter.use_corpus(state.corpus, state.request)
        self.book.allow(index_open=state.corpus is not None)
        self.top.switcher.show_index(state.named, state.places, state.picture)
        self.stage.show_index(state.name, has_text(state.corpus))
        self.stage.set_corpus(state.corpus)
        # A turn of the event loop for each screen. Those that do not exist yet get the index in `_adopt`.
        self._handover.begin(self._hand_over)

    def _show_opened(self, opened: ShowOpened) -> None:
        if not opened.readable:
            self.ask(NoTokenizer())
        # Somebody who works on another screen stays there.
        elif self.screens.spec_of(self.current_screen()).at_start:
            self.go_to(self.screens.id_with("after_opening"))

    def _show_keys(self) -> None:
        self.top.field.show_key(self.book.shown_key("palette"))
        self.rail.show_keys(self.book.shown_key)
        for screen in self.screens.made().values():
            screen.show_keys(self.book.shown_key)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """An index folder may be dropped anywhere."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a dropped project or index; anything else becomes a source of a build."""
        paths = tuple(url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile())
        projects = [path for path in paths if is_project(path)]
        if projects:
            self.ask(OpenProject(projects[0]))
            return
        from explorer.backends.registry import BACKENDS

        self.ask(OpenRequest(paths) if paths and all(map(BACKENDS.claiming, paths)) else BuildFrom(paths))

    @Slot(str)
    def report_bug(self, report: str) -> None:
        """Show an unexpected error once, with a report to copy."""
        self.bugs.report(report)

    def lanes(self) -> list[Runner]:
        """All lanes of the indexes, the screens and the document."""
        parts: list[Screen] = [*self.screens.made().values(), *filter(None, [self.stage.made_panel])]
        return [
            *self.indexes.runners(),
            *self.projects.runners(),
            *self.dialogs.runners(),
            *(runner for part in parts for runner in part.lanes.all()),
        ]

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save the window's state, and end all jobs; asks if work would be lost."""
        # Unsaved changes are asked about first: with work running, the window waits for an answer about that.
        kept = self.departure.decided or self.projects.may_close()
        if not (kept and self.departure.may_close()):
            event.ignore()
            return
        self.preload.stop()
        self.screens.end()
        self._handover.stop()
        self.settings.set_geometry(self.saveGeometry())
        # The session reads the screens, and the settings write it: both before the lanes stop.
        self.session.end()
        self.settings.flush()
        self.indexes.watch.watch(None)
        # In one call: all are told to stop before the first is waited for.
        close_all([*self.lanes(), self.departure.discarder])
        super().closeEvent(event)
        self.closing.emit()


def _links(told: Told, ask: Callable[[Request], object]) -> Sequence[tuple[str, Callable[[], object]]]:
    """The links of a report."""
    return [] if told.link is None else [(told.link[0], partial(ask, told.link[1]))]


def _front(window: MainWindow) -> str:
    """The id of the visible screen, or of the one that was asked for and is still being made."""
    return window.preload.wanted or window.screens.spec_of(window.current_screen()).id


def page_about(window: MainWindow, pointed: bool) -> str:
    """The page of the guide about what has the focus or is pointed at, or else about the visible screen.

    pointed: Whether what is under the pointer is meant.
    """
    # What has the focus may have a section of its own; the screen's page is the way out for all the rest.
    meant = window.childAt(window.mapFromGlobal(QCursor.pos())) if pointed else window.focusWidget()
    return topic_of(meant) or window.screens.spec_of(window.current_screen()).page.name


def _give(window: MainWindow, id: str, request: Request) -> None:
    """Have a screen take a request."""
    # Shown before it is asked: requests of the visible screen go first, see `Screen.showEvent`.
    if request.to_front:
        window.go_to(id, lambda screen: screen.take(request))
    else:
        window.screens[id].take(request)


def first_size(room: QSize) -> QSize:
    """The size of the first window on a screen with this much room, of which the system's frame takes some."""
    return _SIZE.boundedTo(room - _FRAME)
