"""project: what a project file keeps, whether its indexes are there, and the lines of its sets."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.cli.codes import FINE, FOUND
from explorer.cli.common import add_json_argument
from explorer.cli.parser import Parser, UsageError
from explorer.cli.rules import Rule, refuse_unused
from explorer.cli.terminal import progress_bar, put, put_cells, put_json, remark
from explorer.errors import CorpusError, QueryError
from explorer.export.lines import save_lines
from explorer.export.provenance import index_facts
from explorer.export.records.line import LineTable
from explorer.export.registry import LINES, TABLES
from explorer.i18n import counted
from explorer.project import LineSet, Project, open_project
from explorer.project.checking import IndexCheck, check_indexes, open_index_of
from explorer.project.tables import set_facts, set_table

_ACTIONS = ("show", "check", "lines")
_SAID = {
    "found": "found, the same contents",
    "changed": "changed: the contents are not those that the project was made with",
    "missing": "missing",
    "unreadable": "does not open",
    "unknown": "found; the project does not state its contents",
}
RULES = {"project": (Rule("--format", without=("--json", "--out")),)}
# Checked in `run_project`: rules of the parser are about options, and an action is an argument.
_ACTION_RULES = (Rule("--json", without=("lines",)), *(Rule(name, needs=("lines",)) for name in ("--out", "--format")))


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
    parser.add_argument("--format", choices=TABLES.ids, default="tsv", help="output format of lines (default tsv)")
    parser.add_argument("--out", metavar="OUT", help=f"write the lines to a file ({', '.join(LINES.ids)})")
    add_json_argument(parser)


def run_project(args: argparse.Namespace) -> int:
    """Show or check a project, or list a set.

    Parameters
    ----------
    args
        The parsed command line.

    Returns
    -------
    int
        The exit code; 1 if `check` found an index that is missing, changed or does not open.

    Raises
    ------
    UsageError
        If the name of a set is missing or not needed.
    CorpusError
        If the file or an index cannot be read.
    """
    refuse_unused({*args.given, args.action}, _ACTION_RULES)
    # Only `lines` has a third argument, which argparse cannot express beside a choice.
    if (args.set is None) == (args.action == "lines"):
        raise UsageError("Lines needs the name of a set." if args.set is None else "A set is only for lines.")
    project = open_project(args.file)
    # On standard error, so that the output stays what programs expect.
    for skipped in project.skipped:
        remark(skipped)
    if args.action == "show":
        return _show(project, args.json)
    if args.action == "check":
        return _check(project, args.json)
    return _lines(project, args)


def _show(project: Project, as_json: bool) -> int:
    if as_json:
        put_json(_described(project))
        return FINE
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
    return FINE


def _touched(marked: tuple[object, ...], noted: tuple[object, ...]) -> str:
    return f"{len(marked)} marked, {counted('note', len(noted))}"


def _described(project: Project) -> dict[str, Any]:
    """The project for programs: without what its file repeats for each line."""
    origin = project.origin
    return {
        "path": project.file,
        "version": None if origin is None else origin.version,
        "read_only": project.read_only,
        "skipped": project.skipped,
        "notes": project.notes,
        "indexes": project.indexes,
        "queries": [{"index": saved.index, "query": saved.query, "note": saved.note} for saved in project.queries],
        "sets": [
            {
                "name": kept.name,
                "index": kept.index,
                "query": kept.query,
                "note": kept.note,
                "lines": len(kept.lines.listed),
                "marked": len(kept.lines.marked),
                "notes": len(kept.lines.noted),
                "deleted": len(kept.lines.deleted),
            }
            for kept in project.sets
        ],
        # Names only: the session of a screen has a meaning for this screen alone.
        "views": [name for name, _ in project.views],
    }


def _check(project: Project, as_json: bool) -> int:
    checks = check_indexes(project)
    if as_json:
        put_json([_checked(check) for check in checks])
    else:
        for check in checks:
            said = _SAID[check.state] if check.cause is None else f"{_SAID[check.state]}: {check.cause}"
            put_cells(check.index.id, check.index.name, said, ", ".join(check.paths))
    # An index that cannot be compared is not a finding.
    return FINE if all(check.state in ("found", "unknown") for check in checks) else FOUND


def _checked(check: IndexCheck) -> dict[str, Any]:
    return {
        "id": check.index.id,
        "name": check.index.name,
        "state": check.state,
        "paths": check.paths,
        "inside": check.inside,
        "cause": None if check.cause is None else str(check.cause),
    }


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
    if args.out is None:
        # Imported here: the other actions need none of what prints lines.
        from explorer.cli.search import print_lines

        print_lines(table, args.format)
        return FINE
    facts = (*index_facts(table.lines.index), *set_facts(kept, project))
    save_lines(Path(args.out), replace(table, about=facts), progress_bar())
    return FINE


def _table(project: Project, kept: LineSet) -> LineTable:
    index = project.index(kept.index)
    if index is None:
        raise CorpusError("{path} does not name the index of this set.", reason="no-such-index", path=project.file)
    return set_table(open_index_of(project, index), kept)
