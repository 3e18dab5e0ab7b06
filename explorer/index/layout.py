"""Which files an index folder holds, and what widths they use.

The layout is that of the infini-gram package: `tokenized.{s}`, `table.{s}`, `offset.{s}`, and where
they exist `metadata.{s}`, `metaoff.{s}`, `unigram.{s}`; without `.{s}` in its version 6.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from explorer.core.files.paths import exists, is_folder
from explorer.errors import DamagedIndexError, IndexNotFoundError, NotAnIndexError
from explorer.i18n import mark

MANIFEST_NAME = "index.json"
TOKENIZER_NAME = "tokenizer.json"
REPORT_NAME = "report.json"
"""Beside the index: how long its build took, and the first 1,000 things that it left out or changed."""
STATE_NAME = "build.json"
"""In a folder whose build is not done."""
MAX_METADATA_LINE = 64 << 20
"""Maximum size of a document's metadata in bytes, for writing and reading."""
# Other names, such as tokenized.0.part, are not shards.
_NUMBERED = re.compile(r"tokenized(?:\.(\d+))?\Z")


@dataclass(frozen=True)
class ShardFiles:
    """Paths of one shard's files; the optional ones are None where they do not exist."""

    number: int
    tokenized: Path
    table: Path
    offset: Path
    metadata: Path | None
    metaoff: Path | None
    unigram: Path | None


@dataclass(frozen=True)
class Widths:
    """How the entries of an index are stored.

    token: Bytes per token: 1, 2 or 4.
    pointer: Bytes per entry of the suffix array.
    """

    token: int
    pointer: int


def pointer_width(token_bytes: int) -> int:
    """Give the bytes per entry of the table of a text.

    Returns: ceil(log2(bytes) / 8), at least 1.

    Examples
    --------
    >>> pointer_width(256), pointer_width(257)
    (1, 2)
    """
    # (n - 1).bit_length() is ceil(log2(n)) without errors of floating point, and -(-x // 8) rounds up.
    return max(1, -(-(max(token_bytes, 1) - 1).bit_length() // 8))


def separator(token_width: int) -> int:
    """Give the token that begins every document: all bits set.

    Examples
    --------
    >>> separator(2)
    65535
    """
    return int((1 << (8 * token_width)) - 1)


def looks_like_index(folder: str | PathLike[str]) -> bool:
    """Whether a folder holds an index, by its files' names."""
    return is_folder(Path(folder)) and any(Path(folder).glob("tokenized*"))


def find_shards(folder: Path, listed: Collection[str] | None = None) -> tuple[ShardFiles, ...]:
    """List the shards of an index folder.

    listed: The names of the files of tokens that belong to the index; None: all that there are.
    Returns: The shards in the order of their numbers.
    Raises `NotAnIndexError` if there are none.
    Raises `DamagedIndexError` if a needed file is missing.
    """
    names = names_in(folder)
    # First of all: an interrupted build also has files that look like shards.
    if STATE_NAME in names:
        raise NotAnIndexError(
            mark("{path} is a build that was interrupted."), reason="interrupted-build", option="resume", path=folder
        )
    # A file that is listed and not there is found by its shard's other files, or by the check of all sizes.
    known = names if listed is None else [name for name in names if name in listed]
    numbers = sorted({match.group(1) or "" for name in known if (match := _NUMBERED.match(name))}, key=_as_number)
    _check_numbers(folder, numbers)
    return tuple(_shard_files(folder, number) for number in numbers)


def names_in(folder: Path) -> list[str]:
    """List the names in a folder.

    Returns: The names, in no order.
    Raises `IndexNotFoundError` if there is none.
    Raises `NotAnIndexError` if it is a file, or cannot be read.
    """
    if not exists(folder):
        raise IndexNotFoundError(mark("{path} does not exist."), reason="no-folder", path=folder)
    if not is_folder(folder):
        raise NotAnIndexError(
            mark("{path} is a file, not an index folder."),
            reason="not-a-folder",
            path=folder,
        )
    try:
        return os.listdir(folder)
    except OSError as error:
        raise NotAnIndexError(
            mark("{path} cannot be read: {cause}."),
            reason="unreadable",
            path=folder,
            cause=error.strerror,
        ) from error


def _check_numbers(folder: Path, numbers: Sequence[str]) -> None:
    """Raise CorpusError if there is no shard, or if numbered ones are beside the single one without a number."""
    if not numbers:
        raise NotAnIndexError(
            mark("{path} is not an infini-gram index: it has no file tokenized.0 (or tokenized)."),
            reason="not-an-index",
            path=folder,
        )
    if "" in numbers and len(numbers) > 1:
        raise DamagedIndexError(
            mark("{path} mixes a file tokenized with numbered ones, so it is unclear which belong together."),
            reason="mixed-shards",
            path=folder,
        )


def _as_number(number: str) -> int:
    return int(number) if number else 0


def _shard_files(folder: Path, number: str) -> ShardFiles:
    suffix = f".{number}" if number else ""

    # No answer is right without all three, so the missing one is named now and not in the middle of a query.
    def needed(name: str) -> Path:
        path = folder / (name + suffix)
        if not path.is_file():
            raise DamagedIndexError(
                mark("{path} is missing, and shard {shard} cannot be read without it."),
                reason="file-missing",
                path=path,
                shard=number or 0,
            )
        return path

    def optional(name: str) -> Path | None:
        path = folder / (name + suffix)
        return path if path.is_file() else None

    return ShardFiles(
        number=_as_number(number),
        tokenized=needed("tokenized"),
        table=needed("table"),
        offset=needed("offset"),
        metadata=optional("metadata"),
        metaoff=optional("metaoff"),
        unigram=optional("unigram"),
    )


def infer_widths(files: ShardFiles) -> Widths:
    """Find out token and pointer width of a shard from the sizes of its files.

    Raises `DamagedIndexError` if the token width would not be 1, 2 or 4.

    Notes
    -----
    Table and text have one entry per token, so `bytes of text × pointer width / bytes of table` is the token width.
    """
    return widths_from(files.tokenized.stat().st_size, files.table.stat().st_size, files.tokenized, files.table)


def widths_from(token_bytes: int, table_bytes: int, tokenized: Path | str, table: Path | str) -> Widths:
    """Find out both widths from sizes, wherever the files are.

    tokenized, table: What errors call the two files: paths or addresses.
    Raises `DamagedIndexError` if the token width would not be 1, 2 or 4.
    """
    pointer = pointer_width(token_bytes)
    if token_bytes == 0:
        raise DamagedIndexError(
            mark("{path} is empty: the index has no tokens."),
            reason="no-tokens",
            path=tokenized,
        )
    # At most one of them fits, since the pointer width is known.
    for width in (1, 2, 4):
        if table_bytes * width == token_bytes * pointer:
            return Widths(token=width, pointer=pointer)
    raise DamagedIndexError(
        mark(
            "{path} has {size:,} bytes, which does not fit the {token_bytes:,} bytes of {tokens} at any token width: "
            "one of the two was cut short or belongs to another index."
        ),
        reason="cut-short",
        path=table,
        size=table_bytes,
        token_bytes=token_bytes,
        tokens=str(tokenized).replace("\\", "/").rpartition("/")[2],
    )
