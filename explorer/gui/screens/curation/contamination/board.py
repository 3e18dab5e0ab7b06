"""The table of benchmarks: by lengths of matches, by the rules of others, or by index. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.analyses.contamination.table import BenchmarkRecord
from explorer.core.proportions import wilson_interval
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.curation.contamination.items.judging import LENGTHS, ItemColumns, percent
from explorer.gui.screens.curation.contamination.state import INDEXES_OF, RULES_OF, BenchState
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, numeral, tr

RULES = (
    (
        "gpt_3",
        mark("GPT-3"),
        mark("With an N-gram that occurs, N from 8 to 13 (Brown et al. 2020)"),
    ),
    ("palm", mark("PaLM"), mark("With 70 % or more of their 8-grams (Chowdhery et al. 2022)")),
    (
        "llama_2",
        mark("Llama 2"),
        mark("With 80 % or more in matches of more than ten, up to four mismatches included (Touvron et al. 2023)"),
    ),
    (
        "llama_2_not_clean",
        mark("not clean"),
        mark("Llama 2: with 20 % or more in such matches, so not what the paper calls clean"),
    ),
    ("any_13", mark("13-gram"), mark("With a 13-gram that occurs, as lm-evaluation-harness had it")),
    (
        "llama_3",
        mark("Llama 3"),
        mark("With half or more in 8-grams that occur (Grattafiori et al. 2024; they choose the share by scores)"),
    ),
    (
        "con_tam",
        mark("ConTAM"),
        mark("With half or more in one match of 8 or more (Singh et al. 2024; they choose the share by scores)"),
    ),
    (
        "infini_gram_mini",
        mark("IG mini"),
        mark("infini-gram mini: 80 % or more of their substrings of 50 characters are within matches (Xu et al. 2025)"),
    ),
    ("bff", mark("BFF"), mark("With more than 80 % of their 13-grams, AI2's rule for a paragraph turned around")),
)
"""Their fields in the records, their names, and which items they flag."""


@dataclass(frozen=True)
class Column:
    """A column of the table."""

    name: str
    about: str
    cells: tuple[Cell, ...]


def board_of(state: BenchState) -> tuple[Column, ...]:
    """Make the table of benchmarks.

    Returns: With a cell for each benchmark; nothing without benchmarks.
    """
    if not state.files:
        return ()
    names = tuple(Cell(cell_text(Path(each.file).name), tip=each.file) for each in state.files)
    return (Column(tr("Benchmark"), tr("The file"), names), *_columns(state))


def _columns(state: BenchState) -> Iterator[Column]:
    # The rules of others leave no room for the numbers of items, which are in the other tables.
    if state.by != RULES_OF:
        yield Column(tr("Items"), tr("Items of the file"), tuple(_number(each.items) for each in state.files))
    if state.by == INDEXES_OF:
        yield from _indexes(state)
        return
    yield _flagged(state)
    yield from (_rules(state.files) if state.by == RULES_OF else _lengths(state))


def _flagged(state: BenchState) -> Column:
    cells = []
    for judged in state.judged:
        share = judged.interval
        cells.append(Cell("–" if share is None else percent(share[0]), right=True, tip=numeral(judged.flagged)))
    return Column(tr("Flagged"), _about_flagged(state), tuple(cells))


def _about_flagged(state: BenchState) -> str:
    return tr(
        "{percent} % of it or more occurs in one piece; the share of those that are long enough to tell",
        percent=numeral(round(100 * state.thresholds.flag_at)),
    )


def _rules(files: tuple[BenchmarkRecord, ...]) -> Iterator[Column]:
    for field, name, about in RULES:
        yield Column(tr(name), tr(about), tuple(_part(getattr(each.rules, field), each.items) for each in files))


def _lengths(state: BenchState) -> Iterator[Column]:
    lists = _lists(state)
    about = (
        tr("Items whose longest match has this many words or more")
        if state.rule.unit == "words"
        else tr("Items whose longest match has this many tokens or more")
    )
    for place, length in enumerate(LENGTHS):
        cells = (_part(items.at_least[place], len(items.share)) for items in lists)
        yield Column(f"{numeral(length)}+", about, tuple(cells))
    longest = tuple(_number(items.longest) for items in lists)
    yield Column(tr("Longest"), tr("The longest match of any item"), longest)


def _indexes(state: BenchState) -> Iterator[Column]:
    """The open index first."""
    found = state.found
    if found is None or found.found is None:
        return
    about = tr("Flagged items, with the 95 percent interval of their share. {how}", how=_about_flagged(state))
    open_one = tuple(_interval(each.flagged, len(each.verdicts) - each.too_short) for each in state.judged)
    yield Column(cell_text(found.found.name), about, open_one)
    for other in found.others:
        cells = tuple(_interval(*shares.flagged(state.thresholds)) for shares in other.shares)
        yield Column(cell_text(other.name), about, cells)


def _lists(state: BenchState) -> tuple[ItemColumns, ...]:
    return state.found.lists if state.found else ()


def _number(count: int) -> Cell:
    return Cell(numeral(count), right=True)


def _part(count: int, items: int) -> Cell:
    return Cell(percent(count / items), right=True, tip=numeral(count))


def _interval(flagged: int, judged: int) -> Cell:
    """A share with its interval; unknown, not 0, if all items are too short to tell."""
    if not judged:
        return Cell("–", right=True, tip=tr("All items are too short to tell"))
    low, high = (numeral(100 * end, ".1f") for end in wilson_interval(flagged, judged))
    told = tr("{share} % ({low}–{high})", share=numeral(100 * flagged / judged, ".1f"), low=low, high=high)
    counts = tr("{flagged} of {judged} items", flagged=numeral(flagged), judged=numeral(judged))
    return Cell(told, right=True, bar=flagged / judged, tip=counts)
