"""Tables as CSV, TSV or JSON lines, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from explorer.agreement.figure import AgreementFigure
from explorer.agreement.neural import BUCKETS, NeuralFigure
from explorer.export.about import Facts, save_about
from explorer.export.destination import save_text
from explorer.export.jsonable import to_plain
from explorer.search.compare import Comparison
from explorer.search.facets import Facet
from explorer.trace.batch import BatchRow

FORMATS = ("tsv", "csv", "jsonl")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""The characters that OWASP lists; a number is not a text, so negative numbers stay unchanged."""


def guard_formula(value: Any) -> Any:
    """Text for a spreadsheet: a leading apostrophe keeps it from being run as a formula."""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return "'" + value
    return value


def write_rows(file: IO[str], header: Sequence[str], rows: Iterable[Sequence[Any]], form: str) -> None:
    """Write a table.

    Parameters
    ----------
    file
        A text file opened for writing with newline="".
    header
        The names of the columns.
    rows
        As many values per row; they are read once, so they may be a generator.
    form
        One of FORMATS. In "tsv" and "csv" a text that a spreadsheet would take for a formula is guarded with an
        apostrophe.
    """
    if form == "jsonl":
        for row in rows:
            record = dict(zip(header, to_plain(list(row)), strict=True))
            file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        return
    writer = csv.writer(file, delimiter="\t" if form == "tsv" else ",", lineterminator="\n")
    writer.writerow([guard_formula(name) for name in header])
    for row in rows:
        writer.writerow([guard_formula(_cell(value)) for value in row])


def _cell(value: Any) -> Any:
    """A value in the form of a cell: true and false are written as in JSON, and NaN is empty."""
    plain = to_plain(value)
    return str(plain).lower() if isinstance(plain, bool) else plain


def save_table(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]], form: str, facts: Facts = ()) -> None:
    """Write a table to a file, and the facts about it into a file beside it.

    Parameters
    ----------
    path
        The file of the table; one that exists is replaced.
    header
        The names of the columns.
    rows
        As many values per row.
    form
        One of FORMATS.
    facts
        Names and values for PATH.about.json; nothing is written if there are none.

    Raises
    ------
    ExportError
        If a file cannot be written.
    """
    save_text(path, table_text(header, rows, form))
    save_about(path, facts)


def table_text(header: Sequence[str], rows: Iterable[Sequence[Any]], form: str) -> str:
    r"""Write a table as one string.

    Parameters
    ----------
    header
        The names of the columns.
    rows
        As many values per row.
    form
        One of FORMATS.

    Returns
    -------
    str
        The text, which ends with a line feed.

    Examples
    --------
    >>> table_text(("word", "count"), [("cat", 3)], "csv")
    'word,count\ncat,3\n'
    """
    out = io.StringIO()
    write_rows(out, header, rows, form)
    return out.getvalue()


FIGURE_HEADER = ("group", "panel", "effective_n", "tokens", "agreeing", "agreement", "low_95", "high_95")


def figure_rows(figures: Iterable[tuple[str, AgreementFigure]]) -> Iterator[tuple[Any, ...]]:
    """One row per bar and dot of agreement figures, each with the name of its group."""
    for group, figure in figures:
        for panel in figure.panels:
            for b in panel.bins:
                yield (group, panel.name, b.effective_n, b.tokens, b.agreeing, b.agreement, b.low, b.high)


NEURAL_HEADER = ("from", "to", "tokens", "agreeing", "agreement", "low_95", "high_95")


def neural_rows(figure: NeuralFigure) -> Iterator[tuple[Any, ...]]:
    """One row per tenth of a model's probability."""
    for b in figure.bins:
        yield (b.effective_n / BUCKETS, (b.effective_n + 1) / BUCKETS, b.tokens, b.agreeing, b.agreement, b.low, b.high)


COMPARISON_HEADER = ("query", "index", "count", "per_million", "exact", "log_ratio", "error")


def comparison_rows(result: Comparison) -> Iterator[tuple[Any, ...]]:
    """One row per query and index."""
    for query, figures in zip(result.queries, result.cells, strict=True):
        for name, cell in zip(result.indexes, figures, strict=True):
            yield (query, name, cell.count, cell.per_million, cell.exact, cell.log_ratio, cell.error)


BATCH_HEADER = (
    "line", "tokens", "spans", "longest_match", "coverage", "novelty", "source", "text", "prompt", "problem",
)  # fmt: skip

_TRACED = ("tokens", "spans", "longest_match", "coverage", "novelty")


def batch_rows(rows: Iterable[BatchRow]) -> Iterator[tuple[Any, ...]]:
    """One row per answer; unknown values of an answer that could not be traced are None."""
    for row in rows:
        unknown = _TRACED if row.problem else ()
        yield tuple(None if name in unknown else getattr(row, name) for name in BATCH_HEADER)


FACET_HEADER = ("value", "lines", "share", "documents", "tokens", "lines_per_million")


def facet_rows(found: Facet) -> Iterator[tuple[Any, ...]]:
    """One row per value of a field; the last two cells are empty if tokens were not counted."""
    for bar in found.bars:
        rate = found.per_million(bar)
        yield (bar.label, bar.hits, bar.hits / max(1, found.looked_at), bar.documents, bar.tokens, rate)
