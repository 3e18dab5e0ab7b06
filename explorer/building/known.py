"""Which files an index was made of, so that the same file is not added twice without notice.

The report of a build lists each file with its path, its size, and a digest of its content: of large files, of pieces
spread over them, which costs little. A file is known if a file with this content, or at this path, is listed.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from explorer.building.moment import is_reproducible
from explorer.building.source import SourceFile
from explorer.errors import BuildError
from explorer.files.json_text import spelled
from explorer.i18n import counted, mark, tr
from explorer.index.layout import REPORT_NAME
from explorer.index.manifest import Manifest
from explorer.jobs import CancelToken

MOST_FILES = 200_000
"""Files that a report lists: of more, only their sources and the time of the build are known."""
_WHOLE = 1 << 20
_PIECES, _PIECE = 16, 1 << 16
_SHOWN = 3


def digest_of(path: Path, size: int) -> str:
    """A digest of a file's content; "" if it cannot be read.

    Parameters
    ----------
    path
        The file.
    size
        Its bytes.

    Returns
    -------
    str
        Of a large file, the digest of pieces that are spread over it; "" if it cannot be read.
    """
    found = hashlib.blake2b(str(size).encode(), digest_size=16)
    try:
        with open(path, "rb") as file:
            if size <= _WHOLE:
                found.update(file.read())
            else:
                for number in range(_PIECES):
                    file.seek((size - _PIECE) * number // (_PIECES - 1))
                    found.update(file.read(_PIECE))
    except OSError:
        return ""
    return found.hexdigest()


def _place_of(file: SourceFile) -> str:
    """Where a file is, as reports list it."""
    return spelled(file.label if file.far is not None else os.path.abspath(file.place))  # noqa: PTH100


def digest_of_source(file: SourceFile) -> str:
    """A digest of the content of a file of a build; "" if it cannot be read.

    Parameters
    ----------
    file
        The file. The digest of one in an archive is made of the archive's content and of the place in it, so it is not
        the digest of the same file outside of the archive.

    Returns
    -------
    str
        The digest; "" if the file cannot be read.
    """
    if not file.inner:
        return file.far.digest if file.far is not None else digest_of(file.path, file.size)
    whole = file.far.digest if file.far is not None else _digest_of_archive(file.path, file.changed)
    found = hashlib.blake2b(f"{whole} {file.entry}".encode(), digest_size=16)
    return found.hexdigest() if whole else ""


@functools.lru_cache(maxsize=4)
def _digest_of_archive(path: Path, changed: int) -> str:
    """Asked for with every file in the archive; `changed`: since a file of this path may have been replaced."""
    try:
        return digest_of(path, path.stat().st_size)
    except OSError:
        return ""


def listed_files(files: Sequence[SourceFile], cancel: CancelToken | None = None) -> list[list[Any]]:
    """The files as a report lists them: path, size and digest of each; none of too many.

    Parameters
    ----------
    files
        The files of a build.
    cancel
        Stops the reading.

    Returns
    -------
    list[list[Any]]
        Path, size and digest of each; none of more than `MOST_FILES`.
    """
    if len(files) > MOST_FILES:
        return []
    listed = []
    for file in files:
        if cancel is not None:
            cancel.check()
        # The same sources must give the same report, wherever they are.
        path = spelled(file.name) if file.is_pipe or is_reproducible() else _place_of(file)
        listed.append([path, file.size, digest_of_source(file)])
    return listed


def known_files(folder: Path) -> list[list[Any]]:
    """The files that the reports of an index list.

    Parameters
    ----------
    folder
        The index.

    Returns
    -------
    list[list[Any]]
        Path, size and digest of each.
    """
    found: list[list[Any]] = []
    for report in (folder / REPORT_NAME, *sorted(folder.glob("report.*.json"))):
        try:
            listed = json.loads(report.read_text(encoding="utf-8")).get("files")
        except (OSError, ValueError, AttributeError, RecursionError):
            continue
        found += [each for each in listed or () if _is_listed(each)]
    return found


def _is_listed(each: Any) -> bool:
    return isinstance(each, list) and len(each) == 3 and isinstance(each[0], str) and isinstance(each[2], str)


@dataclass(frozen=True)
class _Known:
    """What an index has: the digests with a path, the paths with their digest, its sources and its last change."""

    digests: dict[str, str]
    paths: dict[str, str]
    sources: tuple[str, ...]
    changed: float

    def why(self, file: SourceFile) -> str | None:
        """What to know of a file that is in the index, "" for nothing; None for a file that is not."""
        path = _place_of(file)
        if not self.paths:
            # An index without such a list: what is in its sources, and older than it, was read.
            inside = any(path == source or path.startswith(source.rstrip(os.sep) + os.sep) for source in self.sources)
            return "" if inside and not file.is_pipe and file.changed / 1e9 <= self.changed else None
        digest = digest_of_source(file) if file.size else ""
        if digest in self.digests:
            other = self.digests[digest]
            return "" if other == path else tr("the same content as {path}", path=other)
        if path in self.paths and not file.is_pipe:
            return "" if self.paths[path] == digest else tr("its content has changed since")
        return None


def _known_of(folder: Path, manifest: Manifest) -> _Known:
    listed = known_files(folder)
    sources = tuple(os.path.abspath(source) for source in manifest.sources)  # noqa: PTH100
    return _Known(
        {digest: path for path, size, digest in listed if size and digest},
        {path: digest for path, _, digest in listed},
        sources,
        _moment(manifest.changed or manifest.created),
    )


def _moment(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0.0


def refuse_known(folder: Path, manifest: Manifest, files: Sequence[SourceFile]) -> None:
    """Refuse files that are in an index already.

    Parameters
    ----------
    folder
        The index.
    manifest
        Its manifest.
    files
        The files that are to be added.

    Raises
    ------
    BuildError
        If some are: it names the first of them, and why.
    """
    known = _known_of(folder, manifest)
    found = [(file.label, why) for file in files if (why := known.why(file)) is not None]
    if not found:
        return
    names = [f"{name} ({why})" if why else name for name, why in found[:_SHOWN]]
    raise BuildError(
        mark("{path} already contains {number} of {files}: {names}."),
        reason="already-added",
        option="again",
        path=folder,
        number=f"{len(found):,}",
        files=counted("file", len(files)),
        names=", ".join([*names, *(["…"] if len(found) > _SHOWN else [])]),
    )
