"""The agreement of many texts, by group, as the library returns it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Literal, get_args

from explorer.analyses.agreement.analysis import AgreementAnalysis
from explorer.analyses.agreement.dips import TAIL
from explorer.analyses.agreement.figure import Bin, pooled_from
from explorer.analyses.agreement.table import (
    COUNT,
    EFFECTIVE_N,
    BinRecord,
    SourceRecord,
    bin_records,
    source_records,
)
from explorer.corpus.results.origin import Origin
from explorer.corpus.tabular import Tabular
from explorer.errors import QueryError
from explorer.export.columns import BATCH, Batch, Column, columns_of
from explorer.export.provenance import Facts
from explorer.export.reports.notebook import bar_table
from explorer.i18n import counted, mark, tr

PlotKind = Literal["effective_n", "count", "groups"]
"""What is on the horizontal axis: effective n, occurrences of the context, or the groups."""


class AgreementResult(Tabular):
    """How the tokens of many texts agree with a corpus, by group; also a table.

    Parameters
    ----------
    analysis
        The agreement of every text.
    origin
        The index that was asked, and how.

    Notes
    -----
    The table has one row per group, series and range of tokens, as `agree --format jsonl` prints them: `group` (null
    for all texts together), `series` ("ngram", "infgram", "sparse"), `by` ("effective_n" or "count"), `from`, `to`,
    `token_count`, `agreeing_count`, `agreement`, `low` and `high` (its 95 % interval), `change`, `p_change` and `dip`.

    Examples
    --------
    >>> found = corpus.compare_agreement(["the cat sat on the mat", "a dog saw the mat"], groups=["a", "b"])
    >>> [(source.name, source.token_count) for source in found.sources]
    [(None, 11), ('a', 6), ('b', 5)]
    >>> found.to_arrow().column_names[:6]
    ['group', 'series', 'by', 'from', 'to', 'token_count']
    """

    def __init__(self, analysis: AgreementAnalysis, origin: Origin) -> None:
        self._analysis = analysis
        self._origin = origin

    @property
    def token_count(self) -> int:
        """Tokens that were scored."""
        return self._analysis.figure.infgram.tokens

    @property
    def agreement(self) -> float:
        """The share of them that agree with the longest context that occurs, 0 to 1."""
        return self._analysis.figure.infgram.overall

    @property
    def left_out(self) -> tuple[int, ...]:
        """Numbers of the documents that were left out because they contain most of a text."""
        return self._analysis.left_out

    @cached_property
    def sources(self) -> tuple[SourceRecord, ...]:
        """All texts together (without a name), then each group, in figures with their 95 % intervals."""
        return source_records(self._analysis)

    @cached_property
    def bins(self) -> tuple[BinRecord, ...]:
        """The rows of the table."""
        return tuple(bin_records(self._analysis))

    def plot(self, ax: Any = None, kind: PlotKind = "effective_n") -> Any:
        """Draw the agreement with its 95 % intervals.

        Parameters
        ----------
        ax
            An axis of matplotlib; None for a new figure, for which matplotlib must be installed.
        kind
            What is on the horizontal axis: "effective_n", "count" (occurrences of the context, in powers of ten) or
            "groups". An effective n of 33 or more is one point, as in all figures of this program.

        Returns
        -------
        Any
            The axis, with one line per group; what was drawn on it before stays.

        Raises
        ------
        QueryError
            If there is no such kind.
        ModuleNotFoundError
            If there is no axis and matplotlib is not installed.
        """
        if kind not in get_args(PlotKind):
            raise QueryError(
                mark('kind must be one of {choices}, not "{given}".'),
                reason="bad-setting",
                choices=", ".join(get_args(PlotKind)),
                given=str(kind),
            )
        if ax is None:
            _, ax = importlib.import_module("matplotlib.pyplot").subplots()
        if kind == "groups":
            self._draw_groups(ax)
        else:
            self._draw_bins(ax, EFFECTIVE_N if kind == "effective_n" else COUNT)
        ax.set_ylabel(tr("Agreement"))
        ax.set_ylim(0, 1)
        return ax

    def _draw_groups(self, ax: Any) -> None:
        rows = [source for source in self.sources[1:] or self.sources if source.agreement is not None]
        names = [_label(source.name) for source in rows]
        _draw(ax, names, [(source.agreement, source.low, source.high) for source in rows], fmt="o")

    def _draw_bins(self, ax: Any, by: str) -> None:
        """A line per group, or one of all texts if there are no groups."""
        lines = self._lines_by_n() if by == EFFECTIVE_N else self._lines_by_count()
        for group, points in lines.items():
            values = [(b.agreement, b.low, b.high) for _, b in points]
            _draw(ax, [place for place, _ in points], values, marker="o", label=_label(group))
        if by == COUNT:
            ax.set_xscale("log")
            ax.set_xlabel(tr("Occurrences of the context"))
        elif any(place == TAIL for points in lines.values() for place, _ in points):
            ax.set_xlabel(tr("Effective n (the last point: {first} and above)", first=TAIL))
        else:
            ax.set_xlabel(tr("Effective n"))
        ax.legend()

    def _lines_by_n(self) -> dict[str | None, list[tuple[float, Bin | BinRecord]]]:
        found = self._analysis
        figures = {**found.groups} if len(found.groups) > 1 else {None: found.figure}
        # As in every other figure: a text that is in the corpus has bins up to its length, each of a few tokens.
        return {name: [(b.effective_n, b) for b in pooled_from(f.infgram.bins, TAIL)] for name, f in figures.items()}

    def _lines_by_count(self) -> dict[str | None, list[tuple[float, Bin | BinRecord]]]:
        lines: dict[str | None, list[tuple[float, Bin | BinRecord]]] = {}
        for b in self.bins:
            if b.by == COUNT:
                lines.setdefault(b.group, []).append((b.from_, b))
        return {name: points for name, points in lines.items() if name is not None} or lines

    def __repr__(self) -> str:
        texts = counted("text", len(self._analysis.texts))
        less = f", {counted('document', len(self.left_out))} left out" if self.left_out else ""
        return f"AgreementResult({texts}, {counted('token', self.token_count)}, {self.agreement:.1%} agree{less})"

    def _repr_html_(self) -> str:
        rows = [
            (source.name or tr("All texts"), f"{source.agreement:.1%}", source.agreement)
            for source in self.sources
            if source.agreement is not None
        ]
        return bar_table(repr(self), (tr("Group"), tr("Agreement")), rows, 0)

    def _columns(self) -> tuple[Column, ...]:
        return tuple(_named(column) for column in columns_of(BinRecord))

    def _batches(self) -> Iterator[Batch]:
        names = [column.name for column in columns_of(BinRecord)]
        for first in range(0, len(self.bins), BATCH):
            some = self.bins[first : first + BATCH]
            yield {name.rstrip("_"): [getattr(b, name) for b in some] for name in names}

    @property
    def provenance(self) -> Facts:
        """What the rows were computed from, by name; see `Tabular.provenance`."""
        return self._origin.facts


def _named(column: Column) -> Column:
    """A column without the underscore that keeps a name apart from a word of Python."""
    return Column(column.name.rstrip("_"), column.kind, column.nullable, column.parts)


def _label(group: str | None) -> str:
    """A name for matplotlib, where dollars enclose a formula, and legends leave out names with a leading underscore."""
    name = (group or tr("All texts")).replace("$", r"\$")
    return f" {name}" if name.startswith("_") else name


def _draw(ax: Any, places: list[Any], values: list[tuple[Any, float, float]], **style: Any) -> None:
    """Shares with bars from the lower to the upper end of their intervals."""
    below = [share - low for share, low, _ in values]
    above = [high - share for share, _, high in values]
    # Rounding may put an end of an interval on the other side of the share.
    ends = [[max(0.0, part) for part in below], [max(0.0, part) for part in above]]
    ax.errorbar(places, [share for share, _, _ in values], yerr=ends, capsize=3, **style)
