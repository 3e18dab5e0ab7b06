"""Which answer of a file is in the editor, with keys to the next one and back to the table."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.screens.trace.batch.state import BatchState
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.state import View
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.i18n import tr


class RowBar(QWidget):
    """Hidden unless an answer of a file is shown."""

    def __init__(self, presenter: TracePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = push_button(tr("All answers"), "quiet", "chevron-left")
        self.place = label("")
        self.back = icon_button("chevron-up", tr("Previous answer (Alt+Page Up)"))
        self.forth = icon_button("chevron-down", tr("Next answer (Alt+Page Down)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for part in (self.table, self.place, self.back, self.forth):
            row.addWidget(part)
        row.addStretch(1)
        self.table.clicked.connect(lambda: presenter.choose_view(View.FILE))
        self.back.clicked.connect(lambda: presenter.batch.step(-1))
        self.forth.clicked.connect(lambda: presenter.batch.step(1))
        self.hide()

    def draw(self, state: BatchState) -> None:
        """Name the answer that is shown."""
        self.place.setText(state.place)
        self.setVisible(state.place != "")
