"""A traced text, as the library returns it."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.analyses.trace import trace as engine
from explorer.backends.documents.document import document_title
from explorer.corpus.results.origin import Result
from explorer.corpus.tabular import Tabular
from explorer.export.columns import Batch, Column, columns_of
from explorer.export.records.span import SpanRecord
from explorer.export.reports.notebook import escaped, shaded, text_block
from explorer.i18n import counted

_LEVELS = {"": 1, "low": 1, "medium": 2, "high": 3}
_SHOWN = 5
"""Documents of a notebook."""


class Trace(Result, engine.Trace, Tabular):
    """A traced text; its spans are also a table.

    Attributes
    ----------
    text
        The text, as it was written.
    prompt
        What it answers; "" for nothing.
    settings
        How it was traced.
    token_count
        Tokens of the text.
    token_ids
        Their ids, int64 of shape (tokens,).
    token_starts
        The first character of each token, int64 of the same shape.
    token_ends
        One past the last character of each token, int64 of the same shape.
    spans
        Parts of the text that occur in the corpus, by start.
    merged
        Runs of overlapping spans, as they are drawn.
    documents
        Those that share spans with the text, most relevant first.
    measured
        The value of each measure, such as the coverage; the properties have them by name.
    times
        How long it took; traces that differ only in this are equal.
    reading
        What was traced in place of `text`: the text without the marks of Markdown, and the map to `text`. None if the
        text was traced as it is written.
    reading_starts
        The first character of each token in the reading text, int64 of shape (tokens,); None without one.
    reading_ends
        One past the last character of each token there.

    Notes
    -----
    With `settings.match` "words", `unit` is "words": all tokens named here are then words of the text, and their ids
    those of the word index. Tokens of documents are those of the index in any case.

    The columns of the table are `start`, `end`, `token_start`, `token_end`, `text`, `count`, `rarity`, `level` and
    `documents`, one row per span.

    Examples
    --------
    >>> found = corpus.trace("we think that the cat sat on the mat")
    >>> found
    Trace(18 tokens, 1 span, longest 5, 1 document)
    >>> found.to_arrow()["text"].to_pylist()
    ['cat sat on the mat']
    """

    def to_html(self) -> str:
        """Write the report as one HTML page, as the command `trace --html` does.

        Returns
        -------
        str
            The page, which needs no other file. Texts from the corpus are escaped.
        """
        from explorer.export.reports.trace_html import trace_html

        return trace_html(self._known().index, self)

    def _columns(self) -> tuple[Column, ...]:
        return columns_of(SpanRecord)

    def _batches(self) -> Iterator[Batch]:
        # A text has as many spans as fit into memory with it, so one batch is enough.
        same = ("start", "end", "token_start", "token_end", "count", "rarity", "level", "documents")
        batch = {name: [getattr(span, name) for span in self.spans] for name in same}
        yield {**batch, "text": [self.text[span.start : span.end] for span in self.spans]}

    def __repr__(self) -> str:
        longest = self.longest_passage.length if self.longest_passage else 0
        return (
            f"Trace({self.units(self.token_count)}, {counted('span', len(self.spans))}, longest {longest:,}, "
            f"{counted('document', len(self.documents))})"
        )

    def _repr_html_(self) -> str:
        shades = ", shaded by how relevant the best document of each part is" if self.merged else ""
        return text_block(f"{self!r}{shades}", self._pieces()) + self._titles()

    def _pieces(self) -> Iterator[str]:
        """The text, with each run of spans in the shade of its best document."""
        at = 0
        for run in self.merged:
            yield shaded(self.text[at : run.start], 0)
            counts = ", ".join(f"{self.spans[number].count:,}" for number in run.spans)
            yield shaded(self.text[run.start : run.end], _LEVELS[run.level], f"occurrences: {counts}; {run.level}")
            at = run.end
        yield shaded(self.text[at:], 0)

    def _titles(self) -> str:
        """The best documents."""
        titles = [document_title(document.metadata, document.number) for document in self.documents[:_SHOWN]]
        more = f"<div>… and {len(self.documents) - _SHOWN:,} more</div>" if len(self.documents) > _SHOWN else ""
        items = "".join(f"<li><bdi>{escaped(title)}</bdi></li>" for title in titles)
        return f"<ol>{items}</ol>{more}" if items else ""
