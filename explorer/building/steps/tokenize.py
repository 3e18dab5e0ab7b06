"""The first half of a build: texts become tokens, shard after shard; it can resume after an interruption."""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.backends.local.open import load_tokenizer, no_tokenizer
from explorer.building.request import BuildRequest, shard_limit, token_width_of
from explorer.building.sources.file_source import DocumentSource, Place
from explorer.building.sources.readers import SourceDocument
from explorer.building.sources.source import Problem, noticed, noticed_lines
from explorer.building.state import SOURCES_NAME, BuildState, tokenizer_path
from explorer.building.steps.fitting import require_fit
from explorer.core.files.paths import exists, sync_path, write_whole
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.errors import BuildError, Cancelled, SourceError, TokenizerError
from explorer.i18n import counted, mark
from explorer.index.layout import TOKENIZER_NAME
from explorer.index.shard_text import TOKEN_TYPES
from explorer.index.writer import MAX_SHARD_TOKENS, ShardWriter, Written
from explorer.text.special_tokens import AS_TEXT
from explorer.text.tokens.tokenizer import BYTES_NAME, TextTokenizer
from explorer.text.tokens.training import DEFAULT_VOCABULARY, train_bpe

if TYPE_CHECKING:
    from numpy.typing import NDArray

Batch = list[tuple[SourceDocument, Place]]
"""Documents, each with the place after it."""

# Enough for all cores at a time, and little enough that cancelling and pausing take effect soon.
_BATCH_CHARACTERS = 250_000
_BATCH_DOCUMENTS = 1_000
_CHECKPOINT_SECONDS = 5.0
"""The most tokenizing work that a kill can lose."""


@dataclass(frozen=True)
class ShardRule:
    """When a document begins a new shard.

    shards: The minimum number of shards.
    limit: The most tokens that a shard may have.
    total: How much there is to read; 0 if unknown.
    """

    shards: int
    limit: int
    total: int

    def begins(self, begun: int, held_tokens: int, held_documents: int, tokens: int, read: int) -> bool:
        """Whether the next document begins a new shard: over the limit, or past its share of the sources.

        begun: The number of shards so far, with the present one.
        Raises `SourceError` if the document fits into no shard.
        """
        # One more, for the separator before the document.
        if tokens + 1 > MAX_SHARD_TOKENS:
            raise SourceError(
                mark("A document of {tokens:,} tokens does not fit into a shard."),
                reason="document-too-long",
                tokens=tokens,
            )
        # A shard is never empty: a document beyond the limit gets one of its own, however long it is.
        if not held_documents:
            return False
        if held_tokens + tokens + 1 > self.limit:
            return True
        # By the share of the bytes that were read, since the number of all tokens is not known yet.
        return begun < self.shards and read / max(1, self.total) > begun / self.shards


class _Dealer:
    """Distributes documents to shards in order, and declares from time to time what the drive holds."""

    def __init__(self, request: BuildRequest, partial: Path, state: BuildState, source: DocumentSource) -> None:
        self._request, self._partial, self._source = request, partial, source
        self._rule = ShardRule(request.shards, shard_limit(request), source.total)
        self._since = time.monotonic()
        self._unsynced: list[Path] = []
        self.state = state
        self.place = state.ends[-1] if state.ends else source.start
        number = max(0, len(state.shards) - 1)
        going_on = state.shards[-1] if state.shards else None
        # The last shard of the state is reopened; the finished ones come before it.
        self._finished, self._ends = state.shards[:number], state.ends[:number]
        self._writer = ShardWriter(partial, number, state.token_width, going_on)

    def deal(self, document: SourceDocument, place: Place, ids: NDArray[Any]) -> None:
        """Add a document to the shard that it belongs to."""
        # Asked before the document is added: `self.place`, the end of the shard, is then the place before it.
        begun, held = len(self._finished) + 1, self._writer
        if self._rule.begins(begun, held.token_count, held.document_count, len(ids), place.read):
            self._begin_shard()
        self._writer.add(document, ids)
        self.place = place

    def _begin_shard(self) -> None:
        # Only one shard's files are open at a time, however many there are.
        self._close_shard()
        if self._is_due():
            # Only finished shards: the new one has no file yet.
            self._declare(self._finished, self._ends, complete=False)
        self._writer = ShardWriter(self._partial, len(self._finished), self.state.token_width)

    def _close_shard(self) -> None:
        shard = self._writer.finish()
        self._unsynced += [self._partial / name for name in shard.files]
        self._finished += (shard,)
        self._ends += (self.place,)

    def _is_due(self) -> bool:
        return time.monotonic() - self._since >= _CHECKPOINT_SECONDS

    def checkpoint_if_due(self) -> None:
        """Declare what is written, unless that was done recently."""
        if self._is_due():
            self.checkpoint()

    def checkpoint(self) -> None:
        """Declare what is written."""
        # `sync` comes first, by the order of evaluation: the state is written after the drive holds the files.
        self._declare((*self._finished, self._writer.sync()), (*self._ends, self.place), complete=False)

    def finish(self) -> BuildState:
        """Declare that everything is tokenized."""
        shards = (*self._finished, self._writer.finish())
        self.state = replace(self.state, shards=shards)
        # Before it is declared: an index without text is never recorded as complete.
        end, met = self._source.end(), self._source.state.problems
        check_not_empty(self._request, self.state.token_count, self.state.document_count, end, met)
        self._declare(shards, (*self._ends, end), complete=True)
        return self.state

    def _declare(self, shards: tuple[Any, ...], ends: tuple[Place, ...], complete: bool) -> None:
        # Syncing is slow, so it is done for many small shards at a time.
        while self._unsynced:
            sync_path(self._unsynced.pop())
        # Documents are read ahead of those that are written; what was noted about these is not part of the state yet.
        problems = tuple(self._source.state.problems[: ends[-1].problems])
        spent = self.state.seconds + time.monotonic() - self._since
        self.state = replace(self.state, shards=shards, ends=ends, complete=complete, problems=problems, seconds=spent)
        self.state.write(self._partial)
        self._since = time.monotonic()

    def close(self) -> None:
        """Close the files as they are."""
        self._writer.close()


def tokenize(
    request: BuildRequest,
    source: DocumentSource,
    partial: Path,
    state: BuildState | None,
    report: Report,
    cancel: CancelToken,
) -> BuildState:
    """Tokenize the sources into shards.

    partial: The folder in which the build works.
    state: Where an earlier run ended; None to begin.
    report: Called with the bytes of the sources that have been read.
    cancel: Cancels or pauses the work; after a pause, everything up to the last document is recorded.
    Returns: The state with all tokens, and no tables yet.
    Raises `SourceError` if a source cannot be read.
    Raises `OSError` if the drive is full or cannot be written.
    """
    if state is None:
        state, tokenizer = begin_tokens(request, source, partial, report, cancel)
    else:
        tokenizer = _tokenizer_of(state, partial).treating_special(request.special_tokens == AS_TEXT)
    # The dealer cuts the files of the last shard to what was declared, and appends to them.
    dealer = _Dealer(request, partial, state, source)
    try:
        documents = source.documents(dealer.place, state.problems if state.ends else None)
        for batch, encoded in encode_ahead(tokenizer, state.token_width, batches(documents)):
            for (document, place), ids in zip(batch, encoded, strict=True):
                dealer.deal(document, place, ids)
            # Work stops between batches only, where every document is written as a whole.
            report(Progress("Tokenizing", dealer.place.read, source.total, source.unit))
            cancel.check()
            dealer.checkpoint_if_due()
        return dealer.finish()
    except Cancelled:
        # To cancel discards the files anyway, so only a pause is worth the wait for the drive.
        if cancel.paused:
            dealer.checkpoint()
        raise
    finally:
        dealer.close()


def begin_tokens(
    request: BuildRequest, source: DocumentSource, partial: Path, report: Report, cancel: CancelToken
) -> tuple[BuildState, TextTokenizer]:
    """Choose the tokenizer, and write what a resumed build needs: the tokenizer and the list of sources.

    Returns: The state without any tokens, which is not written yet, and the tokenizer.
    Raises `SourceError` if a source cannot be read.
    Raises `OSError` if the folder cannot be written.
    """
    started = time.monotonic()
    tokenizer = _make_tokenizer(request, source, report, cancel).treating_special(request.special_tokens == AS_TEXT)
    cancel.check()
    # A tokenizer that loses text is refused now, and not after hours.
    require_fit(tokenizer, source.beginning())
    texts = {SOURCES_NAME: source.listing()}
    if tokenizer.backend is not None:
        texts[TOKENIZER_NAME] = _tokenizer_text(request, tokenizer)
    files = {}
    for name, text in texts.items():
        write_whole(partial / name, text)
        files[name] = Written().and_then(text.encode("utf-8"))
    state = BuildState(
        parameters=request.parameters,
        token_width=request.token_width or token_width_of(tokenizer),
        tokenizer=tokenizer.name,
        tokenizer_sha256=tokenizer.fingerprint,
        total_bytes=source.total,
        files=files,
        seconds=time.monotonic() - started,
    )
    return state, tokenizer


def _tokenizer_text(request: BuildRequest, tokenizer: TextTokenizer) -> str:
    """The unchanged bytes of the tokenizer's file, so that its fingerprint is that of the index's own copy."""
    assert tokenizer.backend is not None
    if request.trains or request.given is not None:
        return str(tokenizer.backend.to_str())
    path = tokenizer_path(request.tokenizer)
    data = path.read_bytes()
    # The file is read twice, and anybody may write to it in between.
    if hashlib.sha256(data).hexdigest() != tokenizer.fingerprint:
        raise TokenizerError(mark("{path} changed while it was being read."), reason="tokenizer-changed", path=path)
    return data.decode("utf-8")


def _tokenizer_of(state: BuildState, partial: Path) -> TextTokenizer:
    if TOKENIZER_NAME not in state.files:
        return TextTokenizer.raw_bytes()
    tokenizer = TextTokenizer.from_file(partial / TOKENIZER_NAME)
    tokenizer.name = state.tokenizer
    return tokenizer


def batches(documents: Iterator[tuple[SourceDocument, Place]]) -> Iterator[Batch]:
    """Group documents: enough for all cores at a time, and few enough to stop soon."""
    batch: Batch = []
    size = 0
    for document, place in documents:
        batch.append((document, place))
        size += document.size
        if size >= _BATCH_CHARACTERS or len(batch) >= _BATCH_DOCUMENTS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def encode_ahead(
    tokenizer: TextTokenizer, token_width: int, grouped: Iterator[Batch]
) -> Iterator[tuple[Batch, list[NDArray[Any]]]]:
    """Give batches with their ids; while one is written, the next is read and tokenized.

    token_width: Bytes per token: 1, 2 or 4.
    Yields: A batch, and the ids of each document, as they are stored.
    """
    kind = TOKEN_TYPES[token_width]

    def encode(batch: Batch) -> list[NDArray[Any]]:
        encoded = iter(tokenizer.encode_batch([document.text for document, _ in batch if document.ids is None]))
        return [(next(encoded) if document.ids is None else document.ids).astype(kind) for document, _ in batch]

    # One thread: the library itself uses all cores for a batch, and lets this thread read and write meanwhile. Leaving
    # the block waits for it, so no encoding outlives an error.
    with ThreadPoolExecutor(1) as encoder:
        waiting: deque[tuple[Batch, Future[list[NDArray[Any]]]]] = deque()
        for batch in grouped:
            waiting.append((batch, encoder.submit(encode, batch)))
            # One batch ahead is enough to keep both threads busy; more would only take memory.
            if len(waiting) > 1:
                done, ids = waiting.popleft()
                yield done, ids.result()
        while waiting:
            done, ids = waiting.popleft()
            yield done, ids.result()


def check_not_empty(
    request: BuildRequest, tokens: int, documents: int, end: Place, problems: Sequence[Problem]
) -> None:
    """Require that there is text.

    end: The place after all of them, with what was left out.
    """
    if tokens > documents:
        return
    told = "".join(f" {line}." for line in noticed_lines(dict(end.skipped), noticed(problems)))
    raise SourceError(
        mark("There is no text to index in {sources} ({documents}, all empty).{left_out}"),
        reason="no-text",
        sources=", ".join(request.source_names),
        documents=counted("document", documents),
        left_out=told,
    )


def _make_tokenizer(
    request: BuildRequest, source: DocumentSource, report: Report, cancel: CancelToken
) -> TextTokenizer:
    if request.given is not None:
        return request.given
    if request.trains:
        report(Progress("Training the tokenizer", 0, 0))
        return train_bpe(source.sample(), _vocabulary(request.tokenizer), cancel)
    if request.tokenizer == BYTES_NAME or exists(Path(request.tokenizer)):
        return load_tokenizer(request.tokenizer)
    raise no_tokenizer(request.tokenizer)


def _vocabulary(choice: str) -> int:
    _, _, number = choice.partition(":")
    try:
        return int(number) if number else DEFAULT_VOCABULARY
    except ValueError as error:
        raise BuildError(
            mark('"{choice}" does not name a vocabulary size.'),
            reason="bad-vocabulary",
            choice=choice,
            option="vocabulary",
        ) from error
