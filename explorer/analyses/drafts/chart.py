"""Drafts by source as a chart."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.analyses.drafts.table import DraftRecord
from explorer.chart import BarList, Chart
from explorer.derive.table import columns_of
from explorer.i18n import mark, numeral, tr

HEADER = tuple(name for name in columns_of(DraftRecord) if name != "text")
"""The columns of the data."""


def draft_chart(title: str, rows: Sequence[DraftRecord]) -> Chart:
    """Draw tokens per step by source."""
    # A source without tokens that a model writes has no bar.
    bars = tuple(
        (each.source, each.tokens_per_step, numeral(each.tokens_per_step, ".2f"))
        for each in rows
        if each.tokens_per_step is not None
    )
    data = tuple(tuple(getattr(each, name) for name in HEADER) for each in rows)
    return Chart(mark("drafts"), title, ((BarList(tr("Tokens per call of the model"), bars),),), HEADER, data)
