"""The questions that assistants may ask of indexes: texts and numbers in, values of `tool_answers` out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explorer.analyses.search.concordance import ConcordanceLine
from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.measures.novelty import measure_novelty
from explorer.analyses.trace.trace import Span, Trace
from explorer.backends.documents.document import document_title
from explorer.core.jobs import CancelToken
from explorer.corpus import Corpus
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.serve.tools.tool_answers import (
    MOST_CHARACTERS,
    CountAnswer,
    DocumentAnswer,
    IndexEntry,
    IndexList,
    NewShare,
    NextToken,
    NextTokensAnswer,
    NoveltyAnswer,
    Occurrence,
    Quote,
    SearchAnswer,
    TraceAnswer,
    TracedSpan,
    as_json,
    fitted,
)
from explorer.text.graphemes import beginning, ending

MOST_TOKENS = 2_000
"""Tokens of a document in one answer."""
_AROUND, _SHORT, _NAME = 200, 600, 200
"""Characters on each side of an occurrence, of a passage, and of a name."""


class CorpusTools:
    """The questions, of some indexes.

    Notes
    -----
    Several threads may ask. Every method raises QueryError for arguments that it cannot answer, CorpusError if an index
    cannot be read, and Cancelled.

    Examples
    --------
    >>> tools = CorpusTools({"cats": corpus})
    >>> tools.count("the cat").count
    3
    >>> tools.novelty("the cat sat on a mat").longest_match
    4
    """

    def __init__(self, corpora: Mapping[str, Corpus]) -> None:
        self._corpora = dict(corpora)

    def list_indexes(self) -> IndexList:
        """List the indexes."""
        entries = [
            IndexEntry(name, corpus.token_count, corpus.document_count, corpus.index.tokenizer.name)
            for name, corpus in self._corpora.items()
        ]
        return fitted(IndexList([]), "indexes", entries)

    def count(
        self,
        text: str = "",
        ids: Sequence[int] = (),
        query: str = "",
        index: str = "",
        cancel: CancelToken | None = None,
    ) -> CountAnswer:
        """Count a literal text, token ids, or a query.

        index: The name of the index; may be left out if there is one.
        Raises `QueryError` if not exactly one of the three is given, or it cannot be read.
        """
        name, corpus = self.chosen(index)
        if sum(map(bool, (text, ids, query))) != 1:
            raise QueryError(mark("Give exactly one of text, ids and query."), reason="wrong-argument")
        exact = True
        if query:
            found = corpus.search(query, cancel=cancel)
            count, exact = found.count, found.exact
        else:
            count = corpus.count(text or list(ids))
        million = 1e6 * count / max(1, corpus.token_count)
        return CountAnswer(name, count, exact, million, "query" if query else "text" if text else "ids")

    def search(
        self,
        query: str,
        sort: str = "index",
        limit: int = 10,
        cursor: str = "",
        index: str = "",
        cancel: CancelToken | None = None,
    ) -> SearchAnswer:
        """List occurrences of a query in context.

        sort: The order, as in `Corpus.concordance`.
        limit: The most occurrences, 1 to 50.
        cursor: `next_cursor` of the page before; "" for the first page.
        index: The name of the index; may be left out if there is one.
        Raises `QueryError` if the query or the cursor cannot be read.
        """
        name, corpus = self.chosen(index)
        if not (cursor == "" or (cursor.isascii() and cursor.isdigit() and len(cursor) < 16)):
            raise QueryError(mark("The cursor must be the next_cursor of an answer."), reason="wrong-argument")
        found = corpus.search(query, cancel=cancel)
        lines = corpus.concordance(found, sort=sort, cancel=cancel)
        first = min(int(cursor or 0), len(lines))
        last = min(first + limit, len(lines))
        occurrences = [_occurrence(corpus, line) for line in lines.lines(first, last, _AROUND, characters=True)]
        after = str(last) if last < len(lines) else ""
        answer = SearchAnswer(name, found.count, found.exact, [], after, not lines.arranged.unsorted)
        return fitted(answer, "occurrences", occurrences, next_cursor=lambda kept: str(first + kept))

    def next_tokens(
        self, text: str, limit: int = 20, index: str = "", cancel: CancelToken | None = None
    ) -> NextTokensAnswer:
        """Count the tokens that follow the longest suffix of a text.

        text: The text; may be empty.
        limit: The most tokens, 1 to 100.
        index: The name of the index; may be left out if there is one.
        """
        name, corpus = self.chosen(index)
        found = corpus.infgram_next_tokens(text)
        top = found.top(limit)
        columns = (top.tokens.tolist(), top.texts, top.end_of_document.tolist(), top.counts.tolist())
        tokens = [
            NextToken(token, part[:_NAME], ends, count, count / max(1, found.total))
            for token, part, ends, count in zip(*columns, strict=True)
        ]
        answer = NextTokensAnswer(
            name, len(corpus.encode(text)), found.context_length, found.context_count, len(found), []
        )
        return fitted(answer, "tokens", tokens)

    def trace(self, text: str, max_spans: int = 20, index: str = "", cancel: CancelToken | None = None) -> TraceAnswer:
        """Find the parts of a text that occur.

        max_spans: The most spans, 1 to 50; the longest ones.
        index: The name of the index; may be left out if there is one.
        """
        name, corpus = self.chosen(index)
        found = corpus.trace(text, cancel=cancel)
        longest = sorted(found.spans, key=lambda span: (span.token_start - span.token_end, span.start))[:max_spans]
        spans = [_span(found, span) for span in longest]
        passage = found.longest_passage
        answer = TraceAnswer(
            name, found.token_count, found.coverage, passage.length if passage else 0, len(found.spans), []
        )
        return fitted(answer, "spans", spans, cut=True)

    def document(
        self,
        number: int,
        first: int = 0,
        last: int | None = None,
        index: str = "",
        cancel: CancelToken | None = None,
    ) -> DocumentAnswer:
        """Read a part of a document.

        number: The number of the document, from 0.
        first: The first token, from 0.
        last: One past the last token, at most 2,000 after the first; None for as many.
        index: The name of the index; may be left out if there is one.
        Returns: The part, shorter if its text is too long for an answer.
        Raises `QueryError` if the document does not exist, or `last` is too far.
        """
        name, corpus = self.chosen(index)
        document = corpus.document(number)
        end = first + MOST_TOKENS if last is None else last
        if not first <= end <= first + MOST_TOKENS:
            raise QueryError(
                mark("last must be from first to first + {most:,}."), reason="wrong-argument", most=MOST_TOKENS
            )
        end = min(end, document.token_count)
        first = min(first, end)
        part = document.part(first, end)
        source = document_title(document.metadata, number)[:_NAME]

        def answer(size: int) -> DocumentAnswer:
            until = first + size
            quote = Quote(part.slice(0, size), number, first, source)
            return DocumentAnswer(
                name, document.token_count, until, until if until < document.token_count else None, quote
            )

        size = end - first
        # In proportion, since the characters of a token differ, as do those that JSON escapes.
        while size and len(as_json(answer(size))) > MOST_CHARACTERS:
            size = min(size - 1, size * MOST_CHARACTERS // len(as_json(answer(size))))
        return answer(size)

    def novelty(self, text: str, index: str = "", cancel: CancelToken | None = None) -> NoveltyAnswer:
        """Measure how much of a text is new to the corpus.

        index: The name of the index; may be left out if there is one.
        Raises `QueryError` if the text has no tokens.
        """
        name, corpus = self.chosen(index)
        ids = corpus.encode(text)
        if not len(ids):
            raise QueryError(mark("The text has no tokens."), reason="no-tokens-given")
        found = measure_novelty(corpus.index.counts.longest_matches(ids, cancel))
        shares = [NewShare(length, share) for length, share in zip(found.lengths, found.uncovered, strict=True)]
        return NoveltyAnswer(name, len(ids), found.index, found.longest_match, shares)

    def chosen(self, name: str) -> tuple[str, Corpus]:
        """The index of a name, or the only one; raises `QueryError` if there is none."""
        if not name and len(self._corpora) == 1:
            return next(iter(self._corpora.items()))
        if name not in self._corpora:
            raise QueryError(
                mark("Give the name of an index: {names}."), reason="unknown-index", names=", ".join(self._corpora)
            )
        return name, self._corpora[name]


def _occurrence(corpus: Corpus, line: ConcordanceLine) -> Occurrence:
    title = document_title(corpus.document(line.document).metadata, line.document)[:_NAME]
    text = f"{line.left}[[{_short(line.match)}]]{line.right}"
    return Occurrence(Quote(text, line.document, line.offset, title))


def _span(found: Trace, span: Span) -> TracedSpan:
    text = found.text[span.start : span.end]
    return TracedSpan(
        _short(text), span.start, span.end, span.token_end - span.token_start, span.count, _quote(found, span)
    )


def _quote(found: Trace, span: Span) -> Quote | None:
    """The span in the most relevant document that has it."""
    number = found.spans.index(span)
    document: TraceDocument | None = next((each for each in found.documents if number in each.spans), None)
    if document is None:
        return None
    place = next((each for each in document.snippets if each.span == number), document.longest)
    text = place.text
    before, match, after = text[: place.match_start], text[place.match_start : place.match_end], text[place.match_end :]
    title = document_title(document.metadata, document.number)[:_NAME]
    return Quote(
        f"{ending(before, _AROUND)}[[{_short(match)}]]{beginning(after, _AROUND)}", document.number, place.offset, title
    )


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"
