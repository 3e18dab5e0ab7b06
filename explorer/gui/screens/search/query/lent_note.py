"""The line below the query while it is matched as another screen counted."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.gui.help.topics import about
from explorer.gui.screens.screen import offer
from explorer.gui.screens.search.activity import short_line
from explorer.gui.screens.search.query.presenter import QueryPresenter
from explorer.gui.screens.search.query.state import QueryState
from explorer.gui.widgets.fields.buttons import push_button
from explorer.i18n import tr


class LentNote(QWidget):
    """States it, and leads back to matching text; hidden otherwise."""

    def __init__(self, presenter: QueryPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        about(self, "search#text-and-tokens")
        self.text = short_line("muted")
        self.as_text = push_button(tr("Search as text"), "link")
        self.as_text.setToolTip(tr("Find the text however it is cut into tokens; the count may be higher"))
        self.as_text.clicked.connect(presenter.match_text)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.text)
        row.addWidget(self.as_text)
        row.addStretch(1)
        self.hide()

    def draw(self, state: QueryState) -> None:
        """Show it for a query."""
        self.text.setText(state.lent_note)
        offer(self.as_text, state.why_no_text)
        self.setVisible(bool(state.lent_note))
