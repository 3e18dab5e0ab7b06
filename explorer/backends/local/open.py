"""Opening index folders: find the shards, choose the tokenizer, check that they belong together."""

from __future__ import annotations

import re
import shutil
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from explorer.backends.local.follower_table import prepare as prepare_followers
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.local.shards import ShardBackend
from explorer.backends.local.subtracting.subtract import Member, Subtraction, pair
from explorer.backends.local.subtracting.temporary import MOST_TOKENS, temporary_shard
from explorer.backends.protocol.locations import Subtracted
from explorer.backends.remembered import remembered
from explorer.backends.request import IndexRequest, TokenizerChoice, TokenizerObject
from explorer.core.files.paths import exists, is_folder
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import CorpusError, NotAnIndexError, QueryError, TokenizerError
from explorer.i18n import mark
from explorer.index.folder import read_folder
from explorer.index.key_samples import index_fingerprint, prepare
from explorer.index.layout import TOKENIZER_NAME
from explorer.index.manifest import Manifest, check_sizes
from explorer.index.shard import MappedShard
from explorer.index.tokenizer_check import measure_fit, require_fit
from explorer.text.special_tokens import AS_TEXT, AS_TOKENS, TREATMENTS
from explorer.text.tokens.in_memory import wrap_tokenizer
from explorer.text.tokens.tokenizer import BYTES_NAME, TextTokenizer

_HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?", re.ASCII)
"""A name of the Hugging Face hub, such as gpt2 or allenai/OLMo-7B; a relative path may look the same."""
_Opened = tuple[list[MappedShard], Manifest | None]
_reopened: weakref.WeakValueDictionary[tuple[object, ...], ShardBackend] = weakref.WeakValueDictionary()
"""What was opened from pickles in this process and is still in use."""


def open_folders(request: IndexRequest, report: Report = no_report, cancel: CancelToken | None = None) -> ShardBackend:
    """Open index folders as one index.

    request: The folders. Without a tokenizer, that of the first folder is taken, or raw bytes for a byte index, or the
        one that is remembered for it. Each subtracted document removes one document with the same tokens; see
        `explorer.backends.local.subtracting.subtract`.
    Raises `CorpusError` its subclasses name the file and the problem.
    """
    folders, less = [tuple(map(Path, sources)) for sources in (request.sources, request.minus)]
    if not folders:
        raise NotAnIndexError(mark("No index was given."), reason="no-index")
    opened, subtracted = [_open_folder(folder) for folder in folders], [_open_folder(folder) for folder in less]
    if not request.allow_same:
        refuse_same(folders, (index_fingerprint(found) for found, _ in opened))
        refuse_same(less, (index_fingerprint(found) for found, _ in subtracted))
    shards, minus = _shards_of(opened), _shards_of(subtracted)
    _check_same_width(shards, minus)
    as_text = _special_as_text(folders, [manifest for _, manifest in opened], request)
    chosen = _choose_tokenizer(folders[0], *opened[0], request, as_text)
    if request.tokenizer is None and request.check_fit and chosen.tokenizer is not None:
        _refuse_other_tokenizers((*folders, *less), chosen.tokenizer)
    tokenizer, request = chosen.tokenizer, replace(request, tokenizer=chosen.named, check_fit=chosen.check_fit)
    if tokenizer is not None:
        _settle_direction(opened + subtracted, tokenizer, request.check_fit)
    for shard in (*shards, *minus):
        # What the caller knows overrides what the manifest states or the tokenizer showed.
        shard.reversed_text = shard.reversed_text if request.reversed_text is None else request.reversed_text
        prepare(shard, report=report, cancel=cancel)
    subtraction, folder = _subtract(shards, minus, report, cancel)
    if less:
        asked = replace(subtraction.asked, sources=tuple(str(Path(each).resolve()) for each in less))
        subtraction = replace(subtraction, asked=asked)
    together = ShardSet(shards, subtraction)
    if folder is not None:
        # The temporary shard's files stay mapped as long as the set is in use, and are removed with it.
        weakref.finalize(together, shutil.rmtree, folder, True)
    manifests = [manifest for _, manifest in opened]
    opening = (reopen, (_absolute(request, tokenizer), (together.token_count, len(shards))))
    backend = ShardBackend(together, tokenizer, folders, manifests, opening, chosen.unusable)
    backend.counts.use_table(prepare_followers(together, backend.counts, report, cancel))
    return backend


def _absolute(request: IndexRequest, tokenizer: TextTokenizer | None) -> IndexRequest:
    """The request as another process can open it: with absolute paths, and a tokenizer in memory as it was read."""
    sources, minus = [tuple(str(Path(one).resolve()) for one in given) for given in (request.sources, request.minus)]
    choice = request.tokenizer
    if choice is not None and not (isinstance(choice, str) and choice == BYTES_NAME):
        choice = Path(choice).resolve() if isinstance(choice, str | PathLike) else tokenizer
    return replace(request, sources=sources, minus=minus, tokenizer=choice)


def reopen(request: IndexRequest, sizes: tuple[int, int]) -> ShardBackend:
    """Open what was opened in another process, or give what is open here for the same request.

    sizes: The tokens and shards that it had.
    Returns: The index. As long as it is in use, further pickles of it give the same one.
    Raises `CorpusError` as from `open_folders`; and if the folder is another index now, or documents were added to it:
        the answers would not be those of the index that was sent here.
    """
    # A worker that gets a thousand documents of one index opens it once.
    known = _reopened.get((*request.key, *sizes))
    if known is None:
        known = open_folders(request)
        if (known.token_count, len(known.shards)) != sizes:
            raise CorpusError(
                mark("{path} has changed since it was opened: it had {before:,} tokens, and has {after:,} now."),
                reason="index-changed",
                path=request.sources[0],
                before=sizes[0],
                after=known.token_count,
            )
        _reopened[(*request.key, *sizes)] = known
    return known


def _shards_of(opened: Sequence[_Opened]) -> list[MappedShard]:
    """The shards of all folders, in their order: document numbers follow it."""
    return [shard for part, _ in opened for shard in part]


def refuse_same(folders: Sequence[Path], fingerprints: Iterable[str]) -> None:
    """Check that no index is given twice, which would be counted twice.

    fingerprints: What tells their contents, one for each.
    Raises `QueryError` if two folders contain the same index.
    """
    seen: dict[str, Path] = {}
    # A folder may have several paths: links, mounts, another spelling; and a copy has the same content.
    for folder, fingerprint in zip(folders, fingerprints, strict=True):
        if fingerprint not in seen:
            seen[fingerprint] = folder
            continue
        first = seen[fingerprint]
        if first.samefile(folder):
            raise QueryError(
                mark("{path} is given twice and would be counted twice."),
                reason="same-index-twice",
                path=folder,
                option="allow_same",
            )
        raise QueryError(
            mark("{path} is a copy of {first}, so every text would be counted twice."),
            reason="same-index-twice",
            path=folder,
            first=first,
            option="allow_same",
        )


def _subtract(
    shards: Sequence[MappedShard], minus: Sequence[MappedShard], report: Report, cancel: CancelToken | None
) -> tuple[Subtraction, Path | None]:
    """What is subtracted from the index, and the temporary folder that this needs, if any.

    If some of the documents are not in the index, the smaller part of them becomes a separate shard.
    """
    if not minus:
        return Subtraction(), None
    left_out, matched, unmatched = pair(shards, minus, report, cancel)
    asked = Subtracted(len(matched) + len(unmatched), len(unmatched))
    some = Subtraction(tuple(minus), (), left_out, asked)
    if not unmatched:
        return some, None
    # Nothing is subtracted, but the documents that were asked for are still reported.
    if not matched:
        return replace(some, minus=()), None
    # Either subtract a shard of what matched, or subtract all and add back a shard of what did not: the smaller one is
    # sorted.
    taken, kept = _token_count(matched), _token_count(unmatched)
    if min(taken, kept) > MOST_TOKENS:
        raise QueryError(
            mark(
                "{unmatched:,} of the {documents:,} documents to subtract are not in this index, and the others have "
                "too many tokens to be separated here."
            ),
            reason="cannot-subtract",
            unmatched=len(unmatched),
            documents=asked.documents,
        )
    chosen = matched if taken <= kept else unmatched
    width = shards[0].widths.token
    shard, folder = temporary_shard(width, (s.reading(n) for s, n in chosen), cancel or CancelToken())
    if chosen is matched:
        return replace(some, minus=(shard,)), folder
    return replace(some, restored=(shard,)), folder


def _token_count(documents: Sequence[Member]) -> int:
    total = 0
    for shard, number in documents:
        start, end = shard.document_bounds(number)
        # With its separator, as the temporary shard will store it.
        total += end - start + 1
    return total


def _open_folder(folder: Path) -> tuple[list[MappedShard], Manifest | None]:
    files, manifest = read_folder(folder)
    if manifest is not None:
        check_sizes(folder, manifest)
    # Another program states nothing about the direction; `_settle_direction` finds it out.
    reversed_text = bool(manifest and manifest.reversed_text)
    return [MappedShard(shard, reversed_text) for shard in files], manifest


def _check_same_width(shards: Sequence[MappedShard], minus: Sequence[MappedShard]) -> None:
    first = shards[0]
    for shard in [*shards, *minus]:
        if shard.widths.token != first.widths.token:
            raise TokenizerError(
                mark(
                    "{path} has {token}-byte tokens and {other} {other_token}-byte ones, so they come from different "
                    "tokenizers and their counts cannot be added."
                ),
                reason="token-widths-differ",
                path=first.files.tokenized,
                token=first.widths.token,
                other=shard.files.tokenized,
                other_token=shard.widths.token,
            )


def load_tokenizer(tokenizer: str | PathLike[str] | TokenizerObject) -> TextTokenizer:
    """Load a tokenizer by name, or wrap one that is in memory.

    tokenizer: "bytes", a tokenizer.json, a folder that contains one, or a tokenizer of the `tokenizers` or
        `transformers` library.
    Raises `TokenizerError` if it cannot be read.
    """
    if not isinstance(tokenizer, str | PathLike):
        return wrap_tokenizer(tokenizer)
    if str(tokenizer) == BYTES_NAME:
        return TextTokenizer.raw_bytes()
    path = Path(tokenizer)
    if _HUB_NAME.fullmatch(str(tokenizer)) and path.suffix != ".json" and not exists(path):
        raise no_tokenizer(str(tokenizer))
    return TextTokenizer.from_file(path / TOKENIZER_NAME if is_folder(path) else path)


def no_tokenizer(choice: str) -> TokenizerError:
    """Make the error for a tokenizer that is not there, and may be meant as a name of the Hugging Face hub.

    Returns: The error, with the address of the file if the name can be one of the hub.
    """
    if not _HUB_NAME.fullmatch(choice) or choice.endswith(".json"):
        return TokenizerError(
            mark('There is no tokenizer "{choice}". Names from Hugging Face are not downloaded.'),
            reason="no-tokenizer",
            choice=choice,
            option="tokenizer",
        )
    return TokenizerError(
        mark(
            'There is no tokenizer "{choice}". Hugging Face names are not downloaded, because this program makes no '
            "network connections. Its file can be downloaded from {address}."
        ),
        reason="no-tokenizer",
        choice=choice,
        address=f"https://huggingface.co/{choice}/resolve/main/{TOKENIZER_NAME}",
        option="tokenizer",
    )


@dataclass(frozen=True)
class _Chosen:
    """The tokenizer of an index; what names it for another process; why there is none although one is remembered."""

    tokenizer: TextTokenizer | None
    named: TokenizerChoice
    check_fit: bool
    unusable: TokenizerError | None = None


def _special_as_text(folders: Sequence[Path], manifests: Sequence[Manifest | None], request: IndexRequest) -> bool:
    """Whether special tokens in texts were encoded as text, and are in queries; that of the first folder counts.

    Raises `TokenizerError` if folders whose texts have such tokens differ and the tokenizer has to fit.
    """
    treatments = [AS_TOKENS if manifest is None else manifest.special_tokens for manifest in manifests]
    met = any(manifest is not None and manifest.skipped.keys() & {*TREATMENTS.values()} for manifest in manifests)
    if met and len({*treatments}) > 1 and request.tokenizer is None and request.check_fit:
        raise TokenizerError(
            mark("{path} and {other} encode special tokens in texts differently, so their counts cannot be added."),
            reason="special-tokens-differ",
            path=folders[0],
            other=folders[treatments.index(next(each for each in treatments if each != treatments[0]))],
        )
    return treatments[0] == AS_TEXT


def _choose_tokenizer(
    folder: Path, shards: Sequence[MappedShard], manifest: Manifest | None, request: IndexRequest, as_text: bool
) -> _Chosen:
    """The tokenizer that was given, or else the index's own, or else the default, or else the one remembered for it."""
    chosen = _found_tokenizer(folder, shards, manifest, request)
    tokenizer = None if chosen.tokenizer is None else chosen.tokenizer.treating_special(as_text)
    return replace(chosen, tokenizer=tokenizer)


def _found_tokenizer(
    folder: Path, shards: Sequence[MappedShard], manifest: Manifest | None, request: IndexRequest
) -> _Chosen:
    if request.tokenizer is not None:
        return _Chosen(load_tokenizer(request.tokenizer), request.tokenizer, request.check_fit)
    own = _own_tokenizer(folder, shards[0], manifest)
    if own is not None:
        return _Chosen(own, None, request.check_fit)
    default = request.default_tokenizer
    if default is not None:
        return _Chosen(load_tokenizer(default), default, request.check_fit)
    try:
        kept = remembered(index_fingerprint(shards))
        if kept is None:
            return _Chosen(None, None, request.check_fit)
        return _Chosen(kept.load(), kept.path, request.check_fit and kept.check_fit)
    except TokenizerError as error:
        # The index can be opened without it, and whoever needs its text is told.
        return _Chosen(None, None, request.check_fit, error)


def _refuse_other_tokenizers(folders: Sequence[Path], tokenizer: TextTokenizer) -> None:
    """Raise TokenizerError if a folder has another vocabulary: its ids would be read as other texts."""
    for folder in folders:
        if not (folder / TOKENIZER_NAME).is_file():
            continue
        other = TextTokenizer.from_file(folder / TOKENIZER_NAME)
        # The same vocabulary may be written in another way, such as with other spaces.
        same = other.fingerprint == tokenizer.fingerprint or (
            tokenizer.backend is not None
            and other.backend is not None
            and tokenizer.backend.get_vocab() == other.backend.get_vocab()
        )
        if not same:
            raise TokenizerError(
                mark("{path} and {other} have different tokenizers, so their counts cannot be added."),
                reason="tokenizers-differ",
                option="tokenizer",
                path=folders[0],
                other=folder,
            )


def _own_tokenizer(folder: Path, shard: MappedShard, manifest: Manifest | None) -> TextTokenizer | None:
    """The tokenizer that a folder has."""
    if (folder / TOKENIZER_NAME).is_file():
        found = TextTokenizer.from_file(folder / TOKENIZER_NAME)
        if manifest is not None and manifest.tokenizer:
            found.name = manifest.tokenizer
        return found
    # One byte per token can only be bytes, whatever program made the index. Wider ones cannot be guessed.
    return TextTokenizer.raw_bytes() if shard.widths.token == 1 else None


def _settle_direction(
    folders: Sequence[tuple[list[MappedShard], Manifest | None]], tokenizer: TextTokenizer, check_fit: bool
) -> None:
    """Check the tokenizer against each folder; a foreign folder may turn out to be stored backwards."""
    for shards, manifest in folders:
        if manifest is not None and tokenizer.fingerprint and manifest.tokenizer_sha256 == tokenizer.fingerprint:
            continue  # the very tokenizer that the index was built with, even where it does not give all text back
        fit = measure_fit(shards[0], tokenizer)
        if check_fit:
            require_fit(fit, shards[0], tokenizer)
        if manifest is None and fit.reversed_text:
            for shard in shards:
                shard.reversed_text = True
