"""Drafts by source as a chart."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.analyses.drafts.compute import DraftFigures
from explorer.chart import BarList, Chart
from explorer.i18n import mark, numeral, tr

DRAFT_HEADER = (
    "source",
    "token_count",
    "written",
    "steps",
    "tokens_per_step",
    "drafted",
    "accepted",
    "accept_rate",
)
"""The columns of the data, as in the records of the command `draft`."""


def draft_chart(title: str, rows: Sequence[tuple[str, DraftFigures]]) -> Chart:
    """Draw tokens per step by source."""
    # A source without tokens that a model writes has no bar.
    bars = tuple(
        (name, found.tokens_per_step, numeral(found.tokens_per_step, ".2f"))
        for name, found in rows
        if found.tokens_per_step is not None
    )
    data = tuple(
        (
            name,
            found.token_count,
            found.written,
            found.steps,
            found.tokens_per_step,
            found.drafted,
            found.accepted,
            found.accept_rate,
        )
        for name, found in rows
    )
    return Chart(mark("drafts"), title, ((BarList(tr("Tokens per call of the model"), bars),),), DRAFT_HEADER, data)
