"""contamination: which items of benchmarks occur in the corpus, and where."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from explorer.cli import ranges
from explorer.cli.codes import FINE, FOUND
from explorer.cli.common import add_index_arguments, open_corpus, stdin_once
from explorer.cli.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.inputs import input_files
from explorer.cli.parser import Parser
from explorer.cli.shapes import Shape
from explorer.cli.terminal import progress_bar, put
from explorer.curation.benchmarks import PARTS
from explorer.errors import QueryError
from explorer.export.cuts import read_for
from explorer.export.new_folder import check_new_folder, new_folder
from explorer.export.records.contamination import BenchmarkRecord, ContaminationFacts, ContaminationRecord

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
        "--fail-over-share",
        type=ranges.part_of_all,
        metavar="P",
        help="exit with 1 if more than this share of the items of a file that are long enough is flagged, such as 1%%",
    )
    group.add_argument(
        "--ids", metavar="DIR", help="write the ids of clean and of flagged items of each file to this new folder"
    )
    add_format_arguments(parser)


def run_contamination(args: argparse.Namespace) -> int:
    """Look for the items, and print how many occur, and the worst of them."""
    stdin_once(args.file)
    files = input_files(args.file)
    corpus = open_corpus(args)
    if args.ids:
        # Before minutes of work.
        check_new_folder(Path(args.ids), read_for(corpus.index))
    found = corpus.contamination(
        files,
        unit=args.unit,
        parts=args.part or ("question",),
        question=args.question_field,
        answer=args.answer_field,
        report=progress_bar(),
    )
    if args.ids:
        _write_ids(Path(args.ids), found.files, read_for(corpus.index))
    facts = ContaminationFacts(args.unit, tuple(args.part) or ("question",), found.files)
    put_answer(Answer(CONTAMINATION, tuple(found), corpus.index, facts), args, lambda _: _print(facts))
    return FINE if args.fail_over_share is None else _gate(found.files, args.fail_over_share)


def _write_ids(folder: Path, files: Sequence[BenchmarkRecord], sources: Sequence[str | Path]) -> None:
    """Two files per benchmark with an id per line; suspicious items and those that are too short are in neither."""
    with new_folder(folder, sources) as place:
        for number, each in enumerate(files, 1):
            for verdict, name in (("not-flagged", "clean"), ("flagged", "flagged")):
                ids = (" ".join(row.id.split()) for row in each.rows if row.verdict == verdict)
                # The number keeps two files of one name apart.
                path = place / f"{number}-{Path(each.file).name.split('.')[0]}.{name}.ids"
                path.write_text("".join(f"{id}\n" for id in ids), encoding="utf-8")


def _gate(files: Sequence[BenchmarkRecord], most: float) -> int:
    """The exit code; a file of which nothing can be told must not pass."""
    for each in files:
        if each.flagged_share is None:
            raise QueryError(
                "{path}: all items are too short to tell, so --fail-over-share has no result.",
                reason="no-result",
                path=each.file,
            )
    return FOUND if any((each.flagged_share or 0.0) > most for each in files) else FINE


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


def _verdicts(each: BenchmarkRecord) -> str:
    share = ""
    if each.flagged_share is not None and each.flagged_low is not None and each.flagged_high is not None:
        share = f" ({each.flagged_share:.1%}, 95 % interval {each.flagged_low:.1%} to {each.flagged_high:.1%})"
    return f"{each.flagged:,} flagged{share}, {each.suspicious:,} suspicious, {each.too_short:,} too short to tell"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 80 else f"{words[:79]}…"
