"""Which files the folder of a compressed index holds: `fm.{n}`, `lines.{n}`, and `text.{n}` if the text was kept."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from explorer.core.files.paths import is_folder
from explorer.errors import DamagedIndexError, NotAnIndexError
from explorer.i18n import mark
from explorer.index.layout import STATE_NAME, names_in

_NUMBERED = re.compile(r"fm\.(\d+)\Z", re.ASCII)


@dataclass(frozen=True)
class PartFiles:
    """The files of one part.

    index: What is searched: `explorer.index.fm.file`.
    lines: The metadata of its documents, in blocks: `explorer.index.fm.blocks`.
    text: Its text, in blocks; None if it was not kept.
    """

    number: int
    index: Path
    lines: Path
    text: Path | None


def looks_compressed(folder: str | PathLike[str]) -> bool:
    """Tell whether a folder holds a compressed index, by the names of its files.

    Returns: Whether there is a file of a part.
    """
    return is_folder(Path(folder)) and any(map(_NUMBERED.match, (path.name for path in Path(folder).glob("fm.*"))))


def find_parts(folder: Path, listed: Collection[str] | None = None) -> tuple[PartFiles, ...]:
    """List the parts of a compressed index.

    listed: The names of the files that belong to the index; None: all that there are.
    Returns: The parts in the order of their numbers.
    Raises `NotAnIndexError` if there are none, or the build was interrupted.
    Raises `DamagedIndexError` if a file is missing.
    """
    names = names_in(folder)
    if STATE_NAME in names:
        raise NotAnIndexError(
            mark("{path} is a build that was interrupted."), reason="interrupted-build", option="resume", path=folder
        )
    known = names if listed is None else listed
    numbers = sorted(int(match.group(1)) for name in known if (match := _NUMBERED.match(name)))
    if not numbers:
        raise NotAnIndexError(
            mark("{path} is not a compressed index: it has no file fm.0."), reason="not-an-index", path=folder
        )
    return tuple(_part(folder, number, known) for number in numbers)


def _part(folder: Path, number: int, known: Collection[str]) -> PartFiles:
    text = folder / f"text.{number}"
    found = PartFiles(number, folder / f"fm.{number}", folder / f"lines.{number}", text if text.name in known else None)
    for path in (found.index, found.lines, found.text):
        if path is not None and not path.is_file():
            raise DamagedIndexError(
                mark("{path} is missing, and part {part} cannot be read without it."),
                reason="file-missing",
                path=path,
                part=number,
            )
    return found
