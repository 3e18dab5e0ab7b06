"""The table of a comparison of queries, and what is added to it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from explorer.gui.chrome.folders import begin_in
from explorer.gui.chrome.undo_keys import follow_choices
from explorer.gui.index.beside_notice import BesideNotice
from explorer.gui.screens.screen import label, offer
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.views.compare_presenter import HEADER, CompareState
from explorer.gui.style.direction import isolated
from explorer.gui.style.surfaces import keep_least
from explorer.gui.style.text_positions import short_text
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.chip import Chip
from explorer.gui.widgets.layouts.flow_layout import flowing, side_by_side
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.notices.empty_state import EmptyState
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr


class CompareView(QWidget):
    """A list of queries with their counts. `query_chosen(str)`: search for this one; `export_wanted()`."""

    query_chosen = Signal(str)
    export_wanted = Signal()

    def __init__(self, search: SearchPresenter, figure: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = search.comparison
        self.add_current = Chip("", "add")
        self.add_current.set_hint(tr("Add the query of the field above to the comparison"))
        self.add_current.clicked.connect(search.compare)
        self._addable = ""
        self.add_field = QLineEdit(placeholderText=tr("Query to compare"))
        self.add_field.setAccessibleName(tr("Query to compare"))
        self.add = push_button(tr("Add"), "", "plus")
        self.add.setToolTip(tr("Add this query to the comparison (Enter)"))
        self.remove = QPushButton(tr("Remove query"))
        self.remove.setToolTip(tr("Remove the selected query (Delete)"))
        self.add_index = QPushButton(tr("Add an index …"))
        self.add_index.setToolTip(tr("Also count these queries in another index"))
        self.clear_indexes = QPushButton(tr("This index only"))
        self.export = QPushButton(tr("Export …"))
        self.notice = BesideNotice(self._presenter)
        self.how = label("", "muted")
        self.how.setWordWrap(True)
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Comparison of queries"), wide=(2,))
        self.empty = EmptyState("list")
        self.empty.say(
            tr("Compare how often queries occur"),
            tr(
                "Type a query above and click “Add”, then another. Each is counted in this index, and in the "
                "indexes that you add."
            ),
        )
        self._lay_out(figure)
        self._stale = Dimmer(self.how, self.table, parent=self)
        self._connect()
        follow_choices(self, self._presenter.choices)
        self._offer_adding()

    def _connect(self) -> None:
        self.add_field.returnPressed.connect(self._add_typed)
        self.add_field.textChanged.connect(lambda _: self._offer_adding())
        self.add.clicked.connect(self._add_typed)
        self.remove.clicked.connect(self._remove_selected)
        self.add_index.clicked.connect(self._ask_index)
        self.clear_indexes.clicked.connect(self._presenter.only_this_index)
        self.export.clicked.connect(self.export_wanted)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._offer_removal())
        self.model.modelReset.connect(self._offer_removal)
        self.table.activated.connect(lambda index: self.query_chosen.emit(self._presenter.state.query_of(index.row())))
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table)
        # On the table alone: in the field, the same key deletes a character.
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove_selected)

    def _lay_out(self, figure: QWidget) -> None:
        keep_least(self.add_field, wide=14)
        buttons = (self.add_index, self.clear_indexes, figure, self.export)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(flowing(side_by_side(self.add_field, self.add), self.add_current, *buttons))
        layout.addWidget(self.notice)
        row = QHBoxLayout()
        row.addWidget(self.how, 1)
        # Above the table, in which a query is selected; in the row of what is added, the words would not fit.
        row.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(row)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.empty, 1)

    def draw(self, state: CompareState, before: CompareState | None, addable: str) -> None:
        """Show the counts.

        before: The one that was drawn before; None for the first.
        addable: The query whose hits are known and that is not compared yet; "" for none.
        """
        self.add_current.setVisible(bool(addable))
        # Its width is part of the row: the words change only with the query.
        if addable and addable != self._addable:
            self._addable = addable
            self.add_current.set_words(tr("Add “{query}”", query=isolated(short_text(addable, 30))))
        self.notice.draw(state.notice, state.problem, state.remedies)
        self.how.setText(state.how)
        self.export.setEnabled(state.can_export)
        self.empty.setVisible(not state.rows)
        self.table.setVisible(bool(state.rows))
        for part in (self.how, self.remove):
            part.setVisible(bool(state.rows))
        self._offer_removal()
        self.clear_indexes.setVisible(bool(state.beside))
        if before is None or state.shown is not before.shown:
            self.model.show(tuple(map(tr, HEADER)) if state.rows else (), state.rows)
        self._stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _offer_adding(self) -> None:
        offer(self.add, "" if self.add_field.text().strip() else tr("Type a query first."))

    def _offer_removal(self) -> None:
        offer(self.remove, "" if self.table.currentIndex().isValid() else tr("Select a query in the table first."))

    def _ask_index(self) -> None:
        path = QFileDialog.getExistingDirectory(self, tr("Choose another index folder to compare with"), begin_in())
        if path:
            self._presenter.add_index(path)

    def _add_typed(self) -> None:
        self._presenter.add(self.add_field.text())
        self.add_field.clear()

    def _remove_selected(self) -> None:
        self._presenter.remove(self.table.currentIndex().row())
