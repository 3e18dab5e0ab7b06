"""decontaminate: which documents or paragraphs evaluation sets make up, and the texts without them."""

from __future__ import annotations

import argparse

from explorer.analyses.decontamination.question import DecontaminationQuestion
from explorer.analyses.decontamination.table import DecontaminationFacts, DecontaminationRecord
from explorer.cli.options.common import add_index_arguments, open_corpus, stdin_once
from explorer.cli.options.cut import (
    CUT_RULES,
    add_cut_arguments,
    check_cut_out,
    cut_format,
    print_cuts,
    write_cuts,
)
from explorer.cli.options.inputs import input_files
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import Answer, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.corpus.results.curation.decontamination import Decontamination
from explorer.i18n import counted

DECONTAMINATION = Shape("decontamination", DecontaminationRecord, DecontaminationFacts)
SHAPES = {"decontaminate": (DECONTAMINATION,)}
RULES = {"decontaminate": CUT_RULES}
_SHOWN = 20


def define_decontaminate(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument(
        "file", "FILE", 'evaluation sets: JSON Lines, JSON, CSV or Parquet; "-" reads standard input', nargs="+"
    )
    group = parser.add_argument_group("rule")
    add_settings(group, DecontaminationQuestion)
    add_cut_arguments(parser)


def run_decontaminate(args: argparse.Namespace) -> int:
    """Find what is to be cut, print it, and write the rest if --out asks for it."""
    form = cut_format(args)
    question = question_of(args, DecontaminationQuestion)
    stdin_once(args.file)
    files = input_files(args.file)
    corpus = open_corpus(args)
    check_cut_out(corpus, args)
    found = corpus.decontamination(files, **question.arguments(), report=progress_bar())
    facts = _facts(found, question)
    about = {**question.session, "evaluation_sets": args.file}
    made = write_cuts(corpus, found.ranges, args, form, about)
    put_answer(Answer(DECONTAMINATION, tuple(found), corpus.index, facts), args, lambda _: _print(facts))
    print_cuts(corpus, found.ranges, args, made)
    return FINE


def _facts(found: Decontamination, question: DecontaminationQuestion) -> DecontaminationFacts:
    return DecontaminationFacts(
        rule=question.rule,
        n=question.n,
        share_limit=question.share,
        unit=question.unit,
        items=found.items,
        items_too_short=found.items_too_short,
        ngrams=found.ngrams,
        ngrams_found=found.ngrams_found,
        documents=found.corpus_documents,
        filtered=len(found),
        filtered_share=len(found) / found.corpus_documents if found.corpus_documents else None,
        too_short=found.too_short,
        tokens_removed=found.ranges.tokens,
        ranges=len(found.ranges),
        by=question.by,
        groups=found.groups,
        rows=tuple(found),
    )


def _print(facts: DecontaminationFacts) -> None:
    share = "" if facts.filtered_share is None else f" ({facts.filtered_share:.1%})"
    if facts.filtered:
        put(f"To remove: {facts.filtered:,} of {facts.documents:,} documents{share}, {facts.tokens_removed:,} tokens")
    else:
        put(f"Nothing to remove: 0 of {counted('document', facts.documents)} match.")
    put(
        f"{facts.ngrams_found:,} of {counted('n-gram', facts.ngrams)} of {counted('item', facts.items)} occur; too "
        f"short to tell: {counted('item', facts.items_too_short)}, {counted('document', facts.too_short)}"
    )
    if facts.groups:
        put(f"{'documents':>11} {'filtered':>9} {'share':>8} {'tokens':>12}  {facts.by}")
    for group in facts.groups:
        name = "(no value)" if group.value is None else group.value
        put(f"{group.documents:>11,} {group.filtered:>9,} {group.share:>8.3%} {group.tokens_removed:>12,}  {name}")
    if facts.rows:
        put(f"{'share':>7} {'n-grams':>9} {'tokens':>9} {'document':>9}  title")
    for row in facts.rows[:_SHOWN]:
        put(f"{row.share:>7.1%} {row.ngrams:>9,} {row.tokens_removed:>9,} {row.document:>9}  {row.title}")
    if len(facts.rows) > _SHOWN:
        put(f"… and {len(facts.rows) - _SHOWN:,} more; --json lists all")
