"""Counts words by their length."""

from __future__ import annotations

from collections import defaultdict

from explorer.analyses.analysis import Found
from explorer.analyses.word_lengths.question import WordLengthsQuestion
from explorer.analyses.word_lengths.table import WordLengthFacts, WordLengthRecord
from explorer.analyses.wordlist.ngram_lists import ngram_rows
from explorer.backends.documents.reading import decode_ngrams
from explorer.backends.protocol.protocol import Backend, NgramRule
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.text.graphemes import length


class _Lengths:
    """Words and different words by length, and the most frequent ones."""

    def __init__(self, examples: int) -> None:
        self.words: dict[int, int] = defaultdict(int)
        self.types: dict[int, int] = defaultdict(int)
        self._examples = examples
        self._frequent: dict[int, list[tuple[int, str]]] = defaultdict(list)

    def add(self, forms: list[str], counts: list[int]) -> None:
        """Count some words, each with how often it occurs."""
        for form, count in zip(forms, counts, strict=True):
            characters = length(form)
            self.words[characters] += count
            self.types[characters] += 1
            self._frequent[characters].append((-count, form))
        # Only now and then, so that what is kept stays small without a sort for each word.
        for characters, some in self._frequent.items():
            self._frequent[characters] = sorted(some)[: self._examples]

    def examples(self, characters: int) -> tuple[str, ...]:
        """The most frequent words of a length."""
        return tuple(form for _, form in self._frequent[characters])

    def mean(self, of: dict[int, int]) -> float | None:
        """The mean length of words or of different words."""
        total = sum(of.values())
        return sum(characters * count for characters, count in of.items()) / total if total else None


def word_lengths(
    index: Backend, question: WordLengthsQuestion, report: Report = no_report, cancel: CancelToken | None = None
) -> Found[WordLengthRecord, WordLengthFacts]:
    """Count the words of an index of words by their length."""
    found = _Lengths(question.examples)
    for part in ngram_rows(index, NgramRule(1, 1, min_count=question.min_count), report, cancel):
        found.add(decode_ngrams(index, part.ids, begins=True), part.counts.tolist())
    total = sum(found.words.values())
    rows = tuple(
        WordLengthRecord(each, count, count / total, found.types[each], found.examples(each))
        for each, count in sorted(found.words.items())
    )
    means = found.mean(found.words), found.mean(found.types)
    return Found(rows, WordLengthFacts(total, sum(found.types.values()), *means))
