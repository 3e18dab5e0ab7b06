"""Index: shows the open index, opens another one, and builds new ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
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
from explorer.building.paused import PausedBuild, discard_build, paused_builds
from explorer.building.readers import Problem
from explorer.building.source import noticed_lines
from explorer.errors import CorpusError
from explorer.gui.closing import RunningBuild
from explorer.gui.dialog import message_box
from explorer.gui.hints import offers
from explorer.gui.indexes import IndexState
from explorer.gui.locale import local_time
from explorer.gui.requests import (
    BuildFrom,
    ChooseIndex,
    ForgetIndex,
    IndexNotice,
    IndexProblem,
    NoTokenizer,
    OpenBuilt,
    OpenRequest,
    OpenSample,
    PinIndex,
    Request,
    ShowIndexPage,
)
from explorer.gui.screen import Host, Notice, Screen, label, named, tab_group
from explorer.gui.screens.index.build_form import BuildForm
from explorer.gui.screens.index.build_presenter import BuildPresenter
from explorer.gui.screens.index.check_presenter import CheckPresenter
from explorer.gui.screens.index.left_out import LeftOutDialog, left_out_title, read_report
from explorer.gui.screens.index.offers import PausedOffers, describe_paused
from explorer.gui.screens.index.verify_view import VerifyView
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.scroll_areas import TallArea
from explorer.i18n import counted, numeral, tr
from explorer.index.manifest import Manifest
from explorer.jobs import CancelToken

_PIN = "★ "


class IndexScreen(Screen):
    """The open index, recent ones, the form for builds, and the check."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = BuildForm(BuildPresenter(self, self._open_built, self.find_paused))
        self.verify = VerifyView(CheckPresenter(self))
        # A slot of its own: reading the report must not end a check.
        self._reader = self.make_runner("left out", timed=False)
        self._finder = self.make_runner("paused builds")
        self.offers = PausedOffers()
        self.offers.resume_requested.connect(self.resume)
        self.offers.discard_requested.connect(self.ask_discard)
        self.sample_job = JobBar()
        self.left_out = QPushButton()
        self.left_out.clicked.connect(lambda _=False: self._read_left_out())
        self.left_out.hide()
        self.pages = tab_group(self, (tr("Build"), tr("Check")))
        self.notice = Notice()
        self._refused: OpenRequest | None = None
        self.unchecked = QPushButton(tr("Open without the check"))
        self.unchecked.setToolTip(tr("The text will be unreadable if the tokenizer is the wrong one"))
        self.unchecked.clicked.connect(lambda _=False: self._open_unchecked())
        self.unchecked.hide()
        self.title = label(tr("No index is open"), "title")
        self.subtitle = label("", "muted")
        self.subtitle.setWordWrap(True)
        self.facts = QFormLayout()
        self.facts.setHorizontalSpacing(18)
        self.open_button = QPushButton(tr("Open an index folder …"))
        self.open_button.clicked.connect(lambda _=False: self.requested.emit(ChooseIndex()))
        self.sample_button = QPushButton(tr("Open the sample index"))
        self.sample_button.setToolTip(tr("The Python standard library, built once in less than a minute"))
        self.sample_button.clicked.connect(lambda _=False: self.requested.emit(OpenSample()))
        self.recent = named(QListWidget(), tr("Recent indexes"))
        self.recent.itemActivated.connect(lambda item: self._open(item.data(Qt.ItemDataRole.UserRole)))
        self.recent.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.recent.customContextMenuRequested.connect(self._show_recent_menu)
        self.pages.idClicked.connect(self.show_page)
        # What is dropped here is a source of a build; the window takes what is dropped elsewhere.
        self.setAcceptDrops(True)
        self._lay_out()
        self.corpus_changed()
        self.find_paused()

    def use_host(self, host: Host) -> None:
        """Show which indexes were open before, and the progress of building the sample."""
        host.indexes.changed.connect(self._draw_indexes)
        host.indexes.progressed.connect(self.sample_job.show_progress)
        self._draw_indexes(host.indexes.state)

    def _draw_indexes(self, state: IndexState, before: IndexState | None = None) -> None:
        if before is None or (state.recent, state.pinned) != (before.recent, before.pinned):
            self.show_recent(state.recent, state.pinned)
        if before is not None and state.opening != before.opening:
            self.show_sample_progress(state.builds_sample)
        if state.changed is not None and (before is None or state.changed is not before.changed):
            self.show_error(state.changed)

    def take(self, request: Request) -> None:
        """Show a page, take sources of a build, or state what happened to an index or the settings."""
        match request:
            case ShowIndexPage(number):
                self.show_page(number)
            case BuildFrom(paths):
                self.form.presenter.add_sources(paths)
            case IndexProblem(error, refused):
                self.show_error(error, refused)
            case IndexNotice(text):
                self._show_text(text)
            case NoTokenizer():
                self.say_no_tokenizer()
            case _:
                super().take(request)

    def builds(self) -> Sequence[RunningBuild]:
        """The build of the form, while it runs."""
        target = self.form.presenter.state.target
        return () if target is None else (RunningBuild(self.runner("build"), target, target.name, self.form.job),)

    def _open_built(self, folder: Path, left_out: bool) -> None:
        self.requested.emit(OpenBuilt(str(folder), left_out))

    def _open(self, path: str) -> None:
        self.requested.emit(OpenRequest((path,)))

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Show another index. A running build continues: it is independent of the open index."""
        self.corpus = corpus
        self._reader.cancel()
        self.corpus_changed()

    def find_paused(self) -> None:
        """Look for builds that can be resumed, and offer them."""
        self._finder.run(lambda _: paused_builds(), self.offers.show_builds)

    def resume(self, build: PausedBuild) -> None:
        """Resume a paused build."""
        # No longer offered, or a second click would start it again.
        self.offers.show_builds([other for other in self.offers.builds if other is not build])
        if build.sample:
            self.requested.emit(OpenSample())
        else:
            self.show_page(0)
            self.form.presenter.show_request(build.request)
            self.form.presenter.start_request(build.request)

    def ask_discard(self, build: PausedBuild) -> None:
        """Ask again, since the finished part will be deleted."""
        box = message_box(self, tr("Discard the build"), tr("Discard the build of {name}?", name=build.name))
        box.setInformativeText(describe_paused(build))
        keep = box.addButton(tr("Keep"), QMessageBox.ButtonRole.RejectRole)
        box.addButton(tr("Discard"), QMessageBox.ButtonRole.DestructiveRole).clicked.connect(
            lambda: self._discard(build)
        )
        # Enter and Esc both keep the build.
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        self.question = box
        box.open()

    def _discard(self, build: PausedBuild) -> None:
        def work(_: CancelToken) -> tuple[PausedBuild, ...]:
            # One request for both: the list is read when the folder is gone.
            discard_build(build.request.out)
            return paused_builds()

        self._finder.run(work, self.offers.show_builds)

    def show_sample_progress(self, busy: bool) -> None:
        """Show in the card whether the sample is being built."""
        self.sample_job.set_busy(busy)
        if busy:
            self.title.setText(tr("Building the sample index …"))
            self.subtitle.setText(tr("It is built once from the Python standard library, then opened."))
        elif self.corpus is None:
            self.corpus_changed()
        if not busy:
            self.find_paused()

    def _read_left_out(self) -> None:
        """List what the build of the open index left out."""
        manifest = _manifest(self.corpus)
        if self.corpus is None or manifest is None:
            return
        folder = self.corpus.folders[0]
        self._reader.run(
            lambda _: read_report(folder), lambda found: self._list_left_out(manifest.skipped, found), self.show_error
        )

    def _list_left_out(self, counts: Mapping[str, int], problems: Sequence[Problem]) -> None:
        self.left_out_dialog = LeftOutDialog(self, counts, problems)
        self.left_out_dialog.open()

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

    def show_page(self, number: int) -> None:
        """The build assistant, or the verification."""
        self.pages.button(number).setChecked(True)
        self.stack.setCurrentIndex(number)

    def _show_recent_menu(self, place: QPoint) -> None:
        item = self.recent.itemAt(place)
        if item is None:
            return
        path = item.data(Qt.ItemDataRole.UserRole)
        menu = QMenu(self.recent)
        # A menu is made for each click.
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Open"), lambda: self._open(path))
        pinned = item.text().startswith(_PIN)
        menu.addAction(tr("Unpin") if pinned else tr("Pin"), lambda: self.requested.emit(PinIndex(path)))
        menu.addAction(tr("Remove from list"), lambda: self.requested.emit(ForgetIndex(path)))
        menu.popup(self.recent.viewport().mapToGlobal(place))

    def show_recent(self, paths: Sequence[str], pinned: Collection[str] = ()) -> None:
        """List indexes that were opened before.

        Parameters
        ----------
        paths
            Their folders, latest first.
        pinned
            Those that are pinned; they get a sign.
        """
        self.recent.clear()
        for path in paths:
            mark = _PIN if path in pinned else ""
            item = QListWidgetItem(f"{mark}{Path(path).name}\n{path}")
            # The path by itself: the text of an item has a sign and a name as well.
            item.setData(Qt.ItemDataRole.UserRole, path)
            self.recent.addItem(item)

    def say_no_tokenizer(self) -> None:
        """What is missing, and where to give it."""
        self._show_text(
            tr(
                "This index does not record its tokenizer, so its text cannot be searched or shown. Choose its "
                "tokenizer.json with File > Choose the tokenizer."
            )
        )

    def show_error(self, error: CorpusError, refused: OpenRequest | None = None) -> None:
        """Show an error.

        Parameters
        ----------
        error
            The error.
        refused
            What was to be opened, if that is what failed.
        """
        self.notice.show_error(error)
        self._refused = refused
        self.unchecked.setVisible(refused is not None and "check_fit" in offers(error))

    def _show_text(self, text: str) -> None:
        """Show a sentence in the place of an error and its button."""
        self.notice.show_text(text)
        self.unchecked.hide()

    def _open_unchecked(self) -> None:
        # What was refused, not what is chosen by now: another index may be opening.
        if self._refused is not None:
            self.requested.emit(replace(self._refused, check_fit=False))

    def corpus_changed(self) -> None:
        """Show the figures of what is open."""
        self.verify.presenter.use_corpus(self.corpus)
        # A form cannot be cleared; `removeRow` deletes the labels as well.
        while self.facts.rowCount():
            self.facts.removeRow(0)
        manifest = _manifest(self.corpus)
        skipped = sum(manifest.skipped.values()) if manifest else 0
        self.left_out.setText(tr("{title} …", title=left_out_title(skipped)))
        self.left_out.setVisible(skipped > 0)
        if self.corpus is None:
            self.title.setText(tr("No index is open"))
            self.subtitle.setText(tr("Open an infini-gram index folder, build one from your files, or try the sample."))
            return
        self._show_text("")
        self.title.setText(self.corpus.index.name)
        self.subtitle.setText("\n".join(self.corpus.index.sources))
        for name, value in index_facts(self.corpus):
            shown = label(value)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            shown.setWordWrap(True)
            self.facts.addRow(label(name, "muted"), shown)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and folders may be dropped to build from them."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take dropped files as sources of a build."""
        self.form.presenter.add_sources([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])


def _manifest(corpus: Corpus | None) -> Manifest | None:
    """What the first folder of an index states about its build."""
    local = corpus.index.local if corpus is not None else None
    return local.manifests[0] if local is not None else None


def index_facts(corpus: Corpus) -> list[tuple[str, str]]:
    """Names and values of the facts of an index."""
    index, local = corpus.index, corpus.index.local
    facts = [(tr("Tokens"), numeral(corpus.token_count)), (tr("Documents"), numeral(corpus.document_count))]
    if local is not None:
        facts += [
            (tr("Shards"), numeral(len(local.parts))),
            (tr("Token width"), counted("byte", local.token_width)),
            (tr("Order"), tr("reversed (version 5)") if local.parts[0].backwards else tr("forward")),
        ]
    if index.has_tokenizer:
        tokenizer = index.tokenizer
        facts.append(
            (
                tr("Tokenizer"),
                tr(
                    "{name} ({style}, {vocabulary_size:,} ids)",
                    name=tokenizer.name,
                    style=tokenizer.style,
                    vocabulary_size=tokenizer.vocabulary_size,
                ),
            )
        )
    else:
        facts.append((tr("Tokenizer"), tr("none: text cannot be searched or shown")))
    if local is not None and local.to_subtract:
        taken = local.to_subtract - local.not_found
        facts.append((tr("Subtracted"), f"{counted('document', taken)}. {index.remark}".removesuffix(". ")))
    facts.append((tr("Metadata"), ", ".join(corpus.metadata_fields) or tr("none")))
    if (manifest := _manifest(corpus)) is not None:
        facts.append(
            (
                tr("Built"),
                tr("{created} in {seconds:.1f} s", created=local_time(manifest.created), seconds=manifest.seconds),
            )
        )
        if lines := noticed_lines(manifest.skipped, manifest.noticed, most=3):
            facts.append((tr("Left out or changed"), "\n".join(lines)))
    return facts
