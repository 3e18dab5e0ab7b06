"""Where hits are in a corpus, and which parts of a text occur in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.search.find import QueryOptions, QueryResult
from explorer.analyses.search.hits import Hits
from explorer.analyses.search.limits import whole_number
from explorer.analyses.trace.settings import TraceSettings, WordBoundaries
from explorer.analyses.trace.spans import (
    SpanRequest,
    TokenSpan,
    delimiter_mask,
    keep_rarest,
    maximal_spans,
    word_starts,
)
from explorer.backends.protocol.protocol import Backend, Matches, TextMatches
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.search.located import Located
from explorer.corpus.search import queries
from explorer.corpus.types import Query
from explorer.errors import QueryError
from explorer.export.provenance import query_facts
from explorer.i18n import mark
from explorer.text.tokens.tokenizer import Encoded

Numbers = NDArray[np.int64]


class CorpusPlaces:
    """Places of hits and spans in a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend

    def locate(
        self,
        found: Query | Matches | TextMatches | QueryResult,
        first: int = 0,
        last: int | None = None,
        *,
        sample: int = 0,
        seed: int = 0,
    ) -> Located:
        """Find the documents and places of hits.

        Parameters
        ----------
        found
            A literal text or token ids, as in `count`; or what `find` or `search` gave.
        first
            The first hit, from 0, in the order of the index: by what follows, shard by shard.
        last
            One past the last hit; None for all.
        sample
            How many of them to draw; 0 for all.
        seed
            Decides which ones are drawn.

        Returns
        -------
        Located
            Arrays of documents, offsets and lengths in tokens, in the order of the index; also a table.

        Raises
        ------
        QueryError
            If the query is empty, an id is not one of this index, or a number is out of range.

        Notes
        -----
        A few reads per hit. Where hits can be hidden, such as those of subtracted documents, all hits before `last`
        are looked up. Of a search whose answer is an estimate, the hits are those of its sample.

        Examples
        --------
        >>> sorted(corpus.locate("mat").document.tolist())
        [0, 2]
        >>> len(corpus.locate(corpus.search("dog AND mat"), sample=1))
        1
        """
        begin, end = whole_number(first, "first"), None if last is None else whole_number(last, "last")
        size, start = whole_number(sample, "sample"), whole_number(seed, "seed")
        hits, chosen = self._hits(found)
        numbers = _numbers(hits, chosen, begin, end)
        if 0 < size < len(numbers):
            drawn = np.random.default_rng(start).choice(len(numbers), size, replace=False)
            numbers = numbers[np.sort(drawn)]
        places = hits.measured(hits.locate(numbers))
        query = query_facts(found) if isinstance(found, QueryResult) else (("query", _shown(found)),)
        part = (("first", str(begin)), *((("last", str(end)),) if end is not None else ()))
        asked = (*query, *part, ("sample", str(size)), ("seed", str(start)))
        return Located(places.documents, places.offsets, places.lengths, Origin(self.index, asked))

    def _hits(self, found: Query | Matches | TextMatches | QueryResult) -> tuple[Hits, Numbers | None]:
        """The hits, and which of them are meant; None for all."""
        if isinstance(found, QueryResult):
            return Hits(self.index, found.parts), found.numbers
        if isinstance(found, Matches | TextMatches):
            return Hits(self.index, (found,)), None
        options = QueryOptions(match="text")
        return Hits(self.index, queries.parts(self.index, found, options)), None

    def spans(
        self,
        text: Query,
        *,
        min_length: int = 1,
        max_count: int = 1_000_000,
        delimiters: Sequence[str | int] = (),
        word_boundaries: WordBoundaries = "off",
    ) -> list[TokenSpan]:
        """Find the longest parts of a text that occur: those that no other contains.

        Parameters
        ----------
        text
            The text, which is tokenized as it is, or its token ids; may be empty.
        min_length
            The least tokens of a span, from 1.
        max_count
            The most occurrences of a span, from 1.
        delimiters
            Tokens that may end a span but not occur inside it: texts, each a whole token, or ids.
        word_boundaries
            Where spans may begin and end: "olmotrace" (by the vocabulary's spelling), "unicode" (by the characters
            around; not for ids) or "off" (at every token).

        Returns
        -------
        list[TokenSpan]
            The spans by their start, with counts and rarity.

        Raises
        ------
        QueryError
            If an id is not one of this index, or an option is out of range.

        Notes
        -----
        A pass over the text for the longest matches, and a search per span. `trace` keeps the rarest of these spans
        and finds their documents. The rules are those of J. Liu et al., "OLMoTrace", 2025; the answer is that of
        `attribute` in the infini-gram package, which takes ids.

        Examples
        --------
        >>> [(span.start, span.end, span.count) for span in corpus.spans("the cat sat on a mat", min_length=2)]
        [(0, 4, 2)]
        """
        # The rules for numbers and names are those of traces.
        checked = TraceSettings(min_length=min_length, max_count=max_count, word_boundaries=word_boundaries)
        encoded = _encoded(self.index, text, word_boundaries)
        ids = encoded.ids
        request = SpanRequest(
            ids=ids,
            longest=self.index.counts.longest_matches(ids),
            may_begin=_beginnings(self.index, text, encoded, word_boundaries),
            delimiter=_delimiters(self.index, ids, delimiters),
            min_length=checked.min_length,
            max_count=checked.max_count,
        )
        # All of them, with their rarity: there are at most as many spans as tokens.
        return keep_rarest(self.index, ids, maximal_spans(self.index, request), 1.0)


def _encoded(index: Backend, text: Query, rule: WordBoundaries) -> Encoded:
    if isinstance(text, str):
        return index.tokenizer.encode_with_offsets(text)
    if rule == "unicode":
        raise QueryError(
            mark("Words are told apart by their characters, which token ids do not have."),
            reason="ids-have-no-words",
        )
    ids = index.counts.check_ids(text, allow_empty=True)
    none = np.zeros(len(ids), dtype=np.int64)
    return Encoded(ids, none, none)


def _beginnings(index: Backend, text: Query, encoded: Encoded, rule: WordBoundaries) -> NDArray[np.bool_]:
    # Without a rule, an index without a tokenizer can be asked.
    if rule == "off":
        return np.ones(len(encoded.ids), dtype=np.bool_)
    return word_starts(text if isinstance(text, str) else "", encoded, index.tokenizer, rule)


def _delimiters(index: Backend, ids: Numbers, delimiters: Sequence[str | int]) -> NDArray[np.bool_]:
    """Which tokens are delimiters."""
    texts = tuple(each for each in delimiters if isinstance(each, str))
    numbers = index.counts.check_ids([each for each in delimiters if not isinstance(each, str)], True)
    found = np.isin(ids, numbers)
    return found | delimiter_mask(ids, index.tokenizer, texts) if texts else found


def _numbers(hits: Hits, chosen: Numbers | None, first: int, last: int | None) -> Numbers:
    """The numbers of the hits from `first` to `last`, of those that are shown."""
    if chosen is not None:
        # Those that AND and NOT left are shown, all of them.
        return chosen[first:last]
    if not hits.sieved:
        return np.arange(first, hits.total if last is None else min(last, hits.total), dtype=np.int64)
    parts, done = [np.empty(0, dtype=np.int64)], 0
    for numbers, _ in hits.chunks():
        parts.append(numbers[max(0, first - done) : None if last is None else max(0, last - done)])
        done += len(numbers)
        if last is not None and done >= last:
            break
    return np.concatenate(parts)


def _shown(found: Query | Matches | TextMatches) -> str:
    """A query as a fact about its hits."""
    if isinstance(found, Matches):
        return queries.shown(found.ids)
    if isinstance(found, TextMatches):
        return " | ".join(str(pattern.text) for pattern in found.patterns)
    return queries.shown(found)
