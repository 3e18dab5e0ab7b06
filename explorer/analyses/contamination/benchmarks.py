"""Benchmarks: the items of evaluation sets, from files and from rows, and which column is what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import chain, islice
from math import isfinite
from typing import Any

from explorer.core.files.text_field import MISSING, look_up, shown_fields
from explorer.documents.inputs.on_bad import BadText
from explorer.documents.inputs.opened import Source, open_records
from explorer.documents.record import Record
from explorer.errors import QueryError, SourceError
from explorer.i18n import mark, tr

NAMES: dict[str, tuple[str, ...]] = {
    "question": ("question", "prompt", "instruction", "input", "problem", "query", "turns", "goal", "ctx", "text"),
    "answer": (
        *("answer", "answerkey", "best answer", "target", "solution", "canonical_solution", "completion", "code"),
        *("output", "label", "gold"),
    ),
    "choices": ("choices", "options", "endings"),
    "passage": ("passage", "context", "article"),
    "id": ("id", "task_id", "question_id", "uid"),
    "score": ("correct", "score"),
}
"""Names of columns that are recognized, in any case, the first that a record has."""
_DECON = ("eval_key", "split", "eval_instance_index")
"""Fields that the rows of one item share where a row is one answer: the bundled evaluations of decon."""
_LOOKED_AT = 100


@dataclass(frozen=True)
class BenchmarkColumns:
    """Which field of a record is what; "" for none.

    Attributes
    ----------
    question
        What is asked.
    answer
        What is expected: a text, or the number or letter of a choice.
    choices
        What is to be chosen from.
    passage
        What the question is about.
    id
        The name of the item.
    score
        How well a model did: a number, or whether it was right.
    """

    question: str = ""
    answer: str = ""
    choices: str = ""
    passage: str = ""
    id: str = ""
    score: str = ""


@dataclass(frozen=True)
class Item:
    """One item of a benchmark.

    id: Its name; the number of its row, from 0, where it has none.
    question, answer, passage: Its texts; "" for none.
    score: How well a model did; None if that is not known.
    records: The records of the file that it was made of.
    """

    id: str
    question: str
    answer: str = ""
    passage: str = ""
    choices: tuple[str, ...] = ()
    score: float | None = None
    records: tuple[Mapping[str, Any], ...] = field(default=(), compare=False, repr=False)

    def text(self, parts: Sequence[str]) -> str:
        """Join some parts, with a line feed between them."""
        each = {"passage": self.passage, "question": self.question, "answer": self.answer}
        found = [("\n".join(self.choices) if part == "choices" else each[part]) for part in PARTS if part in parts]
        return "\n".join(filter(None, found))


PARTS = {
    "passage": mark("Passage"),
    "question": mark("Question"),
    "choices": mark("Choices"),
    "answer": mark("Answer"),
}
"""Parts of an item that can be looked for, in the order in which they are joined."""


@dataclass(frozen=True)
class Benchmark:
    """The items of an evaluation set.

    columns: Which fields were read.
    problems: Records that cannot be used, if these are not to be errors.
    """

    name: str
    columns: BenchmarkColumns
    items: tuple[Item, ...]
    problems: tuple[BadText, ...] = ()


def read_benchmark(source: Source, columns: BenchmarkColumns | None = None, on_bad: str = "fail") -> Benchmark:
    """Read a benchmark from a file.

    source: JSON Lines, JSON, CSV or Parquet, compressed or not.
    columns: Which field is what; "" and None: guessed by the names.
    on_bad: What happens to records that cannot be used, one of POLICIES of `explorer.documents.inputs.on_bad`: "fail"
        is an error, "skip" leaves them out, "keep" makes items without a text of them, which are too short to tell.
    Raises `QueryError` if a line cannot be read, the file has no items, or no field is known as the question; the error
        lists them.
    """
    name, records = open_records(source)
    return _benchmark(name, records, columns or BenchmarkColumns(), on_bad)


def benchmark_of(
    rows: Iterable[Mapping[str, Any]], name: str = "rows", columns: BenchmarkColumns | None = None, on_bad: str = "fail"
) -> Benchmark:
    """Take a benchmark from rows in memory."""
    records = (Record(number, dict(row)) for number, row in enumerate(rows))
    return _benchmark(name, records, columns or BenchmarkColumns(), on_bad)


def guessed(record: Mapping[str, Any], given: BenchmarkColumns) -> BenchmarkColumns:
    """Guess which field is what.

    Returns: The same with names of the record's fields in place of "".
    """
    known = {name.strip().lower(): name for name in record}
    taken = {name for name in (getattr(given, each.name) for each in fields(given)) if name}
    found: dict[str, str] = {}
    for part, names in NAMES.items():
        chosen = getattr(given, part) or next(
            (known[name] for name in names if name in known and known[name] not in taken), ""
        )
        found[part] = chosen
        taken.add(chosen)
    return BenchmarkColumns(**found)


def _benchmark(name: str, records: Iterator[Record], given: BenchmarkColumns, on_bad: str) -> Benchmark:
    every = _to_the_end(name, records) if on_bad != "fail" else records
    seen = _first_records(every, on_bad)
    # The first record decides only if it has a question: a bad one must not decide for the others.
    all_guessed = (guessed(record.fields, given) for record in seen if not record.problem)
    columns = next((each for each in all_guessed if each.question), None)
    if columns is None:
        raise _no_question(name, seen)
    if not given.score and not _are_scores(columns, seen):
        columns = replace(columns, score="")
    reader = _Reader(name, columns, bool(given.score), on_bad)
    items = tuple(reader.grouped(chain(seen, every)) if _is_decon(seen) else reader.each(chain(seen, every)))
    if not items:
        raise QueryError(mark("{path} has no items."), reason="no-items", path=name)
    return Benchmark(name, columns, items, tuple(reader.problems))


def _first_records(records: Iterator[Record], on_bad: str) -> list[Record]:
    """The first records, by which fields are guessed; if bad ones are left out, until there are as many good ones."""
    if on_bad == "fail":
        return list(islice(records, _LOOKED_AT))
    seen: list[Record] = []
    good = 0
    for record in records:
        seen.append(record)
        good += not record.problem
        if good == _LOOKED_AT:
            break
    return seen


def _to_the_end(name: str, records: Iterator[Record]) -> Iterator[Record]:
    """The records; a damaged input ends with one that has the damage as its problem."""
    try:
        yield from records
    except SourceError as error:
        yield Record(-1, {}, str(error))


def _no_question(name: str, seen: Sequence[Record]) -> QueryError:
    bad = next((record for record in seen if record.problem), None)
    if bad is not None:
        return _bad_line(name, bad, bad.problem)
    if not seen:
        return QueryError(mark("{path} has no items."), reason="no-items", path=name)
    return QueryError(
        mark("{path}: cannot tell which field contains the questions (fields: {fields})."),
        reason="unknown-question-field",
        path=name,
        fields=shown_fields(seen[0].fields),
        option="question_field",
    )


def _bad_line(name: str, record: Record, problem: str) -> QueryError:
    return QueryError(
        mark("{path}, line {line}: {problem}."),
        reason="bad-line",
        path=name,
        line=record.number + 1,
        problem=problem.rstrip("."),
    )


def _is_decon(seen: Sequence[Record]) -> bool:
    return all(name in record.fields for record in seen if not record.problem for name in _DECON)


def _are_scores(columns: BenchmarkColumns, seen: Sequence[Record]) -> bool:
    """Whether the values of a field that was guessed can be scores: "correct" may name the right choice as well."""
    given = [record.fields.get(columns.score) for record in seen if not record.problem]
    values = [score for value in given if (score := _score(value)) is not None]
    if len(values) < sum(value not in (None, "") for value in given):
        return False
    if columns.score.strip().lower() != "correct":
        return bool(values)
    return bool(values) and set(values) <= {0.0, 1.0} and not (columns.choices and not columns.answer)


def _score(value: Any) -> float | None:
    """A score; None for any other value."""
    if isinstance(value, str):
        named = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}.get(value.strip().lower())
        try:
            value = float(value) if named is None else named
        except ValueError:
            return None
    return float(value) if isinstance(value, int | float) and isfinite(value) else None


class _Reader:
    """Makes items of records.

    scored: Whether the field of scores was named, so that any other value is a problem.
    on_bad: What happens to records that cannot be used.
    """

    def __init__(self, name: str, columns: BenchmarkColumns, scored: bool, on_bad: str) -> None:
        self._name, self._columns, self._scored, self._on_bad = name, columns, scored, on_bad
        self.problems: list[BadText] = []

    def each(self, records: Iterable[Record]) -> Iterator[Item]:
        """An item per record."""
        for number, record in enumerate(records):
            item = self._item(record, number)
            if isinstance(item, Item):
                yield item
            elif self._bad(record, item) and record.number >= 0:
                yield Item(str(number), "", records=(record.fields,) if record.fields else ())

    def grouped(self, records: Iterable[Record]) -> Iterator[Item]:
        """Items with a row per answer."""
        groups: dict[str, list[tuple[Record, Item]]] = {}
        for number, record in enumerate(records):
            item = self._item(record, number)
            if isinstance(item, Item):
                key = "/".join(str(record.fields.get(name, "")) for name in _DECON)
                groups.setdefault(key, []).append((record, item))
            else:
                # A row of an item is left out in any case: the others make the item.
                self._bad(record, item)
        for named, rows in groups.items():
            right = [item.answer for record, item in rows if _score(record.fields.get("is_correct", True))]
            choices = tuple(item.answer for _, item in rows) if len(rows) > 1 else ()
            made_of = tuple(record.fields for record, _ in rows)
            yield replace(rows[0][1], id=named, answer="\n".join(right), choices=choices, records=made_of)

    def _bad(self, record: Record, problem: str) -> bool:
        """Note a problem, or raise it; tells whether the record stays as an item."""
        if self._on_bad == "fail":
            raise _bad_line(self._name, record, problem)
        self.problems.append(BadText(self._name, record.number + 1, problem))
        return self._on_bad == "keep"

    def _item(self, record: Record, number: int) -> Item | str:
        """The item of a record, or what is wrong with the record."""
        if record.problem:
            return record.problem
        columns, at = self._columns, partial(_value, record)
        choices = tuple(_texts(at(columns.choices)))
        question = "\n".join(_texts(at(columns.question)))
        if not question.strip():
            return tr('"{field}" has no text', field=columns.question)
        score = _score(at(columns.score))
        if self._scored and score is None and at(columns.score) not in (None, ""):
            return tr('"{field}" is not a number', field=columns.score)
        named = "\n".join(_texts(at(columns.id))) or str(number)
        passage = "\n".join(_texts(at(columns.passage)))
        return Item(named, question, _answer(at(columns.answer), choices), passage, choices, score, (record.fields,))


def _value(record: Record, path: str) -> Any:
    """A field of a record; None if it lacks it."""
    value = look_up(record.fields, path) if path else None
    return None if value is MISSING else value


def _texts(value: Any) -> list[str]:
    """All texts of a value: one, those of a list, or those under "text" or "content"."""
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | tuple):
        return [text for part in value for text in _texts(part)]
    if isinstance(value, Mapping):
        return [text for key in ("text", "content") for text in _texts(value.get(key))]
    return [] if isinstance(value, float) and value != value else [str(value)]


def _answer(value: Any, choices: Sequence[str]) -> str:
    """The text that is expected; a number or a letter names one of the choices."""
    if choices and isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(choices):
        return choices[value]
    texts = _texts(value)
    if choices and len(texts) == 1 and len(texts[0].strip()) == 1:
        number = ord(texts[0].strip().upper()) - ord("A")
        if 0 <= number < len(choices) and texts[0] not in choices:
            return choices[number]
    return "\n".join(texts)
