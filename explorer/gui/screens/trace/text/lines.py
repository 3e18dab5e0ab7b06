"""The lines above a traced text: its prompt, and that the text itself is in the corpus."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from explorer.gui.screens.screen import Notice, label, offer
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.state import TraceState
from explorer.gui.widgets.fields.buttons import push_button
from explorer.i18n import tr


class PromptLine(QWidget):
    """The prompt that a text answers; hidden unless there is one, or one is to be added."""

    def __init__(self, presenter: TracePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(placeholderText=tr("Prompt that the text answers; it helps to rank documents"))
        self.field.setAccessibleName(tr("Prompt"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label(tr("Prompt"), "muted"))
        row.addWidget(self.field, 1)
        self.field.textChanged.connect(presenter.typed_prompt)

    def draw(self, state: TraceState) -> None:
        """Show the prompt of a text."""
        if self.field.text() != state.prompt:
            with QSignalBlocker(self.field):
                self.field.setText(state.prompt)
            # A long prompt is shown from its beginning.
            self.field.setCursorPosition(0)
        self.setVisible(state.prompt_shown)


class OwnLine(QWidget):
    """That the corpus has the text itself, and what can be done about it; hidden unless it has.

    presenter: Leaves documents out, and takes them back.
    """

    def __init__(self, presenter: TracePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.self_match = Notice()
        self.leave_out = push_button(tr("Exclude these documents"))
        self.put_back = push_button(tr("Include them again"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.self_match, 1)
        # Only the notice takes what room there is.
        for button in (self.leave_out, self.put_back):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.leave_out.clicked.connect(lambda: presenter.leave_out(True))
        self.put_back.clicked.connect(lambda: presenter.leave_out(False))

    def draw(self, state: TraceState) -> None:
        """Tell what is known of a text."""
        self.self_match.show_text(state.self_match)
        self.leave_out.setVisible(state.offers_leaving_out)
        self.put_back.setVisible(state.offers_putting_back)
        self.setVisible(state.self_match != "" or state.offers_leaving_out or state.offers_putting_back)
        offer(self.leave_out, state.why_not_leave_out)
