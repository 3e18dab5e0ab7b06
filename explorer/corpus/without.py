"""An index as if some of its documents were not in it: a subtracted index of just these, made on the spot."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from explorer.corpus.index import Index
from explorer.corpus.layout import find_shards
from explorer.corpus.readers import SourceDocument
from explorer.corpus.shard import MappedShard
from explorer.corpus.writer import ShardWriter, write_table
from explorer.errors import QueryError
from explorer.jobs import CancelToken
from explorer.words import tr

MOST_TOKENS = 50_000_000


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
    folder = Path(tempfile.mkdtemp(prefix="corpus-explorer-without-"))
    try:
        _write(index, every, folder, cancel)
        minus = [MappedShard(files) for files in find_shards(folder)]
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    tokenizer = index.tokenizer if index.has_tokenizer else None
    result = Index(index.shards, (*index.minus, *minus), tokenizer, index.paths, index.manifests)
    weakref.finalize(result, shutil.rmtree, folder, True)
    return result


def _write(index: Index, documents: Sequence[int], folder: Path, cancel: CancelToken) -> None:
    writer = ShardWriter(folder, 0, index.token_width)
    # Behind a document stands the next one's separator, unless it is its shard's last: so that what follows
    # the ends of these documents comes off too, one that is last goes last, and else an empty one does.
    last = [number for number in documents if index.is_last_of_shard(number)]
    ordered = [number for number in documents if number not in set(last)] + last
    try:
        for number in ordered:
            cancel.check()
            writer.add(SourceDocument("", "", 0, {}), index.document_tokens(number))
        if not last:
            writer.add(SourceDocument("", "", 0, {}), np.empty(0, dtype=np.int64))
    finally:
        writer.close()
    write_table(folder, 0, index.token_width, cancel, np.zeros(1, dtype=np.int64))
