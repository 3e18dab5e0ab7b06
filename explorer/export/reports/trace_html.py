"""A trace as one self-contained HTML file; every text from outside is escaped."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.analyses.trace.as_read import as_read
from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.occurrences import Snippet
from explorer.analyses.trace.ranking import shown_share
from explorer.analyses.trace.summary import sentences, verdict
from explorer.analyses.trace.trace import Span, Trace
from explorer.backends.documents.document import document_title, shown_metadata
from explorer.backends.protocol.protocol import Backend
from explorer.export.about import facts_object
from explorer.export.provenance import Facts, index_facts, text_facts

_STYLE = """
body { font: 16px/1.6 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2433 }
.text { white-space: pre-wrap; border: 1px solid #c9cfda; border-radius: 6px; padding: 1rem }
mark { color: inherit; background: #d9e6fb; border-bottom: 2px dotted #2f5fb3 }
mark.medium { background: #b4cdf5; border-bottom-style: dashed }
mark.high { background: #8fb4ef; border-bottom-style: solid }
mark.joint { border-left: 2px solid #2f5fb3 }
.text a { color: inherit; text-decoration: none } .text a:focus mark, .text a:hover mark { outline: 2px solid #2f5fb3 }
mark[data-relevance]::after { content: attr(data-relevance); font-size: .7em; vertical-align: super; color: #2f5fb3;
  padding-left: .2em }
:target { outline: 2px solid #2f5fb3; outline-offset: .4rem }
article { border-left: 6px solid #b4cdf5; padding: .2rem 1rem; margin: 1.2rem 0 }
article.high { border-color: #2f5fb3 } article.medium { border-color: #6f9be0 }
pre { white-space: pre-wrap; background: #f3f5f9; padding: .6rem; font-size: 14px }
dl { display: grid; grid-template-columns: max-content auto; gap: .2rem 1rem; font-size: 14px }
dt { color: #5a6478 } dd { margin: 0; overflow-wrap: anywhere }
table { border-collapse: collapse; font-size: 14px } th, td { text-align: left; vertical-align: top }
th, td { padding: .2rem .8rem .2rem 0 } td:nth-child(-n+3) { text-align: right; white-space: nowrap }
td:last-child { white-space: pre-wrap; overflow-wrap: anywhere }
@media print { body { max-width: none; margin: 0; font-size: 11pt } article, tr { break-inside: avoid }
  mark, pre, article { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
"""


@dataclass(frozen=True)
class Evidence:
    """What a report is about: an index, the texts that were traced in it, and whether their own documents counted."""

    index: Backend
    traces: tuple[Trace, ...]
    without_self: bool | None = None


def trace_html(index: Backend, traces: Trace | Sequence[Trace], without_self: bool | None = None) -> str:
    """Write a report as one HTML page: each text with its spans and documents, what each figure means, and how it was
    made.

    Returns: The page, which needs no other file.
    """
    # The page contains its style and loads nothing: it is sent by mail, and opened years later.
    return "\n".join(_page(index, [traces] if isinstance(traces, Trace) else list(traces), without_self))


def evidence(index: Backend, traces: Sequence[Trace], without_self: bool | None = None) -> dict[str, Any]:
    """Give the content of the report as plain values for JSON.

    Returns: The facts about index and settings under "about", and the traces under "traces".
    """
    return {"about": facts_object((*index_facts(index), *trace_facts(traces, without_self))), "traces": list(traces)}


def trace_facts(traces: Sequence[Trace], without_self: bool | None = None) -> Facts:
    """State what was traced, and how: of reports, tables and figures.

    without_self: Whether documents that contain most of a text were left out; None if that is not known.
    """
    facts: list[tuple[str, str]] = []
    for number, trace in enumerate(traces, start=1):
        name = "text" if len(traces) == 1 else f"text {number}"
        # The hash shows which text it was without a second copy of it: the text as traced, not the file that it came
        # from.
        facts.append((f"SHA-256 of the {name}", hashlib.sha256(trace.text.encode("utf-8")).hexdigest()))
        facts.append((f"{trace.unit} of the {name}", str(trace.token_count)))
        if trace.prompt:
            facts += text_facts(f"prompt of the {name}", trace.prompt)
    if without_self is not None:
        facts.append(("documents that contain most of the text", "excluded" if without_self else "not excluded"))
    return (*facts, *traces[0].settings.facts)


def _page(index: Backend, traces: Sequence[Trace], without_self: bool | None) -> Iterator[str]:
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Trace</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>Which parts of this text occur in the corpus</h1>"
    how = ", apart from case, line breaks and punctuation," if traces[0].unit == "words" else ","
    yield (
        f"<p>Marked below are the parts of the text that occur, word for word{how} in the documents of the index "
        f"“{html.escape(index.name)}”. That a passage occurs in a document does not show that a model took it from "
        "there, nor that it was part of any model’s training, unless the index is known to be that training data.</p>"
    )
    if traces[0].unit == "words":
        yield "<p>Lengths are in words.</p>"
    for number, trace in enumerate(traces, start=1):
        if len(traces) > 1:
            yield f"<h2>Answer {number}</h2>"
        yield from _section(trace, f"t{number}-")
    yield "<h2>How this was made</h2><dl>"
    for name, value in (*index_facts(index), *trace_facts(traces, without_self)):
        # An empty value would show as nothing; `repr` shows its quotes.
        yield f"<dt>{html.escape(name)}</dt><dd>{html.escape(repr(value) if not value.strip() else value)}</dd>"
    yield "</dl></body></html>"


def _section(trace: Trace, prefix: str) -> Iterator[str]:
    # What was read is shown and quoted, not the marks around it; the hash below is that of the text as written.
    trace = as_read(trace)
    sentence = verdict(trace)
    if sentence:
        yield f"<p><b>{html.escape(sentence)}</b></p>"
    yield f"<p>{html.escape(sentences(trace))}</p>"
    for found in trace.measured:
        if found.quote is not None:
            quote = found.quote
            yield (
                f"<h3>{html.escape(quote.heading)}</h3>"
                f"<p>{html.escape(quote.times)}, in {html.escape(_named(quote.documents, trace))}.</p>"
                f'<div class="text"><mark class="high">{html.escape(trace.text[quote.start : quote.end])}</mark></div>'
            )
        if found.warning:
            yield f"<p><b>{html.escape(found.warning)}</b></p>"
    if trace.prompt:
        yield f'<h3>Prompt</h3><div class="text">{html.escape(trace.prompt)}</div>'
    yield f'<h3>Text</h3><div class="text">{_marked_text(trace, prefix)}</div>'
    levels = "<mark class=high>high</mark> <mark class=medium>medium</mark> <mark>low</mark>"
    yield f"<p>Relevance of the best document: {levels}. {_SCALES[trace.settings.relevance]}</p>"
    yield (
        "<p>The word after a mark is the relevance of its best document, and the mark leads to this document. A "
        "vertical line within a mark shows where another span begins. No document has to contain both.</p>"
    )
    yield f"<h3>Spans</h3><table><tr><th>{trace.unit.capitalize()}</th>"
    yield "<th>Occurrences</th><th>Rarity</th><th>Text</th></tr>"
    for span in trace.spans:
        text = html.escape(trace.text[span.start : span.end])
        length = span.token_end - span.token_start
        yield f"<tr><td>{length}</td><td>{span.count:,}</td><td>{span.rarity:.1f}</td><td>{text}</td></tr>"
    yield f"</table><p>Rarity: sum of the logarithms of the {trace.unit}’ relative frequencies; lower is rarer.</p>"
    yield "<h3>Documents</h3>"
    for document in trace.documents:
        yield from _document(document, prefix)


def _named(numbers: Sequence[int], trace: Trace) -> str:
    """Documents by name, or by number, counted from 1 for the reader; only the first few if there are many."""
    known = {document.number: document_title(document.metadata, document.number) for document in trace.documents}
    shown = [known.get(number, f"document {number + 1:,}") for number in numbers[:_MOST_NAMED]]
    # A list of a thousand numbers helps nobody; the trace has the documents.
    more = [f"{len(numbers) - len(shown):,} more"] if len(numbers) > len(shown) else []
    *first, last = [*shown, *more] or ["no document"]
    return f"{', '.join(first)} and {last}" if first else last


_MOST_NAMED = 20
_SCALES = {
    "share": "A document’s relevance is the share that it contains, word for word, of the best 100 "
    "consecutive words of the text (or of all words, if there are fewer): high from 50%, medium "
    "from 25%.",
    "olmotrace": "Relevance on OLMoTrace’s scale: BM25, fitted to OLMoTrace’s own corpus.",
}


def _marked_text(trace: Trace, prefix: str) -> str:
    """The text with every span marked; if one begins within another, a line separates them.

    Each mark leads to the best document of its span. The word for the relevance is drawn after each run of marks by the
    style sheet, so that the text stays as it is where it is copied or searched.
    """
    # Characters of the text up to `at` are written. Merged spans do not overlap and are ascending.
    parts, at = [], 0
    for merged in trace.merged:
        parts.append(html.escape(trace.text[at : merged.start]))
        spans = sorted((trace.spans[i] for i in merged.spans), key=lambda span: (span.start, span.end))
        furthest = merged.start
        for number, span in enumerate(spans):
            # HTML cannot nest overlapping marks, so each span is marked up to the beginning of the next, and the last
            # to the end of the merged one.
            last = number + 1 == len(spans)
            end = merged.end if last else spans[number + 1].start
            looks = span.level + (" joint" if number else "")
            parts.append(_mark(trace.text[furthest:end], span, looks, merged.level if last else "", prefix))
            furthest = end
        at = merged.end
    return "".join(parts) + html.escape(trace.text[at:])


def _mark(text: str, span: Span, looks: str, word: str, prefix: str) -> str:
    shown = f' data-relevance="{word}"' if word else ""
    hint = f"occurrences: {span.count:,}" + (f", {span.level} relevance" if span.level else "")
    marked = f'<mark class="{looks}" title="{hint}"{shown}>{html.escape(text)}</mark>'
    # The documents of a span are in the order of the list, the best one first.
    return f'<a href="#{prefix}d{span.documents[0] + 1}">{marked}</a>' if span.documents else marked


def _document(document: TraceDocument, prefix: str) -> Iterator[str]:
    title = document_title(document.metadata, document.number)
    yield f'<article class="{document.level}" id="{prefix}d{document.number + 1}"><h3>{html.escape(title)}</h3>'
    # People count from 1, as in the window and in citations; `number` counts from 0.
    yield (
        f"<p>Document {document.number + 1:,} · {document.level} relevance · contains "
        f"{shown_share(document.share):.0%} of the text word for word · BM25 {document.score:.1f}</p><dl>"
    )
    for name, value in shown_metadata(document.metadata).items():
        yield f"<dt>{html.escape(str(name))}</dt><dd>{html.escape(str(value))}</dd>"
    yield "</dl>"
    # The longest passage comes first and is usually one of the snippets as well: each place is shown once.
    places = {(snippet.offset, snippet.tokens): snippet for snippet in (document.longest, *document.snippets)}
    for snippet in places.values():
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
