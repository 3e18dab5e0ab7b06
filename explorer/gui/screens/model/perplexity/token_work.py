"""What is known of one token of a scored text: its levels, and places in the corpus. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.analyses.model.levels import levels_of, places_in
from explorer.backends.documents.reading import decode_ids
from explorer.backends.hit_places import first_places
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken
from explorer.gui.screens.model.perplexity.work import Question, ScoredText
from explorer.gui.style.text_positions import one_line

MOST_LEVELS, MOST_PLACES = 12, 5
_AROUND = 24
"""Tokens of a place on both sides; the table cuts what has no room."""


@dataclass(frozen=True)
class LevelRow:
    """A level of a token.

    n: Tokens of the context.
    context: The context's text; "" for the empty one.
    followed, times: How often any token follows the context, and how often this one does.
    distinct: Distinct tokens that follow.
    """

    n: int
    context: str
    followed: int
    times: int
    distinct: int


@dataclass(frozen=True)
class Place:
    """A place of a context and its token in the corpus: the document, the token's offset, and the text around it."""

    document: int
    offset: int
    before: str
    match: str
    after: str


@dataclass(frozen=True, eq=False)
class TokenFacts:
    """A token's levels and places.

    text, token: The text, and the token's number among those that are scored.
    levels: The longest levels first; the empty context last.
    left_out: Levels that are not listed.
    places: Places of the longest level that the token follows.
    query: The text of that level and the token, as Search would look for it; "" if the token follows no level.
    """

    text: ScoredText
    token: int
    levels: tuple[LevelRow, ...]
    left_out: int
    places: tuple[Place, ...]
    query: str


def token_facts(question: Question, text: ScoredText, token: int, cancel: CancelToken) -> TokenFacts:
    """Look up the levels of a token. Runs off the interface thread.

    token: The token's number among those that are scored, from 0.
    Returns: The levels that the method looks at, and places of the longest one that the token follows.
    """
    index, ids, place = question.corpus.index, text.read.ids, text.read.first + token
    # All levels, also where the method blends a few: what the others have is worth seeing.
    reach = replace(question.method.reach, leave_one_out=question.leave_one_out, most=None, empty=True)
    every = next(levels_of(index, places_in([ids[: place + 1]], [place]), reach, cancel))
    rows = [
        LevelRow(n, decode_ids(index, ids[place - n : place]).text, followed, times, distinct)
        for n, followed, distinct, times in zip(
            *(each[0].tolist() for each in (every.lengths, every.followed, every.distinct, every.times)), strict=True
        )
        if followed
    ]
    # The longest context that this very token follows: longer ones are followed by others only.
    used = next((row.n for row in rows if row.times), None)
    if used is None:
        return TokenFacts(text, token, tuple(rows[:MOST_LEVELS]), max(0, len(rows) - MOST_LEVELS), (), "")
    found = ids[place - used : place + 1]
    return TokenFacts(
        text,
        token,
        tuple(rows[:MOST_LEVELS]),
        max(0, len(rows) - MOST_LEVELS),
        _places(index, found),
        decode_ids(index, found).text,
    )


def _places(index: Backend, ids: Numbers) -> tuple[Place, ...]:
    # The first ones in the order of the index: nothing is sampled, so the same places come back.
    found = first_places(index, index.hits.find(ids), MOST_PLACES)
    documents, firsts = found.documents, found.offsets
    ends = firsts + len(ids)
    parts = [
        [one_line(decode_ids(index, part).text) for part in index.documents.windows(documents, start, end)]
        for start, end in ((firsts - _AROUND, firsts), (firsts, ends), (ends, ends + _AROUND))
    ]
    return tuple(
        Place(int(document), int(end) - 1, *texts)
        for document, end, *texts in zip(documents.tolist(), ends.tolist(), *parts, strict=True)
    )
