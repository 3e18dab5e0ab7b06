"""contamination: which items of benchmarks occur in the corpus, and where."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from explorer.api import Corpus
from explorer.api.contamination import contamination_board
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.cli import ranges
from explorer.cli.codes import FINE, FOUND
from explorer.cli.common import add_index_arguments, open_corpus, stdin_once
from explorer.cli.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.inputs import input_files
from explorer.cli.parser import Parser
from explorer.cli.shapes import Shape
from explorer.cli.terminal import progress_bar, put
from explorer.curation.benchmarks import PARTS
from explorer.curation.item_matches import METRICS, Thresholds
from explorer.errors import QueryError
from explorer.export.cuts import read_for
from explorer.export.new_folder import check_new_folder, new_folder
from explorer.export.records.contamination import (
    BenchmarkRecord,
    BoardRecord,
    ContaminationFacts,
    ContaminationRecord,
    ThresholdsRecord,
)

CONTAMINATION = Shape("contamination", ContaminationRecord, ContaminationFacts)
SHAPES = {"contamination": (CONTAMINATION,)}
RULES = {"contamination": FORMAT_RULES}
_SHOWN = 20


def define_contamination(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument("file", "FILE", 'benchmarks: JSON Lines, JSON, CSV or Parquet; "-" reads standard input', nargs="+")
    group = parser.add_argument_group("benchmark")
    group.add_argument(
        "--unit",
        choices=("words", "tokens"),
        default="words",
        help="what is compared: words, whatever case, line breaks and punctuation are, or tokens (default words)",
    )
    group.add_argument(
        "--part",
        action="append",
        choices=PARTS,
        default=[],
        help="what of each item is looked for; repeatable (default: question)",
    )
    group.add_argument(
        "--question-field", default="", metavar="FIELD", help="field with the question (default: guessed)"
    )
    group.add_argument("--answer-field", default="", metavar="FIELD", help="field with the answer (default: guessed)")
    group.add_argument(
        "--against",
        action="append",
        metavar="INDEX",
        default=[],
        help="also look for the items in this index, and compare the shares; repeatable",
    )
    _define_thresholds(parser)
    group.add_argument(
        "--fail-over-share",
        type=ranges.part_of_all,
        metavar="P",
        help="exit with 1 if more than this share of the items of a file that are long enough is flagged in any index, "
        "such as 1%%",
    )
    group.add_argument(
        "--ids", metavar="DIR", help="write the ids of clean and of flagged items of each file to this new folder"
    )
    add_format_arguments(parser)


def _define_thresholds(parser: Parser) -> None:
    """Define from which shares on an item is flagged, and suspicious."""
    group = parser.add_argument_group(
        "thresholds",
        "Shares of an item: longest_share in its longest match; coverage_8 and coverage_13 in matches of as many words "
        "or tokens or more; best_coverage_8 in such matches with one document; best_chained in a chain with it.",
    )
    for what, metric, share in (("flag", "longest_share", "50%%"), ("suspect", "coverage_8", "20%%")):
        word = "flagged" if what == "flag" else "suspicious"
        group.add_argument(
            f"--{what}-by",
            choices=METRICS,
            default=metric,
            help=f"the share that decides whether an item is {word} (default {metric})",
        )
        group.add_argument(
            f"--{what}-at",
            type=ranges.share_above_0,
            default=float(share.removesuffix("%%")) / 100,
            metavar="P",
            help=f"an item is {word} from this share on (default {share})",
        )


def run_contamination(args: argparse.Namespace) -> int:
    """Look for the items, and print how many occur, and the worst of them."""
    stdin_once(args.file)
    files = input_files(args.file)
    corpus = open_corpus(args)
    if args.ids:
        # Before minutes of work.
        check_new_folder(Path(args.ids), read_for(corpus.index))
    thresholds = Thresholds(args.flag_by, args.flag_at, args.suspect_by, args.suspect_at)
    board = contamination_board(
        [corpus, *(Corpus(BACKENDS.open(IndexRequest((path,)))) for path in args.against)],
        files,
        unit=args.unit,
        parts=args.part or ("question",),
        question=args.question_field,
        answer=args.answer_field,
        thresholds=thresholds,
        report=progress_bar(),
    )
    found = board.tables[0]
    if args.ids:
        _write_ids(Path(args.ids), found.files, read_for(corpus.index))
    parts = tuple(args.part) or ("question",)
    facts = ContaminationFacts(args.unit, parts, ThresholdsRecord(*astuple(thresholds)), tuple(board), found.files)
    rows = [row for table in board.tables for row in table]
    put_answer(Answer(CONTAMINATION, rows, corpus.index, facts), args, lambda _: _print(facts))
    return FINE if args.fail_over_share is None else _gate(facts.board, args.fail_over_share)


def _write_ids(folder: Path, files: Sequence[BenchmarkRecord], sources: Sequence[str | Path]) -> None:
    """Two files per benchmark with an id per line; suspicious items and those that are too short are in neither."""
    with new_folder(folder, sources) as place:
        for number, each in enumerate(files, 1):
            for verdict, name in (("not-flagged", "clean"), ("flagged", "flagged")):
                ids = (" ".join(row.id.split()) for row in each.rows if row.verdict == verdict)
                # The number keeps two files of one name apart.
                path = place / f"{number}-{Path(each.file).name.split('.')[0]}.{name}.ids"
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


def _print(facts: ContaminationFacts) -> None:
    for each in facts.files:
        put(f"{each.file}: {each.items:,} items, {_verdicts(each)}")
        rules = each.rules
        put(
            f"  rules of others: GPT-3 {rules.gpt_3:,}, PaLM {rules.palm:,}, Llama 2 {rules.llama_2:,}, "
            f"any 13-gram {rules.any_13:,}, Llama 3 {rules.llama_3:,}, ConTAM {rules.con_tam:,}, "
            f"infini-gram mini {rules.infini_gram_mini:,}, BFF {rules.bff:,}"
        )
        worst = sorted(each.rows, key=lambda row: (row.verdict == "too-short", -row.longest_share, -row.longest))
        worst = [row for row in worst if row.verdict in ("flagged", "suspicious")][:_SHOWN]
        if worst:
            put(f"{'longest':>9} {'share':>6} {'cov. 8':>6} {'document':>9}  item: match")
        for row in worst:
            put(
                f"{row.longest:>9,} {row.longest_share:>6.0%} {row.coverage_8:>6.0%} {row.best_document:>9,}  "
                f"{row.id}: {_short(row.match)}"
            )
    if len(facts.board) > len(facts.files):
        _print_board(facts.board)


def _print_board(board: Sequence[BoardRecord]) -> None:
    """The shares in several indexes."""
    put(f"{'flagged':>9} {'share':>6} {'interval':>15} {'suspicious':>10}  index: benchmark")
    for row in board:
        share, interval = "–", "–"
        if row.flagged_share is not None and row.flagged_low is not None and row.flagged_high is not None:
            share, interval = f"{row.flagged_share:.1%}", f"{row.flagged_low:.1%} to {row.flagged_high:.1%}"
        put(f"{row.flagged:>9,} {share:>6} {interval:>15} {row.suspicious:>10,}  {row.index}: {row.file}")


def _verdicts(each: BenchmarkRecord) -> str:
    share = ""
    if each.flagged_share is not None and each.flagged_low is not None and each.flagged_high is not None:
        share = f" ({each.flagged_share:.1%}, 95 % interval {each.flagged_low:.1%} to {each.flagged_high:.1%})"
    return f"{each.flagged:,} flagged{share}, {each.suspicious:,} suspicious, {each.too_short:,} too short to tell"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 80 else f"{words[:79]}…"
