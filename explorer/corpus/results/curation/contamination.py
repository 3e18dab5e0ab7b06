"""What a corpus has of benchmarks, as the library returns it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path

from explorer.analyses.contamination.benchmarks import Benchmark, BenchmarkColumns
from explorer.analyses.contamination.gain import curve_of, mean_score
from explorer.analyses.contamination.item_matches import ItemMatches, Thresholds
from explorer.analyses.contamination.own import OwnSource
from explorer.analyses.contamination.rules import count_rules
from explorer.analyses.contamination.table import BenchmarkRecord, ContaminationRecord, GainRecord, OwnRecord
from explorer.backends.protocol.protocol import Backend
from explorer.core.proportions import wilson_interval
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RowsResult
from explorer.documents.inputs.on_bad import BadText
from explorer.export.cuts.clean_items import write_clean
from explorer.export.provenance import Facts


@dataclass(frozen=True)
class Own:
    """Benchmarks that are in the corpus themselves.

    Attributes
    ----------
    sources
        The benchmark and the source, for each source with documents that consist of items.
    left_out
        Whether those that are the benchmark were left out.
    looked_in
        What the items were looked for in: the words of the corpus or its tokens, without what was left out.
    """

    sources: tuple[tuple[str, OwnSource], ...]
    left_out: bool
    looked_in: Backend


class ContaminationTable(RowsResult[ContaminationRecord]):
    """How much of each item of benchmarks occurs in a corpus; also a table with one row per item.

    Examples
    --------
    >>> found = corpus.contamination([{"question": "who sat on the mat?", "answer": "the cat"}])
    >>> found.files[0].items, found.files[0].too_short, found[0].verdict
    (1, 1, 'too-short')
    """

    _record = ContaminationRecord

    def __init__(
        self,
        found: Sequence[tuple[Benchmark, Sequence[ItemMatches]]],
        parts: Sequence[str],
        origin: Origin,
        own: Own,
        thresholds: Thresholds | None = None,
        name: str = "",
    ) -> None:
        super().__init__(origin)
        self.name = name or origin.index.name
        """What the index is called in the rows."""
        self._own = own
        self._found, self._parts = tuple(found), tuple(parts)
        self.thresholds = thresholds or Thresholds()
        """From which shares on an item is flagged, and suspicious."""
        self.matches: tuple[ItemMatches, ...] = tuple(each for _, items in found for each in items)
        """The items with what was found of each, in the order of the rows."""
        self.files = tuple(self._file_record(*each) for each in self._found)
        self._rows = tuple(row for each in self.files for row in each.rows)

    @property
    def origin(self) -> Origin:
        """The corpus, and what it was asked."""
        return self._origin

    @property
    def looked_in(self) -> Backend:
        """What the items were looked for in: the words of the corpus or its tokens, without what was left out."""
        return self._own.looked_in

    @property
    def columns(self) -> tuple[BenchmarkColumns, ...]:
        """Which field of each benchmark is what, as it was given or guessed."""
        return tuple(benchmark.columns for benchmark, _ in self._found)

    @property
    def flagged(self) -> tuple[ContaminationRecord, ...]:
        """The items that are flagged."""
        return tuple(row for row in self._rows if row.verdict == "flagged")

    def judged(self, thresholds: Thresholds) -> ContaminationTable:
        """Judge the items by other thresholds, without another search.

        Parameters
        ----------
        thresholds
            From which shares on an item is flagged, and suspicious.

        Returns
        -------
        ContaminationTable
            The same items with their verdicts.
        """
        return ContaminationTable(self._found, self._parts, self.origin, self._own, thresholds, self.name)

    @property
    def own(self) -> tuple[OwnRecord, ...]:
        """Sources in the corpus with documents that consist of items, as a benchmark that is in it itself."""
        return tuple(
            OwnRecord(
                self.name,
                file,
                each.source,
                len(each.documents),
                each.items,
                each.share,
                each.is_benchmark,
                self._own.left_out and each.is_benchmark,
            )
            for file, each in self._own.sources
        )

    @cached_property
    def curves(self) -> tuple[GainRecord, ...]:
        """How many items are above each threshold, and what a model's score gains by them, for each share."""
        return tuple(
            GainRecord(self.name, benchmark.name, *astuple(point))
            for benchmark, items in self._found
            for point in curve_of(items)
        )

    @property
    def problems(self) -> tuple[BadText, ...]:
        """Records of the benchmarks that cannot be used, if these were not to be errors."""
        return tuple(problem for benchmark, _ in self._found for problem in benchmark.problems)

    def write_clean(self, path: str | PathLike[str], file: int = 0) -> int:
        """Write the records of a benchmark's items that are not flagged, as they are, to a file of JSON Lines.

        Parameters
        ----------
        path
            The file; one that exists is replaced.
        file
            The number of the benchmark.

        Returns
        -------
        int
            How many items it has. Suspicious items and those that are too short to tell are not among them.

        Raises
        ------
        ExportError
            If it cannot be written.
        """
        return write_clean(Path(path), [self.matches_of(file)], self.thresholds)

    def matches_of(self, file: int) -> tuple[ItemMatches, ...]:
        """The items of one benchmark, by its number, with what was found of each."""
        return tuple(self._found[file][1])

    @property
    def provenance(self) -> Facts:
        """What the rows were computed from, by name; see `Tabular.provenance`."""
        return (*super().provenance, *self.thresholds.facts)

    def __repr__(self) -> str:
        return f"ContaminationTable({len(self):,} items, {len(self.flagged):,} flagged)"

    def _file_record(self, benchmark: Benchmark, found: Sequence[ItemMatches]) -> BenchmarkRecord:
        rows = tuple(self._record_of(benchmark.name, each) for each in found)
        verdicts = [row.verdict for row in rows]
        flagged, judged = verdicts.count("flagged"), len(rows) - verdicts.count("too-short")
        low, high = wilson_interval(flagged, judged) if judged else (None, None)
        return BenchmarkRecord(
            benchmark.name,
            len(rows),
            flagged,
            verdicts.count("suspicious"),
            verdicts.count("too-short"),
            flagged / judged if judged else None,
            low,
            high,
            sum(row.verdict == "flagged" and bool(row.answer_near) for row in rows),
            count_rules(found),
            *mean_score(found),
            rows,
        )

    def _record_of(self, file: str, found: ItemMatches) -> ContaminationRecord:
        where = found.evidence
        return ContaminationRecord(
            file,
            found.item.id,
            self.thresholds.verdict(found),
            found.units,
            found.longest,
            found.longest_share,
            found.coverage(0),
            found.coverage(2),
            found.count,
            None if where is None else where.document,
            None if where is None else where.coverage,
            None if where is None else where.chained,
            None if where is None else where.offset,
            "" if where is None else found.item.text(self._parts)[where.begin : where.end],
            None if where is None else where.answer_near,
            found.template,
            where is not None and where.sampled,
            self.name,
            found.item.score,
            None if where is None else where.answer_offset,
        )
