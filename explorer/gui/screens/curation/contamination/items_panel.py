"""The items of a benchmark, the most severe first."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from explorer.gui.folders import begin_in
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.gui.screens.curation.contamination.state import HEADER, TIPS, BenchState
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.scroll_areas import at_least
from explorer.i18n import tr


class ItemsPanel(Panel):
    """A row per item; the names of clean and of flagged ones can be saved.

    Parameters
    ----------
    presenter
        Gets the row that a user chooses.
    """

    def __init__(self, presenter: ContaminationPresenter) -> None:
        self._presenter = presenter
        self.clean = push_button(tr("Save clean ids …"), "quiet")
        self.clean.setToolTip(tr("The items that are neither flagged, nor suspicious, nor too short to tell"))
        self.flagged = push_button(tr("Save flagged ids …"), "quiet")
        super().__init__(footer=(self.clean, self.flagged))
        self.footer_row.addStretch(1)
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Items"), wide=(1,))
        self.hold(self.table)
        at_least(self, 22, 14)
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(lambda at: presenter.choose(at.row()))
        self.clean.clicked.connect(lambda: self._save("not-flagged", "clean.ids"))
        self.flagged.clicked.connect(lambda: self._save("flagged", "flagged.ids"))

    def _save(self, verdict: str, name: str) -> None:
        path, _ = QFileDialog.getSaveFileName(self, tr("Save ids"), begin_in(name))
        state = self._presenter.state
        if path and state.answer.current is not None:
            self._presenter.outputs.save_ids(state.answer.current, state.file, verdict, Path(path))

    def draw(self, state: BenchState, before: BenchState | None) -> None:
        """Show the items.

        Parameters
        ----------
        state
            The new state.
        before
            The one that was drawn before; None for the first.
        """
        if before is None or state.answer.value is not before.answer.value or state.file != before.file:
            self.model.show(tuple(map(tr, HEADER)) if state.shown else (), state.table, tuple(map(tr, TIPS)))
        for button in (self.clean, self.flagged):
            button.setEnabled(state.answer.current is not None and state.shown is not None)
