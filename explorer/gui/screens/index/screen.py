"""Index: what is open, opening another, building one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.screen import Notice, Screen, label, named
from explorer.gui.screens.index.build_form import BuildForm


class IndexScreen(Screen):
    """Signals: `open_requested()`, `path_chosen(str)` of a recent index, `built(str)` of a new one."""

    open_requested = Signal()
    path_chosen = Signal(str)
    sample_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = BuildForm(self.make_runner("build"), self.make_runner("estimate"))
        self.notice = Notice()
        self.title = label("No index is open", "title")
        self.subtitle = label("", "muted")
        self.subtitle.setWordWrap(True)
        self.facts = QFormLayout()
        self.facts.setHorizontalSpacing(18)
        self.open_button = QPushButton("Open an index folder …")
        self.open_button.clicked.connect(self.open_requested)
        self.sample_button = QPushButton("Open the sample index")
        self.sample_button.setToolTip("The Python standard library; it is built once, in less than a minute")
        self.sample_button.clicked.connect(self.sample_requested)
        self.recent = named(QListWidget(), "Recent indexes")
        self.recent.itemActivated.connect(lambda item: self.path_chosen.emit(item.data(Qt.ItemDataRole.UserRole)))
        self.form.built.connect(self.path_chosen)
        self.setAcceptDrops(True)
        self._lay_out()
        self.corpus_changed()

    def _lay_out(self) -> None:
        card = QFrame()
        card.setProperty("role", "card")
        inner = QVBoxLayout(card)
        inner.setContentsMargins(18, 16, 18, 16)
        inner.setSpacing(8)
        inner.addWidget(self.title)
        inner.addWidget(self.subtitle)
        inner.addLayout(self.facts)
        buttons = QHBoxLayout()
        buttons.addWidget(self.open_button)
        buttons.addWidget(self.sample_button)
        buttons.addStretch(1)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(16, 16, 6, 12)
        column.setSpacing(12)
        column.addWidget(self.notice)
        column.addWidget(card)
        column.addLayout(buttons)
        column.addWidget(label("Recent indexes", "heading"))
        column.addWidget(self.recent, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        splitter.addWidget(left)
        splitter.addWidget(self.form)
        splitter.setSizes([520, 480])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def show_recent(self, paths: Sequence[str]) -> None:
        """List indexes that were opened before."""
        self.recent.clear()
        for path in paths:
            item = QListWidgetItem(f"{Path(path).name}\n{path}")
            item.setData(Qt.ItemDataRole.UserRole, path)
            self.recent.addItem(item)

    def show_error(self, error: CorpusError) -> None:
        """Say why an index did not open."""
        self.notice.show_error(error)

    def corpus_changed(self) -> None:
        """Show the figures of what is open."""
        while self.facts.rowCount():
            self.facts.removeRow(0)
        if self.corpus is None:
            self.title.setText("No index is open")
            self.subtitle.setText("Open an infini-gram index folder, build one from your files, or look at the sample.")
            return
        self.notice.show_text("")
        self.title.setText(self.corpus.index.name)
        self.subtitle.setText("\n".join(str(path) for path in self.corpus.index.paths))
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
        self.form.add_sources([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])


def index_facts(corpus: Corpus) -> list[tuple[str, str]]:
    """Name and value of the figures of an index."""
    index = corpus.index
    facts = [
        ("Tokens", f"{corpus.token_count:,}"),
        ("Documents", f"{corpus.document_count:,}"),
        ("Shards", f"{corpus.shard_count:,}"),
        ("Token width", f"{index.token_width} byte{'s' if index.token_width > 1 else ''}"),
        ("Order", "reversed (version 5)" if index.shards[0].reversed_text else "forward"),
    ]
    if index.has_tokenizer:
        tokenizer = index.tokenizer
        facts.append(("Tokenizer", f"{tokenizer.name} ({tokenizer.style}, {tokenizer.vocabulary_size:,} ids)"))
    else:
        facts.append(("Tokenizer", "none: text can be neither searched nor shown"))
    facts.append(("Metadata", ", ".join(corpus.metadata_fields) or "none"))
    manifest = index.manifests[0]
    if manifest is not None:
        facts.append(("Built", f"{manifest.created} in {manifest.seconds:.1f} s"))
        facts += [("Noticed", f"{number:,} {reason}") for reason, number in manifest.skipped.items()]
    return facts
