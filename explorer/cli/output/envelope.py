"""What a command prints: records, as text, as a table, as JSON Lines, or as the one object of --json.

The object states how the records came about (program, index, settings), then has the records, and at last the
problems. It is written as a stream. If the work fails or is interrupted, the object stays open and no reader takes it
for complete; rows and JSON Lines are whole.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from explorer.backends.protocol.protocol import Backend
from explorer.cli.options import ranges
from explorer.cli.options.rules import Rule
from explorer.cli.output.rows import put_rows
from explorer.cli.output.saved import (
    JSON_SUFFIX,
    batches_of,
    check_fields,
    check_out,
    known_fields,
    out_file,
    save_object,
    save_table,
    suffixes,
)
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import flush, notes, put_as_is, put_cells, put_json_line, remark
from explorer.cli.parser import Parser
from explorer.core.visible import visible_json
from explorer.export.about import about_path, facts_text
from explorer.export.cells import plain_cell
from explorer.export.columns import Batch
from explorer.export.destination import save_text
from explorer.export.jsonable import to_plain
from explorer.export.provenance import Facts, index_facts
from explorer.export.records.problem import ProblemRecord
from explorer.export.records.record import as_cells, as_object, column_names
from explorer.export.registry import TABLES
from explorer.version import VERSION

R = TypeVar("R")
TEXT, JSON, JSONL = "text", "json", "jsonl"
USUAL = 100
"""Rows that are printed for people where no number is given."""
OUT_FILE = "--out FILE"
"""A fact, not an option: `--out -` is printed like any other answer and follows the rules of printing."""
FORMAT_RULES = (
    Rule("--format", without=("--json",)),
    # The ending of the file decides.
    *(Rule(option, without=(OUT_FILE,)) for option in ("--format", "--json")),
)
"""Rules of every command with these options."""


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
    missing
        Parts of it that were left out with `--partial`, so that counts are lower bounds; usually none.
    """

    name: str
    fingerprint: str
    token_count: int
    document_count: int
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Answer(Generic[R]):
    """What a command prints.

    records: The records; they are read once, so they may be a generator.
    index: The index that was asked; None where there is none.
    facts: What describes the whole, a value of `shape.facts`; None for nothing.
    settings: Settings whose value is another one than was typed, such as a limit that was left to the command.
    problems: Gives what could not be used; called after the last record.
    columns: Names of the columns of a table; None for the fields of the record.
    cells: Gives a record as a row under `columns`; None for one cell per field.
    stated: What a file states beside the settings, such as what was compared with.
    batches: Gives the same rows as columns under the names of the fields, for files of tables; None to make them of the
        records, which takes twenty times as long.
    """

    shape: Shape
    records: Iterable[R]
    index: Backend | None = None
    facts: object = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    problems: Callable[[], Sequence[ProblemRecord]] = tuple
    columns: Sequence[str] | None = None
    cells: Callable[[R], Sequence[Any]] | None = None
    stated: Facts = ()
    batches: Callable[[], Iterator[Batch]] | None = None


def add_format_arguments(
    parser: Parser,
    default: str = TEXT,
    more: str = "",
    fields: bool = True,
    out: bool = True,
    files: Sequence[str] = (),
    index: str = "",
) -> None:
    """Define --format, --json, --fields and --out.

    default: The format if neither is given; "" if it depends on the input.
    more: What the help adds about the default.
    fields, out: Whether to define --fields and --out; False for a command that defines its own.
    index: A format of the index that is made, which --format names as well; "" for none.
    """
    of_index = f"; {index}: not of the output, but a compressed index of bytes" if index else ""
    of_files = f"; of the files of --out: {', '.join(files)} (default {files[-1]})" if files else ""
    parser.add_argument(
        "--format",
        choices=(TEXT, *TABLES.ids, JSON, *files, *filter(None, (index,))),
        metavar="FORMAT" if files else None,
        default=default or None,
        help=f"output format (default {more or default}); jsonl: one record per line; json: one object with settings, "
        f"records and problems{of_files}{of_index}",
    )
    parser.add_argument("--json", action="store_true", help="same as --format json")
    parser.fields_of_records = fields
    if fields:
        parser.add_argument(
            "--fields",
            type=names,
            default=[],
            metavar="LIST",
            help="fields of the records, in this order (comma-separated; default: all); in plain text, their values",
        )
    if out:
        add_out_argument(parser, suffixes())


def add_out_argument(parser: Parser, endings: Sequence[str]) -> None:
    """Define --out, whose file has one of some endings."""
    parser.add_argument(
        "--out",
        metavar="OUT",
        help=f'write the records to a file, in the format of its ending ({", ".join(endings)}); "-": standard output',
    )
    parser.out_suffixes = tuple(endings)
    parser.beside_settings("out")


def names(text: str) -> list[str]:
    """A list of names, as an option takes it."""
    return [name for part in text.split(",") if (name := part.strip())]


def check_output(args: argparse.Namespace, shapes: Sequence[Shape]) -> None:
    """Refuse what cannot be printed or written as it was asked for, before any work.

    args: The parsed command line, with the options of `add_format_arguments`.
    Raises `QueryError` if a field is not one of any shape, or the ending is unknown.
    """
    if args.fields_of_records:
        check_fields(args.fields, tuple(dict.fromkeys(name for shape in shapes for name in known_fields(shape))))
    if args.out_suffixes and (path := out_file(args.out)):
        check_out(path, args.out_suffixes)


def format_of(args: argparse.Namespace, default: str = TEXT) -> str:
    """The format that the arguments name; `default` if they name none."""
    return JSON if args.json else args.format or default


def add_top_argument(parser: Parser | argparse._ArgumentGroup, what: str = "most rows", usual: int = USUAL) -> None:
    """Define --top: people see the first rows, programs get all."""
    parser.add_argument(
        "--top",
        type=ranges.number_or_all,
        metavar="K",
        help=f'{what}, or "all" (default {usual} in plain text, otherwise all)',
    )


def settle_top(args: argparse.Namespace, default: str = TEXT, usual: int = USUAL) -> None:
    """Give `args.top`, and the settings of the answer, the number of rows if none was given; None: all."""
    if "--top" not in args.given and _is_for_people(args, default):
        args.top = usual
    args.settings["top"] = args.top


def report_shortened(
    args: argparse.Namespace, shown: int, total: int | None = None, more: str = "--top all", what: str = "rows"
) -> None:
    """Report on standard error that people see some rows only, unless they chose the number.

    total: All rows; None if their number is not known.
    """
    if more.split()[0] not in args.given and (total is None or shown < total):
        of = what if total is None else f"of {total:,} {what}"
        remark(f"{shown:,} {of}; {more} prints all")


def _is_for_people(args: argparse.Namespace, default: str) -> bool:
    return format_of(args, default) == TEXT and args.out is None


def put_answer(
    answer: Answer[R], args: argparse.Namespace, text: Callable[[Iterable[R]], None], default: str = TEXT
) -> None:
    """Print an answer in the format that the arguments name.

    args: The parsed command line, with the options of `add_format_arguments`.
    default: The format if the arguments name none.
    Raises `OutputError` if standard output cannot be written.
    """
    _put(answer, args, text, default)
    # At the end: a part may have been lost in the middle.
    if answer.index is not None and answer.index.missing:
        remark(f"≥ counts are lower bounds: {_left_out(answer.index)}")


def _left_out(index: Backend) -> str:
    return f"left out of {index.name} were {', '.join(index.missing)}, which no worker has now"


def _put(answer: Answer[R], args: argparse.Namespace, text: Callable[[Iterable[R]], None], default: str) -> None:
    fields = _chosen_fields(answer, args)
    path = out_file(args.out) if args.out_suffixes else None
    if path is not None:
        _save(path, answer, args, fields)
    elif (form := format_of(args, default)) == JSON:
        _put_object(answer, args.settings, fields, _printed)
    elif form == TEXT and fields:
        for record in answer.records:
            put_cells(*("" if cell is None else plain_cell(cell) for cell in as_cells(record, fields)))
    elif form == TEXT:
        text(answer.records)
    elif form == JSONL:
        for record in answer.records:
            put_json_line(_object(record, fields))
    else:
        columns = fields or answer.columns or column_names(answer.shape.record)
        cells = None if fields else answer.cells
        put_rows(columns, map(cells or (lambda record: as_cells(record, columns)), answer.records), form)


def _chosen_fields(answer: Answer[Any], args: argparse.Namespace) -> tuple[str, ...]:
    """The fields of records that were asked for; empty for all."""
    # A command whose --fields are something else has dealt with them.
    fields = tuple(args.fields) if args.fields_of_records else ()
    # Before the first record is computed: a command may have several shapes.
    check_fields(fields, known_fields(answer.shape))
    return fields


def _object(record: Any, fields: Sequence[str]) -> dict[str, Any]:
    found = as_object(record)
    return {name: found.get(name) for name in fields} if fields else found


def _printed(text: str) -> None:
    put_as_is(text)
    flush()


def _save(path: Path, answer: Answer[Any], args: argparse.Namespace, fields: Sequence[str]) -> None:
    if path.suffix.lower() == JSON_SUFFIX:
        save_object(path, lambda write: _put_object(answer, args.settings, fields, write))
        return
    columns = fields or answer.columns or column_names(answer.shape.record)
    batches = answer.batches or (lambda: batches_of(answer.records, columns))
    facts = (*file_facts(args, answer.index, answer.shape, answer.settings), *answer.stated)
    save_table(path, answer.shape, batches, columns, facts)


def file_facts(
    args: argparse.Namespace,
    index: Backend | None,
    shape: Shape | None = None,
    settings: Mapping[str, Any] | None = None,
    but: Collection[str] = (),
) -> Facts:
    """State what a file is of: the index, and each argument and option that shapes the answer.

    index: The index; None for none.
    shape: The shape of its records; None for a figure or a page.
    settings: Settings whose value is another one than was typed.
    but: Names of settings that are stated in another way.
    """
    about: Facts = (("program", f"Corpus Explorer {VERSION}"),) if index is None else index_facts(index)
    schema = () if shape is None else (("schema", shape.schema),)
    asked = {name: value for name, value in {**args.settings, **(settings or {})}.items() if name not in but}
    return (*about, *schema, *(fact for name, value in asked.items() for fact in _stated(name, value)))


def state_file(args: argparse.Namespace, index: Backend, path: Path) -> None:
    """Write beside a file, or a folder of files, that is for other programs what it was computed from."""
    save_text(about_path(path), facts_text(file_facts(args, index)))


def _stated(name: str, value: Any) -> Facts:
    if value is None or value is False or value == "":
        return ()
    if isinstance(value, list | tuple):
        return tuple(fact for item in value for fact in _stated(name, item))
    return ((name, value if isinstance(value, str) else _line(value)),)


def _put_object(
    answer: Answer[Any], settings: Mapping[str, Any], fields: Sequence[str], write: Callable[[str], object]
) -> None:
    # With the first record, so that a query that cannot be answered prints nothing; and after it is known, so that the
    # head tells what was left out.
    some = False
    for record in answer.records:
        before = "," if some else _begin(answer, settings)
        write(f"{before}\n    {_line(_object(record, fields))}")
        some = True
    problems = [as_object(problem) for problem in (*answer.problems(), *_problems_of(answer.index))]
    write(("\n  ]" if some else f"{_begin(answer, settings)}]") + _tail(problems))


def _tail(problems: Sequence[Any]) -> str:
    return f',\n  "notes": {_line(notes())},\n  "problems": {_line(problems)}\n}}\n'


def _problems_of(index: Backend | None) -> tuple[ProblemRecord, ...]:
    """What was left out, also of records after the first."""
    if index is None or not index.missing:
        return ()
    return (ProblemRecord(None, None, f"{_left_out(index)}, so counts are lower bounds"),)


def _begin(answer: Answer[Any], settings: Mapping[str, Any]) -> str:
    return f'{_head(answer, settings)},\n  "results": ['


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
    return IndexFacts(index.name, index.fingerprint, index.token_count, index.document_count, index.missing)


def _line(value: Any) -> str:
    """A value as one line of JSON that controls no terminal."""
    return visible_json(json.dumps(to_plain(value), ensure_ascii=False, allow_nan=False))
