"""Trace: a pasted text, the spans that occur in the corpus, and their documents."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.errors import CorpusError
from explorer.export.registry import REPORTS
from explorer.gui.figures.button import FigureButton, Make
from explorer.gui.requests import DocumentRequest, Request, TraceText
from explorer.gui.save_dialog import ask_where
from explorer.gui.screen import Notice, Screen, label, named, offer, tab_group
from explorer.gui.screens.trace.batch_presenter import BatchPresenter
from explorer.gui.screens.trace.batch_view import BatchView
from explorer.gui.screens.trace.choice import Choice, chosen_spans, heading, listed, marks_of, request_of
from explorer.gui.screens.trace.describe import (
    conversation_text,
    held_by_one,
    not_found_text,
    nothing_traced,
    parts_text,
    scale_hint,
    selection_text,
    self_match_text,
    summary,
    why_no_documents,
)
from explorer.gui.screens.trace.documents import CardDelegate, CardModel, make_cards, shown_snippet
from explorer.gui.screens.trace.editor import MOST_CHARACTERS, TraceEditor
from explorer.gui.screens.trace.legend import Legend
from explorer.gui.screens.trace.novelty_view import MatchRibbon, NoveltyPlot
from explorer.gui.screens.trace.pieces import PieceBar
from explorer.gui.screens.trace.settings_bar import SettingsBar
from explorer.gui.screens.trace.span_chips import ALL, LongestButton, SpanChips
from explorer.gui.screens.trace.work import TraceRequest, leave_out, make_charts, save_report, select, trace
from explorer.gui.untrusted import tip
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.flow_layout import FlowLayout, flowing
from explorer.gui.widgets.scroll_areas import TallArea
from explorer.i18n import tr
from explorer.jobs import Kind
from explorer.overlap.copies import WithoutCopies
from explorer.trace.batch import BatchRow
from explorer.trace.conversation import answers, looks_like_conversation, parse_conversation, parts_of
from explorer.trace.documents import TraceDocument
from explorer.trace.selection import Selection
from explorer.trace.trace import Trace

_DEBOUNCE_MS = 300


class TraceScreen(Screen):
    """Editor and cards: choosing a span selects its cards, and vice versa. A second page traces files of answers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tracer = self.make_runner("trace")
        self._selector = self.make_runner("selection", kind=Kind.QUICK)
        self._worker = self.make_runner("trace work", kind=Kind.APART)
        self._charter = self.make_runner("charts")
        self._trace: Trace | None = None
        self._choice = Choice()
        self._selection: Selection | None = None
        self._less: WithoutCopies | None = None
        self._less_text = ""
        self._request: TraceRequest | None = None
        self._debounce = QTimer(self, singleShot=True, interval=_DEBOUNCE_MS)
        self._debounce.timeout.connect(self.run)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._show_nothing()

    def _make_widgets(self) -> None:
        self.prompt = QLineEdit(placeholderText=tr("Prompt for this answer (optional; helps rank documents)"))
        self.prompt.setAccessibleName(tr("Prompt"))
        self.editor = TraceEditor()
        self.pieces = PieceBar()
        self.settings = SettingsBar()
        self.self_match = Notice()
        self.leave_out = QPushButton(tr("Exclude these documents"))
        self.leave_out.hide()
        self.put_back = QPushButton(tr("Include them again"))
        self.put_back.hide()
        self.ribbon = MatchRibbon()
        self.ribbon_caption = label("", "muted")
        self.plot = NoveltyPlot()
        self.notice = Notice()
        self.figure_button = FigureButton(self._charter, self._prepare_charts, self.notice.show_error)
        self.novelty_button = QToolButton()
        self.novelty_button.setText(tr("Novelty"))
        self.novelty_button.setCheckable(True)
        self.novelty_button.setChecked(True)
        self.novelty_button.setToolTip(tr("Share of the text outside matches, by match length"))
        self.report = QPushButton(tr("Report …"))
        self.report.setToolTip(
            tr("Save the text, spans, documents and settings as a web page (HTML) or as data (JSON)")
        )
        self.fold = QCheckBox(tr("Merge duplicates"))
        self.fold.setToolTip(tr("Show documents from the same source on one card"))
        self.settings_button = QPushButton(tr("Settings"))
        self.settings_button.setCheckable(True)
        self.settings_button.setChecked(True)
        self.fold.setChecked(True)
        self.nested = SpanChips()
        self.nested.chosen.connect(self._choose_span)
        self.longest = LongestButton()
        self.legend = Legend()
        self.summary = label("", "muted")
        self.summary.setWordWrap(True)
        self.heading = label(tr("Documents"), "heading")
        self.heading.setWordWrap(True)
        self.clear = QPushButton(tr("Clear selection"))
        self.clear.setToolTip(tr("Show all spans and all documents again (Esc)"))
        self.model = CardModel(self)
        self.cards = named(QListView(), tr("Documents"))
        self.cards.setModel(self.model)
        self.cards.setItemDelegate(CardDelegate(self.cards))
        self.cards.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.cards.setUniformItemSizes(True)
        self.empty = EmptyState("trace")
        self.batch = BatchView(BatchPresenter(self, self._open_row))
        self.tabs = tab_group(self, (tr("One text"), tr("A file of answers")))

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        splitter.addWidget(self._lay_out_text())
        splitter.addWidget(self._lay_out_documents())
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setSizes([620, 420])
        self.pages = QStackedWidget()
        self.pages.addWidget(splitter)
        self.pages.addWidget(self.batch)
        row = QHBoxLayout()
        row.setContentsMargins(16, 8, 16, 0)
        for number in range(2):
            row.addWidget(self.tabs.button(number))
        row.addStretch(1)
        row.addWidget(self.settings_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(self.pages, 1)

    def _lay_out_text(self) -> QWidget:
        """The text with the settings above and the plots below."""
        below = QWidget()
        flow = FlowLayout(below, gap=8)
        for widget in (
            self.legend,
            self.novelty_button,
            self.figure_button,
            self.report,
            self.leave_out,
            self.put_back,
        ):
            flow.addWidget(widget)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(16, 4, 4, 12)
        column.setSpacing(8)
        above = (self.prompt, self.pieces, self.settings, self.notice, self.self_match)
        for part in (*above, self.editor, self.ribbon_caption, self.ribbon, below, self.summary, self.plot):
            column.addWidget(part)
        column.setStretchFactor(self.editor, 1)
        return TallArea(left)

    def _lay_out_documents(self) -> QWidget:
        """The cards and the buttons that choose among them."""
        header = QHBoxLayout()
        header.addWidget(self.heading, 1)
        header.addWidget(self.fold)
        header.addWidget(self.clear)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.cards)
        column = QVBoxLayout(right := QWidget())
        column.setContentsMargins(4, 4, 16, 12)
        column.setSpacing(8)
        column.addLayout(header)
        column.addWidget(flowing(self.longest))
        column.addWidget(self.nested)
        column.addWidget(self.stack, 1)
        self._stale = Dimmer(self.summary, self.stack, self.ribbon, self.plot, parent=self)
        return right

    def _connect(self) -> None:
        self.tabs.idClicked.connect(self.pages.setCurrentIndex)
        self.editor.textChanged.connect(self._debounce.start)
        self.editor.large_pasted.connect(self.take_large)
        self.editor.part_selected.connect(self._trace_part)
        self.pieces.chosen.connect(lambda piece: self._put(piece.text, piece.prompt))
        self.settings_button.toggled.connect(self.settings.setVisible)
        self.leave_out.clicked.connect(self._leave_out)
        self.put_back.clicked.connect(self._put_back)
        self.novelty_button.toggled.connect(lambda _: self._show_novelty())
        self.report.clicked.connect(self._ask_report)
        self.fold.toggled.connect(lambda _: self.clear_choice())
        self.ribbon.clicked.connect(self._go_to_token)
        self.prompt.textChanged.connect(lambda _: self._debounce.start())
        self.settings.changed.connect(self._debounce.start)
        self.editor.mark_clicked.connect(self._choose_mark)
        self.editor.escaped.connect(self.clear_choice)
        self.clear.clicked.connect(self.clear_choice)
        self.longest.clicked.connect(self._choose_longest)
        self.cards.selectionModel().currentChanged.connect(self._choose_card)
        self.cards.activated.connect(self._open_card)

    def focus_input(self) -> None:
        """The editor."""
        self.editor.setFocus()

    def take(self, request: Request) -> None:
        """Trace a text that another part of the window names."""
        if isinstance(request, TraceText):
            self.trace_text(request.text, request.prompt)
        else:
            super().take(request)

    def trace_text(self, text: str, prompt: str = "") -> None:
        """Set a text and trace it."""
        self.pieces.forget()
        self._put(text, prompt)

    def _put(self, text: str, prompt: str) -> None:
        self.tabs.button(0).setChecked(True)
        self.pages.setCurrentIndex(0)
        self.prompt.setText(prompt)
        self.prompt.setCursorPosition(0)
        self.editor.setPlainText(text)
        self.run()

    def corpus_changed(self) -> None:
        """Trace the same text in the new index."""
        self._less = None
        offer(self.leave_out, self.why_not("subtraction"))
        self.batch.presenter.use_corpus(self.corpus)
        self._show_nothing()
        self.run()

    def theme_changed(self) -> None:
        """Mark again in the new colors."""
        self.legend.update()
        self._mark()

    def run(self) -> None:
        """Trace the editor's text."""
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
        if len(text) > 4 * MOST_CHARACTERS:
            self.take_large(text)
            return
        self.batch.presenter.use_settings(settings)
        index = self._less.index if self._less else self.corpus.index
        request = TraceRequest(self.corpus, index, text, self.prompt.text(), settings)
        # An answer to another text is dimmed; after an error it stays so.
        self._stale.set_stale(self._trace is not None, at_once=False)
        self._tracer.run(lambda cancel: trace(request, cancel), lambda found: self._show(found, request), self._fail)

    def take_large(self, text: str) -> None:
        """Offer a conversation answer by answer, and a very long text in parts."""
        if looks_like_conversation(text):
            try:
                pieces = answers(parse_conversation(text))
            except CorpusError as error:
                self._show_nothing()
                self.notice.show_error(error)
                return
            self.pieces.show_pieces(pieces, conversation_text(len(pieces)))
            return
        parts = parts_of(text, MOST_CHARACTERS)
        self.pieces.show_pieces(parts, parts_text(len(parts), len(text)))

    def _fail(self, error: CorpusError) -> None:
        self._stale.set_stale(self._trace is not None, at_once=True)
        self.notice.show_error(error)

    def _show(self, result: Trace, request: TraceRequest) -> None:
        # The user can type while a trace runs; the answer to an older text is about to be replaced.
        if result.text != self.editor.text():
            return
        self._trace, self._request = result, request
        self._stale.set_stale(False)
        self.notice.show_text("")
        self.summary.setText(summary(result))
        self.ribbon.show_lengths(result.covering.tolist())
        self.ribbon_caption.setText(self.ribbon.caption())
        self.longest.show_passage(result)
        self.legend.setToolTip(tip(scale_hint(result.settings.relevance)))
        self._show_novelty()
        self._show_self_match(result)
        self.report.setEnabled(True)
        self.figure_button.setEnabled(True)
        self.clear_choice()

    def session(self) -> dict[str, Any]:
        """The text and its prompt."""
        return {"text": self.editor.text(), "prompt": self.prompt.text()}

    def restore_session(self, values: dict[str, Any]) -> None:
        """Trace the same text again."""
        text, prompt = values.get("text"), values.get("prompt")
        if isinstance(text, str) and text and isinstance(prompt, str):
            self.trace_text(text, prompt)

    def _show_novelty(self) -> None:
        shown = self._trace is not None and self.novelty_button.isChecked()
        self.plot.setVisible(shown)
        self.ribbon.setVisible(self._trace is not None)
        self.ribbon_caption.setVisible(self._trace is not None)
        self.plot.show_novelty(self._trace.novelty if self._trace is not None else None)

    def _prepare_charts(self) -> Make | None:
        """Novelty, and the longest match along the text."""
        found, corpus = self._trace, self.corpus
        return None if found is None or corpus is None else partial(make_charts, corpus, found)

    def _show_self_match(self, result: Trace) -> None:
        self.leave_out.setVisible(held_by_one(result))
        self.put_back.setVisible(self._less is not None)
        self.self_match.show_text(self_match_text(result, self._less, result.text == self._less_text))

    def _show_nothing(self) -> None:
        self._stale.set_stale(False)
        self._trace, self._request, self._choice, self._selection = None, None, Choice(), None
        self.longest.show_passage(None)
        self.ribbon.show_lengths(())
        self._show_novelty()
        self.self_match.show_text("")
        self.report.setEnabled(False)
        self.figure_button.setEnabled(False)
        self.nested.show_spans(None, ())
        self.leave_out.hide()
        self.put_back.hide()
        self.editor.clear_marks()
        self.model.show(())
        self.summary.setText("")
        self.notice.show_text("")
        self.heading.setText(tr("Documents"))
        self.clear.hide()
        self.empty.say(*nothing_traced(self.corpus is not None))
        self.stack.setCurrentWidget(self.empty)

    # --- choosing ------------------------------------------------------------------------------

    def clear_choice(self) -> None:
        """Show all spans and all documents."""
        if self._trace is None:
            return
        self._selection = None
        self.nested.show_spans(None, ())
        self._choose(Choice())

    def _choose(self, choice: Choice) -> None:
        """List the documents of the choice, and mark it."""
        self._choice = choice
        self._show_cards()
        self._mark()
        self.longest.setChecked(choice.passage)
        self.clear.setVisible(choice != Choice())

    def _mark(self) -> None:
        if self._trace is not None and self._trace.text == self.editor.text():
            self.editor.show_marks(marks_of(self._trace, self._choice), self._trace.text)

    def _choose_mark(self, number: int) -> None:
        """A region was clicked: show the documents of all its spans; a second click, or one outside, clears the
        choice."""
        if self._trace is None:
            return
        if number < 0 or number == self._choice.region:
            self.clear_choice()
            return
        self._selection = None
        spans = self._trace.merged[number].spans
        self.nested.show_spans(self._trace, spans)
        # A region of one span is that span.
        self._choose(Choice(region=number, span=spans[0] if len(spans) == 1 else None))

    def _choose_span(self, number: int) -> None:
        """Choose one span of the chosen region, or all of them."""
        self._choose(Choice(region=self._choice.region, span=None if number == ALL else number))

    def _choose_longest(self, chosen: bool) -> None:
        self._selection = None
        self.nested.show_spans(None, ())
        self._choose(Choice(passage=chosen))

    def _cards_of(self, documents: tuple[TraceDocument, ...], spans: frozenset[int] | None) -> None:
        assert self._trace is not None
        with QSignalBlocker(self.cards.selectionModel()):
            self.model.show(make_cards(documents, spans, self.fold.isChecked(), self._trace.settings.relevance))

    def _show_cards(self) -> None:
        assert self._trace is not None
        documents = listed(self._trace, self._choice)
        self._cards_of(documents, chosen_spans(self._trace, self._choice))
        self.heading.setText(heading(self._trace, self._choice, len(documents)))
        if documents:
            self.stack.setCurrentWidget(self.cards)
            return
        self.empty.say(*why_no_documents(self._trace))
        self.stack.setCurrentWidget(self.empty)

    def _choose_card(self, current: QModelIndex, previous: QModelIndex) -> None:
        """A card was chosen: mark only the parts that its document contains."""
        if current.isValid() and self._trace is not None and self._selection is None:
            self._choice = self._choice.with_document(self.model.card(current.row()).document)
            self._mark()
            self.clear.setVisible(True)

    def _open_card(self, index: QModelIndex) -> None:
        """Show the whole document, with every span of this trace marked."""
        if self._trace is None:
            return
        document = self.model.card(index.row()).document
        if self._selection is not None:
            shown = document.snippets[0]
            request = DocumentRequest(document.number, shown.offset, shown.tokens, self._selection.needle)
            self.requested.emit(request)
            return
        shown = shown_snippet(document, chosen_spans(self._trace, self._choice))
        self.requested.emit(request_of(self._trace, document, shown))

    # --- a part, without itself, reports, answers ------------------------------------------------

    def _trace_part(self, text: str) -> None:
        """Look up exactly the selected text, whatever its length."""
        if self._trace is None or self._request is None or not text.strip():
            return
        request = self._request
        self._selector.run(lambda cancel: select(request, text, cancel), self._show_selection, self.notice.show_error)

    def _show_selection(self, found: Selection) -> None:
        if self._trace is None or found.text != self.editor.selected_text():
            return
        self._selection, self._choice = found, Choice()
        self.nested.show_spans(None, ())
        self._mark()
        # The selection is looked up as span 0.
        self._cards_of(found.documents, frozenset({0}))
        self.heading.setText(selection_text(found))
        self.clear.setVisible(True)
        if not found.documents:
            self.empty.say(*not_found_text(found))
        self.stack.setCurrentWidget(self.cards if found.documents else self.empty)

    def _leave_out(self) -> None:
        if self._request is None:
            return
        request = self._request
        self._worker.run(
            lambda cancel: leave_out(request, cancel),
            lambda less: self._use(less, request.text),
            self.notice.show_error,
        )

    def _use(self, less: WithoutCopies, text: str) -> None:
        self._less, self._less_text = less, text
        self.run()

    def _put_back(self) -> None:
        self._less = None
        self.run()

    def _go_to_token(self, token: int) -> None:
        if self._trace is not None and self._trace.text == self.editor.text():
            self.editor.go_to(int(self._trace.token_starts[token]))

    def _ask_report(self) -> None:
        path = ask_where(self, tr("Write a report"), "trace", REPORTS)
        if path is not None:
            self.save_report(path)

    def save_report(self, path: Path) -> None:
        """Write the report: the trace that is shown, and how it was made."""
        if self._trace is None or self._request is None:
            return
        index, found = self._request.index, self._trace
        self._worker.run(
            lambda cancel: save_report(path, index, found),
            lambda _: self.summary.setText(tr("Wrote {path}.", path=path)),
            self.notice.show_error,
        )

    def _open_row(self, row: BatchRow) -> None:
        """Open one answer of a file."""
        self.trace_text(row.text, row.prompt)
