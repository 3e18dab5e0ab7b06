"""What a build left out or changed, row by row, with what can be done about it. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.building.source import CUT, PASSED_OVER, UNREADABLE
from explorer.files.encoding import BINARY, UNKNOWN
from explorer.i18n import counted, mark, tr

if TYPE_CHECKING:
    from explorer.building.source import Problem

LINES = ("bad lines", "bad rows", "bad objects")
UNREAD = "folders and files that cannot be read"
_OF_FILES = (BINARY, UNKNOWN, UNREAD, "files without the text's column")
_IN_PART = (CUT, UNREADABLE)
_HIDDEN = "hidden or special files"

# The keys are the kinds that builds write to their reports, the same in every language.
_SHORT = {
    BINARY: mark("not a text"),
    UNKNOWN: mark("unknown encoding"),
    UNREAD: mark("cannot be read"),
    PASSED_OVER: mark("passed over"),
    _HIDDEN: mark("hidden or special"),
    CUT: mark("cut short"),
    UNREADABLE: mark("damaged"),
    "bad lines": mark("bad line"),
    "bad rows": mark("bad row"),
    "bad objects": mark("bad object"),
    "files without the text's column": mark("no such column"),
    "JSON files read as plain text": mark("read as plain text"),
    "files read without their markup (HTML, XML)": mark("markup removed"),
    "files with bytes that are not UTF-8 (replaced)": mark("bytes replaced"),
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

    Attributes
    ----------
    path
        The file.
    line
        The line or row, counted from 1; 0 for the whole file.
    where
        The file's name, with the line.
    reason
        Why, in two or three words.
    detail
        More about it.
    left_out
        Whether it is missing in the index; otherwise it was only changed.
    kind
        The group of reasons, as in the report of the build.
    """

    path: Path
    line: int
    where: str
    reason: str
    detail: str
    left_out: bool
    kind: str = ""

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

    Parameters
    ----------
    problems
        The problems, in the order of the sources.

    Returns
    -------
    tuple[ProblemRow, ...]
        One row for each.
    """
    # A sort keeps the order of equals: each half stays in the order of the sources.
    return tuple(sorted(map(_row, problems), key=lambda row: not row.left_out))


def _row(problem: Problem) -> ProblemRow:
    path = Path(problem.path)
    where = tr("{name}, line {line:,}", name=path.name, line=problem.place) if problem.place else path.name
    short = tr(_SHORT[problem.kind]) if problem.kind in _SHORT else tr(problem.kind)
    return ProblemRow(
        path, problem.place, where, short, _detail(problem, path), is_left_out(problem.kind), problem.kind
    )


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
    return kind in (*LINES, *_OF_FILES, *_IN_PART, PASSED_OVER, _HIDDEN)


def left_out_title(skipped: Mapping[str, int]) -> str:
    """How much was left out or changed, in a few words.

    Parameters
    ----------
    skipped
        The number of cases by kind.

    Returns
    -------
    str
        The words; "" if there is nothing.
    """
    if not skipped:
        return ""
    units = {
        "file": sum(skipped.get(kind, 0) for kind in (*_OF_FILES, *_IN_PART, _HIDDEN)),
        "folder": skipped.get(PASSED_OVER, 0),
        "line": sum(skipped.get(kind, 0) for kind in LINES),
    }
    missing = [counted(unit, count) for unit, count in units.items() if count]
    changed = sum(count for kind, count in skipped.items() if not is_left_out(kind))
    if not missing:
        return tr("Changed while reading: {files}", files=counted("file", changed))
    title = tr("Left out: {things}", things=", ".join(missing))
    note = tr("changed: {files}", files=counted("file", changed))
    return f"{title}  ·  {note}" if changed else title
