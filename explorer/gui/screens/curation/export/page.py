"""The widgets of the tab of exports: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFileDialog

from explorer.gui.asking.page import AskingPage
from explorer.gui.chrome.folders import begin_in, saved_in
from explorer.gui.screens.curation.export.presenter import ExportPresenter
from explorer.gui.screens.curation.export.preview_panel import PreviewPanel
from explorer.gui.screens.curation.export.rule_bar import ExportBar
from explorer.gui.screens.curation.export.state import ExportState
from explorer.gui.screens.screen import label
from explorer.gui.style.theme import em
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.layouts.splitter import Splitter
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.notices.job_bar import JobBar
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr

_NARROW = 70
"""Width in em below which the document is below the table."""


class ExportPage(AskingPage):
    """What goes and how it is written on top; below it the documents, and one of them with what is struck out."""

    PICTURE = "curation"

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = ExportPresenter(self.lanes, self.requested.emit)
        self._make_widgets()
        self._lay_out()
        self.begin(self._draw)

    def _make_widgets(self) -> None:
        self.bar, self.preview, self.writing = ExportBar(self.presenter), PreviewPanel(), JobBar()
        self.facts = label("", "muted")
        self.facts.setWordWrap(True)
        self.documents, self.model = Panel(), PlainModel(self)
        self.table = PlainTable(self.model, tr("Documents of which something goes"), wide=(1,))
        self.documents.hold(self.table)
        at_least(self.documents, 22, 12)
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(lambda at: self.presenter.choose(at.row()))
        self.bar.write.clicked.connect(lambda: self._ask_folder(tr("Write the texts"), "cleaned", False))
        self.bar.index.clicked.connect(lambda: self._ask_folder(tr("Write a removal index"), "removed", True))

    def _lay_out(self) -> None:
        self.halves = Splitter(Qt.Orientation.Horizontal)
        for half in (self.documents, self.preview):
            self.halves.addWidget(half)
        # Proportions, not pixels.
        self.halves.setSizes([450, 550])
        self.frame(self.presenter, "cuts", self.bar, self.halves, (self.facts, self.writing))
        lane = self.lanes.named("export folder")
        lane.progressed.connect(self.writing.show_progress)
        lane.busy_changed.connect(self.writing.set_busy)
        self.writing.cancelled.connect(self.presenter.writer.slot.cancel)
        self.stale = Dimmer(self.headline, self.facts, self.documents, self.preview, parent=self)

    def _ask_folder(self, title: str, name: str, index: bool) -> None:
        # A folder that exists is refused by the export, with a sentence; a dialog that asks to replace it would lie.
        options = QFileDialog.Option.DontConfirmOverwrite
        text, _ = QFileDialog.getSaveFileName(self, title, begin_in(name), options=options)
        answer, corpus = self.presenter.state.answer.current, self.presenter.state.corpus
        if text and answer is not None and corpus is not None:
            saved_in(text)
            writer = self.presenter.writer
            (writer.write_index if index else writer.write)(corpus, answer, Path(text))

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: ExportState, before: ExportState | None) -> None:
        self.bar.draw(state, before)
        self.draw_frame(state, before)
        self.facts.setText(state.told)
        self.facts.setVisible(bool(state.told))
        if before is None or state.found is not before.found:
            self.model.show(state.header if state.found else (), state.table, state.tips)
        if 0 <= state.row < self.model.rowCount():
            flags = QItemSelectionModel.SelectionFlag
            chosen = self.model.index(state.row, 0)
            self.table.selectionModel().setCurrentIndex(chosen, flags.ClearAndSelect | flags.Rows)
        self.preview.draw(state, before)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        self.preview.text.mark_cuts()

    def focus_input(self) -> None:
        """The format."""
        self.bar.format.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the document below the table in a narrow window."""
        super().resizeEvent(event)
        narrow = self.width() < em(_NARROW)
        self.halves.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
