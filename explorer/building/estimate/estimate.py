"""Pre-flight: what a build will make and need, from a sample of its sources."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np

import _fastsa
from explorer.backends.local.open import load_tokenizer
from explorer.backends.request import TokenizerObject
from explorer.building.estimate.free_space import free_disk, free_memory
from explorer.building.estimate.sample import FileSample, RowSample, Sample
from explorer.building.request import (
    BASE_BYTES,
    FEWEST_SHARD_TOKENS,
    FM,
    SORT_BYTES_A_TOKEN,
    SUFFIX_ARRAY,
    BuildRequest,
    shard_limit,
    sort_bytes,
    token_width_of,
)
from explorer.building.sources.file_source import FileSource
from explorer.building.sources.given import Sources, check_rows, file_source, request_of
from explorer.building.sources.readers import Problem, ReadState
from explorer.building.sources.record_source import Rows
from explorer.building.sources.source import NOT_INSTALLED, KindCount, count_kinds, noticed
from explorer.building.steps.fitting import require_fit
from explorer.core.files.sizes import size_text
from explorer.core.jobs import CancelToken
from explorer.core.jobs.asked import checks_job
from explorer.documents.read_settings import FILE, ReadSettings
from explorer.errors import SourceError
from explorer.i18n import counted, mark, tr
from explorer.index.layout import pointer_width
from explorer.text.graphemes import beginning
from explorer.text.special_tokens import AS_TEXT
from explorer.text.tokens.breakless import count_breakless
from explorer.text.tokens.tokenizer import BYTES_NAME
from explorer.text.tokens.training import SAMPLE_CHARACTERS, train_bpe

_SAMPLE_DOCUMENTS = 5
_EXCERPT = 200
"""Characters of a document that a preview shows."""
_SAMPLE_VOCABULARY = 4_096
_SMALLER_VOCABULARY = 1.12
"""A vocabulary of 4,096 makes this many times as many tokens as one of 16,384 (measured on English text)."""
_BYTES_A_CHARACTER = 8
"""Bytes per character of the longest document: as it is read, as text, and as tokens."""
_SORT_SAMPLE = 400_000
_TRAINING_SECONDS = 4.0
"""Of a full training sample of 12 million characters, on two cores."""
_FM_SHARE, _KEPT_SHARE, _LINES_SHARE = 0.43, 0.28, 0.2
"""Sizes of a compressed index, of the text beside it, and of its metadata, as shares of what is compressed: measured on
English text; docs/benchmarks/fm.md."""
_FM_SLOWNESS = 2.0
"""How many times the time of sorting alone the files of a compressed index take."""


@dataclass(frozen=True)
class FormatEstimate:
    """What an index of bytes would need in one format.

    Attributes
    ----------
    format
        The format, as `build_index` takes it.
    keep_text
        Whether a compressed index would store its text.
    disk
        Bytes on disk.
    search
        Seconds that one count takes, about, while the index is in memory.
    lines
        Seconds that 50 lines take, about.
    """

    format: str
    keep_text: bool
    disk: int
    search: float
    lines: float


_FORMATS = ((SUFFIX_ARRAY, False, 3e-6, 5e-4), (FM, True, 3e-5, 2e-3), (FM, False, 3e-5, 5e-3))
"""Formats with the times of a count and of 50 lines, as measured: docs/benchmarks/fm.md."""


@dataclass(frozen=True)
class SampleText:
    """A document of the sample, as it is shown before a build.

    Attributes
    ----------
    path
        The file that it is from.
    fields
        The names of its metadata fields.
    beginning
        How its text begins.
    place
        Its number in the file, from 0.
    metadata
        Its metadata.
    kind
        The kind of its file, of `explorer.documents.kinds`; "" for a record in memory.
    encoding
        The character set in which its file was read; "" for UTF-8, and for files that are not texts.
    """

    path: str
    fields: tuple[str, ...]
    beginning: str
    place: int = 0
    metadata: Mapping[str, Any] = field(default_factory=dict)
    kind: str = ""
    encoding: str = ""

    @property
    def excerpt(self) -> str:
        """The first 200 characters of the text, with an ellipsis if it is longer."""
        cut = beginning(self.beginning, _EXCERPT)
        return f"{cut.rstrip()} …" if len(cut) < len(self.beginning) else cut


@dataclass(frozen=True)
class BuildEstimate:
    """What a build will need, as far as a sample of its sources shows.

    Attributes
    ----------
    files
        Files that will be read.
    source_bytes
        Bytes of these files on disk.
    documents
        Documents.
    tokens
        Tokens, one separator per document included.
    shards
        Shards.
    disk
        Bytes of the index.
    memory
        Bytes of memory, at its peak.
    seconds
        The time in seconds.
    free_disk
        Bytes free on the drive; 0 if unknown.
    free_memory
        Bytes of free memory; 0 if unknown.
    exact
        Whether everything was read, so that the counts are not estimates.
    skipped
        Files left out, by reason.
    noticed
        The first 20 files of each reason.
    samples
        Some documents as they were read.
    memory_limit
        Bytes that the build may use; 0 for no limit.
    left_out
        The first 1,000 things left out, each with its place.
    stops_at
        The error in the sample at which the build would stop; None if there is none.
    formats
        What an index of bytes would need in each format, the largest first.
    files_found
        The files of the sources, with those that will not be read; None for records in memory.
    kinds
        The files that will be read, by kind.
    changed
        What was changed or left out in the files that were looked at: the number of cases by kind.
    changed_files
        The first 20 files of each of these kinds.
    examples
        The first documents of each kind of file and in each character set, as many as `samples`, in their order.
    """

    files: int
    source_bytes: int
    documents: int
    tokens: int
    shards: int
    disk: int
    memory: int
    seconds: float
    free_disk: int
    free_memory: int
    exact: bool
    skipped: dict[str, int]
    noticed: dict[str, list[str]]
    samples: tuple[SampleText, ...]
    memory_limit: float = 0
    left_out: tuple[Problem, ...] = ()
    stops_at: SourceError | None = None
    formats: tuple[FormatEstimate, ...] = ()
    files_found: int | None = None
    kinds: tuple[KindCount, ...] = ()
    changed: dict[str, int] = field(default_factory=dict)
    changed_files: dict[str, list[str]] = field(default_factory=dict)
    examples: tuple[SampleText, ...] = ()

    def __repr__(self) -> str:
        sign = "" if self.exact else "≈ "
        sizes = f"{sign}{counted('document', self.documents)}, ≈ {counted('token', self.tokens)}"
        needed = f"≈ {size_text(self.disk)} of disk, ≈ {size_text(self.memory)} of memory"
        return f"BuildEstimate({sizes}, ≈ {counted('shard', self.shards)}, {needed})"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What does not fit, and what to do."""
        found = []
        if missing := self.skipped.get(NOT_INSTALLED, 0):
            reasons = dict.fromkeys(each.reason for each in self.left_out if each.kind == NOT_INSTALLED)
            found.append(
                tr("{files} will be skipped: {reasons}.", files=counted("file", missing), reasons="; ".join(reasons))
            )
        # The factors allow for the error of a sample, and for what other programs take while the build runs.
        if self.free_disk and self.disk > 0.95 * self.free_disk:
            found.append(
                tr(
                    "The index needs about {disk} of disk, and {free_disk} are free. Choose another disk.",
                    disk=size_text(self.disk),
                    free_disk=size_text(self.free_disk),
                )
            )
        if self.memory_limit and self.memory > 1.05 * self.memory_limit:
            found.append(
                tr(
                    "A memory limit of {limit} is too low: about {memory} is needed. The program itself takes "
                    "{base}, a shard takes at least {shard}, and a document is never split.",
                    limit=size_text(self.memory_limit),
                    memory=size_text(self.memory),
                    base=size_text(BASE_BYTES),
                    shard=size_text(FEWEST_SHARD_TOKENS * SORT_BYTES_A_TOKEN),
                )
            )
        if self.free_memory and self.memory > 0.9 * self.free_memory:
            found.append(
                tr(
                    "Sorting needs about {memory} of memory, and {free_memory} are free. Set a memory limit, or "
                    "more shards.",
                    memory=size_text(self.memory),
                    free_memory=size_text(self.free_memory),
                )
            )
        return tuple(found)


@checks_job
def estimate_build(
    sources: Sources,
    *,
    out: str | PathLike[str] = ".",
    tokenizer: str | PathLike[str] | TokenizerObject = "train",
    text_field: str = "text",
    metadata_fields: Sequence[str] | None = None,
    shards: int = 1,
    memory: float = 0,
    skip_bad: bool = False,
    metadata: str | PathLike[str] = "",
    encoding: str = "",
    ids: str = "",
    eos: str | int = "",
    language: str = "",
    per: str = FILE,
    keep_headers: bool = False,
    fix_encoding: bool = False,
    special_tokens: str = AS_TEXT,
    format: str = SUFFIX_ARRAY,
    keep_text: bool = False,
    manifest: str | PathLike[str] = "",
    skip_duplicates: bool = False,
    cancel: CancelToken | None = None,
) -> BuildEstimate:
    """Estimate from a sample of the sources what `build_index` will make and need.

    Parameters
    ----------
    sources
        As in `build_index`, except an iterator: it can be read only once, which is left to the build.
    out
        The index's folder, or any folder on its drive, for the free space there.
    tokenizer, text_field, metadata_fields, shards, memory, skip_bad, metadata, encoding, ids, eos, format, keep_text
        As in `build_index`.
    manifest, skip_duplicates, language, per, keep_headers, fix_encoding, special_tokens
        As in `build_index`.
    cancel
        Stops the sampling; None: it runs to its end.

    Returns
    -------
    BuildEstimate
        Files, documents, tokens and shards, disk and memory in bytes, and the time in seconds. Only `documents` may be
        exact (see `exact`). An error in the sample at which the build would stop is in `stops_at`.

    Raises
    ------
    CorpusError
        As from `build_index`, for what shows without reading everything.

    Notes
    -----
    Takes a second or two, however large the sources are. An iterable without a length is read to its end, to count its
    rows.

    Examples
    --------
    >>> estimate = estimate_build(texts, tokenizer="bytes")
    >>> estimate.documents, estimate.exact
    (4, True)
    """
    request, rows = request_of(
        sources,
        out,
        tokenizer=tokenizer,
        text_field=text_field,
        metadata_fields=metadata_fields,
        shards=shards,
        memory=memory,
        skip_bad=skip_bad,
        metadata=metadata,
        encoding=encoding,
        reading=ReadSettings.of(
            ids=ids, eos=str(eos), language=language, per=per, keep_headers=keep_headers, fix_encoding=fix_encoding
        ),
        special_tokens=special_tokens,
        format=format,
        keep_text=keep_text,
        manifest=manifest,
        skip_duplicates=skip_duplicates,
    )
    return estimate_requested(request, cancel, rows)


def estimate_requested(
    request: BuildRequest,
    cancel: CancelToken | None = None,
    rows: Rows | None = None,
    documents: int = _SAMPLE_DOCUMENTS,
    source: FileSource | None = None,
) -> BuildEstimate:
    """Estimate from a sample of the sources what a build will need.

    cancel: Stops the sampling; None: it runs to its end.
    rows: Records in memory; None for the files of the request.
    source: The files of the request, if they are listed already.
    Returns: Files, tokens, sizes in bytes and time in seconds. An error in the sample at which the build would stop is
        in `stops_at`.
    Raises `SourceError` if there is nothing to read.
    Raises `BuildError` if the request cannot be met.
    Raises `TokenizerError` if the tokenizer cannot be read or does not keep texts.

    Notes
    -----
    Takes a second or two, however large the sources are.
    """
    request.check()
    cancel = cancel or CancelToken()
    if rows is None:
        source = _files_of(request, source)
    state = source.state if source is not None else ReadState()
    files = source.files if source is not None else ()
    sample = _sample_of(request, source, rows, cancel)
    if sample.stops_at and not sample.documents:
        # There is nothing to estimate from. With documents before it, the error is shown beside the estimate.
        raise sample.stops_at
    tokens, seconds = _tokens_of(request, sample, cancel)
    sizes = _sizes(request, sample, tokens)
    return BuildEstimate(
        files=len(files),
        files_found=source.found if source is not None else None,
        source_bytes=sum(file.size for file in files),
        documents=sizes.documents,
        tokens=sizes.tokens,
        shards=sizes.shards,
        disk=sizes.disk,
        memory=sizes.memory,
        seconds=_seconds(request, sample, sizes, seconds),
        free_disk=free_disk(request.out),
        free_memory=free_memory(),
        exact=sample.complete,
        skipped=dict(state.skipped),
        noticed=noticed(state.problems),
        samples=tuple(_shown(sample, number) for number in range(min(documents, len(sample.documents)))),
        memory_limit=request.memory,
        left_out=tuple(state.problems),
        stops_at=sample.stops_at,
        formats=_formats(sample, sizes),
        kinds=count_kinds(files),
        changed=dict(sample.notes.skipped),
        changed_files=noticed(sample.notes.problems),
        examples=_examples(sample, documents),
    )


def _sample_of(request: BuildRequest, source: FileSource | None, rows: Rows | None, cancel: CancelToken) -> Sample:
    if source is not None:
        return FileSample(source.files, source.options, cancel)
    assert rows is not None
    check_rows(request, rows)
    if not rows.again:
        raise SourceError(
            mark("{name} can be read only once, so an estimate would leave nothing to build from."),
            reason="read-once",
            name=rows.title,
        )
    sample = RowSample(rows, request.options(), cancel)
    if not sample.documents and not sample.stops_at:
        raise _nothing_to_read(request)
    return sample


def _files_of(request: BuildRequest, source: FileSource | None) -> FileSource:
    # A pipe can be read only once, so the copy that is made of it here is kept for the build in this process.
    source = source or file_source(request, ReadState(), again=True)
    if not source.files:
        raise _nothing_to_read(request)
    return source


@dataclass(frozen=True)
class _Sizes:
    """What the whole sources amount to; disk and memory in bytes."""

    documents: int
    tokens: int
    shards: int
    disk: int
    memory: int


def _sizes(request: BuildRequest, sample: Sample, sampled_tokens: int) -> _Sizes:
    """Sizes in proportion to the characters of the sample, of which there are `sampled_tokens`."""
    documents = max(1, round(sample.all_documents))
    # Each document begins with a separator, which no text contains.
    tokens = round(sampled_tokens * _scale(sample)) + documents
    shards = max(request.shards, -(-tokens // shard_limit(request)))
    # A document is never split, so the largest shard has at least the longest one, whatever the limit is.
    longest = round(sampled_tokens / max(1, sample.characters) * sample.largest) + 1
    largest = max(-(-tokens // shards), longest)
    # Texts are read and sorted one after the other, so only the larger of the two needs counts.
    memory = BASE_BYTES + max(largest * sort_bytes(request), round(sample.largest * _BYTES_A_CHARACTER))
    return _Sizes(documents, tokens, shards, _disk(request, sample, documents, tokens, largest), memory)


def _scale(sample: Sample) -> float:
    """How many times the sample all texts are."""
    return sample.all_characters / max(1, sample.characters)


def _disk(request: BuildRequest, sample: Sample, documents: int, tokens: int, largest: int) -> int:
    """Bytes of all files."""
    if request.format == FM:
        return _compressed_disk(sample, documents, tokens, request.keep_text)
    width = _width(request)
    # An entry is as wide as the positions of its shard need; all shards are taken to be like the largest.
    return tokens * (width + pointer_width(largest * width)) + _metadata(sample, documents) + 16 * documents


def _metadata(sample: Sample, documents: int) -> int:
    """Bytes of all lines of metadata."""
    # 50: the names of the fields and the signs of JSON in each line.
    some = sum(len(str(document.metadata)) + len(document.path) + 50 for document in sample.documents)
    return round(some * documents / max(1, len(sample.documents)))


def _compressed_disk(sample: Sample, documents: int, size: int, keep_text: bool) -> int:
    share = _FM_SHARE + (_KEPT_SHARE if keep_text else 0)
    return round(size * share + _metadata(sample, documents) * _LINES_SHARE)


def _formats(sample: Sample, sizes: _Sizes) -> tuple[FormatEstimate, ...]:
    """What an index of the bytes of all texts would need in each format; nothing if some are known as ids only."""
    if sample.id_tokens:
        return ()
    size = round(sum(len(text.encode("utf-8", "replace")) for text in sample.texts) * _scale(sample)) + sizes.documents
    whole = size * (1 + pointer_width(size)) + _metadata(sample, sizes.documents) + 16 * sizes.documents
    found = []
    for form, keeps, search, lines in _FORMATS:
        disk = whole if form == SUFFIX_ARRAY else _compressed_disk(sample, sizes.documents, size, keeps)
        found.append(FormatEstimate(form, keeps, disk, search, lines))
    return tuple(found)


def _seconds(request: BuildRequest, sample: Sample, sizes: _Sizes, tokenizing: float) -> float:
    """Seconds of the whole build; `tokenizing`: of the sample."""
    training = 0.0
    if request.trains:
        training = _TRAINING_SECONDS * min(1.0, sample.source_bytes / SAMPLE_CHARACTERS)
    sorting = sizes.tokens / _sort_speed() * (_FM_SLOWNESS if request.format == FM else 1)
    return tokenizing * _scale(sample) + sorting + training


def _nothing_to_read(request: BuildRequest) -> SourceError:
    return SourceError(
        mark("There is no text to index in {sources}."),
        reason="no-text",
        sources=", ".join(request.source_names),
    )


def _tokens_of(request: BuildRequest, sample: Sample, cancel: CancelToken) -> tuple[int, float]:
    """Tokens of the sample, and the seconds that tokenizing it takes."""
    texts = sample.texts
    trained = request.trains
    # With a smaller vocabulary than the real one, which takes less time; `_SMALLER_VOCABULARY` corrects the count.
    if trained:
        tokenizer = train_bpe(texts, _SAMPLE_VOCABULARY, cancel)
    else:
        tokenizer = request.given or load_tokenizer(request.tokenizer)
        tokenizer = tokenizer.treating_special(request.special_tokens == AS_TEXT)
        require_fit(tokenizer, sample.documents)
    # Only the encoding is timed: reading takes less, and the build reads while it encodes.
    started = time.perf_counter()
    tokens = sum(len(ids) for ids in tokenizer.encode_batch(texts))
    spent = time.perf_counter() - started
    if trained:
        # Chinese letters and the like are tokens of their own in a vocabulary of any size.
        alone = min(tokens, sum(map(count_breakless, texts)))
        tokens = round(alone + (tokens - alone) / _SMALLER_VOCABULARY)
    return tokens + sample.id_tokens, spent


def _width(request: BuildRequest) -> int:
    if request.tokenizer == BYTES_NAME:
        return 1
    if request.trains:
        return 2
    return token_width_of(request.given or load_tokenizer(request.tokenizer))


def _sort_speed() -> float:
    """Tokens a second that this machine sorts, from a small made-up text of words."""
    generator = np.random.default_rng(1)
    # Frequencies as in a text, and a fixed seed: the sort takes longer the more the text repeats itself.
    words = generator.zipf(1.3, _SORT_SAMPLE) % 5_000 + 1
    text = words.astype(np.uint16)
    # The engine wants a flag to stop it and a counter of its steps; nobody looks at these two.
    flag, steps = np.zeros(1, dtype=np.uint8), np.zeros(1, dtype=np.int64)
    started = time.perf_counter()
    # 5,001: one more than the largest symbol. No pool: on one core, so a build on several is faster than estimated.
    _fastsa.suffix_array(text, 5_001, flag, steps, None)
    return _SORT_SAMPLE / (time.perf_counter() - started)


def _examples(sample: Sample, most: int) -> tuple[SampleText, ...]:
    """The first documents of each kind of file and in each character set, up to `most` of each."""
    counts: Counter[tuple[str, str]] = Counter()
    found = []
    for number, file in enumerate(sample.files):
        group = file.kind, sample.encodings.get(file.label, "")
        counts[group] += 1
        if counts[group] <= most:
            found.append(_shown(sample, number))
    return tuple(found)


def _shown(sample: Sample, number: int) -> SampleText:
    document = sample.documents[number]
    file = sample.files[number] if sample.files else None
    return SampleText(
        path=document.path,
        fields=tuple(map(str, document.metadata)),
        beginning=" ".join(document.text[:300].split()),
        place=document.linenum,
        metadata=document.metadata,
        kind=file.kind if file is not None else "",
        encoding=sample.encodings.get(file.label, "") if file is not None else "",
    )
