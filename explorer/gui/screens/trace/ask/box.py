"""Where a question is typed, and how it is asked."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.help.topics import about, help_button
from explorer.gui.screens.screen import label, named
from explorer.gui.screens.trace.ask.presenter import AskPresenter
from explorer.gui.screens.trace.ask.state import AskState
from explorer.gui.screens.trace.folding_row import FoldingRow
from explorer.gui.style.surfaces import keep_least, when_restyled
from explorer.gui.style.theme import em
from explorer.gui.style.untrusted import caption, tip
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.number_box import DecimalBox, NumberBox
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.texts.plain_text import PlainText
from explorer.i18n import tr
from explorer.neural.models import HOTTEST, MOST_TOKENS

TOPIC = "trace#ask-a-model"
_LINES = 4.6
"""Height of the question, in em: three lines."""


class QuestionEdit(PlainText):
    """A question. `submitted()`: Enter; Shift+Enter begins a line. `escaped()`: Esc."""

    submitted = Signal()
    escaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setProperty("role", "inner")
        named(self, tr("Question"))
        self._fit()
        when_restyled(self, self._fit)

    def _fit(self) -> None:
        self.setFixedHeight(em(_LINES))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter asks, Esc stops."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def show_text(self, text: str) -> None:
        """Show another question, which can be undone."""
        if text != self.toPlainText():
            data = QMimeData()
            data.setText(text)
            self.selectAll()
            self.insertFromMimeData(data)


class MannerPopover(Popover):
    """Temperature, length and system prompt."""

    def __init__(self, anchor: QWidget, presenter: AskPresenter) -> None:
        super().__init__(anchor, tr("How to answer"))
        self.temperature = named(
            DecimalBox(minimum=0.0, maximum=HOTTEST, singleStep=0.1, decimals=2), tr("Temperature")
        )
        self.temperature.setToolTip(tr("0 for the most probable answer; higher is more varied"))
        self.length = named(NumberBox(minimum=1, maximum=MOST_TOKENS, singleStep=64), tr("Length"))
        self.length.setToolTip(tr("Tokens of an answer at most"))
        self.system = named(PlainText(), tr("System prompt"))
        self.system.setPlaceholderText(tr("What precedes the conversation, such as “Answer in one sentence.”"))
        keep_least(self.system, wide=26, high=7)
        self.system.setTabChangesFocus(True)
        self.head.addWidget(help_button(TOPIC, tr("Ask a model"), anchor))
        rows = QFormLayout()
        rows.addRow(label(tr("Temperature"), "muted"), self.temperature)
        rows.addRow(label(tr("Most tokens"), "muted"), self.length)
        self.body.addLayout(rows)
        self.body.addWidget(label(tr("System prompt"), "muted"))
        self.body.addWidget(self.system)
        self.draw(presenter.state)
        self.temperature.valueChanged.connect(lambda value: presenter.set_manner(temperature=round(value, 2)))
        self.length.valueChanged.connect(lambda value: presenter.set_manner(most_tokens=value))
        self.system.textChanged.connect(lambda: presenter.set_manner(system=self.system.toPlainText()))

    def draw(self, state: AskState) -> None:
        """Show the settings."""
        self.temperature.setValue(state.manner.temperature)
        self.length.setValue(state.manner.most_tokens)
        if self.system.toPlainText() != state.manner.system:
            self.system.setPlainText(state.manner.system)


class AskBox(Panel):
    """The question, its settings, and the button that asks or stops."""

    def __init__(self, presenter: AskPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._presenter = presenter
        self._popover: MannerPopover | None = None
        self.edit = QuestionEdit()
        self.manner = push_button(tr("Temperature"), "quiet", "settings")
        self.manner.setAccessibleName(tr("How to answer"))
        self.two = push_button(tr("Ask two models"), "quiet", "columns")
        self.two.setCheckable(True)
        self.two.setToolTip(tr("Ask the same of two models, side by side"))
        self.ask = push_button(tr("Ask"), "primary")
        self.stop = push_button(tr("Stop (Esc)"), "", "stop")
        about(self, TOPIC)
        self._lay_out()
        self._connect()
        when_restyled(self, self._fold)

    def _lay_out(self) -> None:
        self.tools = FoldingRow()
        self.tools.put(self.two)
        row = QHBoxLayout()
        row.setContentsMargins(8, 0, 8, 8)
        row.setSpacing(4)
        row.addWidget(self.manner)
        row.addWidget(self.tools)
        row.addStretch(1)
        row.addWidget(self.ask)
        row.addWidget(self.stop)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(4, 4, 4, 0)
        column.setSpacing(4)
        column.addWidget(self.edit)
        column.addLayout(row)
        self.body.addWidget(whole)

    def _connect(self) -> None:
        presenter = self._presenter
        self.edit.textChanged.connect(lambda: presenter.typed(self.edit.toPlainText()))
        self.edit.submitted.connect(presenter.ask)
        self.ask.clicked.connect(presenter.ask)
        self.stop.clicked.connect(presenter.stop)
        self.two.toggled.connect(presenter.set_two)
        self.manner.clicked.connect(self._open_manner)

    def _open_manner(self) -> None:
        # Made now, and not when the button is connected.
        self.popover.open()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give up words where there is less room."""
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        others = self.manner.sizeHint().width() + max(part.sizeHint().width() for part in (self.ask, self.stop))
        # The margins of the row, and what is between its parts.
        self.tools.fold(max(0, self.width() - others - 48))

    @property
    def popover(self) -> MannerPopover:
        """The settings of a question, made at their first use."""
        if self._popover is None:
            self._popover = MannerPopover(self.manner, self._presenter)
        return self._popover

    def draw(self, state: AskState, answering: bool, begun: bool) -> None:
        """Show the question, and whether it can be asked."""
        self.edit.show_text(state.question)
        self.edit.setPlaceholderText(tr("Ask a follow-up …") if begun else tr("Ask a question …"))
        if self.manner.text() != caption(state.manner_text):
            self.manner.setText(caption(state.manner_text))
            self._fold()
        self.manner.setToolTip(tip(state.manner_hint))
        self.two.setChecked(state.two)
        self.ask.setVisible(not answering)
        self.ask.setEnabled(bool(state.question.strip()))
        self.stop.setVisible(answering)
        if self._popover is not None:
            self._popover.draw(state)
