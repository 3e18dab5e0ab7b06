"""Evaluation sets to be cut out of a corpus: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Literal, SupportsFloat, SupportsIndex

from explorer.analyses.contamination.benchmarks import PARTS, BenchmarkColumns
from explorer.analyses.decontamination.compute import Compared, RuleName, find_contaminated
from explorer.analyses.decontamination.question import DecontaminationQuestion
from explorer.analyses.metadata.fields import FieldColumns
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.curation.contamination import Given, given_benchmarks
from explorer.corpus.results.curation.decontamination import Decontamination
from explorer.corpus.results.origin import Origin
from explorer.corpus.statistics.units import counted_index

_USUAL = DecontaminationQuestion()


@checks_jobs
class CorpusDecontamination:
    """Decontamination of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def decontamination(
        self,
        benchmark: Given | Sequence[str | PathLike[str]],
        *,
        rule: RuleName = _USUAL.rule,
        n: SupportsIndex = _USUAL.n,
        share: SupportsFloat = _USUAL.share,
        unit: Literal["words", "tokens"] = _USUAL.unit,
        by: str | None = _USUAL.by,
        question: str = _USUAL.question,
        answer: str = _USUAL.answer,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Decontamination:
        """Find the documents, or the paragraphs, that evaluation sets make up, to cut them before training.

        The evaluation sets are looked for as they are: nothing of the corpus is ever added to them.

        Parameters
        ----------
        benchmark
            A file of JSON Lines, JSON, CSV or Parquet, compressed or not, several files, a list of mappings, or a
            table. All parts of an item count: passage, question, choices and answer.
        rule
            "grams": a document goes if at least the share of its n-grams occurs in the sets. "paragraphs": a paragraph,
            the text between two line feeds, goes if more than the share of its n-grams does; one of 5 words or more
            that is shorter than an n-gram is compared as a whole.
        n
            Words or tokens of an n-gram, from 1.
        share
            The share, above 0 and up to 1.
        unit
            "words" to compare words in lower case, "tokens" to compare the tokens of this corpus. Paragraphs are
            compared in words.
        by
            A field of the metadata, to count by its values; None for none.
        question, answer
            The fields with question and answer; "": guessed.
        report
            Called with the progress.
        cancel
            Stops the work.

        Returns
        -------
        Decontamination
            The documents, what is to be cut of them, and the figures by field.

        Raises
        ------
        SourceError
            If a file cannot be read.
        QueryError
            If a benchmark has no items, the rule or the unit is unknown, a number is out of range, paragraphs are to be
            compared in tokens, or no document has the field.
        TokenizerError
            If the index has no tokenizer.
        CapabilityError
            If words are asked for and the index is not in folders on this machine.
        Cancelled
            If it was cancelled.

        Notes
        -----
        A document that is shorter than an n-gram is counted in `too_short` and stays. Cost: as for `words`, then one
        search per n-gram of the sets.

        Examples
        --------
        >>> found = corpus.decontamination([{"question": "the cat sat on the mat"}], n=3)
        >>> found.ranges.documents.tolist(), found.too_short
        ([0], 0)
        """
        asked = DecontaminationQuestion.of(
            rule=rule, n=n, share=share, unit=unit, by=by, question=question, answer=answer
        )
        benchmarks = given_benchmarks(benchmark, BenchmarkColumns(asked.question, asked.answer))
        if asked.by is not None:
            self.columns.require(asked.by, cancel)
        units = counted_index(self.index, asked.unit, report, cancel)
        texts = [item.text(tuple(PARTS)) for each in benchmarks for item in each.items]
        found = find_contaminated(Compared(self.index, units), texts, asked.cut, report, cancel)
        numbers = self.index.documents.numbers()
        groups = None if asked.by is None else self.columns.column(asked.by, numbers, report, cancel)
        sets = ("evaluation sets", ", ".join(each.name for each in benchmarks))
        return Decontamination(found, self.index, len(texts), groups, Origin(self.index, (sets, *asked.facts)))
