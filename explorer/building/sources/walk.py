"""Which files the sources of a build are: folders are walked, pipes copied, and files that are not text left out and
noted."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import IO

from explorer.building.sources.archived import archive_files
from explorer.building.sources.markers import MARKER_FOLDERS, is_marker
from explorer.building.sources.source import (
    EXCLUDED,
    MARKERS,
    NOT_INSTALLED,
    PASSED_OVER,
    SPECIAL,
    UNREAD,
    UNREAD_FOLDERS,
    ReadState,
    SourceFile,
)
from explorer.core.files.encoding import BINARY, NotTextError, UnfitError
from explorer.core.files.json_text import spelled
from explorer.core.files.paths import exists, is_file, is_folder
from explorer.core.files.streams import BrokenStreamError, inner_name, unpacked
from explorer.documents.content import PEEKED, Content
from explorer.documents.ids.megatron import index_of
from explorer.documents.ids.token_ids import BARE_ENDING
from explorer.documents.kind import Kind
from explorer.documents.kinds import checked_kind, kind_by_name, kind_named
from explorer.errors import SourceError
from explorer.http.wire.hub import is_hub
from explorer.i18n import mark, tr

STANDARD_INPUT = "-"
_IDS = kind_named("ids").name
_INDEX_PARTS = ("tokenized.0", "fm.0")


def list_files(
    sources: Sequence[Path],
    state: ReadState,
    skip_bad: bool = False,
    again: bool = False,
    encoding: str = "",
    exclude: Sequence[str] = (),
    ids: str = "",
) -> list[SourceFile]:
    """List every file of the sources; folders are walked in sorted order.

    sources: Files, folders, data sets of the hub, and pipes (a FIFO, /dev/stdin, "-" for standard input). A pipe can be
        read only once, so it is copied to a temporary file that lasts as long as the process.
    state: Receives a note with the reason for everything that is left out.
    skip_bad: Whether to note files and folders that cannot be read, instead of raising.
    again: Whether the next call for the same pipe gets its copy.
    encoding: The character set of the texts, as of `decode_text`; "" to detect it.
    exclude: Paths of files that are left out.
    ids: The type of token ids in files that do not state it; "" leaves such files out.
    Returns: The files in the order in which they are read.
    Raises `SourceError` if a source does not exist, if all files are left out, or if one cannot be read and not
        `skip_bad`.
    """
    files: list[SourceFile] = []
    for source in sources:
        if str(source) == STANDARD_INPUT or _is_pipe(source):
            files += _if_text(_copied(source, again), state, skip_bad, encoding)
        elif is_hub(source):
            # Imported here: few builds need the hub.
            from explorer.building.sources.hub_sources import hub_files

            for file in hub_files(source, state):
                files += _if_text(file, state, skip_bad, encoding)
        elif is_file(source):
            files += files_at(source, source.name, state, skip_bad, encoding)
        elif is_folder(source):
            refuse_index(source)
            files += _walk(source, state, skip_bad, encoding)
        else:
            raise _no_source(source)
    kept = [file for file in files if str(file.path) not in exclude]
    for file in files if len(kept) < len(files) else ():
        if str(file.path) in exclude:
            state.note(EXCLUDED, file.label)
    kept = list(with_known_ids(kept, state, ids))
    if not kept and state.problems:
        raise _no_text(sources, state)
    return kept


def with_known_ids(files: Sequence[SourceFile], state: ReadState, type: str) -> Iterator[SourceFile]:
    """The files, without `.bin` files of which nothing states what they are.

    state: Receives a note about each of the others.
    type: The type of the ids in `.bin` files that the request states; "" for none.
    """
    for file in files:
        if inner_name(file.name).endswith(BARE_ENDING) and (type or index_of(file.path) is not None):
            # Numbers may look like text, in a short file.
            yield replace(file, kind=_IDS)
        elif file.kind == _IDS and inner_name(file.name).endswith(BARE_ENDING):
            state.note(BINARY, file.label, reason=tr("this may be token ids: state their type, such as uint16"))
        else:
            yield file


def _no_text(sources: Sequence[Path], state: ReadState) -> SourceError:
    first = state.problems[0]
    return SourceError(
        mark("There is no text to index in {sources}: everything was left out, for example {path} ({cause})."),
        reason="no-text",
        sources=", ".join(map(str, sources)),
        path=first.path,
        cause=first.reason,
    )


def _no_source(source: Path) -> SourceError:
    if exists(source):
        return SourceError(mark("{path} is a device."), reason="a-device", path=source)
    return SourceError(mark("{path} does not exist."), reason="no-source", path=source)


def source_file(path: Path, name: str) -> SourceFile:
    """Describe a file as it is now.

    Returns: The path, the name, the size in bytes and the time of the last change in nanoseconds.
    Raises `OSError` if the file cannot be read.
    """
    found = path.stat()
    return SourceFile(path, name, found.st_size, found.st_mtime_ns)


def _walk(folder: Path, state: ReadState, skip_bad: bool, encoding: str) -> Iterator[SourceFile]:
    def refuse(error: OSError, kind: str = UNREAD_FOLDERS) -> None:
        if not skip_bad:
            raise _unreadable(error) from error
        state.note(kind, spelled(error.filename), reason=str(error.strerror))

    for root, folders, names in os.walk(folder, onerror=refuse):
        # In place: `os.walk` enters the folders that are left, in this order. Links to folders are not followed, since
        # they may lead in a circle.
        folders[:] = sorted(name for name in folders if not _is_passed_over(Path(root) / name, state))
        for name in sorted(names):
            path = Path(root) / name
            # Asked here, since opening it would end the whole walk. Without `skip_bad`, that is what opening it should
            # do.
            if skip_bad and path.is_file() and not os.access(path, os.R_OK):
                refuse(PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path)), UNREAD)
            elif reason := _why_special(path):
                state.note(SPECIAL, spelled(str(path)), reason=reason)
            else:
                yield from files_at(path, path.relative_to(folder).as_posix(), state, skip_bad, encoding)


def files_at(path: Path, name: str, state: ReadState, skip_bad: bool, encoding: str) -> Iterator[SourceFile]:
    """List a file, or the files in it if it is an archive, unless it cannot be read.

    state: Receives a note with the reason if it is skipped.
    skip_bad: Whether a damaged archive is noted, instead of raising.
    encoding: The character set of the texts, as of `decode_text`.
    Raises `SourceError` if it cannot be read, and not `skip_bad`.
    """
    if is_marker(path.name):
        state.note(MARKERS, spelled(str(path)))
        return
    yield from _if_text(source_file(path, name), state, skip_bad, encoding)


def is_index(folder: Path) -> bool:
    """Whether a folder is an index, of this program or of infini-gram.

    Returns: Whether it has the first file of a shard.
    """
    return any(is_file(folder / name) for name in _INDEX_PARTS)


def refuse_index(folder: Path) -> None:
    """Raise SourceError for a folder that is an index: its files are not documents."""
    if is_index(folder):
        raise SourceError(
            mark("{path} is an index: indexes are merged, and their files are not documents."),
            reason="index-is-no-source",
            path=folder,
        )


def _unreadable(error: OSError) -> SourceError:
    return SourceError(
        mark("{path} cannot be read: {cause}."),
        reason="unreadable",
        path=spelled(str(error.filename)),
        cause=error.strerror,
    )


def _is_passed_over(folder: Path, state: ReadState) -> bool:
    """Whether a folder inside a source is skipped; if so, this is noted."""
    reason = ""
    if folder.is_symlink():
        reason = tr("a link to another folder; to include it, name that folder as a source")
    elif folder.name.startswith("."):
        reason = tr("hidden: its name begins with a dot")
    elif folder.name in MARKER_FOLDERS:
        reason = tr("written by {program}", program=MARKER_FOLDERS[folder.name])
    elif is_index(folder):
        reason = tr("an index; to join its documents with others, merge the indexes")
    if reason:
        state.note(PASSED_OVER, spelled(str(folder)), reason=reason)
    return bool(reason)


def _why_special(path: Path) -> str:
    """Why a file of a folder is skipped; "" if it is not."""
    if path.name.startswith("."):
        return tr("hidden: its name begins with a dot")
    if path.is_file():
        return ""
    return tr("a broken link") if path.is_symlink() and not exists(path) else tr("not a regular file")


def _if_text(file: SourceFile, state: ReadState, skip_bad: bool, encoding: str) -> Iterator[SourceFile]:
    """The file with its kind, unless its beginning shows that it cannot be read; of an archive, the files in it."""
    try:
        head = _beginning(file)
    except OSError as error:
        raise _unreadable(error) from error
    except BrokenStreamError:
        yield file  # reading it reports what is wrong
        return
    for found in _recognized(file, head, state, skip_bad, encoding):
        if kind_named(found.kind).opens is None:
            yield found
            continue
        for member, beginning in archive_files(found, state, skip_bad):
            yield from _recognized(member, beginning, state, skip_bad, encoding)


def _recognized(file: SourceFile, head: bytes, state: ReadState, skip_bad: bool, encoding: str) -> Iterator[SourceFile]:
    """The file with its kind, by its first bytes, unless these show that it cannot be read."""
    name = inner_name(file.name)
    try:
        kind = checked_kind(head, name, encoding, file.is_pipe and not file.inner)
        _check(file, kind)
    except NotTextError as error:
        note_not_text(file, error, state, skip_bad)
    else:
        if kind.is_installed:
            yield replace(file, kind=kind.name, beginning=blake2b(head, digest_size=8).digest())
        else:
            state.note(NOT_INSTALLED, file.label, reason=kind.why_not)


def _check(file: SourceFile, kind: Kind) -> None:
    """Raise NotTextError for a file that cannot be read; in an archive or elsewhere, reading it shows that."""
    if kind.check is None or file.inner or file.far is not None:
        return
    with file.open() as raw:
        stream = unpacked(raw, file.stored_name)
        kind.check(Content(inner_name(file.name), file.label, raw, stream, file.path, file.size))


def note_not_text(file: SourceFile, error: NotTextError, state: ReadState, skip_bad: bool) -> None:
    """Note a file that is left out, or stop at one whose character set is declared wrongly.

    error: Why it is not text.
    skip_bad: Whether such files are left out.
    Raises `SourceError` if the file is not in the character set that was declared, and not `skip_bad`.
    """
    if isinstance(error, UnfitError) and not skip_bad:
        raise SourceError(
            mark("{path} cannot be decoded: {cause}."),
            reason="unfit-encoding",
            option="skip_bad",
            path=file.label,
            cause=error,
        ) from error
    state.note(error.kind, file.label, reason=str(error))


def _beginning(file: SourceFile) -> bytes:
    named = kind_by_name(inner_name(file.name)) if file.far is not None else None
    if named is not None and not named.is_checked:
        return b""  # thousands of files elsewhere would be thousands of requests, and reading shows what is wrong
    with file.open() as raw:
        return unpacked(raw, file.path.name).read(PEEKED)


def _is_pipe(path: Path) -> bool:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - Path's own method raises for names that no file can have
    except (OSError, ValueError):
        return False
    # A socket: standard input of a service or of a remote shell.
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


_waiting: dict[str, SourceFile] = {}
"""Copies of pipes that will be asked for again."""


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    # The object is kept by the cache until the process ends, and then removes the folder with all copies in it.
    return tempfile.TemporaryDirectory(prefix="corpus-explorer-")


def _copied(source: Path, again: bool) -> SourceFile:
    """A pipe as a file."""
    # The second reading of a pipe would find nothing: after an estimate, the build gets the same copy.
    file = _waiting.pop(str(source), None) or _copy(source)
    if again:
        _waiting[str(source)] = file
    return file


def _copy(source: Path) -> SourceFile:
    is_stdin = str(source) == STANDARD_INPUT
    shown = tr("standard input") if is_stdin else str(source)
    try:
        # With the ending of the pipe's name, which shows the format of what comes out of it.
        with tempfile.NamedTemporaryFile(dir=_folder().name, suffix=source.suffix, delete=False) as copy:
            if is_stdin:
                shutil.copyfileobj(_standard_input(), copy)
            else:
                with open(source, "rb") as pipe:
                    shutil.copyfileobj(pipe, copy)
    except OSError as error:
        raise SourceError(
            mark("{path} cannot be read: {cause}."), reason="unreadable", path=shown, cause=error.strerror or error
        ) from error
    made = source_file(Path(copy.name), "stdin" if is_stdin else str(source))
    return SourceFile(made.path, made.name, made.size, made.changed, shown)


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:
        raise SourceError(mark("Standard input is closed."), reason="no-standard-input")
    return sys.stdin.buffer
