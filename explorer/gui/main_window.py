"""The main window: a rail of screens, the document panel, the status bar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QMessageBox,
    QSplitter,
    QStackedWidget,
    QToolBar,
    QWidget,
)

from explorer.api import Corpus, open_index
from explorer.corpus.sample import build_sample, sample_folder, sample_is_built
from explorer.errors import CorpusError
from explorer.gui.icons import icon
from explorer.gui.runner import Runner
from explorer.gui.screen import DocumentRequest, Screen, label
from explorer.gui.screens.agreement.screen import AgreementScreen
from explorer.gui.screens.index.screen import IndexScreen
from explorer.gui.screens.next_token.screen import NextTokenScreen
from explorer.gui.screens.search.screen import SearchScreen
from explorer.gui.screens.trace.screen import TraceScreen
from explorer.gui.settings import Settings
from explorer.gui.theme import SCHEMES, apply_theme, choose_scheme
from explorer.gui.widgets.document_panel import DocumentPanel
from explorer.gui.widgets.job_bar import JobBar
from explorer.jobs import CancelToken, Report
from explorer.search.language import quoted

_SCHEME_NAMES = {"system": "As the system", "light": "Light", "dark": "Dark"}


@dataclass(frozen=True)
class OpenRequest:
    """Index folders to open; `sample` builds the sample index first where it is missing."""

    paths: tuple[str, ...]
    minus: tuple[str, ...] = ()
    tokenizer: str | None = None
    sample: bool = False


def open_corpus(request: OpenRequest, report: Report, cancel: CancelToken) -> Corpus:
    """Open off the interface thread."""
    if request.sample and not sample_is_built():
        build_sample(report, cancel)
    return open_index(request.paths, request.tokenizer, request.minus or None)


class MainWindow(QMainWindow):
    """Owns the screens and the opened corpus, and hands the one to the others."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.corpus: Corpus | None = None
        self._after_opening: Callable[[], None] | None = None
        self._last_request = OpenRequest(())
        self.setWindowTitle("Corpus Explorer")
        self.setAcceptDrops(True)
        self.opener = Runner("open", self)
        self.opener.bug.connect(self.report_bug)
        self.search, self.next_token = SearchScreen(), NextTokenScreen()
        self.trace, self.agreement, self.index = TraceScreen(), AgreementScreen(), IndexScreen()
        self.screens: dict[str, Screen] = {
            "Search": self.search,
            "Next token": self.next_token,
            "Trace": self.trace,
            "Agreement": self.agreement,
            "Index": self.index,
        }
        self.panel = DocumentPanel()
        self._make_centre()
        self._make_rail()
        self._make_menus()
        self._make_status()
        self._connect()
        self.resize(1280, 800)
        if (geometry := settings.geometry()) is not None:
            self.restoreGeometry(geometry)
        self.index.show_recent(settings.recent_indexes())
        self.show_screen("Index")

    # --- building the window -------------------------------------------------------------------

    def _make_centre(self) -> None:
        self.stack = QStackedWidget()
        for screen in self.screens.values():
            self.stack.addWidget(screen)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self.splitter.addWidget(self.stack)
        self.splitter.addWidget(self.panel)
        self.splitter.setStretchFactor(0, 1)
        # The pages' own minimum is that of the widest; with a document beside them they may be narrower.
        self.stack.setMinimumWidth(560)
        self.panel.setMinimumWidth(240)
        self.panel.hide()
        self.setCentralWidget(self.splitter)

    def _make_rail(self) -> None:
        rail = QToolBar("Screens", movable=False, iconSize=QSize(24, 24))
        rail.setObjectName("rail")
        rail.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        rail.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, rail)
        group = QActionGroup(self)
        self.screen_actions: dict[str, QAction] = {}
        pictures = {
            "Search": "search",
            "Next token": "next",
            "Trace": "trace",
            "Agreement": "agreement",
            "Index": "index",
        }
        for number, name in enumerate(self.screens, start=1):
            action = QAction(icon(pictures[name]), name, self, checkable=True)
            action.setShortcut(QKeySequence(f"Ctrl+{number}"))
            action.setToolTip(f"{name} (Ctrl+{number})")
            action.triggered.connect(lambda _, name=name: self.show_screen(name))
            group.addAction(action)
            rail.addAction(action)
            self.screen_actions[name] = action

    def _make_menus(self) -> None:
        file = self.menuBar().addMenu("&File")
        self._action(file, "&Open index …", self.ask_open, QKeySequence.StandardKey.Open)
        self._action(file, "Choose the &tokenizer …", self.ask_tokenizer)
        self._action(file, "Open the &sample index", self.open_sample)
        self.recent_menu = file.addMenu("Open &recent")
        self.recent_menu.aboutToShow.connect(self._fill_recent)
        file.addSeparator()
        self._action(file, "&Quit", self.close, QKeySequence.StandardKey.Quit)
        view = self.menuBar().addMenu("&View")
        for action in self.screen_actions.values():
            view.addAction(action)
        view.addSeparator()
        self._action(view, "Go to the &input", lambda: self.current_screen().focus_input(), "Ctrl+L")
        appearance = view.addMenu("&Appearance")
        schemes = QActionGroup(self)
        for scheme in SCHEMES:
            action = self._action(appearance, _SCHEME_NAMES[scheme], partial(self.set_scheme, scheme))
            action.setCheckable(True)
            action.setChecked(self.settings.scheme() == scheme)
            schemes.addAction(action)

    def _action(self, menu: QWidget, text: str, call: Callable[[], object], key: object = None) -> QAction:
        action = QAction(text, self)
        if key is not None:
            action.setShortcut(QKeySequence(key))  # type: ignore[call-overload]
        action.triggered.connect(lambda _=False: call())
        menu.addAction(action)
        return action

    def _make_status(self) -> None:
        self.index_label = label("No index")
        self.time_label = label("")
        self.job = JobBar()
        self.job.setMaximumWidth(420)
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.addWidget(self.index_label, 1)
        bar.addPermanentWidget(self.job)
        bar.addPermanentWidget(self.time_label)

    def _connect(self) -> None:
        for screen in (*self.screens.values(), self.panel):
            screen.document_requested.connect(self.open_document)
            screen.answered.connect(self._show_time)
            screen.bug.connect(self.report_bug)
        self.search.query_entered.connect(self._remember_query)
        self.search.pin_toggled.connect(self._toggle_pin)
        self.search.bar.show_history(self.settings.queries())
        self.panel.closed.connect(self.panel.hide)
        self.panel.trace_requested.connect(self._trace)
        for screen in (self.agreement, self.next_token):
            screen.search_requested.connect(self._search)
        self.index.open_requested.connect(self.ask_open)
        self.index.sample_requested.connect(self.open_sample)
        self.index.path_chosen.connect(lambda path: self.open(OpenRequest((path,))))
        self.opener.progressed.connect(self.job.show_progress)
        self.opener.busy_changed.connect(self.job.set_busy)
        self.job.cancelled.connect(self.opener.cancel)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._scheme_changed)

    # --- screens -------------------------------------------------------------------------------

    def show_screen(self, name: str) -> None:
        """Bring a screen to the front."""
        self.stack.setCurrentWidget(self.screens[name])
        self.screen_actions[name].setChecked(True)
        self.screens[name].focus_input()

    def current_screen(self) -> Screen:
        """The screen in front."""
        screen = self.stack.currentWidget()
        assert isinstance(screen, Screen)
        return screen

    def _search(self, text: str) -> None:
        self.show_screen("Search")
        # In quotes it is a phrase, whatever words it holds.
        self.search.search_for(quoted(text))

    def _trace(self, text: str) -> None:
        self.show_screen("Trace")
        self.trace.trace_text(text)

    def _remember_query(self, text: str) -> None:
        self.settings.add_query(text)
        self.search.bar.show_history(self.settings.queries())

    def _toggle_pin(self, text: str) -> None:
        self.settings.toggle_pin(text)
        self.search.bar.show_history(self.settings.queries())

    @Slot(object)
    def open_document(self, request: DocumentRequest) -> None:
        """Show a document in the panel at the right."""
        if not self.panel.isVisible():
            width = self.splitter.width()
            self.panel.show()
            self.splitter.setSizes([int(width * 0.66), int(width * 0.34)])
        self.panel.open(request)

    # --- indexes -------------------------------------------------------------------------------

    def ask_open(self) -> None:
        """Let the person choose a folder."""
        path = QFileDialog.getExistingDirectory(self, "Open an index folder")
        if path:
            self.open(OpenRequest((path,)))

    def open_sample(self, then: Callable[[], None] | None = None) -> None:
        """Open the sample index, which is built first where it is missing."""
        self.open(OpenRequest((str(sample_folder()),), sample=True), then)

    def open(self, request: OpenRequest, then: Callable[[], None] | None = None) -> None:
        """Open index folders in the background; `then` is called when they are open."""
        self._last_request, self._after_opening = request, then
        names = ", ".join(Path(path).name for path in request.paths)
        builds = request.sample and not sample_is_built()
        self.index_label.setText("Building the sample index …" if builds else f"Opening {names} …")
        report = self.opener.reporter()
        self.opener.run(lambda cancel: open_corpus(request, report, cancel), self._opened, self._not_opened)

    def _opened(self, corpus: Corpus) -> None:
        self.corpus = corpus
        for path in corpus.index.paths:
            self.settings.add_recent_index(str(path.resolve()))
        self.index.show_recent(self.settings.recent_indexes())
        for screen in (*self.screens.values(), self.panel):
            screen.set_corpus(corpus)
        self._show_index()
        self.setWindowTitle(f"{corpus.index.name} – Corpus Explorer")
        if self._after_opening is not None:
            self._after_opening()
        elif not corpus.index.has_tokenizer:
            self._say_no_tokenizer()
        elif self.current_screen() is self.index:
            self.show_screen("Search")

    def _not_opened(self, error: CorpusError) -> None:
        self._show_index()
        self.show_screen("Index")
        self.index.show_error(error)

    def _say_no_tokenizer(self) -> None:
        self.show_screen("Index")
        self.index.notice.show_text(
            "This index does not say which tokenizer made it, so its text can be neither searched nor shown. "
            "Choose its tokenizer.json with File > Choose the tokenizer."
        )

    def ask_tokenizer(self) -> None:
        """Open the same index again with another tokenizer."""
        if not self._last_request.paths:
            return
        name, _ = QFileDialog.getOpenFileName(self, "Tokenizer of this index", "", "Tokenizers (*.json)")
        if name:
            self.open(replace(self._last_request, tokenizer=name))

    def _show_index(self) -> None:
        if self.corpus is None:
            self.index_label.setText("No index is open")
            return
        corpus = self.corpus
        tokenizer = corpus.index.tokenizer.name if corpus.index.has_tokenizer else "no tokenizer"
        self.index_label.setText(
            f"{corpus.index.name}  ·  {corpus.token_count:,} tokens  ·  "
            f"{corpus.document_count:,} documents  ·  {tokenizer}"
        )

    def _fill_recent(self) -> None:
        self.recent_menu.clear()
        for path in self.settings.recent_indexes():
            self._action(self.recent_menu, path, partial(self.open, OpenRequest((path,))))
        self.recent_menu.setEnabled(True)
        if self.recent_menu.isEmpty():
            self._action(self.recent_menu, "None yet", lambda: None).setEnabled(False)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """An index folder may be dropped anywhere."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a dropped index; anything else becomes a source of a build."""
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if (
            paths
            and all(any(Path(path).glob("tokenized*")) for path in paths if Path(path).is_dir())
            and Path(paths[0]).is_dir()
        ):
            self.open(OpenRequest(tuple(paths)))
            return
        self.show_screen("Index")
        self.index.form.add_sources(paths)

    # --- the rest ------------------------------------------------------------------------------

    def set_scheme(self, scheme: str) -> None:
        """Light, dark, or as the system."""
        self.settings.set_scheme(scheme)
        choose_scheme(scheme)
        self._scheme_changed()

    def _scheme_changed(self) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        apply_theme(application)
        for screen in (*self.screens.values(), self.panel):
            screen.theme_changed()

    @Slot(float)
    def _show_time(self, seconds: float) -> None:
        self.time_label.setText(f"{1000 * seconds:,.1f} ms" if seconds < 1 else f"{seconds:,.2f} s")

    @Slot(str)
    def report_bug(self, report: str) -> None:
        """An unexpected error: say so once, with a report to copy."""
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Critical)
        box.setWindowTitle("Unexpected error")
        box.setText("Something went wrong inside the program. Your files were not changed.")
        box.setInformativeText("The details below help to mend it; they were not sent anywhere.")
        box.setDetailedText(report)
        box.open()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the window's place and end all jobs."""
        self.settings.set_geometry(self.saveGeometry())
        self.opener.close()
        for screen in (*self.screens.values(), self.panel):
            screen.close_jobs()
        super().closeEvent(event)
