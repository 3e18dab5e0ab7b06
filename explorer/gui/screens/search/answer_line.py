"""The text above the lines: how many are listed, of what, and other facts about them."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from explorer.gui.screen import label
from explorer.gui.screens.search.describe import describe, headline
from explorer.gui.screens.search.work import LinesAnswer
from explorer.search.arrange import View
from explorer.search.find import QueryResult
from explorer.words import tr


class AnswerLine(QWidget):
    """The large number counts what is listed; the text beside it states its unit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count = label("", "figure")
        self.unit = label("", "muted")
        self.details = label("", "muted")
        self.details.setWordWrap(True)
        self.exact = QPushButton(tr("Make exact"))
        self.exact.setToolTip(tr("Check every occurrence of the centered phrase (can be cancelled)"))
        self.compare = QPushButton(tr("Compare"))
        self.compare.setToolTip(tr("Add this query to the comparison"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(self.count)
        layout.addWidget(self.unit)
        layout.addWidget(self.details, 1)
        for button in (self.exact, self.compare):
            layout.addWidget(button)
        self.clear()

    def clear(self) -> None:
        """Show nothing: there is no query."""
        for part in (self.count, self.unit, self.details):
            part.setText("")
        self.exact.hide()
        self.compare.hide()

    def show_found(self, found: QueryResult, view: View) -> None:
        """Show a query's hits, before their lines are known."""
        self._show(found, view, None, None)
        self.exact.setVisible(not found.exact)
        self.compare.show()

    def show_lines(self, answer: LinesAnswer, documents: int | None) -> None:
        """Show the lines, and their documents once these are counted."""
        self._show(answer.request.found, answer.request.view, answer, documents)

    def _show(self, found: QueryResult, view: View, answer: LinesAnswer | None, documents: int | None) -> None:
        count, unit = headline(found, view, answer)
        self.count.setText(count)
        self.unit.setText(unit)
        self.details.setText(describe(found, answer, documents))
