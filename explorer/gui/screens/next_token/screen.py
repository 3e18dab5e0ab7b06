"""Next token: what follows a prompt, behind a context of chosen length or the longest that occurs."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Corpus
from explorer.corpus.index import Index
from explorer.errors import CorpusError
from explorer.gui.screen import Notice, Screen, label, named
from explorer.gui.screens.next_token.model import PROBABILITY, TOKEN, NextRow, NextTokenModel, ProbabilityDelegate
from explorer.gui.theme import monospace
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.token_chips import TokenChips
from explorer.jobs import CancelToken
from explorer.search.counts import NextTokens, infgram_next_tokens, next_tokens
from explorer.search.query import TokenView, show_token

_DEBOUNCE_MS = 150
_MAX_ROWS = 1_000


@dataclass(frozen=True)
class NextRequest:
    """A prompt, and n of the n-gram model (0: ∞)."""

    corpus: Corpus
    prompt: str
    n: int


@dataclass(frozen=True)
class NextAnswer:
    """The distribution, the tokens of context that were used, and the rows that are shown."""

    request: NextRequest
    result: NextTokens
    prompt_tokens: int
    context: tuple[TokenView, ...]
    rows: tuple[NextRow, ...]


def ask(request: NextRequest, cancel: CancelToken) -> NextAnswer:
    """Compute the answer, off the interface thread."""
    index = request.corpus.index
    ids = request.corpus.encode(request.prompt)
    if request.n:
        result = next_tokens(
            index, ids[max(0, len(ids) - (request.n - 1)) :] if request.n > 1 else ids[:0], cancel=cancel
        )
    else:
        result = infgram_next_tokens(index, ids, cancel=cancel)
    used = ids[len(ids) - result.context_length :].tolist()
    context = tuple(TokenView(token, show_token(index, token), index.find([token]).count) for token in used)
    top = zip(
        result.tokens[:_MAX_ROWS].tolist(),
        result.counts[:_MAX_ROWS].tolist(),
        result.probabilities[:_MAX_ROWS].tolist(),
        strict=True,
    )
    rows = tuple(
        NextRow(token, show_token(index, token), _insertable(index, token), count, share) for token, count, share in top
    )
    return NextAnswer(request, result, len(ids), context, rows)


def _insertable(index: Index, token: int) -> str:
    """Text that a token adds to a prompt; "" for a part of a character or the end of a document."""
    if token == index.separator:
        return ""
    try:
        return index.tokenizer.token_bytes(token).decode("utf-8")
    except UnicodeDecodeError:
        return ""


class NextTokenScreen(Screen):
    """Prompt, the context that was used, and the distribution."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asker = self.make_runner("next")
        self._debounce = QTimer(self, singleShot=True, interval=_DEBOUNCE_MS)
        self._debounce.timeout.connect(self.run)
        self._make_widgets()
        self._lay_out()
        self.prompt.textChanged.connect(self._debounce.start)
        self.n.valueChanged.connect(lambda _: self.run())
        self.table.doubleClicked.connect(lambda index: self.extend(index.row()))
        self.append.clicked.connect(lambda: self.extend(self.table.currentIndex().row()))
        self._show_empty()

    def _make_widgets(self) -> None:
        self.prompt = QPlainTextEdit(placeholderText="Type the beginning of a text …", tabChangesFocus=True)
        self.prompt.setAccessibleName("Prompt")
        self.prompt.setFont(monospace())
        self.prompt.setMaximumHeight(120)
        self.n = named(QSpinBox(minimum=0, maximum=1000, value=0), "n of the n-gram model")
        self.n.setSpecialValueText("∞")
        self.n.setToolTip("n counts the context and the next token; ∞ takes the longest context that occurs")
        self.append = QPushButton("Append token")
        self.append.setToolTip(
            "Put the chosen token behind the prompt (double-click does the same); Ctrl+Z takes it back"
        )
        self.summary = label("")
        self.summary.setWordWrap(True)
        self.chips = TokenChips()
        self.chips.setAccessibleName("Context that was used")
        self.notice = Notice()
        self.model = NextTokenModel(self)
        self.table = named(QTableView(), "Next tokens")
        self.table.setModel(self.model)
        self.table.setItemDelegateForColumn(PROBABILITY, ProbabilityDelegate(self.table))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(PROBABILITY, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(TOKEN, 220)
        self.empty = EmptyState("next")

    def _lay_out(self) -> None:
        options = QHBoxLayout()
        options.addWidget(label("n", "muted"))
        options.addWidget(self.n)
        options.addWidget(self.append)
        options.addStretch(1)
        context = QHBoxLayout()
        context.addWidget(label("Context used", "muted"))
        context.addWidget(self.chips, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.setSpacing(10)
        layout.addWidget(self.prompt)
        layout.addLayout(options)
        layout.addLayout(context)
        layout.addWidget(self.summary)
        layout.addWidget(self.notice)
        layout.addWidget(self.stack, 1)

    def focus_input(self) -> None:
        """The prompt."""
        self.prompt.setFocus()

    def corpus_changed(self) -> None:
        """Ask the same of the new index."""
        self._show_empty()
        self.run()

    def run(self) -> None:
        """Ask what follows the prompt."""
        self._debounce.stop()
        prompt = self.prompt.toPlainText()
        if self.corpus is None or not prompt:
            self._asker.cancel()
            self._show_empty()
            return
        request = NextRequest(self.corpus, prompt, self.n.value())
        self._asker.run(lambda cancel: ask(request, cancel), self._show, self._fail)

    def extend(self, row: int) -> None:
        """Put a token behind the prompt; one that is no whole character stays out."""
        if not 0 <= row < self.model.rowCount():
            return
        text = self.model.row(row).insert
        if not text:
            self.notice.show_text("This token is no whole character, or the end of a document: it cannot be appended.")
            return
        cursor = self.prompt.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        cursor.insertText(text)
        self.run()

    def _show(self, answer: NextAnswer) -> None:
        self.notice.show_text("")
        self.chips.show_tokens(answer.context)
        result = answer.result
        self.summary.setText(_summary(answer))
        self.model.show(answer.rows)
        if len(result.tokens):
            self.stack.setCurrentWidget(self.table)
            return
        self.empty.say(
            "Unseen context", "This context never occurs. Choose ∞ or a smaller n to back off to a shorter one."
        )
        self.stack.setCurrentWidget(self.empty)

    def _fail(self, error: CorpusError) -> None:
        self.notice.show_error(error)

    def _show_empty(self) -> None:
        self.model.show(())
        self.chips.show_tokens(())
        self.summary.setText("")
        self.notice.show_text("")
        if self.corpus is None:
            self.empty.say("No index is open", "Open an index folder with Ctrl+O, or build one in the Index screen.")
        else:
            self.empty.say(
                "What comes next?",
                "Type the beginning of a text. The longest part of its end that occurs in the corpus decides.",
            )
        self.stack.setCurrentWidget(self.empty)


def _summary(answer: NextAnswer) -> str:
    result = answer.result
    manner = "exactly" if result.exact else f"≈ from {result.sample_size:,} occurrences"
    text = (
        f"The last {result.context_length} of {answer.prompt_tokens} tokens occur {result.context_count:,} times; "
        f"{len(result.tokens):,} different tokens follow ({manner} counted)."
    )
    if len(result.tokens) > _MAX_ROWS:
        text += f" The first {_MAX_ROWS:,} are listed."
    if answer.request.prompt.endswith(" "):
        text += " Note: the prompt ends with a space, which most vocabularies join to the next word."
    return text
