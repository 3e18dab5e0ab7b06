"""What an index folder holds at one moment, also while documents are added to it.

Documents are added as further shards. Their files come first, and `index.json`, which lists the files that belong to
the index, is replaced last. A shard that it does not list is therefore not a part of the index (yet).
"""

from __future__ import annotations

from pathlib import Path

from explorer.core.files.paths import is_file, is_folder
from explorer.index.layout import STATE_NAME, ShardFiles, find_shards
from explorer.index.manifest import Manifest, read_manifest


def read_folder(folder: Path) -> tuple[tuple[ShardFiles, ...], Manifest | None]:
    """List the shards of an index folder, and read its manifest, as they are at one moment.

    Returns: The shards that belong to the index, and the manifest; None for an index of another program, to which all
        shards belong.
    Raises `NotAnIndexError` if there is no index.
    Raises `DamagedIndexError` if a file is missing, or the manifest cannot be read.
    """
    # Errors of the folder as a whole come before those of its manifest.
    if not is_folder(folder) or is_file(folder / STATE_NAME):
        find_shards(folder)
    # The manifest first: the files that it lists are never changed or removed, whatever is added after it was read.
    manifest = read_manifest(folder)
    shards = find_shards(folder, listed_shards(manifest) if manifest else None)
    return shards, manifest


def listed_shards(manifest: Manifest) -> frozenset[str] | None:
    """The names of the files of tokens that belong to an index; None if the manifest lists none."""
    names = frozenset(name for name in manifest.files if name.partition(".")[0] == "tokenized")
    return names or None
