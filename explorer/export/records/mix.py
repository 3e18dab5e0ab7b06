"""A corpus mixed with a neural model, as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.analyses.mix.mixing import CurvePoint, MixPart, MixTotal, Mixture
from explorer.analyses.model.instance import InstanceMixture
from explorer.neural.records import ScoredText


@dataclass(frozen=True)
class MixRecord:
    """A token of a text under both models, or what is between two boundaries that their tokenizers share.

    Attributes
    ----------
    text
        The number of its text among those that were given, from 0.
    start
        Its first character in the text, from 0.
    end
        One past its last character.
    token_text
        Its text.
    token_count
        Tokens of the index in it.
    neural_token_count
        Tokens of the neural model in it.
    neural_logprob
        Natural logarithm of its probability under the neural model; None for a probability of 0.
    corpus_logprob
        The same under the corpus.
    hybrid_logprob
        The same in the mixture with two λ.
    gain
        The logarithm of the mixture's probability divided by the neural model's: above 0 where the corpus helped. None
        where one of them is 0.
    weight
        The λ that was used, 0 to 1.
    context_length
        Tokens of the longest context that the corpus has: effective n is one more.
    context_count
        How often a token follows that context.
    sparse
        Whether the same token always does.
    tuned
        Whether λ was tuned on it.
    """

    text: int
    start: int
    end: int
    token_text: str
    token_count: int
    neural_token_count: int
    neural_logprob: float | None
    corpus_logprob: float | None
    hybrid_logprob: float | None
    gain: float | None
    weight: float
    context_length: int
    context_count: int
    sparse: bool
    tuned: bool


@dataclass(frozen=True)
class MixTotalRecord:
    """Sums over some units under one model.

    Attributes
    ----------
    zeros
        Units with a probability of 0.
    perplexity
        exp(-Σ ln P / tokens); None where a probability is 0, and where units are not tokens.
    perplexity_of_rest
        The same of the tokens with a probability above 0.
    bits_per_character
        -Σ log2 P / characters; None where a probability is 0.
    bits_per_byte
        -Σ log2 P / bytes; None where a probability is 0.
    """

    zeros: int
    perplexity: float | None
    perplexity_of_rest: float | None
    bits_per_character: float | None
    bits_per_byte: float | None


@dataclass(frozen=True)
class MixPartRecord:
    """The models on a part of the units.

    Attributes
    ----------
    part
        "first" (where λ was tuned), "second" (where it was not) or "all".
    unit_count
        Its units.
    character_count
        Their characters.
    neural
        The neural model alone.
    corpus
        The corpus alone.
    single
        The mixture with one λ.
    hybrid
        The mixture with two.
    improvement
        (PPL_neural - PPL_hybrid) / (PPL_neural - 1); None where a perplexity is None.
    """

    part: str
    unit_count: int
    character_count: int
    neural: MixTotalRecord
    corpus: MixTotalRecord
    single: MixTotalRecord
    hybrid: MixTotalRecord
    improvement: float | None


@dataclass(frozen=True)
class CurveRecord:
    """The mixture with one λ.

    Attributes
    ----------
    weight
        λ, the part of the corpus: 0 to 1.
    first
        On the half where λ was tuned.
    second
        On the other.
    """

    weight: float
    first: MixTotalRecord
    second: MixTotalRecord


@dataclass(frozen=True)
class CopiedTextRecord:
    """A text that is itself in the corpus.

    Attributes
    ----------
    text
        Its number, from 0.
    share
        The share of its tokens in the longest run that occurs, 0 to 1.
    count
        Occurrences of that run.
    documents
        Documents that contain it.
    """

    text: int
    share: float
    count: int
    documents: tuple[int, ...]


@dataclass(frozen=True)
class MixSizeRecord:
    """A part of the corpus mixed with a neural model, on the half of the texts where λ was not tuned.

    Attributes
    ----------
    halvings
        How often the documents were halved, from 0.
    document_count
        Documents that are left.
    token_count
        Their tokens.
    lambda_sparse
        λ where this part knows one next token only, tuned on the first half of the texts.
    lambda_other
        λ elsewhere.
    zeros
        Units to which the mixture gives a probability of 0.
    neural_perplexity
        The neural model's perplexity; None where a probability is 0, and where units are not tokens.
    hybrid_perplexity
        The same of the mixture with two λ.
    neural_bits_per_character
        The neural model's -Σ log2 P / characters; None where a probability is 0.
    hybrid_bits_per_character
        The same of the mixture.
    improvement
        (PPL_neural - PPL_hybrid) / (PPL_neural - 1); None where a perplexity is None.
    gain
        Bits per character that the corpus saves; None where one of both is None.
    """

    halvings: int
    document_count: int
    token_count: int
    lambda_sparse: float
    lambda_other: float
    zeros: int
    neural_perplexity: float | None
    hybrid_perplexity: float | None
    neural_bits_per_character: float | None
    hybrid_bits_per_character: float | None
    improvement: float | None
    gain: float | None


@dataclass(frozen=True)
class MixInstanceRecord:
    """The mixture with a λ by token.

    Attributes
    ----------
    kind
        "learned": by length and count of the context; "forest": by a Random Forest.
    group_count
        Groups of tokens that the first half has; None for a forest.
    prior
        Made-up tokens in each group, with the λ that it would have without groups; None for a forest.
    leaf_size
        Least tokens in a leaf of the forest's trees; None for groups.
    first
        On the half where λ was learned.
    second
        On the other.
    all
        On both.
    """

    kind: str
    group_count: int | None
    prior: float | None
    leaf_size: int | None
    first: MixTotalRecord
    second: MixTotalRecord
    all: MixTotalRecord


@dataclass(frozen=True)
class MixFacts:
    """A corpus mixed with a neural model.

    Attributes
    ----------
    model
        The neural model's name; None if unknown.
    method
        The method of the corpus's model.
    tuned_on
        What the method was learned from; None if it learns nothing. λ is always tuned on the first half of the texts.
    same_tokenizer
        Whether each unit is a token of both models. Otherwise perplexities are None: compare bits per character.
    unit_count
        Units that both models scored.
    token_count
        Tokens of the index in them.
    neural_token_count
        Tokens of the neural model in them.
    character_count
        Their characters.
    lambda_sparse
        λ, the part of the corpus, where it knows one next token only: 0 to 1.
    lambda_other
        λ elsewhere.
    lambda_single
        λ if there is only one.
    sparse_share
        The share of the units where the corpus knows one next token only.
    parts
        Figures of the first half, on which λ was tuned, of the second, on which it was not, and of all.
    curve
        The mixture with one λ, by λ.
    by_token
        The mixture with a λ by token.
    copies
        Texts that are themselves in the corpus, which copies them.
    sizes
        The mixture with smaller and smaller parts of the corpus; empty if they were not asked for.
    """

    model: str | None
    method: str
    tuned_on: str | None
    same_tokenizer: bool
    unit_count: int
    token_count: int
    neural_token_count: int
    character_count: int
    lambda_sparse: float
    lambda_other: float
    lambda_single: float
    sparse_share: float
    parts: tuple[MixPartRecord, ...]
    curve: tuple[CurveRecord, ...]
    by_token: MixInstanceRecord
    copies: tuple[CopiedTextRecord, ...]
    sizes: tuple[MixSizeRecord, ...] = ()


def mix_records(found: Mixture, texts: Sequence[ScoredText]) -> Iterator[MixRecord]:
    """Give the units of a mixture as records.

    Parameters
    ----------
    found
        The mixture.
    texts
        The texts.

    Yields
    ------
    MixRecord
        A unit.
    """
    units = found.units
    columns = (
        units.texts, units.starts, units.ends, units.tokens, units.neural_tokens, units.neural, units.corpus,
        found.hybrid, found.weights.of(units.sparse), units.lengths, units.followed, units.sparse,
    )  # fmt: skip
    for row, values in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        text, start, end, tokens, neural_tokens, neural, corpus, hybrid, weight, length, followed, sparse = values
        yield MixRecord(
            text=text,
            start=start,
            end=end,
            token_text=texts[text].text[start:end],
            token_count=tokens,
            neural_token_count=neural_tokens,
            neural_logprob=_finite(neural),
            corpus_logprob=_finite(corpus),
            hybrid_logprob=_finite(hybrid),
            gain=_finite(hybrid - neural) if np.isfinite(neural) else None,
            weight=weight,
            context_length=length,
            context_count=followed,
            sparse=sparse,
            tuned=row < found.half,
        )


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def total_record(total: MixTotal) -> MixTotalRecord:
    """Give sums as a record.

    Parameters
    ----------
    total
        The sums.

    Returns
    -------
    MixTotalRecord
        The record.
    """
    return MixTotalRecord(
        total.zeros, total.perplexity, total.perplexity_of_rest, total.bits_per_character, total.bits_per_byte
    )


def instance_record(found: InstanceMixture) -> MixInstanceRecord:
    """Give a mixture with a λ by token as a record.

    Parameters
    ----------
    found
        The mixture.

    Returns
    -------
    MixInstanceRecord
        The record.
    """
    totals = total_record(found.first), total_record(found.second), total_record(found.all)
    return MixInstanceRecord(found.kind, found.groups, found.prior, found.leaf_size, *totals)


def part_record(part: MixPart) -> MixPartRecord:
    """Give the figures of a part as a record.

    Parameters
    ----------
    part
        The part.

    Returns
    -------
    MixPartRecord
        The record.
    """
    return MixPartRecord(
        part=part.name,
        unit_count=part.neural.units,
        character_count=part.neural.characters,
        neural=total_record(part.neural),
        corpus=total_record(part.corpus),
        single=total_record(part.single),
        hybrid=total_record(part.hybrid),
        improvement=part.improvement,
    )


def size_record(halvings: int, documents: int, tokens: int, found: Mixture) -> MixSizeRecord:
    """Give the figures of a part of the corpus as a record.

    Parameters
    ----------
    halvings
        How often the documents were halved.
    documents
        Documents that are left.
    tokens
        Their tokens.
    found
        The mixture with them.

    Returns
    -------
    MixSizeRecord
        The record.
    """
    second = found.parts[1]
    bits = second.neural.bits_per_character, second.hybrid.bits_per_character
    return MixSizeRecord(
        halvings=halvings,
        document_count=documents,
        token_count=tokens,
        lambda_sparse=found.weights.sparse,
        lambda_other=found.weights.other,
        zeros=second.hybrid.zeros,
        neural_perplexity=second.neural.perplexity,
        hybrid_perplexity=second.hybrid.perplexity,
        neural_bits_per_character=bits[0],
        hybrid_bits_per_character=bits[1],
        improvement=second.improvement,
        gain=None if bits[0] is None or bits[1] is None else bits[0] - bits[1],
    )


def curve_records(curve: Sequence[CurvePoint]) -> tuple[CurveRecord, ...]:
    """Give a curve as records.

    Parameters
    ----------
    curve
        Its points.

    Returns
    -------
    tuple[CurveRecord, ...]
        The records.
    """
    return tuple(CurveRecord(each.weight, total_record(each.first), total_record(each.second)) for each in curve)
