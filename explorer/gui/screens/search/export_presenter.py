"""Copies and writes what the Search screen shows, off the interface thread. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from explorer.core.jobs import CancelToken
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.export.lines import copy_text, save_lines
from explorer.export.provenance import Facts, index_facts
from explorer.export.records.line import LineTable
from explorer.export.tables import save_table_as
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Slot
from explorer.gui.presenting.requests import Request, Saved, ShowHelp
from explorer.gui.screens.search.lines.exported_fields import ExportedFields
from explorer.gui.screens.search.work import LinesAnswer, facts_of
from explorer.i18n import tr, trn
from explorer.project import KeptLines, LineSet, Project
from explorer.project.tables import MARKS, cells_of, set_facts, set_table

MOST_COPIED = 10_000
Rows = Iterable[Sequence[Any]]


@dataclass(frozen=True)
class Chosen:
    """The lines of a copy or an export: all (`numbers` None), or these, with their marks and metadata fields.

    drawn: how these lines were chosen among all, unless by hand.
    """

    answer: LinesAnswer
    numbers: tuple[int, ...] | None
    marks: KeptLines
    fields: tuple[str, ...]
    drawn: Facts = ()


@dataclass(frozen=True)
class TableToSave:
    """A table to write: the title of the dialog, the proposed name, the header, and what makes rows and facts."""

    title: str
    name: str
    header: Sequence[str]
    rows: Callable[[], Rows]
    facts: Callable[[], Facts] = tuple


@dataclass(frozen=True)
class ExportOutlets:
    """Where copies and reports go.

    copy: Puts a text on the clipboard.
    ask: Takes requests to other parts of the window.
    say: Shows a short message.
    failed: Shows why something cannot be written.
    """

    copy: Callable[[str], None]
    ask: Callable[[Request], None]
    say: Callable[[str], None]
    failed: Callable[[CorpusError], None]


def make_table(chosen: Chosen) -> LineTable:
    """The table of these lines with its facts; reads the index's fingerprint."""
    request, lines = chosen.answer.request, chosen.answer.lines
    about = (*index_facts(request.corpus.index), *facts_of(chosen.answer), *chosen.drawn)
    layout, kept = request.layout, chosen.marks
    table = LineTable(lines, layout.reach, layout.characters, chosen.fields, about, chosen.numbers, explained=True)
    # Only if there is any: a file without marks keeps its columns.
    if not any(line.marked or line.note for line in kept):
        return table
    return replace(table, more=MARKS, more_cells=cells_of(kept))


class ExportPresenter:
    """Copies and writes. `fields`: which metadata fields are exported. What it does is listed among the window's jobs.

    slot: Where the work runs.
    lines: Gives the lines of the screen; None without any.
    marks: Gives the marks and notes of the lines.
    """

    def __init__(
        self,
        slot: Slot,
        lines: Callable[[], LinesAnswer | None],
        outlets: ExportOutlets,
        marks: Callable[[], KeptLines] = KeptLines,
    ) -> None:
        self._slot, self._lines, self._outlets, self._marks = slot, lines, outlets, marks
        self.fields = ExportedFields()

    def copy(self, numbers: Sequence[int], form: str) -> None:
        """Put lines on the clipboard.

        numbers: Numbers of the lines, from 0; only the first `MOST_COPIED` are copied.
        """
        # The clipboard is held in memory; more lines than this are for a file.
        # Lines are chosen now: those of the screen may be others when the work begins.
        chosen = self._choose(list(numbers)[:MOST_COPIED])
        if chosen is None or not chosen.numbers:
            self._outlets.say(tr("Select the lines to copy first."))
            return
        cut = tr(" (only the first {most_copied:,})", most_copied=MOST_COPIED) if len(numbers) > MOST_COPIED else ""

        def done(text: str) -> None:
            self._outlets.copy(text)
            number = len(chosen.numbers or ())
            self._outlets.say(trn("Copied {n:,} line{cut}.", "Copied {n:,} lines{cut}.", number, cut=cut))

        self._slot.run(lambda cancel: copy_text(make_table(chosen), form), done, self._outlets.failed)

    def may_export(self, numbers: Sequence[int] | None) -> bool:
        """Whether there is something to export; if not, a message is shown."""
        answer = self._lines()
        if numbers is not None and not numbers:
            self._outlets.say(tr("Select the lines to export first."))
        elif answer is None or not len(answer.lines):
            self._outlets.say(tr("There are no lines to export."))
        else:
            return True
        return False

    @property
    def corpus(self) -> Corpus | None:
        """The index of the lines; None without any."""
        answer = self._lines()
        return None if answer is None else answer.request.corpus

    def explain(self) -> None:
        """Show what the columns of exported lines mean."""
        self._outlets.ask(ShowHelp("search#exported-columns"))

    @property
    def total(self) -> int:
        """The number of lines."""
        answer = self._lines()
        return 0 if answer is None else len(answer.lines)

    def sample(self, size: int) -> list[int]:
        """Draw lines with the seed of the view, so that the same sample can be drawn again; their numbers, from 0."""
        answer = self._lines()
        if answer is None:
            return []
        # A generator of its own: the sample must not depend on what was drawn before.
        random = np.random.default_rng(answer.request.view.seed)
        return [int(number) for number in np.sort(random.choice(self.total, min(size, self.total), replace=False))]

    def export(self, path: Path, numbers: Sequence[int] | None, drawn: bool = False) -> None:
        """Write lines to a file.

        path: The file, whose ending decides the format.
        numbers: Numbers of the lines, from 0; None for all.
        drawn: Whether `sample` drew them, which the file states.
        """
        chosen = self._choose(numbers)
        if chosen is None:
            return
        request = chosen.answer.request
        how = (("lines drawn at random, seed", str(request.view.seed)),) if drawn else ()
        chosen = replace(chosen, fields=self.fields.of(request.corpus, chosen.fields), drawn=how)
        # Asked for before `run`: it reports the request that comes next.
        report = self._slot.reporter()

        def work(cancel: CancelToken) -> int:
            table = make_table(chosen)
            save_lines(path, table, report, cancel)
            return len(table)

        def done(count: int) -> None:
            self._outlets.ask(Saved(path, trn("Saved {n:,} line", "Saved {n:,} lines", count)))

        self._slot.run(work, done, self._outlets.failed, self._job(path))

    def export_set(self, path: Path, kept: LineSet) -> None:
        """Write a saved set to a file, with its marks and notes.

        path: The file, whose ending decides the format.
        """
        answer = self._lines()
        if answer is None:
            return
        corpus, report = answer.request.corpus, self._slot.reporter()
        fields = self.fields.of(corpus, answer.request.layout.fields)

        def work(cancel: CancelToken) -> int:
            table = set_table(corpus, kept)
            facts = (*index_facts(corpus.index), *set_facts(kept, Project()))
            save_lines(path, replace(table, about=facts, fields=fields, explained=True), report, cancel)
            return len(table)

        def done(count: int) -> None:
            self._outlets.ask(Saved(path, trn("Saved {n:,} line", "Saved {n:,} lines", count)))

        # As a job: the window asks before it closes in the middle of a file.
        self._slot.run(work, done, self._outlets.failed, self._job(path))

    def save_table(self, path: Path, table: TableToSave) -> None:
        """Write a table, whose rows are computed off the interface thread.

        path: The file, whose ending decides the format.
        """

        def work(cancel: CancelToken) -> None:
            save_table_as(path, table.header, table.rows(), table.facts())

        def done(_: None) -> None:
            self._outlets.ask(Saved(path, tr("Saved {name}", name=path.name)))

        self._slot.run(work, done, self._outlets.failed, self._job(path))

    def stop(self) -> None:
        """Stop writing; an unfinished file is removed."""
        self._slot.cancel()

    def _choose(self, numbers: Sequence[int] | None) -> Chosen | None:
        """All lines (None), or these; None without lines."""
        answer = self._lines()
        if answer is None:
            return None
        chosen = None if numbers is None else tuple(numbers)
        return Chosen(answer, chosen, self._marks(), answer.request.layout.fields)

    def _job(self, path: Path) -> Job:
        return Job(tr("Export of {name}", name=path.name), self.stop)
