"""What a corpus has in the place of its index after it was closed."""

from __future__ import annotations

from typing import NoReturn

from explorer.errors import CorpusError
from explorer.i18n import mark


class Closed:
    """Takes the place of the index of a closed corpus: every question to it is an error.

    Notes
    -----
    An open corpus has no test for being closed, which would cost more than a count.
    """

    def __getattr__(self, name: str) -> NoReturn:
        raise closed_error()


def closed_error() -> CorpusError:
    """Make the error of a closed corpus."""
    return CorpusError(mark("This corpus is closed."), reason="closed")
