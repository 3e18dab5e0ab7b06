"""What the tables of each kind of result contain, and how a table becomes a file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from explorer.analyses.breakdown.facets import Dispersion
from explorer.analyses.compare.compare import Comparison
from explorer.export.about import Facts, save_about
from explorer.export.destination import save_text
from explorer.export.registry import TABLES


def write_rows(file: IO[str], header: Sequence[str], rows: Iterable[Sequence[Any]], form: str) -> None:
    """Write a table.

    form: An id of `registry.TABLES`. In "tsv" and "csv" a text that a spreadsheet would take for a formula is guarded
        with an apostrophe.
    Raises `QueryError` if there is no such format.
    """
    TABLES.named(form).write(file, header, rows)


def save_table(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]], form: str, facts: Facts = ()) -> None:
    """Write a table to a file, and the facts about it into a file beside it.

    facts: Names and values for PATH.about.json; nothing is written if there are none.
    Raises `ExportError` if a file cannot be written.
    """
    save_text(path, table_text(header, rows, form))
    # Second: facts about a table that could not be written would mislead.
    save_about(path, facts)


def save_table_as(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]], facts: Facts) -> None:
    """Write a table in the format of the path's ending.

    path: The file; its ending is that of one of `registry.TABLES`.
    Raises `ExportError` if the file cannot be written.
    """
    save_table(path, header, rows, TABLES.of_path(path).id, facts)


def table_text(header: Sequence[str], rows: Iterable[Sequence[Any]], form: str) -> str:
    r"""Write a table as one string.

    Returns: The text, which ends with a line feed.

    Examples
    --------
    >>> table_text(("word", "count"), [("cat", 3)], "csv")
    'word,count\ncat,3\n'
    """
    out = io.StringIO()
    write_rows(out, header, rows, form)
    return out.getvalue()


COMPARISON_HEADER = ("query", "index", "count", "per_million", "exact", "log_ratio", "error")


def comparison_rows(result: Comparison) -> Iterator[tuple[Any, ...]]:
    """One row per query and index."""
    for query, figures in zip(result.queries, result.cells, strict=True):
        for name, cell in zip(result.indexes, figures, strict=True):
            yield (query, name, cell.count, cell.per_million, cell.exact, cell.log_ratio, cell.error)


PARTS_HEADER = ("part", "begin", "end", "lines")


def parts_rows(found: Dispersion) -> Iterator[tuple[Any, ...]]:
    """One row per part of the corpus: its number, its share of the corpus, and the lines in it that were looked at."""
    parts = len(found.bins)
    for number, lines in enumerate(found.bins.tolist()):
        yield (number + 1, number / parts, (number + 1) / parts, lines)
