"""Describes the open index: sizes, values of fields, and what its build left out. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.core.jobs import Kind, Progress
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.index.about.facts import manifest_of
from explorer.gui.screens.index.about.state import AT_ONCE, AboutState, Details
from explorer.gui.screens.index.work import count_fields, read_details, read_line, read_report

if TYPE_CHECKING:
    from explorer.analyses.metadata.field_counts import FieldCount
    from explorer.backends.protocol.locations import Holding
    from explorer.building.sources.source import Problem
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError
    from explorer.gui.screens.index.build.problems import ProblemRow


class AboutPresenter(Presenter[AboutState]):
    """The page about the open index."""

    def __init__(self, services: Services) -> None:
        super().__init__(AboutState())
        # None of these was asked by a person who waits: the window shows no time for them.
        self._reader = services.slot("details", timed=False, kind=Kind.LATER)
        self._reporter = services.slot("left out", timed=False)
        self._counter = services.slot("fields", timed=False, kind=Kind.APART)
        self._line_reader = services.slot("left out line", timed=False)
        self._looker = services.slot("machines", timed=False, kind=Kind.LATER)
        self._visible = False

    def use_corpus(self, corpus: Corpus | None, fresh: bool = False) -> None:
        """Describe another index from now on.

        fresh: Whether it was built just now.
        """
        # Before the state changes: what is on its way describes the index before.
        for slot in (self._reader, self._reporter, self._counter, self._line_reader, self._looker):
            slot.cancel()
        manifest = manifest_of(corpus)
        self.change(
            corpus=corpus,
            seconds=manifest.seconds if fresh and manifest is not None else None,
            details=Answer(),
            values=Answer(),
            progress=None,
            left_out=Answer(),
            chosen="",
            bad_line=Answer(),
            machines=Answer(),
        )
        self._read()

    def show(self, visible: bool) -> None:
        """Whether the page is seen: what it shows is read only then."""
        self._visible = visible
        self._read()

    def _read(self) -> None:
        corpus = self.state.corpus
        # Once per index: what is awaited or was read is not asked again.
        # What failed is asked again when the page is shown again: a drive may be back by then.
        if corpus is None or not self._visible or self.state.details.awaited or self.state.details.value is not None:
            return
        self.change(details=self.state.details.asked())
        self._reader.run(lambda cancel: read_details(corpus), self._take_details, self._no_details)
        self.list_left_out()
        if corpus.index.local is None:
            self.look_at_machines()
        if corpus.document_count <= AT_ONCE:
            self.count_values()

    def _take_details(self, details: Details) -> None:
        self.change(details=self.state.details.arrived(details))

    def _no_details(self, error: CorpusError) -> None:
        self.change(details=self.state.details.failed(error))

    def look_at_machines(self) -> None:
        """Look which machines have the folders of the index now."""
        corpus = self.state.corpus
        if corpus is None:
            return
        self.change(machines=self.state.machines.asked())
        self._looker.run(lambda _: corpus.index.holdings(), self._take_machines, self._no_machines)

    def _take_machines(self, folders: tuple[Holding, ...]) -> None:
        self.change(machines=self.state.machines.arrived(folders))

    def _no_machines(self, error: CorpusError) -> None:
        self.change(machines=self.state.machines.failed(error))

    def list_left_out(self) -> None:
        """Read what the build left out or changed."""
        corpus = self.state.corpus
        if corpus is None or not self.state.skipped or not corpus.folders:
            return
        # The first folder, as for the manifest, which has the counts of what was left out.
        folder = corpus.folders[0]
        self.change(left_out=self.state.left_out.asked())
        self._reporter.run(lambda _: read_report(folder), self._list, self._no_list)

    def _list(self, problems: tuple[Problem, ...]) -> None:
        self.change(left_out=self.state.left_out.arrived(problems))

    def _no_list(self, error: CorpusError) -> None:
        self.change(left_out=self.state.left_out.failed(error))

    def count_values(self) -> None:
        """Count the values of all fields."""
        corpus = self.state.corpus
        if corpus is None or not self.state.offers_values:
            return
        # Made before the request: it belongs to the one that is made next.
        report = self._counter.reporter(self._report)
        self.change(values=self.state.values.asked(), progress=None)
        self._counter.run(lambda cancel: count_fields(corpus, report, cancel), self._take_values, self._no_values)

    def stop_counting(self) -> None:
        """Stop counting values."""
        self._counter.cancel()
        self.change(values=self.state.values.stopped())

    def _report(self, progress: Progress) -> None:
        self.change(progress=progress)

    def _take_values(self, values: tuple[FieldCount, ...]) -> None:
        self.change(values=self.state.values.arrived(values))

    def _no_values(self, error: CorpusError) -> None:
        self.change(values=self.state.values.failed(error))

    def choose_field(self, name: str) -> None:
        """List the values of a field, or no longer if they are listed."""
        self.change(chosen="" if name == self.state.chosen else name)

    def show_line(self, row: ProblemRow) -> None:
        """Read a line that was left out, as it is in its file."""
        self.change(bad_line=self.state.bad_line.asked())
        self._line_reader.run(
            # The row comes back with its line: another one may be selected by then.
            lambda _: (row, read_line(row.path, row.line)),
            lambda found: self.change(bad_line=self.state.bad_line.arrived(found)),
            lambda error: self.change(bad_line=self.state.bad_line.failed(error)),
        )
