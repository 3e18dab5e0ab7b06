"""The widgets of the Index screen: they draw the presenter's state and hand on what a person does."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QMessageBox,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Corpus
from explorer.building.paused import PausedBuild
from explorer.errors import CorpusError
from explorer.gui.dialog import message_box
from explorer.gui.indexes import IndexState
from explorer.gui.locale import local_time
from explorer.gui.requests import (
    BuildFrom,
    ChooseIndex,
    ForgetIndex,
    IndexNotice,
    IndexProblem,
    NoTokenizer,
    OpenSample,
    PinIndex,
    Request,
    ShowIndexPage,
)
from explorer.gui.screen import Host, Notice, Screen, label, named, tab_group
from explorer.gui.screens.index.build_form import BuildForm
from explorer.gui.screens.index.facts import index_facts
from explorer.gui.screens.index.left_out import LeftOutDialog, left_out_title
from explorer.gui.screens.index.offers import PausedOffers
from explorer.gui.screens.index.presenter import IndexScreenPresenter
from explorer.gui.screens.index.state import IndexScreenState, Page, describe_paused
from explorer.gui.screens.index.verify_view import VerifyView
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.scroll_areas import TallArea
from explorer.i18n import tr

_PIN = "★ "


class IndexScreen(Screen):
    """The open index, recent ones, the form for builds, and the check."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = IndexScreenPresenter(self.lanes, self.requested.emit)
        self.form = BuildForm(self.presenter.build)
        self.verify = VerifyView(self.presenter.check)
        self.question: QMessageBox | None = None
        self.left_out_dialog: LeftOutDialog | None = None
        self._make_widgets()
        self._lay_out()
        self._connect()
        # What is dropped here is a source of a build; the window takes what is dropped elsewhere.
        self.setAcceptDrops(True)
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)
        # Builds of an earlier run of the program.
        self.presenter.find_paused()

    def _make_widgets(self) -> None:
        self.offers = PausedOffers()
        self.sample_job = JobBar()
        self.left_out = QPushButton()
        self.pages = tab_group(self, (tr("Build"), tr("Check")))
        self.notice = Notice()
        self.unchecked = QPushButton(tr("Open without the check"))
        self.unchecked.setToolTip(tr("The text will be unreadable if the tokenizer is the wrong one"))
        self.title = label("", "title")
        self.subtitle = label("", "muted")
        self.subtitle.setWordWrap(True)
        self.facts = QFormLayout()
        self.facts.setHorizontalSpacing(18)
        self.open_button = QPushButton(tr("Open an index folder …"))
        self.sample_button = QPushButton(tr("Open the sample index"))
        self.sample_button.setToolTip(tr("The Python standard library, built once in less than a minute"))
        self.recent = named(QListWidget(), tr("Recent indexes"))
        self.recent.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def _connect(self) -> None:
        presenter = self.presenter
        self.offers.resume_requested.connect(presenter.resume)
        self.offers.discard_requested.connect(self._ask_discard)
        self.left_out.clicked.connect(lambda _=False: presenter.list_left_out())
        self.unchecked.clicked.connect(lambda _=False: presenter.open_unchecked())
        self.open_button.clicked.connect(lambda _=False: self.requested.emit(ChooseIndex()))
        self.sample_button.clicked.connect(lambda _=False: self.requested.emit(OpenSample()))
        self.recent.itemActivated.connect(lambda item: presenter.open(item.data(Qt.ItemDataRole.UserRole)))
        self.recent.customContextMenuRequested.connect(self._show_recent_menu)
        self.pages.idClicked.connect(self.show_page)

    def _lay_out(self) -> None:
        card = QFrame()
        card.setProperty("role", "card")
        inner = QVBoxLayout(card)
        inner.setContentsMargins(18, 16, 18, 16)
        inner.setSpacing(8)
        inner.addWidget(self.title)
        inner.addWidget(self.subtitle)
        inner.addLayout(self.facts)
        inner.addWidget(self.sample_job)
        inner.addWidget(flowing(self.left_out))
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(16, 16, 6, 12)
        column.setSpacing(12)
        column.addWidget(self.notice)
        column.addWidget(flowing(self.unchecked))
        column.addWidget(self.offers)
        column.addWidget(card)
        column.addWidget(flowing(self.open_button, self.sample_button))
        column.addWidget(label(tr("Recent indexes"), "heading"))
        column.addWidget(self.recent, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setContentsMargins(6, 0, 16, 0)
        for button in self.pages.buttons():
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        self.stack = QStackedWidget()
        self.stack.addWidget(TallArea(self.form))
        self.stack.addWidget(self.verify)
        column.addWidget(self.stack, 1)
        splitter.addWidget(TallArea(left))
        splitter.addWidget(right)
        splitter.setSizes([520, 480])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def use_host(self, host: Host) -> None:
        """Show which indexes were open before, and the progress of building the sample."""
        host.indexes.changed.connect(lambda state, _: self.presenter.use_indexes(state))
        host.indexes.progressed.connect(self.sample_job.show_progress)
        self.presenter.use_indexes(host.indexes.state)

    def take(self, request: Request) -> None:
        """Show a page, take sources of a build, or state what happened to an index or the settings."""
        match request:
            case ShowIndexPage(number):
                self.show_page(number)
            case BuildFrom(paths):
                self.presenter.build.add_sources(paths)
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

    def show_page(self, number: int) -> None:
        """The build assistant, or the verification."""
        self.presenter.show_page(Page(number))

    def warn(self, error: CorpusError) -> None:
        """Report something about the open index."""
        self.presenter.fail(error)

    def _ask_discard(self, build: PausedBuild) -> None:
        """Ask again, since the finished part will be deleted."""
        box = message_box(self, tr("Discard the build"), tr("Discard the build of {name}?", name=build.name))
        box.setInformativeText(describe_paused(build))
        keep = box.addButton(tr("Keep"), QMessageBox.ButtonRole.RejectRole)
        discard = box.addButton(tr("Discard"), QMessageBox.ButtonRole.DestructiveRole)
        discard.clicked.connect(lambda: self.presenter.discard(build))
        # Enter and Esc both keep the build.
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        self.question = box
        box.open()

    def _show_recent_menu(self, place: QPoint) -> None:
        item = self.recent.itemAt(place)
        if item is None:
            return
        path = item.data(Qt.ItemDataRole.UserRole)
        # A menu is made for each click.
        menu = QMenu(self.recent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Open"), partial(self.presenter.open, path))
        pinned = path in self.presenter.state.indexes.pinned
        menu.addAction(tr("Unpin") if pinned else tr("Pin"), lambda: self.requested.emit(PinIndex(path)))
        menu.addAction(tr("Remove from list"), lambda: self.requested.emit(ForgetIndex(path)))
        menu.popup(self.recent.viewport().mapToGlobal(place))

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: IndexScreenState, before: IndexScreenState | None) -> None:
        self.notice.show_text(state.notice)
        self.unchecked.setVisible(state.unchecked is not None)
        self.title.setText(state.title)
        self.subtitle.setText(state.subtitle)
        self.pages.button(state.page).setChecked(True)
        self.stack.setCurrentIndex(state.page)
        if before is None or state.paused != before.paused:
            self.offers.show_builds(state.paused)
        if before is None or state.corpus is not before.corpus:
            self._draw_facts(state)
        # Not at every step of opening: the chosen row would be lost.
        if before is None or _listed(state.indexes) != _listed(before.indexes):
            self._draw_recent(state.indexes)
        if before is not None and state.builds_sample != before.builds_sample:
            self.sample_job.set_busy(state.builds_sample)
        # A dialog per answer: asking again reads the list again.
        problems = state.left_out.current
        if problems is not None and (before is None or state.left_out is not before.left_out):
            self.left_out_dialog = LeftOutDialog(self, state.counts, problems)
            self.left_out_dialog.open()

    def _draw_facts(self, state: IndexScreenState) -> None:
        # A form cannot be cleared; `removeRow` deletes the labels as well.
        while self.facts.rowCount():
            self.facts.removeRow(0)
        for name, value in index_facts(state.corpus, local_time) if state.corpus is not None else ():
            shown = label(value)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            shown.setWordWrap(True)
            self.facts.addRow(label(name, "muted"), shown)
        self.left_out.setText(tr("{title} …", title=left_out_title(sum(state.counts.values()))))
        self.left_out.setVisible(bool(state.counts))

    def _draw_recent(self, indexes: IndexState) -> None:
        self.recent.clear()
        for path in indexes.recent:
            mark = _PIN if path in indexes.pinned else ""
            item = QListWidgetItem(f"{mark}{Path(path).name}\n{path}")
            # The path by itself: the text of an item has a sign and a name as well.
            item.setData(Qt.ItemDataRole.UserRole, path)
            self.recent.addItem(item)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and folders may be dropped to build from them."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take dropped files as sources of a build."""
        urls = event.mimeData().urls()
        self.presenter.build.add_sources([url.toLocalFile() for url in urls if url.isLocalFile()])


def _listed(indexes: IndexState) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the list of recent indexes shows."""
    return tuple(indexes.recent), tuple(indexes.pinned)
