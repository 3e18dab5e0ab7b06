"""What the tab of keywords runs in its background lanes. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from explorer.analyses.breakdown.facets import Bar, Facet
from explorer.analyses.keywords.keyness import KEYNESS
from explorer.analyses.keywords.question import KeywordsQuestion
from explorer.analyses.keywords.table import KeywordRecord
from explorer.analyses.metadata.values import OPERATORS, exactly, labels
from explorer.backends.metadata import texts_first
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results.statistics.keywords import Keywords
from explorer.corpus.search.where import chosen_documents
from explorer.derive.kinds import Choice, Text
from explorer.derive.question import setting, settings_of
from explorer.gui.index.word_index import bytes_to_ask
from explorer.gui.presenting.cells import Cell
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, numeral, tr
from explorer.words.stop_list import stop_words_of

MOST_ROWS = 500
"""Rows of each of the two tables; a file has all of them."""
MOST_MEASURED = 30_000_000
"""Tokens of an index whose words are measured for their spread without being asked for: it is read for this."""
REST, INDEX, LIST = "rest", "index", "list"
"""What can be compared with: the rest of the index, another index, a word list."""
COMPARED = ("=", "^=", "~", "<=", ">=")
"""The signs by which a field and a value are compared, some of `explorer.analyses.metadata.values.OPERATORS`."""


@dataclass(frozen=True)
class KeywordRule(KeywordsQuestion):
    """What is compared with what, and how."""

    reference: str = setting(
        REST,
        Choice({REST: mark("the rest of this index"), INDEX: mark("another index"), LIST: mark("a word list")}),
        mark("compared with"),
        mark("what the words of this index are compared with"),
    )
    field: str = setting("", Text(), mark("Metadata field"), mark("the field that chooses documents"))
    operator: str = setting(
        "=",
        Choice({sign: OPERATORS[sign] for sign in COMPARED}),
        mark("Comparison"),
        mark("how the field and the value are compared"),
    )
    value: str = setting("", Text(), mark("Value of the field"), mark("the value as it is shown"))
    condition: str = setting("", Text(), mark("Condition"), mark("field, sign and value, as the command takes them"))
    index: str = setting("", Text(), mark("Index to compare with"), mark("its folder"))
    list: str = setting("", Text(), mark("Word list to compare with"), mark("its file"))

    @property
    def question(self) -> KeywordsQuestion:
        """How words are compared, as the library takes it."""
        given = {name: getattr(self, name) for name in settings_of(KeywordsQuestion)}
        return KeywordsQuestion(**given | {"exclude_missing": self.exclude_missing and bool(self.where)})

    @property
    def where(self) -> str:
        """The condition of the documents that are compared with the rest; "" for the whole index."""
        return self.condition if self.reference == REST else ""

    @property
    def against(self) -> str:
        """The folder or the file that is compared with; "" for none."""
        return {INDEX: self.index, LIST: self.list}.get(self.reference, "")

    @property
    def complete(self) -> bool:
        """Whether there is something to compare with."""
        return bool(self.where or self.against)


class KeyDot(NamedTuple):
    """A word in the plot.

    hits: Its hits in the corpus and in the reference.
    positive: Whether it is at least as frequent as in the reference.
    """

    ratio: float
    evidence: float
    hits: int
    positive: bool
    row: int
    form: str


@dataclass(frozen=True, eq=False)
class KeywordAnswer:
    """Keywords and negative keywords.

    corpus: The words of the index; None if they are not there yet.
    bytes: How large the index of words becomes at most.
    found: The keywords; None without words.
    rows: The same as records: keywords, then negative keywords.
    positive: How many of them are keywords.
    table: The rows as cells, in the language of the window.
    told: The four cells of each row, with formula and source.
    dots: The rows in the plot; those without evidence are left out.
    """

    rule: KeywordRule
    corpus: Corpus | None = None
    bytes: int = 0
    found: Keywords | None = None
    rows: tuple[KeywordRecord, ...] = ()
    positive: int = 0
    table: tuple[tuple[Cell, ...], ...] = ()
    told: tuple[str, ...] = ()
    dots: tuple[KeyDot, ...] = ()


def with_known_field(rule: KeywordRule, known: Sequence[str]) -> KeywordRule:
    """Take another field where an index lacks that of a rule.

    Returns: The same, or with the first field that the texts came with: rather that than the file and the line that a
        builder noted.
    """
    if rule.field in known:
        return rule
    return replace(rule, field=next(iter(texts_first(known)), ""), value="", condition="")


def run_values(corpus: Corpus, field: str, report: Report, cancel: CancelToken) -> Facet:
    """Find the values of a field. Runs off the interface thread.

    Returns: The values, those of most documents first; their hits are documents.
    """
    documents = np.flatnonzero(chosen_documents(corpus.index, corpus.columns, (), report, cancel)).astype(np.int64)
    column = corpus.columns.column(field, documents, report, cancel)
    codes, counts = np.unique(column.codes, return_counts=True)
    values = [column.values[code] for code in codes.tolist()]
    rows = sorted(zip(values, labels(values), counts.tolist(), strict=True), key=lambda row: -row[2])
    # Documents without the field have no condition that a command could name.
    bars = tuple(Bar(value, shown, count, count) for value, shown, count in rows if value is not None)
    return Facet(field, bars, len(documents), len(documents))


def condition_of(rule: KeywordRule, bar: Bar | None) -> str:
    """Write the condition of what is typed or picked, as the command line takes it.

    bar: The value that was picked; None for one that was typed.
    Returns: The condition; "" without a value.
    """
    if bar is not None and rule.operator == "=":
        condition = exactly(rule.field, bar.value)
        return f"{condition.field}{condition.operator}{condition.value}"
    return f"{rule.field}{rule.operator}{rule.value.strip()}" if rule.value.strip() else ""


def keywords_of(
    corpus: Corpus, rule: KeywordRule, top: int | None, report: Report, cancel: CancelToken | None
) -> Keywords:
    """Compare the words of an index. Runs off the interface thread.

    top: How many keywords and how many negative keywords; None for all.
    Raises `CorpusError` if they cannot be compared.
    """
    from explorer.backends.registry import BACKENDS
    from explorer.backends.request import IndexRequest

    reference: Corpus | Path | None = None
    if rule.reference == INDEX:
        reference = Corpus(BACKENDS.open(IndexRequest((rule.index,)), report, cancel))
    elif rule.reference == LIST:
        reference = Path(rule.list)
    question = rule.question
    given = {
        **question.arguments(),
        "stop": stop_words_of(question.stop),
        "details": corpus.token_count <= MOST_MEASURED,
        "top": top,
    }
    return corpus.keywords(reference, where=rule.where or None, **given, report=report, cancel=cancel)


def run_keywords(corpus: Corpus, rule: KeywordRule, make: bool, report: Report, cancel: CancelToken) -> KeywordAnswer:
    """Compare the words of an index, and make what is shown of it. Runs off the interface thread.

    make: Whether the index of words may be made.
    Returns: The rows; none of them if the index of words would have to be made first.
    Raises `CorpusError` if they cannot be compared.
    """
    if not make and (most := bytes_to_ask(corpus.index)):
        return KeywordAnswer(rule, None, most)
    found = keywords_of(corpus, rule, MOST_ROWS, report, cancel)
    rows = tuple(found)
    told = tuple(cells_of(row, found, rule.measure) for row in rows)
    positive = sum(row.positive for row in rows)
    return KeywordAnswer(
        rule, corpus.words(), 0, found, rows, positive, _table(rows, told, positive, rule.measure), told, _dots(rows)
    )


def shown_measure(measure: str) -> str:
    """The measure of the last column: that which sorts, or G² beside the log ratio, which has a column of its own."""
    return "g2" if measure == "log_ratio" else measure


def _number(value: float | None, sign: bool = True) -> str:
    # None is unknown, for a word that the reference lacks.
    return "?" if value is None else numeral(value, "+,.2f" if sign else ",.2f")


def cells_of(row: KeywordRecord, found: Keywords, measure: str) -> str:
    """Tell the four cells of a word, which sum to N, and how its measure is computed from them."""
    measured = KEYNESS[shown_measure(measure)]
    cells = (row.count, found.total - row.count, row.reference_count, found.reference_total - row.reference_count)
    return tr(
        "{measure} of “{form}”: {value}. Here {count} of {total} words, there {other} of {others}. "
        "Cells: {cells}; their sum is N = {n}. {formula} ({source})",
        measure=measured.label,
        form=cell_text(row.form or ""),
        value=_number(getattr(row, measured.id)),
        count=numeral(row.count),
        total=numeral(found.total),
        other=numeral(row.reference_count),
        others=numeral(found.reference_total),
        cells=" + ".join(map(numeral, cells)),
        n=numeral(sum(cells)),
        formula=measured.formula,
        source=measured.source,
    )


def _table(
    rows: tuple[KeywordRecord, ...], told: tuple[str, ...], positive: int, measure: str
) -> tuple[tuple[Cell, ...], ...]:
    last = shown_measure(measure)
    return tuple(
        (
            Cell(numeral(place + 1 if place < positive else place + 1 - positive), right=True, muted=True, tip=tip),
            Cell(cell_text(row.form or ""), tip=tip),
            Cell(numeral(row.count), right=True, tip=tip),
            Cell(numeral(row.per_million, ",.1f"), right=True, muted=True, tip=tip),
            Cell(numeral(row.reference_per_million, ",.1f"), right=True, muted=True, tip=tip),
            Cell(numeral(row.documents), right=True, tip=tip),
            Cell(_spread(row), right=True, muted=True, tip=tip),
            Cell(_number(row.log_ratio), right=True, tip=tip),
            Cell(_number(getattr(row, last)), right=True, tip=tip),
        )
        for place, (row, tip) in enumerate(zip(rows, told, strict=True))
    )


def _spread(row: KeywordRecord) -> str:
    value = row.d_a if row.positive else row.reference_d_a
    return "?" if value is None else numeral(value, ".2f")


def _dots(rows: tuple[KeywordRecord, ...]) -> tuple[KeyDot, ...]:
    return tuple(
        KeyDot(row.log_ratio, abs(row.g2), row.count + row.reference_count, row.positive, place, row.form or "")
        for place, row in enumerate(rows)
        if row.g2
    )
