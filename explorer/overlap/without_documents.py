"""An index as if some of its documents were not in it: a subtracted index of just these, made on the spot."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from explorer.backends.shards import Index
from explorer.backends.temporary import MOST_TOKENS, temporary_shard
from explorer.errors import QueryError
from explorer.i18n import tr
from explorer.jobs import CancelToken


def without_documents(index: Index, documents: Sequence[int], cancel: CancelToken | None = None) -> Index:
    """The index less these documents, and less every copy of them: counts come off, they are never shown.

    The files that this needs lie in a temporary folder for as long as the result lives. Cost: reading the
    documents and sorting their tokens. Raises QueryError beyond 50 million of them.
    """
    cancel = cancel or CancelToken()
    every = sorted({copy for number in documents for copy in index.documents_like(number)})
    tokens = sum(index.document_length(number) for number in every)
    if tokens > MOST_TOKENS:
        raise QueryError(
            tr(
                "These documents have {tokens:,} tokens, and only {most_tokens:,} can be left out at once. "
                "Build an index of them, and open it as one to subtract.",
                tokens=tokens,
                most_tokens=MOST_TOKENS,
            )
        )
    if not every:
        return index
    shard, folder = temporary_shard(index.token_width, map(index.document_tokens, every), cancel)
    before = index.subtraction
    subtraction = replace(
        before, minus=(*before.minus, shard), left_out=np.union1d(before.left_out, np.array(every, dtype=np.int64))
    )
    tokenizer = index.tokenizer if index.has_tokenizer else None
    result = Index(index.shards, subtraction, tokenizer, index.paths, index.manifests)
    weakref.finalize(result, shutil.rmtree, folder, True)
    return result
