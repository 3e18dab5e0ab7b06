"""The views of the lines besides the table: by field, and along the corpus."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from explorer.gui.runner import Runner
from explorer.gui.screens.search.field_answer import FieldAnswer, lines_by_field, tokens_by_field
from explorer.gui.screens.search.fields_view import FieldsView
from explorer.gui.screens.search.spread_view import SpreadView
from explorer.gui.screens.search.work import LinesAnswer, spread
from explorer.gui.widgets.dimmed import Dimmer
from explorer.i18n import mark, tr
from explorer.search.facets import Dispersion

VIEW_NAMES = (mark("Lines"), mark("Breakdown"), mark("Dispersion"), mark("Compare"), mark("Watch list"))
LINES, FIELDS, SPREAD, COMPARE, WATCH = range(5)


class LineViews(QObject):
    """Requests the data of a view when it is opened.

    `failed(CorpusError)`. runner: for the data of the view; sizes: for the tokens of values, which may take longer.
    """

    failed = Signal(object)

    def __init__(self, runner: Runner, sizes: Runner, figures: Sequence[QWidget], parent: QObject) -> None:
        super().__init__(parent)
        self._runner, self._sizes = runner, sizes
        self.fields = FieldsView(figures[0])
        self.spread = SpreadView(figures[1])
        shown = (self.spread.summary, self.spread.histogram, self.spread.table)
        self.old = Dimmer(self.fields.summary, self.fields.table, *shown, parent=self)

    def show_fields(self, answer: LinesAnswer | None) -> None:
        """Request the lines by the chosen field: first their number, then the tokens of its values."""
        field = self.fields.field.currentText()
        if answer is None:
            return
        if not field:
            self.fields.summary.setText(tr("This index has no metadata."))
            return
        report = self._runner.reporter()
        self._sizes.cancel()
        self.old.set_stale(True, at_once=False)
        self._runner.run(
            lambda cancel: lines_by_field(answer, field, report, cancel),
            lambda made: self._show_field(answer, made),
            self.failed.emit,
        )

    def _show_field(self, answer: LinesAnswer, made: FieldAnswer) -> None:
        self.old.set_stale(False)
        self.fields.show_answer(made, counting=True)
        report = self._sizes.reporter()
        self._sizes.run(
            lambda cancel: tokens_by_field(answer, made.facet, report, cancel),
            self.fields.show_answer,
            self.failed.emit,
        )

    def show_spread(self, answer: LinesAnswer | None) -> None:
        """Request the lines along the corpus."""
        if answer is not None:
            lines = answer.lines
            self.old.set_stale(True, at_once=False)
            self._runner.run(lambda cancel: spread(lines, cancel), self._show_spread, self.failed.emit)

    def _show_spread(self, found: Dispersion) -> None:
        self.old.set_stale(False)
        self.spread.show_spread(found)
