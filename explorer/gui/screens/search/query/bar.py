"""The query: its field with switches and menus, and the builder that opens below it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.help.topics import about
from explorer.gui.screens.screen import with_key
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.query.builder import BuilderPopover
from explorer.gui.screens.search.query.frame import MarkedField, QueryFrame
from explorer.gui.screens.search.query.history import HistoryButton
from explorer.gui.screens.search.query.lent_note import LentNote
from explorer.gui.screens.search.query.match_choice import MatchChoice
from explorer.gui.screens.search.state import SearchState
from explorer.gui.widgets.fields.buttons import icon_button
from explorer.gui.widgets.layouts.later import LaterPopover
from explorer.i18n import tr


class QueryBar(QWidget):
    """The query with its switches and menus."""

    def __init__(self, presenter: SearchPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.field = MarkedField()
        self.field.show_examples(
            tr('A word, a phrase, a line of code … or  "suffix array" AND (index OR search)'),
            tr("A word, a phrase, a line of code …"),
            tr("A word or a phrase"),
        )
        self.field.setAccessibleName(tr("Query"))
        self.history = HistoryButton(presenter)
        self.build = icon_button("builder", tr("Query builder"))
        self.choice = about(MatchChoice(presenter.query), "search#text-and-tokens")
        self.frame = QueryFrame(self.field, self.choice, (self.history, self.build))
        self.lent = LentNote(presenter.query)
        # It opens below the whole field, which it writes.
        self._popover = LaterPopover(self._make_builder, self.frame)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame)
        layout.addWidget(self.lent)
        self.field.textChanged.connect(presenter.typed)
        self.field.returnPressed.connect(presenter.enter)
        self.build.clicked.connect(self.open_builder)

    def _make_builder(self) -> BuilderPopover:
        made = BuilderPopover(self._presenter, self.frame)
        made.draw(self._presenter.query.state, self._presenter.builder.state)
        return made

    @property
    def popover(self) -> BuilderPopover:
        """The builder."""
        return self._popover.popover

    def open_builder(self) -> None:
        """Open the builder with the conditions of the query."""
        query = self._presenter.query.state
        self._presenter.builder.read(query.text, query.match)
        self.popover.open()

    def show_keys(self, key: Callable[[str], str]) -> None:
        """Tell the shortcuts of the buttons; `key` has that of a command by its name, "" for none."""
        texts = (tr("Recent and pinned queries"), tr("Build a query from conditions"))
        for button, text, name in zip((self.history, self.build), texts, ("history", "builder"), strict=True):
            button.setToolTip(with_key(text, key(name)))
        self.choice.show_keys(*map(key, ("whole_words", "ignore_case", "as_typed", "match")))

    def draw(self, state: SearchState) -> None:
        """Show the query."""
        query = state.query
        # Setting an equal text would move the cursor and empty the list of edits that can be undone.
        if self.field.text() != query.text:
            self.field.setText(query.text)
        self.field.show_problem(query.problem)
        self.frame.set_invalid(query.invalid)
        self.choice.draw(query)
        self.lent.draw(query)
        if self._popover.made is not None:
            self._popover.made.draw(query, state.builder)
