"""A trace as one self-contained HTML file; every text from outside is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterator

from explorer.corpus.document import document_title, flat_metadata
from explorer.corpus.index import Index
from explorer.trace.documents import Snippet, TraceDocument
from explorer.trace.trace import Trace
from explorer.version import VERSION

_STYLE = """
body { font: 16px/1.6 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2433 }
.text { white-space: pre-wrap; border: 1px solid #c9cfda; border-radius: 6px; padding: 1rem }
mark { color: inherit; background: #d9e6fb; border-bottom: 2px dotted #2f5fb3 }
mark.medium { background: #b4cdf5; border-bottom-style: dashed }
mark.high { background: #8fb4ef; border-bottom-style: solid }
article { border-left: 6px solid #b4cdf5; padding: .2rem 1rem; margin: 1.2rem 0 }
article.high { border-color: #2f5fb3 } article.medium { border-color: #6f9be0 }
pre { white-space: pre-wrap; background: #f3f5f9; padding: .6rem; font-size: 14px }
dl { display: grid; grid-template-columns: max-content auto; gap: .2rem 1rem; font-size: 14px }
dt { color: #5a6478 } dd { margin: 0; overflow-wrap: anywhere }
"""


def trace_html(index: Index, trace: Trace) -> str:
    """The report: the text with its spans, the documents, the settings and the index."""
    return "\n".join(_page(index, trace))


def _page(index: Index, trace: Trace) -> Iterator[str]:
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Trace</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>Trace</h1>"
    yield (
        f"<p>{len(trace.spans)} spans in {trace.token_count:,} tokens, found in {len(trace.documents)} documents of "
        f"{html.escape(index.name)}. Longest match: {trace.novelty.longest_match} tokens. "
        f"Novelty (mean share of tokens not covered by matches of at least L tokens, L = 5…11): "
        f"{trace.novelty.index:.1%}.</p>"
    )
    if trace.prompt:
        yield f'<h2>Prompt</h2><div class="text">{html.escape(trace.prompt)}</div>'
    yield f'<h2>Text</h2><div class="text">{_marked_text(trace)}</div>'
    levels = "<mark class=high>high</mark> <mark class=medium>medium</mark> <mark>low</mark>"
    yield f"<p>Relevance of the best document: {levels}</p>"
    yield "<h2>Documents</h2>"
    for document in trace.documents:
        yield from _document(document)
    yield "<h2>How this was made</h2><dl>"
    facts = {
        "Program": f"Corpus Explorer {VERSION}",
        "Index": ", ".join(map(str, index.paths)),
        "Tokens, documents": f"{index.token_count:,}, {index.document_count:,}",
        "Tokenizer": f"{index.tokenizer.name} {index.tokenizer.fingerprint}",
        **{name: str(value) for name, value in vars(trace.settings).items()},
    }
    for name, value in facts.items():
        yield f"<dt>{html.escape(name)}</dt><dd>{html.escape(repr(value) if not value.strip() else value)}</dd>"
    yield "</dl></body></html>"


def _marked_text(trace: Trace) -> str:
    parts, at = [], 0
    for span in trace.merged:
        counts = ", ".join(f"{trace.spans[i].count:,}" for i in span.spans)
        parts.append(html.escape(trace.text[at : span.start]))
        marked = html.escape(trace.text[span.start : span.end])
        parts.append(f'<mark class="{span.level}" title="occurrences: {counts}">{marked}</mark>')
        at = span.end
    return "".join(parts) + html.escape(trace.text[at:])


def _document(document: TraceDocument) -> Iterator[str]:
    title = document_title(document.metadata, document.number)
    yield f'<article class="{document.level}"><h3>{html.escape(title)}</h3>'
    yield f"<p>Document {document.number:,} · {document.level} relevance · BM25 {document.score:.1f}</p><dl>"
    for name, value in flat_metadata(document.metadata).items():
        yield f"<dt>{html.escape(str(name))}</dt><dd>{html.escape(str(value))}</dd>"
    yield "</dl>"
    for snippet in document.snippets:
        yield f"<pre>{_snippet(snippet)}</pre>"
    yield "</article>"


def _snippet(snippet: Snippet) -> str:
    before, match, after = (
        html.escape(part)
        for part in (
            snippet.text[: snippet.match_start],
            snippet.text[snippet.match_start : snippet.match_end],
            snippet.text[snippet.match_end :],
        )
    )
    return f"…{before}<b>{match}</b>{after}…"
