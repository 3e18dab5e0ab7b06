"""The items of a benchmark, the most severe first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMenu

from explorer.gui.chrome.folders import begin_in, saved_in
from explorer.gui.screens.curation.contamination.items.items_model import MARK, ItemsModel
from explorer.gui.screens.curation.contamination.items.items_table import ids_facts
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.gui.screens.curation.contamination.state import HEADER, TIPS, BenchState
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.menu import Menu
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.tables.plain_table import PlainTable
from explorer.i18n import tr


class ItemsPanel(Panel):
    """A row per item; the names of clean and of flagged ones can be saved.

    presenter: Gets the row that a user chooses.
    """

    def __init__(self, presenter: ContaminationPresenter) -> None:
        self._presenter = presenter
        self.clean = push_button(tr("Save clean ids …"), "quiet")
        self.clean.setToolTip(tr("The items that are neither flagged, nor suspicious, nor too short to tell"))
        self.flagged = push_button(tr("Save flagged ids …"), "quiet")
        self.marked = push_button(tr("Save marked ids"), "quiet")
        super().__init__(footer=(self.clean, self.flagged, self.marked))
        self.footer_row.addStretch(1)
        self.marked.setMenu(self._marks_menu())
        self.model = ItemsModel(self)
        self.table = PlainTable(self.model, tr("Items"), wide=(1,))
        self.hold(self.table)
        at_least(self, 22, 14)
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(lambda at: presenter.choose(at.row()))
        self.clean.clicked.connect(lambda: self._save("clean.ids", lambda state: state.ids("not-flagged")))
        self.flagged.clicked.connect(lambda: self._save("flagged.ids", lambda state: state.ids("flagged")))

    def _marks_menu(self) -> QMenu:
        menu = Menu(parent=self)
        for words, name, leaked in (
            (tr("Marked as leaked …"), "leaked.ids", True),
            (tr("Marked as not a leak …"), "not-a-leak.ids", False),
        ):

            def save(_: bool = False, name: str = name, leaked: bool = leaked) -> None:
                self._save(name, lambda state: state.marked_ids(leaked))

            menu.addAction(words).triggered.connect(save)
        return menu

    def _save(self, name: str, ids: Callable[[BenchState], list[str]]) -> None:
        path, _ = QFileDialog.getSaveFileName(self, tr("Save ids"), begin_in(name))
        if path:
            saved_in(path)
            state = self._presenter.state
            self._presenter.outputs.save_ids(ids(state), Path(path), partial(ids_facts, state, name))

    def draw(self, state: BenchState, before: BenchState | None) -> None:
        """Show the items.

        before: The one that was drawn before; None for the first.
        """
        other = before is None or state.answer.value is not before.answer.value or state.file != before.file
        if other:
            self.model.show_items(tuple(map(tr, HEADER)), state.items, tuple(map(tr, TIPS)))
        marks = before is None or state.marks is not before.marks
        moved = before is None or state.thresholds != before.thresholds
        if state.items is not None and (other or moved or marks):
            self.model.show_verdicts(state.items[1], state.marked)
        if other or marks:
            self.table.leave_out(MARK, not state.marked)
            self.marked.setVisible(bool(state.marked))
        for button in (self.clean, self.flagged):
            button.setEnabled(state.answer.current is not None and state.shown is not None)
