"""Which files an index was made of, and what became of each; so the same file is not added twice without notice.

The report of a build lists each file with its path, its size, and a digest of its content: of large files, of pieces
spread over them, which costs little. A file is known if a file with this content, or at this path, is listed. Kind and
number of documents follow; the files of which nothing was read are listed with their reasons.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from explorer.building.moment import is_reproducible
from explorer.building.sources.source import CUT, FILES_LEFT_OUT, NOTHING_READ, UNREADABLE, Problem, SourceFile
from explorer.core.files.json_text import spelled
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError
from explorer.i18n import counted, mark, tr
from explorer.index.layout import REPORT_NAME
from explorer.index.manifest import Manifest

MOST_FILES = 200_000
"""Files that a report lists: of more, only their sources and the time of the build are known."""
_WHOLE = 1 << 20
_PIECES, _PIECE = 16, 1 << 16
_SHOWN = 3


def digest_of(path: Path, size: int) -> str:
    """A digest of a file's content; "" if it cannot be read.

    Returns: Of a large file, the digest of pieces that are spread over it; "" if it cannot be read.
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

    file: The file. The digest of one in an archive is made of the archive's content and of the place in it, so it is
        not the digest of the same file outside of the archive.
    Returns: The digest; "" if the file cannot be read.
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


def listed_files(
    files: Sequence[SourceFile], cancel: CancelToken | None = None, documents: Mapping[str, int] | None = None
) -> list[list[Any]]:
    """The files as a report lists them: path, size, digest, kind and documents of each; none of too many.

    documents: The number of documents by the name of their file.
    Returns: Path, size, digest, kind and number of documents of each; none of more than `MOST_FILES`. The number is
        None for files that share their name with another one, and if it was not counted.
    """
    names = Counter(file.name for file in files)
    if len(files) > MOST_FILES:
        return []
    listed = []
    for file in files:
        if cancel is not None:
            cancel.check()
        number = (documents or {}).get(file.name) if names[file.name] == 1 else None
        listed.append([_listed_path(file), file.size, digest_of_source(file), file.kind, number])
    return listed


def _listed_path(file: SourceFile) -> str:
    # The same sources must give the same report, wherever they are.
    return spelled(file.name) if file.is_pipe or is_reproducible() else _place_of(file)


def skipped_files(files: Sequence[SourceFile], problems: Sequence[Problem]) -> list[list[str]]:
    """The files of which nothing was read, as a report lists them: path, kind of reason and reason of each.

    problems: What was noted, which is at most 1,000 things.
    """
    found = [problem for problem in problems if problem.kind in FILES_LEFT_OUT]
    paths = {file.label: _listed_path(file) for file in files} if found else {}
    # What is wrong with a file of which nothing could be read is a note of its own.
    faults = {each.path: each.reason for each in problems if each.kind in (CUT, UNREADABLE)}
    return [
        [
            paths.get(each.path, each.path),
            each.kind,
            faults.get(each.path, each.reason) if each.kind == NOTHING_READ else each.reason,
        ]
        for each in found
    ]


@dataclass(frozen=True)
class Fate:
    """What became of a file of the sources.

    kind: The name of its kind, of `explorer.documents.kinds`; "" if that is not recorded.
    size: Its bytes; None if that is not recorded.
    documents: The number of its documents; None if it is not known.
    skipped: The kind of reason why nothing of it was read; "" for a file that was read.
    """

    path: str
    kind: str = ""
    size: int | None = None
    documents: int | None = None
    skipped: str = ""
    reason: str = ""


def fates_of(folder: Path) -> list[Fate]:
    """What became of each file of an index, as far as its reports list it.

    Returns: The files that were read, in order, and after those of each build the ones that were skipped, of which a
        report lists at most 1,000.
    """
    found: list[Fate] = []
    for report in _reports(folder):
        skipped = _skipped(report)
        whole = {path for path, _, _ in skipped}
        for row in filter(_is_listed, _rows(report, "files")):
            path, size, _, kind, documents = (*row, "", None)[:5] if len(row) == 3 else row[:5]
            if path not in whole:
                found.append(Fate(path, str(kind), size, documents if isinstance(documents, int) else None))
        found += [Fate(path, skipped=kind, reason=reason, documents=0) for path, kind, reason in skipped]
    return found


def known_files(folder: Path) -> list[list[Any]]:
    """The files that the reports of an index list.

    Returns: Path, size and digest of each, and what else `listed_files` gives.
    """
    return [each for report in _reports(folder) for each in _rows(report, "files") if _is_listed(each)]


def known_skipped(folder: Path) -> list[list[str]]:
    """The files of which nothing was read that the reports of an index list: path, kind of reason and reason."""
    return [each for report in _reports(folder) for each in _skipped(report)]


def _skipped(report: dict[str, Any]) -> list[list[str]]:
    return [each for each in _rows(report, "skipped") if len(each) == 3 and all(isinstance(cell, str) for cell in each)]


def _reports(folder: Path) -> Iterator[dict[str, Any]]:
    """The reports of an index, first the one of its build, then those of what was added; damaged ones are left out."""
    added = sorted(folder.glob("report.*.json"), key=lambda path: (len(path.name), path.name))
    for path in (folder / REPORT_NAME, *added):
        try:
            report = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(report, dict):
            yield report


def _rows(report: dict[str, Any], name: str) -> list[list[Any]]:
    listed = report.get(name)
    return [each for each in listed if isinstance(each, list)] if isinstance(listed, list) else []


def _is_listed(each: Any) -> bool:
    """Whether this is a row of a report; those of version 0.2 have three cells."""
    return isinstance(each, list) and len(each) in (3, 5) and isinstance(each[0], str) and isinstance(each[2], str)


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
        {digest: path for path, size, digest, *_ in listed if size and digest},
        {path: digest for path, _, digest, *_ in listed},
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

    Raises `BuildError` if some are: it names the first of them, and why.
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
