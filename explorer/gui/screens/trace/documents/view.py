"""The widgets of the documents beside a traced text: cards, and what chooses among them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.screens.screen import label, named
from explorer.gui.screens.trace.documents.card_list import CardDelegate, CardModel, actions_height, card_area
from explorer.gui.screens.trace.documents.choice_presenter import ChoicePresenter
from explorer.gui.screens.trace.documents.choice_state import ChoiceState
from explorer.gui.screens.trace.documents.span_chips import SpanChips
from explorer.gui.screens.trace.folding_row import FoldingRow
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.layouts.stack import Stack
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.notices.empty_state import EmptyState
from explorer.i18n import tr


class CardActions(FoldingRow):
    """What can be done with the chosen card, as a row of buttons at its lower edge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row.addStretch(1)
        self.fit()

    def fit(self) -> None:
        """Leave the room above to the card."""
        self.row.setContentsMargins(em(1.0), 0, em(1.0), em(0.6))
        self.setFixedHeight(actions_height())
        self.fold(-1)

    def add(self, name: str, icon_name: str, first: bool = False) -> QPushButton:
        """Add an action.

        first: Whether it is the usual one, which has a frame and comes first.
        """
        button = push_button(name, "" if first else "quiet", icon_name)
        self.put(button, first)
        return button


class CardList(QListView):
    """The cards; the actions of the current one lie on it."""

    def __init__(self, model: CardModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # First, since each of the calls below may lay out the list.
        self.bar = CardActions(self.viewport())
        self.bar.hide()
        self.setModel(model)
        self.setItemDelegate(CardDelegate(self))
        self.setProperty("role", "cards")
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.verticalScrollBar().valueChanged.connect(lambda _: self.place_actions())
        when_restyled(self, self._restyle)

    def _restyle(self) -> None:
        self.bar.fit()
        # The heights of all cards depend on the text size, and Qt keeps them until the next layout.
        self.scheduleDelayedItemsLayout()

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Make room for the actions on the new current card; Qt calls it.

        previous: The one that was; neither needs to be valid.
        """
        super().currentChanged(current, previous)
        # Two cards change their height: the one that loses the actions and the one that gets them.
        for index in (previous, current):
            if index.isValid():
                self.itemDelegate().sizeHintChanged.emit(index)
        self.place_actions()

    def updateGeometries(self) -> None:
        """Keep the actions on their card whenever the cards were laid out."""
        super().updateGeometries()
        self.place_actions()

    def place_actions(self) -> None:
        """Put the actions on the lower edge of the current card."""
        index = self.currentIndex()
        self.bar.setVisible(index.isValid())
        if index.isValid():
            area = card_area(self.visualRect(index))
            self.bar.fold(area.width() - 4)
            self.bar.setGeometry(
                area.left() + 2, area.bottom() - self.bar.height() - 1, area.width() - 4, self.bar.height()
            )


class DocumentsView(QWidget):
    """Draws the documents of what is chosen; the page tells it what to draw.

    presenter: What it shows, and what is done with it.
    """

    def __init__(self, presenter: ChoicePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.heading = label("", "heading")
        self.heading.setWordWrap(True)
        self.back = icon_button("chevron-up", tr("Previous passage (Shift+F7)"))
        self.forth = icon_button("chevron-down", tr("Next passage (F7)"))
        self.hidden = push_button("", "quiet")
        self.hidden.setToolTip(tr("Mark the hidden passages again"))
        self.clear = push_button(tr("Show all"), "quiet", "close")
        self.clear.setToolTip(tr("Show all passages and all documents again (Esc)"))
        self.nested = SpanChips()
        self.model = CardModel(self)
        self.cards = named(CardList(self.model), tr("Documents"))
        self.side_button = self.cards.bar.add(tr("Side by side"), "side-by-side", first=True)
        self.side_button.setToolTip(tr("Compare your text with this document, word by word (F8)"))
        self.side_button.hide()
        self.open_button = self.cards.bar.add(tr("Open"), "document")
        self.copy_button = self.cards.bar.add(tr("Copy with source"), "copy")
        self.empty = EmptyState("trace")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setSpacing(4)
        header.addWidget(self.heading, 1)
        for button in (self.hidden, self.back, self.forth, self.clear):
            header.addWidget(button)
        self.stack = Stack()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.cards)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addLayout(header)
        column.addWidget(self.nested)
        column.addWidget(self.stack, 1)
        self._stale = Dimmer(self.stack, parent=self)

    def _connect(self) -> None:
        presenter = self.presenter
        self.clear.clicked.connect(self._show_all)
        self.hidden.clicked.connect(lambda: presenter.hide(None))
        self.back.clicked.connect(lambda: presenter.step(-1))
        self.forth.clicked.connect(lambda: presenter.step(1))
        self.nested.chosen.connect(presenter.choose_chip)
        self.cards.selectionModel().currentChanged.connect(lambda current, _: presenter.choose_document(current.row()))
        self.cards.activated.connect(lambda index: presenter.open(index.row()))
        self.open_button.clicked.connect(lambda: presenter.open(self.cards.currentIndex().row()))
        self.copy_button.clicked.connect(self.copy_card)

    def _show_all(self) -> None:
        # The button is about to be hidden: Qt would give its focus to the cards, of which it then chooses the first.
        self.forth.setFocus()
        self.presenter.clear()

    def offer_comparing(self, compare: Callable[[int], None]) -> None:
        """Show a button that compares the document of the current card, by its row."""
        self.side_button.show()
        self.side_button.clicked.connect(lambda: compare(self.cards.currentIndex().row()))

    def copy_card(self) -> None:
        """Copy what the current card shows, with its source; without a current one, the first."""
        text = self.presenter.state.source(max(0, self.cards.currentIndex().row()))
        if text:
            QGuiApplication.clipboard().setText(text)

    def draw(self, state: ChoiceState, before: ChoiceState | None) -> None:
        """Draw the documents.

        before: The state that was drawn before; None for the first one, of which everything is drawn.
        """
        self.heading.setText(state.heading)
        self.clear.setVisible(state.can_clear)
        self.hidden.setText(state.hidden)
        self.hidden.setVisible(state.hidden != "")
        for button in (self.back, self.forth):
            button.setVisible(bool(state.shown))
        self.nested.show_chips(state.chips)
        if before is None or state.entries is not before.entries:
            # A reset takes the current card away, which must not count as a choice.
            with QSignalBlocker(self.cards.selectionModel()):
                self.model.show(state.entries)
            if state.chosen_row >= 0:
                self.cards.setCurrentIndex(self.model.index(state.chosen_row))
            self.cards.place_actions()
        if not state.entries:
            self.empty.say(*state.invitation)
        self.stack.setCurrentWidget(self.cards if state.entries else self.empty)
        self._stale.set_stale(state.dimmed, at_once=not state.awaited)
