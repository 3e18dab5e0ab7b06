"""The cards of documents next to a traced text, as values. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.backends.metadata import flat_metadata
from explorer.documents.document import document_title
from explorer.gui.screens.trace.describe import held_text, relevance_hint
from explorer.gui.text_positions import cell_text, one_line
from explorer.i18n import tr
from explorer.trace.documents import Snippet, TraceDocument

_BEFORE = 60
"""Characters of a card's text before the match."""


@dataclass(frozen=True)
class Card:
    """The content of a card: `text` is the snippet on one line, its match at [start, end); `hint` is the tool tip."""

    document: TraceDocument
    title: str
    facts: str
    hint: str
    text: str
    start: int
    end: int


def make_cards(
    documents: tuple[TraceDocument, ...],
    spans: frozenset[int] | None = None,
    fold: bool = False,
    rule: str = "share",
) -> tuple[Card, ...]:
    """Make the cards of documents.

    Parameters
    ----------
    documents
        The documents, best first.
    spans
        Numbers of the chosen spans: each card shows the longest of them that its document contains. None: its longest
        passage.
    fold
        Whether documents of one source (the same address, or the same words around the match) share a card.
    rule
        The measure of relevance.

    Returns
    -------
    tuple[Card, ...]
        The cards, in the order of the documents.
    """
    if not fold:
        return tuple(_card(document, spans, rule) for document in documents)
    groups: dict[str, list[TraceDocument]] = {}
    for document in documents:
        groups.setdefault(_source(document, spans), []).append(document)
    return tuple(_card(group[0], spans, rule, len(group) - 1) for group in groups.values())


def _source(document: TraceDocument, spans: frozenset[int] | None) -> str:
    flat = flat_metadata(document.metadata)
    for key in ("url", "source_url", "warc_url"):
        if isinstance(flat.get(key), str) and flat[key]:
            return f"url {flat[key]}"
    return f"text {' '.join(shown_snippet(document, spans).text.split())}"


def shown_snippet(document: TraceDocument, spans: frozenset[int] | None) -> Snippet:
    """Choose the text that a document's card shows.

    Parameters
    ----------
    document
        The document.
    spans
        Numbers of the chosen spans; None for all.

    Returns
    -------
    Snippet
        The snippet with the longest match of them.
    """
    if spans is None:
        return document.longest
    mine = [snippet for snippet in document.snippets if snippet.span in spans]
    return max(mine, key=lambda snippet: snippet.match_end - snippet.match_start, default=document.longest)


def _card(document: TraceDocument, spans: frozenset[int] | None, rule: str, folded: int = 0) -> Card:
    snippet = shown_snippet(document, spans)
    before, match, after = _parts(snippet)
    facts = tr(
        "{level} relevance · {held} · document {number:,}, token {offset:,}",
        level=tr(document.level),
        held=held_text(document),
        number=document.number + 1,
        offset=snippet.offset + 1,
    )
    if folded:
        facts = tr("{folded:,} more from the same source · {facts}", folded=folded, facts=facts)
    return Card(
        document,
        cell_text(document_title(document.metadata, document.number)),
        facts,
        relevance_hint(document, rule),
        before + match + after,
        len(before),
        len(before) + len(match),
    )


def _parts(snippet: Snippet) -> tuple[str, str, str]:
    """The snippet on one line, its left side cut so that the match is always in view."""
    before = one_line(snippet.text[: snippet.match_start])
    if len(before) > _BEFORE:
        before = "…" + before[-_BEFORE:]
    match = cell_text(snippet.text[snippet.match_start : snippet.match_end])
    return before, match, cell_text(snippet.text[snippet.match_end :])
