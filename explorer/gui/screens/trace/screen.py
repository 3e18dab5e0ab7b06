"""Trace: a pasted text, the spans that stand in the corpus, and their documents."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.screen import DocumentRequest, Notice, Screen, label, named
from explorer.gui.screens.trace.documents import CardDelegate, CardModel, make_cards
from explorer.gui.screens.trace.editor import TraceEditor, marks_of
from explorer.gui.screens.trace.legend import Legend
from explorer.gui.screens.trace.settings_bar import SettingsBar
from explorer.gui.widgets.empty_state import EmptyState
from explorer.jobs import CancelToken
from explorer.trace.settings import TraceSettings
from explorer.trace.trace import Trace, trace_text

_DEBOUNCE_MS = 300


@dataclass(frozen=True)
class TraceRequest:
    """A text to trace, as the widgets had it."""

    corpus: Corpus
    text: str
    prompt: str
    settings: TraceSettings


def trace(request: TraceRequest, cancel: CancelToken) -> Trace:
    """Trace off the interface thread."""
    return trace_text(request.corpus.index, request.text, request.prompt, request.settings, cancel)


class TraceScreen(Screen):
    """Editor and cards; a span and a card choose each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tracer = self.make_runner("trace")
        self._trace: Trace | None = None
        self._chosen: int | None = None
        self._debounce = QTimer(self, singleShot=True, interval=_DEBOUNCE_MS)
        self._debounce.timeout.connect(self.run)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._show_nothing()

    def _make_widgets(self) -> None:
        self.prompt = QLineEdit(placeholderText="The prompt that it answers (optional; documents are ranked with it)")
        self.prompt.setAccessibleName("Prompt")
        self.editor = TraceEditor()
        self.settings = SettingsBar()
        self.legend = Legend()
        self.summary = label("", "muted")
        self.summary.setWordWrap(True)
        self.notice = Notice()
        self.heading = label("Documents", "heading")
        self.clear = QPushButton("Clear selection")
        self.clear.setToolTip("Show all spans and all documents again (Esc)")
        self.model = CardModel(self)
        self.cards = named(QListView(), "Documents")
        self.cards.setModel(self.model)
        self.cards.setItemDelegate(CardDelegate(self.cards))
        self.cards.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.cards.setUniformItemSizes(True)
        self.empty = EmptyState("trace")

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(16, 16, 4, 12)
        column.setSpacing(10)
        for part in (self.prompt, self.settings, self.notice):
            column.addWidget(part)
        column.addWidget(self.editor, 1)
        column.addWidget(self.legend)
        column.addWidget(self.summary)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(4, 16, 16, 12)
        column.setSpacing(10)
        header = QHBoxLayout()
        header.addWidget(self.heading, 1)
        header.addWidget(self.clear)
        column.addLayout(header)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.cards)
        column.addWidget(self.stack, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        splitter.addWidget(left)
        splitter.addWidget(right)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setSizes([620, 420])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def _connect(self) -> None:
        self.editor.textChanged.connect(self._debounce.start)
        self.prompt.textChanged.connect(lambda _: self._debounce.start())
        self.settings.changed.connect(self._debounce.start)
        self.editor.mark_clicked.connect(self._choose_mark)
        self.editor.escaped.connect(self.clear_choice)
        self.clear.clicked.connect(self.clear_choice)
        self.cards.selectionModel().currentChanged.connect(self._choose_card)
        self.cards.activated.connect(self._open_card)

    def focus_input(self) -> None:
        """The editor."""
        self.editor.setFocus()

    def trace_text(self, text: str, prompt: str = "") -> None:
        """Put a text in and trace it."""
        self.prompt.setText(prompt)
        self.prompt.setCursorPosition(0)
        self.editor.setPlainText(text)
        self.run()

    def corpus_changed(self) -> None:
        """Trace the same text in the new index."""
        self._show_nothing()
        self.run()

    def theme_changed(self) -> None:
        """Mark again in the new colours."""
        self.legend.update()
        self._mark(None)

    def run(self) -> None:
        """Trace what the editor holds."""
        self._debounce.stop()
        text = self.editor.text()
        if self.corpus is None or not text.strip():
            self._tracer.cancel()
            self._show_nothing()
            return
        try:
            settings = self.settings.settings()
        except CorpusError as error:
            self.notice.show_error(error)
            return
        request = TraceRequest(self.corpus, text, self.prompt.text(), settings)
        self._tracer.run(lambda cancel: trace(request, cancel), self._show, self._fail)

    def _fail(self, error: CorpusError) -> None:
        self._show_nothing()
        self.notice.show_error(error)

    def _show(self, result: Trace) -> None:
        # Typing goes on while a trace runs; its answer to an older text is about to be replaced.
        if result.text != self.editor.text():
            return
        self._trace = result
        self.notice.show_text("")
        self.summary.setText(_summary(result))
        self.clear_choice()

    def _show_nothing(self) -> None:
        self._trace, self._chosen = None, None
        self.editor.clear_marks()
        self.model.show(())
        self.summary.setText("")
        self.notice.show_text("")
        self.heading.setText("Documents")
        self.clear.setVisible(False)
        if self.corpus is None:
            self.empty.say("No index is open", "Open an index folder with Ctrl+O, or build one in the Index screen.")
        else:
            self.empty.say(
                "Nothing traced yet",
                "Paste an answer of a language model at the left. What stands word for word in the corpus is "
                "shaded, and its documents appear here.",
            )
        self.stack.setCurrentWidget(self.empty)

    # --- choosing ------------------------------------------------------------------------------

    def clear_choice(self) -> None:
        """Show all spans and all documents."""
        if self._trace is None:
            return
        self._chosen = None
        self._show_cards(None)
        self._mark(None)
        self.clear.setVisible(False)

    def _mark(self, only: tuple[int, ...] | None) -> None:
        if self._trace is not None and self._trace.text == self.editor.text():
            self.editor.show_marks(marks_of(self._trace, self._chosen, only), self._trace.text)

    def _choose_mark(self, number: int) -> None:
        """A span was clicked: show its documents only; a second click, or one beside it, clears."""
        if self._trace is None:
            return
        if number < 0 or number == self._chosen:
            self.clear_choice()
            return
        self._chosen = number
        spans = self._trace.merged[number].spans
        self._show_cards(max(spans, key=lambda i: len(self._trace.spans[i].documents) if self._trace else 0))
        self._mark(spans)
        self.clear.setVisible(True)

    def _show_cards(self, span: int | None) -> None:
        assert self._trace is not None
        with QSignalBlocker(self.cards.selectionModel()):
            self.model.show(make_cards(self._trace.documents, span))
        number = self.model.rowCount()
        noun = "document" if number == 1 else "documents"
        self.heading.setText(f"{number:,} {noun}" + (" with the selected span" if span is not None else ""))
        if number:
            self.stack.setCurrentWidget(self.cards)
            return
        self.empty.say(*_why_no_documents(self._trace))
        self.stack.setCurrentWidget(self.empty)

    def _choose_card(self, current: QModelIndex, previous: QModelIndex) -> None:
        """A card was chosen: shade only what its document shares with the text."""
        if current.isValid() and self._trace is not None and self._chosen is None:
            self._mark(self.model.card(current.row()).document.spans)
            self.clear.setVisible(True)

    def _open_card(self, index: QModelIndex) -> None:
        """Show the whole document, with every span of this trace marked."""
        if self._trace is None:
            return
        document = self.model.card(index.row()).document
        shown = document.snippets[0]
        spans = [self._trace.spans[number] for number in document.spans]
        patterns = tuple(self._trace.token_ids[span.token_start : span.token_end] for span in spans)
        chosen = self._trace.spans[shown.span]
        length = chosen.token_end - chosen.token_start
        self.document_requested.emit(DocumentRequest(document.number, shown.offset, length, patterns))


def _summary(result: Trace) -> str:
    return (
        f"{len(result.spans)} spans in {result.token_count:,} tokens · "
        f"longest match {result.novelty.longest_match} tokens · "
        f"novelty {result.novelty.index:.0%} (share of tokens outside of matches of L tokens or more, mean of L = 5…11)"
    )


def _why_no_documents(result: Trace) -> tuple[str, str]:
    if not result.spans:
        return (
            "No spans found",
            "No run of words of this text stands in the corpus under these settings. Short texts often have none; "
            "a smaller minimum length or other word boundaries may show more.",
        )
    return "No documents", "The spans were counted, but no documents were looked up: raise “documents a span”."
