"""What is counted: the words of a corpus, or its tokens."""

from __future__ import annotations

from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.words.index import open_words
from explorer.words.rule import WordRule


def check_unit(unit: str) -> None:
    """Check the name of a unit, where the words are opened only later.

    Parameters
    ----------
    unit
        What a caller gave.

    Raises
    ------
    QueryError
        If it is neither "words" nor "tokens".
    """
    if unit not in ("words", "tokens"):
        raise QueryError(mark("unit must be words or tokens."), reason="wrong-argument")


def counted_index(index: Backend, unit: str, report: Report, cancel: CancelToken | None) -> Backend:
    """Open the index whose tokens are the units.

    Parameters
    ----------
    index
        The index.
    unit
        "words" or "tokens".
    report
        Called with the progress of making the index of words.
    cancel
        Stops the work.

    Returns
    -------
    Backend
        The index itself, or that of its words by the usual rule; the documents have the same numbers.

    Raises
    ------
    QueryError
        If the unit is unknown.
    CorpusError
        As from `open_words`.
    Cancelled
        If it was cancelled.
    """
    check_unit(unit)
    return open_words(index, WordRule(), report, cancel).backend if unit == "words" else index
