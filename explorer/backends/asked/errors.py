"""Errors of an index, as the machine that has it tells them to the one that asked."""

from __future__ import annotations

from typing import Any

from explorer.errors import CapabilityError, CorpusError, QueryError, TokenizerError, UnavailableError

TOLD = (QueryError, CapabilityError, TokenizerError, UnavailableError)
"""Errors of a question. Others may name files of the machine that has the index."""
_KINDS: dict[str, type[CorpusError]] = {kind.__name__: kind for kind in (QueryError, TokenizerError, UnavailableError)}
_MOST_TOLD = 500
"""Characters of an error that another machine sends."""


def as_told(error: CorpusError) -> dict[str, str]:
    """Write an error of `TOLD` as JSON."""
    kind = next(kind.__name__ for kind in TOLD if isinstance(error, kind))
    return {"kind": kind, "reason": error.reason, "text": str(error)}


def told_error(error: dict[str, Any]) -> CorpusError:
    """Read an error that another machine sent; foreign text, so it is short and on one line.

    Examples
    --------
    >>> type(told_error({"kind": "QueryError", "reason": "bad-limit", "text": "limit must be 1"})).__name__
    'QueryError'
    """
    text = " ".join("".join(char if char.isprintable() else " " for char in str(error.get("text", ""))).split())
    text = text[:_MOST_TOLD]
    if error.get("kind") == "CapabilityError":
        return CapabilityError(text)
    kind = _KINDS.get(str(error.get("kind")), CorpusError)
    reason = error.get("reason")
    return kind("{text}", reason=reason if isinstance(reason, str) else "", text=text)
