"""What drafts from the corpus would save, as records."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.drafts.compute import DraftFigures


@dataclass(frozen=True)
class DraftRecord:
    """What drafts would save for one text.

    Attributes
    ----------
    text
        Its number among the texts that were given, from 0; of a source: its number.
    source
        The group of the text: a value of its group field, or the name of its file.
    token_count
        Its tokens.
    written
        Those of them that the model writes: all but the first.
    steps
        Calls of the model: each accepts a part of a draft, and adds a token of its own.
    tokens_per_step
        Tokens that are written per call, 1 without drafts; None without tokens.
    drafted
        Tokens that were drafted.
    accepted
        Those that were accepted.
    accept_rate
        Their share, 0 to 1; None if none was drafted.
    """

    text: int
    source: str
    token_count: int
    written: int
    steps: int
    tokens_per_step: float | None
    drafted: int
    accepted: int
    accept_rate: float | None


@dataclass(frozen=True)
class DraftFacts:
    """What drafts would save for all texts.

    Attributes
    ----------
    token_count
        Tokens of the texts.
    written
        Those of them that the model writes: all but the first of each.
    steps
        Calls of the model.
    tokens_per_step
        Tokens that are written per call, 1 without drafts; None without tokens.
    drafted
        Tokens that were drafted.
    accepted
        Those that were accepted.
    accept_rate
        Their share, 0 to 1; None if none was drafted.
    speed_up
        Estimated factor by which texts are written faster, if a draft costs what was given; None without tokens.
    sources
        The same figures by source.
    cached_pairs
        Pairs of tokens in the cache that was written; None if none was.
    cached_followers
        Their followers in it; None if none was.
    """

    token_count: int
    written: int
    steps: int
    tokens_per_step: float | None
    drafted: int
    accepted: int
    accept_rate: float | None
    speed_up: float | None
    sources: tuple[DraftRecord, ...]
    cached_pairs: int | None = None
    cached_followers: int | None = None


def draft_record(number: int, source: str, found: DraftFigures) -> DraftRecord:
    """Give figures as a record.

    Parameters
    ----------
    number
        The number of the text.
    source
        Its group.
    found
        The figures.

    Returns
    -------
    DraftRecord
        The record.
    """
    return DraftRecord(
        number,
        source,
        found.token_count,
        found.written,
        found.steps,
        found.tokens_per_step,
        found.drafted,
        found.accepted,
        found.accept_rate,
    )
