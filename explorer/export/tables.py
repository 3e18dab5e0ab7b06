"""What the tables of each kind of result contain, and how a table becomes a file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from explorer.agreement.figure import AgreementFigure
from explorer.agreement.neural import BUCKETS, NeuralFigure
from explorer.export.about import Facts, save_about
from explorer.export.destination import save_text
from explorer.export.registry import TABLES
from explorer.search.compare import Comparison
from explorer.search.facets import Dispersion, Facet
from explorer.trace.batch import BatchRow


def write_rows(file: IO[str], header: Sequence[str], rows: Iterable[Sequence[Any]], form: str) -> None:
    """Write a table.

    Parameters
    ----------
    file, header, rows
        As in `explorer.export.registry.WriteTable`.
    form
        An id of `registry.TABLES`. In "tsv" and "csv" a text that a spreadsheet would take for a formula is guarded
        with an apostrophe.

    Raises
    ------
    QueryError
        If there is no such format.
    """
    TABLES.named(form).write(file, header, rows)


def save_table(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]], form: str, facts: Facts = ()) -> None:
    """Write a table to a file, and the facts about it into a file beside it.

    Parameters
    ----------
    path
        The file of the table; one that exists is replaced.
    header, rows
        As in `write_rows`.
    form
        As in `write_rows`.
    facts
        Names and values for PATH.about.json; nothing is written if there are none.

    Raises
    ------
    ExportError
        If a file cannot be written.
    """
    save_text(path, table_text(header, rows, form))
    # Second: facts about a table that could not be written would mislead.
    save_about(path, facts)


def save_table_as(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a table in the format of the path's ending.

    Parameters
    ----------
    path
        The file; its ending is that of one of `registry.TABLES`.
    header, rows
        As in `write_rows`.

    Raises
    ------
    QueryError
        If the ending is unknown.
    ExportError
        If the file cannot be written.
    """
    save_table(path, header, rows, TABLES.of_path(path).id)


def table_text(header: Sequence[str], rows: Iterable[Sequence[Any]], form: str) -> str:
    r"""Write a table as one string.

    Parameters
    ----------
    header, rows
        As in `write_rows`.
    form
        As in `write_rows`.

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


FIGURE_HEADER = (
    "group",
    "panel",
    "effective_n",
    "tokens",
    "agreeing",
    "agreement",
    "low_95",
    "high_95",
    "change",
    "p_change",
    "dip",
)
"""The last three are of the ∞-gram: the change from the effective n before, its p value, and whether it is a dip."""


def figure_rows(figures: Iterable[tuple[str, AgreementFigure]]) -> Iterator[tuple[Any, ...]]:
    """One row per bar and dot of agreement figures, each with the name of its group."""
    for group, figure in figures:
        # Of the other panels nothing is tested: their tokens are the same, or some of them.
        tested = {(figure.infgram.name, step.after): (step.change, step.p, step.is_dip) for step in figure.steps}
        for panel in figure.panels:
            for b in panel.bins:
                step = tested.get((panel.name, b.effective_n), (None, None, None))
                yield (group, panel.name, b.effective_n, b.tokens, b.agreeing, b.agreement, b.low, b.high, *step)


NEURAL_HEADER = ("from", "to", "tokens", "agreeing", "agreement", "low_95", "high_95")


def neural_rows(figure: NeuralFigure) -> Iterator[tuple[Any, ...]]:
    """One row per tenth of a model's probability."""
    for b in figure.bins:
        # `effective_n` is the number of the tenth here, from 0.
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

# A text that could not be traced has no zero spans: its values are unknown.
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
        # None until the tokens of the documents are counted.
        rate = found.per_million(bar)
        yield (bar.label, bar.hits, bar.hits / max(1, found.looked_at), bar.documents, bar.tokens, rate)


PARTS_HEADER = ("part", "begin", "end", "lines")


def parts_rows(found: Dispersion) -> Iterator[tuple[Any, ...]]:
    """One row per part of the corpus: its number, its share of the corpus, and the lines in it that were looked at."""
    parts = len(found.bins)
    for number, lines in enumerate(found.bins.tolist()):
        yield (number + 1, number / parts, (number + 1) / parts, lines)


DISPERSION_HEADER = ("measure", "value")


def dispersion_rows(found: Dispersion) -> Iterator[tuple[Any, ...]]:
    """One row per measure of how lines spread over documents."""
    yield from (
        ("lines", found.of),
        ("lines_looked_at", found.looked_at),
        ("documents", found.documents),
        ("all_documents", found.all_documents),
        ("dp", found.deviation),
    )
