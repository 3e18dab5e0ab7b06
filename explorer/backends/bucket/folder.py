"""What an index folder elsewhere holds, without a listing of it: its files are asked for by their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from explorer.backends.bucket.blocks import Blocks
from explorer.backends.bucket.keys import HEADER, Keys
from explorer.backends.bucket.shards import FarShard
from explorer.core.jobs import CancelToken
from explorer.errors import DamagedIndexError, NotAnIndexError, TokenizerError
from explorer.http.parts import FileFacts, FilePart, Files
from explorer.i18n import mark
from explorer.index.folder import listed_shards
from explorer.index.layout import MANIFEST_NAME, STATE_NAME, TOKENIZER_NAME, widths_from
from explorer.index.manifest import Manifest, manifest_from
from explorer.text.tokens.tokenizer import TextTokenizer, tokenizer_from

_SHARDS = 16
"""Shards whose files are asked for together."""
_NEEDED = ("tokenized", "table", "offset")
_FURTHER = ("metadata", "metaoff", "keys")
_OFFSET = 8
_MOST_WHOLE = 64 << 20
"""Bytes of the largest file that is read as a whole: a manifest, a tokenizer."""


class FarFolder:
    """The files of one folder.

    files: Finds and reads them.
    manifest: What `index.json` states; None for a folder of another program.
    shards: The shards, in the order of their numbers.
    Raises `NotAnIndexError` if there is no index.
    Raises `DamagedIndexError` if a file is missing, or its size does not fit.
    Raises `RemoteError` if the folder cannot be read.
    """

    def __init__(self, files: Files, cancel: CancelToken | None = None) -> None:
        self.files = files
        self._facts: dict[str, FileFacts] = {}
        self.blocks = Blocks(files, self._facts)
        suffixes = self._find_all(cancel)
        self.manifest = self._manifest(cancel)
        if STATE_NAME in self._facts:
            raise NotAnIndexError(
                mark("{path} is a build that was interrupted."), reason="interrupted-build", path=files.address
            )
        if self.manifest is not None:
            self._check_sizes(self.manifest, cancel)
            listed = listed_shards(self.manifest)
            suffixes = [suffix for suffix in suffixes if listed is None or f"tokenized{suffix}" in listed]
        self._check(suffixes)
        shards = [self._shard(suffix) for suffix in suffixes]
        self.shards = self._with_keys(shards, cancel)
        _check_same_width(shards, files.address)

    @property
    def edition(self) -> str:
        """What is another text once a file was replaced."""
        names = sorted(name for name in self._facts if name.partition(".")[0] in _NEEDED)
        return " ".join(f"{name} {self._facts[name].size} {self._facts[name].version}" for name in names)

    def tokenizer(self, cancel: CancelToken | None = None) -> TextTokenizer | None:
        """Read the tokenizer of the folder.

        Returns: The tokenizer; None if there is none.
        """
        if TOKENIZER_NAME in self._facts:
            data = self._whole(TOKENIZER_NAME, cancel)
            named = self.manifest.tokenizer if self.manifest is not None else ""
            return tokenizer_from(data, self._path(TOKENIZER_NAME), named or TOKENIZER_NAME)
        # One byte per token can only be bytes, whatever program made the index.
        return TextTokenizer.raw_bytes() if self.shards[0].widths.token == 1 else None

    # --- which files -----------------------------------------------------------------------------

    def _find_all(self, cancel: CancelToken | None) -> list[str]:
        """Ask for the files of all shards; gives what their names end with."""
        found: list[str] = []
        first = 0
        while True:
            suffixes = [*([""] if first == 0 else []), *(f".{number}" for number in range(first, first + _SHARDS))]
            others = [MANIFEST_NAME, TOKENIZER_NAME, STATE_NAME] if first == 0 else []
            self._facts |= self.files.find([*others, *(f"tokenized{suffix}" for suffix in suffixes)], cancel)
            here = [suffix for suffix in suffixes if f"tokenized{suffix}" in self._facts]
            found += here
            first += _SHARDS
            # The last of them is there: there may be more.
            if not here or here[-1] != suffixes[-1]:
                break
        names = [f"{name}{suffix}" for suffix in found for name in (*_NEEDED[1:], *_FURTHER)]
        if names:
            self._facts |= self.files.find(names, cancel)
        return found

    def _check(self, suffixes: Sequence[str]) -> None:
        if not suffixes:
            raise NotAnIndexError(
                mark("{path} is not an infini-gram index: it has no file tokenized.0 (or tokenized)."),
                reason="not-an-index",
                path=self.files.address,
            )
        if "" in suffixes and len(suffixes) > 1:
            raise DamagedIndexError(
                mark("{path} mixes a file tokenized with numbered ones, so it is unclear which belong together."),
                reason="mixed-shards",
                path=self.files.address,
            )
        for number, suffix in enumerate(suffixes):
            # A listing would show a shard after a gap. Without one, a shard that is not found might be one that failed.
            if suffix and suffix != f".{number}":
                raise self._missing(f"tokenized.{number}")
            for name in _NEEDED:
                if name + suffix not in self._facts:
                    raise self._missing(name + suffix)

    def _missing(self, name: str) -> DamagedIndexError:
        return DamagedIndexError(mark("{path} is missing."), reason="file-missing", path=self._path(name))

    def _check_sizes(self, manifest: Manifest, cancel: CancelToken | None) -> None:
        """Each file that the manifest lists must have its size."""
        names = [PurePosixPath(name).name for name in manifest.files]
        asked = [name for name in names if name not in self._facts]
        if asked:
            self._facts |= self.files.find(asked, cancel)
        for name, size in zip(names, manifest.files.values(), strict=True):
            if name not in self._facts:
                raise self._missing(name)
            found = self._facts[name].size
            if found != size:
                raise DamagedIndexError(
                    mark("{path} has {found:,} bytes, but {manifest} records {size:,}: it was cut short or replaced."),
                    reason="cut-short",
                    path=self._path(name),
                    found=found,
                    manifest=MANIFEST_NAME,
                    size=size,
                )

    def _path(self, name: str) -> str:
        return f"{self.files.address}/{name}"

    # --- what they contain -----------------------------------------------------------------------

    def _manifest(self, cancel: CancelToken | None) -> Manifest | None:
        if MANIFEST_NAME not in self._facts:
            return None
        return manifest_from(self._whole(MANIFEST_NAME, cancel), self._path(MANIFEST_NAME))

    def _whole(self, name: str, cancel: CancelToken | None) -> bytes:
        size = self._facts[name].size
        if size > _MOST_WHOLE:
            raise DamagedIndexError(
                mark("{path} has {size:,} bytes, which is more than such a file can have."),
                reason="too-large",
                path=self._path(name),
                size=size,
            )
        return self.blocks.read([FilePart(name, 0, size)], cancel)[0]

    def _shard(self, suffix: str) -> FarShard:
        sizes = {name: facts.size for name, facts in self._facts.items()}
        tokenized, table, offset = (name + suffix for name in _NEEDED)
        widths = widths_from(sizes[tokenized], sizes[table], self._path(tokenized), self._path(table))
        documents, rest = divmod(sizes[offset], _OFFSET)
        if rest or not documents:
            raise DamagedIndexError(
                mark("{path} has {size:,} bytes, which is not 8 for each document: it was cut short."),
                reason="cut-short",
                path=self._path(offset),
                size=sizes[offset],
            )
        # One is of no use without the other.
        has_metadata = f"metadata{suffix}" in sizes and f"metaoff{suffix}" in sizes
        if has_metadata and sizes[f"metaoff{suffix}"] != documents * _OFFSET:
            raise DamagedIndexError(
                mark("{path} lists {count:,} documents, and {other} lists {other_count:,}."),
                reason="metadata-count",
                path=self._path(f"metaoff{suffix}"),
                count=sizes[f"metaoff{suffix}"] // _OFFSET,
                other=offset,
                other_count=documents,
            )
        return FarShard(
            suffix, widths, sizes[tokenized], documents, sizes[f"metadata{suffix}"] if has_metadata else None
        )

    def _with_keys(self, shards: Sequence[FarShard], cancel: CancelToken | None) -> tuple[FarShard, ...]:
        """The shards with the keys that are beside them."""
        having = [shard for shard in shards if shard.file("keys") in self._facts]
        headers = self.blocks.read([FilePart(shard.file("keys"), 0, HEADER.size) for shard in having], cancel)
        steps = {}
        for shard, header in zip(having, headers, strict=True):
            name = shard.file("keys")
            steps[name] = Keys.step_in(header, shard.token_count, self._facts[name].size)
        fitting = {shard.file("keys"): shard.token_count for shard in having if steps[shard.file("keys")] is not None}
        parts = [Keys.heads_part(name, count, steps[name] or 0) for name, count in fitting.items()]
        data = dict(zip(fitting, self.blocks.read(parts, cancel), strict=True))
        made = {name: Keys(name, count, steps[name] or 0, data[name]) for name, count in fitting.items()}
        return tuple(replace(shard, keys=made.get(shard.file("keys"))) for shard in shards)

    @property
    def keys_fit(self) -> bool:
        """Whether all files of keys that are there are of these shards, as far as their sizes tell."""
        return all(shard.keys is not None for shard in self.shards if shard.file("keys") in self._facts)


def _check_same_width(shards: Sequence[FarShard], address: str) -> None:
    if len({shard.widths.token for shard in shards}) > 1:
        raise TokenizerError(
            mark("The shards of {path} have tokens of different widths, so their counts cannot be added."),
            reason="token-widths-differ",
            path=address,
        )
