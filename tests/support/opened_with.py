"""Letting `open_index` open another backend, in the library, on the command line and in the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from list_backend import Contents, ListBackend

from explorer.api import opening


def open_with(patch: pytest.MonkeyPatch, wrap: Callable[[Any], Any]) -> None:
    """What opens from now on is what `wrap` makes of the local backend."""
    # What it is now: another wrapper may be in place already.
    local: Callable[..., Any] = vars(opening)["open_folders"]
    patch.setattr(opening, "open_folders", lambda *values, **named: wrap(local(*values, **named)))


def in_lists(index: Any) -> ListBackend:
    """The same documents in Python lists; every one of them is read."""
    numbers = index.documents.numbers()
    whole = np.full(len(numbers), np.iinfo(np.int32).max, dtype=np.int64)
    tokens = dict(zip(numbers.tolist(), index.documents.windows(numbers, np.zeros_like(numbers), whole), strict=True))
    records = dict(zip(numbers.tolist(), index.documents.metadata(numbers), strict=True))
    every = range(index.document_slots)
    volumes, first = [], 0
    for part in index.local.parts:
        volumes.append([tokens.get(number, np.empty(0)).tolist() for number in every[first : first + part.documents]])
        first += part.documents
    contents = Contents(
        volumes,
        [records.get(number, {}) for number in every],
        index.separator,
        index.tokenizer if index.has_tokenizer else None,
        index.name,
        index.remark,
        index.documents.field_names(),
    )
    return ListBackend(contents, frozenset(every) - frozenset(tokens))
