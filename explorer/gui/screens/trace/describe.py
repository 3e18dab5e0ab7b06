"""The trace screen's sentences."""

from __future__ import annotations

from explorer.analyses.overlap.copies import WithoutCopies
from explorer.analyses.overlap.self_match import SHARE
from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.occurrences import Snippet
from explorer.analyses.trace.selection import Selection, selected_pattern
from explorer.analyses.trace.summary import percent
from explorer.analyses.trace.trace import Trace
from explorer.backends.documents.document import document_title
from explorer.gui.presenting.hints import no_index
from explorer.i18n import counted, tr, trn


def held_text(document: TraceDocument) -> str:
    """How much of the text a document contains."""
    # Passages have five words or more; a document may be listed for a shorter span that was looked up.
    if not document.passages:
        return tr("shares fewer than five words in a row")
    return tr("contains {share} of the text", share=percent(document.share))


def source_of(document: TraceDocument, shown: Snippet) -> str:
    """Quote what a document's card shows, with the document that it is from.

    Returns: The words that are shared, and a line with the title and the place, for a text of one's own.
    """
    # Numbers of documents and tokens begin at 0 in the index, and at 1 in every sentence.
    quote = shown.text[shown.match_start : shown.match_end]
    return tr(
        "“{quote}”\n{title}, document {number:,}, token {offset:,}",
        quote=quote,
        title=document_title(document.metadata, document.number),
        number=document.number + 1,
        offset=shown.offset + 1,
    )


def relevance_hint(document: TraceDocument, rule: str) -> str:
    """Explain the relevance of a document.

    rule: The measure of relevance: "share" or "olmotrace".
    Returns: A sentence or two with the figures.
    """
    # The thresholds of `trace.ranking.SCALES` are written out, so that “high” can be judged where it is read.
    if rule == "olmotrace":
        return tr(
            "OLMoTrace's scale: BM25 of the words around the first match is {score:.1f}, which is "
            "{relevance:.0%} of the maximum for a text of this length; high from 70%, medium from 50%.",
            score=document.score,
            relevance=document.relevance,
        )
    return tr(
        "Word for word, this document contains {share} of the text, and {stretch} of its best 100 "
        "consecutive words (or of all words, if there are fewer). The second share is the relevance: "
        "high from 50%, medium from 25%.",
        share=percent(document.share),
        stretch=percent(document.stretch),
    )


def scale_hint(rule: str) -> str:
    """A sentence on the levels of relevance."""
    if rule == "olmotrace":
        return tr("Relevance of the best document on OLMoTrace's scale, which is fitted to OLMoTrace's own corpus.")
    return tr(
        "Relevance of the best document: the share that it contains, word for word, of the text's best "
        "100 consecutive words (or of all words, if there are fewer); high from 50%, medium from 25%."
    )


def held_by_one(result: Trace) -> bool:
    """Whether some document contains most of the text."""
    # Several short matches may add up to most of the text in one document; `self_match` is one long match.
    copied = any(document.share >= SHARE for document in result.documents)
    return copied or (result.self_match is not None and bool(result.self_match.documents))


def self_match_text(result: Trace, less: WithoutCopies | None, of_text: bool) -> str:
    """Write a note if the text itself is in the corpus, and about documents that were left out.

    less: What was left out; None if nothing was.
    of_text: Whether it was left out because of this text; otherwise because of an earlier one.
    Returns: The note; "" if there is nothing to tell.
    """
    text = "" if less is None else tr("Some documents are excluded from all counts.")
    if less is not None and of_text:
        text = tr(
            "Excluded from all counts: {documents} with most of the text. Any other document that was "
            "checked contains at most {rest} of it.",
            documents=counted("document", len(less.documents)),
            rest=percent(less.rest),
        )
    # Measures write their own warnings, so that a new measure needs no change here.
    warnings = [found.warning for found in result.measured if found.warning]
    return " ".join([*warnings, text]).strip()


def why_no_documents(result: Trace) -> tuple[str, str]:
    """Why a list of documents is empty: heading and advice."""
    if not result.spans:
        return (
            tr("No spans found"),
            tr(
                "No sequence of words in this text occurs in the corpus with these settings. This is common in "
                "short texts. A smaller minimum span length or other word boundaries may find more."
            ),
        )
    return tr("No documents"), tr(
        "The spans were counted, but no documents were retrieved. Increase “Documents per span”."
    )


def nothing_traced(is_open: bool) -> tuple[str, str]:
    """The heading and the sentence of an empty list of documents."""
    if not is_open:
        return no_index()
    return tr("Nothing traced yet"), tr(
        "Paste a language model's answer, or ask for one. Of the parts that occur word for word in the corpus, the "
        "rarest are marked, and their documents appear here."
    )


def selection_text(found: Selection) -> str:
    """How often the selected text occurs, as the heading of its documents."""
    times = counted("time", found.count)
    if found.as_tokens:
        text = tr("The selected text is long. Split into the same tokens, it occurs {times}", times=times)
    elif selected_pattern(found.text).whole_words:
        text = tr("The selected text occurs {times} as whole words", times=times)
    else:
        text = tr("The selected text occurs {times}", times=times)
    return tr("{text}, for example in", text=text) if found.documents else text


def not_found_text(found: Selection) -> tuple[str, str]:
    """Why a selected text has no documents, and what to do: a heading and a sentence."""
    if found.as_tokens:
        return tr("Not in the corpus"), tr("It does not occur as these tokens. Select less.")
    return tr("Not in the corpus"), tr("This exact text does not occur. Select less.")


def parts_text(number: int, characters: int) -> str:
    """Tell that a very long text is traced in parts."""
    return trn(
        "{count:,} characters are traced in {n} part",
        "{count:,} characters are traced in {n} parts",
        number,
        count=characters,
    )
