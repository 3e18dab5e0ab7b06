"""Opening an index folder on a web server or in a bucket: which files it has, its tokenizer, and its direction."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.bucket.backend import BucketBackend
from explorer.backends.bucket.folder import FarFolder
from explorer.backends.bucket.shards import FarShards
from explorer.backends.local.open import load_tokenizer
from explorer.backends.remembered import remembered
from explorer.backends.remote.opening import tokenizer_key
from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.http.buckets import BucketFiles, bucket_of
from explorer.http.client import Client
from explorer.http.consent import Confirm, folder_address
from explorer.http.pace import part_pace_of
from explorer.http.parts import Files, WebFiles
from explorer.http.wire.buckets import is_bucket
from explorer.index.tokenizer_check import SAMPLED_TOKENS, measure_fit, places_of_sample, require_fit
from explorer.text.special_tokens import AS_TEXT
from explorer.text.tokens.tokenizer import TextTokenizer


def open_bucket(request: IndexRequest, report: Report = no_report, cancel: CancelToken | None = None) -> BucketBackend:
    """Open an index folder on a web server or in a bucket.

    Raises `RemoteError` if the address may not be read, or does not answer.
    Raises `TokenizerError` if the tokenizer cannot be read, or is not that of the index.
    Raises `CorpusError` if there is no index, or it is damaged.
    """
    files = _files(request)
    folder = FarFolder(files, cancel)
    tokenizer = _tokenizer(folder, request, cancel)
    if tokenizer is not None and folder.manifest is not None:
        tokenizer = tokenizer.treating_special(folder.manifest.special_tokens == AS_TEXT)
    stated = folder.manifest.reversed_text if folder.manifest is not None else False
    shards = FarShards(folder.blocks, folder.shards, stated if request.reversed_text is None else request.reversed_text)
    if tokenizer is not None:
        _settle_direction(folder, shards, tokenizer, request, cancel)
    return BucketBackend(folder, shards, tokenizer, request.sources[0], (open_bucket, (request,)))


def _files(request: IndexRequest) -> Files:
    source = request.sources[0]
    confirm: Confirm | None = (lambda host: True) if request.allow_remote else None
    if is_bucket(source):
        bucket, address = bucket_of(source, confirm)
        if bucket.has_credentials():
            return BucketFiles(source, confirm)
    else:
        address = folder_address(source, confirm)
    return WebFiles(Client(address, request.token, part_pace_of(address.name)))


def _tokenizer(folder: FarFolder, request: IndexRequest, cancel: CancelToken | None) -> TextTokenizer | None:
    if request.tokenizer is not None:
        return load_tokenizer(request.tokenizer)
    if (own := folder.tokenizer(cancel)) is not None:
        return own
    choice: Any = request.default_tokenizer
    if choice is not None:
        return load_tokenizer(choice)
    kept = remembered(tokenizer_key(folder.files.address, ""))
    return None if kept is None else kept.load()


class _Sample:
    """The documents of one shard that show whether a tokenizer fits: see `explorer.index.tokenizer_check.Sampled`."""

    def __init__(self, shards: FarShards, cancel: CancelToken | None) -> None:
        self._shards, self._cancel = shards, cancel
        self.text_name = shards.path(shards.shards[0], "tokenized")
        self.document_count = shards.shards[0].document_count
        # All at once, so that what follows waits for nothing.
        spans = shards.bounds([(0, number) for number in places_of_sample(self)], cancel)
        size = SAMPLED_TOKENS * shards.token_width
        shards.texts([(0, at, size) for start, end in spans for at in (start, max(start, end - size))], cancel)

    def document_bounds(self, document: int) -> tuple[int, int]:
        """The positions of a document."""
        start, end = self._shards.bounds([(0, document)], self._cancel)[0]
        return start // self._shards.token_width, end // self._shards.token_width

    def stored(self, start: int, end: int) -> NDArray[np.int64]:
        """Stored tokens."""
        width = self._shards.token_width
        return self._shards.tokens(self._shards.texts([(0, start * width, (end - start) * width)], self._cancel)[0])


def _settle_direction(
    folder: FarFolder,
    shards: FarShards,
    tokenizer: TextTokenizer,
    request: IndexRequest,
    cancel: CancelToken | None,
) -> None:
    """Check the tokenizer; a folder of another program may turn out to be stored backwards."""
    manifest = folder.manifest
    if manifest is not None and tokenizer.fingerprint and manifest.tokenizer_sha256 == tokenizer.fingerprint:
        return  # the very tokenizer that the index was built with
    sample = _Sample(shards, cancel)
    fit = measure_fit(sample, tokenizer)
    if request.check_fit:
        require_fit(fit, sample, tokenizer)
    if manifest is None and fit.reversed_text and request.reversed_text is None:
        shards.reversed_text = True
