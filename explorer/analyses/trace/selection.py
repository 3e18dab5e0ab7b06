"""Exactly one part of a text, whatever its length and however often it occurs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from explorer.analyses.search.hits import Hits
from explorer.analyses.search.needle import Needle
from explorer.analyses.search.query import find_phrase, find_text_phrase
from explorer.analyses.trace.documents import TraceDocument, rank_documents
from explorer.analyses.trace.in_source import documents_in_source
from explorer.analyses.trace.in_words import InWords
from explorer.analyses.trace.occurrences import Occurrence, Ranked, Snippet, choose_occurrences
from explorer.analyses.trace.readings import reading_in
from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.trace.spans import TokenSpan
from explorer.backends.places import Located, drawn
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.patterns.charset import is_word
from explorer.text.patterns.pattern import LONGEST, Pattern

MOST_SELECTED = 20_000
"""Characters of a selection."""


@dataclass(frozen=True)
class Selection:
    """A selected part of a text.

    as_tokens: Whether the part is too long to be looked for as text, so that only occurrences that the tokenizer splits
        in the same way are counted.
    """

    text: str
    count: int
    documents: tuple[TraceDocument, ...]
    needle: Needle
    as_tokens: bool


def selected_pattern(text: str) -> Pattern:
    """Make a pattern of a selected text: whole words, unless it begins or ends with something else.

    The selected word `art` is not in "start"; before a selected comma there is a word, as a rule.
    """
    text = text.strip()
    return Pattern(text, whole_words=bool(text) and is_word(ord(text[0])) and is_word(ord(text[-1])))


def select_words(
    index: Backend,
    words: Backend,
    text: str,
    whole: str,
    prompt: str = "",
    settings: TraceSettings | None = None,
    cancel: CancelToken | None = None,
) -> Selection:
    """Count the words of a selected part of a text, and find some of its documents.

    Returns: The number of occurrences of these words in a row, and documents by relevance.
    Raises `QueryError` if the part is too long or contains no words.
    """
    settings, cancel = settings or TraceSettings(), cancel or CancelToken()
    _check_length(text)
    ids = words.tokenizer.encode(text)
    if not len(ids):
        raise QueryError(mark("The selected text has no words."), reason="no-text-given")
    found = words.hits.find(ids)
    reader = InWords.of(index, words)
    reading = reading_in(words, whole, settings.read, cancel)
    encoded = words.tokenizer.encode_with_offsets(reading.text)
    # The selection is the only span, so its number is 0.
    span = [TokenSpan(0, len(ids), found.count)]
    occurrences = choose_occurrences(words, ids, span, settings, cancel)
    ranked = Ranked(reader.only_words(reading.text, encoded), reader.query(prompt), encoded, open=reader.open)
    documents = reader.with_tokens(rank_documents(words, ranked, occurrences, settings, cancel))
    if reading.mode != "plain":
        documents = documents_in_source(documents, reading)
    # Not the longest passage of each, which is one of the whole text.
    needle = spelled_needle(snippet for document in documents for snippet in document.snippets)
    return Selection(text, found.count, documents, needle, False)


def spelled_needle(snippets: Iterable[Snippet]) -> Needle:
    """Look for what was found in words, as documents write it.

    Returns: The matches of the snippets; a long one in parts, since a pattern has a limit.
    """
    texts = dict.fromkeys(snippet.text[snippet.match_start : snippet.match_end] for snippet in snippets)
    parts = [text[first : first + LONGEST] for text in texts for first in range(0, len(text), LONGEST)]
    return Needle(patterns=tuple(Pattern(part) for part in dict.fromkeys(parts)))


def _check_length(text: str) -> None:
    if len(text) > MOST_SELECTED:
        raise QueryError(
            mark("At most {most:,} characters can be selected at once, not {count:,}."),
            reason="selection-too-long",
            most=MOST_SELECTED,
            count=len(text),
        )


def trace_selection(
    index: Backend,
    text: str,
    whole: str,
    prompt: str = "",
    settings: TraceSettings | None = None,
    cancel: CancelToken | None = None,
) -> Selection:
    """Count a selected part of a text, and find some of its documents.

    settings: Documents per span, and the measure of relevance; None for the defaults.
    Returns: The number of occurrences, and documents by relevance.
    Raises `QueryError` if the part is too long or contains no text.
    """
    settings, cancel = settings or TraceSettings(), cancel or CancelToken()
    _check_length(text)
    # A selection is looked for as text, whatever the tokenizer makes of it; only one that is too long for a pattern is
    # looked for as tokens.
    pattern = selected_pattern(text)
    as_tokens = len(pattern.text) > LONGEST
    phrase = find_phrase(index, pattern.text, ("space",)) if as_tokens else find_text_phrase(index, pattern, cancel)
    hits = Hits(index, phrase.parts)
    # Some hits may never be shown. Of four times as many, enough are left as a rule.
    wanted = settings.documents_per_span * (4 if hits.sieved else 1)
    # Drawn from all hits, hidden ones included, since numbers are given to all.
    numbers = drawn(hits.total, wanted, settings.seed)
    located = Located.join([some for _, some in hits.chunks(numbers, cancel)])
    places = hits.measured(located, cancel).hits()
    # The selection is the only span, so its number is 0.
    occurrences = [Occurrence(0, place.document, place.offset, place.length) for place in places]
    # Places ascend, so the first ones alone would always be of the first documents.
    chosen = drawn(len(occurrences), settings.documents_per_span, settings.seed).tolist()
    # Without spans of the whole text: those of other parts do not concern the selection.
    reading = reading_in(index, whole, settings.read, cancel)
    ranked = Ranked(reading.text, prompt, index.tokenizer.encode_with_offsets(reading.text))
    documents = rank_documents(index, ranked, [occurrences[number] for number in chosen], settings, cancel)
    if reading.mode != "plain":
        documents = documents_in_source(documents, reading)
    return Selection(text, phrase.count, documents, Needle.of(phrase.parts), as_tokens)
