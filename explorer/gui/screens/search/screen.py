"""Search: a query, how often it occurs, and every occurrence in its context."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Corpus
from explorer.corpus.document import document_title
from explorer.errors import CorpusError
from explorer.gui.screen import DocumentRequest, Notice, Screen, label, named
from explorer.gui.screens.search.model import MAX_ROWS, PAGE, KwicModel, PageRequest, Row
from explorer.gui.screens.search.table import KwicTable
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.token_chips import TokenChips
from explorer.jobs import CancelToken
from explorer.search.concordance import Concordance, concordance
from explorer.search.query import PhraseResult, find_phrase

_DEBOUNCE_MS = 120
_MAX_FOR_DOCUMENTS = 500_000
_SORTS = (("Right context", "right"), ("Left context", "left"), ("Document", "document"), ("Random", "random"))


@dataclass(frozen=True)
class SearchRequest:
    """What the screen asks for: taken from the widgets before the work begins."""

    corpus: Corpus
    query: str
    variants: tuple[str, ...]
    sort: str
    width: int


@dataclass(frozen=True)
class SearchAnswer:
    """Counts, lines and the first page; `documents` is None where counting them would take long."""

    request: SearchRequest
    phrase: PhraseResult
    lines: Concordance
    documents: int | None
    first_rows: tuple[Row, ...]


def search(request: SearchRequest, cancel: CancelToken) -> SearchAnswer:
    """The whole answer to a query, off the interface thread."""
    index = request.corpus.index
    phrase = find_phrase(index, request.query, request.variants)
    lines = concordance(index, phrase.parts, request.sort, cancel=cancel)
    first = fetch_rows(PageRequest(lines, 0, min(PAGE, len(lines)), request.width))
    return SearchAnswer(request, phrase, lines, _distinct_documents(lines), first)


def _distinct_documents(lines: Concordance) -> int | None:
    if len(lines) > _MAX_FOR_DOCUMENTS:
        return None
    return len(np.unique(lines.locate(0, len(lines)).documents))


def fetch_rows(request: PageRequest) -> tuple[Row, ...]:
    """Some rows with their documents' names."""
    lines = request.concordance.lines(request.first, request.last, request.width)
    return tuple(Row(line, document_title(request.concordance.metadata(line), line.document)) for line in lines)


class SearchScreen(Screen):
    """Query, counts and concordance."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._searcher = self.make_runner("search")
        self._fetcher = self.make_runner("lines")
        self._answer: SearchAnswer | None = None
        self._debounce = QTimer(self, singleShot=True, interval=_DEBOUNCE_MS)
        self._debounce.timeout.connect(self.run)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._show_empty()

    def _make_widgets(self) -> None:
        self.query = QLineEdit(placeholderText="A word, a phrase, a line of code …", clearButtonEnabled=True)
        self.query.setProperty("role", "query")
        self.query.setAccessibleName("Query")
        self.search_button = QPushButton("Search")
        self.search_button.setProperty("role", "primary")
        self.space = QCheckBox("leading space")
        self.space.setChecked(True)
        self.space.setToolTip(
            "Also count the query with a space before it, which is another token in most vocabularies"
        )
        self.case = QCheckBox("any case")
        self.case.setToolTip("Also count it in lower case, UPPER CASE and Title Case")
        self.chips = TokenChips()
        self.count = label("", "figure")
        self.details = label("", "muted")
        self.details.setWordWrap(True)
        self.notice = Notice()
        self.sort = named(QComboBox(), "Sort by")
        for text, name in _SORTS:
            self.sort.addItem(text, name)
        self.width_box = named(QSpinBox(minimum=1, maximum=200, value=14, suffix=" tokens"), "Context on each side")
        self.model = KwicModel(self)
        self.model.width = self.width_box.value()
        self.table = KwicTable(self.model)
        self.empty = EmptyState("search")

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.query, 1)
        top.addWidget(self.search_button)
        lens = QHBoxLayout()
        lens.setSpacing(14)
        lens.addWidget(self.space)
        lens.addWidget(self.case)
        lens.addWidget(self.chips, 1)
        figures = QHBoxLayout()
        figures.setSpacing(12)
        figures.addWidget(self.count)
        figures.addWidget(self.details, 1)
        for text, widget in (("Sort by", self.sort), ("Context", self.width_box)):
            figures.addWidget(label(text, "muted"))
            figures.addWidget(widget)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.setSpacing(10)
        for part in (top, lens, figures):
            layout.addLayout(part)
        layout.addWidget(self.notice)
        layout.addWidget(self.stack, 1)

    def _connect(self) -> None:
        self.query.textChanged.connect(lambda _: self._debounce.start())
        self.query.returnPressed.connect(self.run)
        self.search_button.clicked.connect(self.run)
        for box in (self.space, self.case):
            box.toggled.connect(self.run)
        self.sort.currentIndexChanged.connect(self.run)
        self.width_box.valueChanged.connect(self._change_width)
        self.model.wanted.connect(self._fetch)
        self.table.opened.connect(self.open_row)
        for key, step in ((QKeySequence.StandardKey.FindNext, 1), (QKeySequence.StandardKey.FindPrevious, -1)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.activated.connect(lambda step=step: self.step(step))

    # --- asking --------------------------------------------------------------------------------

    def focus_input(self) -> None:
        """The query, ready to be typed over."""
        self.query.setFocus()
        self.query.selectAll()

    def search_for(self, text: str) -> None:
        """Put a query in and run it."""
        self.query.setText(text)
        self.run()

    def corpus_changed(self) -> None:
        """Ask the same of the new index."""
        self._show_empty()
        self.run()

    def run(self) -> None:
        """Ask for what the widgets say."""
        self._debounce.stop()
        if self.corpus is None or not self.query.text().strip():
            self._searcher.cancel()
            self._show_empty()
            return
        variants = (("space",) if self.space.isChecked() else ()) + (
            ("lower", "upper", "title") if self.case.isChecked() else ()
        )
        request = SearchRequest(
            self.corpus, self.query.text(), variants, self.sort.currentData(), self.width_box.value()
        )
        self._searcher.run(lambda cancel: search(request, cancel), self._show, self._fail)

    def _fetch(self, request: PageRequest) -> None:
        self._fetcher.run(
            lambda cancel: fetch_rows(request), lambda rows: self.model.receive(request, rows), self._fail
        )

    def _change_width(self, width: int) -> None:
        self.model.set_width(width)

    # --- showing -------------------------------------------------------------------------------

    def _show(self, answer: SearchAnswer) -> None:
        self._answer = answer
        self.notice.show_text("")
        first = answer.phrase.variants[0] if answer.phrase.variants else None
        self.chips.show_tokens(first.tokens if first else ())
        self.count.setText(f"{answer.phrase.count:,}")
        self.details.setText(_describe(answer))
        self.model.show(answer.lines, answer.first_rows)
        if len(answer.lines):
            self.stack.setCurrentWidget(self.table)
        else:
            self.empty.say("Nothing found", _why_nothing(answer))
            self.stack.setCurrentWidget(self.empty)

    def _fail(self, error: CorpusError) -> None:
        self.notice.show_error(error)

    def _show_empty(self) -> None:
        self._answer = None
        self.model.show(None)
        self.count.setText("")
        self.details.setText("")
        self.chips.show_tokens(())
        self.notice.show_text("")
        if self.corpus is None:
            self.empty.say("No index is open", "Open an index folder with Ctrl+O, or build one in the Index screen.")
        else:
            self.empty.say(
                f"Search {self.corpus.index.name}",
                "Counts and contexts appear while you type. Enter on a line opens its document; F3 goes to the next.",
            )
        self.stack.setCurrentWidget(self.empty)

    # --- going to documents --------------------------------------------------------------------

    def open_row(self, number: int) -> None:
        """Show the document behind a line."""
        row = self.model.row(number)
        if row is not None and self._answer is not None:
            patterns = tuple(part.ids for part in self._answer.phrase.parts)
            self.document_requested.emit(DocumentRequest(row.line.document, row.line.offset, row.line.length, patterns))

    def step(self, by: int) -> None:
        """Go to the next or previous line, and show its document."""
        if not self.model.rowCount():
            return
        current = self.table.currentIndex().row()
        number = min(max(0, current + by), self.model.rowCount() - 1)
        self.table.selectRow(number)
        self.table.fetch_visible()
        self.open_row(number)


def _describe(answer: SearchAnswer) -> str:
    parts = [f"{answer.phrase.per_million:,.2f} per million tokens"]
    if answer.documents is not None:
        parts.insert(0, f"in {answer.documents:,} document{'' if answer.documents == 1 else 's'}")
    if len(answer.phrase.variants) > 1:
        shown = [f"“{v.text}” {v.matches.count:,}" for v in answer.phrase.variants[:4]]
        parts.append(", ".join(shown) + (" …" if len(answer.phrase.variants) > 4 else ""))
    if len(answer.lines) > MAX_ROWS:
        parts.append(f"the first {MAX_ROWS:,} are listed")
    return " · ".join(parts)


def _why_nothing(answer: SearchAnswer) -> str:
    unseen = [token.text for v in answer.phrase.variants[:1] for token in v.tokens if token.count == 0]
    if unseen:
        return f"The token {unseen[0]} does not occur in this index at all."
    return "Its tokens occur, but never in this order. Try fewer words, or “any case”."
