"""The sentences and tables of the Mix tab. No Qt."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer.analyses.mix.mixing import MixPart, MixTotal
from explorer.corpus.results.model.mixing import Mix
from explorer.export.charts.mix_charts import measure
from explorer.export.records.mix import MixRecord, MixSizeRecord
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.model.large_numbers import scientific, times_as
from explorer.gui.style.text_positions import cell_text, one_line
from explorer.i18n import counted, mark, numeral, tr

MISSING = "–"
PARTS = {"first": mark("First half"), "second": mark("Second half"), "all": mark("All")}
LEVELS = {
    -3: mark("hurt much"),
    -2: mark("hurt"),
    -1: mark("hurt a little"),
    0: mark("no difference"),
    1: mark("helped a little"),
    2: mark("helped"),
    3: mark("helped much"),
}
"""How much the corpus helped, as in `MixText.levels`."""
TOKEN_HEADER = (mark("Token"), mark("Model"), mark("Corpus"), mark("Mixture"), "λ", mark("Effect"))
UNIT = mark("Unit")
"""Of different tokenizers, in place of “Token”."""
TOKEN_TIPS = (
    mark("The token, or what is between two boundaries that both tokenizers share"),
    mark("Its probability under the neural model"),
    mark("Its probability under the corpus"),
    mark("Its probability in the mixture"),
    mark("The part of the corpus in the mixture"),
    mark("How many times as probable the mixture makes it"),
)
SIZE_HEADER = (mark("Part"), mark("Documents"), mark("Tokens"), mark("Mixture"), mark("Saved"), mark("Gain"))
SIZE_TIPS = (
    mark("The part of the corpus, by its documents"),
    mark("Documents of this part of the corpus; each part contains the next smaller one"),
    mark("Their tokens"),
    mark("Bits per character of the mixture on the second half"),
    mark("Bits per character that the corpus saves"),
    mark("The part of the way to a perfect prediction"),
)


def headline(found: Mix) -> tuple[str, str, str]:
    """The result in a sentence; see `Headline`.

    Returns: The sentence, the part of it that is bold, and what follows in smaller type.
    """
    part = found.second
    # Of the half that λ has not seen; the other one flatters.
    aside = tr("(second half; λ tuned on the first)")
    if part.hybrid.zeros:
        count = counted("token", part.hybrid.zeros)
        return tr("{count} of the text are impossible for the model and the corpus", count=count), count, aside
    before, after = measure(part.neural), measure(part.hybrid)
    if before is None or after is None:
        count = counted("token", part.neural.zeros)
        return (
            tr("Only with the corpus has every token a probability above 0"),
            "",
            tr("({count} without)", count=count),
        )
    # As they are shown: a change below the last digit is not called one.
    old, new = numeral(before, ",.2f"), numeral(after, ",.2f")
    gained = gain_of(part)
    if found.same_tokenizer:
        sentence = (
            tr("The corpus leaves the model's perplexity at {new}", new=new)
            if old == new
            else tr("With the corpus, the model's perplexity falls from {old} to {new}, a gain of {gain}", old=old,
                    new=new, gain=gained)
            if after < before
            else tr("With the corpus, the model's perplexity rises from {old} to {new}", old=old, new=new)
        )  # fmt: skip
        return sentence, new, aside
    sentence = (
        tr("The corpus leaves the model at {new} bits per character", new=new)
        if old == new
        else tr(
            "With the corpus, the model's bits per character fall from {old} to {new}, a gain of {gain}",
            old=old, new=new, gain=gained,
        )
        if after < before
        else tr("With the corpus, the model's bits per character rise from {old} to {new}", old=old, new=new)
    )  # fmt: skip
    return sentence, new, aside


def gain_of(part: MixPart) -> str:
    """The gain in percent: the part of the way to a perfect prediction, or where tokenizers differ, of the bits."""
    value = part.improvement if part.neural.per_token else saved_of(part)
    return MISSING if value is None else numeral(value, ".1%")


def saved_of(part: MixPart) -> float | None:
    """The part of the bits per character that the corpus saves; None where there are none."""
    before, after = part.neural.bits_per_character, part.hybrid.bits_per_character
    return None if not before or after is None else 1 - after / before


def facts(found: Mix) -> str:
    """What the numbers are made of, in one line."""
    # Both λ are told even where one kind of token did not occur: it has that of all tokens then.
    weights, units = found.weights, len(found)
    half = found.first.neural.units
    # Where both tokenizers differ, a row is more than a token of one of them.
    of = counted("token", half) if found.same_tokenizer else counted("unit", half)
    told = [
        tr(
            "λ {sparse} where one next token is known, {other} elsewhere",
            sparse=numeral(weights.sparse, ".3f"),
            other=numeral(weights.other, ".3f"),
        ),
        tr("tuned on the first {of}, reported on {rest:,}", of=of, rest=units - half),
    ]
    if not found.same_tokenizer:
        told.append(tr("no perplexity: the tokenizers differ"))
    # Last, as it may be a long name: the line is cut where there is no room.
    if found.model:
        told.append(tr("model: {name}", name=cell_text(found.model)))
    return " · ".join(told)


def part_header(found: Mix) -> tuple[str, ...]:
    """The columns of the table of halves."""
    measure = tr("Perplexity") if found.same_tokenizer else tr("Bits / char.")
    return (measure, tr("Model"), tr("Corpus"), tr("Mixture"), tr("Gain"))


def part_rows(found: Mix) -> tuple[tuple[Cell, ...], ...]:
    """The table of halves: a row per part of the text."""
    return tuple(
        (
            Cell(tr(PARTS[part.name])),
            *(_figure(total) for total in (part.neural, part.corpus, part.hybrid)),
            Cell(gain_of(part), right=True),
        )
        for part in (found.first, found.second, found.all)
    )


def _figure(total: MixTotal) -> Cell:
    value = measure(total)
    if value is not None:
        return Cell(numeral(value, ",.2f") if value < 1e6 else scientific(value), right=True)
    # Infinite: a number without the token that a model finds impossible would flatter.
    why = tr("{count} with a probability of 0", count=counted("token", total.zeros)) if total.zeros else ""
    return Cell("∞" if total.zeros else MISSING, right=True, muted=True, tip=why)


def token_header(found: Mix) -> tuple[str, ...]:
    """The columns of the table of tokens, or of units where the tokenizers differ."""
    return tuple(map(tr, TOKEN_HEADER if found.same_tokenizer else (UNIT, *TOKEN_HEADER[1:])))


def token_rows(rows: Sequence[MixRecord]) -> tuple[tuple[Cell, ...], ...]:
    """The table of tokens."""
    return tuple(
        (
            Cell(one_line(row.token_text), code=True),
            *(_share(logarithm) for logarithm in (row.neural_logprob, row.corpus_logprob, row.hybrid_logprob)),
            Cell(numeral(row.weight, ".3f"), right=True, muted=True),
            Cell(times(row), right=True),
        )
        for row in rows
    )


def _share(logarithm: float | None) -> Cell:
    # None is a probability of 0, which is known.
    return Cell(share(logarithm), right=True, muted=logarithm is None)


def share(logarithm: float | None) -> str:
    """A probability, by its natural logarithm; None for a probability of 0.

    Examples
    --------
    >>> share(0.0), share(None), share(-20.0)
    ('1.000', '0', '2.1 × 10⁻⁹')
    """
    # Three decimals of a very small number are zeros.
    value = 0.0 if logarithm is None else math.exp(logarithm)
    return numeral(value, ".3f") if value >= 0.001 else scientific(value, 2) if value else "0"


def times(row: MixRecord) -> str:
    """How many times as probable the mixture makes a token: "× 1.20", "× 12,100"."""
    return MISSING if row.gain is None else tr("× {factor}", factor=times_as(row.gain))


def size_rows(rows: Sequence[MixSizeRecord]) -> tuple[tuple[Cell, ...], ...]:
    """The table of sizes, the whole corpus first."""
    return tuple(
        (
            Cell(tr("1/{number:,}", number=2**row.halvings) if row.halvings else tr("all")),
            Cell(numeral(row.document_count), right=True),
            Cell(numeral(row.token_count), right=True, muted=True),
            _bits(row.hybrid_bits_per_character),
            _bits(row.gain),
            Cell(MISSING if row.improvement is None else numeral(row.improvement, ".1%"), right=True),
        )
        for row in rows
    )


def _bits(value: float | None) -> Cell:
    return Cell(MISSING if value is None else numeral(value, ".4f"), right=True, muted=value is None)


def described(row: MixRecord, level: int) -> str:
    """A token in words: what the corpus did, both probabilities, and the context.

    level: How much the corpus helped, as in `MixText.levels`.
    """
    effect = tr(LEVELS[level])
    # Without a level the factor is near 1, and would be read as an effect.
    if row.gain is not None and level:
        effect = tr("{effect}: {times} as probable", effect=effect, times=times(row))
    return tr(
        "{token}: {effect} · model {model}, corpus {corpus}, mixture {mixture} · longest context: {tokens}, "
        "followed {times}",
        token=one_line(row.token_text),
        effect=effect,
        model=share(row.neural_logprob),
        corpus=share(row.corpus_logprob),
        mixture=share(row.hybrid_logprob),
        tokens=counted("token", row.context_length),
        times=counted("time", row.context_count),
    )
