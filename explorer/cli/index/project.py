"""project: what a project file keeps, whether its indexes are there, and the lines of its sets."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace

from explorer.cli.output.codes import FINE, FOUND
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.saved import out_file
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put, put_cells, remark
from explorer.cli.parser import Parser, UsageError
from explorer.errors import CorpusError, QueryError
from explorer.export.lines import save_lines
from explorer.export.provenance import index_facts
from explorer.export.records.line import LineRecord, LineTable
from explorer.export.records.problem import ProblemRecord
from explorer.export.registry import LINES
from explorer.i18n import counted
from explorer.project import LineSet, Project, open_project
from explorer.project.checking import check_indexes, open_index_of
from explorer.project.records import (
    CheckRecord,
    MarkedLine,
    ProjectRecord,
    SetFacts,
    check_records,
    project_record,
    set_record,
)
from explorer.project.tables import set_facts, set_table

_ACTIONS = ("show", "check", "lines")
_SAID = {
    "found": "found, the same contents",
    "changed": "changed: the contents are not those that the project was made with",
    "missing": "missing",
    "unreadable": "does not open",
    "unknown": "found; the project does not state its contents",
}
RULES = {"project": FORMAT_RULES}
PROJECT, CHECK = Shape("project-show", ProjectRecord), Shape("project-check", CheckRecord)
LINES_OF_SET = Shape("project-lines", LineRecord, SetFacts, details=MarkedLine)
SHAPES = {"project": (PROJECT, CHECK, LINES_OF_SET)}


def define_project(parser: Parser) -> None:
    """Define the command."""
    parser.add_argument(
        "action",
        choices=_ACTIONS,
        metavar="ACTION",
        help="show: what the project keeps; check: open its indexes and compare their contents; lines: list a set",
    )
    parser.argument("file", "FILE", "project file (.cxproj)")
    parser.argument("set", "SET", "name of a saved set, for lines", nargs="?")
    add_format_arguments(parser, "", "text; for lines tsv, unless they are printed on a terminal")


def run_project(args: argparse.Namespace) -> int:
    """Show or check a project, or list a set.

    Returns: The exit code; 1 if `check` found an index that is missing, changed or does not open.
    Raises `UsageError` if the name of a set is missing or not needed.
    Raises `CorpusError` if the file or an index cannot be read.
    """
    # Only `lines` has a third argument, which argparse cannot express beside a choice.
    if (args.set is None) == (args.action == "lines"):
        raise UsageError("Lines needs the name of a set." if args.set is None else "A set is only for lines.")
    project = open_project(args.file)
    # On standard error, so that the output stays what programs expect.
    for skipped in project.skipped:
        remark(skipped)
    if args.action == "show":
        return _show(project, args)
    if args.action == "check":
        return _check(project, args)
    return _lines(project, args)


def _skipped(project: Project) -> tuple[ProblemRecord, ...]:
    return tuple(ProblemRecord(str(project.file), None, reason) for reason in project.skipped)


def _show(project: Project, args: argparse.Namespace) -> int:
    answer = Answer(PROJECT, [project_record(project)], problems=lambda: _skipped(project))
    put_answer(answer, args, lambda _: _print_project(project))
    return FINE


def _print_project(project: Project) -> None:
    if project.read_only:
        put("A newer version wrote this file; it is shown as far as it is understood.")
    if project.notes:
        put(project.notes, keep="\n")
    for index in project.indexes:
        put_cells("index", index.id, index.name, ", ".join(index.paths))
    for saved in project.queries:
        put_cells("query", saved.index, saved.query.text, _touched(saved.lines.marked, saved.lines.noted))
    for kept in project.sets:
        lines = kept.lines
        put_cells("set", kept.index, kept.name, f"{counted('line', len(lines.listed))}, {kept.query.text}")


def _touched(marked: tuple[object, ...], noted: tuple[object, ...]) -> str:
    return f"{len(marked)} marked, {counted('note', len(noted))}"


def _check(project: Project, args: argparse.Namespace) -> int:
    checks = check_indexes(project)
    answer = Answer(CHECK, check_records(checks), problems=lambda: _skipped(project))
    put_answer(answer, args, _print_checks)
    # An index that cannot be compared is not a finding.
    return FINE if all(check.state in ("found", "unknown") for check in checks) else FOUND


def _print_checks(records: Iterable[CheckRecord]) -> None:
    for check in records:
        said = _SAID[check.state] if check.cause is None else f"{_SAID[check.state]}: {check.cause}"
        put_cells(check.id, check.name, said, ", ".join(check.paths))


def _lines(project: Project, args: argparse.Namespace) -> int:
    kept = project.line_set(args.set)
    if kept is None:
        names = ", ".join(f'"{known.name}"' for known in project.sets) or "none"
        raise QueryError(
            'There is no set "{name}" in {path} (sets: {names}).',
            reason="no-such-set",
            name=args.set,
            path=args.file,
            names=names,
        )
    table = _table(project, kept)
    path = out_file(args.out)
    if path is None or args.fields or path.suffix.lower() not in LINES.suffixes:
        # Imported here: the other actions need none of what prints lines.
        from explorer.cli.search.kwic import print_lines

        print_lines(table, args, LINES_OF_SET, SetFacts(set_record(kept)), {})
        return FINE
    facts = (*index_facts(table.lines.index), *set_facts(kept, project))
    save_lines(path, replace(table, about=facts, whole=True), progress_bar())
    return FINE


def _table(project: Project, kept: LineSet) -> LineTable:
    index = project.index(kept.index)
    if index is None:
        raise CorpusError("{path} does not name the index of this set.", reason="no-such-index", path=project.file)
    return set_table(open_index_of(project, index), kept)
