"""duplicates: the tokens to cut so that no passage of a length is left twice."""

from __future__ import annotations

import argparse

from explorer.analyses.duplicates.question import DuplicatesQuestion
from explorer.analyses.duplicates.table import DuplicateFacts, DuplicateRecord
from explorer.cli.options.common import WHOLE_RULES, add_index_arguments, open_corpus, read_text
from explorer.cli.options.cut import CUT_RULES, add_cut_arguments, check_cut_out, cut_format, print_cuts, write_cuts
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import Answer, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.corpus.results.curation.duplicates import DuplicateTable
from explorer.errors import QueryError
from explorer.i18n import counted

DUPLICATES = Shape("duplicates", DuplicateRecord, DuplicateFacts)
SHAPES = {"duplicates": (DUPLICATES,)}
RULES = {"duplicates": (*WHOLE_RULES, *CUT_RULES)}


def define_duplicates(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser, parts=False)
    group = parser.add_argument_group("duplicates")
    add_settings(group, DuplicatesQuestion, "never", required="length")
    group.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="FILE",
        help="never cut the passage in this file, wherever it occurs (may be repeated)",
    )
    group.add_argument(
        "--second-pass", action="store_true", help="also count what would be cut of the texts that are left"
    )
    add_cut_arguments(parser)


def run_duplicates(args: argparse.Namespace) -> int:
    """Find what is to be cut, write the export, and print what it comes to."""
    question = question_of(args, DuplicatesQuestion, never=[_passage(path) for path in args.keep])
    form = cut_format(args)
    corpus = open_corpus(args)
    check_cut_out(corpus, args)
    found = corpus.duplicates(**question.arguments(), report=progress_bar())
    again = corpus.duplicates_left(found.ranges, question.length, question.rule) if args.second_pass else None
    about = {name: value for name, value in question.session.items() if name != "never"}
    made = write_cuts(corpus, found.ranges, args, form, {**about, "kept_passages": len(args.keep)}, found.first)
    facts = _facts(question, found, again, None if made is None else str(made.folder))
    put_answer(Answer(DUPLICATES, iter(found), corpus.index, facts), args, lambda _: _print(facts))
    print_cuts(corpus, found.ranges, args, made, found.first)
    return FINE


def _passage(path: str) -> str:
    """The text of a file, without the line feed that an editor puts at its end."""
    text = read_text(path).removesuffix("\n")
    if not text:
        raise QueryError("{path} has no passage to keep.", reason="empty-passage", path=path)
    return text


def _facts(
    question: DuplicatesQuestion, found: DuplicateTable, again: int | None, folder: str | None
) -> DuplicateFacts:
    return DuplicateFacts(
        **question.arguments("prefer", "never"),
        tokens=found.tokens,
        tokens_removed=found.tokens_removed,
        share_removed=found.tokens_removed / found.tokens if found.tokens else None,
        ranges=len(found),
        documents_touched=found.documents_touched,
        documents_emptied=found.documents_emptied,
        bytes_removed=found.bytes_removed,
        second_pass=again,
        folder=folder,
    )


def _print(facts: DuplicateFacts) -> None:
    if not facts.tokens_removed:
        put(f"Nothing is to be cut: no passage of {facts.length:,} {facts.unit} is a copy by this rule.")
        return
    share = f" ({facts.share_removed:.3%})" if facts.share_removed is not None else ""
    ranges_ = "1 range" if facts.ranges == 1 else f"{facts.ranges:,} ranges"
    put(f"{facts.tokens_removed:,} of {facts.tokens:,} tokens{share} in {ranges_}")
    if facts.bytes_removed is not None:
        put(f"{facts.bytes_removed:,} bytes of text")
    put(f"{counted('document', facts.documents_touched)} touched, {facts.documents_emptied:,} of them emptied")
    if facts.second_pass is not None:
        put(f"{counted('token', facts.second_pass)} would be cut of what is left by a second pass")
