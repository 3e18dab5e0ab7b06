"""Tokens that are grouped by effective n, by count or by a model's probability, as records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from explorer.analyses.agreement.analysis import AgreementAnalysis
from explorer.analyses.agreement.clusters import Share
from explorer.analyses.agreement.compare import SourceSummary, summarize
from explorer.analyses.agreement.dips import TAIL, Step
from explorer.analyses.agreement.figure import AgreementFigure, Bin, Series
from explorer.analyses.agreement.neural import BUCKETS, NeuralFigure
from explorer.core.arrays import known
from explorer.derive.table import column, row

NGRAM, INFGRAM, SPARSE = "ngram", "infgram", "sparse"
_UNTESTED, _NO_TOKENS = "None where it was not tested", "None without tokens"
EFFECTIVE_N, COUNT, PROBABILITY = "effective_n", "count", "probability"


@row
class BinRecord:
    """Tokens of a range, and how many of them agree with the corpus."""

    group: str | None = column("The group of the texts", missing="None for all texts together")
    series: str = column(
        'The model: "ngram", "infgram" (the longest context that occurs), or "sparse" (its sparse tokens)'
    )
    by: str = column(
        'What the range is of: "effective_n", "count" (occurrences of the context) or "probability" (of a neural model)'
    )
    from_: float = column("The first value of the range")
    to: float = column("The end of the range, which does not belong to it, except a probability of 1")
    token_count: int = column("The tokens")
    agreeing_count: int = column("Those that agree")
    agreement: float | None = column("Their share, 0 to 1", missing=_NO_TOKENS)
    low: float = column("The lower end of its 95 % interval, which takes tokens for independent")
    high: float = column("The upper end of its 95 % interval")
    change: float | None = column(
        "The change of agreement from the effective n before, -1 to 1",
        missing=_UNTESTED,
        default=None,
    )
    p_change: float | None = column("The corrected p value of this change", missing=_UNTESTED, default=None)
    dip: bool | None = column("Whether it is a fall by more than chance", missing=_UNTESTED, default=None)


@row
class SourceRecord:
    """The texts of one group, or all of them, in figures."""

    name: str | None = column("The group", missing="None for all texts together")
    text_count: int = column("The texts")
    token_count: int = column("Their tokens that were scored")
    agreeing_count: int = column("Those that agree with the longest context that occurs")
    agreement: float | None = column("Their share, 0 to 1", missing=_NO_TOKENS)
    low: float = column("The lower end of its 95 % interval, which allows for tokens that depend on each other")
    high: float = column("The upper end of its 95 % interval")
    error: float = column("The standard error over the clusters; 0 with fewer than two")
    cluster_count: int = column("The clusters of tokens that the interval comes from")
    unit: str = column('What a cluster is: "text", or "stretch" for consecutive tokens of a text')
    mean_n: float | None = column("The mean of effective n", missing=_NO_TOKENS)
    median_n: float | None = column("The median of effective n", missing=_NO_TOKENS)
    sparse: float | None = column("The share of sparse tokens, 0 to 1", missing=_NO_TOKENS)
    ngram_agreement: float | None = column(
        "The share of tokens that agree with the n-gram model, 0 to 1", missing=_NO_TOKENS
    )
    few: bool = column("Whether there are so few tokens that nothing should be read from them")


@row
class StepRecord:
    """The change of agreement from one effective n to the next, with its tests."""

    group: str | None = column("The group of the texts", missing="None for all texts together")
    before: int = column("The effective n of the first bin")
    after: int = column("The effective n of the next bin; 33 for all from there on")
    change: float = column("The change, -1 to 1; a fall is negative")
    test: str = column('The test by tokens: "score" or "fisher"')
    p_tokens: float = column("Its p value")
    p_clusters: float = column("The p value by clusters")
    cluster_count: int = column("The clusters that have tokens in either bin")
    p: float = column("The larger of the two, corrected for the number of steps")


@row
class Scored:
    """What was scored."""

    text_count: int = column("The texts")
    token_count: int = column("Their tokens that were scored")


@row
class ContextFacts:
    """What was context and not scored."""

    prompt_field: str | None = column("The field that the prompts come from", missing="None for none")
    prompt: str | None = column("The prompt of every text", missing="None for none")
    prompt_join: str = column("The text between a prompt and its text")
    prompt_tokens: int = column("Tokens at the beginning of each text that are context")
    text_count: int = column("The texts with a context")
    token_count: int = column("The tokens that were context")


@row
class UnscoredRecord:
    """A text of which no token is scored."""

    group: str | None = column("The name of its group", missing="None without one")
    text: str = column("The text, which is short")


@row
class AgreementFacts:
    """What `agree` states about all texts."""

    n: int = column("n of the n-gram model")
    scored: Scored = column("What was scored")
    context: ContextFacts = column("What was context and not scored")
    sources: tuple[SourceRecord, ...] = column("All texts together (the first, without a name), then each group")
    dips: tuple[StepRecord, ...] = column("The falls of agreement that are more than chance")
    steps: tuple[StepRecord, ...] = column("All changes that were tested")
    unseen: float = column("The share of the scored tokens that the index does not have at all, 0 to 1")
    self_matched_count: int = column("The texts that are in the corpus themselves")
    left_out: tuple[int, ...] = column(
        "Numbers of the documents that were excluded because they contain most of a text"
    )
    unscored: tuple[UnscoredRecord, ...] = column(
        "The texts that are too short to have a scored token; they are in no other count"
    )


@row
class NeuralFacts:
    """What `agree --neural` states about all tokens of the model."""

    token_count: int = column("The tokens of the model that have a bin")
    unmatched_token_count: int = column("Its tokens in which no token of the index begins")


def agreement_facts(found: AgreementAnalysis, context: ContextFacts) -> AgreementFacts:
    """Give what is known of all texts."""
    whole = found.figure
    figures = _figures(found)
    steps = tuple(_step(group, step) for group, figure in figures for step in figure.steps)
    dips = tuple(_step(group, step) for group, figure in figures for step in figure.steps if step.is_dip)
    return AgreementFacts(
        n=whole.n,
        scored=Scored(len(found.texts), whole.infgram.tokens),
        context=context,
        sources=source_records(found),
        dips=dips,
        steps=steps,
        unseen=found.unseen,
        self_matched_count=found.self_matched,
        left_out=found.left_out,
        unscored=tuple(UnscoredRecord(each.group or None, each.text) for each in found.unscored),
    )


def source_records(found: AgreementAnalysis) -> tuple[SourceRecord, ...]:
    """All texts together, without a name, then each group."""
    everything = summarize("", len(found.texts), found.figure)
    # One row for all texts, whatever the number of groups, so that a reader finds it without counting them.
    rows = [(None, everything, found.figure), *((each.name, each, found.groups[each.name]) for each in found.sources)]
    return tuple(_source(*each) for each in rows)


def bin_records(found: AgreementAnalysis) -> Iterator[BinRecord]:
    """The bins of all texts together, then of each group if there are several: by effective n, then by count."""
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
