"""wordlist: the most frequent words or n-grams, with exact counts and numbers of documents."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import astuple, replace

from explorer.analyses.wordlist.ngram_lists import ngram_rows
from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.analyses.wordlist.table import NgramRecord, WordListFacts, WordRecord
from explorer.backends.protocol.protocol import Backend, NgramRows
from explorer.cli.options.common import add_index_arguments, open_corpus
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import (
    FORMAT_RULES,
    JSON,
    Answer,
    add_format_arguments,
    add_top_argument,
    format_of,
    put_answer,
    report_shortened,
    settle_top,
)
from explorer.cli.output.saved import JSON_SUFFIX, out_file
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.corpus.results.statistics.ngrams import ngram_batches, ngram_records
from explorer.corpus.statistics.ngrams import ngram_rule, ngrams_of
from explorer.i18n import counted

WORDLIST = Shape("wordlist", WordRecord, WordListFacts)
SHAPES = {"wordlist": (WORDLIST,)}
RULES = {
    "wordlist": (
        *FORMAT_RULES,
        Rule("--as-written", without=("--unit tokens",)),
    )
}


def define_wordlist(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    group = parser.add_argument_group("list")
    add_settings(group, WordlistQuestion, "top")
    add_top_argument(group, "most rows per length")
    add_format_arguments(parser)


def run_wordlist(args: argparse.Namespace) -> int:
    """Count all words or n-grams, and print the most frequent ones."""
    settle_top(args)
    # Before the work. A stop list is read once: it may come from standard input.
    question = question_of(args, WordlistQuestion)
    corpus = open_corpus(args)
    # What is stated of the index is about the one that was named, not about its words.
    listed = corpus.words(fold=not question.as_written, report=progress_bar()) if question.words else corpus
    index = listed.index
    streamed = question.top is None and not _is_object(args)
    # All rows may be more than fit into memory, so they are written as they are found, after what they all are.
    found = ngrams_of(index, replace(question, top=1) if streamed else question, progress_bar())
    rows = _records(ngram_records(index, _rows(index, question))) if streamed else tuple(_records(found))
    by_n = found.figures
    total, types, hapaxes = (sum(numbers) for numbers in zip(*(each[1:] for each in map(astuple, by_n)), strict=True))
    facts = WordListFacts(question.unit, question.max_n, total, types, hapaxes, by_n)
    batches = (lambda: ngram_batches(index, _rows(index, question))) if streamed else None
    put_answer(
        Answer(WORDLIST, rows, corpus.index, facts, batches=batches), args, lambda rows: _print(facts, rows, args)
    )
    return FINE


def _is_object(args: argparse.Namespace) -> bool:
    """Whether the answer is the object of --json, whose figures come before the rows."""
    path = out_file(args.out)
    return format_of(args) == JSON if path is None else path.suffix.lower() == JSON_SUFFIX


def _rows(index: Backend, question: WordlistQuestion) -> Iterator[NgramRows]:
    """All rows, length by length, some at a time."""
    rule = ngram_rule(index, question)
    # Shorter n-grams cannot contain the phrase.
    for n in range(max(rule.min_n, len(rule.begins or rule.contains)), rule.max_n + 1):
        yield from ngram_rows(index, replace(rule, min_n=n, max_n=n), progress_bar())


def _records(found: Iterable[NgramRecord]) -> Iterator[WordRecord]:
    # Records have a class of their own, so that a change of the library changes no schema.
    return (WordRecord(each.form, each.count, each.documents or 0, each.per_million, each.n) for each in found)


def _print(facts: WordListFacts, rows: Iterable[WordRecord], args: argparse.Namespace) -> None:
    for each in facts.by_n:
        total = counted(facts.unit.removesuffix("s") if each.n == 1 else "n-gram", each.total)
        what = total if each.n == 1 else f"{total} of {each.n} {facts.unit}"
        once = "1 occurs once" if each.hapaxes == 1 else f"{each.hapaxes:,} occur once"
        put(f"{what}, {each.types:,} distinct, {once}")
    number = 0
    for number, row in enumerate(rows, 1):
        if number == 1:
            put(f"{'count':>11} {'per million':>12} {'documents':>10}  {facts.unit}")
        form = "" if row.form is None else row.form
        put(f"{row.count:>11,} {row.per_million:>12,.2f} {row.documents:>10,}  {form}")
    if args.top is not None and number >= args.top:
        report_shortened(args, number)
    if not number:
        put("No row meets the conditions.")
