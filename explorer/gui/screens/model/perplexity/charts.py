"""The figure of the Perplexity tab, and its data. No Qt."""

from __future__ import annotations

from explorer.chart import Chart
from explorer.export.model_charts import MethodTotals, perplexity_chart
from explorer.export.provenance import with_facts
from explorer.gui.screens.model.perplexity.words import is_bytes
from explorer.gui.screens.model.perplexity.work import PerplexityAnswer
from explorer.i18n import tr


def perplexity_charts(answer: PerplexityAnswer) -> tuple[Chart, ...]:
    """Perplexity by method and source, with the facts that it was computed from. Runs off the interface thread."""
    index = answer.question.corpus.index
    rows = [
        MethodTotals(row.method.title, row.method.normalised, row.tuned_on, row.tuned_tokens, row.sources)
        for row in answer.rows
    ]
    label = tr("Perplexity per byte") if is_bytes(index) else tr("Perplexity per token")
    chart = perplexity_chart(tr("Perplexity by {name}", name=index.name), label, answer.names, rows)
    # A figure without it would not tell why its numbers are larger.
    more = (("leave one out", str(answer.question.leave_one_out).lower()),)
    return with_facts((chart,), index, more)
