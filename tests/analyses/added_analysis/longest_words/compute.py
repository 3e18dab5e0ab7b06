"""Finds the longest words."""

from __future__ import annotations

from explorer.analyses.analysis import Found
from explorer.analyses.wordlist.ngram_lists import ngram_rows
from explorer.backends.documents.reading import decode_ngrams
from explorer.backends.protocol.protocol import Backend, NgramRule
from explorer.core.jobs import CancelToken, Report
from longest_words.question import LongestWordsQuestion
from longest_words.table import LongWordFacts, LongWordRecord


def longest_words(
    index: Backend, question: LongestWordsQuestion, report: Report, cancel: CancelToken | None
) -> Found[LongWordRecord, LongWordFacts]:
    """The longest words of an index of words."""
    found = [
        LongWordRecord(form, len(form), count)
        for part in ngram_rows(index, NgramRule(1, 1), report, cancel)
        for form, count in zip(decode_ngrams(index, part.ids, begins=True), part.counts.tolist(), strict=True)
    ]
    sign = -1 if question.ties == "frequent" else 1
    found.sort(key=lambda each: (-each.length, sign * each.count, each.form))
    return Found(tuple(found[: question.top]), LongWordFacts(len(found)))
