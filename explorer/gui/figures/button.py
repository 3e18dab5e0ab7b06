"""The button next to a plot that exports it as a figure."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton, QWidget

from explorer.chart import Chart
from explorer.errors import CorpusError
from explorer.gui.figures.dialog import FigureDialog, open_figure
from explorer.gui.runner import Runner
from explorer.i18n import tr

Make = Callable[[], tuple[Chart, ...]]


class FigureButton(QPushButton):
    """Makes the charts in the background, then opens the dialog.

    prepare: returns a function that makes the charts of what is shown now; None if nothing is shown.
    """

    def __init__(
        self,
        runner: Runner,
        prepare: Callable[[], Make | None],
        failed: Callable[[CorpusError], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Figure …"), parent)
        self.setToolTip(tr("Save the plot as PNG, SVG or PDF, or its data as CSV or JSON"))
        self._runner, self._prepare, self._failed = runner, prepare, failed
        self.dialog: FigureDialog | None = None
        self.clicked.connect(self.open)

    def open(self) -> None:
        """Make the charts, then show the dialog."""
        make = self._prepare()
        if make is not None:
            self._runner.run(lambda cancel: make(), self._show, self._failed)

    def _show(self, charts: tuple[Chart, ...]) -> None:
        if charts:
            self.dialog = open_figure(charts, self)
            self.dialog.bug.connect(self._runner.bug)
            self.dialog.destroyed.connect(self._forget)

    def _forget(self) -> None:
        self.dialog = None
