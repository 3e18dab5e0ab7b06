"""The trace screen's sentences."""

from __future__ import annotations

from explorer.corpus.self_match import SelfMatch
from explorer.trace.trace import Trace


def self_match_text(found: SelfMatch | None, less: bool) -> str:
    """That the text itself stands in the corpus, and whether documents are left out; "" if neither."""
    text = "Some documents are left out of every count." if less else ""
    if found is None:
        return text
    number = len(found.documents)
    return (
        f"This text itself stands in the corpus: {found.share:.0%} of it is one match, in {number:,} "
        f"document{'' if number == 1 else 's'}. {text}"
    ).strip()


def summary(result: Trace) -> str:
    """The trace in a line."""
    return (
        f"{len(result.spans)} spans in {result.token_count:,} tokens · "
        f"longest match {result.novelty.longest_match} tokens · "
        f"novelty {result.novelty.index:.0%} (share of tokens outside of matches of L tokens or more, mean of L = 5…11)"
    )


def why_no_documents(result: Trace) -> tuple[str, str]:
    """What an empty list of documents means: heading and advice."""
    if not result.spans:
        return (
            "No spans found",
            "No run of words of this text stands in the corpus under these settings. Short texts often have none; "
            "a smaller minimum length or other word boundaries may show more.",
        )
    return "No documents", "The spans were counted, but no documents were looked up: raise “documents a span”."
