"""personal-data: e-mail addresses, telephone numbers, IP addresses, cards and keys, and the texts without them."""

from __future__ import annotations

import argparse
from dataclasses import replace

from explorer.analyses.personal_data.kinds import KINDS
from explorer.analyses.personal_data.question import PersonalDataQuestion
from explorer.analyses.personal_data.table import PersonalFacts, PersonalRecord
from explorer.cli.options.common import add_index_arguments, open_corpus
from explorer.cli.options.cut import CUT_RULES, add_cut_arguments, check_cut_out, cut_format, print_cuts, write_cuts
from explorer.cli.options.question_options import question_of
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import Answer, add_top_argument, names, put_answer, settle_top
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser

PERSONAL = Shape("personal-data", PersonalRecord, PersonalFacts)
SHAPES = {"personal-data": (PERSONAL,)}
RULES = {
    "personal-data": (
        *CUT_RULES,
        Rule("--show", without=("--mask",)),
        # A preview has the text of a document, with all that is cut.
        Rule("--preview", needs=("--show",)),
    )
}


def define_personal_data(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    group = parser.add_argument_group("personal data")
    group.add_argument(
        "--kind",
        type=names,
        default=[],
        metavar="LIST",
        help=f"kinds of data to find (comma-separated; default: all): {', '.join(KINDS)}",
    )
    group.add_argument("--mask", action="store_true", help="hide most letters and digits (the default)")
    group.add_argument("--show", action="store_true", help="print the texts as they are")
    group.add_argument("--by", metavar="FIELD", help="count by the values of this field")
    add_top_argument(group)
    add_cut_arguments(parser)


def run_personal_data(args: argparse.Namespace) -> int:
    """Find what is to be cut, print it, and write the rest if --out asks for it."""
    settle_top(args)
    form = cut_format(args)
    question = question_of(args, PersonalDataQuestion, kinds=args.kind, masked=not args.show)
    corpus = open_corpus(args)
    check_cut_out(corpus, args)
    found = corpus.personal_data(**question.arguments(), report=progress_bar())
    facts = replace(found.facts, groups=found.groups(args.by) if args.by else ())
    made = write_cuts(corpus, found.ranges, args, form, {"personal_data": list(question.kinds)})
    rows = tuple(found)
    put_answer(Answer(PERSONAL, rows, corpus.index, facts), args, lambda _: _print(facts, rows))
    print_cuts(corpus, found.ranges, args, made)
    return FINE


def _print(facts: PersonalFacts, rows: tuple[PersonalRecord, ...]) -> None:
    put(f"{'findings':>9} {'documents':>9} {'tokens':>9}  kind")
    for kind in facts.kinds:
        put(f"{kind.count:>9,} {kind.documents:>9,} {kind.tokens:>9,}  {kind.kind}: {KINDS[kind.kind].title}")
    if facts.groups:
        put("")
        put(f"{'findings':>9} {'documents':>9}  kind, value")
    for group in facts.groups:
        value = "(no value)" if group.value is None else group.value
        put(f"{group.count:>9,} {group.documents:>9,}  {group.kind}, {value}")
    if rows:
        put("")
        put(f"{'document':>9} {'character':>10}  finding")
    for row in rows:
        detail = f" ({row.detail})" if row.detail else ""
        put(f"{row.document:>9} {row.character:>10,}  {row.kind}{detail}: {' '.join(row.text.split())}")
    if facts.total > len(rows):
        put(f"… and {facts.total - len(rows):,} more; --top all lists all")
