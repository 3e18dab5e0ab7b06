"""The main window: a rail of screens, the document panel, the status bar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QMenu,
    QSplitter,
    QStackedWidget,
    QToolBar,
)

from explorer.api import Corpus
from explorer.backends.registry import BACKENDS
from explorer.building.sample_corpus import sample_folder, sample_is_built
from explorer.errors import CorpusError, QueryError
from explorer.gui.actions import ActionBook
from explorer.gui.bugs import BugReporter
from explorer.gui.closing import Departure
from explorer.gui.commands import handlers_of, palette_commands
from explorer.gui.document_panel import DocumentPanel
from explorer.gui.help import HelpDialog
from explorer.gui.hints import told
from explorer.gui.icons import icon
from explorer.gui.matching import Matching
from explorer.gui.opening import IndexWatch, OpenRequest, describe_corpus, open_corpus
from explorer.gui.palette import CommandPalette
from explorer.gui.query_history import connect_history
from explorer.gui.runner import Runner, close_all
from explorer.gui.screen import DocumentRequest, Screen, label, with_key
from explorer.gui.screen_set import PICTURES, NamedScreens, ScreenSet
from explorer.gui.session import Session
from explorer.gui.settings import Settings
from explorer.gui.settings_dialog import SettingsDialog
from explorer.gui.surfaces import apply_stylesheet, apply_stylesheet_to_parts, keep_icon_size, restyle, when_restyled
from explorer.gui.theme import choose_scheme, choose_text_size, text_size
from explorer.gui.untrusted import caption, plain
from explorer.gui.widgets.job_bar import JobBar
from explorer.i18n import mark, tr
from explorer.jobs import Kind
from explorer.search.language import quoted

if TYPE_CHECKING:
    from explorer.gui.screens.index.screen import IndexScreen
    from explorer.gui.screens.search.screen import SearchScreen

_PRELOAD_MS = 60
_STACK_EMS, _PANEL_EMS = 56, 24
"""Least widths of screens and document, in sizes of the text."""
_STACK_MOST = 760
"""The limit of the screens' minimum width in pixels: with large text the window would not fit on the display."""


class MainWindow(QMainWindow, NamedScreens):
    """Owns the screens and the open corpus, which it passes to them. `new_window_wanted()`, `closing()`."""

    new_window_wanted = Signal()
    closing = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
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
        self.departure = Departure(self)
        self.session = Session(self)
        self.watch = IndexWatch(self)
        for runner in (self.opener, self.watch.runner):
            runner.bug.connect(self.report_bug)
        self.screens = ScreenSet(self._adopt)
        self._preload = QTimer(self, interval=_PRELOAD_MS)
        self._preload.timeout.connect(self._make_another_screen)
        self.panel = DocumentPanel()
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
        self.show_screen("Index")
        if settings.notice:
            self.index.notice.show_text(settings.notice)
        self._preload.start()

    # --- screens that are created when they are needed ------------------------------------------------

    def _make_another_screen(self) -> None:
        """Create the other screens one by one after the window is shown, so that the user waits for none of them."""
        if not self.screens.make_next():
            self._preload.stop()

    def _adopt(self, name: str, screen: Screen) -> None:
        """Add a new screen: its place, its signals, the open index, and the texts of the last session."""
        self.stack.addWidget(screen)
        self._dress_screen(screen)
        self._connect_part(screen)
        connect: dict[str, Callable[[Any], None]] = {
            "Search": self._connect_search,
            "Next token": lambda made: made.search_requested.connect(self._search),
            "Agreement": lambda made: made.search_requested.connect(self._search),
            "Index": self._connect_index,
        }
        if name in connect:
            connect[name](screen)
        if self.corpus is not None:
            screen.set_corpus(self.corpus)
            self.session.restore_screen(name, screen)

    def _connect_part(self, part: Screen) -> None:
        part.document_requested.connect(self.open_document)
        part.answered.connect(self._show_time)
        part.bug.connect(self.report_bug)

    def _connect_search(self, screen: SearchScreen) -> None:
        connect_history(screen, self.settings)
        screen.document_listed.connect(self.panel.show_listed)
        screen.bar.show_keys(self.book.shown_key)

    def _connect_index(self, screen: IndexScreen) -> None:
        screen.open_requested.connect(self.ask_open)
        screen.sample_requested.connect(self.open_sample)
        screen.built.connect(self._open_built)
        screen.pin_toggled.connect(lambda path: self._change_recent(self.settings.toggle_pinned_index, path))
        screen.forgotten.connect(lambda path: self._change_recent(self.settings.forget_index, path))
        screen.path_chosen.connect(lambda path: self.open(OpenRequest((path,))))

    # --- building the window -------------------------------------------------------------------

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
        for name, picture in PICTURES.items():
            action = QAction(icon(picture), tr(name), self, checkable=True)
            action.triggered.connect(lambda _, name=name: self.show_screen(name))
            group.addAction(action)
            rail.addAction(action)
            self.screen_actions[name] = action

    def _make_menus(self) -> None:
        self.recent_menu = QMenu(tr("Open &recent"), self.menuBar())
        self.recent_menu.aboutToShow.connect(self._fill_recent)
        self.book = ActionBook(self, handlers_of(self), self.settings)
        self.book.fill_menus(self, {"recent": self.recent_menu})
        self._name_rail()

    def _name_rail(self) -> None:
        """Show shortcuts in the tool tips of the rail and of the search's buttons."""
        for name, action in self.screen_actions.items():
            action.setToolTip(with_key(tr(name), self.book.shown_key(name)))
        if "Search" in self.screens.made():
            self.search.bar.show_keys(self.book.shown_key)

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
        self._connect_part(self.panel)
        self.panel.closed.connect(self.panel.hide)
        self.panel.trace_requested.connect(self._trace)
        self.watch.changed.connect(self._files_changed)
        self.opener.progressed.connect(self.job.show_progress)
        self.opener.progressed.connect(self.index.sample_job.show_progress)
        self.opener.busy_changed.connect(self._opener_busy)
        self.job.cancelled.connect(self.opener.cancel)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._scheme_changed)

    # --- screens -------------------------------------------------------------------------------

    def show_screen(self, name: str) -> None:
        """Bring a screen to the front."""
        self.stack.setCurrentWidget(self.screens[name])
        self.screen_actions[name].setChecked(True)
        self.screens[name].focus_input()

    def current_screen(self) -> Screen:
        """The visible screen."""
        screen = self.stack.currentWidget()
        assert isinstance(screen, Screen)
        return screen

    def _search(self, text: str) -> None:
        self.show_screen("Search")
        # In quotes it is a phrase, whatever words it contains. Tokens may be parts of words.
        self.search.search_for(quoted(text), Matching("text", whole_words=False))

    def _trace(self, text: str) -> None:
        self.show_screen("Trace")
        self.trace.trace_text(text)

    @Slot(object)
    def open_document(self, request: DocumentRequest) -> None:
        """Show a document in the panel on the right."""
        if not self.panel.isVisible():
            width = self.splitter.width()
            self.panel.show()
            self.splitter.setSizes([int(width * 0.66), int(width * 0.34)])
        self.panel.open(request)

    # --- indexes -------------------------------------------------------------------------------

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
        self.index.show_sample_progress(busy and self.builds_sample)

    def _open_built(self, path: str, left_out: bool) -> None:
        """Open a new index; subtracted documents that it lacks are reported before anything is searched."""
        self.open(OpenRequest((path,)), partial(self.show_screen, "Index") if left_out else None)

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
            self.show_screen("Index")
            self.index.say_no_tokenizer()
        elif self.screens.name_of(self.current_screen()) == "Index":
            self.show_screen("Search")
        if unsubtracted := corpus.index.remark:
            error = QueryError(mark("{remark}"), reason="not-subtracted", remark=unsubtracted)
            self.current_screen().warn(error)

    def _not_opened(self, error: CorpusError) -> None:
        self._show_index()
        self.show_screen("Index")
        self.index.show_error(error)

    def ask_tokenizer(self) -> None:
        """Open the same index again with another tokenizer."""
        if not self.last_request.paths:
            return
        name, _ = QFileDialog.getOpenFileName(self, tr("Tokenizer of this index"), "", tr("Tokenizers (*.json)"))
        if name:
            self.open(replace(self.last_request, tokenizer=name))

    def _show_index(self) -> None:
        if self.corpus is None:
            self.index_label.setText(tr("No index is open"))
            return
        self._described = describe_corpus(self.corpus)
        self.index_label.setText(self._described)
        self.index_label.setToolTip("")

    def _show_recent(self) -> None:
        self.index.show_recent(self.settings.recent_indexes(), self.settings.get("pinned_indexes"))

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
        self.index.show_error(error)

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
        self.show_screen("Index")
        self.index.form.add_sources(paths)

    # --- settings, help, commands ------------------------------------------------------------------

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
        name = self.screens.name_of(self.current_screen())
        dialog = HelpDialog(self, name.lower().replace(" ", "-"))
        dialog.show()
        return dialog

    def toggle_panel(self) -> None:
        """Show or hide the document."""
        self.panel.setVisible(not self.panel.isVisible())

    def show_index_page(self, number: int) -> None:
        """Show the Index screen at one of its pages."""
        self.show_screen("Index")
        self.index.show_page(number)

    # --- session and end -----------------------------------------------------------------------

    @Slot(float)
    def _show_time(self, seconds: float) -> None:
        self.time_label.setText(
            tr("{seconds:,.1f} ms", seconds=1000 * seconds) if seconds < 1 else tr("{seconds:,.2f} s", seconds=seconds)
        )

    @Slot(str)
    def report_bug(self, report: str) -> None:
        """Show an unexpected error once, with a report to copy."""
        self.bugs.report(report)

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
