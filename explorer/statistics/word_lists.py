"""Word lists of other programs: what words occur how often, as a reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from explorer.errors import QueryError
from explorer.i18n import mark


@dataclass(frozen=True)
class WordList:
    """How often each form occurs somewhere.

    Attributes
    ----------
    name
        What tables call it.
    counts
        The count of each form, 1 or more.
    """

    name: str
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """Number of words: the sum of all counts."""
        return sum(self.counts.values())


def read_word_list(path: Path) -> WordList:
    """Read a word list of tab-separated values: rank, frequency and word in each line.

    Parameters
    ----------
    path
        The file, in UTF-8. Empty lines are left out, and a first line whose frequency is not a number is a heading.

    Returns
    -------
    WordList
        The list, by the name of the file. Forms are kept as they are.

    Raises
    ------
    QueryError
        If the file cannot be read, or a line is not a row of a word list; the error names the line.
    """
    try:
        with open(path, encoding="utf-8-sig") as file:
            return WordList(path.name, _counts(file, path.name))
    except OSError as error:
        raise QueryError(
            mark("The word list {name} cannot be read: {why}"),
            reason="unreadable-word-list",
            name=path.name,
            why=error.strerror or str(error),
        ) from error
    except UnicodeDecodeError as error:
        raise QueryError(
            mark("The word list {name} is not UTF-8. Save it as UTF-8."), reason="word-list-not-utf-8", name=path.name
        ) from error


def _counts(lines: Iterable[str], name: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in line.rstrip("\r\n").split("\t")]
        if not any(cells) or (number == 1 and len(cells) == 3 and not _is_number(cells[1])):
            continue
        if len(cells) != 3 or not _is_number(cells[1]) or int(cells[1]) == 0 or not cells[2]:
            raise QueryError(
                mark("Line {line:,} of {name} is not rank, frequency (1 or more) and word, separated by tabs."),
                reason="bad-word-list",
                line=number,
                name=name,
            )
        if cells[2] in counts:
            raise QueryError(
                mark("Line {line:,} of {name} repeats the word “{word}”."),
                reason="repeated-word",
                line=number,
                name=name,
                word=cells[2],
            )
        counts[cells[2]] = int(cells[1])
    return counts


def _is_number(cell: str) -> bool:
    # Beyond 18 digits, sums would not fit into 64 bits.
    return cell.isascii() and cell.isdigit() and len(cell) <= 18
