"""Figures that are only right if no part of the index was left out."""

from __future__ import annotations

from explorer.backends.protocol.protocol import Backend
from explorer.errors import QueryError
from explorer.i18n import mark


def require_whole(index: Backend) -> None:
    """Check that no part of an index was left out of answers; call it after they were asked for.

    Raises `QueryError` if a part was left out: see `explorer.backends.protocol.protocol.Backend.missing`.
    """
    if index.missing:
        raise QueryError(
            mark("{names} are missing, so only occurrences can be counted and listed."),
            reason="parts-missing",
            names=", ".join(index.missing[:5]) + (" …" if len(index.missing) > 5 else ""),
        )
