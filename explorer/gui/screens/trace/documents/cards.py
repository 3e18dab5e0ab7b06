"""The cards of documents next to a traced text, as values. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.occurrences import Snippet
from explorer.analyses.trace.trace import Trace
from explorer.backends.documents.document import document_title
from explorer.backends.metadata import flat_metadata
from explorer.gui.screens.trace.describe import held_text, relevance_hint
from explorer.gui.screens.trace.documents.choice import Group, held_runs, passages_in
from explorer.gui.screens.trace.work import TraceAnswer
from explorer.gui.style.text_positions import cell_text, flowing, one_line
from explorer.i18n import counted, mark, tr, trn
from explorer.text.graphemes import ending

_BEFORE = 60
"""Characters of a card's text before the match."""
_TITLED = ("title", "path", "url", "source", "linenum")
"""Fields that are in the title of a document, or give its place."""
_VALUES = 3
"""Values of metadata on a card."""
RELEVANCE = {"high": mark("high relevance"), "medium": mark("medium relevance"), "low": mark("low relevance")}


@dataclass(frozen=True)
class Run:
    """Characters [start, end) of a card's text that the document shares with the traced text.

    chosen: of the chosen span or passage, or the longest match on a card without a choice.
    """

    start: int
    end: int
    chosen: bool


@dataclass(frozen=True, eq=False)
class Card:
    """The content of a card. Its texts are made when they are first asked for, which is when it is painted.

    rule: The measure of relevance.
    more: Further documents from the same source.
    answer: The traced text, whose words are marked; None for a selection, of which only the match is marked.
    """

    document: TraceDocument
    shown: Snippet
    rule: str
    more: int = 0
    answer: TraceAnswer | None = None

    # A list has hundreds of cards, of which five are seen: each text is made when the card is painted, and then kept.
    @cached_property
    def title(self) -> str:
        """The name of the document."""
        return cell_text(document_title(self.document.metadata, self.document.number))

    @cached_property
    def facts(self) -> str:
        """One line of metadata."""
        more, answer = self.more, self.answer
        facts = [trn("{n:,} more from the same source", "{n:,} more from the same source", more)] if more else []
        if answer is not None:
            facts += _shared(*passages_in(answer, self.document))
        return " · ".join([*facts, *_values(self.document)]) or held_text(self.document)

    @property
    def hint(self) -> str:
        """The tool tip: its place, and how relevance is measured."""
        number, offset = self.document.number + 1, self.shown.offset + 1
        place = tr("Document {number:,}, token {offset:,}", number=number, offset=offset)
        return "\n".join([place, held_text(self.document), relevance_hint(self.document, self.rule)])

    @cached_property
    def _parts(self) -> tuple[str, str, str]:
        return _parts(self.shown)

    @property
    def text(self) -> str:
        """The snippet on one line."""
        return "".join(self._parts)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """What is marked in the text: the match, and what else the document shares."""
        # Later runs are on top, so the match comes last.
        before, match, _ = self._parts
        chosen = Run(len(before), len(before) + len(match), True)
        shared = [] if self.answer is None else held_runs(self.answer.trace, self.document)
        words = (cell_text(flowing(self.answer.trace.text[start:end])) for start, end in shared) if self.answer else ()
        return (*_others(self.text, words, chosen), chosen)


@dataclass(frozen=True)
class Divider:
    """A line between groups of cards, with what the cards below have in common."""

    title: str


Entry = Card | Divider


def make_entries(answer: TraceAnswer, groups: Iterable[Group], fold: bool) -> tuple[Entry, ...]:
    """Make the cards of groups of documents, with a divider above each group that has a title.

    fold: Whether documents of one source (the same address, or the same words around the match) share a card.
    Returns: The cards, in the order of the documents.
    """
    found: list[Entry] = []
    for group in groups:
        if group.title:
            found.append(Divider(group.title))
        for first, more in _folded(group) if fold else ((document, 0) for document in group.documents):
            shown = shown_snippet(first, group.spans)
            found.append(Card(first, shown, answer.trace.settings.relevance, more, answer))
    return tuple(found)


def selection_entries(trace: Trace, documents: tuple[TraceDocument, ...], fold: bool) -> tuple[Entry, ...]:
    """Make the cards of documents with a selected text.

    documents: The documents; the selection is their span 0.
    fold: Whether documents of one source share a card.
    Returns: The cards, in the order of the documents.
    """
    group = Group("", documents, frozenset({0}))
    rule = trace.settings.relevance
    pairs = _folded(group) if fold else ((document, 0) for document in documents)
    return tuple(Card(found, found.snippets[0], rule, more) for found, more in pairs)


def _folded(group: Group) -> Iterator[tuple[TraceDocument, int]]:
    """The first document of each source, and the number of the others."""
    # Dictionaries keep their order: the first document of each source is its best, and the sources are in its order.
    sources: dict[str, list[TraceDocument]] = {}
    for document in group.documents:
        sources.setdefault(_source(document, group.spans), []).append(document)
    return ((found[0], len(found) - 1) for found in sources.values())


def _source(document: TraceDocument, spans: frozenset[int] | None) -> str:
    flat = flat_metadata(document.metadata)
    for key in ("url", "source_url", "warc_url"):
        if isinstance(flat.get(key), str) and flat[key]:
            return f"url {flat[key]}"
    return f"text {' '.join(shown_snippet(document, spans).text.split())}"


def shown_snippet(document: TraceDocument, spans: frozenset[int] | None) -> Snippet:
    """Choose the text that a document's card shows.

    spans: Numbers of the chosen spans; None for all.
    Returns: The snippet with the longest match of them.
    """
    if spans is None:
        return document.longest
    mine = [snippet for snippet in document.snippets if snippet.span in spans]
    return max(mine, key=lambda snippet: snippet.match_end - snippet.match_start, default=document.longest)


def _shared(whole: int, parts: int) -> list[str]:
    """How many passages a document contains, and of how many only a part."""
    if not whole and not parts:
        # It was looked up for the longest match alone, which spans do not reach.
        return [tr("longest match")]
    found = [counted("passage", whole)] if whole else []
    return [*found, trn("part of {n:,} passage", "parts of {n:,} passages", parts)] if parts else found


def _values(document: TraceDocument) -> Iterator[str]:
    """Fields of metadata with their values, without those that are in the title."""
    flat = flat_metadata(document.metadata)
    # With their names: a value alone does not tell what it is.
    values = (
        tr("{name} {value}", name=name, value=cell_text(str(value)))
        for name, value in flat.items()
        if name not in _TITLED and value not in (None, "")
    )
    return (value for value, _ in zip(values, range(_VALUES), strict=False))


def _others(text: str, shared: Iterable[str], chosen: Run) -> Iterator[Run]:
    """The further places in a card's text of what its document shares with the traced text."""
    for part in shared:
        # By their words, in the text that is shown: every place of them is word for word the traced text's.
        at = text.find(part) if part.strip() else -1
        while at >= 0:
            if not (chosen.start <= at and at + len(part) <= chosen.end):
                yield Run(at, at + len(part), False)
            at = text.find(part, at + len(part))


def _parts(snippet: Snippet) -> tuple[str, str, str]:
    """The snippet on one line, its left side cut so that the match is always in view."""
    before = one_line(flowing(snippet.text[: snippet.match_start]))
    if len(before) > _BEFORE:
        # From a word on, where there is one.
        cut = before.find(" ", len(before) - _BEFORE)
        near = 0 <= cut < len(before) - _BEFORE // 2
        before = "…" + (before[cut + 1 :] if near else ending(before, _BEFORE))
    match = cell_text(flowing(snippet.text[snippet.match_start : snippet.match_end]))
    return before, match, cell_text(flowing(snippet.text[snippet.match_end :]))
