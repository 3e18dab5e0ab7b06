"""Exactly one part of a text, whatever its length and however often it occurs."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.corpus.index import Index
from explorer.errors import QueryError
from explorer.jobs import CancelToken
from explorer.search.hits import Hits
from explorer.search.query import find_phrase
from explorer.trace.documents import Occurrence, Ranked, TraceDocument, drawn, rank_documents
from explorer.trace.settings import TraceSettings
from explorer.words import tr

MOST_SELECTED = 20_000
"""Characters of a selection."""


@dataclass(frozen=True)
class Selection:
    """A selected text: its occurrences (also after a space), and some documents that contain it."""

    text: str
    count: int
    documents: tuple[TraceDocument, ...]
    patterns: tuple[tuple[int, ...], ...]


def trace_selection(
    index: Index,
    text: str,
    whole: str,
    prompt: str = "",
    settings: TraceSettings | None = None,
    cancel: CancelToken | None = None,
) -> Selection:
    """Count a selected text and look up some of its documents, ranked by relevance to the whole."""
    settings, cancel = settings or TraceSettings(), cancel or CancelToken()
    if len(text) > MOST_SELECTED:
        raise QueryError(
            tr(
                "At most {most_selected:,} characters can be selected at once, not {count:,}.",
                most_selected=MOST_SELECTED,
                count=len(text),
            )
        )
    phrase = find_phrase(index, text.strip(), ("space",))
    hits = Hits(index, phrase.parts)
    located = hits.locate(drawn(index, hits.total, settings))
    kept = ~index.is_left_out(located.documents)
    rows = zip(
        located.documents[kept].tolist(), located.offsets[kept].tolist(), located.lengths[kept].tolist(), strict=True
    )
    occurrences = [Occurrence(0, document, offset, length) for document, offset, length in rows]
    ranked = Ranked(whole, prompt, index.tokenizer.encode_with_offsets(whole))
    documents = rank_documents(index, ranked, occurrences[: settings.documents_per_span], settings, cancel)
    return Selection(text, phrase.count, documents, tuple(part.ids for part in phrase.parts))
