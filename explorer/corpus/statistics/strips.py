"""Where words are in the parts of a corpus: what the library offers beside `Corpus.dispersion`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from explorer.analyses.dispersion.question import DispersionQuestion
from explorer.analyses.dispersion.strips import find_strips
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_job
from explorer.corpus.corpus import Corpus
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.statistics.strips import DispersionStrips
from explorer.corpus.statistics.parts import parts_of
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.words.index import open_words
from explorer.words.rule import WordRule

MOST_WORDS = 7
"""Words that are compared: as many as colors that can be told apart."""


@checks_job
def dispersion_strips(
    corpus: Corpus,
    words: Sequence[str],
    *,
    by: str | None = None,
    slices: SupportsIndex | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> DispersionStrips:
    """Find where some words are in each part of a corpus, and how evenly they are spread.

    Parameters
    ----------
    corpus
        The corpus.
    words
        The words, 1 to 7; several words in one text are found in a row.
    by
        Metadata field whose values are the parts, in place of documents with words.
    slices
        Number of slices of equal size that are the parts, in place of documents, in their order.
    report
        Called with the progress of making the index of words, and of reading metadata.
    cancel
        Stops the work.

    Returns
    -------
    DispersionStrips
        The counts of each part, the places of all hits, and the measures of each word.

    Raises
    ------
    QueryError
        If a text has no word, there are too many texts or hits, no document has the field, both kinds of parts are
        asked for, or there are fewer words than slices.
    CapabilityError
        If the index is not in folders on this machine.
    Cancelled
        If it was cancelled.

    Notes
    -----
    Words are those of `words`, in lower case. A row of words is counted where its first word is. Measures and their
    sources are in `docs/dispersion.md`; of rare words, read range and count first.

    Cost: as for `words`, then the hits are located and sorted. Memory: 40 bytes for each hit.

    Examples
    --------
    >>> from explorer import dispersion_strips
    >>> found = dispersion_strips(corpus, ["cat", "dog"])
    >>> [(strip.part, strip.words, strip.hits) for strip in found.strips(top=2)]
    [(3, 5, 2), (0, 6, 1)]
    """
    forms = [word.strip() for word in ([words] if isinstance(words, str) else words)]
    if not 1 <= len(forms) <= MOST_WORDS:
        raise QueryError(mark("Give 1 to {most} words."), reason="wrong-argument", most=MOST_WORDS)
    question = DispersionQuestion.of(by=by, slices=slices)
    if by is not None:
        corpus.columns.require(by, cancel)
    index = open_words(corpus.index, WordRule(), report, cancel).backend
    ids = [index.tokenizer.encode(form) for form in forms]
    for form, found in zip(forms, ids, strict=True):
        if not len(found):
            raise QueryError(mark("“{text}” has no word."), reason="no-word", text=form)
    parts, labels = parts_of(index, corpus.columns, question, report, cancel)
    asked = (("words", "; ".join(forms)), ("parts", question.over))
    return DispersionStrips(forms, find_strips(index, ids, parts, cancel), labels, Origin(corpus.index, asked))
