"""Benchmarks: the items of evaluation sets, from files and from rows, and which column is what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, groupby, islice
from typing import Any

from explorer.errors import QueryError
from explorer.files.records import Record
from explorer.files.text_field import MISSING, look_up, shown_fields
from explorer.i18n import mark, tr
from explorer.texts.opened import Source, open_records

NAMES: dict[str, tuple[str, ...]] = {
    "question": ("question", "prompt", "instruction", "input", "problem", "query", "turns", "goal", "text"),
    "answer": ("answer", "best answer", "target", "solution", "canonical_solution", "completion", "code", "output"),
    "choices": ("choices", "options", "endings"),
    "passage": ("passage", "context", "article"),
    "id": ("id", "task_id", "question_id", "uid"),
}
"""Names of columns that are recognized, in any case, the first that a record has."""
_DECON = ("eval_key", "split", "eval_instance_index")
"""Fields that the rows of one item share where a row is one answer: the bundled evaluations of decon."""
_LOOKED_AT = 100


@dataclass(frozen=True)
class Columns:
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
    """

    question: str = ""
    answer: str = ""
    choices: str = ""
    passage: str = ""
    id: str = ""


@dataclass(frozen=True)
class Item:
    """One item of a benchmark.

    Attributes
    ----------
    id
        Its name; the number of its row, from 0, where it has none.
    question, answer, passage
        Its texts; "" for none.
    choices
        What is to be chosen from.
    """

    id: str
    question: str
    answer: str = ""
    passage: str = ""
    choices: tuple[str, ...] = ()

    def text(self, parts: Sequence[str]) -> str:
        """Join some parts, with a line feed between them.

        Parameters
        ----------
        parts
            Names of `PARTS`.

        Returns
        -------
        str
            The text.
        """
        each = {"passage": self.passage, "question": self.question, "answer": self.answer}
        found = [("\n".join(self.choices) if part == "choices" else each[part]) for part in PARTS if part in parts]
        return "\n".join(filter(None, found))


PARTS = ("passage", "question", "choices", "answer")
"""Parts of an item that can be looked for, in the order in which they are joined."""


@dataclass(frozen=True)
class Benchmark:
    """The items of an evaluation set.

    Attributes
    ----------
    name
        The name of the file.
    columns
        Which fields were read.
    items
        The items.
    """

    name: str
    columns: Columns
    items: tuple[Item, ...]


def read_benchmark(source: Source, columns: Columns | None = None) -> Benchmark:
    """Read a benchmark from a file.

    Parameters
    ----------
    source
        JSON Lines, JSON, CSV or Parquet, compressed or not.
    columns
        Which field is what; "" and None: guessed by the names.

    Returns
    -------
    Benchmark
        The items.

    Raises
    ------
    SourceError
        If the file cannot be read.
    QueryError
        If a line cannot be read, the file has no items, or no field is known as the question; the error lists them.
    """
    name, records = open_records(source)
    return _benchmark(name, records, columns or Columns())


def benchmark_of(rows: Iterable[Mapping[str, Any]], name: str = "rows", columns: Columns | None = None) -> Benchmark:
    """Take a benchmark from rows in memory.

    Parameters
    ----------
    rows
        The records.
    name
        What to call it.
    columns
        As for `read_benchmark`.

    Returns
    -------
    Benchmark
        The items.

    Raises
    ------
    QueryError
        As from `read_benchmark`.
    """
    return _benchmark(name, (Record(number, dict(row)) for number, row in enumerate(rows)), columns or Columns())


def guessed(record: Mapping[str, Any], given: Columns) -> Columns:
    """Guess which field is what.

    Parameters
    ----------
    record
        A record.
    given
        What is known.

    Returns
    -------
    Columns
        The same with names of the record's fields in place of "".
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
    return Columns(**found)


def _benchmark(name: str, records: Iterator[Record], given: Columns) -> Benchmark:
    seen = list(islice(records, _LOOKED_AT))
    # The first record decides only if it has a question: a bad one must not decide for the others.
    all_guessed = (guessed(record.fields, given) for record in seen if not record.problem)
    columns = next((each for each in all_guessed if each.question), None)
    if columns is None:
        raise _no_question(name, seen)
    every = chain(seen, records)
    items = tuple(_grouped(name, every, columns) if _is_decon(seen) else _each(name, every, columns))
    if not items:
        raise QueryError(mark("{path} has no items."), reason="no-items", path=name)
    return Benchmark(name, columns, items)


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
    return all(field in record.fields for record in seen if not record.problem for field in _DECON)


def _each(name: str, records: Iterable[Record], columns: Columns) -> Iterator[Item]:
    for number, record in enumerate(records):
        at = _reader(name, record)
        choices = tuple(_texts(at(columns.choices)))
        question = "\n".join(_texts(at(columns.question)))
        if not question.strip():
            raise _bad_line(name, record, tr('"{field}" has no text', field=columns.question))
        named = "\n".join(_texts(at(columns.id))) or str(number)
        passage = "\n".join(_texts(at(columns.passage)))
        yield Item(named, question, _answer(at(columns.answer), choices), passage, choices)


def _grouped(name: str, records: Iterable[Record], columns: Columns) -> Iterator[Item]:
    """Items with a row per answer, which follow each other."""
    rows = ((record, item) for record in records for item in _each(name, [record], columns))
    for named, group in groupby(rows, lambda row: "/".join(str(row[0].fields.get(field, "")) for field in _DECON)):
        parts = list(group)
        choices = tuple(item.answer for _, item in parts)
        right = [item.answer for record, item in parts if str(record.fields.get("is_correct", True)).lower() == "true"]
        yield replace(parts[0][1], id=named, answer="\n".join(right), choices=choices if len(parts) > 1 else ())


def _reader(name: str, record: Record) -> Callable[[str], Any]:
    """Gives fields of a record; None for those that it lacks."""
    if record.problem:
        raise _bad_line(name, record, record.problem)

    def at(path: str) -> Any:
        value = look_up(record.fields, path) if path else None
        return None if value is MISSING else value

    return at


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
