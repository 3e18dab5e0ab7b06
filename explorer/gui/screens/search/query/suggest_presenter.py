"""Offers queries that find something: examples before the first one, and the nearest ones after one in vain. No Qt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from explorer.analyses.search.find import QueryOptions, find_query
from explorer.analyses.search.language import quoted
from explorer.backends.documents.document import Document
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Kind
from explorer.corpus import Corpus
from explorer.errors import QueryError
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.search.work import LinesAnswer
from explorer.gui.settings.matching import Matching
from explorer.gui.style.direction import isolated
from explorer.gui.style.text_positions import short_text
from explorer.i18n import numeral, tr
from explorer.text.patterns.equates import EQUATES

# Queries that are offered at once, and tokens of a document that are read to find examples.
MOST = 3
_READ_TOKENS = 300
# Letters of any script, without digits and underscores.
_WORD = re.compile(r"[^\W\d_]{4,20}")
_PAIR = re.compile(r"[^\W\d_]{4,20} [^\W\d_]{4,20}")


@dataclass(frozen=True)
class Suggestion:
    """A query to ask.

    label: The words of its button.
    matching: How it is matched; None: as chosen.
    unfiltered: Whether it is asked without filters.
    """

    label: str
    text: str
    matching: Matching | None = None
    unfiltered: bool = False


@dataclass(frozen=True, eq=False)
class SuggestState:
    """What is offered.

    examples: Queries that find something in the open index, with their numbers of hits.
    nearest: What finds something in place of the newest query, which finds nothing.
    """

    examples: tuple[Suggestion, ...] = ()
    nearest: tuple[Suggestion, ...] = ()


class SuggestPresenter(Presenter[SuggestState]):
    """Looks for queries to offer.

    options: How queries are matched now.
    ask: Asks a query that was chosen.
    """

    def __init__(
        self, services: Services, options: Callable[[], QueryOptions], ask: Callable[[Suggestion], None]
    ) -> None:
        super().__init__(SuggestState())
        self._options, self._ask = options, ask
        self._corpus: Corpus | None = None
        # What the examples were looked for in, and how they were matched.
        self._looked: tuple[Corpus, QueryOptions] | None = None
        self._reader, self._counter = (
            services.slot(name, timed=False, kind=Kind.LATER) for name in ("examples", "nearest")
        )

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Look for examples in another index."""
        self._corpus = corpus
        # Both slots: what was found in the other index must not be offered for this one.
        self._forget_examples()
        self.forget()

    def run(self) -> None:
        """Look for examples, unless they are known. Their numbers are those of the present way of matching."""
        corpus, options = self._corpus, self._options()
        if corpus is None or self._looked == (corpus, options):
            return
        self._forget_examples()
        self._looked = corpus, options
        self._reader.run(
            lambda cancel: examples_of(corpus.index, options, cancel),
            lambda found: self.change(examples=found),
            _nothing,
        )

    def _forget_examples(self) -> None:
        self._reader.cancel()
        self._looked = None
        self.change(examples=())

    def look_near(self, answer: LinesAnswer, text: str, matching: Matching) -> None:
        """Look for what finds something, if there are no lines."""
        self.forget()
        if not len(answer.lines):
            self._counter.run(
                lambda cancel: nearest_to(answer, text, matching, cancel),
                lambda found: self.change(nearest=found),
                _nothing,
            )

    def forget(self) -> None:
        """Another query is asked."""
        self._counter.cancel()
        self.change(nearest=())

    def choose(self, label: str) -> None:
        """Ask the query with this label."""
        # A button knows its label only. While nothing is found, the nearest queries are the ones that are shown.
        for suggestion in (*self.state.nearest, *self.state.examples):
            if suggestion.label == label:
                self._ask(suggestion)
                return


def _nothing(error: object) -> None:
    """Offers are an extra: an index that cannot be read reports that where something was asked of it."""


def examples_of(index: Backend, options: QueryOptions, cancel: CancelToken) -> tuple[Suggestion, ...]:
    """Find a word, two words in a row, and two words near each other in the texts of an index, and count them.

    Returns: At most three queries, each of which occurs; none for texts without such words.
    """
    # A dict and not a set: the examples keep their order, from the simplest query on.
    made: dict[str, None] = {}
    total = index.document_slots
    # Not the first alone: many collections begin with a title page or a license.
    for number in dict.fromkeys((total // 2, total // 3, 0)):
        # Documents may have to be read over the network; between two of them, the work can be stopped.
        cancel.check()
        # An empty index does not even have document 0.
        if number >= total:
            continue
        text = Document(index, number).part(0, _READ_TOKENS).text
        words: list[str] = _WORD.findall(text)
        pairs = [found.group() for found in _PAIR.finditer(text)]
        # One example per document at most, so that the three show different texts.
        if not made and words:
            made[max(words, key=len)] = None
        elif len(made) == 1 and pairs:
            made[max(pairs, key=len)] = None
        elif len(made) == 2 and len(set(words)) > 2:
            longest = sorted(dict.fromkeys(words), key=lambda word: -len(word))
            made[f"{longest[0]} AND {longest[1]}"] = None
    # What finds nothing in the present way of matching is left out.
    counts = ((text, _count(index, text, options, cancel)) for text in made)
    return tuple(Suggestion(f"{text} · {count}", text) for text, count in counts if count)


def nearest_to(answer: LinesAnswer, text: str, matching: Matching, cancel: CancelToken) -> tuple[Suggestion, ...]:
    """Find out what occurs in place of a query without lines.

    Returns: At most three queries that have hits, with their numbers.
    """
    found, index = answer.request.found, answer.request.corpus.index
    # There are hits: only the filters leave no line.
    if found.count:
        label = tr("Without filters · {hits}", hits=numeral(found.count))
        return (Suggestion(label, text, matching, unfiltered=True),)
    made: list[Suggestion] = []
    for name, query, how in _candidates(text, found.parsed.plain, matching):
        # Each candidate is a search of its own.
        cancel.check()
        count = _count(index, query, how.in_options(QueryOptions((), answer.request.options.max_distance)), cancel)
        if count:
            made.append(Suggestion(f"{name} · {count}", query, how))
        if len(made) == MOST:
            break
    return tuple(made)


def _candidates(text: str, plain: bool, matching: Matching) -> Iterator[tuple[str, str, Matching]]:
    """Other ways to ask, the nearest first: their names, queries, and how they are matched."""
    if matching.match == "tokens":
        yield tr("As text"), text, replace(matching, match="text")
    else:
        if not matching.ignore_case:
            yield tr("Ignore case"), text, replace(matching, ignore_case=True)
        if not matching.equate:
            yield tr("Other spaces, quotes and forms"), text, replace(matching, equate=EQUATES)
        if matching.whole_words:
            yield tr("Parts of words"), text, replace(matching, whole_words=False)
        if matching.whole_words and not matching.ignore_case:
            yield tr("Parts of words, ignore case"), text, replace(matching, whole_words=False, ignore_case=True)
    words = text.split()
    # Each word may be a search of its own: a long text gets no such offers.
    if plain and matching.match == "text" and 1 < len(words) <= 12:
        parts = (" ".join(words[1:]), " ".join(words[:-1]), *sorted(words, key=len, reverse=True))
        # Of two words, what is left without one is the other; and a word may be there twice.
        for part in dict.fromkeys(parts):
            yield f"“{isolated(short_text(part, 30))}”", quoted(part), matching


def _count(index: Backend, query: str, options: QueryOptions, cancel: CancelToken) -> str:
    """The number of hits as it is shown; "" for none, or for a query that cannot be asked so."""
    try:
        found = find_query(index, query, options, cancel=cancel)
    # A pattern may be too broad without its borders; it is not offered then.
    except QueryError:
        return ""
    return "" if not found.count else ("" if found.exact else "≈ ") + numeral(found.count)
