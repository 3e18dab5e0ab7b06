"""What the tabs around a query count in: words or tokens, and the documents that meet the filters. No Qt."""

from __future__ import annotations

from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.search.where import documents_meeting
from explorer.corpus.statistics.around import Around, around_found, around_phrase
from explorer.errors import QueryError
from explorer.gui.index.word_index import bytes_to_ask
from explorer.gui.screens.search.around.near_state import NearQuestion
from explorer.gui.screens.search.work import stated_lines
from explorer.i18n import mark


def missing_bytes(question: NearQuestion, words: bool, make: bool) -> int:
    """How large the index of words becomes at most, if it is needed, missing, and not to be made; 0 otherwise.

    make: Whether their index may be made.
    Raises `CorpusError` if there can be no such index.
    """
    index = question.corpus.index
    return bytes_to_ask(index) if words and not make else 0


def open_counted(question: NearQuestion, words: bool, report: Report, cancel: CancelToken) -> tuple[Corpus, Around]:
    """Open what is counted in, and find the hits, which state how they were chosen. Runs off the interface thread.

    words: Whether words are counted, whose index is made if it is missing.
    Returns: The index or its words, and the hits there.
    Raises `QueryError` if a phrase has no word.
    Raises `CorpusError` if the index cannot be read.
    """
    corpus = question.corpus
    listed = corpus.words(report=report, cancel=cancel) if words else corpus
    index, filters = corpus.index, question.filters
    met = documents_meeting(index, corpus.columns, filters, report, cancel) if filters else None
    if question.lines is not None:
        return listed, around_found(index, listed.index, stated_lines(question.lines), met, report, cancel)
    if not len(listed.encode(question.text)):
        raise QueryError(mark("“{text}” has no word."), reason="no-word", text=question.text)
    return listed, around_phrase(index, listed.index, question.text, met, cancel)
