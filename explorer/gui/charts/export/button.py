"""The buttons next to a plot or a list: one that exports it as a figure, and one that also offers data and code."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from explorer.chart import Chart
from explorer.errors import CorpusError
from explorer.export.registry import FIGURES
from explorer.export.tables import table_text
from explorer.gui.charts.export.dialog import FigureDialog, open_figure
from explorer.gui.charts.export.save import save_chart
from explorer.gui.chrome.save_dialog import ask_where
from explorer.gui.presenting.requests import CopyRecipe, Request, Saved, Told
from explorer.gui.screens.screen import Screen
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import keep_icon_size
from explorer.gui.threads.runner import Runner
from explorer.i18n import tr, trn
from explorer.recipes import Recipe, Source

Make = Callable[[], tuple[Chart, ...]]
MakeRecipe = Callable[[Source], Recipe | None]
_DATA = tuple(form for form in FIGURES if form.id in ("csv", "json"))
"""The formats that hold the plotted values."""


class FigureButton(QPushButton):
    """Makes the charts in the background, then opens the dialog.

    prepare: Returns a function that makes the charts of what is shown now; None if nothing is shown.
    failed: Called with an error of making or writing them.
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
        self.clicked.connect(self.act)

    def act(self) -> None:
        """Do what a click asks for."""
        self.open()

    def open(self) -> None:
        """Make the charts, then show the dialog."""
        self.make(self._show)

    def make(self, done: Callable[[tuple[Chart, ...]], None]) -> None:
        """Make the charts in the background, and hand them over; nothing happens where there are none."""
        make = self._prepare()
        if make is not None:
            self._runner.run(lambda cancel: make(), lambda charts: done(charts) if charts else None, self._failed)

    def _show(self, charts: tuple[Chart, ...]) -> None:
        # Over the window, not in the button: a dialog in a part that scrolls would count as a part of it.
        self.dialog = open_figure(charts, self.window())
        self.dialog.bug.connect(self._runner.bug)
        self.dialog.saved.connect(self.tell_saved)
        self.dialog.destroyed.connect(self._forget)

    def _forget(self) -> None:
        self.dialog = None

    def tell_saved(self, path: Path) -> None:
        """Report a file that was written, with ways to open it."""
        self.ask(Saved(path, tr("Saved {name}", name=path.name)))

    def ask(self, request: Request) -> None:
        """Ask another part of the window, by way of the screen that the button is on."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, Screen):
            above = above.parentWidget()
        if above is not None:
            above.requested.emit(request)


class ExportButton(FigureButton):
    """Offers the figure, its data, and the code that computes the result again.

    recipe: Makes the code; None for that of the screen.
    """

    def __init__(
        self,
        runner: Runner,
        prepare: Callable[[], Make | None],
        failed: Callable[[CorpusError], None],
        recipe: MakeRecipe | None = None,
    ) -> None:
        super().__init__(runner, prepare, failed)
        self.setText(tr("Export"))
        self.setToolTip(tr("Save a figure or its data, or copy the code that computes this result again"))
        self.setProperty("role", "quiet")
        self.setIcon(icon("export"))
        keep_icon_size(self, 16, gap=4)
        self.menu_of_exports = QMenu(self)
        for words, action in (
            (tr("Figure …"), self.open),
            (tr("Save data …"), partial(self.make, self._ask_data)),
            (tr("Copy data"), partial(self.make, self._copy_data)),
            (tr("Copy as Python"), lambda: self.ask(CopyRecipe(True, recipe))),
            (tr("Copy as command"), lambda: self.ask(CopyRecipe(False, recipe))),
        ):
            self.menu_of_exports.addAction(words, action)
        self.menu_of_exports.insertSeparator(self.menu_of_exports.actions()[3])

    def act(self) -> None:
        """Show the menu."""
        # Not as the button's own menu, whose arrow would not be that of the others.
        self.menu_of_exports.popup(self.mapToGlobal(QPoint(0, self.height())))

    def shorten(self, short: bool) -> None:
        """Show the icon only, or the word beside it."""
        self.setText("" if short else tr("Export"))
        self.setAccessibleName(tr("Export"))

    def _ask_data(self, charts: tuple[Chart, ...]) -> None:
        path = ask_where(self, tr("Save data"), charts[0].name, _DATA)
        if path is not None:
            self.save_data(charts[0], path)

    def save_data(self, chart: Chart, path: Path) -> None:
        """Write the plotted values.

        path: The file, which ends with .csv or .json.
        """

        def write() -> Path:
            save_chart(chart, path)
            return path

        self._runner.run(lambda cancel: write(), self.tell_saved, self._failed)

    def _copy_data(self, charts: tuple[Chart, ...]) -> None:
        chart = charts[0]

        def done(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self.ask(Told(trn("Copied {n:,} row", "Copied {n:,} rows", len(chart.data))))

        self._runner.run(lambda cancel: table_text(chart.header, chart.data, "tsv"), done, self._failed)
