"""The dialog that opens an index on another machine: its address, its name, and what else the service needs."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from explorer.gui.chrome.dialog import Dialog
from explorer.gui.chrome.folders import begin_in
from explorer.gui.help.topics import about
from explorer.gui.remote.presenter import RemotePresenter
from explorer.gui.remote.state import USUAL, RemoteState
from explorer.gui.screens.screen import label, named, offer, text_order
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.notices.notice import Notice
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr

TOPIC = "index#indexes-on-other-machines"


class RemoteDialog(Dialog):
    """Draws the presenter's state. `help_wanted(str)`: a section of the guide.

    presenter: What it shows, and what is done with it.
    """

    help_wanted = Signal(str)

    def __init__(self, parent: QWidget, presenter: RemotePresenter) -> None:
        super().__init__(parent, tr("Open an index on another machine"))
        self.presenter = presenter
        self.address = text_order(named(QLineEdit(placeholderText=USUAL), tr("Address")))
        self.list = push_button(tr("List indexes"))
        self.where = label("", "muted")
        self.withdraw = push_button(tr("Ask again next time"), "link")
        self.notice = Notice()
        self.name = text_order(named(QLineEdit(), tr("Name of the index")))
        self.said = label("", "muted")
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Indexes of the service"), wide=(0,))
        self.tokenizer = text_order(named(QLineEdit(), tr("Tokenizer")))
        self.choose_tokenizer = push_button(tr("Choose …"))
        self.token = text_order(named(QLineEdit(echoMode=QLineEdit.EchoMode.Password), tr("Token")))
        self.token_file = text_order(named(QLineEdit(), tr("Token file")))
        self.choose_token = push_button(tr("Choose …"))
        self.open_button = push_button(tr("Open"), "primary")
        self.cancel_button = push_button(tr("Cancel"))
        self.help = icon_button("help", tr("Help: {name}", name=tr("Indexes on other machines")))
        about(self, TOPIC)
        self._lay_out()
        self._connect()
        self._draw(presenter.state, None)
        presenter.watch(self._draw)
        self.finished.connect(lambda _: presenter.end())

    def _lay_out(self) -> None:
        for part in (self.where, self.said):
            part.setWordWrap(True)
        self.token.setPlaceholderText(tr("Only if the server asks for one; it is not stored"))
        self.token_file.setPlaceholderText(tr("Instead of the token: a file that holds it"))
        self.choose_tokenizer.setAccessibleName(tr("Choose the tokenizer"))
        self.choose_token.setAccessibleName(tr("Choose the token file"))
        # Not a form layout, which gives a text one line, however many it needs.
        self._form = QGridLayout()
        self._form.setColumnStretch(1, 1)
        rows: tuple[tuple[str, tuple[QWidget, ...]], ...] = (
            (tr("Address"), (self.address, self.list)),
            ("", (self.where,)),
            (tr("Index"), (self.name,)),
            ("", (self.said,)),
            ("", (self.table,)),
            (tr("Tokenizer"), (self.tokenizer, self.choose_tokenizer)),
            (tr("Token"), (self.token,)),
            (tr("Token file"), (self.token_file, self.choose_token)),
        )
        for number, (name, parts) in enumerate(rows):
            if name:
                self._form.addWidget(label(name), number, 0)
            if len(parts) == 1:
                self._form.addWidget(parts[0], number, 1)
            else:
                self._form.addLayout(_row(*parts), number, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.help)
        buttons.addWidget(self.withdraw)
        buttons.addStretch(1)
        for button in (self.cancel_button, self.open_button):
            buttons.addWidget(button)
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._form)
        self._column.addWidget(self.notice)
        self._column.addStretch(1)
        self._column.addLayout(buttons)
        self.open_button.setDefault(True)
        for button in (self.list, self.withdraw, self.choose_tokenizer, self.choose_token, self.cancel_button):
            # Enter in a field is for the field, and elsewhere it opens.
            button.setAutoDefault(False)
        self._fit()
        when_restyled(self, self._fit)

    def _fit(self) -> None:
        self.setMinimumWidth(em(44))
        self.table.setFixedHeight(em(12))
        self._form.setVerticalSpacing(em(0.6))
        self._column.setSpacing(em(1))

    def _connect(self) -> None:
        presenter = self.presenter
        self.address.textEdited.connect(presenter.type_address)
        self.name.textEdited.connect(presenter.type_name)
        self.tokenizer.textEdited.connect(lambda text: presenter.choose(tokenizer=text))
        self.token.textEdited.connect(lambda text: presenter.choose(token=text))
        self.token_file.textEdited.connect(lambda text: presenter.choose(token_file=text))
        self.list.clicked.connect(presenter.list)
        self.withdraw.clicked.connect(presenter.withdraw)
        self.choose_tokenizer.clicked.connect(self.ask_tokenizer)
        self.choose_token.clicked.connect(self.ask_token_file)
        self.table.clicked.connect(self._take_row)
        self.table.activated.connect(self._open_row)
        self.cancel_button.clicked.connect(self.reject)
        self.help.clicked.connect(lambda: self.help_wanted.emit(TOPIC))
        self.open_button.clicked.connect(self.open_index)

    def open_index(self) -> None:
        """Open the index that is named; with an address only, its indexes are listed first."""
        if self.presenter.state.lists_first or self.presenter.state.why_not_open:
            self.presenter.list()
        elif self.presenter.open():
            self.accept()

    def ask_tokenizer(self) -> None:
        """Let the user choose the tokenizer."""
        title, kinds = tr("Tokenizer of this index"), tr("Tokenizers (*.json)")
        path, _ = QFileDialog.getOpenFileName(self, title, begin_in(), kinds)
        if path:
            self.presenter.choose(tokenizer=path)

    def ask_token_file(self) -> None:
        """Let the user choose the file with the token."""
        path, _ = QFileDialog.getOpenFileName(self, tr("File with the token of the server"), begin_in())
        if path:
            self.presenter.choose(token_file=path)

    def _agree(self) -> None:
        if self.presenter.agree():
            self.accept()

    def _take_row(self, index: QModelIndex) -> None:
        self.presenter.type_name(self.presenter.state.indexes[index.row()].name)

    def _open_row(self, index: QModelIndex) -> None:
        self._take_row(index)
        self.open_index()

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: RemoteState, before: RemoteState | None) -> None:
        entries = state.entries
        for field, text in (
            (self.address, entries.address),
            (self.name, entries.name),
            (self.tokenizer, entries.tokenizer),
            (self.token, entries.token),
            (self.token_file, entries.token_file),
        ):
            # Setting the same text again would move the cursor of somebody who types.
            if field.text() != text:
                field.setText(text)
        self.where.setText(state.where)
        self.withdraw.setVisible(state.can_withdraw)
        self.said.setText(state.said)
        self.said.setVisible(bool(state.said))
        self.tokenizer.setPlaceholderText(state.tokenizer_hint)
        self.tokenizer.setToolTip(tip(state.tokenizer_hint))
        self.list.setEnabled(not state.listed.awaited)
        offer(self.list, state.why_not_list)
        if before is None or state.indexes is not before.indexes:
            self.model.show((tr("Name"), tr("Documents"), tr("Tokens")), state.rows)
            self.table.setVisible(bool(state.rows))
        if before is None or (state.notice, state.asks) != (before.notice, before.asks):
            self._draw_notice(state)
        self._grow()

    def _grow(self) -> None:
        """Make room for what has more lines now: a window grows by itself only for what is wider or has one line."""
        layout = self.layout()
        if layout is not None and self.isVisible():
            layout.activate()
            self.resize(self.width(), max(self.height(), layout.totalHeightForWidth(self.width())))

    def _draw_notice(self, state: RemoteState) -> None:
        if state.asks:
            remedies = ((tr("Send"), self._agree), (tr("Not now"), self.presenter.decline))
            self.notice.show_notice(state.notice, kind="warn", remedies=remedies)
        elif state.problem is not None:
            self.notice.show_error(state.problem, ((tr("Try again"), self.presenter.list),))
        else:
            self.notice.show_text("")


def _row(*parts: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for part in parts:
        row.addWidget(part, isinstance(part, QLineEdit) or part is parts[0])
    return row
