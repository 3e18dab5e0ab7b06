"""Which model is asked: a button with its name and address, and a pop-over that changes them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from explorer.gui.screens.screen import label, named, text_order
from explorer.gui.screens.trace.ask.presenter import AskPresenter
from explorer.gui.screens.trace.ask.state import USUAL_URL, Seat, SideState
from explorer.gui.style.direction import in_its_order
from explorer.gui.style.icons import draw_icon
from explorer.gui.style.surfaces import keep_least
from explorer.gui.style.theme import chrome, font_of, qcolor, scaled
from explorer.gui.style.untrusted import caption, tip
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.painting import draw_words, rounded
from explorer.i18n import tr

_MOST_NAME = 28
"""Letters of a model's name on the button: its tool tip has the rest."""


class WhereBadge(QWidget):
    """Where the texts go, in a frame: green only if they stay on this machine."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stays, self.words = True, ""
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def show_seat(self, seat: Seat) -> None:
        """Show where a model is."""
        self.stays = seat.stays_here
        self.words = (
            tr("Runs on this computer. Nothing leaves it.") if self.stays else tr("Sends texts to another machine.")
        )
        hint = (
            tr("The server's address is of this computer. A server that passes texts on cannot be recognized.")
            if self.stays
            else tr("You are asked before the first text is sent.")
        )
        self.setToolTip(tip(hint))
        self.setAccessibleName(self.words)
        self.setAccessibleDescription(hint)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        words = QFontMetrics(font_of(0.92)).horizontalAdvance(self.words)
        return QSize(words + 1 + 2 * scaled(8) + scaled(16) + scaled(6), chrome(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill, icon and words."""
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        rounded(painter, QRectF(self.rect()), 4, "ok_soft" if self.stays else "warn_soft")
        ink, side, pad = "ok" if self.stays else "warn", scaled(16), scaled(8)
        left = self.width() - pad - side if self.isRightToLeft() else pad
        draw_icon(
            painter, "done" if self.stays else "warning", QRectF(left, (self.height() - side) / 2, side, side), ink
        )
        painter.setFont(font_of(0.92))
        painter.setPen(qcolor(ink))
        around = pad + side + scaled(6)
        room = QRectF(self.rect())
        room = room.adjusted(pad, 0, -around, 0) if self.isRightToLeft() else room.adjusted(around, 0, -pad + 1, 0)
        draw_words(painter, room, self.words)
        painter.end()


class ModelPopover(Popover):
    """Address and model of one side."""

    def __init__(self, anchor: QWidget, presenter: AskPresenter, number: int) -> None:
        super().__init__(anchor, tr("Model"))
        self._presenter, self._number = presenter, number
        # Why what is typed is not an address, and whether this is shown: not while somebody types one.
        self._problem, self._complete = "", False
        self.url = text_order(named(QLineEdit(placeholderText=USUAL_URL), tr("Address of the server")))
        keep_least(self.url, wide=24)
        self.key = text_order(named(QLineEdit(echoMode=QLineEdit.EchoMode.Password), tr("Key of the server")))
        self.key.setPlaceholderText(tr("If the server asks for one"))
        self.key.setToolTip(tip(tr("Sent to this address only, and forgotten when the window closes.")))
        self.list = push_button(tr("List models"))
        self.search = push_button(tr("Find on this computer"), "", "search")
        self.search.setToolTip(tip(tr("Asks ports 8080, 11434, 1234 and 8000 of this computer, and nothing else.")))
        self.found = label("", "muted")
        self.found.setWordWrap(True)
        self.allow = push_button(tr("Ask this machine"))
        self.model = named(QComboBox(), tr("Model"))
        self.model.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.model.setMinimumContentsLength(_MOST_NAME)
        self.close_button = push_button(tr("Done"), "primary")
        row = QHBoxLayout()
        row.addWidget(self.list)
        row.addWidget(self.search)
        row.addStretch(1)
        self.body.addWidget(label(tr("Address"), "muted"))
        self.body.addWidget(self.url)
        self.body.addWidget(label(tr("Key"), "muted"))
        self.body.addWidget(self.key)
        self.body.addLayout(row)
        for part in (self.found, self.allow, label(tr("Model"), "muted"), self.model):
            self.body.addWidget(part)
        self.foot.addStretch(1)
        self.foot.addWidget(self.close_button)
        self._connect()

    def _connect(self) -> None:
        presenter, number = self._presenter, self._number
        self.url.textEdited.connect(self._type)
        self.url.returnPressed.connect(self._done)
        self.key.textEdited.connect(lambda text: presenter.set_key(number, text.strip()))
        self.key.returnPressed.connect(self._done)
        self.list.clicked.connect(self._list)
        self.search.clicked.connect(presenter.finder.find)
        self.allow.clicked.connect(lambda: presenter.list_models(number, agreed=True))
        self.model.activated.connect(lambda _: presenter.sides[number].sit(self.model.currentData()))
        self.close_button.clicked.connect(self._done)

    def open(self) -> None:
        """Show it, with the address that is asked."""
        self._problem = ""
        super().open()
        self.draw()

    def _type(self, text: str) -> None:
        """Take an address; while it is not an address, the previous one stays."""
        seat = Seat(text.strip() or USUAL_URL)
        self._problem, self._complete = seat.problem, False
        if not self._problem:
            self._presenter.sides[self._number].sit(seat)
        self.draw()

    def _done(self) -> None:
        """Close it, unless what is typed is not an address."""
        if not self._refused():
            self.close()

    def _list(self) -> None:
        if not self._refused():
            self._presenter.list_models(self._number)

    def _refused(self) -> bool:
        """Whether what is typed is not an address, which is shown then."""
        if self._problem:
            self._complete = True
            self.draw()
            self.url.setFocus()
            self.url.selectAll()
        return bool(self._problem)

    @property
    def _seat(self) -> Seat:
        return self._presenter.sides[self._number].state.seat

    def draw(self) -> None:
        """Show what was found, and what is chosen."""
        seat, state = self._seat, self._presenter.finder.state
        # Setting the same text again would move the cursor of somebody who types.
        if not self._problem and (self.url.text().strip() or USUAL_URL) != seat.url:
            self.url.setText(seat.url)
        key = self._presenter.state.key_of(seat) or ""
        if self.key.text().strip() != key:
            self.key.setText(key)
        words = self._problem if self._problem and self._complete else state.text
        self.found.setText(words)
        self.found.setVisible(bool(words))
        self.allow.setVisible(state.asks_consent)
        for button in (self.list, self.search):
            button.setEnabled(not state.found.awaited)
        self._offer([Seat(seat.url), *state.offered], seat)
        if self.isVisible():
            self.fit()

    def _offer(self, seats: list[Seat], chosen: Seat) -> None:
        offered = seats if chosen in seats else [*seats, chosen]
        if offered != [self.model.itemData(number) for number in range(self.model.count())]:
            self.model.clear()
            for each in offered:
                words = tr("{model} at {host}", model=each.name, host=each.host)
                self.model.addItem(in_its_order(words), each)
        self.model.setCurrentIndex(offered.index(chosen))
        self.model.setToolTip(tip(self.model.currentText()))


class ModelPicker(QWidget):
    """The model of one side."""

    def __init__(self, presenter: AskPresenter, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter, self._number = presenter, number
        self._popover: ModelPopover | None = None
        self.button = push_button("", "", "language-model")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.button)
        self.button.clicked.connect(self.open)

    @property
    def popover(self) -> ModelPopover:
        """Where it is changed."""
        if self._popover is None:
            self._popover = ModelPopover(self.button, self._presenter, self._number)
            self._popover.draw()
        return self._popover

    def open(self) -> None:
        """Change the model."""
        self.popover.open()

    def draw(self, side: SideState) -> None:
        """Show which model is asked."""
        seat = side.seat
        name = seat.name if len(seat.name) <= _MOST_NAME else seat.name[: _MOST_NAME - 1] + "…"
        words = tr("{model} at {host}", model=name, host=seat.host)
        if self.button.text() != caption(words):
            self.button.setText(caption(words))
            self.button.setToolTip(tip(tr("Model and address: {model} at {host}", model=seat.name, host=seat.url)))
        if self._popover is not None:
            self._popover.draw()
