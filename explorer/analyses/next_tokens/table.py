"""The tables of what follows a text: its tokens or words, and what describes all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from explorer.analyses.next_tokens.next_words import NextWords, WordKind
from explorer.analyses.next_tokens.word_tree import WordTree
from explorer.backends.protocol.protocol import Backend, NextTokens
from explorer.backends.token_text import token_text
from explorer.derive.table import column, row


@row
class TokenRecord:
    """A token that follows a context."""

    rank: int = column("Its place among those that follow, from 0; the most frequent one is first")
    token: int = column("Its id")
    text: str | None = column('Its text; "" for the end of a document', missing="None if the index has no tokenizer")
    count: int = column("How often it follows; of a sample if the answer is an estimate")
    probability: float = column("Its share of all that follows, 0 to 1")
    end_of_document: bool = column("Whether it is the separator, which means that the document ends")


@row
class NextFacts:
    """What `next` states about its list of tokens."""

    prompt: str = column("The text that is continued")
    context_length: int = column("The tokens of the context that was used")
    context_count: int = column("The occurrences of that context")
    exact: bool = column("Whether every occurrence was read; otherwise counts are those of a sample")
    sample_size: int = column("The occurrences that were read")
    distinct_count: int = column("The distinct tokens that follow, also those that are not listed")


@row
class WordRecord:
    """A word that follows a context, or precedes it."""

    rank: int = column("Its place in the list, from 0, the most frequent word first")
    text: str = column('The word; "" for the end of a document')
    insert: str = column("What it adds to the context, with the white space before it")
    kind: str = column(
        '"word", "rest" (of a word that the context ends with), "other", "token", "end" (of a document), or, before a '
        'context, "begin" (of a document)'
    )
    count: int = column(
        "How often it follows, or precedes; if the list is not exact, a lower bound, or an estimate with `--before`"
    )
    probability: float = column("Its share of all places next to the context, 0 to 1")


@row
class NextWordsFacts:
    """What `next --words` and `next --before` state about their list of words."""

    prompt: str = column("The text that is continued")
    context_length: int = column("The tokens of the context that was used")
    context_count: int = column("The occurrences of that context")
    exact: bool = column(
        "Whether every place was read. Otherwise, words may be missing, and counts are lower bounds, or estimates with "
        "`--before`"
    )
    sample_size: int = column("The places that were read")
    total_count: int = column("All places next to the context")
    distinct_count: int = column("The distinct words that were found, also those that are not listed")


def next_facts(prompt: str, found: NextTokens) -> NextFacts:
    """What is known of all tokens that follow."""
    size = found.context_count if found.exact else found.sample_size
    return NextFacts(prompt, found.context_length, found.context_count, found.exact, size, len(found.tokens))


def token_records(index: Backend, found: NextTokens, top: int | None = None) -> Iterator[TokenRecord]:
    """Give next tokens as records."""
    count = len(found.tokens) if top is None else min(top, len(found.tokens))
    texts: Iterable[str | None] = (token_text(index, token) for token in found.tokens[:count].tolist())
    if not index.has_tokenizer:
        texts = (None for _ in range(count))
    # Shares of all that follows, also where only the first are listed.
    rows = zip(found.tokens.tolist(), texts, found.counts.tolist(), found.probabilities.tolist(), strict=False)
    for rank, (token, text, times, share) in enumerate(rows):
        yield TokenRecord(rank, token, text, times, share, token == index.separator)


def word_records(found: NextWords, most: int | None = None) -> Iterator[WordRecord]:
    """Give words as records."""
    for rank, word in enumerate(found.words[:most]):
        share = word.count / max(1, found.total)
        yield WordRecord(rank, word.text, word.insert, word.kind.value, word.count, share)


def next_words_facts(prompt: str, length: int, occurs: int, found: NextWords) -> NextWordsFacts:
    """Give what is known of all words that follow."""
    return NextWordsFacts(prompt, length, occurs, found.exact, found.counted, found.total, len(found.words))


def words_before_facts(prompt: str, length: int, tree: WordTree) -> NextWordsFacts:
    """Give what is known of all words before a context."""
    return NextWordsFacts(prompt, length, tree.total, tree.exact, tree.looked_at, tree.total, tree.different)


def words_before_records(tree: WordTree) -> Iterator[WordRecord]:
    """Give the words of a tree of one depth as records."""
    for rank, node in enumerate(tree.branches):
        # The kind is "end" in a tree, which is drawn on one side; in a list it would be misread.
        kind = "begin" if node.kind is WordKind.END else node.kind.value
        yield WordRecord(rank, node.text, node.joined, kind, node.count, node.share)
