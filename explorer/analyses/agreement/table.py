"""Tokens that are grouped by effective n, by count or by a model's probability, as records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from explorer.agreement.clusters import Share
from explorer.agreement.compare import SourceSummary, summarize
from explorer.agreement.dips import TAIL, Step
from explorer.agreement.figure import AgreementFigure, Bin, Series
from explorer.agreement.neural import BUCKETS, NeuralFigure
from explorer.analyses.agreement.analysis import AgreementAnalysis
from explorer.arrays import known

NGRAM, INFGRAM, SPARSE = "ngram", "infgram", "sparse"
EFFECTIVE_N, COUNT, PROBABILITY = "effective_n", "count", "probability"


@dataclass(frozen=True)
class BinRecord:
    """Tokens of a range, and how many of them agree with the corpus.

    Attributes
    ----------
    group
        The group of the texts; None for all texts together.
    series
        The model: "ngram", "infgram" (the longest context that occurs), or "sparse" (its sparse tokens).
    by
        What the range is of: "effective_n", "count" (occurrences of the context) or "probability" (of a neural model).
    from_
        The first value of the range.
    to
        The end of the range, which does not belong to it, except a probability of 1.
    token_count
        The tokens.
    agreeing_count
        Those that agree.
    agreement
        Their share, 0 to 1; None without tokens.
    low
        The lower end of its 95 % interval, which takes tokens for independent.
    high
        The upper end of its 95 % interval.
    change
        The change of agreement from the effective n before, -1 to 1; None where it was not tested.
    p_change
        The corrected p value of this change; None where it was not tested.
    dip
        Whether it is a fall by more than chance; None where it was not tested.
    """

    group: str | None
    series: str
    by: str
    from_: float
    to: float
    token_count: int
    agreeing_count: int
    agreement: float | None
    low: float
    high: float
    change: float | None = None
    p_change: float | None = None
    dip: bool | None = None


@dataclass(frozen=True)
class SourceRecord:
    """The texts of one group, or all of them, in figures.

    Attributes
    ----------
    name
        The group; None for all texts together.
    text_count
        The texts.
    token_count
        Their tokens that were scored.
    agreeing_count
        Those that agree with the longest context that occurs.
    agreement
        Their share, 0 to 1; None without tokens.
    low
        The lower end of its 95 % interval, which allows for tokens that depend on each other.
    high
        The upper end of its 95 % interval.
    error
        The standard error over the clusters; 0 with fewer than two.
    cluster_count
        The clusters of tokens that the interval comes from.
    unit
        What a cluster is: "text", or "stretch" for consecutive tokens of a text.
    mean_n
        The mean of effective n; None without tokens.
    median_n
        The median of effective n; None without tokens.
    sparse
        The share of sparse tokens, 0 to 1; None without tokens.
    ngram_agreement
        The share of tokens that agree with the n-gram model, 0 to 1; None without tokens.
    few
        Whether there are so few tokens that nothing should be read from them.
    """

    name: str | None
    text_count: int
    token_count: int
    agreeing_count: int
    agreement: float | None
    low: float
    high: float
    error: float
    cluster_count: int
    unit: str
    mean_n: float | None
    median_n: float | None
    sparse: float | None
    ngram_agreement: float | None
    few: bool


@dataclass(frozen=True)
class StepRecord:
    """The change of agreement from one effective n to the next, with its tests.

    Attributes
    ----------
    group
        The group of the texts; None for all texts together.
    before
        The effective n of the first bin.
    after
        The effective n of the next bin; 33 for all from there on.
    change
        The change, -1 to 1; a fall is negative.
    test
        The test by tokens: "score" or "fisher".
    p_tokens
        Its p value.
    p_clusters
        The p value by clusters.
    cluster_count
        The clusters that have tokens in either bin.
    p
        The larger of the two, corrected for the number of steps.
    """

    group: str | None
    before: int
    after: int
    change: float
    test: str
    p_tokens: float
    p_clusters: float
    cluster_count: int
    p: float


@dataclass(frozen=True)
class Scored:
    """What was scored.

    Attributes
    ----------
    text_count
        The texts.
    token_count
        Their tokens that were scored.
    """

    text_count: int
    token_count: int


@dataclass(frozen=True)
class ContextFacts:
    """What was context and not scored.

    Attributes
    ----------
    prompt_field
        The field that the prompts come from; None for none.
    prompt
        The prompt of every text; None for none.
    prompt_join
        The text between a prompt and its text.
    prompt_tokens
        Tokens at the beginning of each text that are context.
    text_count
        The texts with a context.
    token_count
        The tokens that were context.
    """

    prompt_field: str | None
    prompt: str | None
    prompt_join: str
    prompt_tokens: int
    text_count: int
    token_count: int


@dataclass(frozen=True)
class UnscoredRecord:
    """A text of which no token is scored.

    Attributes
    ----------
    group
        The name of its group; None without one.
    text
        The text, which is short.
    """

    group: str | None
    text: str


@dataclass(frozen=True)
class AgreementFacts:
    """What `agree` states about all texts.

    Attributes
    ----------
    n
        n of the n-gram model.
    scored
        What was scored.
    context
        What was context and not scored.
    sources
        All texts together (the first, without a name), then each group.
    dips
        The falls of agreement that are more than chance.
    steps
        All changes that were tested.
    unseen
        The share of the scored tokens that the index does not have at all, 0 to 1.
    self_matched_count
        The texts that are in the corpus themselves.
    left_out
        Numbers of the documents that were excluded because they contain most of a text.
    unscored
        The texts that are too short to have a scored token; they are in no other count.
    """

    n: int
    scored: Scored
    context: ContextFacts
    sources: tuple[SourceRecord, ...]
    dips: tuple[StepRecord, ...]
    steps: tuple[StepRecord, ...]
    unseen: float
    self_matched_count: int
    left_out: tuple[int, ...]
    unscored: tuple[UnscoredRecord, ...]


@dataclass(frozen=True)
class NeuralFacts:
    """What `agree --neural` states about all tokens of the model.

    Attributes
    ----------
    token_count
        The tokens of the model that have a bin.
    unmatched_token_count
        Its tokens in which no token of the index begins.
    """

    token_count: int
    unmatched_token_count: int


def agreement_facts(found: AgreementAnalysis, context: ContextFacts) -> AgreementFacts:
    """Give what is known of all texts.

    Parameters
    ----------
    found
        The analysis.
    context
        What was context and not scored.

    Returns
    -------
    AgreementFacts
        The facts.
    """
    whole = found.figure
    figures = _figures(found)
    steps = tuple(_step(group, step) for group, figure in figures for step in figure.steps)
    dips = tuple(_step(group, step) for group, figure in figures for step in figure.steps if step.is_dip)
    everything = summarize("", len(found.texts), whole)
    # One row for all texts, whatever the number of groups, so that a reader finds it without counting them.
    rows = [(None, everything, whole), *((each.name, each, found.groups[each.name]) for each in found.sources)]
    return AgreementFacts(
        n=whole.n,
        scored=Scored(len(found.texts), whole.infgram.tokens),
        context=context,
        sources=tuple(_source(*row) for row in rows),
        dips=dips,
        steps=steps,
        unseen=found.unseen,
        self_matched_count=found.self_matched,
        left_out=found.left_out,
        unscored=tuple(UnscoredRecord(each.group or None, each.text) for each in found.unscored),
    )


def bin_records(found: AgreementAnalysis) -> Iterator[BinRecord]:
    """Give the bins of all texts together, then those of each group if there are several.

    Parameters
    ----------
    found
        The analysis.

    Yields
    ------
    BinRecord
        The bins by effective n of the three series, then those by count.
    """
    for group, figure in _figures(found):
        yield from _by_effective_n(group, figure)
        yield from _by_count(group, found.by_count if group is None else found.counts[group])


def neural_records(found: NeuralFigure) -> Iterator[BinRecord]:
    """One record per tenth of a model's probability."""
    for b in found.bins:
        # `effective_n` is the number of the tenth here, from 0.
        start, end = b.effective_n / BUCKETS, (b.effective_n + 1) / BUCKETS
        yield BinRecord(None, INFGRAM, PROBABILITY, start, end, *_agreeing(b))


def _figures(found: AgreementAnalysis) -> list[tuple[str | None, AgreementFigure]]:
    # A single group is the same as all texts together.
    named: Iterable[tuple[str | None, AgreementFigure]] = found.groups.items() if len(found.groups) > 1 else ()
    return [(None, found.figure), *named]


def _by_effective_n(group: str | None, figure: AgreementFigure) -> Iterator[BinRecord]:
    # Of the other series nothing is tested: their tokens are the same, or some of them. The last step leads to all
    # tokens from `TAIL` on, which have no bin of their own here.
    tested = {step.after: (step.change, step.p, step.is_dip) for step in figure.steps if step.after < TAIL}
    for name, series in ((NGRAM, figure.ngram), (INFGRAM, figure.infgram), (SPARSE, figure.sparse)):
        for b in series.bins:
            step = tested.get(b.effective_n, (None, None, None)) if name == INFGRAM else (None, None, None)
            yield BinRecord(group, name, EFFECTIVE_N, b.effective_n, b.effective_n + 1, *_agreeing(b), *step)


def _by_count(group: str | None, series: Series) -> Iterator[BinRecord]:
    for b in series.bins:
        # `effective_n` is the exponent of a power of ten here.
        yield BinRecord(group, INFGRAM, COUNT, 10**b.effective_n, 10 ** (b.effective_n + 1), *_agreeing(b))


def _agreeing(b: Bin) -> tuple[int, int, float | None, float, float]:
    return b.tokens, b.agreeing, known(b.agreement), b.low, b.high


def _step(group: str | None, step: Step) -> StepRecord:
    tests = (step.test, step.p_tokens, step.p_clusters, step.clusters, step.p)
    return StepRecord(group, step.before, step.after, step.change, *tests)


def _source(name: str | None, source: SourceSummary, figure: AgreementFigure) -> SourceRecord:
    return SourceRecord(
        name, source.texts, source.tokens, source.agreeing, known(source.agreement), *_interval(source.share),
        known(source.mean_n), known(source.median_n), known(source.sparse), known(figure.ngram.overall), source.few,
    )  # fmt: skip


def _interval(share: Share) -> tuple[float, float, float, int, str]:
    return share.low, share.high, share.error, share.clusters, share.unit
