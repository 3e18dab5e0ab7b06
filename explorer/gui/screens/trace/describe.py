"""The trace screen's sentences."""

from __future__ import annotations

from explorer.corpus.self_match import SelfMatch
from explorer.trace.trace import Trace
from explorer.words import counted, tr, trn


def self_match_text(found: SelfMatch | None, less: bool) -> str:
    """That the text itself stands in the corpus, and whether documents are left out; "" if neither."""
    text = tr("Some documents are left out of every count.") if less else ""
    if found is None:
        return text
    said = tr(
        "This text itself stands in the corpus: {share:.0%} of it is one match, in {documents}.",
        share=found.share,
        documents=counted("document", len(found.documents)),
    )
    return f"{said} {text}".strip()


def summary(result: Trace) -> str:
    """The trace in a line."""
    return tr(
        "{count} in {token_count} · longest match {longest_match} · novelty {index:.0%} (share of "
        "tokens outside of matches of L tokens or more, mean of L = 5…11)",
        count=counted("span", len(result.spans)),
        token_count=counted("token", result.token_count),
        longest_match=counted("token", result.novelty.longest_match),
        index=result.novelty.index,
    )


def why_no_documents(result: Trace) -> tuple[str, str]:
    """What an empty list of documents means: heading and advice."""
    if not result.spans:
        return (
            tr("No spans found"),
            tr(
                "No run of words of this text stands in the corpus under these settings. Short texts often have none; "
                "a smaller minimum length or other word boundaries may show more."
            ),
        )
    return tr("No documents"), tr("The spans were counted, but no documents were looked up: raise “documents a span”.")


def nothing_traced(is_open: bool) -> tuple[str, str]:
    """What the empty list of documents says: a heading and a sentence."""
    if not is_open:
        return tr("No index is open"), tr("Open an index folder with Ctrl+O, or build one in the Index screen.")
    return tr("Nothing traced yet"), tr(
        "Paste an answer of a language model at the left. What stands word for word in the corpus is "
        "shaded, and its documents appear here."
    )


def selection_text(occurrences: int, with_documents: bool) -> str:
    """How often what is selected occurs, as the heading of its documents."""
    times = counted("time", occurrences)
    if with_documents:
        return tr("The selected text occurs {times}, for example in", times=times)
    return tr("The selected text occurs {times}", times=times)


def conversation_text(number: int) -> str:
    """What becomes of a conversation of so many answers."""
    return trn("A conversation of {n} answer", "A conversation of {n} answers, each traced by itself", number)


def parts_text(number: int, characters: int) -> str:
    """What becomes of a very long text."""
    return trn(
        "{count:,} characters are traced in {n} part",
        "{count:,} characters are traced in {n} parts",
        number,
        count=characters,
    )
