"""Opens the documents of lines, of which Search knows where the hits are. No Qt."""

from __future__ import annotations

from collections.abc import Callable

from explorer.analyses.search.needle import Needle
from explorer.gui.presenting.requests import DocumentRequest, Request
from explorer.gui.screens.search.lines.presenter import LinesPresenter
from explorer.gui.screens.search.query.history_presenter import HistoryPresenter
from explorer.gui.screens.search.views.presenter import DispersionPresenter
from explorer.gui.screens.search.work import Row


class OpenedDocuments:
    """Asks the window to show documents.

    dispersion: The documents with the most hits.
    history: Saves the query, whose result was looked at.
    """

    def __init__(
        self,
        lines: LinesPresenter,
        dispersion: DispersionPresenter,
        history: HistoryPresenter,
        request: Callable[[Request], None],
    ) -> None:
        self._lines, self._dispersion, self._history, self._request = lines, dispersion, history, request

    def of_line(self, row: Row) -> None:
        """Show the document of a line, at its hit."""
        self._open(row.line.document, row.line.offset, row.line.length, row.line.begin)

    def of_dispersion(self, row: int) -> None:
        """Show one of the documents with the most hits, by its row."""
        number = self._dispersion.document(row)
        if number is not None:
            self._open(number, 0, 0, 0)

    def _open(self, document: int, offset: int, length: int, begin: int) -> None:
        answer = self._lines.state.answer.value
        if answer is not None:
            self._lines.open(document)
            self._history.keep_now()
            needle = Needle.of(answer.request.found.parts)
            self._request(DocumentRequest(document, offset, length, needle, begin))
