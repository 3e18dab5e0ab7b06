"""What to do about an error, in the words of one surface: a table of rows for each, found by the error's names.

The rows of the command line are in `explorer.cli.hints`, those of the window in `explorer.gui.hints`. A new hint is one
row there; the library shows none, since its errors carry `reason` and `option`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.errors import CorpusError
from explorer.i18n import tr


@dataclass(frozen=True)
class Hint:
    """What to do about the errors with a name.

    Attributes
    ----------
    key
        A reason, option or outcome of an error.
    text
        A sentence, marked with `mark`; it may use the error's fields. "" for none.
    offers
        Names of the controls that apply the remedy, for a surface that has such.
    """

    key: str
    text: str = ""
    offers: tuple[str, ...] = ()


def hints_for(error: CorpusError, rows: Sequence[Hint]) -> tuple[Hint, ...]:
    """Find the hints for an error.

    Parameters
    ----------
    error
        The error.
    rows
        The hints of a surface.

    Returns
    -------
    tuple[Hint, ...]
        The row of its reason, or else of its option; and that of its outcome.
    """
    known = {row.key: row for row in rows}
    what = known.get(error.reason) or known.get(error.option)
    return tuple(row for row in (what, known.get(error.outcome)) if row is not None)


def with_hints(error: CorpusError, rows: Sequence[Hint]) -> str:
    """Write an error's sentence, and after it what to do.

    Parameters
    ----------
    error
        The error.
    rows
        The hints of a surface.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> from explorer.errors import QueryError
    >>> with_hints(QueryError("Nothing was asked.", reason="empty"), [Hint("empty", "Type a word.")])
    'Nothing was asked. Type a word.'
    """
    told = [tr(row.text, **error.fields) for row in hints_for(error, rows) if row.text]
    return " ".join([str(error), *told])


def offers_for(error: CorpusError, rows: Sequence[Hint]) -> tuple[str, ...]:
    """Name the controls to show beside an error.

    Parameters
    ----------
    error
        The error.
    rows
        The hints of a surface.

    Returns
    -------
    tuple[str, ...]
        The names.
    """
    return tuple(name for row in hints_for(error, rows) for name in row.offers)
