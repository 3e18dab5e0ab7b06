"""Building an index: read, choose or train the tokenizer, tokenise, sort, describe, put in place.

Everything is written to `OUT.partial` beside the target, which is renamed to OUT at the very end, so
that a folder named OUT is always whole. What is left of an interrupted build is continued with
`resume` if its tokenising was complete, and otherwise begun anew.
"""

from __future__ import annotations

import errno
import json
import re
import shutil
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.alone import alone
from explorer.corpus.field_names import count_fields
from explorer.corpus.folders import exists, is_file, is_folder, write_whole
from explorer.corpus.layout import STATE_NAME, TOKENIZER_NAME
from explorer.corpus.manifest import Manifest
from explorer.corpus.open import Paths, as_paths, load_tokenizer
from explorer.corpus.readers import ReadOptions, ReadState, SourceDocument, SourceFile, list_files, read_documents
from explorer.corpus.tokenizer import BYTES_NAME, TextTokenizer
from explorer.corpus.training import DEFAULT_VOCABULARY, SAMPLE_CHARACTERS, spread_sample, train_bpe
from explorer.corpus.writer import MAX_SHARD_TOKENS, ShardWriter, close_all, write_table
from explorer.errors import BuildError, SourceError, TokenizerError
from explorer.jobs import CancelToken, Progress, Report, no_report
from explorer.version import VERSION
from explorer.words import tr

_Batch = list[tuple[SourceDocument, int]]
"""Documents, each with the bytes of the sources that were read when it was."""

_OUR_FILES = re.compile(
    r"(tokenized|table|offset|metadata|metaoff|unigram)\.\d+(\.part)?|(build|index|tokenizer|report)\.json(\.part)?",
    re.ASCII,
)
REPORT_NAME = "report.json"
"""Beside the index: the first 1,000 things that the build left out or changed, each with its place."""
_BATCH_CHARACTERS = 2_000_000
_BATCH_DOCUMENTS = 1_000
SORT_BYTES_A_TOKEN = 10
BASE_BYTES = 192 << 20
"""What the program takes beside the sort: measured with a vocabulary of 32,000 ids."""

_FEWEST_SHARD_TOKENS = 1 << 20
_SORT_STEPS_A_TOKEN = 5


@dataclass(frozen=True)
class BuildRequest:
    """What to build. tokenizer: a tokenizer.json, "bytes", "train", "train:N" or a hub name.

    memory: bytes that the build may take; more shards are made to keep to it, of a million tokens at
    the least, so that under about 220 MiB it cannot be kept. 0: no limit.
    """

    sources: tuple[Path, ...]
    out: Path
    tokenizer: str = "train"
    text_field: str = "text"
    shards: int = 1
    memory: int = 0
    skip_bad: bool = False
    resume: bool = False
    name: str = ""

    @property
    def parameters(self) -> dict[str, Any]:
        """What decides the files' content; a build is only resumed with the same."""
        return {
            "sources": [str(source) for source in self.sources],
            "tokenizer": self.tokenizer,
            "text_field": self.text_field,
            "shards": self.shards,
            "memory": self.memory,
            "skip_bad": self.skip_bad,
        }


def build_index(
    sources: Paths,
    out: str | PathLike[str],
    *,
    tokenizer: str | PathLike[str] = "train",
    text_field: str = "text",
    shards: int = 1,
    memory: int = 0,
    skip_bad: bool = False,
    resume: bool = False,
    name: str = "",
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Manifest:
    """Build an index folder `out` from files and folders; returns what `index.json` says.

    `out` must not exist, or be empty. Raises CorpusError subclasses; a cancelled build leaves nothing.
    """
    request = BuildRequest(
        as_paths(sources), _named(Path(out)), str(tokenizer), text_field, shards, memory, skip_bad, resume, name
    )
    options = ReadOptions(text_field, skip_bad)
    state = ReadState()
    files = list_files(request.sources, state, skip_bad)
    return build_from(request, FileSource(files, options, state), report, cancel or CancelToken())


@dataclass(frozen=True)
class FileSource:
    """Documents of files, which can be read more than once (to train, then to tokenise)."""

    files: Sequence[SourceFile]
    options: ReadOptions
    state: ReadState

    @cached_property
    def total_bytes(self) -> int:
        """Size of all files on disk; asked for with every document."""
        return sum(file.size for file in self.files)

    def documents(self) -> Iterator[SourceDocument]:
        """Every document, in order."""
        return read_documents(self.files, self.options, self.state)

    def sample(self) -> Iterator[str]:
        """Texts to train on: documents of every k-th file, to about SAMPLE_CHARACTERS."""
        chosen = spread_sample([file.size for file in self.files], SAMPLE_CHARACTERS)
        state = ReadState()
        seen = 0
        for document in read_documents([self.files[i] for i in chosen], self.options, state):
            yield document.text
            seen += len(document.text)
            if seen > 2 * SAMPLE_CHARACTERS:
                return


def build_from(request: BuildRequest, source: FileSource, report: Report, cancel: CancelToken) -> Manifest:
    """Build from an opened source; see `build_index`."""
    partial = partial_folder(request.out)
    with alone(partial) as free:
        if not free:
            raise BuildError(
                tr("Another build into {out} is under way. Wait for it, or choose another folder.", out=request.out)
            )
        return _build(request, partial, source, report, cancel)


def _build(request: BuildRequest, partial: Path, source: FileSource, report: Report, cancel: CancelToken) -> Manifest:
    started = time.monotonic()
    try:
        # What is refused here leaves an interrupted build as it is.
        _check_request(request)
        written = _resumable(request, partial) if request.resume else None
    except OSError as error:
        raise BuildError(_why_not_written(error, request.out)) from error
    try:
        if written is None:
            written = _tokenise(request, source, partial, report, cancel)
        _sort(partial, written, report, cancel)
        manifest = _describe(request, partial, written, time.monotonic() - started, cancel)
        if exists(request.out):
            request.out.rmdir()
        partial.rename(request.out)
        return manifest
    except OSError as error:
        _clean_up(partial)
        raise BuildError(_why_not_written(error, request.out)) from error
    except KeyboardInterrupt:
        if not can_resume(request.out):
            _clean_up(partial)
        raise
    except BaseException:
        _clean_up(partial)
        raise


def partial_folder(out: Path) -> Path:
    """Where a build writes until it is whole; raises BuildError for what can be no folder's name."""
    named = _named(out)
    return named.with_name(named.name + ".partial")


def _named(out: Path) -> Path:
    """A path that ends in a name: "." and ".." mean the folders that they are."""
    named = out if out.name not in ("", "..") else out.resolve()
    if not named.name or "\0" in str(named):
        raise BuildError(tr("{out} can be no folder of an index. Give it a name.", out=out))
    return named


def can_resume(out: Path) -> bool:
    """Whether an interrupted build into `out` was tokenised, so that only sorting is left."""
    return is_file(partial_folder(out) / STATE_NAME)


def discard_unless_resumable(out: Path) -> None:
    """Remove what an interrupted build left, unless it can be resumed, or another build is writing there."""
    partial = partial_folder(out)
    with alone(partial) as free:
        if free and not can_resume(out):
            _clean_up(partial)


def _clean_up(partial: Path) -> None:
    """Remove what a build wrote; a folder with anything else in it is left alone."""
    if is_folder(partial) and all(map(_is_ours, partial.iterdir())):
        shutil.rmtree(partial)


def _is_ours(path: Path) -> bool:
    return _OUR_FILES.fullmatch(path.name) is not None


def _why_not_written(error: OSError, out: Path) -> str:
    if error.errno == errno.ENOSPC:
        return tr(
            "The disk of {out} is full. Free some space, or choose another disk; nothing was left behind.", out=out
        )
    return tr(
        "{path} cannot be written: {reason}. Choose another folder.",
        path=error.filename or out,
        reason=error.strerror,
    )


def _check_request(request: BuildRequest) -> None:
    if request.shards < 1:
        raise BuildError(tr("The number of shards must be at least 1, not {shards}.", shards=request.shards))
    if exists(request.out) and (not is_folder(request.out) or any(request.out.iterdir())):
        raise BuildError(
            tr("{out} exists already and is not empty. Choose a new folder, or remove it first.", out=request.out)
        )
    for source in request.sources:
        if request.out.resolve() == source.resolve():
            raise BuildError(
                tr("{out} is a source of this build. Choose another folder for the index.", out=request.out)
            )


@dataclass(frozen=True)
class _Written:
    """The tokenised state of a build, as it is kept in the partial folder."""

    parameters: dict[str, Any]
    token_width: int
    tokens: list[int]
    documents: int
    tokenizer: str
    tokenizer_sha256: str
    skipped: dict[str, int]
    problems: list[dict[str, Any]]


def _resumable(request: BuildRequest, partial: Path) -> _Written | None:
    path = partial / STATE_NAME
    if not path.is_file():
        return None
    try:
        written = _Written(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise BuildError(
            tr("{path} cannot be read ({error}). Build again without --resume.", path=path, error=error)
        ) from error
    if written.parameters != request.parameters:
        raise BuildError(
            tr("{partial} was begun with other parameters. Build again without --resume.", partial=partial)
        )
    return written


def _tokenise(
    request: BuildRequest, source: FileSource, partial: Path, report: Report, cancel: CancelToken
) -> _Written:
    _clean_up(partial)
    if partial.exists():
        raise BuildError(
            tr(
                "{partial} is in the way and holds files that are not ours. Move it, or choose another folder.",
                partial=partial,
            )
        )
    partial.mkdir(parents=True)
    tokenizer = _make_tokenizer(request.tokenizer, source, report, cancel)
    width = token_width_of(tokenizer)
    writers = [ShardWriter(partial, 0, width)]
    limit = shard_limit(request)
    try:
        for batch, encoded in _encode_ahead(tokenizer, _batches(source)):
            cancel.check()
            for (document, read), ids in zip(batch, encoded, strict=True):
                if _shard_is_full(request, read / max(1, source.total_bytes), writers, limit, len(ids)):
                    writers.append(ShardWriter(partial, len(writers), width))
                writers[-1].add(document, ids)
            report(Progress("Tokenising", batch[-1][1], source.total_bytes, "bytes"))
    finally:
        close_all(writers)
    _check_not_empty(request, writers)
    if tokenizer.backend is not None:
        tokenizer.backend.save(str(partial / TOKENIZER_NAME))
    written = _Written(
        parameters=request.parameters,
        token_width=width,
        tokens=[writer.token_count for writer in writers],
        documents=sum(writer.document_count for writer in writers),
        tokenizer=tokenizer.name,
        tokenizer_sha256=tokenizer.fingerprint,
        skipped=dict(source.state.skipped),
        problems=[vars(problem) for problem in source.state.problems],
    )
    # Whole or absent, like the index: a build is resumed from what this file says.
    write_whole(partial / STATE_NAME, json.dumps(vars(written)))
    return written


def _encode_ahead(
    tokenizer: TextTokenizer, batches: Iterator[_Batch]
) -> Iterator[tuple[_Batch, list[NDArray[np.int64]]]]:
    """Batches with their ids; while one is written, the next is read and tokenised."""
    with ThreadPoolExecutor(1) as encoder:
        waiting: deque[tuple[_Batch, Future[list[NDArray[np.int64]]]]] = deque()
        for batch in batches:
            waiting.append((batch, encoder.submit(tokenizer.encode_batch, [document.text for document, _ in batch])))
            if len(waiting) > 2:
                done, ids = waiting.popleft()
                yield done, ids.result()
        while waiting:
            done, ids = waiting.popleft()
            yield done, ids.result()


def _check_not_empty(request: BuildRequest, writers: Sequence[ShardWriter]) -> None:
    documents = sum(writer.document_count for writer in writers)
    if sum(writer.token_count for writer in writers) == documents:
        places = ", ".join(str(source) for source in request.sources)
        raise SourceError(
            tr(
                "There is no text to index in {places} ({documents:,} documents, all empty). Give files or "
                "folders with plain text, source code, JSONL or Parquet.",
                places=places,
                documents=documents,
            )
        )


def _make_tokenizer(choice: str, source: FileSource, report: Report, cancel: CancelToken) -> TextTokenizer:
    if choice == "train" or choice.startswith("train:"):
        report(Progress("Training the tokenizer", 0, 0))
        return train_bpe(source.sample(), _vocabulary(choice), cancel)
    if choice == BYTES_NAME or exists(Path(choice)):
        return load_tokenizer(choice)
    raise TokenizerError(
        tr(
            'There is no tokenizer "{choice}": give the path of a tokenizer.json, "bytes", or "train". '
            "Names of the Hugging Face hub are not fetched, nothing leaves this machine: download the "
            "file first.",
            choice=choice,
        )
    )


def _vocabulary(choice: str) -> int:
    _, _, number = choice.partition(":")
    try:
        return int(number) if number else DEFAULT_VOCABULARY
    except ValueError as error:
        raise BuildError(
            tr('"{choice}" names no size of a vocabulary. Write train:16384, for example.', choice=choice)
        ) from error


def token_width_of(tokenizer: TextTokenizer) -> int:
    """The narrowest width that leaves the all-ones token free for the separator."""
    if tokenizer.backend is None:
        return 1
    return 2 if tokenizer.vocabulary_size <= 0xFFFF else 4


def _batches(source: FileSource) -> Iterator[_Batch]:
    batch: _Batch = []
    size = 0
    for document in source.documents():
        batch.append((document, source.state.bytes_done))
        size += len(document.text)
        if size >= _BATCH_CHARACTERS or len(batch) >= _BATCH_DOCUMENTS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def shard_limit(request: BuildRequest) -> int:
    """Tokens a shard, at most."""
    if request.memory <= 0:
        return MAX_SHARD_TOKENS
    fitting = (request.memory - BASE_BYTES) // SORT_BYTES_A_TOKEN
    return min(MAX_SHARD_TOKENS, max(_FEWEST_SHARD_TOKENS, fitting))


def _shard_is_full(request: BuildRequest, read: float, writers: Sequence[ShardWriter], limit: int, tokens: int) -> bool:
    """Whether the next document begins a new shard: over the limit, or past its share of the sources.

    read: share of the sources that was read when the document was.
    """
    current = writers[-1]
    if tokens + 1 > MAX_SHARD_TOKENS:
        raise SourceError(tr("A document of {tokens:,} tokens is longer than a shard can be. Split it.", tokens=tokens))
    if not current.document_count:
        return False
    if current.token_count + tokens + 1 > limit:
        return True
    return len(writers) < request.shards and read > len(writers) / request.shards


def _sort(partial: Path, written: _Written, report: Report, cancel: CancelToken) -> None:
    total = sum(written.tokens)
    done = 0
    for number, tokens in enumerate(written.tokens):
        if not (partial / f"table.{number}").is_file():
            _sort_shard(partial, number, written, done, report, cancel)
        done += tokens
        report(Progress("Sorting", done, total, "tokens"))


def _sort_shard(partial: Path, number: int, written: _Written, done: int, report: Report, cancel: CancelToken) -> None:
    """Sort on a helper thread, and report from this one while it runs."""
    steps = np.zeros(1, dtype=np.int64)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            write_table(partial, number, written.token_width, cancel, steps)
        except BaseException as error:  # noqa: BLE001 - raised again on the caller's thread
            errors.append(error)

    thread = threading.Thread(target=work, name="suffix-sort")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
            share = min(written.tokens[number], int(steps[0]) // _SORT_STEPS_A_TOKEN)
            report(Progress("Sorting", done + share, sum(written.tokens), "tokens"))
    except BaseException:
        cancel.cancel()
        thread.join()
        raise
    if errors:
        raise errors[0]


def _describe(request: BuildRequest, partial: Path, written: _Written, seconds: float, cancel: CancelToken) -> Manifest:
    """Write `index.json` and `report.json`, and drop what only the build needed."""
    (partial / STATE_NAME).unlink()
    if written.problems:
        write_whole(partial / REPORT_NAME, json.dumps(written.problems, ensure_ascii=False, indent=1))
    sizes = {path.name: path.stat().st_size for path in sorted(partial.iterdir())}
    manifest = Manifest(
        token_width=written.token_width,
        token_count=sum(written.tokens),
        document_count=written.documents,
        shard_count=len(written.tokens),
        tokenizer=written.tokenizer,
        tokenizer_sha256=written.tokenizer_sha256,
        name=request.name,
        sources=tuple(str(source) for source in request.sources),
        parameters=request.parameters,
        skipped=written.skipped,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(seconds, 2),
        program=f"corpus-explorer {VERSION}",
        files=sizes,
        metadata_fields=count_fields(partial, cancel),
    )
    manifest.write(partial)
    return manifest
