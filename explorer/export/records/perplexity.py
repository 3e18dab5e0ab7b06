"""Scores and written tokens as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

import numpy as np

from explorer.analyses.model.fallback import FALLBACKS
from explorer.analyses.model.generation import Written
from explorer.analyses.model.scoring import Scorable, TextScores, Total
from explorer.backends.hit_places import first_places
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.export.records.model import (
    PerplexityFacts,
    PerplexityRecord,
    TokenScoreRecord,
    TransformRecord,
    WrittenRecord,
)


def perplexity_record(number: int, source: str, total: Total, normalized: bool) -> PerplexityRecord:
    """Give the sums over some tokens as a record.

    Parameters
    ----------
    number
        The number of the text.
    source
        The group of the text.
    total
        The sums.
    normalized
        Whether the method gives probabilities; scores have no perplexity and no bits.

    Returns
    -------
    PerplexityRecord
        The record.
    """
    return PerplexityRecord(
        text=number,
        source=source,
        token_count=total.tokens,
        character_count=total.characters,
        byte_count=total.bytes,
        zeros=total.zeros,
        unknown_count=total.unknown,
        perplexity=total.perplexity if normalized else None,
        perplexity_of_rest=total.perplexity_of_rest if normalized else None,
        bits_per_character=total.bits_per_character if normalized else None,
        bits_per_byte=total.bits_per_byte if normalized else None,
        score=None if normalized else total.perplexity,
        accuracy=total.accuracy,
        unigram_count=total.unigram,
        uniform_count=total.uniform,
    )


def perplexity_facts(
    total: Total,
    sources: Sequence[PerplexityRecord],
    normalized: bool,
    tuned_on: str | None,
    tuned_tokens: int,
    transforms: Sequence[TransformRecord] = (),
) -> PerplexityFacts:
    """Give the sums over all texts as facts.

    Parameters
    ----------
    total
        The sums.
    sources
        The same by source.
    normalized
        Whether the method gives probabilities.
    tuned_on
        What it was learned from.
    tuned_tokens
        Tokens that it was learned from.
    transforms
        In which form contexts were looked up.

    Returns
    -------
    PerplexityFacts
        The facts.
    """
    whole = perplexity_record(0, "", total, normalized)
    same = {each.name: getattr(whole, each.name) for each in fields(whole) if each.name not in ("text", "source")}
    return PerplexityFacts(
        **same,
        floor=total.floor,
        tuned_on=tuned_on,
        tuned_tokens=tuned_tokens,
        normalized=normalized,
        normalised=normalized,
        sources=tuple(sources),
        transforms=tuple(transforms),
    )


def token_records(text: Scorable, scores: TextScores, texts: Sequence[str]) -> Iterator[TokenScoreRecord]:
    """Give the tokens of a text as records.

    Parameters
    ----------
    text
        The text.
    scores
        Its scores.
    texts
        The text of each token that is scored.

    Yields
    ------
    TokenScoreRecord
        A token.
    """
    columns = text.ids[text.first :], scores.shares, scores.lengths, scores.known, scores.fallbacks
    for number, (token, share, length, known, fallback) in enumerate(
        zip(*(each.tolist() for each in columns), strict=True)
    ):
        transform = scores.matched[number] if scores.matched else ""
        yield TokenScoreRecord(
            text.first + number, token, texts[number], share, length, known, transform, FALLBACKS[fallback]
        )


def written_records(
    index: Backend, prompt: Numbers, written: Sequence[Written], texts: Sequence[str]
) -> Iterator[WrittenRecord]:
    """Give written tokens as records, each with a place that it may be from.

    Parameters
    ----------
    index
        The index.
    prompt
        Ids of the prompt, int64.
    written
        The tokens.
    texts
        The text of each.

    Yields
    ------
    WrittenRecord
        A token.

    Notes
    -----
    Cost: one search per token.
    """
    ids = np.concatenate([prompt, np.array([each.token for each in written], dtype=np.int64)])
    for number, (each, text) in enumerate(zip(written, texts, strict=True)):
        # A context under a transform is not in the text, but in the corpus.
        own = ids[: len(prompt) + number + 1]
        document, offset = _place(index, np.array([*each.form, each.token]) if each.form else own, each)
        yield WrittenRecord(
            number, each.token, text, each.share, each.levels, document, offset, transform=each.transform
        )


def _place(index: Backend, ids: Numbers, written: Written) -> tuple[int | None, int | None]:
    """A document and the token's offset in it, after the longest context that the token follows."""
    length = next((used.n for used in written.levels if used.count), None)
    if length is None:
        return None, None
    found = first_places(index, index.hits.find(ids[len(ids) - 1 - length :]), 1)
    return (int(found.documents[0]), int(found.offsets[0]) + length) if len(found) else (None, None)
