"""What is counted of lines, off the interface thread: documents, values of fields, parts of the corpus."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.breakdown.facets import Dispersion, Facet, dispersion, facet
from explorer.analyses.search.concordance import Concordance
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus


@dataclass(frozen=True)
class LinesFacts:
    """The distinct documents of some lines, and whether the open document is one of them."""

    lines: Concordance
    documents: int
    opened: int
    listed: bool


def lines_facts(lines: Concordance, opened: int, cancel: CancelToken) -> LinesFacts:
    """Count the documents of lines.

    opened: The document for which to find out whether a line is in it; -1 for none.
    Returns: The number of documents, and whether the opened one is among them.
    """
    numbers = lines.arranged.numbers
    # Without an open document, no line has to be looked up for this.
    chunks = lines.hits.chunks(numbers, cancel) if opened >= 0 else ()
    # The chunks are made one by one, and none after the first that has a line in it.
    listed = any(bool((located.documents == opened).any()) for _, located in chunks)
    return LinesFacts(lines, lines.hits.count_documents(numbers, cancel), opened, listed)


def count_field(corpus: Corpus, lines: Concordance, field: str, report: Report, cancel: CancelToken) -> Facet:
    """Count lines by a metadata field."""
    return facet(lines, field, corpus.columns, report, cancel)


def spread(lines: Concordance, cancel: CancelToken) -> Dispersion:
    """Count lines along the corpus.

    Returns: Lines per part of the corpus and per document.
    """
    return dispersion(lines, cancel=cancel)
