"""The main window: a rail of screens, the document panel, the status bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QToolBar,
    QWidget,
)

from explorer.api import Corpus
from explorer.backends.registry import BACKENDS
from explorer.building.sample_corpus import sample_folder, sample_is_built
from explorer.errors import CorpusError, QueryError
from explorer.gui.actions import ActionBook
from explorer.gui.bugs import BugReporter
from explorer.gui.closing import Departure, RunningBuild
from explorer.gui.commands import handlers_of, palette_commands
from explorer.gui.document_panel import DocumentPanel
from explorer.gui.guide import ABOUT, START
from explorer.gui.help import HelpDialog
from explorer.gui.hints import told
from explorer.gui.icons import icon
from explorer.gui.opening import IndexWatch, describe_corpus, open_corpus
from explorer.gui.palette import CommandPalette
from explorer.gui.requests import (
    BuildFrom,
    ChooseIndex,
    ChooseTokenizer,
    DocumentListed,
    DocumentRequest,
    ForgetIndex,
    IndexNotice,
    IndexProblem,
    OpenBuilt,
    OpenRequest,
    OpenSample,
    PinIndex,
    Request,
    ShowIndexPage,
    ShowScreen,
    TraceText,
)
from explorer.gui.router import Router
from explorer.gui.runner import Runner, close_all
from explorer.gui.screen import Host, Screen, label, with_key
from explorer.gui.screen_set import ScreenSet
from explorer.gui.screens.registry import SCREENS, ScreenSpec, check_screens
from explorer.gui.session import Session
from explorer.gui.settings import Settings
from explorer.gui.settings_dialog import SettingsDialog
from explorer.gui.surfaces import apply_stylesheet, apply_stylesheet_to_parts, keep_icon_size, restyle, when_restyled
from explorer.gui.theme import choose_scheme, choose_text_size, text_size
from explorer.gui.untrusted import caption, plain
from explorer.gui.widgets.job_bar import JobBar
from explorer.i18n import mark, tr
from explorer.jobs import Kind

if TYPE_CHECKING:
    from explorer.gui.screens.index.screen import IndexScreen

_PRELOAD_MS = 60
_STACK_EMS, _PANEL_EMS = 56, 24
"""Least widths of screens and document, in sizes of the text."""
_STACK_MOST = 760
"""The limit of the screens' minimum width in pixels: with large text the window would not fit on the display."""


class MainWindow(QMainWindow):
    """Owns the screens and the open corpus, which it passes to them. `new_window_wanted()`, `closing()`."""

    new_window_wanted = Signal()
    closing = Signal()

    def __init__(self, settings: Settings, specs: Sequence[ScreenSpec] = SCREENS) -> None:
        super().__init__()
        check_screens(specs)
        self.specs = tuple(specs)
        self.settings = settings
        self.corpus: Corpus | None = None
        self._after_opening: Callable[[], None] | None = None
        self.last_request = OpenRequest(())
        self._described = ""
        self.setWindowTitle(tr("Corpus Explorer"))
        self.setAcceptDrops(True)
        self.bugs = BugReporter(self)
        self.opener = Runner("open", self, Kind.APART)
        self.builds_sample = False
        self.departure = Departure(self, self._builds)
        self.session = Session(self)
        self.watch = IndexWatch(self)
        for runner in (self.opener, self.watch.runner):
            runner.bug.connect(self.report_bug)
        self.screens = ScreenSet(self.specs, self._adopt)
        self._preload = QTimer(self, interval=_PRELOAD_MS)
        self._preload.timeout.connect(self._make_another_screen)
        self.panel = DocumentPanel()
        self.router = Router()
        self._make_center()
        self._make_rail()
        self._make_menus()
        self._make_status()
        self._dress()
        self._connect()
        self.resize(1280, 800)
        if (geometry := settings.geometry()) is not None:
            self.restoreGeometry(geometry)
        self._show_recent()
        self.show_screen("index")
        if settings.notice:
            self.router.deliver(IndexNotice(settings.notice))
        self._preload.start()

    def _make_another_screen(self) -> None:
        """Create the other screens one by one after the window is shown, so that the user waits for none of them."""
        if not self.screens.make_next():
            self._preload.stop()

    def _adopt(self, spec: ScreenSpec, screen: Screen) -> None:
        """Add a new screen: its place, its signals, the open index, and the texts of the last session."""
        self.stack.addWidget(screen)
        self._dress_screen(screen)
        self._connect_part(screen)
        screen.use_host(Host(self.settings))
        screen.show_keys(self.book.shown_key)
        if self.corpus is not None:
            screen.set_corpus(self.corpus)
            self.session.restore_screen(spec.id, screen)

    def _make_routes(self) -> None:
        """Name the takers of all requests: the parts of the window here, and the screens by their rows."""
        add = self.router.add
        add(DocumentRequest, self.open_document)
        add(DocumentListed, lambda request: self.panel.show_listed(request.number, request.listed))
        add(OpenRequest, self.open)
        add(OpenSample, lambda _: self.open_sample())
        add(OpenBuilt, self._open_built)
        add(ChooseIndex, lambda _: self.ask_open())
        add(ChooseTokenizer, lambda _: self.ask_tokenizer())
        add(ShowScreen, lambda request: self.show_screen(request.id))
        add(PinIndex, lambda request: self._change_recent(self.settings.toggle_pinned_index, request.path))
        add(ForgetIndex, lambda request: self._change_recent(self.settings.forget_index, request.path))
        for spec in self.specs:
            for kind in spec.takes:
                add(kind, partial(self._give, spec.id))
        self.router.check([TraceText, *(kind for spec in self.specs for kind in spec.asks)])

    def _give(self, id: str, request: Request) -> None:
        """Let a screen do a request."""
        if request.to_front:
            self.show_screen(id)
        self.screens[id].take(request)

    def _connect_part(self, part: Screen) -> None:
        part.requested.connect(self.router.deliver)
        part.answered.connect(self._show_time)
        part.bug.connect(self.report_bug)

    @property
    def _index(self) -> IndexScreen:
        return cast("IndexScreen", self.screens["index"])

    def _make_center(self) -> None:
        self.stack = QStackedWidget()
        self.splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self.splitter.addWidget(self.stack)
        self.splitter.addWidget(self.panel)
        self.splitter.setStretchFactor(0, 1)
        # The pages' minimum width is that of the widest page; next to a document they may be narrower.
        self._fit_to_text()
        self.panel.hide()
        self.setCentralWidget(self.splitter)

    def _fit_to_text(self) -> None:
        self.stack.setMinimumWidth(min(_STACK_MOST, round(_STACK_EMS * text_size())))
        self.panel.setMinimumWidth(round(_PANEL_EMS * text_size()))

    def _make_rail(self) -> None:
        self.rail = rail = QToolBar(tr("Screens"), movable=False)
        keep_icon_size(rail, 24)
        rail.setObjectName("rail")
        rail.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        rail.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, rail)
        group = QActionGroup(self)
        self.screen_actions: dict[str, QAction] = {}
        for spec in sorted(self.specs, key=lambda spec: spec.at_bottom):
            if spec.at_bottom and not any(action.property("at_bottom") for action in group.actions()):
                rail.addWidget(_stretch())
            action = QAction(icon(spec.picture), tr(spec.title), self, checkable=True)
            action.setProperty("at_bottom", spec.at_bottom)
            action.triggered.connect(lambda _, id=spec.id: self.show_screen(id))
            group.addAction(action)
            rail.addAction(action)
            self.screen_actions[spec.id] = action

    def _make_menus(self) -> None:
        self.recent_menu = QMenu(tr("Open &recent"), self.menuBar())
        self.recent_menu.aboutToShow.connect(self._fill_recent)
        self.book = ActionBook(self, handlers_of(self), self.settings)
        self.book.fill_menus(self, {"recent": self.recent_menu})
        self._name_rail()

    def _name_rail(self) -> None:
        """Show shortcuts in the tool tips of the rail and of the screens."""
        for id, action in self.screen_actions.items():
            action.setToolTip(with_key(action.text(), self.book.shown_key(id)))
        for screen in self.screens.made().values():
            screen.show_keys(self.book.shown_key)

    def _make_status(self) -> None:
        self.index_label = label(tr("No index"))
        self.time_label = label("")
        self.job = JobBar()
        self.job.setMaximumWidth(420)
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.addWidget(self.index_label, 1)
        bar.addPermanentWidget(self.job)
        bar.addPermanentWidget(self.time_label)

    def _dress(self) -> None:
        # No style sheet here: it would stop the palette from reaching the containers below. See
        # `apply_stylesheet_to_parts`.
        for part in (self.menuBar(), self.rail, self.statusBar()):
            apply_stylesheet(part)
        when_restyled(self, self._fit_to_text)
        self._dress_screen(self.panel)

    def _dress_screen(self, screen: Screen) -> None:
        apply_stylesheet_to_parts(screen)
        when_restyled(screen, screen.theme_changed)

    def _connect(self) -> None:
        self._make_routes()
        self._connect_part(self.panel)
        self.panel.closed.connect(self.panel.hide)
        self.watch.changed.connect(self._files_changed)
        self.opener.progressed.connect(self.job.show_progress)
        self.opener.progressed.connect(self._index.sample_job.show_progress)
        self.opener.busy_changed.connect(self._opener_busy)
        self.job.cancelled.connect(self.opener.cancel)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._scheme_changed)

    def show_screen(self, id: str) -> None:
        """Bring a screen to the front."""
        self.stack.setCurrentWidget(self.screens[id])
        self.screen_actions[id].setChecked(True)
        self.screens[id].focus_input()

    def current_screen(self) -> Screen:
        """The visible screen."""
        screen = self.stack.currentWidget()
        assert isinstance(screen, Screen)
        return screen

    @Slot(object)
    def open_document(self, request: DocumentRequest) -> None:
        """Show a document in the panel on the right."""
        if not self.panel.isVisible():
            width = self.splitter.width()
            self.panel.show()
            self.splitter.setSizes([int(width * 0.66), int(width * 0.34)])
        self.panel.open(request)

    def ask_open(self) -> None:
        """Let the user choose a folder."""
        path = QFileDialog.getExistingDirectory(self, tr("Open an index folder"))
        if path:
            self.open(OpenRequest((path,)))

    def open_sample(self, then: Callable[[], None] | None = None) -> None:
        """Open the sample index, which is built first if it is missing."""
        self.open(OpenRequest((str(sample_folder()),), sample=True), then)

    def open(self, request: OpenRequest, then: Callable[[], None] | None = None) -> None:
        """Open index folders in the background.

        Parameters
        ----------
        request
            What to open.
        then
            Called on the interface thread when they are open; not called if opening fails.
        """
        self.last_request, self._after_opening = request, then
        names = ", ".join(Path(path).name for path in request.paths)
        self.builds_sample = request.sample and not sample_is_built()
        self.index_label.setText(
            tr("Building the sample index …") if self.builds_sample else tr("Opening {names} …", names=names)
        )
        report = self.opener.reporter()
        self.opener.run(lambda cancel: open_corpus(request, report, cancel), self._opened, self._not_opened)

    def _opener_busy(self, busy: bool) -> None:
        self.job.set_busy(busy)
        self._index.show_sample_progress(busy and self.builds_sample)

    def _open_built(self, built: OpenBuilt) -> None:
        """Open a new index; subtracted documents that it lacks are reported before anything is searched."""
        self.open(OpenRequest((built.path,)), partial(self.show_screen, "index") if built.left_out else None)

    def _opened(self, corpus: Corpus) -> None:
        self.corpus = corpus
        for source in corpus.index.sources:
            self.settings.add_recent_index(source)
        self._show_recent()
        for screen in (*self.screens.made().values(), self.panel):
            screen.set_corpus(corpus)
        self.watch.watch(corpus)
        self._show_index()
        self.setWindowTitle(plain(tr("{name} – Corpus Explorer", name=corpus.index.name)))
        if self._after_opening is not None:
            self._after_opening()
        elif not corpus.index.has_tokenizer:
            self.show_screen("index")
            self._index.say_no_tokenizer()
        elif self.screens.spec_of(self.current_screen()).id == "index":
            self.show_screen("search")
        if unsubtracted := corpus.index.remark:
            error = QueryError(mark("{remark}"), reason="not-subtracted", remark=unsubtracted)
            self.current_screen().warn(error)

    def _not_opened(self, error: CorpusError) -> None:
        self._show_index()
        self.router.deliver(IndexProblem(error, self.last_request))

    def ask_tokenizer(self) -> None:
        """Open the same index again with another tokenizer."""
        if not self.last_request.paths:
            return
        name, _ = QFileDialog.getOpenFileName(self, tr("Tokenizer of this index"), "", tr("Tokenizers (*.json)"))
        if name:
            self.open(replace(self.last_request, tokenizer=name, check_fit=True))

    def _show_index(self) -> None:
        if self.corpus is None:
            self.index_label.setText(tr("No index is open"))
            return
        self._described = describe_corpus(self.corpus)
        self.index_label.setText(self._described)
        self.index_label.setToolTip("")

    def _show_recent(self) -> None:
        self._index.show_recent(self.settings.recent_indexes(), self.settings.get("pinned_indexes"))

    def _change_recent(self, change: Callable[[str], None], path: str) -> None:
        change(path)
        self._show_recent()

    def _fill_recent(self) -> None:
        self.recent_menu.clear()
        for path in self.settings.recent_indexes():
            self.recent_menu.addAction(caption(path), partial(self.open, OpenRequest((path,))))
        if self.recent_menu.isEmpty():
            self.recent_menu.addAction(tr("None yet")).setEnabled(False)

    def _files_changed(self, error: CorpusError) -> None:
        """The open index changed on the disk: report it and continue."""
        self.index_label.setText(tr("Changed on disk: {described}", described=self._described))
        self.index_label.setToolTip(told(error))
        self.current_screen().warn(error)
        self._index.show_error(error)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """An index folder may be dropped anywhere."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a dropped index; anything else becomes a source of a build."""
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths and all(map(BACKENDS.claiming, paths)):
            self.open(OpenRequest(tuple(paths)))
            return
        self.router.deliver(BuildFrom(tuple(paths)))

    def set_scheme(self, scheme: str) -> None:
        """Choose light, dark, or the system's theme."""
        self.change_setting("scheme", scheme)

    def change_setting(self, key: str, value: object) -> None:
        """Store a setting and let it take effect.

        Parameters
        ----------
        key
            Its name in `schema`.
        value
            Its new value.

        Raises
        ------
        ValueError
            If the value is not valid for it.
        """
        self.settings.set(key, value)
        self.apply_setting(key)

    def apply_setting(self, key: str) -> None:
        """Apply a stored setting."""
        if key == "shortcuts":
            self._name_rail()
        elif key in ("scheme", "text_size"):
            choose_scheme(self.settings.scheme())
            choose_text_size(self.settings.get("text_size"))
            self._scheme_changed()

    def change_text_size(self, step: int) -> None:
        """Make the text larger by some points; negative: smaller."""
        self.change_setting("text_size", min(28, max(6, round(text_size()) + step)))

    def _scheme_changed(self) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        restyle(application)

    def open_settings(self, tab: int) -> SettingsDialog:
        """Show the settings, or the shortcuts."""
        dialog = SettingsDialog(self.settings, self.book, self)
        dialog.changed.connect(self.apply_setting)
        dialog.tabs.setCurrentIndex(tab)
        dialog.open()
        return dialog

    def open_palette(self) -> CommandPalette:
        """Show the command palette: every command, and the recent indexes, by name."""
        palette = CommandPalette(palette_commands(self), self)
        palette.open_over(self)
        return palette

    def open_help(self) -> HelpDialog:
        """Show the guide, at the page of this screen."""
        return self.show_page(self.screens.spec_of(self.current_screen()).page.name)

    def show_page(self, name: str) -> HelpDialog:
        """Show a page of the guide."""
        dialog = HelpDialog(self, (START, *(spec.page for spec in self.specs), ABOUT), name)
        dialog.show()
        return dialog

    def toggle_panel(self) -> None:
        """Show or hide the document."""
        self.panel.setVisible(not self.panel.isVisible())

    def show_index_page(self, number: int) -> None:
        """Show the Index screen at one of its pages."""
        self.router.deliver(ShowIndexPage(number))

    @Slot(float)
    def _show_time(self, seconds: float) -> None:
        self.time_label.setText(
            tr("{seconds:,.1f} ms", seconds=1000 * seconds) if seconds < 1 else tr("{seconds:,.2f} s", seconds=seconds)
        )

    @Slot(str)
    def report_bug(self, report: str) -> None:
        """Show an unexpected error once, with a report to copy."""
        self.bugs.report(report)

    def _builds(self) -> list[RunningBuild]:
        found = [build for screen in self.screens.made().values() for build in screen.builds()]
        if self.opener.busy and self.builds_sample:
            found.append(RunningBuild(self.opener, sample_folder(), tr("the sample index"), self._index.sample_job))
        return found

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save the window's state, and end all jobs; asks if work would be lost."""
        if not self.departure.may_close():
            event.ignore()
            return
        self._preload.stop()
        self.settings.set_geometry(self.saveGeometry())
        self.session.end()
        self.settings.flush()
        self.watch.watch(None)
        screens = (*self.screens.made().values(), self.panel)
        close_all(
            [
                self.opener,
                self.watch.runner,
                self.departure.discarder,
                *(runner for screen in screens for runner in screen.runners()),
            ]
        )
        super().closeEvent(event)
        self.closing.emit()


def _stretch() -> QWidget:
    """Keeps what follows in the rail at its lower end."""
    space = QWidget()
    space.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
    return space
