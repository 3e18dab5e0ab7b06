"""Fill-in probes: a prompt and the ending that is expected, under a method and in the corpus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.analyses.model.method import Method
from explorer.analyses.model.ranks import Ranked, ranked_tokens
from explorer.analyses.model.scoring import Vocabulary, scorable
from explorer.backends.documents.reading import decode_ids
from explorer.backends.hit_places import first_places
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark


@dataclass(frozen=True)
class Probed:
    """A prompt that was completed.

    prompt: The prompt, without white space at its end.
    ending: The ending that is expected, with the white space before it.
    tokens: The tokens of the ending; one or more.
    best: The text of the most probable token after the prompt; "" if there is none.
    context_length: Tokens of the longest suffix of the prompt that the whole ending follows in the corpus.
    count: How often this suffix with the ending occurs.
    document, offset: Where the ending begins in one of these places; None if it does not occur.
    """

    prompt: str
    ending: str
    tokens: tuple[Ranked, ...]
    best: str
    context_length: int
    count: int
    document: int | None
    offset: int | None


def joined(prompt: str, ending: str) -> tuple[str, str]:
    """Give the white space between a prompt and its ending to the ending, as tokenizers do.

    Returns: Both; a space is put between them if neither has white space there.

    Examples
    --------
    >>> joined("the capital of", "France"), joined("the capital of ", "France")
    (('the capital of', ' France'), ('the capital of', ' France'))
    """
    lead = prompt.rstrip()
    blank = prompt[len(lead) :] + ending[: len(ending) - len(ending.lstrip())]
    return lead, (blank or " ") + ending.lstrip()


def probe(
    index: Backend,
    method: Method,
    prompt: str,
    ending: str,
    vocabulary: Vocabulary,
    cancel: CancelToken | None = None,
) -> Probed:
    """Ask what follows a prompt, and how probable the expected ending is.

    vocabulary: The tokens that there may be.

    Notes
    -----
    Cost: that of one distribution per token of the ending.
    """
    if not prompt.strip() or not ending.strip():
        raise QueryError(mark("A probe needs a prompt and an ending, and one of them is blank."), reason="blank-probe")
    lead, expected = joined(prompt, ending)
    text = scorable(index.tokenizer, expected, lead)
    tokens = tuple(ranked_tokens(index, method, text, vocabulary, cancel))
    if not tokens:
        raise QueryError(mark("The ending has no token of its own."), reason="no-token")
    best = tokens[0].best
    shown = "" if best is None else decode_ids(index, np.array([best])).text
    return Probed(lead, expected, tokens, shown, *_place(index, text.ids, text.first))


def _place(index: Backend, ids: Numbers, first: int) -> tuple[int, int, int | None, int | None]:
    """The longest suffix of the prompt that the ending follows, how often it does, and where once."""
    # Of the prompt and the ending together: a match that does not reach the prompt is of the ending alone.
    longest = index.counts.longest_suffix(ids)
    ending = len(ids) - first
    if longest < ending:
        return 0, 0, None, None
    ngram = index.hits.find(ids[len(ids) - longest :])
    found = first_places(index, ngram, 1)
    if not len(found):
        return longest - ending, ngram.count, None, None
    return longest - ending, ngram.count, int(found.documents[0]), int(found.offsets[0]) + longest - ending
