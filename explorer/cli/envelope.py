"""What a command prints: records, as text, as a table, as JSON Lines, or as the one object of --json.

The object states how the records came about (program, index, settings), then has the records, and at last the
problems. It is written as a stream. If the work fails or is interrupted, the object stays open and no reader takes it
for complete; rows and JSON Lines are whole.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from explorer.backends.protocol import Backend
from explorer.cli.parser import Parser
from explorer.cli.rules import Rule
from explorer.cli.shapes import Shape
from explorer.cli.terminal import flush, put_as_is, put_json_line, put_rows
from explorer.export.jsonable import to_plain
from explorer.export.records.problem import ProblemRecord
from explorer.export.records.record import as_cells, as_object, column_names
from explorer.export.registry import TABLES
from explorer.version import VERSION
from explorer.visible import visible_json

R = TypeVar("R")
TEXT, JSON, JSONL = "text", "json", "jsonl"
FORMAT_RULES = (Rule("--format", without=("--json",)),)
"""Rules of every command with the two options."""


@dataclass(frozen=True)
class IndexFacts:
    """Which index an answer is of.

    Attributes
    ----------
    name
        Its name.
    fingerprint
        Of its contents.
    token_count
        Its tokens, with a separator per document.
    document_count
        Its documents.
    """

    name: str
    fingerprint: str
    token_count: int
    document_count: int


@dataclass(frozen=True)
class Answer(Generic[R]):
    """What a command prints.

    Attributes
    ----------
    shape
        The shape of its JSON.
    records
        The records; they are read once, so they may be a generator.
    index
        The index that was asked; None where there is none.
    facts
        What describes the whole, a value of `shape.facts`; None for nothing.
    settings
        Settings whose value is another one than was typed, such as a limit that was left to the command.
    problems
        Gives what could not be used; called after the last record.
    columns
        Names of the columns of a table; None for the fields of the record.
    cells
        Gives a record as a row under `columns`; None for one cell per field.
    """

    shape: Shape
    records: Iterable[R]
    index: Backend | None = None
    facts: object = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    problems: Callable[[], Sequence[ProblemRecord]] = tuple
    columns: Sequence[str] | None = None
    cells: Callable[[R], Sequence[Any]] | None = None


def add_format_arguments(parser: Parser, default: str = TEXT, more: str = "") -> None:
    """Define --format and --json.

    Parameters
    ----------
    parser
        The parser of a command.
    default
        The format if neither is given; "" if it depends on the input.
    more
        What the help adds about the default.
    """
    parser.add_argument(
        "--format",
        choices=(TEXT, *TABLES.ids, JSON),
        default=default or None,
        help=f"output format (default {more or default}); jsonl: one record per line; json: one object with settings, "
        "records and problems",
    )
    parser.add_argument("--json", action="store_true", help="same as --format json")


def format_of(args: argparse.Namespace, default: str = TEXT) -> str:
    """The format that the arguments name; `default` if they name none."""
    return JSON if args.json else args.format or default


def put_answer(
    answer: Answer[R], args: argparse.Namespace, text: Callable[[Iterable[R]], None], default: str = TEXT
) -> None:
    """Print an answer in the format that the arguments name.

    Parameters
    ----------
    answer
        The answer.
    args
        The parsed command line, with the options of `add_format_arguments`.
    text
        Prints the records for people.
    default
        The format if the arguments name none.

    Raises
    ------
    OutputError
        If standard output cannot be written.
    """
    form = format_of(args, default)
    if form == JSON:
        _put_object(answer, args.settings)
    elif form == TEXT:
        text(answer.records)
    elif form == JSONL:
        for record in answer.records:
            put_json_line(as_object(record))
    else:
        columns = answer.columns or column_names(answer.shape.record)
        cells = answer.cells or (lambda record: as_cells(record, columns))
        put_rows(columns, map(cells, answer.records), form)


def _put_object(answer: Answer[Any], settings: Mapping[str, Any]) -> None:
    # With the first record, so that a query that cannot be answered prints nothing.
    before = f'{_head(answer, settings)},\n  "results": ['
    some = False
    for record in answer.records:
        put_as_is(f"{before}\n    {_line(as_object(record))}")
        flush()
        before, some = ",", True
    problems = [as_object(problem) for problem in answer.problems()]
    put_as_is(("\n  ]" if some else f"{before}]") + f',\n  "problems": {_line(problems)}\n}}\n')


def _head(answer: Answer[Any], settings: Mapping[str, Any]) -> str:
    """The object up to its records."""
    head = {
        "schema": answer.shape.schema,
        "program": VERSION,
        "index": None if answer.index is None else as_object(index_facts_of(answer.index)),
        "settings": {**settings, **answer.settings},
        **({} if answer.facts is None else as_object(answer.facts)),
    }
    rows = (f"  {_line(name)}: {_line(value)}" for name, value in head.items())
    return "{\n" + ",\n".join(rows)


def index_facts_of(index: Backend) -> IndexFacts:
    """Name, contents and sizes of an index; its fingerprint is read from the disk."""
    return IndexFacts(index.name, index.fingerprint, index.token_count, index.document_count)


def _line(value: Any) -> str:
    """A value as one line of JSON that controls no terminal."""
    return visible_json(json.dumps(to_plain(value), ensure_ascii=False, allow_nan=False))
