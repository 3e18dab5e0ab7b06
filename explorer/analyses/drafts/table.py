"""The table of drafts: its columns, and the facts about all texts."""

from __future__ import annotations

from typing import Any

from explorer.analyses.drafts.compute import DraftFigures
from explorer.derive.table import column, row
from explorer.i18n import mark

_STEPS = mark("Calls of the model: each accepts a part of a draft, and adds a token of its own")
_PER_STEP = mark("Tokens that are written per call of the model; 1 without drafts")
_RATE = mark("The share of drafted tokens that were accepted")
_FIGURES = ("token_count", "written", "steps", "tokens_per_step", "drafted", "accepted", "accept_rate")


@row
class DraftRecord:
    """What drafts would save for one text."""

    text: int = column("Its number among the texts that were given, from 0; of a source: its number")
    source: str = column(
        mark("The group of the text: a value of its group field, or the name of its file"), mark("Source")
    )
    token_count: int = column("Its tokens")
    written: int = column(mark("Tokens that the model writes: all but the first of each text"), mark("Tokens"))
    steps: int = column(_STEPS, mark("Steps"))
    tokens_per_step: float | None = column(_PER_STEP, mark("Tokens / step"), missing="None without tokens")
    drafted: int = column("Tokens that were drafted")
    accepted: int = column("Drafted tokens that were accepted")
    accept_rate: float | None = column(_RATE, mark("Accepted"), missing="None if none was drafted", form=".0%")


@row
class DraftFacts:
    """What drafts would save for all texts."""

    token_count: int = column("Tokens of the texts")
    written: int = column("Tokens that the model writes: all but the first of each text")
    steps: int = column(_STEPS)
    tokens_per_step: float | None = column(_PER_STEP, missing="None without tokens")
    drafted: int = column("Tokens that were drafted")
    accepted: int = column("Drafted tokens that were accepted")
    accept_rate: float | None = column(_RATE, missing="None if none was drafted")
    speed_up: float | None = column(
        "Estimated factor by which texts are written faster, if a draft costs the given part of a call",
        missing="None without tokens",
    )
    sources: tuple[DraftRecord, ...] = column("The same figures by source")
    cached_pairs: int | None = column(
        "Pairs of tokens in the cache that was written", missing="None if none was", default=None
    )
    cached_followers: int | None = column("Their followers in it", missing="None if none was", default=None)


def draft_record(number: int, source: str, found: DraftFigures) -> DraftRecord:
    """Give the figures of a text, or of a source, as a record."""
    return DraftRecord(number, source, **named_figures(found))


def named_figures(found: DraftFigures) -> dict[str, Any]:
    """The figures by the names of the columns."""
    return {name: getattr(found, name) for name in _FIGURES}
