"""The widgets of the Draft bench: they draw the presenter's state and hand on what a person does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QWidget

from explorer.analyses.drafts.question import DraftsQuestion
from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.chrome.folders import begin_in, saved_in
from explorer.gui.presenting.requests import Saved
from explorer.gui.screens.model.drafts.answers import DraftedAnswers
from explorer.gui.screens.model.drafts.presenter import DraftPresenter, restore, session_of
from explorer.gui.screens.model.drafts.state import COLUMNS, DraftState
from explorer.gui.screens.model.state import key_of
from explorer.gui.screens.model.texts_page import TextsPage
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.tables.table_panel import TablePanel
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, draft_recipe

_NARROW = 58
"""Width in em below which the table is above the answers."""


class DraftsPage(TextsPage[DraftPresenter]):
    """Answers and how drafts are made on top, the result in a sentence, a table of sources, and the answers."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes, DraftPresenter(lanes, self._tell_saved), "drafts")
        presenter = self.presenter
        # A bar each: the cache may be written while other answers are drafted.
        self.bar_for("drafts", presenter.stop)
        self.bar_for("drafts cache", presenter.writer.cancel)
        self.table = TablePanel(tr("Drafts by source"), (tr("By source"),), tr("Rows of the table"))
        self.table.picked.connect(lambda row: presenter.choose_source(key_of(presenter.state.answer, row)))
        self.answers = DraftedAnswers(presenter)
        for part in (self.table, self.answers):
            # In points of the text size, which may change later.
            at_least(part, 24, 14)
        # There is one table only, so there is nothing to choose above it.
        self.table.panel.show_header(False)
        self.table.explain(tr("Tokens / step: what the model writes per call, 1 without drafts."))
        body = self.beside((self.table, self.answers), (480, 520))
        self.begin((self._made_settings(),), body, (self.table, self.answers))

    def _made_settings(self) -> QWidget:
        presenter = self.presenter
        self.cache = push_button(tr("Save lookup cache …"), "quiet", "download")
        self.cache.setToolTip(tr("Write the corpus as llama.cpp's static lookup cache (--lookup-cache-static)"))
        self.form = QuestionForm(DraftsQuestion, ("max_draft", "context", "min_probability"), presenter.set, self.cache)
        self.cache.clicked.connect(self._ask_cache)
        return self.form

    def _ask_cache(self) -> None:
        corpus = self.presenter.state.corpus
        # The button is off without an index, but a key may come in between.
        if corpus is not None:
            name, _ = QFileDialog.getSaveFileName(self, tr("Save lookup cache"), begin_in())
            if name:
                saved_in(name)
                self.presenter.save_cache(Path(name))

    def _tell_saved(self, path: Path) -> None:
        self.requested.emit(Saved(path, tr("Saved {name}", name=path.name)))

    def _draw(self, state: DraftState, before: DraftState | None) -> None:
        """Draw the settings, the table and the answer."""
        self.form.draw(state.rule)
        self.cache.setEnabled(state.corpus is not None)
        if before is None or state.answer.value is not before.answer.value:
            header = [tr(each.label) for each in COLUMNS.values()] if state.table else []
            self.table.model.show(header, state.table, [tr(each.help) for each in COLUMNS.values()])
        self.table.mark_row(state.source_row)
        self.answers.draw(state, before)

    def theme_changed(self) -> None:
        """Shade in the new colors."""
        self.answers.shade()

    def recipe(self, source: Source) -> Recipe | None:
        """The figures that are shown."""
        # Only a current answer: a dimmed one belongs to other inputs than these.
        found = self.presenter.state.answer.current
        return None if found is None else draft_recipe(source, found.question.inputs, found.question.rule)

    def session(self) -> dict[str, Any]:
        """Answers and rule."""
        return session_of(self.presenter.state)

    def restore_session(self, values: dict[str, Any]) -> None:
        """Draft the same answers again."""
        restore(self.presenter, values)
