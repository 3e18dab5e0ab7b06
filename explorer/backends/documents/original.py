"""The file that a document was made of, where it still exists.

The index is not trusted: only a file that is inside a source folder of the build (or is the
source itself), reached by no link out of it, and whose name is that of a text, is ever named here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from explorer.backends.documents.reading import metadata_of
from explorer.backends.protocol.protocol import Backend

_SUFFIXES = (
    "txt md markdown rst py pyi c h cpp hpp java js ts go rs rb css csv tsv json jsonl toml yaml yml xml tex log ini"
)
TEXT_SUFFIXES = frozenset(f".{name}" for name in _SUFFIXES.split(" "))


def original_file(index: Backend, number: int) -> Path | None:
    """Find a document's source file.

    Returns: The path; None if the file is gone, is not a text file, or is outside the sources that the manifest names,
        and where several sources have a file of its name.
    """
    name = metadata_of(index, number).get("path")
    # Only a folder on this machine names sources; a path from another machine means nothing here.
    manifest = index.local.manifest_of(number) if index.local else None
    if not isinstance(name, str) or not name or manifest is None:
        return None
    found = files_of(manifest.sources, name)
    # Of several, none: the wrong one would look like the right one.
    path = found[0] if len(found) == 1 else None
    # Only the endings of texts, because the window hands the file to the system to be opened.
    return path if path is not None and path.suffix.lower() in TEXT_SUFFIXES else None


def files_of(sources: Sequence[str], name: str) -> tuple[Path, ...]:
    """Find the files of the sources of a build that have a name, to read them again.

    name: The name of the file in the metadata of its documents.
    Returns: The paths, in the order in which they were read: two sources may have files of one name. None of them if
        all are gone or outside the sources.
    """
    return tuple(dict.fromkeys(filter(None, (_inside(Path(source), name) for source in sources))))


def _inside(source: Path, name: str) -> Path | None:
    try:
        # Resolved before they are compared: "..", and links, could lead out of the source.
        root = source.resolve(strict=True)
        path = (root if root.is_file() and root.name == name else root / name).resolve(strict=True)
    # Gone, a name that no file can have, or a circle of links.
    except (OSError, ValueError, RuntimeError):
        return None
    contained = path == root or root in path.parents
    return path if contained and path.is_file() else None
