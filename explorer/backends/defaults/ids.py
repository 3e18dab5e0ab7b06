"""Token ids as they are given, checked."""

from __future__ import annotations

import _fastsa
from explorer.backends.protocol.protocol import Ids, Numbers
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.index.guard import refusal


def checked_ids(ids: Ids, separator: int, allow_empty: bool = False) -> Numbers:
    """Check token ids.

    ids: The ids, in reading order.
    allow_empty: Whether there may be none.
    Returns: The ids as an int64 array.
    Raises `QueryError` if they are not whole numbers, or not ids of the index.

    Examples
    --------
    >>> checked_ids([1, 2], 255).tolist()
    [1, 2]
    """
    try:
        array = _fastsa.token_ids(ids, separator)
    except _fastsa.BadIds as error:
        raise refusal(error) from error
    if not len(array) and not allow_empty:
        raise QueryError(mark("The query is empty."), reason="no-tokens-given")
    return array
