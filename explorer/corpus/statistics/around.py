"""The hits that collocates and clusters are counted around: of words, of tokens, or of any query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import SupportsIndex

from explorer.analyses.collocates.text_ends import Within, text_ends
from explorer.analyses.collocates.windows import Chosen, Nodes, Windows, ngram_nodes, nodes_at, windows_around
from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.search.concordance import Concordance
from explorer.analyses.search.find import QueryResult
from explorer.analyses.search.hits import Hits
from explorer.backends.places import Located, Places
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.ranges import ranges_of
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.corpus.results.origin import asked_of
from explorer.corpus.search import queries
from explorer.corpus.search.where import Where, some_documents
from explorer.corpus.statistics.units import check_unit, counted_index
from explorer.corpus.types import Query
from explorer.export.provenance import Facts, query_facts
from explorer.words.index import WordIndex, word_index

AnyQuery = Query | QueryResult | Concordance
"""A text or token ids, what `search` found, or the lines of a concordance."""


@dataclass(frozen=True, eq=False)
class Around(ArrayValue):
    """Hits, in what is counted.

    Attributes
    ----------
    index
        The index of the texts.
    counted
        The same, or the index of its words.
    nodes
        The hits there.
    facts
        What they are the hits of, and how these were found.
    left_out
        Hits of a query that are not among them, since no word begins in them; None for words or tokens that were looked
        up as such.
    chosen
        Whether the document of each number counts; None: all do.
    phrase
        The words or tokens of a phrase; 0 for other queries.
    """

    index: Backend
    counted: Backend
    nodes: Nodes
    facts: Facts
    left_out: int | None = None
    chosen: Chosen | None = None
    phrase: int = 0

    @property
    def words(self) -> WordIndex | None:
        """The words, if they are counted."""
        return None if self.counted is self.index else word_index(self.counted)

    def windows(
        self,
        window: tuple[SupportsIndex, SupportsIndex],
        within: Within = "document",
        cancel: CancelToken | None = None,
    ) -> Windows:
        """Take the words or tokens around the hits.

        Parameters
        ----------
        window
            Words or tokens left and right of each hit, 0 to 1,000 each, not both 0.
        within
            What a window does not reach beyond; see `text_ends`.
        cancel
            Stops the work.

        Returns
        -------
        Windows
            The windows.

        Raises
        ------
        QueryError
            If a setting is out of range.
        TokenizerError
            If the index has no tokenizer, and windows end with sentences or lines.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Within sentences or lines, the text of all windows is read and decoded once.
        """
        whole = windows_around(self.counted, self.nodes, window)
        if within == "document" or not len(whole):
            return whole
        words, text = self.words, whole.reach
        if words is not None:
            # What ends after the last word of a window changes nothing.
            firsts, lasts = (words.tokens_at(text.documents, each) for each in (text.starts, text.ends - 1))
            text = ranges_of(text.documents, firsts, lasts + 1)
        ends = text_ends(self.index, text, within, cancel)
        if words is not None:
            ends = Places(ends.documents, words.words_before(ends.documents, ends.offsets))
        return windows_around(self.counted, self.nodes, window, ends)


def find_around(
    index: Backend,
    columns: FieldColumns,
    query: AnyQuery,
    unit: str,
    where: Where = (),
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Around:
    """Find the hits of any query in what is counted.

    Parameters
    ----------
    index
        The index.
    columns
        Its fields.
    query
        A text, which is cut into words or tokens, or their ids; what `search` found, or lines, whose hits are taken as
        they are.
    unit
        "words" or "tokens".
    where
        Conditions on the metadata of the documents that count.
    report
        Called with the progress.
    cancel
        Stops the work.

    Returns
    -------
    Around
        The hits.

    Raises
    ------
    QueryError
        If the query is empty, the unit is unknown, or a condition cannot be read.
    CorpusError
        As from `open_words`.
    Cancelled
        If it was cancelled.
    """
    check_unit(unit)
    counted = counted_index(index, unit, report, cancel)
    # Documents of the index of words have the numbers of the originals.
    chosen = some_documents(index, columns, where, report, cancel)
    if not isinstance(query, QueryResult | Concordance):
        return around_phrase(index, counted, query, chosen, cancel)
    return around_found(index, counted, query, chosen, report, cancel)


def around_phrase(
    index: Backend, counted: Backend, query: Query, chosen: Chosen | None = None, cancel: CancelToken | None = None
) -> Around:
    """Look up words or tokens in what is counted.

    Parameters
    ----------
    index
        The index.
    counted
        The same, or the index of its words.
    query
        A text or ids.
    chosen
        Whether the document of each number counts; None: all do.
    cancel
        Stops the work.

    Returns
    -------
    Around
        The hits.

    Raises
    ------
    QueryError
        If the query is empty, or has an id that is not of the index.
    Cancelled
        If it was cancelled.
    """
    ids = queries.as_ids(counted, query)
    nodes = ngram_nodes(counted, ids, chosen, cancel)
    unit = "tokens" if counted is index else "whole words, in any case"
    match = unit if isinstance(query, str) else "ids"
    return Around(index, counted, nodes, (("query", queries.shown(query)), ("match", match)), None, chosen, len(ids))


def around_found(
    index: Backend,
    counted: Backend,
    found: QueryResult | Concordance,
    chosen: Chosen | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Around:
    """Take hits that were found in the text, in what is counted.

    Parameters
    ----------
    index
        The index.
    counted
        The same, or the index of its words.
    found
        The hits; those of the sample, if there is one.
    chosen
        Whether the document of each number counts; None: all do.
    report
        Called with the hits that were looked up.
    cancel
        Stops the work.

    Returns
    -------
    Around
        The hits. In words, a hit is of the words that begin in its tokens.

    Raises
    ------
    Cancelled
        If it was cancelled.
    """
    if isinstance(found, Concordance):
        # Lines that no corpus returned do not know their query.
        asked = asked_of(found)
        hits, numbers = found.hits, found.arranged.numbers
    else:
        hits, numbers, asked = Hits(index, found.parts), found.numbers, query_facts(found)
    located = _located(hits, numbers, chosen, report, cancel)
    documents, starts, ends = located.documents, located.offsets, located.offsets + located.lengths
    if counted is not index:
        words = word_index(counted)
        starts, ends = words.words_before(documents, starts), words.words_before(documents, ends)
        some = ends > starts
        documents, starts, ends = documents[some], starts[some], ends[some]
    return Around(index, counted, nodes_at(documents, starts, ends), asked, len(located) - len(documents), chosen)


def _located(
    hits: Hits, numbers: Numbers | None, chosen: Chosen | None, report: Report, cancel: CancelToken | None
) -> Located:
    """Where hits begin and end, in any order."""
    parts, done, total = [], 0, hits.total if numbers is None else len(numbers)
    for some, located in hits.chunks(numbers, cancel):
        done += len(some)
        report(Progress("Looking up occurrences", done, total, "occurrences"))
        parts.append(hits.measured(located if chosen is None else located[chosen[located.documents]], cancel))
    return Located.join(parts)
