"""Where the neural model's side of the Mix tab comes from, and how the corpus predicts."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from explorer.analyses.model.making import METHODS as MODELS
from explorer.gui.chrome.folders import begin_in
from explorer.gui.screens.model.method_bar import MethodForms, leave_box
from explorer.gui.screens.model.mix.state import USUAL_URL, MixState
from explorer.gui.screens.model.mix.work import METHODS
from explorer.gui.screens.screen import label, named
from explorer.gui.style.direction import in_its_order
from explorer.gui.style.surfaces import keep_least
from explorer.gui.style.theme import scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr


class NeuralRow(QWidget):
    """Server or file, method, and what is asked for.

    Signals: `taken_from(bool)`: a file, not a server. `pointed(str)`: another address was typed. `wanted()`: the server
    is to be asked. `opened(str)`: a file was chosen. `method_chosen(str)`. `left_out(bool)`. `sizes_wanted()`.

    change: Called with the name and the value of a setting of the method that the user changed.
    """

    taken_from = Signal(bool)
    pointed = Signal(str)
    wanted = Signal()
    opened = Signal(str)
    method_chosen = Signal(str)
    left_out = Signal(bool)
    sizes_wanted = Signal()

    def __init__(self, change: Callable[..., None]) -> None:
        super().__init__()
        self.origin = Segments((tr("Server"), tr("File")), tr("Log probabilities of the model"))
        self.url = named(QLineEdit(placeholderText=USUAL_URL), tr("Address of the server"))
        self.url.setToolTip(tr("A server with llama.cpp's interface, or OpenAI's with log probabilities of the prompt"))
        self.ask = push_button(tr("Ask the model"), "primary")
        self.file = push_button(tr("Open log probabilities …"))
        self.name = ElidedLabel()
        self.method = named(QComboBox(), tr("Method of the corpus"))
        for name in METHODS:
            # In its order: a sign before letters would be after them in a window from right to left.
            self.method.addItem(in_its_order(tr(MODELS[name].title)), name)
        self.settings = MethodForms(METHODS, change)
        self.leave = leave_box()
        self.sizes = push_button(tr("Gain by size"), "quiet", "bars")
        self.sizes.setToolTip(tr("Mix smaller parts of the corpus, too: its documents, halved up to 8 times"))
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        row = QWidget()
        flow = FlowLayout(row, gap=8)
        corpus = QWidget()
        pair = QHBoxLayout(corpus)
        pair.setContentsMargins(0, 0, 0, 0)
        pair.setSpacing(scaled(6))
        pair.addWidget(label(tr("Corpus method"), "muted"))
        pair.addWidget(self.method)
        keep_least(self.url, wide=16)
        for widget in (
            *(self.origin, self.url, self.ask, self.file, self.name, corpus),
            *self.settings.widgets,
            *(self.leave, self.sizes),
        ):
            flow.addWidget(widget)
        whole.addWidget(row)

    def _connect(self) -> None:
        self.origin.chosen.connect(lambda number: self.taken_from.emit(number == 1))
        self.url.textEdited.connect(self.pointed)
        self.url.returnPressed.connect(self.ask.click)
        self.ask.clicked.connect(self.wanted)
        self.file.clicked.connect(self.ask_file)
        self.method.activated.connect(lambda _: self.method_chosen.emit(self.method.currentData()))
        self.leave.toggled.connect(self.left_out)
        self.sizes.clicked.connect(self.sizes_wanted)

    def ask_file(self) -> None:
        """Choose a file of log probabilities."""
        name, _ = QFileDialog.getOpenFileName(self, tr("Open log probabilities"), begin_in())
        if name:
            self.opened.emit(name)

    def focus_address(self) -> None:
        """Put the cursor in the address, which is selected."""
        self.url.setFocus()
        self.url.selectAll()

    def draw(self, state: MixState) -> None:
        """Show a state."""
        server = not state.from_file
        self.origin.choose(0 if server else 1)
        for widget in (self.url, self.ask):
            widget.setVisible(server)
        self.file.setVisible(not server)
        path = state.file.path if state.file is not None else None
        self.name.setVisible(not server and path is not None)
        self.name.setText(path.name if path is not None else "")
        self.name.setToolTip(tip("" if path is None else str(path)))
        # Setting the same text again would move the cursor of somebody who types.
        if self.url.text() != state.url:
            self.url.setText(state.url)
        ready = state.corpus is not None and not state.inputs.empty and bool(state.asked.url)
        self.ask.setEnabled(ready and not state.scores.awaited)
        self.method.setCurrentIndex(self.method.findData(state.method.name))
        self.settings.draw(state.method)
        self.leave.setChecked(state.leave_one_out)
        self.sizes.setEnabled(state.answer.current is not None and not state.sizes.awaited)
