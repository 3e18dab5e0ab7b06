"""What the agreement screen runs in its background lanes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from explorer.analyses.agreement.analysis import (
    AgreementAnalysis,
    Interim,
    KeptTexts,
    TextAgreement,
    Texts,
    analyze,
)
from explorer.analyses.agreement.chart import agreement_chart, count_chart, figure_rows, neural_chart, overlay_chart
from explorer.analyses.agreement.contexts import context_ids
from explorer.analyses.agreement.neural import NeuralFigure, neural_figure
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.analyses.agreement.sources import read_texts
from explorer.analyses.next_tokens.counts import next_tokens
from explorer.analyses.search.query import show_token
from explorer.chart import Chart
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.export.agreement_facts import agreement_facts, neural_facts
from explorer.export.provenance import index_facts, with_facts
from explorer.gui.screens.agreement.inputs import Inputs
from explorer.gui.sources.inputs import pasted_name
from explorer.gui.style.text_positions import one_line
from explorer.i18n import mark, tr
from explorer.neural.records import read_scored


def effective_question(corpus: Corpus, inputs: Inputs) -> AgreementQuestion:
    """The settings that are in force: documents are left out only where the index can do that."""
    # The choice itself stays as it is, for the next index that can do it.
    possible = corpus.index.capabilities.subtraction
    return replace(inputs.question, without_self=inputs.question.without_self and possible)


def run_analysis(
    corpus: Corpus,
    inputs: Inputs,
    report: Report,
    cancel: CancelToken,
    interim: Interim,
    kept: KeptTexts,
    unread: Callable[[Callable[[], tuple[str, ...]]], None],
) -> AgreementAnalysis:
    """Read texts and analyze them. Runs off the interface thread.

    interim: Called with what is known so far.
    kept: Texts of earlier analyses, which are not computed again.
    unread: Called with what makes the problems of lines that were skipped, before the analysis begins.
    Raises `CorpusError` if a file cannot be read or nothing can be analyzed.
    """
    # Text, group and prompt of each text; the pasted one comes last.
    found: list[tuple[str, str, str]] = []
    if inputs.files:
        read = read_texts(inputs.files, inputs.choice)
        prompts = read.prompts or ("",) * len(read.texts)
        found += zip(read.texts, read.groups, prompts, strict=True)
        unread(lambda: tuple(map(str, read.problems)))
    # Before the pasted text is added, which may have the name of a source that was removed.
    found = [each for each in found if each[1] not in inputs.removed]
    if inputs.has_text:
        found.append((inputs.text, pasted_name(), inputs.prompt))
    texts, groups, prompts = zip(*found, strict=True) if found else ((), (), ())
    given = Texts(texts, groups, prompts, inputs.facts)
    return analyze(corpus.index, given, effective_question(corpus, inputs), report, cancel, interim, kept)


def run_neural(corpus: Corpus, path: Path, report: Report, cancel: CancelToken) -> NeuralFigure:
    """Read a model's probabilities and compare them with the ∞-gram. Runs off the interface thread.

    Raises `CorpusError` if the file cannot be read.
    """
    return neural_figure(corpus.index, read_scored(path), report, cancel)


def likeliest(corpus: Corpus, found: TextAgreement, token: int) -> str:
    """Name the five likeliest tokens after a token's context. Runs off the interface thread.

    token: The token's number in it, from 0.
    Returns: The tokens with their probabilities, in words.
    """
    result = next_tokens(corpus.index, context_ids(found, token))
    rows = zip(result.tokens[:5].tolist(), result.probabilities[:5].tolist(), strict=True)
    return ", ".join(
        tr("{index} {share:.0%}", index=show_token(corpus.index, token), share=share) for token, share in rows
    ) or tr("nothing")


BY_N, BY_COUNT, BY_PROBABILITY = "effective n", "count", "probability"


@dataclass(frozen=True)
class ChartsRequest:
    """The charts of one view: of one group and all groups, or (None) of all together first; the model's file."""

    corpus: Corpus
    view: str
    analysis: AgreementAnalysis | None
    neural: NeuralFigure | None
    group: str | None
    neural_file: Path | None = None


def make_charts(wanted: ChartsRequest) -> tuple[Chart, ...]:
    """The charts of a view, with the facts they were computed from; none if there is nothing to draw."""
    title, analysis = tr("Agreement with the corpus {name}", name=wanted.corpus.index.name), wanted.analysis
    facts = index_facts(wanted.corpus.index)
    if wanted.view == BY_PROBABILITY:
        if wanted.neural is None:
            return ()
        files = () if wanted.neural_file is None else (str(wanted.neural_file),)
        chart = neural_chart(tr("{title} by a model's probability", title=title), wanted.neural)
        return with_facts((chart,), (*facts, *neural_facts(wanted.neural, files)))
    if analysis is None:
        return ()
    drawn = () if wanted.group is None or len(analysis.groups) < 2 else (("source drawn first", wanted.group),)
    if wanted.view == BY_COUNT:
        made = [_chart_by_count(analysis, title, wanted.group)]
    else:
        made = _charts_by_n(analysis, title, wanted.group)
    return with_facts(made, (*facts, *agreement_facts(analysis), *drawn))


def _chart_by_count(analysis: AgreementAnalysis, title: str, group: str | None) -> Chart:
    """One source or all together; the table has every source."""
    series = analysis.by_count if group is None else analysis.counts[group]
    chart = count_chart(tr("{title} by context count", title=title), series)
    if len(analysis.counts) < 2:
        return chart
    # The source that is drawn comes first.
    names = sorted(analysis.counts, key=lambda name: name != group)
    rows = tuple((name, *row) for name in names for row in count_chart("", analysis.counts[name]).data)
    return replace(chart, header=("group", *chart.header), data=rows)


def _charts_by_n(analysis: AgreementAnalysis, title: str, group: str | None) -> list[Chart]:
    """The chosen source; and all sources overlaid, in rows with the same axes, and together (the paper's Figure 5).

    The table of each has the rows of every source: what is compared on the screen is in the file.
    """
    sources = list(analysis.groups.items())
    if len(sources) == 1:
        return [agreement_chart(title, sources)]
    whole = replace(agreement_chart(title, [("all", analysis.figure)]), name=mark("agreement-of-all-sources"))
    below = replace(agreement_chart(title, [("all", analysis.figure), *sources]), name="agreement-by-source")
    over = overlay_chart(title, analysis.groups)
    if group is None:
        return [replace(whole, data=tuple(figure_rows([("all", analysis.figure), *sources]))), over, below]
    chosen = agreement_chart(f"{title}: {one_line(group)}", [(group, analysis.groups[group])])
    others = [each for each in sources if each[0] != group]
    chosen = replace(chosen, data=(*chosen.data, *figure_rows(others)))
    return [chosen, over, below, whole]
