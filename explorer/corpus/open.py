"""Opening index folders: find the shards, choose the tokenizer, check that they belong together."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from explorer.corpus.fit import measure_fit, require_fit
from explorer.corpus.folders import is_folder
from explorer.corpus.index import Index
from explorer.corpus.keys import prepare
from explorer.corpus.layout import TOKENIZER_NAME, find_shards
from explorer.corpus.manifest import Manifest, check_sizes, read_manifest
from explorer.corpus.shard import MappedShard
from explorer.corpus.tokenizer import BYTES_NAME, TextTokenizer
from explorer.errors import NotAnIndexError, TokenizerError
from explorer.jobs import CancelToken, Report, no_report
from explorer.words import tr

TokenizerChoice = str | PathLike[str] | TextTokenizer | None
Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


def as_paths(paths: Paths | None) -> tuple[Path, ...]:
    """One path or several, as a tuple."""
    if paths is None:
        return ()
    if isinstance(paths, str | PathLike):
        return (Path(paths),)
    return tuple(Path(path) for path in paths)


def open_folders(
    paths: Paths,
    tokenizer: TokenizerChoice = None,
    minus: Paths | None = None,
    check_fit: bool = True,
    reversed_text: bool | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Index:
    """Open index folders as one index.

    tokenizer: a tokenizer.json, "bytes", or None for the one in the first folder (or raw bytes for
    a byte index). check_fit: refuse a tokenizer that decodes the index to noise. reversed_text: whether
    documents are stored backwards; None: what the manifest says, else what the tokenizer shows.
    Raises CorpusError subclasses that say what is wrong with which file.
    """
    folders = as_paths(paths)
    if not folders:
        raise NotAnIndexError(tr("No index was given. Name at least one index folder."))
    opened = [_open_folder(folder) for folder in folders]
    subtracted = [_open_folder(folder) for folder in as_paths(minus)]
    shards = [shard for part, _ in opened for shard in part]
    minus_shards = [shard for part, _ in subtracted for shard in part]
    _check_same_width(shards, minus_shards)
    chosen = _choose_tokenizer(folders[0], shards[0], opened[0][1], tokenizer)
    if chosen is not None:
        _settle_direction(opened + subtracted, chosen, check_fit)
    for shard in (*shards, *minus_shards):
        shard.reversed_text = shard.reversed_text if reversed_text is None else reversed_text
        prepare(shard, report=report, cancel=cancel)
    return Index(shards, minus_shards, chosen, folders, [manifest for _, manifest in opened])


def _open_folder(folder: Path) -> tuple[list[MappedShard], Manifest | None]:
    files = find_shards(folder)
    manifest = read_manifest(folder)
    if manifest is not None:
        check_sizes(folder, manifest)
    reversed_text = bool(manifest and manifest.reversed_text)
    return [MappedShard(shard, reversed_text) for shard in files], manifest


def _check_same_width(shards: Sequence[MappedShard], minus: Sequence[MappedShard]) -> None:
    first = shards[0]
    for shard in [*shards, *minus]:
        if shard.widths.token != first.widths.token:
            raise TokenizerError(
                tr(
                    "{tokenized} has {token}-byte tokens and {other} {other_token}-byte ones, so they come from "
                    "different tokenizers and cannot be added up. Open them one by one.",
                    tokenized=first.files.tokenized,
                    token=first.widths.token,
                    other=shard.files.tokenized,
                    other_token=shard.widths.token,
                )
            )


def load_tokenizer(tokenizer: str | PathLike[str]) -> TextTokenizer:
    """A tokenizer by name: "bytes", a tokenizer.json, or a folder that holds one."""
    if str(tokenizer) == BYTES_NAME:
        return TextTokenizer.raw_bytes()
    path = Path(tokenizer)
    return TextTokenizer.from_file(path / TOKENIZER_NAME if is_folder(path) else path)


def _choose_tokenizer(
    folder: Path, shard: MappedShard, manifest: Manifest | None, tokenizer: TokenizerChoice
) -> TextTokenizer | None:
    if isinstance(tokenizer, TextTokenizer):
        return tokenizer
    if tokenizer is not None:
        return load_tokenizer(tokenizer)
    if (folder / TOKENIZER_NAME).is_file():
        found = TextTokenizer.from_file(folder / TOKENIZER_NAME)
        if manifest is not None and manifest.tokenizer:
            found.name = manifest.tokenizer
        return found
    return TextTokenizer.raw_bytes() if shard.widths.token == 1 else None


def _settle_direction(
    folders: Sequence[tuple[list[MappedShard], Manifest | None]], tokenizer: TextTokenizer, check_fit: bool
) -> None:
    """Check the tokenizer against each folder; a foreign folder may turn out to be stored backwards."""
    for shards, manifest in folders:
        fit = measure_fit(shards[0], tokenizer)
        if check_fit:
            require_fit(fit, shards[0], tokenizer)
        if manifest is None and fit.reversed_text:
            for shard in shards:
                shard.reversed_text = True
