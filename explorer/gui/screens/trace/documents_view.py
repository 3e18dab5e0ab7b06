"""The widgets of the documents beside a traced text: cards, and what chooses among them."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QListView,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.screen import label, named
from explorer.gui.screens.trace.card_list import CardDelegate, CardModel
from explorer.gui.screens.trace.choice_presenter import ChoicePresenter
from explorer.gui.screens.trace.choice_state import ChoiceState
from explorer.gui.screens.trace.span_chips import LongestButton, SpanChips
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.flow_layout import flowing
from explorer.i18n import tr


class DocumentsView(QWidget):
    """Draws the documents of what is chosen; the screen tells it what to draw.

    Parameters
    ----------
    presenter
        What it shows, and what is done with it.
    parent
        Qt's parent.
    """

    def __init__(self, presenter: ChoicePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = label("", "heading")
        self.heading.setWordWrap(True)
        self.fold = QCheckBox(tr("Merge duplicates"))
        self.fold.setToolTip(tr("Show documents from the same source on one card"))
        self.clear = QPushButton(tr("Clear selection"))
        self.clear.setToolTip(tr("Show all spans and all documents again (Esc)"))
        self.longest = LongestButton()
        self.nested = SpanChips()
        self.model = CardModel(self)
        self.cards = named(QListView(), tr("Documents"))
        self.cards.setModel(self.model)
        self.cards.setItemDelegate(CardDelegate(self.cards))
        self.cards.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.cards.setUniformItemSizes(True)
        self.empty = EmptyState("trace")
        self._lay_out()
        self._connect(presenter)

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.addWidget(self.heading, 1)
        header.addWidget(self.fold)
        header.addWidget(self.clear)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.cards)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 16, 12)
        column.setSpacing(8)
        column.addLayout(header)
        column.addWidget(flowing(self.longest))
        column.addWidget(self.nested)
        column.addWidget(self.stack, 1)
        self._stale = Dimmer(self.stack, parent=self)

    def _connect(self, presenter: ChoicePresenter) -> None:
        self.fold.toggled.connect(presenter.merge)
        self.clear.clicked.connect(presenter.clear)
        self.longest.clicked.connect(presenter.choose_longest)
        self.nested.chosen.connect(presenter.choose_span)
        self.cards.selectionModel().currentChanged.connect(lambda current, _: presenter.choose_document(current.row()))
        self.cards.activated.connect(lambda index: presenter.open(index.row()))

    def draw(self, state: ChoiceState, before: ChoiceState | None) -> None:
        """Draw the documents; `before` is None for the first state, of which everything is drawn."""
        self.fold.setChecked(state.fold)
        self.heading.setText(state.heading)
        self.clear.setVisible(state.can_clear)
        self.longest.show_passage(state.longest, state.choice.passage)
        self.nested.show_chips(state.chips)
        if before is None or state.cards is not before.cards:
            # A reset takes the current card away, which must not count as a choice.
            with QSignalBlocker(self.cards.selectionModel()):
                self.model.show(state.cards)
        if not state.cards:
            self.empty.say(*state.invitation)
        self.stack.setCurrentWidget(self.cards if state.cards else self.empty)
        self._stale.set_stale(state.dimmed, at_once=not state.awaited)
