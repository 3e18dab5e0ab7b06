"""What a build left out or changed, row by row, with what can be done about it. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.building.sources.source import (
    AS_METADATA,
    COPIES,
    COPIES_READ,
    CUT,
    EXCLUDED,
    FILES_LEFT_OUT,
    MARKERS,
    NO_COLUMN,
    NO_DOCUMENT,
    NO_FILE,
    NO_TEXT_ROWS,
    NOT_INSTALLED,
    NOTHING_READ,
    PASSED_OVER,
    RECORDS_LEFT_OUT,
    SPECIAL,
    TWICE,
    UNREAD,
    UNREAD_FOLDERS,
    UNREADABLE,
    left_out,
)
from explorer.core.files.encoding import BINARY, BYTES_REPLACED, UNFIT, UNKNOWN, WITH_NULLS, WRONG_DECLARATION
from explorer.core.files.signatures import FOREIGN
from explorer.i18n import counted, mark, tr, trn
from explorer.documents.skipped import NO_TEXT_LAYER, UNOPENED

if TYPE_CHECKING:
    from explorer.building.sources.source import Problem

_IN_PART = (CUT, UNREADABLE)
_ROWS = (NO_FILE, TWICE, NO_TEXT_ROWS)

# The keys are the kinds that builds write to their reports, the same in every language.
_SHORT = {
    BINARY: mark("not a text"),
    UNKNOWN: mark("unknown encoding"),
    UNREAD: mark("cannot be read"),
    PASSED_OVER: mark("passed over"),
    SPECIAL: mark("hidden or special"),
    FOREIGN: mark("another format"),
    UNFIT: mark("another character set"),
    UNREAD_FOLDERS: mark("cannot be read"),
    MARKERS: mark("marker file"),
    NO_DOCUMENT: mark("no document"),
    NOTHING_READ: mark("nothing read"),
    AS_METADATA: mark("read as metadata"),
    EXCLUDED: mark("excluded"),
    NO_FILE: mark("row without a file"),
    TWICE: mark("second row of a file"),
    NO_TEXT_ROWS: mark("row without a file"),
    COPIES: mark("copy"),
    COPIES_READ: mark("copy, read as well"),
    WITH_NULLS: mark("null bytes kept"),
    WRONG_DECLARATION: mark("wrong declaration"),
    CUT: mark("cut short"),
    UNREADABLE: mark("damaged"),
    "bad lines": mark("bad line"),
    "bad rows": mark("bad row"),
    "bad objects": mark("bad object"),
    "bad documents": mark("bad document"),
    NO_COLUMN: mark("no such column"),
    NOT_INSTALLED: mark("package missing"),
    UNOPENED: mark("cannot be opened"),
    NO_TEXT_LAYER: mark("no text layer"),
    "documents with pages without a text layer": mark("pages without text"),
    "documents with damaged pages": mark("damaged pages"),
    "sheets without the text's column": mark("another sheet"),
    "JSON files read as plain text": mark("read as plain text"),
    "files read without their markup (HTML, XML)": mark("markup removed"),
    BYTES_REPLACED: mark("bytes replaced"),
    "files without a row in the metadata": mark("no metadata"),
    "files that changed since the build began": mark("changed meanwhile"),
    "files that vanished after they were read": mark("vanished"),
}
"""A kind of problem in two or three words; "files read as ENCODING" keep theirs."""

_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".tif", ".tiff", ".bmp", ".ico", ".heic")
_OFFICE = (".docx", ".doc", ".odt", ".rtf", ".pages", ".pdf", ".epub", ".mobi", ".pptx", ".xlsx", ".xls", ".ods")
_SOUND = (".mp3", ".wav", ".flac", ".ogg", ".m4a", ".mp4", ".mkv", ".avi", ".mov", ".webm")
_ARCHIVES = (".zip", ".tar", ".7z", ".rar", ".tgz")
_WHAT_IT_IS = (
    (_PICTURES, mark("A picture holds no text")),
    (_OFFICE, mark("Save it as plain text or Markdown")),
    (_SOUND, mark("Sound and film hold no text")),
    (_ARCHIVES, mark("Unpack it first")),
)


@dataclass(frozen=True)
class ProblemRow:
    """One thing that was left out or changed.

    line: The line or row, counted from 1; 0 for the whole file.
    where: The file's name, with the line.
    reason: Why, in two or three words.
    left_out: Whether it is missing in the index; otherwise it was only changed.
    kind: The group of reasons, as in the report of the build.
    command: The command that installs what is missing; "" if nothing is.
    """

    path: Path
    line: int
    where: str
    reason: str
    detail: str
    left_out: bool
    kind: str = ""
    command: str = ""

    @property
    def can_show_line(self) -> bool:
        """Whether there is a line to look at."""
        return self.line > 0

    @property
    def can_read_as(self) -> bool:
        """Whether it may be a text in an encoding that was not detected."""
        return not self.line and self.kind in (BINARY, UNKNOWN) and not _what_it_is(self.path)


def problem_rows(problems: Sequence[Problem]) -> tuple[ProblemRow, ...]:
    """Describe what was left out or changed; what is missing comes first.

    problems: The problems, in the order of the sources.
    """
    # A sort keeps the order of equals: each half stays in the order of the sources.
    return tuple(sorted(map(_row, problems), key=lambda row: not row.left_out))


def _row(problem: Problem) -> ProblemRow:
    path = Path(problem.path)
    where = tr("{name}, line {line:,}", name=path.name, line=problem.place) if problem.place else path.name
    short = tr(_SHORT[problem.kind]) if problem.kind in _SHORT else tr(problem.kind)
    missing, detail = is_left_out(problem.kind), _detail(problem, path)
    command = "".join(commands_of([problem])[:1]) if problem.kind == NOT_INSTALLED else ""
    return ProblemRow(path, problem.place, where, short, detail, missing, problem.kind, command)


def commands_of(problems: Sequence[Problem]) -> tuple[str, ...]:
    """The commands that install what some files need to be read, each once."""
    reasons = dict.fromkeys(problem.reason for problem in problems if problem.kind == NOT_INSTALLED)
    if not reasons:
        return ()
    from explorer.documents.kinds import KINDS

    # Found in the reasons, which may be in another language: they were written by the build.
    commands = dict.fromkeys(kind.command for kind in KINDS if kind.extra)
    return tuple(command for command in commands if any(command in reason for reason in reasons))


def _detail(problem: Problem, path: Path) -> str:
    if problem.kind == BINARY and (sentence := _what_it_is(path)):
        return tr(sentence)
    detail = tr(problem.reason) if problem.reason != problem.kind else ""
    return detail[:1].upper() + detail[1:]


def _what_it_is(path: Path) -> str:
    """What to know of a file that is not text, by the ending of its name; "" for nothing."""
    return next((sentence for endings, sentence in _WHAT_IT_IS if path.suffix.lower() in endings), "")


def is_left_out(kind: str) -> bool:
    """Whether things of this kind are missing in the index, as a whole or in part."""
    return kind in (*RECORDS_LEFT_OUT, *FILES_LEFT_OUT, *_IN_PART, PASSED_OVER, UNREAD_FOLDERS)


def left_out_title(skipped: Mapping[str, int]) -> str:
    """How much was left out or changed, in a few words.

    skipped: The number of cases by kind.
    Returns: The words; "" if there is nothing.
    """
    if not skipped:
        return ""
    units = {
        # A file of which nothing could be read is among those that are read in part, too.
        "file": left_out(skipped, (*FILES_LEFT_OUT, *_IN_PART)) - skipped.get(NOTHING_READ, 0),
        "folder": left_out(skipped, (PASSED_OVER, UNREAD_FOLDERS)),
        "line": left_out(skipped, RECORDS_LEFT_OUT),
    }
    missing = [counted(unit, count) for unit, count in units.items() if count]
    # They change nothing: the table has more rows than there are files.
    rows = left_out(skipped, _ROWS)
    copies = skipped.get(COPIES_READ, 0)
    changed = sum(count for kind, count in skipped.items() if not is_left_out(kind)) - rows - copies
    parts = [tr("Skipped: {things}", things=", ".join(missing))] if missing else []
    if changed:
        files = counted("file", changed)
        parts.append(
            tr("changed: {files}", files=files) if parts else tr("Changed while reading: {files}", files=files)
        )
    if copies:
        parts.append(trn("{n:,} file is a copy of another", "{n:,} files are copies of others", copies))
    if rows:
        parts.append(trn("{n:,} row of the metadata is not used", "{n:,} rows of the metadata are not used", rows))
    return "  ·  ".join(parts)
