"""Copying and exporting lines, off the interface thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from explorer.errors import CorpusError
from explorer.export.lines import copy_text, save_lines
from explorer.export.provenance import index_facts, query_facts
from explorer.export.records import LineTable
from explorer.export.registry import COPIES, LINES, TABLES
from explorer.export.tables import COMPARISON_HEADER, FACET_HEADER, comparison_rows, facet_rows, save_table_as
from explorer.export.watched import watched_header, watched_rows
from explorer.gui.job import Job
from explorer.gui.runner import Runner
from explorer.gui.save_dialog import ask_where
from explorer.gui.screens.search.watch_presenter import WatchAnswer
from explorer.gui.screens.search.work import LinesAnswer
from explorer.i18n import tr, trn
from explorer.jobs import CancelToken, Report
from explorer.search.compare import Comparison
from explorer.search.facets import Facet

MOST_COPIED = 10_000
Rows = Iterable[Sequence[Any]]


@dataclass(frozen=True)
class Chosen:
    """The lines of a copy or an export: all (`numbers` None), or these."""

    answer: LinesAnswer
    numbers: tuple[int, ...] | None


def make_table(chosen: Chosen) -> LineTable:
    """The table of these lines with its facts; reads the index's fingerprint."""
    request, lines = chosen.answer.request, chosen.answer.lines
    about = (
        *index_facts(request.corpus.index),
        *query_facts(request.found, request.options, request.view, lines),
    )
    layout = request.layout
    return LineTable(lines, layout.reach, layout.characters, layout.fields, about, chosen.numbers)


class LineActions:
    """The menus of copying and exporting.

    lines: gives the lines of the screen, None without any; show, failed: a message or an error for the screen.
    """

    def __init__(
        self,
        parent: QWidget,
        runner: Runner,
        lines: Callable[[], LinesAnswer | None],
        show: Callable[[str], None],
        failed: Callable[[CorpusError], None],
    ) -> None:
        self._parent, self.runner, self._lines, self._show, self._failed = parent, runner, lines, show, failed

    def fill_line_menu(self, menu: QMenu, numbers: Callable[[], Sequence[int]]) -> None:
        """Add copying and exporting to a menu, after what it has already.

        Parameters
        ----------
        menu
            The menu.
        numbers
            Gives the numbers of the selected lines when a command is chosen.
        """
        menu.addSeparator()
        self.fill_copy_menu(menu, numbers)
        menu.addSeparator()
        self.fill_export_menu(menu, numbers)

    def fill_copy_menu(self, menu: QMenu, numbers: Callable[[], Sequence[int]]) -> None:
        """Add one entry per format in which lines are copied.

        Parameters
        ----------
        menu
            The menu.
        numbers
            Gives the numbers of the selected lines when a command is chosen.
        """
        for form in COPIES:
            menu.addAction(tr("Copy as {copy_names}", copy_names=tr(form.label))).triggered.connect(
                # `triggered` gives a bool, which must not be taken for the format.
                lambda _=False, form=form.id: self.copy(numbers(), form)
            )

    def fill_export_menu(self, menu: QMenu, selected: Callable[[], Sequence[int]]) -> None:
        """Add exporting of all, of selected and of sampled lines.

        Parameters
        ----------
        menu
            The menu.
        selected
            Gives the numbers of the selected lines when a command is chosen.
        """
        menu.addAction(tr("Export all lines …")).triggered.connect(lambda: self.ask_export(None))
        menu.addAction(tr("Export the selected lines …")).triggered.connect(lambda: self.ask_export(selected()))
        menu.addAction(tr("Export a random sample …")).triggered.connect(self.ask_sample)

    def _choose(self, numbers: Sequence[int] | None) -> Chosen | None:
        """All lines (None), or these; None without lines."""
        answer = self._lines()
        return None if answer is None else Chosen(answer, None if numbers is None else tuple(numbers))

    def copy(self, numbers: Sequence[int], form: str) -> None:
        """Put lines on the clipboard, in the background.

        Parameters
        ----------
        numbers
            Numbers of the lines, from 0; only the first `MOST_COPIED` are copied.
        form
            One of COPY_FORMATS.
        """
        # The clipboard is held in memory; more lines than this are for a file.
        chosen = self._choose(list(numbers)[:MOST_COPIED])
        if chosen is None or not chosen.numbers:
            self._show(tr("Select the lines to copy first."))
            return
        cut = tr(" (only the first {most_copied:,})", most_copied=MOST_COPIED) if len(numbers) > MOST_COPIED else ""

        def done(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self._show(trn("Copied {n:,} line{cut}.", "Copied {n:,} lines{cut}.", len(chosen.numbers or ()), cut=cut))

        self.runner.run(lambda cancel: copy_text(make_table(chosen), form), done, self._failed)

    def ask_export(self, numbers: Sequence[int] | None) -> None:
        """Ask for a path and write the lines there."""
        if numbers is not None and not numbers:
            self._show(tr("Select the lines to export first."))
            return
        path = ask_where(self._parent, tr("Export lines"), "concordance", LINES)
        if path is not None:
            self.export(path, numbers)

    def ask_sample(self) -> None:
        """Ask how many lines, draw them with the seed of the view, and export them."""
        chosen = self._choose(None)
        if chosen is None:
            return
        total = len(chosen.answer.lines)
        if not total:
            self._show(tr("There are no lines to export."))
            return
        size, given = QInputDialog.getInt(
            self._parent,
            tr("Export a random sample"),
            tr("Number of lines (of {total:,})", total=total),
            min(100, total),
            1,
            # The dialog takes numbers of 32 bits.
            min(total, 2**31 - 1),
        )
        if given:
            # The seed of the view, so that the same sample can be exported again.
            random = np.random.default_rng(chosen.answer.request.view.seed)
            self.ask_export(np.sort(random.choice(total, size, replace=False)).tolist())

    def export(self, path: Path, numbers: Sequence[int] | None) -> None:
        """Write lines to a file, in the background.

        Parameters
        ----------
        path
            The file, whose ending decides the format.
        numbers
            Numbers of the lines, from 0; None for all.
        """
        chosen = self._choose(numbers)
        if chosen is None:
            return
        report = self.runner.reporter()

        def work(cancel: CancelToken) -> int:
            return _save(path, chosen, report, cancel)

        self.runner.run(
            work,
            lambda count: self._show(
                trn("Wrote {n:,} line to {path}.", "Wrote {n:,} lines to {path}.", count, path=path)
            ),
            self._failed,
            self._job(path),
        )

    def export_comparison(self, found: Comparison | None) -> None:
        """Ask for a path and write the table of a comparison there; None: there is no comparison yet."""
        if found is not None:
            self._export_table(tr("Export comparison"), "comparison", COMPARISON_HEADER, lambda: comparison_rows(found))

    def export_facet(self, found: Facet | None) -> None:
        """Ask for a path and write all values of a field there; None: there are no values yet."""
        if found is not None:
            self._export_table(tr("Export values"), "values", FACET_HEADER, lambda: facet_rows(found))

    def export_watched(self, answer: WatchAnswer | None) -> None:
        """Ask for a path and write the counts of a watch list there; None: there are no counts yet."""
        if answer is not None:
            header = watched_header(answer.listed)
            self._export_table(tr("Export watch list"), "watched", header, lambda: watched_rows(answer.watched))

    def stop(self) -> None:
        """Stop writing; an unfinished file is removed."""
        self.runner.cancel()

    def _export_table(self, title: str, name: str, header: Sequence[str], rows: Callable[[], Rows]) -> None:
        """Ask for a path; the rows are computed off the interface thread."""
        path = ask_where(self._parent, title, name, TABLES)
        if path is None:
            return

        def work(cancel: CancelToken) -> None:
            save_table_as(path, header, rows())

        self.runner.run(work, lambda _: self._show(tr("Wrote {path}.", path=path)), self._failed, self._job(path))

    def _job(self, path: Path) -> Job:
        return Job(tr("Export of {name}", name=path.name), self.stop)


def _save(path: Path, chosen: Chosen, report: Report, cancel: CancelToken) -> int:
    table = make_table(chosen)
    save_lines(path, table, report, cancel)
    return len(table)
