"""What the folder of a compressed index holds."""

from __future__ import annotations

from pathlib import Path

from explorer.core.files.paths import is_file, is_folder
from explorer.index.fm.layout import PartFiles, find_parts
from explorer.index.layout import STATE_NAME
from explorer.index.manifest import Manifest, read_manifest


def read_compressed(folder: Path) -> tuple[tuple[PartFiles, ...], Manifest | None]:
    """List the parts of a compressed index, and read its manifest.

    Returns: The parts, and the manifest; None if there is none.
    Raises `NotAnIndexError` if there is no index.
    Raises `DamagedIndexError` if a file is missing, or the manifest cannot be read.
    """
    # Errors of the folder as a whole come before those of its manifest.
    if not is_folder(folder) or is_file(folder / STATE_NAME):
        find_parts(folder)
    manifest = read_manifest(folder)
    return find_parts(folder, manifest.files if manifest else None), manifest
