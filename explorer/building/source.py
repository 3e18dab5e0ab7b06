"""The data of reading a build's sources: files, documents, options, and what was left out or changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer.files.json_text import spelled
from explorer.i18n import mark, tr

# They are in every checkpoint and in the report, so their number is bounded; the counts are not.
MOST_PROBLEMS = 1_000

CUT = mark("files cut short (what came before the cut is kept)")
UNREADABLE = mark("files that cannot be read to their end")
PASSED_OVER = "folders that were passed over"
WRONG_DECLARATION = mark("files that declare a wrong character set (read as UTF-8)")
WITH_NULLS = mark("files with null bytes (kept)")


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

    Attributes
    ----------
    bytes_done
        Bytes of the sources as stored on disk that have been read.
    skipped
        The number of cases per reason.
    problems
        The first 1,000 of them, each with its place.
    """

    bytes_done: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)

    def note(self, kind: str, path: Path | str, place: int = 0, reason: str = "") -> None:
        """Count a reason for leaving something out, and keep the place.

        Parameters
        ----------
        kind
            The reason, in the words that are shown with its number.
        path
            The file.
        place
            The line or record in it, counted from 1; 0 for the whole file.
        reason
            What is wrong there; "" if `kind` is enough.

        Notes
        -----
        Only the first `MOST_PROBLEMS` places are kept; all are counted.
        """
        self.skipped[kind] += 1
        # The first ones, not a sample: the state of an interrupted build refers to them by their number.
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(str(path), place, reason or kind, kind))


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

    Parameters
    ----------
    skipped
        How often each kind occurred.
    names
        The first files of each kind.
    most
        Cases to show per kind.

    Returns
    -------
    list[str]
        The lines in the order of `skipped`.

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


@dataclass(frozen=True)
class ReadOptions:
    """How sources are read.

    Attributes
    ----------
    text_field
        Name or path (`a.b[0]`) of the text in records.
    skip_bad
        Whether to leave bad documents and files out and count them.
    side
        Further metadata of plain texts, by the path of the file.
    encoding
        The character set of the texts, as of `explorer.files.encoding.decode_text`; "" to detect it.
    metadata_fields
        The fields of records and of `side` that are kept; None for all.
    """

    text_field: str = "text"
    skip_bad: bool = False
    side: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    encoding: str = ""
    metadata_fields: Sequence[str] | None = None

    def kept(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Those of a document's fields that become metadata."""
        if self.metadata_fields is None:
            return fields
        # In the order of the record, as without a choice.
        return {name: value for name, value in fields.items() if name in self.metadata_fields}


@dataclass(frozen=True)
class SourceFile:
    """A file to read.

    Attributes
    ----------
    path
        Where it is.
    name
        Its name in the metadata of its documents.
    size
        Its bytes.
    changed
        The time of its last change in nanoseconds.
    shown
        Its name in messages; "" for its path.
    """

    path: Path
    name: str
    size: int
    changed: int = 0
    shown: str = ""

    @property
    def is_pipe(self) -> bool:
        """Whether this is a copy of what came through a pipe."""
        return bool(self.shown)

    @property
    def label(self) -> str:
        """The file as messages name it."""
        return spelled(self.shown or str(self.path))
