"""Answers of a file that were traced before: they survive the end of the program, however it comes.

A file in the user's data folder has a line for each answer that is done. Its name is a hash of all that a row depends
on: the contents of the index and of the file, the fields, the settings and the version of the program. Whatever
changes, other rows are looked for, and nothing that is out of date is found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from explorer import version
from explorer.analyses.trace.batch import AnswerFile, Figures
from explorer.analyses.trace.settings import TraceSettings
from explorer.backends.protocol.protocol import Backend
from explorer.core.files.paths import data_folder
from explorer.documents.inputs.opened import translated
from explorer.words.rule import WordRule

_MOST_FILES = 50
"""Files that are kept; those that were not used for the longest time go first."""
_NAMES = tuple(each.name for each in fields(Figures))


@dataclass(frozen=True)
class Kept:
    """Answers that were traced before.

    figures: What each of them has from the corpus, from the first of the file on.
    total: The answers of the file.
    """

    figures: tuple[Figures, ...] = ()
    total: int = 0


class KeptAnswers:
    """The answers of one file, in one index, with one choice of settings.

    source: The file, which is read once, for its hash.
    """

    def __init__(self, index: Backend, source: AnswerFile, settings: TraceSettings) -> None:
        self._path = data_folder() / "answers" / f"{_key(index, source, settings)}.jsonl"

    def read(self) -> Kept:
        """Read what was kept; nothing if that cannot be read, since it can be made again."""
        try:
            with self._path.open(encoding="utf-8") as file:
                total = json.loads(next(file, "0"))
                return Kept(tuple(_rows(file)), total) if isinstance(total, int) else Kept()
        except (OSError, ValueError):
            return Kept()

    def writer(self, kept: Kept) -> KeptWriter:
        """Write further answers after some that are kept."""
        return KeptWriter(self._path, kept)


class KeptWriter:
    """Appends answers, each as soon as it is traced; where that is not possible, they are traced and not kept."""

    def __init__(self, path: Path, kept: Kept) -> None:
        self._path = path
        self._file: Any = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _forget_old(path)
            # Written again from its beginning: the last line may be half of one.
            beside = path.with_suffix(".part")
            with beside.open("w", encoding="utf-8", newline="\n") as file:
                file.write(f"{kept.total}\n" + "".join(map(_line, kept.figures)))
            beside.replace(path)
            # Line by line: what is done is in the file, whatever happens to the program.
            self._file = path.open("a", encoding="utf-8", newline="\n", buffering=1)
        except OSError:
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, figures: Figures) -> None:
        """Append one answer."""
        if self._file is None:
            return
        try:
            self._file.write(_line(figures))
        except OSError:
            # A full disk: what is traced from here on is shown, and not kept.
            self._file.close()
            self._file = None


def _line(figures: Figures) -> str:
    # ASCII alone, so that a line that was cut off is never taken for a whole one with other characters.
    return json.dumps([getattr(figures, name) for name in _NAMES]) + "\n"


def _rows(lines: Iterator[str]) -> Iterator[Figures]:
    for line in lines:
        if not line.endswith("\n"):
            return
        values = json.loads(line)
        if not isinstance(values, list) or len(values) != len(_NAMES):
            return
        yield Figures(*values)


def _key(index: Backend, source: AnswerFile, settings: TraceSettings) -> str:
    parts: Sequence[Any] = (
        version.VERSION,
        index.fingerprint,
        # Documents that are left out are not in the fingerprint.
        index.document_count,
        index.token_count,
        WordRule().key,
        repr(settings),
        source.text_field,
        source.prompt_field,
        _hash_of(source.path),
    )
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _hash_of(path: Path) -> str:
    # The file may have been moved since it was chosen.
    with translated(str(path)), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _forget_old(path: Path) -> None:
    others = [(other.stat().st_mtime, other) for other in path.parent.glob("*.jsonl") if other != path]
    for _, other in sorted(others)[: max(0, len(others) - _MOST_FILES + 1)]:
        other.unlink(missing_ok=True)
