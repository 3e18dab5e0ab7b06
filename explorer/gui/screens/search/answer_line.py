"""The text above the lines: how many are listed, of what, and other facts about them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from explorer.gui.screen import label
from explorer.gui.screens.search.cut_chips import CutChips
from explorer.gui.screens.search.cuts import CutChip
from explorer.gui.screens.search.describe import MoreFacts, describe, headline
from explorer.gui.screens.search.work import LinesAnswer
from explorer.i18n import tr
from explorer.search.arrange import LineSettings
from explorer.search.find import QueryResult

_GAP = 12


class AnswerLine(QWidget):
    """The large number counts what is listed; the text beside it states its unit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count = label("", "figure")
        self.unit = label("", "muted")
        self.details = label("", "muted")
        self.details.setWordWrap(True)
        self.cuts = CutChips()
        self.exact = QPushButton(tr("Make exact"))
        self.exact.setToolTip(tr("Check every occurrence of the centered phrase (can be cancelled)"))
        self.compare = QPushButton(tr("Compare"))
        self.compare.setToolTip(tr("Add this query to the comparison"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(_GAP)
        layout.addWidget(self.count)
        layout.addWidget(self.unit)
        layout.addWidget(self.details, 1)
        for part in (self.exact, self.cuts, self.compare):
            layout.addWidget(part)
        self.clear()

    def clear(self) -> None:
        """Show nothing: there is no query."""
        for part in (self.count, self.unit, self.details):
            part.setText("")
        self.cuts.show_cuts(())
        self.exact.hide()
        self.compare.hide()

    def show_cuts(self, cuts: Sequence[CutChip], more: int) -> None:
        """Show how the tokenizer split the hits.

        Parameters
        ----------
        cuts
            The most frequent ways.
        more
            The number of ways that are not given.
        """
        self.cuts.show_cuts(cuts, more)
        self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Distribute the width again."""
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Cuts get the room that the text leaves; only their number is shown if the text needs several lines."""
        others = [part for part in (self.count, self.unit, self.exact, self.compare) if not part.isHidden()]
        room = self.width() - sum(part.sizeHint().width() + _GAP for part in others) - _GAP
        self.cuts.set_room(room - self.details.fontMetrics().horizontalAdvance(self.details.text()) - _GAP)

    def show_found(self, found: QueryResult, view: LineSettings) -> None:
        """Show a query's hits, before their lines are known.

        Parameters
        ----------
        found
            The hits.
        view
            How lines are chosen.
        """
        self._show(found, view, None, MoreFacts())
        self.exact.setVisible(not found.exact)
        self.compare.show()

    def show_lines(self, answer: LinesAnswer, more: MoreFacts) -> None:
        """Show the lines, and what else is known by now.

        Parameters
        ----------
        answer
            The lines.
        more
            Documents and other figures that are counted after the lines.
        """
        self._show(answer.request.found, answer.request.view, answer, more)

    def _show(self, found: QueryResult, view: LineSettings, answer: LinesAnswer | None, more: MoreFacts) -> None:
        count, unit = headline(found, view, answer)
        self.count.setText(count)
        self.unit.setText(unit)
        self.details.setText(describe(found, answer, more))
        self._share()
