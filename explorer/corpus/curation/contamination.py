"""Benchmarks in a corpus: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

from explorer.analyses.contamination.benchmarks import Benchmark, BenchmarkColumns, benchmark_of, read_benchmark
from explorer.analyses.contamination.compute import find_items
from explorer.analyses.contamination.item_matches import Thresholds
from explorer.analyses.contamination.own import find_own, without_documents
from explorer.analyses.contamination.question import ContaminationQuestion
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.inputs import rows_of
from explorer.corpus.results.curation.contamination import ContaminationTable, Own
from explorer.corpus.results.curation.contamination_board import ContaminationBoard
from explorer.corpus.results.origin import Origin
from explorer.corpus.statistics.units import counted_index
from explorer.documents.inputs.on_bad import POLICIES
from explorer.errors import QueryError
from explorer.i18n import mark

Given = str | PathLike[str] | Iterable[Mapping[str, Any]]
"""A file, or rows."""
_USUAL = ContaminationQuestion()


@checks_jobs
class CorpusContamination:
    """Contamination of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend

    def contamination(
        self,
        benchmark: Given | Sequence[str | PathLike[str]],
        *,
        unit: Literal["words", "tokens"] = _USUAL.unit,
        parts: Sequence[str] = _USUAL.parts,
        question: str = _USUAL.question,
        answer: str = _USUAL.answer,
        score: str = _USUAL.score,
        thresholds: Thresholds | None = None,
        on_bad: Literal["fail", "skip", "keep"] = "fail",
        without_own: bool = _USUAL.without_own,
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
        question, answer, score
            The fields with question, answer and the score of a model, a number or whether it was right; "": guessed.
        thresholds
            From which shares on an item is flagged, and suspicious; None for the usual ones.
        on_bad
            What happens to records that cannot be read, or have no question: "fail" is an error; "skip" leaves them
            out; "keep" makes items of them, which are too short to tell. `problems` of the result lists them.
        without_own
            Whether to leave out a benchmark that is in the corpus itself: the documents that consist of its items, of
            a source with half of them or more. Copies in other sources stay. `own` of the result lists such sources in
            any case.
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
            question; or if what is left out, and all else, have more than 50 million tokens each.
        TokenizerError
            If the index has no tokenizer.
        CapabilityError
            If words are asked for and the index is not in folders on this machine.
        Cancelled
            If it was cancelled.

        Notes
        -----
        By default, an item is flagged if half of it or more occurs in one piece, and suspicious if a fifth or more is
        in matches of 8 or more. One with fewer than 13 words or tokens is too short to tell.

        Cost: as for `words`, then one search per word of the items.

        Examples
        --------
        >>> found = corpus.contamination([{"question": "the cat sat on the mat " * 3, "answer": "so"}], unit="tokens")
        >>> found[0].longest, found[0].verdict
        (6, 'not-flagged')
        """
        asked = _question(unit, parts, question, answer, score, without_own)
        benchmarks = given_benchmarks(benchmark, _columns(asked), on_bad)
        return _found(self.index, asked, benchmarks, thresholds, report, cancel)


def _question(
    unit: str, parts: Sequence[str], question: str, answer: str, score: str, without_own: bool
) -> ContaminationQuestion:
    given = [parts] if isinstance(parts, str) else parts
    return ContaminationQuestion.of(
        unit=unit, parts=given, question=question, answer=answer, score=score, without_own=without_own
    )


def _columns(asked: ContaminationQuestion) -> BenchmarkColumns:
    return BenchmarkColumns(asked.question, asked.answer, score=asked.score)


def _names(indexes: Sequence[Backend]) -> list[str]:
    """Short names if they differ, otherwise whole places."""
    names = [each.name for each in indexes]
    if len(set(names)) == len(names):
        return names
    return ["; ".join(each.sources) or name for each, name in zip(indexes, names, strict=True)]


def _found(
    index: Backend,
    asked: ContaminationQuestion,
    benchmarks: Sequence[Benchmark],
    thresholds: Thresholds | None,
    report: Report,
    cancel: CancelToken | None,
    name: str = "",
) -> ContaminationTable:
    counted = counted_index(index, asked.unit, report, cancel)
    found = [(each, find_items(counted, each, asked.parts, report, cancel)) for each in benchmarks]
    own = [(each.name, source) for each, items in found for source in find_own(index, counted, items, cancel)]
    gone = {number for _, source in own if source.is_benchmark for number in source.documents}
    if asked.without_own and gone:
        # The documents of an index of words have the numbers of the original.
        counted = without_documents(counted, sorted(gone), cancel)
        found = [(each, find_items(counted, each, asked.parts, report, cancel)) for each in benchmarks]
    unread = sum(len(each.problems) for each in benchmarks)
    left_out = (("documents left out", str(len(gone))),) if asked.without_own else ()
    facts = (
        ("benchmarks", ", ".join(each.name for each in benchmarks)),
        *asked.facts,
        *((("unreadable items left out", str(unread)),) if unread else ()),
        *left_out,
    )
    told = Own(tuple(own), asked.without_own, counted)
    return ContaminationTable(found, asked.parts, Origin(index, facts), told, thresholds, name)


def contamination_board(
    corpora: Sequence[CorpusContamination],
    benchmark: Given | Sequence[str | PathLike[str]],
    *,
    unit: Literal["words", "tokens"] = _USUAL.unit,
    parts: Sequence[str] = _USUAL.parts,
    question: str = _USUAL.question,
    answer: str = _USUAL.answer,
    score: str = _USUAL.score,
    thresholds: Thresholds | None = None,
    on_bad: Literal["fail", "skip", "keep"] = "fail",
    without_own: bool = _USUAL.without_own,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> ContaminationBoard:
    """Count which share of benchmarks is flagged in several corpora.

    Parameters
    ----------
    corpora
        Opened corpora, at least one; each is compared in its own words or tokens.
    benchmark, unit, parts, question, answer, score, thresholds, on_bad, without_own
        As for `Corpus.contamination`.
    report
        Called with the progress in each corpus.
    cancel
        Stops the work.

    Returns
    -------
    ContaminationBoard
        A row per corpus and benchmark; its attribute tables has the items.

    Raises
    ------
    CorpusError
        As from `Corpus.contamination`; a QueryError if there is no corpus.
    Cancelled
        If it was cancelled.

    Notes
    -----
    Tokens of different tokenizers are of different lengths, so the same thresholds mean different texts.

    Examples
    --------
    >>> board = contamination_board([corpus, corpus], [{"question": "the cat sat on the mat " * 3}])
    >>> [(row.file, row.items, row.flagged) for row in board]
    [('rows', 1, 0), ('rows', 1, 0)]
    """
    asked = _question(unit, parts, question, answer, score, without_own)
    benchmarks = given_benchmarks(benchmark, _columns(asked), on_bad)
    if not corpora or not all(isinstance(each, CorpusContamination) for each in corpora):
        raise QueryError(mark("corpora must be a list of opened corpora."), reason="wrong-argument")
    indexes = [each.index for each in corpora]
    named = zip(indexes, _names(indexes), strict=True)
    return ContaminationBoard(
        [_found(index, asked, benchmarks, thresholds, report, cancel, name) for index, name in named]
    )


def given_benchmarks(
    benchmark: Given | Sequence[str | PathLike[str]], columns: BenchmarkColumns, on_bad: str = "fail"
) -> list[Benchmark]:
    """Read the benchmarks that a caller gave.

    Parameters
    ----------
    benchmark
        A file, several, or rows.
    columns
        Which field is what; "": guessed.
    on_bad
        As for `read_benchmark`.

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
    if on_bad not in POLICIES:
        raise QueryError(mark("on_bad must be fail, skip or keep."), reason="wrong-argument")
    return [_read(each, columns, on_bad) for each in _each(benchmark)]


def _each(given: Given | Sequence[str | PathLike[str]]) -> Sequence[Given]:
    if isinstance(given, list | tuple) and given and all(isinstance(each, str | PathLike) for each in given):
        return given
    # The type of a list of files or rows is that of what is in it.
    return (given,)  # type: ignore[return-value]


def _read(given: Given, columns: BenchmarkColumns, on_bad: str) -> Benchmark:
    if isinstance(given, str | PathLike):
        return read_benchmark(given, columns, on_bad)
    return benchmark_of(rows_of(given), columns=columns, on_bad=on_bad)
