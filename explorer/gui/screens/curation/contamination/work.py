"""What the tab of contamination runs in its background lanes. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.contamination.gain import curve_of
from explorer.analyses.contamination.item_matches import ItemMatches
from explorer.analyses.contamination.question import ContaminationQuestion
from explorer.analyses.contamination.table import GainRecord, OwnRecord
from explorer.analyses.trace.measures.covering import longest_covering
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.curation.contamination import contamination_board
from explorer.corpus.results.curation.contamination import ContaminationTable
from explorer.corpus.results.curation.contamination_board import ContaminationBoard
from explorer.corpus.results.origin import asked_of
from explorer.export.about import save_about
from explorer.export.destination import save_text
from explorer.export.provenance import Facts
from explorer.gui.index.word_index import bytes_to_ask
from explorer.gui.presenting.requests import ExportCuts
from explorer.gui.screens.curation.contamination.items.judging import ItemColumns, ItemShares, columns_of, shares_of
from explorer.i18n import tr
from explorer.text.segments import spans

_BEFORE, _AFTER = 200, 400
"""Tokens of a document that are shown around a match."""


@dataclass(frozen=True, eq=False)
class OtherBench:
    """What was found in an index beside the open one."""

    name: str
    shares: tuple[ItemShares, ...]


@dataclass(frozen=True, eq=False)
class BenchAnswer:
    """What was found.

    counted: What the items were looked for in: the words of the index, or itself, without what was left out. None if
        the words are not there yet.
    bytes: How large the index of words becomes at most.
    found: The items; None without words.
    gains: What a model's score gains by items above thresholds, by benchmark; nothing for one without scores.
    others: What was found in other indexes.
    own: Sources with documents that consist of items, in all indexes.
    """

    rule: ContaminationQuestion
    counted: Corpus | None = None
    bytes: int = 0
    found: ContaminationTable | None = None
    lists: tuple[ItemColumns, ...] = ()
    gains: tuple[tuple[GainRecord, ...], ...] = ()
    others: tuple[OtherBench, ...] = ()
    own: tuple[OwnRecord, ...] = ()


@dataclass(frozen=True, eq=False)
class ItemView(ArrayValue):
    """An item beside the document that has most of it.

    span: The characters of its text that are the longest match in this document; (0, 0) if nothing occurs.
    text: The part of the document around this match.
    answer: The characters of the item's answer in `text`; (0, 0) if it is not there word for word.
    shares: The share of the item in matches of at least 1, 2, 3 … words or tokens, float64.
    token, tokens: Where the match is in the document, in tokens of the open index.
    """

    found: ItemMatches
    span: tuple[int, int]
    text: str
    match: tuple[int, int]
    answer: tuple[int, int]
    shares: NDArray[np.float64]
    token: int = 0
    tokens: int = 0


def run_bench(
    corpus: Corpus, rule: ContaminationQuestion, make: bool, report: Report, cancel: CancelToken
) -> BenchAnswer:
    """Look for the items of benchmarks. Runs off the interface thread.

    make: Whether the index of words may be made.
    Returns: The items; none if the index of words would have to be made first.
    Raises `CorpusError` if a benchmark cannot be read.
    """
    others = opened_beside(corpus, rule, report, cancel)
    most = sum(bytes_to_ask(each.index) for each in (corpus, *others)) if rule.unit == "words" and not make else 0
    if most:
        return BenchAnswer(rule, None, most)
    found, *beside = board_of([corpus, *others], rule, report, cancel).tables
    return BenchAnswer(
        rule,
        Corpus(found.looked_in),
        0,
        found,
        _lists(found),
        _gains(found, cancel),
        tuple(OtherBench(table.name, tuple(shares_of(file.rows) for file in table.files)) for table in beside),
        tuple(own for table in (found, *beside) for own in table.own),
    )


def opened_beside(corpus: Corpus, rule: ContaminationQuestion, report: Report, cancel: CancelToken) -> list[Corpus]:
    """Open the indexes beside the open one. Runs off the interface thread.

    corpus: The open index, which is not opened again.
    """
    places = beside_of(rule, corpus.index.sources)
    return [Corpus(BACKENDS.open(IndexRequest((place,)), report, cancel)) for place in places]


def beside_of(rule: ContaminationQuestion, sources: Sequence[str]) -> tuple[str, ...]:
    """The indexes of a rule beside the open one, which may have been one of them when the rule was made."""
    return tuple(place for place in rule.against if [place] != list(sources))


def _lists(found: ContaminationTable) -> tuple[ItemColumns, ...]:
    questions = iter([each.item.question for each in found.matches])
    return tuple(columns_of(file.rows, [next(questions) for _ in file.rows]) for file in found.files)


def _gains(found: ContaminationTable, cancel: CancelToken) -> tuple[tuple[GainRecord, ...], ...]:
    """A bootstrap takes seconds, so it is drawn only for benchmarks with scores."""
    gains: list[tuple[GainRecord, ...]] = []
    matches = iter(found.matches)
    for file in found.files:
        cancel.check()
        items = [next(matches) for _ in file.rows]
        points = curve_of(items) if any(each.item.score is not None for each in items) else ()
        gains.append(tuple(GainRecord(found.name, file.file, *astuple(each)) for each in points))
    return tuple(gains)


def board_of(
    corpora: Sequence[Corpus], rule: ContaminationQuestion, report: Report, cancel: CancelToken
) -> ContaminationBoard:
    """Look for the items of benchmarks in indexes, as the library does. Runs off the interface thread.

    Raises `CorpusError` if a benchmark cannot be read.
    """
    return contamination_board(
        corpora, list(rule.files), **rule.arguments("files", "against"), report=report, cancel=cancel
    )


def run_item(corpus: Corpus, answer: BenchAnswer, row: int, cancel: CancelToken) -> ItemView:
    """Read an item, and the document that has most of it. Runs off the interface thread.

    Returns: Both texts, with what they share.
    Raises `CorpusError` if they cannot be read.
    """
    assert answer.found is not None and answer.counted is not None
    found, counted = answer.found.matches[row], answer.counted
    shares = _shares(counted, found.item.text(answer.rule.parts), cancel)
    where = found.evidence
    if where is None:
        return ItemView(found, (0, 0), "", (0, 0), (0, 0), shares)
    first, last = where.offset, where.offset + where.length
    if answer.rule.unit == "words":
        first, last = _tokens_of(corpus, counted, where.document, first, last)
    before, after = max(0, first - _BEFORE), last + _AFTER
    [ids] = corpus.index.documents.windows(np.array([where.document]), np.array([before]), np.array([after]))
    text = corpus.decode(ids)
    # The texts of beginnings of the tokens, not of parts: a decoder leaves out a blank before the first token.
    begin, end = (len(corpus.decode(ids[: place - before])) if place > before else 0 for place in (first, last))
    lead, close = _core(text[begin:end])
    lead, close = begin + lead, begin + close
    said = _answer_in(text, found.item.answer, close) if where.answer_near else (0, 0)
    return ItemView(found, (where.begin, where.end), text, (lead, close), said, shares, first, last - first)


def _core(match: str) -> tuple[int, int]:
    """The characters from the first word to the last: what is between words belongs to none."""
    words = spans(match)
    return (words[0][0], words[-1][1]) if words else (0, len(match))


def _shares(counted: Corpus, text: str, cancel: CancelToken) -> NDArray[np.float64]:
    ids = counted.index.tokenizer.encode_with_offsets(text).ids
    if not len(ids):
        return np.empty(0)
    covering = longest_covering(counted.index.counts.longest_matches(ids, cancel))
    return np.array([(covering >= least).mean() for least in range(1, int(covering.max()) + 1)])


def _tokens_of(corpus: Corpus, counted: Corpus, document: int, first: int, last: int) -> tuple[int, int]:
    """The tokens of the open index from a word to before another."""
    home = np.array([document])
    begin = int(counted.word_origins(home, np.array([first]))[0])
    if last < int(counted.index.documents.lengths(home)[0]):
        return begin, max(begin + 1, int(counted.word_origins(home, np.array([last]))[0]))
    return begin, int(corpus.index.documents.lengths(home)[0])


def _answer_in(text: str, answer: str, after: int) -> tuple[int, int]:
    wanted = answer.strip().casefold()
    at = text.casefold().find(wanted, after) if wanted and len(text.casefold()) == len(text) else -1
    return (0, 0) if at < 0 else (at, at + len(wanted))


def write_ids(ids: Sequence[str], path: Path, facts: Callable[[], Facts] = tuple) -> int:
    """Write the names of some items to a file, one per line. Runs off the interface thread.

    facts: Gives what they were computed from, which is written beside them.
    Returns: How many there are.
    Raises `ExportError` if it cannot be written.
    """
    save_text(path, "".join(f"{' '.join(each.split())}\n" for each in ids))
    save_about(path, facts())
    return len(ids)


def run_removal(corpus: Corpus, rule: ContaminationQuestion, report: Report, cancel: CancelToken) -> ExportCuts:
    """Find the documents that benchmarks make up. Runs off the interface thread.

    Raises `CorpusError` if a benchmark cannot be read.
    """
    found = corpus.decontamination(
        list(rule.files),
        unit=rule.unit,
        question=rule.question,
        answer=rule.answer,
        report=report,
        cancel=cancel,
    )
    names = ", ".join(Path(each).name for each in rule.files)
    title = tr("Documents of {names}", names=names)
    return ExportCuts(title, found.ranges, asked_of(found))
