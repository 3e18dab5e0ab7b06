"""What the tabs around a query count in: words or tokens, and the documents that meet the filters. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.api import Corpus
from explorer.api.where import documents_meeting
from explorer.errors import QueryError
from explorer.gui.screens.search.near_state import NearQuestion
from explorer.gui.word_index import most_bytes
from explorer.i18n import mark
from explorer.jobs import CancelToken, Report
from explorer.words.index import words_are_made


@dataclass(frozen=True, eq=False)
class Counted:
    """What is counted in.

    Attributes
    ----------
    listed
        The index, or its words.
    node
        The query as words or tokens of it.
    chosen
        Whether the document of each number counts; None: all do.
    """

    listed: Corpus
    node: NDArray[np.int64]
    chosen: NDArray[np.bool_] | None


def missing_bytes(question: NearQuestion, words: bool, make: bool) -> int:
    """How large the index of words becomes at most, if it is needed, missing, and not to be made; 0 otherwise.

    Parameters
    ----------
    question
        Where is counted.
    words
        Whether words are counted.
    make
        Whether their index may be made.

    Returns
    -------
    int
        Bytes.

    Raises
    ------
    CorpusError
        If there can be no such index.
    """
    index = question.corpus.index
    return most_bytes(index) if words and not make and not words_are_made(index) else 0


def open_counted(question: NearQuestion, words: bool, report: Report, cancel: CancelToken) -> Counted:
    """Open what is counted in. Runs off the interface thread.

    Parameters
    ----------
    question
        The query, and where it is counted.
    words
        Whether words are counted, whose index is made if it is missing.
    report
        Called with the progress.
    cancel
        Stops the work.

    Returns
    -------
    Counted
        The index, the query in it, and the documents.

    Raises
    ------
    QueryError
        If the query has no word.
    CorpusError
        If the index cannot be read.
    """
    corpus = question.corpus
    listed = corpus.words(report=report, cancel=cancel) if words else corpus
    node = listed.encode(question.text)
    if not len(node):
        raise QueryError(mark("“{text}” has no word."), reason="no-word", text=question.text)
    met = (
        documents_meeting(corpus.index, corpus.columns, question.filters, report, cancel) if question.filters else None
    )
    return Counted(listed, node, met)
