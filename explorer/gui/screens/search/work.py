"""The requests and answers of the search screen, off the interface thread."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal
from weakref import WeakSet

import numpy as np

from explorer.analyses.metadata.values import plain_value, show_value
from explorer.analyses.search.arrange import LineSettings
from explorer.analyses.search.chosen import kept_lines, numbers_of, without_places
from explorer.analyses.search.concordance import Concordance, ConcordanceLine, ConcordanceRequest, concordance
from explorer.analyses.search.cuts import cuts_of
from explorer.analyses.search.find import QueryOptions, QueryResult, find_query
from explorer.analyses.search.language import parse
from explorer.analyses.search.nearby import Mark, MarkedLine, Nearby, marked_lines
from explorer.backends.documents.document import document_title
from explorer.backends.metadata import flat_metadata
from explorer.backends.places import HitPlace
from explorer.backends.protocol.protocol import Backend, TextMatches
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.corpus import Corpus
from explorer.corpus.results import Concordance as StatedLines
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.search.concordance import of_lines
from explorer.export.provenance import Facts, line_facts, query_facts
from explorer.gui.screens.search.query.cuts import CutChip, chips_of_cuts, chips_of_variants
from explorer.gui.style.direction import reads_right_to_left
from explorer.i18n import tr
from explorer.text.patterns.charset import WORD, kind_of
from explorer.text.patterns.pattern import Pattern

Unit = Literal["fill", "words", "characters"]
PAGE = 64
MOST_WIDTH = 500
"""The most words or characters of context that can be chosen."""
TOKENS_PER_WORD = 3
"""Tokens that are read for each word of a context. Where words are longer, a context has fewer of them."""
MOST_JOINED = 40
"""Characters of the rest of a word that are shown with a match."""


@dataclass(frozen=True)
class Layout:
    """How lines are shown: `width` on each side, and metadata fields as columns.

    unit: of the width; one that fills its column has room for `width` characters. nearby: the other clauses of the
    query, which are marked and included in the contexts.
    """

    width: int = 80
    unit: Unit = "fill"
    fields: tuple[str, ...] = ()
    nearby: Nearby | None = None

    @property
    def characters(self) -> bool:
        """Whether `reach` counts characters instead of tokens."""
        return self.unit == "characters"

    @property
    def reach(self) -> int:
        """Tokens, or characters, that are read on each side."""
        if self.unit == "words":
            return (self.width + 1) * TOKENS_PER_WORD
        # Two characters per token fill a column in almost every text. Reading as many tokens as that many characters
        # may have at most would take eight times as long.
        return self.width if self.characters else self.width // 2


@dataclass(frozen=True, slots=True)
class Row:
    """One line with the name of its document and the wanted fields as text.

    right_to_left: the following context is on the left of the match. before, after: marks in the preceding and
    following context. head, tail: the rest of the word that the match begins or ends in; the contexts have it too.
    """

    line: ConcordanceLine
    title: str
    fields: tuple[str, ...] = ()
    right_to_left: bool = False
    before: tuple[Mark, ...] = ()
    after: tuple[Mark, ...] = ()
    head: str = ""
    tail: str = ""

    @property
    def first(self) -> bool:
        """Whether nothing precedes the match in its document."""
        return not self.line.left.strip() and not self.line.offset

    @property
    def last(self) -> bool:
        """Whether nothing follows the match in its document."""
        return not self.line.right


@dataclass(frozen=True)
class PageRequest:
    """Rows [first, last) of a concordance in a layout."""

    concordance: Concordance
    first: int
    last: int
    layout: Layout


@dataclass(frozen=True)
class QueryRequest:
    """A query as it was typed, and the corpus at that moment."""

    corpus: Corpus
    text: str
    options: QueryOptions


@dataclass(frozen=True, eq=False)
class Handled:
    """What the user did with lines.

    kept, name: Exactly these lines are listed, those of a saved set of this name; None: the hits of the query.
    deleted: Lines that are left out.
    touched: Lines with a mark or a note.
    numbers: The numbers of their hits, as far as they are known.
    """

    kept: tuple[HitPlace, ...] | None = None
    name: str = ""
    deleted: tuple[HitPlace, ...] = ()
    touched: tuple[HitPlace, ...] = ()
    numbers: Mapping[HitPlace, int] = field(default_factory=dict)

    def hints(self, places: Sequence[HitPlace]) -> list[int]:
        """The numbers of the hits at some places, -1 where they are not known."""
        return [self.numbers.get(place, -1) for place in places]


@dataclass(frozen=True)
class LinesRequest:
    """The hits of a query as lines; options: how it was asked."""

    corpus: Corpus
    found: QueryResult
    options: QueryOptions
    view: LineSettings
    layout: Layout
    handled: Handled = field(default_factory=Handled)


@dataclass(frozen=True)
class LinesAnswer:
    """Lines and their first page.

    full: the lines before some were deleted. unlisted: marked or annotated lines that are not among them.
    """

    request: LinesRequest
    lines: Concordance
    first_rows: tuple[Row, ...]
    full: Concordance | None = None
    unlisted: frozenset[HitPlace] = frozenset()


def facts_of(answer: LinesAnswer) -> Facts:
    """State the query, and how its lines were chosen and ordered: of lines, of what is counted in them, and of their
    figures."""
    request, handled = answer.request, answer.request.handled
    deleted = 0 if answer.full is None else len(answer.full) - len(answer.lines)
    kept = () if handled.kept is None else (("lines of the set", handled.name), ("lines in the set", len(handled.kept)))
    more = (*kept, *((("lines deleted by hand", deleted),) if deleted else ()))
    return (
        *query_facts(request.found),
        *line_facts(request.view, answer.lines),
        *((name, str(value)) for name, value in more),
    )


def stated_lines(answer: LinesAnswer) -> StatedLines:
    """The lines as the library returns them, with what is known of their choice."""
    corpus = answer.request.corpus
    return of_lines(answer.lines, corpus.columns, Origin(corpus.index, facts_of(answer)))


_WORD = re.compile(r"[\u3000-\u9fff]|(?:(?![\u3000-\u9fff])[\w\u0080-\U0010ffff])+")
_prepared: WeakSet[Backend] = WeakSet()
"""Indexes in which a text was looked for before: what that needs of the vocabulary is known."""
_NOWHERE = "\ufdd0"
"""A character that no text has: Unicode reserves it for internal use."""


def prepare(index: Backend, report: Report, cancel: CancelToken) -> None:
    """Read what text queries need of an index, once: its vocabulary. Takes a second or less."""
    if index not in _prepared:
        report(Progress(tr("Reading the vocabulary"), 0, 0))
        # Any search makes the tables of the vocabulary, and the index keeps them.
        index.hits.find_text(Pattern(_NOWHERE), cancel=cancel)
        # Last: after a cancellation, the next query reads again.
        _prepared.add(index)


def count_within_words(request: LinesRequest, cancel: CancelToken) -> int:
    """Count the hits of a query of one clause as if parts of words counted, too."""
    phrases, options = request.found.parsed.clauses[0], request.options
    patterns = [replace(options.pattern(phrase), whole_words=False) for phrase in phrases]
    return request.corpus.index.hits.find_text(*patterns, cancel=cancel).count


def cuts_found(answer: LinesAnswer, cancel: CancelToken) -> tuple[tuple[CutChip, ...], int]:
    """Find out how the tokenizer split the hits of a query of one phrase.

    Returns: The most frequent ways, and the number of all others; none for a query of several phrases.
    """
    found, index = answer.request.found, answer.request.corpus.index
    if not found.parsed.plain:
        return (), 0
    phrase = found.clauses[0].phrases[0]
    if phrase.variants:
        return chips_of_variants(phrase.variants), 0
    cuts = cuts_of(index, phrase.parts[0], cancel=cancel) if isinstance(phrase.parts[0], TextMatches) else None
    return chips_of_cuts(index, cuts) if cuts is not None else ((), 0)


def find(request: QueryRequest, report: Report, cancel: CancelToken) -> QueryResult:
    """Find and count. Runs off the interface thread.

    request: The query. If it has fewer clauses than the chosen number, the places of the last one are listed.
    Raises `CorpusError` if the query cannot be parsed or answered.
    """
    options = request.options
    if options.match != "tokens":
        prepare(request.corpus.index, report, cancel)
    if options.node is not None:
        # Parsed once more by the search; here it is for the number of clauses.
        clauses = parse(request.text, options.match).clauses
        options = replace(options, node=min(options.node, len(clauses) - 1))
    return find_query(request.corpus.index, request.text, options, report, cancel)


def arrange_lines(request: LinesRequest, report: Report, cancel: CancelToken) -> LinesAnswer:
    """Choose and order the lines, and read the first page. Runs off the interface thread.

    request: The hits, the view and the layout.
    """
    corpus, found, kept = request.corpus, request.found, request.handled.kept
    if kept is not None:
        lines = kept_lines(corpus.index, kept, request.view, found.parts, corpus.columns, report, cancel)
    else:
        wanted = ConcordanceRequest(found.parts, found.numbers, request.view)
        lines = concordance(corpus.index, wanted, corpus.columns, report, cancel)
    return leave_out(request, lines, cancel)


def leave_out(request: LinesRequest, full: Concordance, cancel: CancelToken) -> LinesAnswer:
    """Leave out deleted lines, and read the first page. Runs off the interface thread."""
    handled = request.handled
    lines = without_places(full, handled.deleted, handled.hints(handled.deleted), cancel)
    # With the first page, so that new lines appear together with their texts.
    rows = fetch_rows(PageRequest(lines, 0, min(PAGE, len(lines)), request.layout))
    return LinesAnswer(request, lines, rows, full, _unlisted(full, handled, cancel))


def _unlisted(lines: Concordance, handled: Handled, cancel: CancelToken) -> frozenset[HitPlace]:
    """Marked and annotated places that filters or a sample leave out."""
    numbers, touched = lines.arranged.numbers, handled.touched
    if numbers is None or not touched:
        return frozenset()
    found = numbers_of(lines.hits, touched, handled.hints(touched), numbers, cancel)
    listed = np.isin(found, numbers)
    return frozenset(place for place, there in zip(touched, listed.tolist(), strict=True) if not there)


def places_of(lines: Concordance, numbers: Sequence[int]) -> tuple[tuple[HitPlace, int], ...]:
    """Look up some lines. Runs off the interface thread."""
    wanted = np.array(numbers, dtype=np.int64)
    order = lines.arranged.numbers
    hits = wanted if order is None else order[wanted]
    located = lines.hits.measured(lines.hits.locate(hits))
    return tuple(zip(located.hits(), hits.tolist(), strict=True))


def fetch_rows(request: PageRequest) -> tuple[Row, ...]:
    """Some rows with their documents' names."""
    layout = request.layout
    lines = request.concordance.lines(request.first, request.last, layout.reach, layout.characters)
    if layout.unit == "words":
        lines = _in_words(request.concordance, lines, layout)
    # One request for all rows: each one to a remote index waits for its answer.
    records = request.concordance.all_metadata(lines)
    marked = [MarkedLine(line) for line in lines]
    if layout.nearby is not None:
        marked = marked_lines(request.concordance.index, lines, layout.nearby, layout.reach, layout.characters)
    return tuple(_row(layout, *row) for row in zip(marked, records, strict=True))


def _in_words(concordance: Concordance, lines: list[ConcordanceLine], layout: Layout) -> list[ConcordanceLine]:
    """The lines with as many words on each side as the layout has; those with long words are read again, wider."""
    # Tokens are read, words are counted: how many words they make is known only afterwards.
    reach = layout.reach
    short = [place for place, line in enumerate(lines) if _lacks_words(line, layout.width)]
    # Ends: a document is finite, and what did not grow is dropped.
    while short:
        reach *= 2
        wider = concordance.lines_at([lines[place].number for place in short], reach)
        before, lines = lines, list(lines)
        for place, line in zip(short, wider, strict=True):
            lines[place] = line
        short = [place for place in short if _lacks_words(lines[place], layout.width, before[place])]
    return [words_around(line, layout.width) for line in lines]


def _lacks_words(line: ConcordanceLine, words: int, before: ConcordanceLine | None = None) -> bool:
    """Whether a side has too few words although its document has more; before: the line as it was read before."""
    read = (None, None) if before is None else (before.left, before.right)
    # One more than are wanted, since the farthest may be cut. What is not longer than before ends with its document.
    return any(
        side != old and sum(1 for _ in islice(_WORD.finditer(side), words + 1)) <= words
        for side, old in zip((line.left, line.right), read, strict=True)
    )


def words_around(line: ConcordanceLine, words: int) -> ConcordanceLine:
    """A line whose contexts are cut to a number of words.

    line: The line with at least as many words on each side, or all there are.
    words: The words to keep. In scripts without spaces, each character counts as one.
    """
    # From the match outwards, so that the word next to it is never the one that is cut.
    ends = [found.end() for found in islice(_WORD.finditer(line.right), words)]
    starts = [found.start() for found in _WORD.finditer(line.left)]
    left = line.left[starts[-words] :] if len(starts) > words else line.left
    return replace(line, left=left, right=line.right[: ends[-1]] if len(ends) == words else line.right)


def _row(layout: Layout, marked: MarkedLine, record: dict[str, Any]) -> Row:
    flat = flat_metadata(record) if layout.fields else {}
    fields = tuple(show_value(plain_value(flat.get(field))) for field in layout.fields)
    line = marked.line
    # The match decides; where it has no letter, its surroundings do.
    right_to_left = reads_right_to_left(line.match, line.right, line.left)
    title = document_title(record, line.document)
    return Row(line, title, fields, right_to_left, marked.left, marked.right, *rest_of_word(line))


def rest_of_word(line: ConcordanceLine) -> tuple[str, str]:
    """The characters of the word that the match begins in, before it, and of the one that it ends in, after it."""
    head, tail = 0, 0
    if line.match and kind_of(ord(line.match[0])) == WORD:
        # With a limit, since letters without a space may fill the whole context.
        before = line.left[-MOST_JOINED:]
        while head < len(before) and kind_of(ord(before[-1 - head])) == WORD:
            head += 1
    if line.match and kind_of(ord(line.match[-1])) == WORD:
        after = line.right[:MOST_JOINED]
        while tail < len(after) and kind_of(ord(after[tail])) == WORD:
            tail += 1
    # Not left[-head:], which is the whole context if the head is empty.
    return line.left[len(line.left) - head :], line.right[:tail]
