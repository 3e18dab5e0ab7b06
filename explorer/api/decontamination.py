"""Evaluation sets to be cut out of a corpus: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Literal, SupportsFloat, SupportsIndex

from explorer.api.contamination import Given, given_benchmarks
from explorer.api.results.decontamination import Decontamination
from explorer.api.results.origin import Origin
from explorer.api.units import check_unit, counted_index
from explorer.backends.protocol import Backend
from explorer.curation.benchmarks import PARTS, BenchmarkColumns
from explorer.curation.decontamination import RULES, Compared, Rule, RuleName, find_contaminated
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.jobs import CancelToken, Report, no_report
from explorer.jobs.asked import checks_jobs
from explorer.search.fields import FieldColumns
from explorer.search.limits import whole_number


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
        rule: RuleName = "grams",
        n: SupportsIndex = 13,
        share: SupportsFloat = 0.8,
        unit: Literal["words", "tokens"] = "words",
        by: str | None = None,
        question: str = "",
        answer: str = "",
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
        asked = _checked(rule, n, share, unit)
        benchmarks = given_benchmarks(benchmark, BenchmarkColumns(question, answer))
        if by is not None:
            self.columns.require(by, cancel)
        units = counted_index(self.index, unit, report, cancel)
        texts = [item.text(tuple(PARTS)) for each in benchmarks for item in each.items]
        found = find_contaminated(Compared(self.index, units), texts, asked, report, cancel)
        groups = None if by is None else self.columns.column(by, self.index.documents.numbers(), report, cancel)
        origin = Origin(self.index, _facts(asked, unit, by, [each.name for each in benchmarks]))
        return Decontamination(found, self.index, len(texts), groups, origin)


def _checked(rule: str, n: SupportsIndex, share: SupportsFloat, unit: str) -> Rule:
    check_unit(unit)
    if rule not in RULES:
        raise QueryError(mark("rule must be grams or paragraphs."), reason="wrong-argument")
    if rule == "paragraphs" and unit != "words":
        raise QueryError(mark("Paragraphs are compared in words, not in tokens."), reason="wrong-argument")
    limit = float(share)
    if not 0 < limit <= 1:
        raise QueryError(mark("share must be above 0 and at most 1, not {share}."), reason="bad-share", share=limit)
    return Rule("paragraphs" if rule == "paragraphs" else "grams", whole_number(n, "n", 1), limit)


def _facts(rule: Rule, unit: str, by: str | None, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    grouped = (("by", by),) if by else ()
    asked = (("rule", rule.name), ("n", str(rule.n)), ("share", str(rule.share)), ("unit", unit), *grouped)
    return (("evaluation sets", ", ".join(names)), *asked)
