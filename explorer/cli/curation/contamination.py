"""contamination: which items of benchmarks occur in the corpus, and where."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from explorer.analyses.contamination.chart import curves_chart
from explorer.analyses.contamination.item_matches import Thresholds
from explorer.analyses.contamination.question import ContaminationQuestion
from explorer.analyses.contamination.table import BoardRecord, ContaminationFacts, ContaminationRecord
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.cli.curation.contamination_print import print_contamination
from explorer.cli.options import ranges
from explorer.cli.options.common import (
    add_index_arguments,
    add_on_bad_arguments,
    bad_records,
    open_corpus,
    show_problems,
    stdin_once,
)
from explorer.cli.options.inputs import input_files
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE, FOUND
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, file_facts, put_answer
from explorer.cli.output.plots import save_plot
from explorer.cli.output.saved import check_out
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, remark
from explorer.cli.parser import Parser
from explorer.corpus import Corpus
from explorer.corpus.curation.contamination import contamination_board
from explorer.corpus.results.curation.contamination import ContaminationTable
from explorer.corpus.results.curation.contamination_board import ContaminationBoard
from explorer.corpus.results.origin import asked_of
from explorer.errors import QueryError
from explorer.export.about import about_path, facts_text, save_about
from explorer.export.cuts.cuts import read_for
from explorer.export.destination import require_writable, save_text
from explorer.export.figure import Paper
from explorer.export.new_folder import check_new_folder, new_folder
from explorer.export.registry import FIGURES

CONTAMINATION = Shape("contamination", ContaminationRecord, ContaminationFacts)
_LONGEST_NAME = 60
SHAPES = {"contamination": (CONTAMINATION,)}
RULES = {"contamination": (*FORMAT_RULES, Rule("--skip-bad", without=("--on-bad",)))}


def define_contamination(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument("file", "FILE", 'benchmarks: JSON Lines, JSON, CSV or Parquet; "-" reads standard input', nargs="+")
    group = parser.add_argument_group("benchmark")
    add_settings(group, ContaminationQuestion, "files")
    add_on_bad_arguments(
        parser,
        "what to do with records that cannot be read or have no question: stop (default), skip them, or keep them as "
        "items that are too short to tell, and list them",
    )
    _define_thresholds(parser)
    _define_output(parser)


def _define_output(parser: Parser) -> None:
    """Define what is written, and which share fails."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "--fail-over-share",
        type=ranges.part_of_all,
        metavar="P",
        help="exit with 1 if more than this share of the items of a file that are long enough is flagged in any index, "
        "such as 1%%",
    )
    group.add_argument(
        "--ids",
        metavar="DIR",
        help="write the ids of clean and of flagged items of each file, and the records of clean "
        "ones, to this new folder; with --against, those of each index, whose name they begin with",
    )
    group.add_argument(
        "--clean",
        metavar="FILE",
        help="write the records of items that are not flagged in any index, of one benchmark, as JSON Lines",
    )
    group.add_argument(
        "--plot",
        metavar="OUT",
        help="draw the share of items above each threshold, and the gain of the score, or write these data "
        f"({', '.join(FIGURES.suffixes)})",
    )
    add_format_arguments(parser)
    parser.beside_settings("ids", "clean", "plot")


def _define_thresholds(parser: Parser) -> None:
    """Define from which shares on an item is flagged, and suspicious."""
    group = parser.add_argument_group(
        "thresholds",
        "Shares of an item: longest_share in its longest match; coverage_8 and coverage_13 in matches of as many words "
        "or tokens or more; best_coverage_8 in such matches with one document; best_chained in a chain with it.",
    )
    add_settings(group, Thresholds)


def run_contamination(args: argparse.Namespace) -> int:
    """Look for the items, and print how many occur, and the worst of them."""
    stdin_once(args.file)
    files = input_files(args.file)
    question, thresholds = question_of(args, ContaminationQuestion, files=files), question_of(args, Thresholds)
    corpus = open_corpus(args)
    _check_files(args, files, read_for(corpus.index))
    board = contamination_board(
        [corpus, *(Corpus(BACKENDS.open(IndexRequest((path,)))) for path in question.against)],
        files,
        **question.arguments("files", "against"),
        thresholds=thresholds,
        on_bad=args.on_bad,
        report=progress_bar(),
    )
    found = board.tables[0]
    show_problems(found.problems, args.on_bad)
    _write_files(board, args)
    curves = tuple(point for table in board.tables for point in table.curves)
    own = tuple(source for table in board.tables for source in table.own)
    facts = ContaminationFacts(question.unit, question.parts, thresholds, tuple(board), own, curves, found.files)
    rows = [row for table in board.tables for row in table]
    problems = bad_records(found.problems)
    answer = Answer(CONTAMINATION, rows, corpus.index, facts, problems=lambda: problems)
    put_answer(answer, args, lambda _: print_contamination(facts))
    return FINE if args.fail_over_share is None else _gate(facts.board, args.fail_over_share)


def _check_files(args: argparse.Namespace, files: Sequence[str], sources: Sequence[str | Path]) -> None:
    """Refuse files that cannot be written, before minutes of work, and those that would replace what is read."""
    if args.ids:
        check_new_folder(Path(args.ids), sources)
    if args.plot:
        check_out(Path(args.plot), FIGURES.suffixes)
    if not args.clean:
        return
    if len(files) > 1:
        raise QueryError("--clean writes one benchmark: with several files, use --ids.", reason="options-exclude")
    place = Path(args.clean).resolve()
    read = {Path(each).resolve() for each in (*files, *sources)}
    if place in read or not read.isdisjoint(place.parents):
        raise QueryError("{path} is read, and is not replaced.", reason="writes-source", path=args.clean)
    require_writable(place)


def _write_files(board: ContaminationBoard, args: argparse.Namespace) -> None:
    """The files that were asked for, of all indexes."""
    found = board.tables[0]
    facts = (*file_facts(args, found.origin.index), *asked_of(found))
    if args.ids:
        with new_folder(Path(args.ids), read_for(found.origin.index)) as place:
            for number, table in enumerate(board.tables, 1):
                several = len(board.tables) > 1
                _write_ids(place, table, f"{number}-{_file_name(table.origin.index.name)}." if several else "")
        # Beside the folder, whose files are read as lists.
        save_text(about_path(Path(args.ids)), facts_text(facts))
    if args.clean:
        written = board.write_clean(args.clean)
        save_about(Path(args.clean), facts)
        remark(f"{args.clean}: {written:,} items")
    if args.plot:
        curves = [point for table in board.tables for point in table.curves]
        if not curves:
            raise QueryError("All items are too short to tell, so --plot has nothing to draw.", reason="no-result")
        chart = curves_chart(f"Benchmarks in {found.name}", curves, args.flag_by)
        save_plot(replace(chart, facts=facts), Path(args.plot), Paper())


def _file_name(name: str) -> str:
    """The name of an index for a folder: letters and digits, which every system takes."""
    return re.sub(r"\W+", "-", name).strip("-")[:_LONGEST_NAME]


def _write_ids(folder: Path, found: ContaminationTable, index: str) -> None:
    """Files per benchmark: an id per line, and clean records; suspicious items and too short ones are in none.

    Their names begin with that of the index, if there are several.
    """
    for number, each in enumerate(found.files, 1):
        # The number keeps two files of one name apart.
        name = f"{index}{number}-{Path(each.file).name.split('.')[0]}"
        found.write_clean(folder / f"{name}.clean.jsonl", number - 1)
        for verdict, kind in (("not-flagged", "clean"), ("flagged", "flagged")):
            ids = (" ".join(row.id.split()) for row in each.rows if row.verdict == verdict)
            path = folder / f"{name}.{kind}.ids"
            path.write_text("".join(f"{id}\n" for id in ids), encoding="utf-8")


def _gate(board: Sequence[BoardRecord], most: float) -> int:
    """The exit code; a file of which nothing can be told must not pass."""
    for each in board:
        if each.flagged_share is None:
            raise QueryError(
                "{path}: all items are too short to tell, so --fail-over-share has no result.",
                reason="no-result",
                path=each.file,
            )
    return FOUND if any((each.flagged_share or 0.0) > most for each in board) else FINE
