"""Files of word lists, as this and other programs write them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.analyses.keywords.word_lists import WordList
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.words.rule import WordRule

_WORDS = ("word", "type", "form", "item", "token")
_FREQUENCIES = ("frequency", "freq", "count")
"""Names of columns, in lower case; the first of them that a heading has is read."""


@dataclass(frozen=True)
class _Layout:
    """Where a line has its word and its frequency; `cells` is how many it must have, 0 for any number."""

    separator: str
    word: int
    frequency: int
    cells: int = 0


def read_word_list(path: Path) -> WordList:
    """Read a word list: the word and its frequency in each line.

    path: The file, in UTF-8: rank, frequency and word, or word and frequency, separated by tabs; or any columns,
        separated by tabs or commas, with a heading that names those of words and of frequencies, as the files of
        `wordlist` have. Empty lines are left out, and lines before the first row that begin with a number sign.
    Returns: The list, by the name of the file. Words are put into lower case; the frequencies of those that are then
        equal are added.
    Raises `QueryError` if the file cannot be read, or a line is not a row of a word list; the error names the line.
    """
    try:
        with open(path, encoding="utf-8-sig") as file:
            return WordList.of(path.name, _counts(file, path.name))
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
    met: set[str] = set()
    layout: _Layout | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip() or (layout is None and line.startswith("#") and "\t" not in line):
            continue
        if layout is None:
            layout, heading = _layout(line, name)
            if heading:
                continue
        word, frequency = _row(_cells(line, layout.separator), layout, number, name)
        if word in met:
            raise QueryError(
                mark("Line {line:,} of {name} repeats the word “{word}”."),
                reason="repeated-word",
                line=number,
                name=name,
                word=word,
            )
        met.add(word)
        # The words of a corpus are folded, so no other form would be found.
        form = WordRule().form(word) or word
        counts[form] = counts.get(form, 0) + frequency
    return counts


def _layout(line: str, name: str) -> tuple[_Layout, bool]:
    """What the first line tells, and whether it is a heading."""
    separator = "\t" if "\t" in line else ","
    cells = _cells(line, separator)
    titles = [cell.casefold() for cell in cells]
    word, frequency = _first(titles, _WORDS), _first(titles, _FREQUENCIES)
    heading = not any(map(_is_number, cells))
    if heading and word is not None and frequency is not None:
        return _Layout(separator, word, frequency), True
    if separator == "\t" and len(cells) == 2 and not heading:
        places = (0, 1) if _is_number(cells[1]) else (1, 0)
        return _Layout(separator, *places, cells=2), False
    if heading and len(cells) != 3:
        raise QueryError(
            mark(
                "{name} is not a word list: it needs rank, frequency and word in each line, separated by tabs, or a "
                "heading with the columns “word” and “frequency”."
            ),
            reason="bad-word-list",
            name=name,
        )
    return _Layout("\t", 2, 1, cells=3), heading


def _first(titles: Sequence[str], names: Sequence[str]) -> int | None:
    return next((titles.index(name) for name in names if name in titles), None)


def _cells(line: str, separator: str) -> list[str]:
    text = line.rstrip("\r\n")
    # Words of tables with tabs may be quotation marks.
    cells = text.split(separator) if separator == "\t" else next(csv.reader([text]))
    return [cell.strip() for cell in cells]


def _row(cells: Sequence[str], layout: _Layout, number: int, name: str) -> tuple[str, int]:
    fits = len(cells) == layout.cells if layout.cells else len(cells) > max(layout.word, layout.frequency)
    if fits and cells[layout.word] and _is_number(cells[layout.frequency]) and int(cells[layout.frequency]):
        return cells[layout.word], int(cells[layout.frequency])
    told = (
        mark("Line {line:,} of {name} is not rank, frequency (1 or more) and word, separated by tabs.")
        if layout.cells == 3
        else mark("Line {line:,} of {name} does not have a word and a frequency of 1 or more.")
    )
    raise QueryError(told, reason="bad-word-list", line=number, name=name)


def _is_number(cell: str) -> bool:
    # Beyond 18 digits, sums would not fit into 64 bits.
    return cell.isascii() and cell.isdigit() and len(cell) <= 18
