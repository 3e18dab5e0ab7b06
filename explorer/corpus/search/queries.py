"""What a caller of the library searches for: a literal text, a regular expression, or token ids, each read and checked.

The query language is not read here but in `explorer.analyses.search.language`: to `Corpus.count`, AND is a word like
any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.search.find import Match, QueryOptions
from explorer.analyses.search.query import find_phrase
from explorer.backends.protocol.protocol import Backend, Ids, Part
from explorer.errors import QueryError
from explorer.export.provenance import Facts, match_facts
from explorer.i18n import mark
from explorer.text.patterns.equal import checked_equate


def as_ids(index: Backend, query: str | Ids) -> Ids:
    """Give the token ids of a query.

    Parameters
    ----------
    index
        The index.
    query
        A text, which is tokenized as it is, or token ids.

    Returns
    -------
    Ids
        The ids; those that were given are not checked here.

    Raises
    ------
    TokenizerError
        If the query is a text and the index has no tokenizer.
    """
    return index.tokenizer.encode(query) if isinstance(query, str) else query


def checked_text(text: str) -> str:
    """Give a text back; raises QueryError for anything else, such as token ids or None."""
    if not isinstance(text, str):
        raise QueryError(mark("A text is needed, not {kind}."), reason="not-a-text", kind=type(text).__name__)
    return text


def shown(query: str | Ids) -> str:
    """Write a query as a fact about its answer: a text as it is, and token ids with spaces between them."""
    return query if isinstance(query, str) else " ".join(map(str, np.asarray(query).tolist()))


def facts(query: str | Ids, options: QueryOptions) -> Facts:
    """State a query and how it is matched; token ids are found as they are, whatever the options."""
    matched = match_facts(options) if isinstance(query, str) else (("match", "token ids"),)
    return ("query", shown(query)), *matched


def checked_options(
    query: str | Ids,
    variants: Sequence[str],
    match: Match,
    ignore_case: bool,
    whole_words: bool,
    equate: Iterable[str] = (),
) -> QueryOptions:
    """Gather how a query is matched.

    Parameters
    ----------
    query, variants, match, ignore_case, whole_words, equate
        As in `Corpus.count`.

    Returns
    -------
    QueryOptions
        The options. They have no meaning for token ids, which are an n-gram whatever `match` is.

    Raises
    ------
    QueryError
        If the options exclude each other, or are given for token ids.
    """
    # `match="text"` is the default and cannot be told from one that was given, so it is accepted for ids, which ignore
    # it.
    equated = checked_equate(equate)
    if not isinstance(query, str) and (match == "regex" or variants or ignore_case or whole_words or equated):
        raise QueryError(
            mark("Token ids are searched for as they are: match, variants, case and equate apply to a text."),
            reason="ids-have-no-match",
        )
    # Checked for ids as well: an unknown `match` is a mistake whatever the query is.
    options = QueryOptions(
        tuple(variants), match=match, ignore_case=ignore_case, whole_words=whole_words, equate=equated
    )
    options.check()
    return options


def count(index: Backend, query: str | Ids, options: QueryOptions) -> int:
    """Count the occurrences of a query.

    Parameters
    ----------
    index
        The index.
    query
        A literal text, a regular expression or token ids.
    options
        From `checked_options`.

    Returns
    -------
    int
        The number of occurrences.
    """
    if isinstance(query, str) and (options.match != "tokens" or options.variants):
        # A text pattern is one part. Spellings as tokens are several, from which extensions of another have been
        # removed, so the sum counts no occurrence twice.
        return sum(part.count for part in parts(index, query, options))
    # One call of the engine of about 2 µs, which checks the ids itself; only what has no length, or the length 0, is
    # refused before.
    return index.counts.count(query if not isinstance(query, str) and length(query) else _ngram(index, query))


def parts(index: Backend, query: str | Ids, options: QueryOptions) -> tuple[Part, ...]:
    """Find what a query occurs as.

    Parameters
    ----------
    index
        The index.
    query
        A literal text, a regular expression or token ids.
    options
        From `checked_options`.

    Returns
    -------
    tuple[Part, ...]
        One part; for a text as tokens with `variants`, one per spelling that is not part of another.
    """
    if isinstance(query, str) and options.match != "tokens":
        return (index.hits.find_text(options.pattern(query)),)
    if isinstance(query, str) and options.variants:
        return find_phrase(index, query, options.variants).parts
    return (index.hits.find(_ngram(index, query)),)


def length(query: Ids) -> int:
    """The number of ids; 0 for what has no length, which the check of ids refuses."""
    try:
        return len(query)
    except TypeError:
        return 0


def _ngram(index: Backend, query: str | Ids) -> NDArray[np.int64]:
    """The ids of a text or an n-gram; raises QueryError if it is empty or an id is not one of the index."""
    # The tokenizer's own split of the text, with no special token before or after it. An empty text has no token and is
    # refused as an empty n-gram is.
    return index.counts.check_ids(index.tokenizer.encode(query) if isinstance(query, str) else query)
