"""Benchmarks in a corpus: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

from explorer.api.inputs import rows_of
from explorer.api.results.contamination import ContaminationTable
from explorer.api.results.origin import Origin
from explorer.api.units import check_unit, counted_index
from explorer.backends.protocol import Backend
from explorer.curation.benchmarks import PARTS, Benchmark, Columns, benchmark_of, read_benchmark
from explorer.curation.contamination import find_items
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.jobs import CancelToken, Report, no_report
from explorer.jobs.asked import checks_jobs

Given = str | PathLike[str] | Iterable[Mapping[str, Any]]
"""A file, or rows."""


@checks_jobs
class CorpusContamination:
    """Contamination of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend

    def contamination(
        self,
        benchmark: Given | Sequence[str | PathLike[str]],
        *,
        unit: Literal["words", "tokens"] = "words",
        parts: Sequence[str] = ("question",),
        question: str = "",
        answer: str = "",
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> ContaminationTable:
        """Find out how much of each item of a benchmark occurs, in which document, and whether its answer is near.

        Parameters
        ----------
        benchmark
            A file of JSON Lines, JSON, CSV or Parquet, compressed or not, several files, a list of mappings, or a
            table. What is question, answer, choices, passage and id is guessed by the names of the fields.
        unit
            "words" to compare words in lower case, whatever the line breaks and punctuation are; "tokens" to compare
            the tokens of this corpus as they are.
        parts
            What of each item is looked for: some of "passage", "question", "choices" and "answer", in this order.
        question, answer
            The fields with question and answer; "": guessed.
        report
            Called with the progress of making the index of words, and with the items that are done.
        cancel
            Stops the work.

        Returns
        -------
        ContaminationTable
            A row per item, and the figures of each benchmark.

        Raises
        ------
        SourceError
            If a file cannot be read.
        QueryError
            If a benchmark has no items, a line cannot be read, a question is empty, or no field is known as the
            question.
        TokenizerError
            If the index has no tokenizer.
        CapabilityError
            If words are asked for and the index is not in folders on this machine.
        Cancelled
            If it was cancelled.

        Notes
        -----
        An item is flagged if half of it or more occurs in one piece, and suspicious if a fifth or more is in matches of
        8 or more. One with fewer than 13 words or tokens is too short to tell.

        Cost: as for `words`, then one search per word of the items.

        Examples
        --------
        >>> found = corpus.contamination([{"question": "the cat sat on the mat " * 3, "answer": "so"}], unit="tokens")
        >>> found[0].longest, found[0].verdict
        (6, 'not-flagged')
        """
        check_unit(unit)
        looked_for = _checked(parts)
        benchmarks = given_benchmarks(benchmark, Columns(question, answer))
        index = counted_index(self.index, unit, report, cancel)
        found = [(each, find_items(index, each, looked_for, report, cancel)) for each in benchmarks]
        asked = (
            ("benchmarks", ", ".join(each.name for each in benchmarks)),
            ("unit", unit),
            ("parts", ", ".join(looked_for)),
        )
        return ContaminationTable(found, looked_for, Origin(self.index, asked))


def given_benchmarks(benchmark: Given | Sequence[str | PathLike[str]], columns: Columns) -> list[Benchmark]:
    """Read the benchmarks that a caller gave.

    Parameters
    ----------
    benchmark
        A file, several, or rows.
    columns
        Which field is what; "": guessed.

    Returns
    -------
    list of Benchmark
        One per file.

    Raises
    ------
    SourceError
        If a file cannot be read.
    QueryError
        As from `read_benchmark`.
    """
    return [_read(each, columns) for each in _each(benchmark)]


def _checked(parts: Sequence[str]) -> tuple[str, ...]:
    found = (parts,) if isinstance(parts, str) else tuple(parts)
    if not found or not set(found) <= set(PARTS):
        raise QueryError(mark("parts must be some of {parts}."), reason="wrong-argument", parts=", ".join(PARTS))
    return found


def _each(given: Given | Sequence[str | PathLike[str]]) -> Sequence[Given]:
    if isinstance(given, list | tuple) and given and all(isinstance(each, str | PathLike) for each in given):
        return given
    # The type of a list of files or rows is that of what is in it.
    return (given,)  # type: ignore[return-value]


def _read(given: Given, columns: Columns) -> Benchmark:
    if isinstance(given, str | PathLike):
        return read_benchmark(given, columns)
    return benchmark_of(rows_of(given), columns=columns)
