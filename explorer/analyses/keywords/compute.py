"""Which words are more frequent, or rarer, than in a reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.keywords.keyness import KEYNESS, Floats, Frequencies, simple_maths
from explorer.analyses.keywords.likelihood import bonferroni, false_discovery, holm, significance
from explorer.analyses.keywords.question import KeywordsQuestion
from explorer.analyses.keywords.word_lists import WordList
from explorer.core.arrays import ArrayValue
from explorer.errors import QueryError
from explorer.i18n import mark

CORRECTIONS: Mapping[str, Callable[[Floats, NDArray[np.int64]], Floats]] = MappingProxyType(
    {"holm": holm, "bonferroni": bonferroni, "fdr": false_discovery}
)
"""The corrections for many tests by name: of levels, and how many tests each is of."""
_FormsOf = Callable[[NDArray[np.intp]], Any]
SpreadOf = Callable[[NDArray[np.int64]], Floats]
"""Gives D_A of the words with these ids."""


@dataclass(frozen=True, eq=False)
class KeywordTable(ArrayValue):
    """Keywords, the strongest first, then negative keywords, the strongest first.

    forms: The words, or the ids of tokens.
    documents, reference_documents: How many documents of either have each; None where it is unknown.
    tested: Words of the least count, of which the rows are some.
    pair: How often they occur.
    positive: Whether each is at least as frequent as in the reference, bool.
    measures: Each measure of `KEYNESS` by its id, float64; nan where it is unknown.
    p, p_corrected: The level of significance by G² of four cells, and the corrected one, which is None without a
        correction. All words of the least count were tested, those without a row included.
    d_a, reference_d_a: D_A over the documents of either, float64; nan where it is unknown. None if it was not measured.
    """

    forms: tuple[Any, ...]
    documents: NDArray[np.int64] | None
    reference_documents: NDArray[np.int64] | None
    tested: int
    pair: Frequencies
    positive: NDArray[np.bool_]
    measures: Mapping[str, Floats]
    p: Floats
    p_corrected: Floats | None
    d_a: Floats | None = None
    reference_d_a: Floats | None = None


def find_keywords(
    corpus: WordList,
    reference: WordList,
    question: KeywordsQuestion,
    stop: frozenset[Any] = frozenset(),
    spreads: tuple[SpreadOf | None, SpreadOf | None] = (None, None),
) -> KeywordTable:
    """Compare the words of a corpus with those of a reference; forms are matched.

    stop: Forms without a row, which those of the question are in this list.
    spreads: What measures D_A over the documents of either; None where it is unknown.
    Raises `QueryError` if either has no words.

    Notes
    -----
    A look-up of every form in one hash table. The measures are computed once for each distinct pair of counts, and
    only forms that can be rows are sorted.
    """
    for side in (corpus, reference):
        if not len(side.counts):
            raise QueryError(
                mark("{name} has no words, so there is nothing to compare."), reason="no-words", name=side.name
            )
    forms, places = _matched(corpus, reference)
    sides = tuple(zip((corpus, reference), places, strict=True))
    counts = [_spread_out(side.counts, at, len(forms)) for side, at in sides]
    chosen = np.flatnonzero(np.maximum(*counts) >= question.min_count)
    found = _measured([each[chosen] for each in counts], (corpus.total, reference.total), question)
    documents = [_column(side.documents, at, len(forms), chosen) for side, at in sides]
    # One more, so that 0 is left for forms that a side lacks.
    ids = [_column(None if side.ids is None else side.ids + 1, at, len(forms), chosen) for side, at in sides]
    kept = _met(found.positive, documents, question.min_documents) & _outside(forms, chosen, stop)
    if question.min_d_a is not None:
        kept[kept] = _even(ids, spreads, found.positive, np.flatnonzero(kept), question.min_d_a)
    rows = _ranked(found, kept, question, lambda rows: forms.take(chosen[rows]))
    here, there = (None if each is None else each[rows] for each in documents)
    named = tuple(forms.take(chosen[rows]).to_pylist())
    table = KeywordTable(named, here, there, len(chosen), *found.of(rows))
    if not question.details and question.min_d_a is None:
        return table
    even, other = (_spread(each, by, rows) for each, by in zip(ids, spreads, strict=True))
    return replace(table, d_a=even, reference_d_a=other)


def _column(
    values: NDArray[np.int64] | None, places: NDArray[np.int64], size: int, chosen: NDArray[np.intp]
) -> NDArray[np.int64] | None:
    """What one side has of the chosen forms, 0 where it lacks one; None where it is unknown."""
    return None if values is None else _spread_out(values, places, size)[chosen]


def _outside(forms: Any, chosen: NDArray[np.intp], stop: frozenset[Any]) -> NDArray[np.bool_]:
    """Which of the chosen forms are not of a stop list."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not stop:
        return np.ones(len(chosen), np.bool_)
    inside = pc.is_in(forms, value_set=pa.array(sorted(stop), forms.type)).to_numpy(zero_copy_only=False)
    return np.asarray(~inside.astype(np.bool_)[chosen], np.bool_)


def _spread(ids: NDArray[np.int64] | None, spread: SpreadOf | None, rows: NDArray[np.intp]) -> Floats:
    """D_A of some rows on one side; nan where it is unknown, such as for words that the side lacks."""
    found = np.full(len(rows), np.nan)
    if ids is not None and spread is not None:
        has = ids[rows] > 0
        found[has] = spread(ids[rows[has]] - 1)
    return found


def _even(
    ids: Sequence[NDArray[np.int64] | None],
    spreads: Sequence[SpreadOf | None],
    positive: NDArray[np.bool_],
    rows: NDArray[np.intp],
    least: float,
) -> NDArray[np.bool_]:
    """Which of some rows are spread evenly enough on the side where they are more frequent; unknown ones are kept."""
    kept = np.ones(len(rows), np.bool_)
    for each, spread, sign in zip(ids, spreads, (True, False), strict=True):
        side = positive[rows] == sign
        kept[side] = ~(_spread(each, spread, rows[side]) < least)
    return kept


def _met(positive: NDArray[np.bool_], documents: Sequence[NDArray[np.int64] | None], least: int) -> NDArray[np.bool_]:
    """Which words are in enough documents of the side where they are more frequent; those that are not known are kept.

    A keyword of one long document is typical of this document, not of the corpus.
    """
    here, there = (np.ones(len(positive), np.bool_) if each is None else each >= least for each in documents)
    return np.where(positive, here, there)


@dataclass(frozen=True, eq=False)
class _Measured(ArrayValue):
    """The measures of each distinct pair of counts, and the pair of each word.

    Most words of a large list are rare, so few pairs are distinct: a few thousand among a million words.
    """

    pairs: NDArray[np.int32]
    pair: Frequencies
    measures: Mapping[str, Floats]
    p: Floats
    p_corrected: Floats | None

    @property
    def positive(self) -> NDArray[np.bool_]:
        """Whether each word is at least as frequent as in the reference."""
        first, second = self.pair.shares
        return (first >= second)[self.pairs]

    def of(self, rows: NDArray[np.intp]) -> tuple[Any, ...]:
        """Pair, sign, measures and levels of some words, as `KeywordTable` has them."""
        at, pair = self.pairs[rows], self.pair
        first, second = pair.shares
        return (
            Frequencies(pair.count[at], pair.size, pair.reference[at], pair.reference_size),
            (first >= second)[at],
            {name: values[at] for name, values in self.measures.items()},
            self.p[at],
            None if self.p_corrected is None else self.p_corrected[at],
        )


def _measured(counts: Sequence[NDArray[np.int64]], sizes: tuple[int, int], question: KeywordsQuestion) -> _Measured:
    pairs, firsts = _distinct(counts)
    pair = Frequencies.of(counts[0][firsts], sizes[0], counts[1][firsts], sizes[1])
    measures = {name: row.compute(pair) for name, row in KEYNESS.items()}
    measures["simple_maths"] = simple_maths(pair, question.k)
    p = significance(measures["g2"])
    # Every word is a test, however many of them have the same counts.
    tests = np.bincount(pairs, minlength=len(firsts))
    corrected = None if question.correction is None else CORRECTIONS[question.correction](p, tests)
    return _Measured(pairs, pair, measures, p, corrected)


def _distinct(counts: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """The number of each word's pair of counts, and a word of each pair."""
    # Numbers of counts instead of counts, so that two of them fit into one key.
    first, second = (_numbered(each) for each in counts)
    pairs = _numbered(first.astype(np.int64) << 32 | second)
    words = np.empty(int(pairs.max(initial=-1)) + 1, np.intp)
    words[pairs] = np.arange(len(pairs))
    return pairs, words


def _numbered(values: NDArray[np.int64]) -> NDArray[np.int32]:
    """Number distinct values from 0."""
    import pyarrow as pa

    # By a hash: a sort takes several times as long.
    numbers: NDArray[np.int32] = pa.array(values).dictionary_encode().indices.to_numpy()
    return numbers


def _matched(corpus: WordList, reference: WordList) -> tuple[Any, list[NDArray[np.int64]]]:
    """The forms of both lists, each once, and the place of each form of either among them."""
    import pyarrow as pa

    both = pa.chunked_array([corpus.forms, reference.forms]).combine_chunks().dictionary_encode()
    places = both.indices.to_numpy().astype(np.int64)
    return both.dictionary, np.split(places, [len(corpus.counts)])


def _spread_out(values: NDArray[np.int64], places: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    found = np.zeros(size, np.int64)
    found[places] = values
    return found


def _ranked(
    found: _Measured, kept: NDArray[np.bool_], question: KeywordsQuestion, forms_of: _FormsOf
) -> NDArray[np.intp]:
    # BIC has no sign: the strongest negative keywords have the greatest values, too.
    positive, values, top = found.positive, found.measures[question.measure], question.top
    less = -1 if question.measure == "bic" else 1
    parts = ((np.flatnonzero(positive & kept), -1), (np.flatnonzero(~positive & kept), less))
    return np.concatenate([_first(rows, (sign * values)[found.pairs[rows]], top, forms_of) for rows, sign in parts])


def _first(rows: NDArray[np.intp], keys: Floats, top: int | None, forms_of: _FormsOf) -> NDArray[np.intp]:
    """The rows of the smallest keys, of equal ones those whose forms come first; nan comes last."""
    import pyarrow.compute as pc

    if top is not None and top < len(rows):
        # Only what can be among them is put in order: sorting a million forms takes a second.
        limit = np.partition(keys, top - 1)[top - 1]
        if not np.isnan(limit):
            kept = np.flatnonzero(keys <= limit)
            rows, keys = rows[kept], keys[kept]
    # In the order of the forms' bytes, or of their ids.
    places: NDArray[np.intp] = pc.sort_indices(forms_of(rows)).to_numpy().astype(np.intp)
    return rows[places[np.argsort(keys[places], kind="stable")]][:top]
