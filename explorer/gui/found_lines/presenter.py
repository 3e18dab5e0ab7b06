"""Which lines of a row are shown. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from explorer.core.jobs import Kind
from explorer.errors import CorpusError
from explorer.gui.found_lines.work import LINES, LinesOf, ShownLine, run_lines, write_lines
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.cells import Cell
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.presenting.requests import DocumentRequest, Saved
from explorer.gui.style.text_positions import cell_text, flowing
from explorer.i18n import mark, numeral, tr, trn

HEADER = (mark("Left context"), mark("Match"), mark("Right context"))


@dataclass(frozen=True, eq=False)
class LinesState:
    """The lines of one row.

    asked: Whose lines; None where no row is chosen.
    first: The number of the first line that is shown, from 0.
    """

    asked: LinesOf | None = None
    first: int = 0
    lines: Answer[tuple[ShownLine, ...]] = field(default_factory=Answer[tuple[ShownLine, ...]])

    @property
    def count(self) -> int:
        """How many lines there are."""
        return 0 if self.asked is None else self.asked.count

    @property
    def title(self) -> str:
        """What the lines are."""
        if self.asked is None:
            return tr("Choose a row to read its lines")
        if not self.count:
            return tr("No lines here: {form}", form=cell_text(self.asked.form))
        return tr(
            "Lines {first} to {last} of {count}: {form}",
            first=numeral(self.first + 1),
            last=numeral(min(self.count, self.first + LINES)),
            count=numeral(self.count),
            form=cell_text(self.asked.form),
        )

    @property
    def table(self) -> tuple[tuple[Cell, ...], ...]:
        """The lines."""
        return tuple(
            (
                Cell("", before=cell_text(flowing(line.left))),
                Cell(cell_text(flowing(line.match.strip())) or cell_text(line.match)),
                Cell(cell_text(flowing(line.right))),
            )
            for line in self.lines.value or ()
        )


class LinesPresenter(Presenter[LinesState]):
    """Reads the lines of a row, page by page.

    saved: Called with a file that was written.
    failed: Called with why lines could not be read or written.
    """

    def __init__(
        self,
        services: Services,
        name: str,
        show: Callable[[DocumentRequest], None],
        saved: Callable[[Saved], None],
        failed: Callable[[CorpusError], None],
    ) -> None:
        super().__init__(LinesState())
        self.reading = services.slot(name)
        self.writing = services.slot(f"{name} file", kind=Kind.APART)
        self._show, self._saved, self._told = show, saved, failed

    def clear(self) -> None:
        """Show no lines."""
        self.reading.cancel()
        self.change(asked=None, first=0, lines=Answer())

    def read(self, asked: LinesOf) -> None:
        """Show the first lines of a row."""
        self.reading.cancel()
        self.change(asked=asked, first=0, lines=Answer())
        if asked.count:
            self._read()

    def turn(self, pages: int) -> None:
        """Show the lines that follow, or those before."""
        first = self.state.first + pages * LINES
        if 0 <= first < self.state.count:
            self.change(first=first)
            self._read()

    def _read(self) -> None:
        asked, first = self.state.asked, self.state.first
        assert asked is not None
        self.change(lines=self.state.lines.asked())
        self.reading.run(
            lambda cancel: run_lines(asked, first, cancel),
            lambda lines: self.change(lines=self.state.lines.arrived(lines)),
            self._failed,
        )

    def _failed(self, error: CorpusError) -> None:
        self.change(lines=self.state.lines.failed(error))
        self._told(error)

    def save(self, path: Path) -> None:
        """Write all lines of the row to a file."""
        asked = self.state.asked
        if asked is None or not asked.count:
            return
        report = self.writing.reporter()
        self.writing.run(
            lambda cancel: write_lines(asked, path, report, cancel),
            lambda written: self._saved(Saved(written, trn("Saved {n:,} line", "Saved {n:,} lines", asked.count))),
            self._told,
            Job(tr("Lines to a file"), self.writing.cancel),
        )

    def open_line(self, row: int) -> None:
        """Open the document of a line."""
        lines = self.state.lines.current or ()
        if 0 <= row < len(lines):
            line = lines[row]
            self._show(DocumentRequest(line.document, line.offset, line.length))
