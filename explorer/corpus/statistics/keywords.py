"""Keywords: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.keywords.compute import SpreadOf, find_keywords
from explorer.analyses.keywords.list_files import read_word_list
from explorer.analyses.keywords.question import KeywordsQuestion
from explorer.analyses.keywords.spread import spread_over_documents
from explorer.analyses.keywords.word_lists import WordList, count_words, without_part
from explorer.analyses.metadata.fields import FieldColumns
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.statistics.keywords import Keywords
from explorer.corpus.search.where import Where, chosen_documents, conditions, documents_without
from explorer.corpus.statistics.units import counted_index
from explorer.corpus.types import FilePath
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.words.stop_list import stop_forms, stop_ids, stop_words_of

_USUAL = KeywordsQuestion()


@checks_jobs
class CorpusKeywords:
    """Keywords of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def keywords(
        self,
        reference: CorpusKeywords | Mapping[str, int] | FilePath | None = None,
        *,
        where: Where | None = None,
        unit: Literal["words", "tokens"] = _USUAL.unit,
        measure: str = _USUAL.measure,
        min_count: SupportsIndex = _USUAL.min_count,
        min_documents: SupportsIndex = _USUAL.min_documents,
        top: SupportsIndex | None = _USUAL.top,
        correction: str | None = _USUAL.correction,
        k: float = _USUAL.k,
        stop: Iterable[str] = (),
        min_d_a: float | None = _USUAL.min_d_a,
        details: bool = _USUAL.details,
        exclude_missing: bool = _USUAL.exclude_missing,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Keywords:
        """Find the words that are more frequent, or rarer, than in a reference.

        Parameters
        ----------
        reference
            Another corpus; counts by word; or the file of a word list: rank, frequency and word in each line, separated
            by tabs, or columns with a heading. Words of a corpus and of a file are in lower case, those of counts are
            taken as they are.
        where
            In place of a reference: the documents that meet these conditions on metadata are compared with the rest.
        unit
            Count words, in lower case, or tokens, which two corpora must have in common: "words" or "tokens".
        measure
            The measure to sort by: g2, g2_two_terms, bic, log_ratio, percent_difference, odds_ratio or simple_maths.
        min_count
            Minimum number of occurrences in the corpus or in the reference, from 1.
        min_documents
            Minimum number of documents on the side where a word is more frequent, from 1. Words of a reference that
            does not tell its documents are kept. All words are tested, for p.
        top
            Maximum number of keywords, and of negative keywords; None for all.
        correction
            Correction of p for many tests, as many as there are words of the least count: "holm", "bonferroni", "fdr"
            (Benjamini and Hochberg), or None.
        k
            Constant of simple maths, in occurrences per million, which either rate is added to, above 0: 1 prefers rare
            words, 100 frequent ones.
        stop
            Words that are not listed; they are counted and tested like others. Each is cut and folded as texts are, and
            one that is not a single word or token has no effect.
        min_d_a
            Minimum D_A over the documents of that side, which is low for words of few documents, 0 to 1. Where D_A is
            unknown, as for word lists and one document, words are kept.
        details
            Measure D_A, the spread over documents, of each row; it is with `min_d_a`.
        exclude_missing
            Exclude documents without a value of the field from the rest, as nobody knows on which side they are. Needs
            `where`. `reference` of the result has their number in either case.
        report
            Called with the progress.
        cancel
            Stops the work.

        Returns
        -------
        Keywords
            Keywords, then negative keywords, each sorted by the measure.

        Raises
        ------
        QueryError
            If a setting is out of range, a word list cannot be read, no document meets the conditions, or either side
            has no words.
        CapabilityError
            If the index is not in folders on this machine, or two corpora have different tokens.
        Cancelled
            If it was cancelled.

        Notes
        -----
        `docs/keywords.md` has the formulas and their sources. G² grows with the size of the corpora: sort by a ratio
        where sizes differ, and look at the number of documents.

        Cost: as for `words`, a walk over the suffix arrays, and a few steps of numpy over all forms. With `where`, the
        chosen documents or the others are read and sorted. For D_A, the documents of either side are read; with
        `min_d_a`, twice.

        Examples
        --------
        >>> [(row.form, row.count, row.reference_count) for row in corpus.keywords({"the": 50}, min_count=3)][:2]
        [('cat', 3, 0), ('on', 3, 0)]
        """
        question = KeywordsQuestion.of(
            unit=unit,
            measure=measure,
            min_count=min_count,
            min_documents=min_documents,
            min_d_a=min_d_a,
            stop=stop,
            details=details,
            exclude_missing=exclude_missing,
            top=top,
            correction=correction,
            k=k,
        )
        if (reference is None) == (where is None):
            raise QueryError(
                mark("Give a reference, or a condition on metadata.")
                if reference is None
                else mark("Give a reference or a condition on metadata, not both."),
                reason="wrong-argument",
            )
        if exclude_missing and where is None:
            raise QueryError(mark("exclude_missing needs a condition on metadata."), reason="wrong-argument")
        index = counted_index(self.index, question.unit, report, cancel)
        if where is not None:
            # By the documents of the original: those of the words have the same numbers.
            chosen = chosen_documents(self.index, self.columns, where, report, cancel)
            missing = documents_without(self.index, self.columns, where, report, cancel) & ~chosen
            here, there = _part_and_rest(index, chosen, missing, question.exclude_missing, where, report, cancel)
        else:
            there = _reference(reference, self.index, question.unit, report, cancel)
            here = _whole(index, self.index.name, report, cancel)
        words = stop_words_of(question.stop)
        stopped = stop_forms(words) if question.unit == "words" else stop_ids(index, words)
        spreads = (here.spread(report, cancel), there.spread(report, cancel))
        found = find_keywords(here.words, there.words, question, stopped, spreads)
        asked = (
            ("corpus", here.words.name),
            ("reference", there.words.name),
            *question.facts,
            ("total", str(here.words.total)),
            ("reference total", str(there.words.total)),
            ("tested", str(found.tested)),
        )
        return Keywords(found, there.words.name, index, Origin(self.index, asked))


@dataclass(frozen=True, eq=False)
class _Side(ArrayValue):
    """What is compared: its words, and where they were counted; None for a list of others."""

    words: WordList
    index: Backend | None = None
    documents: Numbers | None = None

    def spread(self, report: Report, cancel: CancelToken | None) -> SpreadOf | None:
        """What measures D_A of its words."""
        if self.index is None or self.documents is None:
            return None
        index, documents = self.index, self.documents
        return lambda ids: spread_over_documents(index, documents, ids, report, cancel)


def _whole(index: Backend, name: str, report: Report, cancel: CancelToken | None) -> _Side:
    return _Side(count_words(index, name, report, cancel), index, index.documents.numbers())


def _part_and_rest(
    index: Backend,
    chosen: NDArray[np.bool_],
    missing: NDArray[np.bool_],
    exclude: bool,
    where: Where,
    report: Report,
    cancel: CancelToken | None,
) -> tuple[_Side, _Side]:
    shown = "; ".join(map(str, conditions(where)))
    numbers = np.flatnonzero(chosen).astype(np.int64)
    if not len(numbers):
        raise QueryError(mark("No document meets the conditions."), reason="empty-subset", option="where")
    whole = count_words(index, index.name, report, cancel)
    if len(numbers) == index.document_count:
        part = WordList(shown, whole.forms, whole.counts, whole.documents, whole.ids)
    else:
        index.capabilities.require("subtraction")
        part = count_words(index.within(numbers, cancel), shown, report, cancel)
    name = _rest_name(shown, where, int(missing.sum()), exclude)
    rest, outside = without_part(whole, part, name), chosen
    if exclude and missing.any():
        unknown = count_words(index.within(np.flatnonzero(missing).astype(np.int64), cancel), name, report, cancel)
        rest, outside = without_part(rest, unknown, name), chosen | missing
    every = index.documents.numbers()
    return _Side(part, index, numbers), _Side(rest, index, every[~outside[every]])


def _rest_name(shown: str, where: Where, missing: int, exclude: bool) -> str:
    """What the documents outside a part are called, with the number of those that have no value to judge by."""
    if not missing:
        return f"the rest (not: {shown})"
    fields = " or ".join(dict.fromkeys(condition.field for condition in conditions(where)))
    documents = f"{missing:,} document{'' if missing == 1 else 's'}"
    have = "has" if missing == 1 else "have"
    told = f"without {documents} that {have} no {fields}" if exclude else f"{documents} {have} no {fields}"
    return f"the rest (not: {shown}; {told})"


def _reference(
    reference: CorpusKeywords | Mapping[str, int] | FilePath | None,
    index: Backend,
    unit: str,
    report: Report,
    cancel: CancelToken | None,
) -> _Side:
    if isinstance(reference, CorpusKeywords):
        if unit == "tokens" and not _same_tokens(index, reference.index):
            raise QueryError(
                mark("The two indexes have different tokens. Compare their words."), reason="different-tokens"
            )
        name = f"{reference.index.name} ({reference.index.fingerprint})"
        return _whole(counted_index(reference.index, unit, report, cancel), name, report, cancel)
    if unit == "tokens":
        raise QueryError(mark("A word list has no tokens. Compare words."), reason="different-tokens")
    if isinstance(reference, str | PathLike):
        return _Side(read_word_list(Path(reference)))
    counts = reference or {}
    if not all(isinstance(count, int) and 1 <= count < 1 << 60 for count in counts.values()):
        raise QueryError(mark("The counts of a word list must be whole numbers from 1."), reason="bad-word-list")
    return _Side(WordList.of("word list", counts))


def _same_tokens(one: Backend, other: Backend) -> bool:
    """Whether an id is the same token in both, as far as can be known."""
    if one.separator != other.separator or one.has_tokenizer != other.has_tokenizer:
        return False
    return not one.has_tokenizer or one.tokenizer.fingerprint == other.tokenizer.fingerprint
