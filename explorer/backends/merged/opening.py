"""Opening several indexes as one, wherever and however each is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from explorer.backends.merged.backend import MergedBackend
from explorer.backends.protocol.protocol import Backend
from explorer.backends.request import IndexRequest
from explorer.errors import QueryError
from explorer.i18n import mark

Open = Callable[[IndexRequest], Backend]


def open_several(requests: Sequence[IndexRequest], open_one: Open, again: IndexRequest, reopen: Open) -> MergedBackend:
    """Open indexes, and ask them as one from then on.

    again: The request for all of them.
    reopen: Opens it in another process, which finds the function by its name.
    Raises `QueryError` if one is given twice, or their tokenizers differ.
    """
    # One after the other: the second is often refused for the reason of the first, which should be told once.
    backends = [open_one(request) for request in requests]
    if not again.allow_same:
        _refuse_same(backends)
    name = " + ".join(dict.fromkeys(backend.name for backend in backends))
    return MergedBackend(backends, name, (reopen, (again,)))


def _refuse_same(backends: Sequence[Backend]) -> None:
    seen: dict[str, str] = {}
    for backend in backends:
        source = backend.sources[0]
        if (first := seen.setdefault(backend.fingerprint, source)) is not source:
            raise QueryError(
                mark("{path} is a copy of {first}, so every text would be counted twice."),
                reason="same-index-twice",
                path=source,
                first=first,
                option="allow_same",
            )
