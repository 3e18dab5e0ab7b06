"""The sentences of the Perplexity tab. No Qt."""

from __future__ import annotations

import math

from explorer.analyses.model.method import Formula
from explorer.analyses.model.scoring import Total
from explorer.backends.protocol.protocol import Backend
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.model.large_numbers import scientific, ten_to
from explorer.gui.screens.model.methods import how_of, title_of
from explorer.gui.screens.model.perplexity.work import MethodFigures, PerplexityAnswer
from explorer.i18n import counted, mark, numeral, tr, trn

UNKNOWN = "–"
INFINITE = "∞"

HEADER = (mark("Method"), mark("Perplexity"), mark("Bits / char."), mark("Zeros"), mark("Of the rest"))
HEADER_TIPS = (
    mark("How contexts of different lengths are weighed; k levels are blended, the longest first"),
    mark("One over the geometric mean of the probabilities, per token of this index"),
    mark("Bits of surprise per character: this can be compared between tokenizers"),
    mark("Tokens with a probability of 0"),
    mark("The perplexity of the other tokens"),
)


def is_bytes(index: Backend) -> bool:
    """Whether the tokens of an index are bytes."""
    return index.tokenizer.name == "bytes" or index.tokenizer.vocabulary_size == 256


def unit(index: Backend) -> str:
    """What a token of an index is called."""
    return tr("byte") if is_bytes(index) else tr("token")


def units(index: Backend, number: int) -> str:
    """A number of tokens of an index, in words.

    Returns: The number with its unit.
    """
    return trn("{n:,} byte", "{n:,} bytes", number) if is_bytes(index) else counted("token", number)


def figure(value: float | None, total: Total | None = None) -> str:
    """A perplexity with two decimals; ∞ where a zero makes it infinite, and – where there is none.

    value: The perplexity; None for none.
    total: The sums that it is of, which tell why there is none; None if that is not wanted.

    Examples
    --------
    >>> figure(6.0625), figure(None)
    ('6.06', '–')
    """
    if value is not None:
        # A number of more digits than a person reads is written by its size.
        return numeral(value, ",.2f") if value < 1e9 else scientific(value)
    return INFINITE if total is not None and total.zeros and total.floor is None else UNKNOWN


def power(value: float) -> str:
    """A small number, as a power of ten where it is one.

    Examples
    --------
    >>> power(1e-10), power(0.002)
    ('10⁻¹⁰', '0.002')
    """
    exponent = round(math.log10(value)) if value > 0 else 0
    if value > 0 and exponent < -3 and math.isclose(value, 10.0**exponent):
        return ten_to(exponent)
    return scientific(value) if 0 < value < 1e-4 else numeral(value, "g")


def headline(answer: PerplexityAnswer, row: MethodFigures, total: Total, name: str) -> tuple[str, str, str]:
    """The answer: the sentence, its number, and the bits per character.

    name: The name of the source that is shown; "" for all.
    Returns: For `Headline`; three times "" where nothing was scored.
    """
    if not total.tokens:
        return ("", "", "")
    index = answer.question.corpus.index
    what = tr("“{name}”", name=name) if name else tr("this text") if len(answer.texts) == 1 else tr("these texts")
    words = {"how": how_of(row.method), "what": what, "unit": unit(index)}
    number = figure(total.perplexity, total)
    # The word perplexity is for probabilities only.
    if not row.method.normalised:
        if total.perplexity is None:
            return tr("{how}, the corpus gives {what} no score: one {unit} has a score of 0", **words), "", ""
        said = tr("{how}, the corpus gives {what} a score of {number} per {unit}", number=number, **words)
        return said, number, tr("(not a perplexity)")
    # Infinite, not unknown: there are tokens, one of them has a probability of 0, and there is no floor.
    if total.perplexity is None:
        return tr("{how}, the corpus gives {what} an infinite perplexity", **words), tr("infinite"), ""
    said = tr("{how}, the corpus gives {what} a perplexity of {number} per {unit}", number=number, **words)
    bits = total.bits_per_character
    aside = "" if bits is None else tr("({bits} bits per character)", bits=figure(bits))
    return said, number, aside


def facts(answer: PerplexityAnswer, row: MethodFigures, total: Total) -> str:
    """What the number is made of, in one line: zeros, the rest, tuning.

    Returns: The facts, with dots between them.
    """
    index = answer.question.corpus.index
    parts = [_zeros(index, row.method, total)]
    if total.zeros and row.method.normalised and total.perplexity_of_rest is not None:
        parts.append(tr("perplexity of the rest {number}", number=figure(total.perplexity_of_rest)))
    if total.unknown:
        parts.append(tr("{tokens} are nowhere in the corpus", tokens=units(index, total.unknown)))
    if total.unigram:
        # Not every method has contexts of its own for each token, and then it is not its formula that is shown.
        parts.append(tr("{tokens} after an unknown context, by frequency alone", tokens=units(index, total.unigram)))
    if total.uniform:
        parts.append(tr("{tokens} after an unknown context, all tokens alike", tokens=units(index, total.uniform)))
    if row.tuned_on is not None:
        parts.append(
            tr("learned from {tokens} of the corpus, each left out in turn", tokens=units(index, row.tuned_tokens))
        )
    if answer.question.leave_one_out:
        parts.append(tr("each scored as if its own occurrence were not in the corpus"))
    return " · ".join(parts)


def _zeros(index: Backend, method: Formula, total: Total) -> str:
    of = units(index, total.tokens)
    if not total.zeros:
        if not method.normalised:
            return tr("{of}, none with a score of 0", of=of)
        return tr("{of}, none with a probability of 0", of=of)
    # What a zero counts as is stated with it, or nobody could judge the number.
    if total.floor is None:
        return tr("{zeros:,} of {of} were never predicted", zeros=total.zeros, of=of)
    return tr(
        "{zeros:,} of {of} were never predicted and count as {floor}",
        zeros=total.zeros,
        of=of,
        floor=power(total.floor),
    )


def explained(method: Formula) -> str:
    """What a method does, below the table."""
    return tr(_EXPLAINED[method.name])


_EXPLAINED = {
    "levels": mark(
        "A level is a length of context at which the corpus leaves more than one choice. Each level counts a fraction "
        "of the longer one, the decay. If no context occurs, the frequency of each token counts. Tokens never "
        "predicted count as the floor, so the number depends on it."
    ),
    "backoff": mark(
        "The longest context that the token follows, times alpha for each token that it is shorter than the longest "
        "one. These scores do not add up to 1 over all tokens, so they have no perplexity."
    ),
    "weighted": mark(
        "Counts of all contexts together, weighted by their length. If none occurs, the frequency of each token."
    ),
    "learned": mark(
        "Learned trust sets the weight of each level by its count and its number of followers. It is learned from the "
        "corpus itself, never from the text that is scored. Only a token that the corpus does not have gets a "
        "probability of zero."
    ),
    "infgram": mark("The longest context that occurs, alone: what never followed it has a probability of 0."),
    "ngram": mark(
        "Exactly n − 1 tokens of context: what never followed them has a probability of 0. If they do not occur, the "
        "frequency of each token."
    ),
    "witten-bell": mark("Each level gives the next shorter one as much as it has different followers."),
    "discount": mark("Each level gives the next shorter one a fixed discount from each of its counts."),
    "laplace": mark("Alpha more of every token of the vocabulary, after the longest context that occurs."),
    "infinigram-backoff": mark(
        "The mixture that the package Infinigram calls back-off. If no context occurs, the frequency of each token."
    ),
}


def method_cells(row: MethodFigures, total: Total) -> tuple[Cell, ...]:
    """A row of the table of methods."""
    return _cells(title_of(row.method), row.method, total)


def source_cells(name: str, row: MethodFigures, total: Total) -> tuple[Cell, ...]:
    """A row of the table of sources."""
    return _cells(name, row.method, total)


def _cells(name: str, method: Formula, total: Total) -> tuple[Cell, ...]:
    zeros = Cell(numeral(total.zeros), right=True, muted=True)
    if not method.normalised:
        # A score has no place in a column of perplexities.
        why = tr(
            "Scores that do not add up to 1 have no perplexity. The score is {score}.", score=figure(total.perplexity)
        )
        missing = Cell(UNKNOWN, right=True, muted=True, tip=why)
        return Cell(name), missing, missing, zeros, missing
    return (
        Cell(name),
        Cell(figure(total.perplexity, total), right=True),
        Cell(figure(total.bits_per_character, total), right=True),
        zeros,
        Cell(figure(total.perplexity_of_rest), right=True, muted=True),
    )
