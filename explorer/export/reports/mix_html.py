"""A corpus mixed with a neural model as one self-contained HTML file; every text from outside is escaped."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence

from explorer.backends.protocol.protocol import Backend
from explorer.export.provenance import Facts, index_facts
from explorer.export.records.mix import MixFacts, MixPartRecord, MixRecord, MixTotalRecord
from explorer.export.reports.notebook import tinted
from explorer.i18n import counted

GAINS = (0.1, 0.7, 2.0)
"""The smallest gain or loss of each shade, in nats: 1.1, 2 and 7.4 times as probable."""
_STYLE = """
body { font: 16px/1.6 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2433 }
.text { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #c9cfda; border-radius: 6px; padding: 1rem }
dl { display: grid; grid-template-columns: max-content auto; gap: .2rem 1rem; font-size: 14px }
dt { color: #5a6478 } dd { margin: 0; overflow-wrap: anywhere }
table { border-collapse: collapse } th, td { text-align: right; padding: .2rem .8rem .2rem 0 }
@media print { mark { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
"""


def gain_level(gain: float | None) -> int:
    """Choose the shade of a unit.

    Parameters
    ----------
    gain
        The logarithm of its probability in the mixture divided by the neural model's; None if unknown.

    Returns
    -------
    int
        -3 (the corpus hurt much) to 3 (it helped much).

    Examples
    --------
    >>> gain_level(1.2), gain_level(-0.2), gain_level(0.05)
    (2, -1, 0)
    """
    if gain is None:
        return 0
    level = sum(abs(gain) >= bound for bound in GAINS)
    return level if gain > 0 else -level


def tinted_unit(row: MixRecord) -> str:
    """Shade a unit by its gain."""
    times = "" if row.gain is None else f"{math.exp(row.gain):.3g} times as probable; "
    hint = f"{times}context of {counted('token', row.context_length)}, followed {counted('time', row.context_count)}"
    return tinted(row.token_text, gain_level(row.gain), hint)


def mix_html(index: Backend, facts: MixFacts, rows: Sequence[MixRecord], texts: int, asked: Facts = ()) -> str:
    """Write a report as one HTML page: the figures, the text shaded by where the corpus helped, and how it was made.

    asked: The settings, which the report states after the index.
    Returns: The page, which needs no other file.
    """
    about = (*index_facts(index), ("method", facts.method), ("neural model", facts.model or "unknown"), *asked)
    return "\n".join(_page(about, facts, rows, texts))


def _page(about: Facts, facts: MixFacts, rows: Sequence[MixRecord], texts: int) -> Iterator[str]:
    title = "Where the corpus helps a neural model"
    yield f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>{title}</h1>"
    yield from _figures(facts)
    shades = ", ".join(f"{math.exp(bound):.1f}" for bound in GAINS)
    yield (
        f"<p>{tinted('Green', 2)}: more probable in the mixture than under the neural model; {tinted('red', -2)}: "
        "less. "
        f"The shades begin at {shades} times. λ was tuned on the first half of the tokens.</p>"
    )
    for number in range(texts):
        if texts > 1:
            yield f"<h2>Text {number + 1}</h2>"
        pieces = "".join(tinted_unit(row) for row in rows if row.text == number)
        yield f'<div class="text" dir="auto">{pieces}</div>'
    yield "<h2>How this was made</h2><dl>"
    for name, value in about:
        yield f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>"
    yield "</dl></body></html>"


def _figures(facts: MixFacts) -> Iterator[str]:
    per_token = facts.same_tokenizer
    yield "<table><tr><th></th><th>units</th><th>neural</th><th>corpus</th><th>mixed</th><th>improvement</th></tr>"
    for part in facts.parts:
        cells = (f"{part.unit_count:,}", *(_cell(each, per_token) for each in _totals(part)), _share(part.improvement))
        yield f"<tr><th>{part.part}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    yield "</table>"
    what = "Perplexity, and bits per character" if per_token else "Bits per character: the tokenizers differ"
    yield (
        f"<p>{what}. λ, the part of the corpus, is {facts.lambda_sparse:.3f} where the corpus knows one next token "
        f"only, and {facts.lambda_other:.3f} elsewhere.</p>"
    )
    if facts.copies:
        yield f"<p><b>{counted('text', len(facts.copies))} in the corpus itself: it copies what it has.</b></p>"


def _totals(part: MixPartRecord) -> tuple[MixTotalRecord, ...]:
    return part.neural, part.corpus, part.hybrid


def _cell(total: MixTotalRecord, per_token: bool) -> str:
    if total.bits_per_character is None:
        return f"∞ ({counted('unit', total.zeros)} with probability 0)" if total.zeros else "–"
    bits = f"{total.bits_per_character:.3f}"
    return f"{total.perplexity:.2f} ({bits})" if per_token and total.perplexity is not None else bits


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"
