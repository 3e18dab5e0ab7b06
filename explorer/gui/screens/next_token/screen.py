"""Next token: what follows a prompt, after a context of a chosen length or the longest that occurs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Corpus, open_index
from explorer.errors import CorpusError
from explorer.gui.figures.button import FigureButton, Make
from explorer.gui.screen import Notice, Screen, label, named, offer, tab_group, text_order
from explorer.gui.screens.next_token.model import PROBABILITY, TOKEN, NextTokenModel, ProbabilityDelegate
from explorer.gui.screens.next_token.tree import WordTree
from explorer.gui.screens.next_token.work import (
    MAX_ROWS,
    LadderAnswer,
    NextAnswer,
    NextRequest,
    ask,
    climb,
    lines_text,
    make_charts,
)
from explorer.gui.surfaces import keep_monospace
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.plain_text import PlainText
from explorer.gui.widgets.token_chips import TokenChips
from explorer.i18n import counted, tr, trn
from explorer.jobs import Kind

_DEBOUNCE_MS = 150


class NextTokenScreen(Screen):
    """Prompt, the context that was used, and the distribution; the ladder of suffixes; a word tree.

    `search_requested(str)`: show the lines of this text in Search.
    """

    search_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asker = self.make_runner("next")
        self._beside_asker = self.make_runner("next beside")
        self._climber = self.make_runner("ladder")
        self._grower = self.make_runner("tree")
        self._opener = self.make_runner("open beside", kind=Kind.APART)
        self._charter = self.make_runner("charts")
        self._beside: Corpus | None = None
        self._answer: NextAnswer | None = None
        self._beside_answer: NextAnswer | None = None
        self._ladder: LadderAnswer | None = None
        self._debounce = QTimer(self, singleShot=True, interval=_DEBOUNCE_MS)
        self._debounce.timeout.connect(self.run)
        self._make_widgets()
        self._lay_out()
        self.prompt.textChanged.connect(self._debounce.start)
        self.n.valueChanged.connect(lambda _: self.run())
        self.table.doubleClicked.connect(lambda index: self.extend(index.row()))
        self.append.clicked.connect(lambda: self.extend(self.table.currentIndex().row()))
        self.back.clicked.connect(self.prompt.undo)
        self.prompt.undoAvailable.connect(self.back.setEnabled)
        self.lines.clicked.connect(lambda: self._show_lines_of(self.table.currentIndex().row()))
        self.views.idClicked.connect(self.show_view)
        self.tree.lines_wanted.connect(self._search_ids)
        self.beside_button.clicked.connect(self._ask_beside)
        self._show_empty()

    def _make_widgets(self) -> None:
        self.prompt = PlainText(placeholderText=tr("Type the beginning of a text …"), tabChangesFocus=True)
        self.prompt.setAccessibleName(tr("Prompt"))
        keep_monospace(self.prompt)
        self.prompt.setMaximumHeight(120)
        self.n = named(NumberBox(minimum=0, maximum=1000, value=0), tr("n of the n-gram model"))
        self.n.setSpecialValueText("∞")
        self.n.setToolTip(
            tr("n counts the context and the next token. ∞ uses the longest context that occurs in the corpus.")
        )
        self.append = QPushButton(tr("Append token"))
        self.append.setToolTip(
            tr("Append the selected token to the prompt (or double-click it). Ctrl+Z removes it again.")
        )
        self.back = QPushButton(tr("Back"))
        self.back.setToolTip(tr("Undo the last token or edit (Ctrl+Z)"))
        self.back.setEnabled(False)
        self.lines = QPushButton(tr("Show lines"))
        self.lines.setToolTip(tr("Search for the context followed by the selected token"))
        self.beside_button = QPushButton(tr("Compare with …"))
        self.beside_button.setToolTip(tr("Run the prompt against another index. Click again to close it."))
        self.beside_label = label("", "muted")
        # A separate notice: an answer from the first index must not remove an error of the other.
        self.beside_notice = Notice()
        self.beside_model = NextTokenModel(self)
        self.beside_table = named(QTableView(), tr("Next tokens in the other index"))
        self.ladder_model = PlainModel(self)
        self.ladder = PlainTable(self.ladder_model, tr("Suffixes of the prompt"), wide=(3, 4))
        self.tree = WordTree(self._grower)
        self.views = tab_group(self, (tr("Next tokens"), tr("Ladder"), tr("Word tree")))
        self.summary = label("")
        self.summary.setWordWrap(True)
        self.chips = TokenChips()
        self.chips.setAccessibleName(tr("Context used"))
        self.notice = Notice()
        self.figure_button = FigureButton(self._charter, self._prepare_charts, self._fail)
        self.model = NextTokenModel(self)
        self.table = named(QTableView(), tr("Next tokens"))
        for table, model in ((self.table, self.model), (self.beside_table, self.beside_model)):
            _prepare(table, model)
        self.beside_table.hide()
        self.empty = EmptyState("next")

    def _lay_out(self) -> None:
        options = QHBoxLayout()
        options.addWidget(label("n", "muted"))
        options.addWidget(self.n)
        for button in (self.append, self.back, self.lines):
            options.addWidget(button)
        options.addStretch(1)
        options.addWidget(self.beside_label)
        options.addWidget(self.beside_button)
        tabs = QHBoxLayout()
        for number in range(3):
            tabs.addWidget(self.views.button(number))
        tabs.addStretch(1)
        tabs.addWidget(self.figure_button)
        context = QHBoxLayout()
        context.addWidget(label(tr("Context used"), "muted"))
        context.addWidget(self.chips, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        both = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        both.addWidget(self.table)
        both.addWidget(self.beside_table)
        self._pages: tuple[QWidget, ...] = (both, self.ladder, self.tree)
        for page in self._pages:
            self.stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.setSpacing(10)
        layout.addWidget(self.prompt)
        layout.addLayout(options)
        layout.addLayout(context)
        layout.addWidget(self.summary)
        layout.addWidget(self.notice)
        layout.addWidget(self.beside_notice)
        layout.addLayout(tabs)
        layout.addWidget(self.stack, 1)
        self._stale = Dimmer(self.chips, self.summary, self.stack, parent=self)

    def focus_input(self) -> None:
        """The prompt."""
        self.prompt.setFocus()

    def session(self) -> dict[str, Any]:
        """The prompt and n."""
        return {"prompt": self.prompt.toPlainText(), "n": self.n.value(), "view": self.views.checkedId()}

    def restore_session(self, values: dict[str, Any]) -> None:
        """Ask again."""
        if isinstance(n := values.get("n"), int):
            self.n.setValue(n)
        if values.get("view") in range(len(self._pages)):
            self.views.button(values["view"]).setChecked(True)
        if isinstance(prompt := values.get("prompt"), str):
            self.prompt.setPlainText(prompt)

    def corpus_changed(self) -> None:
        """Ask the new index."""
        for part in (self.prompt, self.n):
            offer(part, self.why_not("next_tokens"))
        self._show_empty()
        self.run()

    def run(self) -> None:
        """Ask what follows the prompt."""
        self._debounce.stop()
        prompt = self.prompt.toPlainText()
        if self.corpus is None or not prompt or self.why_not("next_tokens"):
            self._asker.cancel()
            self._show_empty()
            return
        request = NextRequest(self.corpus, prompt, self.n.value())
        # An answer to another prompt is dimmed, and stays dimmed after an error.
        self._stale.set_stale(self._answer is not None, at_once=False)
        self._asker.run(lambda cancel: ask(request, cancel), self._show, self._fail_prompt)
        if self._beside is not None:
            other = replace(request, corpus=self._beside)
            self._beside_asker.run(lambda cancel: ask(other, cancel), self._show_beside, self._fail)

    def extend(self, row: int) -> None:
        """Append a token to the prompt; a token that is only part of a character is refused."""
        if not 0 <= row < self.model.rowCount():
            return
        text = self.model.row(row).insert
        if not text:
            self.notice.show_text(
                tr("This token is a partial character or an end-of-document marker and cannot be appended.")
            )
            return
        cursor = self.prompt.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        # A separate edit block, so that undo removes only this token.
        cursor.beginEditBlock()
        cursor.insertText(text)
        cursor.endEditBlock()
        self.run()

    def _show(self, answer: NextAnswer) -> None:
        self._stale.set_stale(False)
        self.notice.show_text("")
        self.chips.show_tokens(answer.context)
        result = answer.result
        self.summary.setText(_summary(answer))
        self.model.show(answer.rows)
        self._answer = answer
        if len(result.tokens):
            self.show_view(self.views.checkedId())
            return
        self.empty.say(
            tr("Unseen context"), tr("This context never occurs. Choose ∞ or a smaller n to back off to a shorter one.")
        )
        self.stack.setCurrentWidget(self.empty)

    def show_view(self, number: int) -> None:
        """Show the next tokens, the ladder or the word tree of the last answer."""
        self.views.button(number).setChecked(True)
        answer = self._answer
        if answer is None or not len(answer.result.tokens):
            return
        self.stack.setCurrentWidget(self._pages[number])
        request = answer.request
        if number == 1:
            self._climber.run(lambda cancel: climb(request, cancel), self._show_ladder, self._fail)
        elif number == 2:
            used = answer.ids[len(answer.ids) - answer.result.context_length :]
            self.tree.show_root(request.corpus, used)

    def _show_ladder(self, answer: LadderAnswer) -> None:
        self._ladder = answer
        header = ("n", tr("Count of the context"), tr("Different tokens"), tr("Entropy (bits)"), tr("Most likely"))
        self.ladder_model.show(header, answer.rows)

    def _prepare_charts(self) -> Make | None:
        """The most likely tokens, those of the other index, and the ladder or the word tree if it is visible."""
        answer = self._answer
        if answer is None or not len(answer.result.tokens):
            return None
        rungs = self._ladder.rungs if self.views.checkedId() == 1 and self._ladder else ()
        tree = self.tree.shown() if self.views.checkedId() == 2 else None
        return partial(make_charts, answer, self._beside_answer if self._beside is not None else None, rungs, tree)

    def _show_lines_of(self, row: int) -> None:
        """Show the occurrences of a next token in Search."""
        answer = self._answer
        if answer is not None and 0 <= row < self.model.rowCount():
            used = answer.ids[len(answer.ids) - answer.result.context_length :]
            self._search_ids((*used, self.model.row(row).token))

    def _search_ids(self, ids: tuple[int, ...] | None) -> None:
        corpus = self.corpus
        if corpus is not None and ids:
            chosen = tuple(token for token in ids if token != corpus.index.separator)
            self._opener.run(lambda cancel: lines_text(corpus, chosen), self.search_requested.emit, self._fail)

    def _ask_beside(self) -> None:
        if self._beside is not None:
            self.put_beside(None)
            return
        path = QFileDialog.getExistingDirectory(self, tr("Choose another index folder"))
        if path:
            self.open_beside(path)

    def open_beside(self, path: str) -> None:
        """Open another index to compare with."""
        self._opener.run(lambda cancel: open_index(path), self.put_beside, self.beside_notice.show_error)

    def put_beside(self, corpus: Corpus | None) -> None:
        """Run the prompt against this index too; None: no second index."""
        self._beside, self._beside_answer = corpus, None
        self.beside_notice.show_text("")
        self.beside_table.setVisible(corpus is not None)
        self.beside_label.setText("" if corpus is None else tr("right: {name}", name=corpus.index.name))
        self.beside_button.setText(tr("Compare with …") if corpus is None else tr("Stop comparing"))
        self.beside_model.show(())
        self.run()

    def _show_beside(self, answer: NextAnswer) -> None:
        self._beside_answer = answer
        self.beside_model.show(answer.rows)
        self.beside_label.setText(
            tr(
                "right: {name}, {context_length} of context, occurs {context_count}",
                name=answer.request.corpus.index.name,
                context_length=counted("token", answer.result.context_length),
                context_count=counted("time", answer.result.context_count),
            )
        )

    def _fail_prompt(self, error: CorpusError) -> None:
        """There is no answer to the current prompt: the previous one is dimmed."""
        self._stale.set_stale(self._answer is not None, at_once=True)
        self._fail(error)

    def _fail(self, error: CorpusError) -> None:
        self.notice.show_error(error)

    def _show_empty(self) -> None:
        self._stale.set_stale(False)
        self._answer, self._ladder = None, None
        self.tree.show_root(None, ())
        self.model.show(())
        self.beside_model.show(())
        self.chips.show_tokens(())
        self.summary.setText("")
        self.notice.show_text("")
        if self.corpus is None:
            self.empty.say(
                tr("No index is open"), tr("Open an index folder with Ctrl+O, or build one in the Index screen.")
            )
        elif why_not := self.why_not("next_tokens"):
            self.empty.say(tr("This index does not give next tokens"), why_not)
        else:
            self.empty.say(
                tr("What comes next?"),
                tr(
                    "Type the beginning of a text. The longest ending that occurs in the corpus determines the "
                    "prediction."
                ),
            )
        self.stack.setCurrentWidget(self.empty)


def _prepare(table: QTableView, model: NextTokenModel) -> None:
    """A table of next tokens."""
    table.setModel(model)
    text_order(table)
    table.setItemDelegateForColumn(PROBABILITY, ProbabilityDelegate(table))
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setSectionResizeMode(PROBABILITY, QHeaderView.ResizeMode.Stretch)
    table.setColumnWidth(TOKEN, 220)


def _summary(answer: NextAnswer) -> str:
    result = answer.result
    manner = (
        tr("exact count")
        if result.exact
        else trn("estimated from {n:,} occurrence", "estimated from {n:,} occurrences", result.sample_size)
    )
    text = trn(
        "The last {n:,} of {count:,} tokens occurs {times}; {different} ({manner}).",
        "The last {n:,} of {count:,} tokens occur {times}; {different} ({manner}).",
        result.context_length,
        count=len(answer.ids),
        times=counted("time", result.context_count),
        different=trn("{n:,} different token follows", "{n:,} different tokens follow", len(result.tokens)),
        manner=manner,
    )
    if len(result.tokens) > MAX_ROWS:
        text += tr(" The first {max_rows:,} are listed.", max_rows=MAX_ROWS)
    if answer.request.prompt.endswith(" "):
        text += tr(" Note: the prompt ends with a space, which most vocabularies join to the next word.")
    return text
