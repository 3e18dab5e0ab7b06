"""The figure of the Perplexity tab, and its data. No Qt."""

from __future__ import annotations

from explorer.analyses.perplexity.chart import MethodTotals, perplexity_chart
from explorer.chart import Chart
from explorer.export.provenance import index_facts, with_facts
from explorer.gui.screens.model.methods import title_of
from explorer.gui.screens.model.perplexity.words import is_bytes
from explorer.gui.screens.model.perplexity.work import MethodFigures, PerplexityAnswer
from explorer.i18n import tr


def perplexity_charts(answer: PerplexityAnswer) -> tuple[Chart, ...]:
    """Perplexity by method and source, with the facts that it was computed from. Runs off the interface thread."""
    index = answer.question.corpus.index
    rows = [
        MethodTotals(title_of(row.method), row.method.normalised, row.tuned_on, row.tuned_tokens, row.sources)
        for row in answer.rows
    ]
    label = tr("Perplexity per byte") if is_bytes(index) else tr("Perplexity per token")
    chart = perplexity_chart(tr("Perplexity by {name}", name=index.name), label, answer.names, rows)
    question = answer.question
    more = (
        # A figure without it would not tell why its numbers are larger.
        ("leave one out", "yes" if question.leave_one_out else "no"),
        *(("method", described(row)) for row in answer.rows),
        *(("source", f"{name}: {count} texts") for name, count in zip(answer.names, answer.counts, strict=True)),
    )
    return with_facts((chart,), (*index_facts(index), *more, *question.inputs.facts))


def described(row: MethodFigures) -> str:
    """A method with its settings, and what it was tuned on."""
    settings = ", ".join(f"{each.name} {each.kind.text(value)}" for each, value in row.method.changed())
    tuned = f"tuned on {row.tuned_on} ({row.tuned_tokens} tokens)" if row.tuned_on else ""
    return ", ".join(part for part in (row.method.name, settings, tuned) if part)
