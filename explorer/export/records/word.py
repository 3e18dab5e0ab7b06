"""What `next` states about its tokens or words, and a word that follows as a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.backends.protocol import NextTokens
from explorer.search.next_words import NextWords, WordKind
from explorer.search.word_tree import WordTree


@dataclass(frozen=True)
class NextFacts:
    """What `next` states about its list of tokens.

    Attributes
    ----------
    prompt
        The text that is continued.
    context_length
        The tokens of the context that was used.
    context_count
        The occurrences of that context.
    exact
        Whether every occurrence was read; otherwise counts are those of a sample.
    sample_size
        The occurrences that were read.
    distinct_count
        The distinct tokens that follow, also those that are not listed.
    """

    prompt: str
    context_length: int
    context_count: int
    exact: bool
    sample_size: int
    distinct_count: int


@dataclass(frozen=True)
class WordRecord:
    """A word that follows a context, or precedes it.

    Attributes
    ----------
    rank
        Its place in the list, from 0, the most frequent word first.
    text
        The word; "" for the end of a document.
    insert
        What it adds to the context, with the white space before it.
    kind
        "word", "rest" (of a word that the context ends with), "other", "token", "end" (of a document), or, before a
        context, "begin" (of a document).
    count
        How often it follows, or precedes; where the list is not exact, a lower bound, or an estimate with `--before`.
    probability
        Its share of all places next to the context, 0 to 1.
    """

    rank: int
    text: str
    insert: str
    kind: str
    count: int
    probability: float


@dataclass(frozen=True)
class NextWordsFacts:
    """What `next --words` and `next --before` state about their list of words.

    Attributes
    ----------
    prompt
        The text that is continued.
    context_length
        The tokens of the context that was used.
    context_count
        The occurrences of that context.
    exact
        Whether every place was read. Otherwise, words may be missing, and counts are lower bounds, or estimates with
        `--before`.
    sample_size
        The places that were read.
    total_count
        All places next to the context.
    distinct_count
        The distinct words that were found, also those that are not listed.
    """

    prompt: str
    context_length: int
    context_count: int
    exact: bool
    sample_size: int
    total_count: int
    distinct_count: int


def next_facts(prompt: str, found: NextTokens) -> NextFacts:
    """What is known of all tokens that follow."""
    size = found.context_count if found.exact else found.sample_size
    return NextFacts(prompt, found.context_length, found.context_count, found.exact, size, len(found.tokens))


def word_records(found: NextWords, most: int | None = None) -> Iterator[WordRecord]:
    """Give words as records.

    Parameters
    ----------
    found
        The words that follow.
    most
        How many to give; None for all.

    Yields
    ------
    WordRecord
        One record per word, the most frequent first.
    """
    for rank, word in enumerate(found.words[:most]):
        share = word.count / max(1, found.total)
        yield WordRecord(rank, word.text, word.insert, word.kind.value, word.count, share)


def next_words_facts(prompt: str, length: int, occurs: int, found: NextWords) -> NextWordsFacts:
    """Give what is known of all words that follow.

    Parameters
    ----------
    prompt
        The text that is continued.
    length
        The tokens of the context.
    occurs
        Its occurrences.
    found
        The words.

    Returns
    -------
    NextWordsFacts
        The facts.
    """
    return NextWordsFacts(prompt, length, occurs, found.exact, found.counted, found.total, len(found.words))


def words_before_facts(prompt: str, length: int, tree: WordTree) -> NextWordsFacts:
    """Give what is known of all words before a context.

    Parameters
    ----------
    prompt
        The text whose end is the context.
    length
        The tokens of the context.
    tree
        The words, in a tree of one depth.

    Returns
    -------
    NextWordsFacts
        The facts.
    """
    return NextWordsFacts(prompt, length, tree.total, tree.exact, tree.looked_at, tree.total, tree.different)


def words_before_records(tree: WordTree) -> Iterator[WordRecord]:
    """Give the words of a tree of one depth as records.

    Parameters
    ----------
    tree
        The tree.

    Yields
    ------
    WordRecord
        One record per word, the most frequent first.
    """
    for rank, node in enumerate(tree.branches):
        # The kind is "end" in a tree, which is drawn on one side; in a list it would be misread.
        kind = "begin" if node.kind is WordKind.END else node.kind.value
        yield WordRecord(rank, node.text, node.joined, kind, node.count, node.share)
