"""The two lists of the Next token screen as cells: the endings of the prompt, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.next_token.work import LadderRow, NextAnswer, NextRow
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import numeral, tr

_SHOWN_BEFORE = 12


def ladder_header() -> tuple[str, ...]:
    """The columns of the endings."""
    return (tr("Length"), tr("Ending of your text"), tr("Hits (log scale)"), tr("Next tokens"))


def ladder_tips() -> tuple[str, ...]:
    """What the columns of the endings mean."""
    return (
        tr("Tokens of the ending"),
        tr("The end of your text, which is the context of the prediction"),
        tr("How often the ending occurs; the bars are on a logarithmic scale"),
        tr("Different tokens that follow the ending"),
    )


def ladder_cells(rows: Sequence[LadderRow]) -> list[tuple[Cell, ...]]:
    """The endings, the longest first."""
    return [
        (
            Cell(numeral(row.rung.n - 1), right=True, muted=True),
            Cell(row.text or tr("(no context)"), before=row.before, muted=not row.text),
            Cell(numeral(row.rung.context_count), bar=row.length, tip=_ladder_tip(row)),
            # More may follow in what the sample does not have.
            Cell(("≥ " if row.rung.sample else "") + numeral(row.rung.distinct), right=True),
        )
        for row in rows
    ]


def _ladder_tip(row: LadderRow) -> str:
    entropy = tr("{entropy:.2f} bits of entropy", entropy=row.rung.entropy)
    if row.rung.sample:
        entropy = tr("≈ {entropy}, from a sample of {sample:,} hits", entropy=entropy, sample=row.rung.sample)
    if not row.rung.plateau:
        return entropy
    return tr("{entropy}. Five or more endings have this count: the corpus has the whole passage.", entropy=entropy)


def next_header(words: bool) -> tuple[str, ...]:
    """The columns of what comes next."""
    return (tr("Word") if words else tr("Token"), tr("Probability"), "", tr("Hits"))


def next_cells(answer: NextAnswer) -> list[tuple[Cell, ...]]:
    """What comes next, the most frequent first.

    Returns: The cells of each row. Bars are relative to the first row.
    """
    most = answer.rows[0].share if answer.rows else 1.0
    last = cell_text(answer.context_text, ending=True, most=_SHOWN_BEFORE).split(" ")[-1]
    words = answer.request.question.words
    sign = "" if answer.exact else "≈ " if answer.sample else "≥ "
    return [
        (
            Cell(row.text, before=_before(row, last) if words else "", muted=row.named, code=not words),
            Cell(sign + _share(row), right=True, tip=_share_tip(row, answer.sample)),
            Cell("", bar=row.share / most),
            Cell(sign + numeral(row.count), right=True, tip="" if words else tr("Token {id}", id=row.token)),
        )
        for row in answer.rows
    ]


def _share(row: NextRow) -> str:
    if row.interval is None:
        return numeral(row.share, ".2%")
    low, high = (numeral(100 * bound, ".1f") for bound in row.interval)
    # With a digit less: the interval is wider than that.
    return tr("{share:.1%} ({low}–{high})", share=row.share, low=low, high=high)


def _share_tip(row: NextRow, sample: int) -> str:
    if row.interval is None:
        return ""
    return tr("Estimated from {sample:,} hits, with the 95 % interval of the true share", sample=sample)


def _before(row: NextRow, last: str) -> str:
    """The end of the context, so that a row reads as a piece of text."""
    if not last or row.named:
        return ""
    # A comma follows without a space, and so does the rest of a word.
    return f"… {last}" if not row.insert[:1].isspace() else f"… {last} "
