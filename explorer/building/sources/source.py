"""The data of reading a build's sources: files, documents, options, and what was left out or changed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from explorer.core.files.encoding import BINARY, UNFIT, UNKNOWN
from explorer.core.files.json_text import spelled
from explorer.core.files.signatures import FOREIGN
from explorer.documents.read_settings import AS_USUAL, ReadSettings
from explorer.documents.skipped import NO_TEXT_LAYER, SKIPPED, UNOPENED
from explorer.i18n import counted, mark, tr
from explorer.text.special_tokens import AS_TOKENS

if TYPE_CHECKING:
    from explorer.building.sources.token_ids import TokenIds

# They are in every checkpoint and in the report, so their number is bounded; the counts are not.
MOST_PROBLEMS = 1_000

CUT = mark("files cut short (what came before the cut is kept)")
UNREADABLE = mark("files that cannot be read to their end")
PASSED_OVER = "folders that were passed over"
EXCLUDED = mark("files that were excluded")
SPECIAL = "hidden or special files"
MARKERS = mark("marker files of other programs")
NOT_INSTALLED = mark("files whose packages are not installed")
NO_COLUMN = "files without the text's column"
UNREAD = "folders and files that cannot be read"
UNREAD_FOLDERS = mark("folders that cannot be read")
NO_DOCUMENT = mark("files without a document")
NOTHING_READ = mark("files of which nothing could be read")
"""As well as their fault, which is one of the two kinds of files that are read in part."""
IN_ARCHIVES = mark("files in archives that are not read")
COPIES = mark("copies of other files")
COPIES_READ = mark("files that are copies of others")
TWICE = mark("rows of the metadata whose file has a row before")
NO_TEXT_ROWS = mark("rows of the metadata that name no file")
AS_METADATA = mark("tables read as metadata")
NO_DATA = mark("files of a data set that are not its data")
NO_FILE = "rows of the metadata without a file"
FILES_LEFT_OUT = (
    BINARY, UNKNOWN, FOREIGN, UNFIT, UNREAD, SPECIAL, MARKERS, NO_COLUMN, NO_DOCUMENT, NOTHING_READ, AS_METADATA,
    EXCLUDED, NOT_INSTALLED, IN_ARCHIVES, UNOPENED, NO_TEXT_LAYER, NO_DATA, COPIES,
)  # fmt: skip
"""Kinds of files of which nothing is read: every file is one of these, or a document of it is in the index."""
RECORDS_LEFT_OUT = ("bad lines", "bad rows", "bad objects", "bad documents", *SKIPPED)


def left_out(skipped: Mapping[str, int], kinds: Sequence[str]) -> int:
    """The number of cases of some kinds.

    kinds: Those that are added up.
    """
    return sum(skipped.get(kind, 0) for kind in kinds)


@dataclass(frozen=True)
class Tally:
    """What a build found, and what became of it: what is read and what is skipped add up to what was found.

    files_found: The files of the sources; None for records in memory.
    files_skipped: Those of which nothing was read; None for records in memory.
    documents_found: The documents, bad lines and rows included.
    documents_skipped: The lines and rows that could not be read.
    """

    files_found: int | None
    files_skipped: int | None
    documents_found: int
    documents_skipped: int

    @property
    def files_read(self) -> int | None:
        """Files with a document in the index; None for records in memory."""
        return None if self.files_found is None or self.files_skipped is None else self.files_found - self.files_skipped


def tally_of(files_found: int | None, documents: int, skipped: Mapping[str, int]) -> Tally:
    """Count what was found, from what was read and what was noted.

    files_found: The files of the sources; None for records in memory.
    skipped: What was left out or changed: cases by kind.
    """
    bad = left_out(skipped, RECORDS_LEFT_OUT)
    files = None if files_found is None else left_out(skipped, FILES_LEFT_OUT)
    return Tally(files_found, files, documents + bad, bad)


@dataclass(frozen=True)
class Problem:
    """Something that a build left out or changed.

    Attributes
    ----------
    path
        The file.
    place
        The line or row, counted from 1; 0 for the whole file.
    reason
        What is wrong.
    kind
        The group of reasons under which it is counted.
    """

    path: str
    place: int
    reason: str
    kind: str = ""


@dataclass
class ReadState:
    """Notes and progress of reading.

    bytes_done: Bytes of the sources as stored on disk that have been read.
    skipped: The number of cases per reason.
    problems: The first 1,000 of them, each with its place.
    """

    bytes_done: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)

    def note(self, kind: str, path: Path | str, place: int = 0, reason: str = "") -> None:
        """Count a reason for leaving something out, and keep the place.

        kind: The reason, in the words that are shown with its number.
        place: The line or record in it, counted from 1; 0 for the whole file.
        reason: What is wrong there; "" if `kind` is enough.

        Notes
        -----
        Only the first `MOST_PROBLEMS` places are kept; all are counted.
        """
        self.skipped[kind] += 1
        # The first ones, not a sample: the state of an interrupted build refers to them by their number.
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(str(path), place, reason or kind, kind))

    def note_each(self, kind: str, found: Counter[str], path: str, place: int) -> None:
        """Count things that a document contains, and keep the place where each of them occurs first."""
        known = {problem.reason for problem in self.problems if problem.kind == kind}
        for name, number in found.items():
            if name not in known:
                self.note(kind, path, place, name)
            self.skipped[kind] += number - (name not in known)


MOST_NOTICED = 20


def noticed(problems: Sequence[Problem]) -> dict[str, list[str]]:
    """What was left out or changed, by kind: at most 20 of each, as "file (reason)" or "file:line (reason)"."""
    found: dict[str, list[str]] = {}
    for problem in problems:
        of_kind = found.setdefault(problem.kind, [])
        if len(of_kind) < MOST_NOTICED:
            place = f"{Path(problem.path).name}:{problem.place}" if problem.place else Path(problem.path).name
            of_kind.append(place if problem.reason == problem.kind else f"{place} ({problem.reason})")
    return found


def noticed_lines(skipped: Mapping[str, int], names: Mapping[str, list[str]], most: int = 3) -> list[str]:
    """Write one line per kind of problem, with its number and the first few cases.

    skipped: How often each kind occurred.
    Returns: The lines in the order of `skipped`.

    Examples
    --------
    >>> noticed_lines({"binary files": 2}, {"binary files": ["a.bin", "b.bin"]}, most=1)
    ['binary files (2): a.bin; …']
    """
    lines = []
    for kind, number in skipped.items():
        told = names.get(kind, [])
        # The ellipsis is for all further cases that were counted, not only for those that were listed.
        shown = "; ".join(told[:most]) + ("; …" if number > most and told else "")
        lines.append(tr("{kind} ({number:,})", number=number, kind=tr(kind)) + (f": {shown}" if shown else ""))
    return lines


def found_lines(counts: Mapping[str, int | None]) -> list[str]:
    """Write what was found as what is read and what is skipped.

    counts: The numbers by the names of `Tally`; what is missing or None is unknown.
    Returns: A line each for files and documents, of those that are known.

    Examples
    --------
    >>> found_lines({"files_found": 5, "files_skipped": 1})
    ['5 files found: 4 read, 1 skipped']
    """
    lines = []
    for noun in ("file", "document"):
        found, skipped = counts.get(f"{noun}s_found"), counts.get(f"{noun}s_skipped")
        # Documents are counted above, unless some of them are missing.
        if found is not None and skipped is not None and (noun == "file" or skipped):
            whole = {"found": counted(noun, found), "read": found - skipped, "skipped": skipped}
            lines.append(tr("{found} found: {read:,} read, {skipped:,} skipped", **whole))
    return lines


@dataclass(frozen=True)
class KindCount:
    """The files of one kind.

    Attributes
    ----------
    kind
        Its name, of `explorer.documents.kinds`; "" for files whose beginning cannot be read.
    files
        The number of files.
    bytes
        Their size on disk.
    """

    kind: str
    files: int
    bytes: int

    @property
    def label(self) -> str:
        """The name of the kind for people."""
        # Imported here: the window needs the words of this module before it is shown, and no reader.
        from explorer.documents import kinds

        # An index of another version may have other kinds.
        known = {kind.name: tr(kind.label) for kind in kinds.KINDS}
        return known.get(self.kind, self.kind) if self.kind else tr("not recognized")


def count_kinds(files: Sequence[SourceFile]) -> tuple[KindCount, ...]:
    """Count files by kind, most frequent first."""
    counts: Counter[str] = Counter(file.kind for file in files)
    sizes: Counter[str] = Counter()
    for file in files:
        sizes[file.kind] += file.size
    return tuple(KindCount(kind, number, sizes[kind]) for kind, number in counts.most_common())


def made_lines(counts: Mapping[str, int | None], kinds: Mapping[str, int]) -> list[str]:
    """Write what was found, what became of it, and the files that were read by kind."""
    return [*found_lines(counts), *filter(None, [kinds_line(kinds)])]


def kinds_line(kinds: Mapping[str, int]) -> str:
    """Write how many files of each kind there are; "" if that is unknown.

    Examples
    --------
    >>> kinds_line({"text": 12, "jsonl": 1})
    'files by kind: plain text 12, JSON Lines 1'
    """
    shown = ", ".join(f"{KindCount(kind, number, 0).label} {number:,}" for kind, number in kinds.items())
    return tr("files by kind: {kinds}", kinds=shown) if shown else ""


@dataclass(frozen=True)
class ReadOptions:
    """How sources are read.

    text_field: Name or path (`a.b[0]`) of the text in records.
    skip_bad: Whether to leave bad documents and files out and count them.
    side: Further metadata of plain texts, by the path of the file.
    encoding: The character set of the texts, as of `explorer.core.files.encoding.decode_text`; "" to detect it.
    metadata_fields: The fields of records and of `side` that are kept; None for all.
    ids: What is known of token ids in the sources; None if only texts are read.
    reading: How files become texts.
    special_tokens: How special tokens in texts are encoded, which is counted.
    """

    text_field: str = "text"
    skip_bad: bool = False
    side: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    encoding: str = ""
    metadata_fields: Sequence[str] | None = None
    ids: TokenIds | None = None
    reading: ReadSettings = AS_USUAL
    special_tokens: str = AS_TOKENS

    def kept(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Those of a document's fields that become metadata."""
        if self.metadata_fields is None:
            return fields
        # In the order of the record, as without a choice.
        return {name: value for name, value in fields.items() if name in self.metadata_fields}


class FarFile(Protocol):
    """A file on another machine, which is read in parts."""

    @property
    def address(self) -> str:
        """Where it is."""
        ...

    @property
    def digest(self) -> str:
        """What is another text for another content; "" if that is unknown."""
        ...

    def open(self) -> IO[bytes]:
        """The file as a buffered stream that can be entered at any place."""
        ...


@dataclass(frozen=True)
class SourceFile:
    """A file to read.

    name: Its name in the metadata of its documents.
    changed: The time of its last change in nanoseconds.
    shown: Its name in messages; "" for its path.
    kind: The name of its kind, of `explorer.documents.kinds`; "" if that is not known yet.
    beginning: A digest of its first bytes without packing; b"" if they were not looked at.
    far: How it is read if it is on another machine; `path` is then its address, as a path spells it.
    inner: Its path in the archive at `path`; "" for a file of its own.
    entry: The number of its entry in the archive; within an archive in the archive, after the number of that one.
    """

    path: Path
    name: str
    size: int
    changed: int = 0
    shown: str = ""
    kind: str = ""
    beginning: bytes = b""
    far: FarFile | None = None
    inner: str = ""
    entry: tuple[int, ...] = ()

    @property
    def is_pipe(self) -> bool:
        """Whether this is a copy of what came through a pipe."""
        return bool(self.shown)

    @property
    def label(self) -> str:
        """The file as messages name it."""
        return spelled(self._with_inner(self.shown or (self.far.address if self.far is not None else str(self.path))))

    def open(self) -> IO[bytes]:
        """Open it, or the archive that it is in, for reading; raises OSError if that fails."""
        return self.path.open("rb") if self.far is None else self.far.open()

    @property
    def place(self) -> str:
        """Its path, within an archive after the path of the archive."""
        return self._with_inner(str(self.path))

    def _with_inner(self, path: str) -> str:
        return f"{path}/{self.inner}" if self.inner else path

    @property
    def stored_name(self) -> str:
        """Its last name, with the ending of a compression."""
        return self.inner.rpartition("/")[2] or self.path.name

    def is_as(self, found: os.stat_result) -> bool:
        """Whether the file on the disk, which may be the archive, is still as it was listed."""
        return found.st_mtime_ns == self.changed and (bool(self.inner) or found.st_size == self.size)
