"""The widgets of the Next token screen: they draw the presenter's state and hand on what a person does."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
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

from explorer.gui.figures.button import FigureButton
from explorer.gui.hints import told
from explorer.gui.requests import SearchText
from explorer.gui.screen import Notice, Screen, label, named, offer, tab_group, text_order
from explorer.gui.screens.next_token.model import PROBABILITY, TOKEN, NextTokenModel, ProbabilityDelegate
from explorer.gui.screens.next_token.presenter import NextTokenPresenter
from explorer.gui.screens.next_token.state import NextTokenState, View
from explorer.gui.screens.next_token.tree import WordTree
from explorer.gui.surfaces import keep_monospace
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.plain_text import PlainText
from explorer.gui.widgets.token_chips import TokenChips
from explorer.i18n import tr


class NextTokenScreen(Screen):
    """Prompt, the context that was used, and the distribution; the ladder of suffixes; a word tree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = NextTokenPresenter(self.lanes, lambda text: self.requested.emit(SearchText(text)))
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

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
        # Nothing can be undone yet; the prompt signals when something can.
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
        self.tree = WordTree(self.presenter.tree)
        self.views = tab_group(self, (tr("Next tokens"), tr("Ladder"), tr("Word tree")))
        self.summary = label("")
        self.summary.setWordWrap(True)
        self.chips = TokenChips()
        # By themselves, chips are named as those of a query.
        self.chips.setAccessibleName(tr("Context used"))
        self.notice = Notice()
        self.figure_button = FigureButton(self.lanes.slot("charts"), self.presenter.charts, self.presenter.fail)
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
        self._old_ladder = Dimmer(self.ladder, parent=self)
        self._old_beside = Dimmer(self.beside_table, parent=self)

    def _connect(self) -> None:
        presenter = self.presenter
        self.prompt.textChanged.connect(lambda: presenter.typed(self.prompt.toPlainText()))
        self.n.valueChanged.connect(presenter.choose_n)
        self.table.doubleClicked.connect(lambda index: self.extend(index.row()))
        self.append.clicked.connect(lambda: self.extend(self.table.currentIndex().row()))
        # An appended token is an edit of the prompt, and is undone as one.
        self.back.clicked.connect(self.prompt.undo)
        self.prompt.undoAvailable.connect(self.back.setEnabled)
        self.lines.clicked.connect(lambda: presenter.show_lines(self.table.currentIndex().row()))
        self.views.idClicked.connect(lambda number: presenter.show_view(View(number)))
        self.tree.lines_wanted.connect(presenter.search_ids)
        self.beside_button.clicked.connect(self._ask_beside)

    def focus_input(self) -> None:
        """The prompt."""
        self.prompt.setFocus()

    def session(self) -> dict[str, Any]:
        """The prompt and n."""
        return self.presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """Ask again."""
        self.presenter.restore(values)

    def corpus_changed(self) -> None:
        """Ask the new index."""
        self.presenter.use_corpus(self.corpus)

    def extend(self, row: int) -> None:
        """Append a token to the prompt, unless it is only a part of a character."""
        text = self.presenter.insertable(row)
        # The presenter shows why.
        if not text:
            return
        cursor = self.prompt.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        # A separate edit block, so that undo removes only this token.
        cursor.beginEditBlock()
        cursor.insertText(text)
        cursor.endEditBlock()
        # At once: only typing is waited for.
        self.presenter.run()

    def _ask_beside(self) -> None:
        # The same button ends the comparison.
        if self.presenter.state.beside is not None:
            self.presenter.put_beside(None)
        elif path := QFileDialog.getExistingDirectory(self, tr("Choose another index folder")):
            self.presenter.open_beside(path)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: NextTokenState, before: NextTokenState | None) -> None:
        self._draw_input(state)
        self.notice.show_text(state.notice)
        if before is None or state.answer is not before.answer:
            self._draw_answer(state)
        self._draw_rows(state, before)
        if before is None or state.ladder is not before.ladder:
            self._old_ladder.set_stale(state.ladder.dimmed, at_once=not state.ladder.awaited)
        if before is None or (state.beside, state.beside_answer) != (before.beside, before.beside_answer):
            self._draw_beside(state)
        self.beside_notice.show_text(told(state.beside_error) if state.beside_error is not None else "")
        self._draw_page(state)

    def _draw_input(self, state: NextTokenState) -> None:
        # Setting an equal text would move the cursor and empty the list of edits that can be undone.
        if self.prompt.toPlainText() != state.prompt:
            self.prompt.setPlainText(state.prompt)
        self.n.setValue(state.n)
        for part in (self.prompt, self.n):
            offer(part, state.why_not)

    def _draw_answer(self, state: NextTokenState) -> None:
        self.summary.setText(state.summary)
        self._stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _draw_rows(self, state: NextTokenState, before: NextTokenState | None) -> None:
        # Old answers are only dimmed while new ones are awaited: the row that is selected can still be appended.
        answer, ladder, beside = state.answer.value, state.ladder.value, state.beside_answer.value
        if before is None or answer is not before.answer.value:
            self.chips.show_tokens(() if answer is None else answer.context)
            self.model.show(() if answer is None else answer.rows)
        if before is None or ladder is not before.ladder.value:
            header = ("n", tr("Count of the context"), tr("Different tokens"), tr("Entropy (bits)"), tr("Most likely"))
            self.ladder_model.show(header, () if ladder is None else ladder.rows)
        if before is None or beside is not before.beside_answer.value:
            self.beside_model.show(() if beside is None else beside.rows)

    def _draw_beside(self, state: NextTokenState) -> None:
        self.beside_table.setVisible(state.beside is not None)
        self.beside_label.setText(state.beside_caption)
        self.beside_button.setText(tr("Compare with …") if state.beside is None else tr("Stop comparing"))
        self._old_beside.set_stale(state.beside_answer.dimmed, at_once=not state.beside_answer.awaited)

    def _draw_page(self, state: NextTokenState) -> None:
        self.views.button(state.view).setChecked(True)
        if state.page is None:
            self.empty.say(*state.invitation)
            self.stack.setCurrentWidget(self.empty)
        else:
            self.stack.setCurrentWidget(self._pages[state.page])


def _prepare(table: QTableView, model: NextTokenModel) -> None:
    """A table of next tokens."""
    table.setModel(model)
    text_order(table)
    table.setItemDelegateForColumn(PROBABILITY, ProbabilityDelegate(table))
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setShowGrid(False)
    # Tab leaves the table instead of going through all cells.
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    # The bars take the width that the other columns leave.
    header.setSectionResizeMode(PROBABILITY, QHeaderView.ResizeMode.Stretch)
    table.setColumnWidth(TOKEN, 220)
