"""What to build and where: the request, and what it means for folder, shards and token width."""

from __future__ import annotations

import math
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.building.sources.side_metadata import Side
from explorer.building.sources.source import ReadOptions
from explorer.building.sources.token_ids import TokenIds
from explorer.core.files.encoding import check_encoding
from explorer.core.files.paths import is_folder, is_link
from explorer.documents.read_settings import AS_USUAL, ReadSettings
from explorer.errors import BuildError
from explorer.http.wire.hub import shown_source
from explorer.i18n import mark
from explorer.index.writer import MAX_SHARD_TOKENS
from explorer.text.special_tokens import AS_TEXT, TREATMENTS
from explorer.text.tokens.tokenizer import BYTES_NAME, TextTokenizer

# Memory per two-byte token while a shard is sorted: 2 as stored, 2 as dense symbols, 4 for the order, 2 for the sort.
SORT_BYTES_A_TOKEN = 10
FM_BYTES_A_TOKEN = 8
"""Memory per byte while a part of a compressed index is sorted: the text, 4 for the order, 2 to sort, and spare."""
BASE_BYTES = 192 << 20
"""What the program needs besides the sort: measured with a vocabulary of 32,000 ids."""

SUFFIX_ARRAY, FM = "suffix-array", "fm"
FORMATS = (SUFFIX_ARRAY, FM)
"""What an index is: tokens with their suffix array, or a compressed index of bytes."""
MOST_PART_BYTES = 1 << 30
"""Bytes of a part of a compressed index: a larger one would need more memory, and would not be faster."""

# Smaller shards would save little beside BASE_BYTES, and each query searches every shard.
FEWEST_SHARD_TOKENS = 1 << 20
# A folder is removed if all its names match, so no user's file may match.
_OUR_FILES = re.compile(
    r"(tokenized|table|offset|metadata|metaoff|unigram|fm|lines|text)\.\d+(\.part)?|(build|sources|index|tokenizer|report(\.\d+)?)\.json(\.part)?",
    re.ASCII,
)
PIECES = "pieces"
"""The folder of what the workers of a cluster have done, in the folder of a build."""
_OUR_PIECES = re.compile(r"head(-[0-9a-f]{8})?|[0-9a-f]{16}(-[0-9a-f]{8}|\.json)?", re.ASCII)


@dataclass(frozen=True)
class BuildRequest:
    """What to build.

    sources: Files and folders to read, and addresses of data sets on the hub.
    out: The folder of the index.
    tokenizer: The path of a tokenizer.json, "bytes", "train", or "train:N".
    text_field: The field or column that holds the text; or a path such as `a.b[0]`.
    shards: The minimum number of shards, from 1.
    memory: Bytes that the build may use; 0 for no limit. A smaller limit makes more shards. A shard has at least a
        million tokens, so a limit under about 220 MiB cannot be kept.
    skip_bad: Whether to leave out bad lines and unreadable files.
    resume: Whether to continue an interrupted build.
    name: What to call the index; "" for the name of its folder.
    metadata: A CSV or TSV file with a row per plain text, joined by the column that names the files; "" for none.
    encoding: The character set of the texts, by its name in Python, as of `explorer.core.files.encoding.decode_text`;
        "" to detect it.
    metadata_fields: The fields of records that are kept as metadata; None for all.
    exclude: Paths of files in the sources that are not read.
    given: A tokenizer that is in memory; `tokenizer` is then its name.
    token_width: Bytes per token, if the index must have the width of another one; 0: what the tokenizer needs.
    in_memory: What to call sources that are records in memory; "" for files. Such a build is not resumed.
    resumable: Whether an interrupted build keeps what it has done.
    format: What is made: `SUFFIX_ARRAY`, or `FM`, a compressed index, whose tokens are bytes.
    keep_text: Whether a compressed index also stores the text.
    manifest: A table that names the files to read, in place of `sources`; its other columns become metadata. "": none.
    skip_duplicates: Whether files whose content an earlier file has are skipped.
    cluster: Whose workers do the work: the address of a scheduler, or "local:N" for N processes; "" for this process.
    allow_remote: Whether the cluster may be on other machines.
    insecure: Whether it may be there without encryption.
    reading: How files become texts.
    special_tokens: How special tokens in texts are encoded, of `TREATMENTS`.
    """

    sources: tuple[Path, ...]
    out: Path
    tokenizer: str = "train"
    text_field: str = "text"
    shards: int = 1
    memory: float = 0
    skip_bad: bool = False
    resume: bool = False
    name: str = ""
    metadata: str = ""
    encoding: str = ""
    metadata_fields: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    given: TextTokenizer | None = None
    token_width: int = 0
    in_memory: str = ""
    resumable: bool = True
    format: str = SUFFIX_ARRAY
    keep_text: bool = False
    manifest: str = ""
    skip_duplicates: bool = False
    cluster: str = ""
    allow_remote: bool = False
    insecure: bool = False
    reading: ReadSettings = AS_USUAL
    special_tokens: str = AS_TEXT

    def __post_init__(self) -> None:
        # A compressed index has the bytes as its tokens: there is nothing to train.
        if self.format == FM and self.given is None and self.tokenizer == "train":
            object.__setattr__(self, "tokenizer", BYTES_NAME)

    @property
    def source_names(self) -> tuple[str, ...]:
        """The sources as messages and `index.json` name them."""
        named = (self.in_memory or self.manifest,) if self.in_memory or self.manifest else ()
        return named or tuple(map(shown_source, self.sources))

    @property
    def trains(self) -> bool:
        """Whether the tokenizer is trained on the sources."""
        return self.given is None and (self.tokenizer == "train" or self.tokenizer.startswith("train:"))

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that determine the content of the files; a build is resumed only with the same."""
        # Not `out`, `resume` and `name`: tokens and tables do not depend on them.
        return {
            "sources": list(self.source_names),
            "tokenizer": self.tokenizer,
            "text_field": self.text_field,
            "shards": self.shards,
            "memory": self.memory,
            "skip_bad": self.skip_bad,
            "metadata": self.metadata,
            # Only if it is given: builds that an older version began know nothing of it.
            **({"encoding": self.encoding} if self.encoding else {}),
            **({"metadata_fields": list(self.metadata_fields)} if self.metadata_fields is not None else {}),
            **({"manifest": self.manifest} if self.manifest else {}),
            **({"skip_duplicates": True} if self.skip_duplicates else {}),
            **self.reading.parameters,
            # A tokenizer that is trained has no special tokens.
            **({} if self.trains or self.tokenizer == BYTES_NAME else {"special_tokens": self.special_tokens}),
            **({"exclude": list(self.exclude)} if self.exclude else {}),
            **({"format": self.format, "keep_text": self.keep_text} if self.format != SUFFIX_ARRAY else {}),
        }

    def options(self, side: Side | None = None) -> ReadOptions:
        """The options for reading the sources, with the metadata of a table by file."""
        side = side or {}
        fields, ids, special = self.metadata_fields, self.token_ids, self.special_tokens
        return ReadOptions(self.text_field, self.skip_bad, side, self.encoding, fields, ids, self.reading, special)

    @property
    def token_ids(self) -> TokenIds:
        """What the build knows of token ids in its sources."""
        return TokenIds("" if self.trains else self.tokenizer, self.given, self.reading.eos, self.reading.ids)

    def check(self) -> None:
        """Check what can be checked without the sources.

        Raises `BuildError` if the number of shards or the memory limit is out of range, the encoding is not one of
            text, the format cannot be made so, token ids cannot be read so, or a build from memory is to be resumed.
        """
        _check_encoding(self.encoding)
        # A type or a token that does not exist is refused before anything is read.
        _ = self.token_ids.form
        self._check_format()
        if self.special_tokens not in TREATMENTS:
            raise BuildError(
                mark("Special tokens in texts are encoded as text or as tokens, and not as {treatment}."),
                reason="bad-special-tokens",
                option="special_tokens",
                treatment=repr(self.special_tokens),
            )
        if self.in_memory and self.resume:
            raise BuildError(
                mark("A build from records in memory cannot be resumed, because they may have changed."),
                reason="cannot-resume",
                option="resume",
            )
        if self.manifest and self.metadata:
            raise BuildError(
                mark("{path} has the metadata of the files that it names, so there is no other table of metadata."),
                reason="manifest-and-metadata",
                option="metadata",
                path=self.manifest,
            )
        # A bool is an int in Python, and True would pass for one shard.
        if isinstance(self.shards, bool) or not isinstance(self.shards, int) or self.shards < 1:
            raise BuildError(
                mark("The number of shards must be a whole number from 1 on, not {shards}."),
                reason="bad-shards",
                shards=repr(self.shards),
            )
        if not isinstance(self.memory, int | float) or not math.isfinite(self.memory) or self.memory < 0:
            raise BuildError(
                mark("The memory limit must be a number of bytes, or 0 for no limit, not {memory}."),
                reason="bad-memory",
                memory=self.memory,
            )

    def _check_format(self) -> None:
        """Require a format that is known, and of a compressed index what it can store."""
        if self.format not in FORMATS:
            raise BuildError(
                mark("{format} is not a format of an index. The formats are {known}."),
                reason="bad-format",
                format=repr(self.format),
                known=", ".join(FORMATS),
            )
        if self.keep_text and self.format != FM:
            raise BuildError(
                mark("An index with a suffix array always has its text."), reason="text-is-kept", option="keep_text"
            )
        if self.format == FM and (self.given is not None or self.tokenizer != BYTES_NAME):
            raise BuildError(
                mark("A compressed index is one of bytes, and cannot be made with the tokenizer {tokenizer}."),
                reason="format-of-bytes",
                option="tokenizer",
                tokenizer=self.tokenizer,
            )


def _check_encoding(name: str) -> None:
    try:
        check_encoding(name)
    except (LookupError, ValueError) as error:
        raise BuildError(
            mark("{name} is not an encoding of text."), reason="bad-encoding", option="encoding", name=name
        ) from error


def named_folder(out: Path) -> Path:
    """Give a path that ends in a name: ".", ".." and links are resolved to the folders that they denote."""
    # The partial folder is put beside the real one: the last step is a rename, which cannot leave the drive, and which
    # would replace a link instead of what it leads to.
    named = out
    if "\0" not in str(out) and (out.name in ("", "..") or is_link(out)):
        named = out.resolve()
    if not named.name or "\0" in str(named):
        raise BuildError(mark("{path} cannot be an index folder."), reason="bad-folder-name", path=out)
    return named


def partial_folder(out: Path) -> Path:
    """Give the folder in which a build writes until it is complete: `OUT.partial`."""
    named = named_folder(out)
    return named.with_name(named.name + ".partial")


def shard_limit(request: BuildRequest) -> int:
    """Give the most tokens that a shard may have."""
    most = MOST_PART_BYTES if request.format == FM else MAX_SHARD_TOKENS
    if request.memory <= 0:
        return most
    # A limit below BASE_BYTES gives a negative number here, and the smallest shard below.
    fitting = int(request.memory - BASE_BYTES) // sort_bytes(request)
    return min(most, max(FEWEST_SHARD_TOKENS, fitting))


def sort_bytes(request: BuildRequest) -> int:
    """Tell how much memory a sort needs.

    Returns: Bytes per token of the largest shard.
    """
    return FM_BYTES_A_TOKEN if request.format == FM else SORT_BYTES_A_TOKEN


def token_width_of(tokenizer: TextTokenizer) -> int:
    """Choose the bytes per token: as few as leave the id with all bits set free for the separator.

    Returns: 1, 2 or 4.
    """
    if tokenizer.backend is None:
        return 1
    # 65,535 ids are 0 to 0xFFFE; 0xFFFF is the separator.
    return 2 if tokenizer.vocabulary_size <= 0xFFFF else 4


def is_ours(path: Path) -> bool:
    """Whether a file has a name that a build gives, or a folder only contains pieces of a build on a cluster."""
    if path.name == PIECES:
        return is_folder(path) and all(_OUR_PIECES.fullmatch(each.name) for each in path.iterdir())
    return _OUR_FILES.fullmatch(path.name) is not None


def remove_partial(partial: Path) -> None:
    """Remove what a build wrote; a folder with anything else in it is left alone."""
    if is_folder(partial) and all(map(is_ours, partial.iterdir())):
        shutil.rmtree(partial)
