"""The word index of an index: found in the cache or made, opened, and the way back to the tokens."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.local.follower_table import prepare as prepare_followers
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.local.shards import ShardBackend
from explorer.backends.local.subtracting.subtract import Subtraction
from explorer.backends.protocol.protocol import Backend
from explorer.core.arrays import ArrayValue
from explorer.core.files.paths import cache_folder
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import CapabilityError, DamagedIndexError
from explorer.i18n import mark
from explorer.index.folder import read_folder
from explorer.index.key_samples import index_fingerprint, prepare
from explorer.index.manifest import read_manifest
from explorer.index.shard import MappedShard
from explorer.words.cutting import PLACE_TYPES
from explorer.words.making import VOCABULARY_NAME, WordSource, checksum, make_word_index, remove_word_index
from explorer.words.rule import WordRule
from explorer.words.tokenizer import WordTokenizer
from explorer.words.vocabulary import WordVocabulary, read_vocabulary

_LOG = logging.getLogger("explorer.words")
# A part of the folders' names: another layout, or another rule for the same settings, gets another one.
_FORMAT = 1
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class WordIndex(ArrayValue):
    """The words of an index.

    backend: The words as an index: its tokens are words, its documents those of the original, with their numbers.
    tokenizer: Cuts texts by the same rule.
    places: For each shard, the place of each word's first token in the original shard, in reading order.
    """

    backend: ShardBackend
    tokenizer: WordTokenizer
    places: tuple[NDArray[Any], ...]

    @property
    def vocabulary(self) -> WordVocabulary:
        """The forms by id, of all documents."""
        return self.tokenizer.vocabulary

    @property
    def rule(self) -> WordRule:
        """The rule that cut the words."""
        return self.tokenizer.rule

    def tokens_at(self, documents: Numbers, words: Numbers) -> Numbers:
        """Find the token of the original index with which each word begins.

        words: The offset of a word in each of them, int64.
        Returns: Token offsets in the documents of the original index, int64.
        Raises `IndexError` if a document has no such word.
        """
        found = np.empty(len(documents), dtype=np.int64)
        first = 0
        for shard, places in zip(self.backend.shards, self.places, strict=True):
            here = np.flatnonzero((documents >= first) & (documents < first + shard.document_count))
            starts, ends = shard.bounds(documents[here] - first)
            at = starts + words[here]
            if ((words[here] < 0) | (at >= ends)).any():
                raise IndexError("a document has fewer words")
            # The entry before a document's first word is its separator's.
            found[here] = places[at].astype(np.int64) - places[starts - 1].astype(np.int64) - 1
            first += shard.document_count
        return found

    def words_before(self, documents: Numbers, tokens: Numbers) -> Numbers:
        """Count the words of documents that begin before a token of the original index: `tokens_at` turned around.

        tokens: The offset of a token in each of them, int64; past the last one, all words begin before it.
        Returns: How many there are, which is the offset of the first word that begins there or later, int64.
        """
        found = np.empty(len(documents), dtype=np.int64)
        first = 0
        for shard, places in zip(self.backend.shards, self.places, strict=True):
            here = np.flatnonzero((documents >= first) & (documents < first + shard.document_count))
            starts, ends = shard.bounds(documents[here] - first)
            wanted = places[starts - 1].astype(np.int64) + 1 + tokens[here]
            # Of the type of the places: they are mapped, and would be copied to be compared with another.
            most = np.iinfo(places.dtype).max
            at = np.searchsorted(places, np.minimum(wanted, most).astype(places.dtype))
            found[here] = np.clip(at, starts, ends) - starts
            first += shard.document_count
        return found


def open_words(
    index: Backend,
    rule: WordRule | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> WordIndex:
    """Open the word index of an index, and make it if the cache does not have it.

    rule: How words are cut and compared; None for the default.
    cancel: Stops the work; nothing is left of it then.
    Returns: The words. If documents are subtracted from the index, their words are, too.
    Raises `CapabilityError` if the index is not in folders on this machine.
    Raises `TokenizerError` if no tokenizer is known for the index.
    Raises `CorpusError` if the index is damaged, or the cache cannot be written.

    Notes
    -----
    Cost, once: a pass over all tokens and a sort of all words. The folder is checked each time it is opened; one that
    is damaged is made again.
    """
    source = _source_of(index, rule)
    assert isinstance(index, ShardBackend)
    folder = _folder_of(source)
    if not _is_whole(folder):
        if folder.is_dir():
            _LOG.warning("%s is damaged and is made again", folder)
            remove_word_index(folder)
        superseded = _superseded(source)
        if superseded:
            _LOG.warning("The words of %s were listed by an older rule. They are listed again.", source.name)
        make_word_index(source, folder, report, cancel or CancelToken(), again=bool(superseded))
        for old in superseded:
            with contextlib.suppress(OSError):
                remove_word_index(old)
    return _open(index, source, folder, report, cancel)


def words_are_made(index: Backend, rule: WordRule | None = None) -> bool:
    """Whether the cache has the word index of an index, so that `open_words` need not make it.

    rule: How words are cut and compared; None for the default.
    Raises `CapabilityError` if the index is not in folders on this machine.
    """
    return _is_whole(_folder_of(_source_of(index, rule)))


def words_are_superseded(index: Backend, rule: WordRule | None = None) -> bool:
    """Whether the cache has the words of an index by an older version of the rule, and not by this one.

    rule: How words are cut and compared; None for the default.
    Returns: Whether `open_words` lists them again.
    Raises `CapabilityError` if the index is not in folders on this machine.
    """
    source = _source_of(index, rule)
    return bool(_superseded(source)) and not _is_whole(_folder_of(source))


def _source_of(index: Backend, rule: WordRule | None) -> WordSource:
    if not isinstance(index, ShardBackend):
        if index.local is not None:
            index.capabilities.require("lists")
        raise CapabilityError(mark("Words are counted in indexes on this machine only."), capability="words")
    return WordSource(index.shards, index.tokenizer, rule or WordRule(), index.name, _fields(index))


def _folder_of(source: WordSource) -> Path:
    return cache_folder() / "words" / _name_of(source, source.rule.key)


def _superseded(source: WordSource) -> list[Path]:
    """The words of the same index by older versions of the rule."""
    folders = (cache_folder() / "words" / _name_of(source, key) for key in source.rule.older_keys)
    return [folder for folder in folders if folder.is_dir()]


def _name_of(source: WordSource, rule: str) -> str:
    tokenizer = f"{source.tokenizer.name} {source.tokenizer.fingerprint}" if source.tokenizer.fingerprint else "bytes"
    # The same tokens are other words with another tokenizer.
    parts = (str(_FORMAT), index_fingerprint(source.shards), tokenizer, rule)
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:32]


def _fields(index: ShardBackend) -> dict[str, int] | None:
    """How many documents of all folders have each metadata field; None if a folder does not list them."""
    total: dict[str, int] = {}
    for manifest in index.local.manifests:
        if manifest is None or manifest.metadata_fields is None:
            return None
        for name, count in manifest.metadata_fields.items():
            total[name] = total.get(name, 0) + count
    return total


def _is_whole(folder: Path) -> bool:
    """Whether every file is as it was written."""
    try:
        manifest = read_manifest(folder)
        expected: dict[str, str] = manifest.parameters["checksums"] if manifest else {}
        return bool(expected) and all(checksum(folder / Path(name).name) == sum_ for name, sum_ in expected.items())
    except (OSError, KeyError, TypeError, AttributeError, json.JSONDecodeError, DamagedIndexError):
        return False


def _open(
    index: ShardBackend, source: WordSource, folder: Path, report: Report, cancel: CancelToken | None
) -> WordIndex:
    # As `open_folders` opens others, but with the metadata of the original and a tokenizer that no file describes.
    files, manifest = read_folder(folder)
    # Metadata are read from the original's own files.
    originals = [shard.files for shard in source.shards]
    shards = [
        MappedShard(replace(own, metadata=original.metadata, metaoff=original.metaoff))
        for own, original in zip(files, originals, strict=True)
    ]
    for shard in shards:
        prepare(shard, report=report, cancel=cancel)
    tokenizer = WordTokenizer(read_vocabulary(folder / VOCABULARY_NAME, source.rule), folder.name)
    together = ShardSet(shards, Subtraction())
    backend = ShardBackend(together, tokenizer, (folder,), (manifest,), _opening(index, source.rule))
    backend.counts.use_table(prepare_followers(together, backend.counts, report, cancel))
    # The words of all documents are in the cache, also if some are subtracted here.
    if index.document_count != index.document_slots:
        backend = backend.within(index.documents.numbers(), cancel)
    return word_index(backend)


def word_index(index: Backend) -> WordIndex:
    """Give the words of a word index that is open, such as a part of one."""
    if not isinstance(index, ShardBackend) or not isinstance(index.tokenizer, WordTokenizer):
        raise CapabilityError(mark("This is not an index of words."), capability="words")
    return WordIndex(index, index.tokenizer, tuple(map(_places, index.shards)))


def _places(shard: MappedShard) -> NDArray[Any]:
    path = shard.files.tokenized.with_name(f"places.{shard.files.number}")
    data = shard.map(path)
    return data.view(PLACE_TYPES[len(data) // shard.token_count])


def _opening(index: ShardBackend, rule: WordRule) -> tuple[Callable[..., ShardBackend], tuple[Any, ...]] | None:
    """How another process opens the words: by way of the original."""
    # An index that cannot be sent to another process has no `key`.
    return None if index.key is None else (_reopen, (*index.__reduce__(), rule))


def _reopen(opened: Callable[..., ShardBackend], arguments: tuple[Any, ...], rule: WordRule) -> ShardBackend:
    return open_words(opened(*arguments), rule).backend
