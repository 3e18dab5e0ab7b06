"""The metadata fields of the open index with their values: click one to list all its values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from explorer.gui.screens.index.parts import framed
from explorer.gui.screens.screen import Notice, label, named, offer
from explorer.gui.style.surfaces import keep_least
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.screens.index.about.presenter import AboutPresenter
    from explorer.gui.screens.index.about.state import AboutState


class FieldsPanel(QWidget):
    """Draws the fields of the presenter's state."""

    def __init__(self, presenter: AboutPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.hint = label(tr("select one to see its values"), "small")
        self.count = push_button(tr("Count values"))
        self.stop = push_button(tr("Cancel"), "quiet")
        self.bar = named(QProgressBar(minimum=0, maximum=0, textVisible=False), tr("Progress"))
        self.notice = Notice()
        self.model, self.values = PlainModel(self), PlainModel(self)
        self.table = PlainTable(self.model, tr("Fields"), wide=(1,))
        self.value_table = PlainTable(self.values, tr("Values"), wide=(0, 1))
        self.title = label("", "strong")
        self._lay_out()
        self.count.clicked.connect(lambda _=False: presenter.count_values())
        self.stop.clicked.connect(lambda _=False: presenter.stop_counting())
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._choose(now.row()))

    def _lay_out(self) -> None:
        for table in (self.table, self.value_table):
            table.setProperty("role", "inner")
        frame, content = framed(tr("Fields"), self.hint, self.count, self.stop, inset=False)
        content.setSpacing(0)
        content.addWidget(self.bar)
        content.addWidget(self.notice)
        keep_least(self.table, high=17)
        content.addWidget(self.table, 1)
        self._chosen = QWidget()
        column = QVBoxLayout(self._chosen)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 12, 8)
        head.addWidget(self.title, 1)
        column.addLayout(head)
        keep_least(self.value_table, high=11)
        column.addWidget(self.value_table, 1)
        content.addWidget(self._chosen, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)

    def _choose(self, row: int) -> None:
        # Until values are counted, the rows are only names, and choosing one has no effect.
        values = self.presenter.state.values.value or ()
        if 0 <= row < len(values) and values[row].name != self.presenter.state.chosen:
            self.presenter.choose_field(values[row].name)

    def draw(self, state: AboutState, before: AboutState | None) -> None:
        """Show a state.

        before: The one that was drawn before; None: everything is drawn.
        """
        counting = state.values.awaited
        self.count.setVisible(not counting and (state.offers_values or bool(state.why_no_values)))
        offer(self.count, state.why_no_values)
        self.stop.setVisible(counting)
        self.bar.setVisible(counting)
        self.hint.setVisible(state.values.value is not None)
        self.notice.show_text(state.fields_notice)
        progress = state.progress
        # Before the first report both ends are 0, for which Qt draws a bar that runs to and fro.
        self.bar.setRange(0, progress.total if progress is not None else 0)
        if progress is not None:
            self.bar.setValue(progress.done)
        if before is None or state.values is not before.values or state.corpus is not before.corpus:
            header = (tr("Field"), tr("Values"), tr("Distinct"), tr("Documents"))
            self.model.show(header, state.fields)
        if before is None or state.chosen != before.chosen or state.values is not before.values:
            self.title.setText(state.chosen_title)
            self.values.show((tr("Value"), tr("Documents")), state.chosen_values)
            self._chosen.setVisible(bool(state.chosen_title))
            self.value_table.setVisible(bool(state.chosen_values))
