"""What the files of a folder show of its index, without opening it: for lists of indexes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from explorer.core.files.paths import is_folder
from explorer.errors import CorpusError
from explorer.index.folder import read_folder
from explorer.index.layout import infer_widths
from explorer.text.tokens.tokenizer import BYTES_NAME

_BYTES_AN_OFFSET = 8
_PARTS = ("tokenized", "table", "offset", "metadata", "metaoff", "unigram")


@dataclass(frozen=True)
class IndexSummary:
    """An index folder in a few figures. What cannot be known without opening the index is None.

    found: Whether the folder holds an index.
    name: The name that its build gave it; "" if there is none.
    size: Bytes of all files in the folder.
    by_bytes: Whether its tokens are bytes.
    """

    found: bool
    name: str = ""
    tokens: int | None = None
    documents: int | None = None
    size: int | None = None
    by_bytes: bool = False


def summarize(folder: Path) -> IndexSummary:
    """Describe an index folder by its files.

    folder: The folder; it may be missing, or be no index.

    Notes
    -----
    Reads `index.json` and the sizes of the files: a few milliseconds on a local drive.

    Examples
    --------
    >>> found = summarize(folder)
    >>> found.found, found.documents, found.tokens
    (True, 4, 27)
    """
    if not is_folder(folder):
        return IndexSummary(found=False)
    try:
        # First of all: it refuses a build that was interrupted, whose other files look like those of an index.
        shards, manifest = read_folder(folder)
        size = sum(sizes_by_part(folder).values())
        if manifest is not None:
            by_bytes = manifest.tokenizer == BYTES_NAME
            return IndexSummary(True, manifest.name, manifest.token_count, manifest.document_count, size, by_bytes)
        # Indexes of other programs keep no figures: one offset per document, and one entry of the table per token.
        documents = sum(shard.offset.stat().st_size for shard in shards) // _BYTES_AN_OFFSET
        tokens = sum(shard.tokenized.stat().st_size // infer_widths(shard).token for shard in shards)
    except (CorpusError, OSError):
        return IndexSummary(found=False)
    return IndexSummary(True, "", tokens, documents, size)


def sizes_by_part(folder: Path) -> dict[str, int]:
    """Add up the sizes of an index's files by what they hold.

    Returns: Bytes by the name of the part: "tokenized", "table", "offset", "metadata", "metaoff", "unigram", and "" for
        all other files. Parts without files are left out.
    Raises `OSError` if the folder cannot be read.

    Examples
    --------
    >>> sorted(sizes_by_part(folder))
    ['', 'metadata', 'metaoff', 'offset', 'table', 'tokenized', 'unigram']
    """
    sizes: dict[str, int] = {}
    # On Windows the listing has the sizes already, so that no file is asked for its own.
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file():
                # The files of a part are numbered by shard, as in `tokenized.0`.
                part = entry.name.split(".", 1)[0]
                part = part if part in _PARTS else ""
                sizes[part] = sizes.get(part, 0) + entry.stat().st_size
    return sizes
