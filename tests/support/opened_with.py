"""Letting `open_index` open another backend, in the library, on the command line and in the window."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from list_backend import Contents, ListBackend
from range_server import RangeServer

from explorer.backends.asked.answers import Answers
from explorer.backends.asked.asker import Asker
from explorer.backends.asked.backend import AskedBackend, facts_from, tokenizer_from
from explorer.backends.bucket.opening import open_bucket
from explorer.backends.local.open import open_folders
from explorer.backends.local.shards import ShardBackend
from explorer.backends.merged.backend import MergedBackend
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest, Sources, as_sources
from explorer.core.jobs import CancelToken


def open_with(patch: pytest.MonkeyPatch, wrap: Callable[[Any], Any]) -> None:
    """What opens from now on is what `wrap` makes of it."""
    # What it is now: another wrapper may be in place already.
    opened = BACKENDS.open
    patch.setattr(BACKENDS, "open", lambda *values, **named: wrap(opened(*values, **named)))


def open_shards(paths: Sources, minus: Sources | None = None, **named: Any) -> ShardBackend:
    """Index folders as the backend of local shards, whatever `open_index` opens."""
    return open_folders(IndexRequest(as_sources(paths), minus=as_sources(minus), **named))


def over_json(index: Any) -> AskedBackend:
    """The same index, asked as on another machine: every question and answer is JSON in between."""
    answers = Answers(index)

    def send(name: str, arguments: list[Any], cancel: CancelToken | None) -> Any:
        if cancel is not None:
            cancel.check()
        return json.loads(json.dumps(answers.answer(name, json.loads(json.dumps(arguments)), cancel)))

    asker = Asker(send, "elsewhere")
    facts = facts_from(asker, None)
    tokenizer = tokenizer_from(asker, facts, None, True, None)
    return AskedBackend(asker, facts, tokenizer, index.sources[0], (over_json, (index,)))


def in_parts(index: Any) -> Any:
    """The same folder, read from a web server in this process; a sum or a difference cannot be opened so."""
    local = index.local
    if len(local.folders) > 1 or index.subtracted.documents or index.document_count < index.document_slots:
        pytest.skip("only local files: several folders, or subtracted documents")
    tokenizer = index.tokenizer if index.has_tokenizer else None
    # The test may ask for another direction than the folder tells.
    request = IndexRequest(
        (f"{_server().url}{local.folders[0].resolve()}/",),
        tokenizer,
        check_fit=False,
        reversed_text=local.parts[0].backwards,
    )
    found = open_bucket(request)
    found.name = index.name
    return found


def as_several(index: Any) -> MergedBackend:
    """The same documents, as up to three indexes of lists that are asked as one; volumes are cut where need be."""
    if index.document_count < index.document_slots:
        pytest.skip("only local files: subtracted documents")
    whole = contents_of(index)
    documents = [document for volume in whole.volumes for document in volume]
    ends = np.cumsum([len(volume) for volume in whole.volumes])
    cuts = np.linspace(0, len(documents), min(3, len(documents)) + 1).astype(int).tolist()
    parts = []
    for first, last in itertools.pairwise(cuts):
        inner = [first, *(end for end in ends.tolist() if first < end < last), last]
        volumes = [documents[one:other] for one, other in itertools.pairwise(inner)]
        parts.append(ListBackend(replace(whole, volumes=volumes, metadata=whole.metadata[first:last]), frozenset()))
    return MergedBackend(parts, index.name, (as_several, (index,)))


@cache
def _server() -> RangeServer:
    """A server of all files, as long as this process lives."""
    server = RangeServer(Path("/"))
    server.__enter__()
    return server


def contents_of(index: Any) -> Contents:
    """All documents of an index, which are read."""
    numbers = index.documents.numbers()
    whole = np.full(len(numbers), np.iinfo(np.int32).max, dtype=np.int64)
    tokens = dict(zip(numbers.tolist(), index.documents.windows(numbers, np.zeros_like(numbers), whole), strict=True))
    records = dict(zip(numbers.tolist(), index.documents.metadata(numbers), strict=True))
    every = range(index.document_slots)
    volumes, first = [], 0
    for part in index.local.parts:
        volumes.append([tokens.get(number, np.empty(0)).tolist() for number in every[first : first + part.documents]])
        first += part.documents
    return Contents(
        volumes,
        [records.get(number, {}) for number in every],
        index.separator,
        index.tokenizer if index.has_tokenizer else None,
        index.name,
        index.remark,
        index.documents.field_names(),
    )


def in_lists(index: Any) -> ListBackend:
    """The same documents in Python lists; every one of them is read."""
    left_out = frozenset(range(index.document_slots)) - frozenset(index.documents.numbers().tolist())
    return ListBackend(contents_of(index), left_out)
