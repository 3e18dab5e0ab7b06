"""wordlist: the most frequent words or n-grams, with exact counts and numbers of documents."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import astuple

from explorer.api import queries
from explorer.api.corpus import Corpus
from explorer.api.results.ngrams import Ngrams, ngram_batches, ngram_records
from explorer.backends.protocol import NgramRows
from explorer.cli import ranges
from explorer.cli.codes import FINE
from explorer.cli.common import add_index_arguments, add_stop_list, open_corpus, stop_words
from explorer.cli.envelope import (
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
from explorer.cli.parser import Parser
from explorer.cli.rules import Rule
from explorer.cli.saved import JSON_SUFFIX, out_file
from explorer.cli.shapes import Shape
from explorer.cli.terminal import progress_bar, put
from explorer.errors import QueryError
from explorer.export.columns import Batch
from explorer.export.records.ngram import NgramRecord
from explorer.export.records.words import WordListFacts, WordRecord
from explorer.i18n import counted
from explorer.statistics.ngram_lists import NgramRequest, ngram_rows
from explorer.words.stop_list import stop_ids

WORDLIST = Shape("wordlist", WordRecord, WordListFacts)
SHAPES = {"wordlist": (WORDLIST,)}
RULES = {
    "wordlist": (
        *FORMAT_RULES,
        Rule("--as-written", without=("--unit tokens",)),
        Rule("--begins-with", without=("--contains",)),
    )
}


def define_wordlist(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    group = parser.add_argument_group("list")
    group.add_argument(
        "--unit", choices=("words", "tokens"), default="words", help="what is listed: words, in lower case, or tokens"
    )
    group.add_argument("--as-written", action="store_true", help="count Word and word as two words")
    group.add_argument("--n", type=ranges.N_OF_LIST, default=1, metavar="N", help="words of each row (default 1)")
    group.add_argument(
        "--min-n", type=ranges.N_OF_LIST, metavar="N", help="list all lengths from this to --n (default: --n only)"
    )
    add_top_argument(group, "most rows per length")
    group.add_argument("--min-count", type=ranges.TOKENS, default=1, metavar="C", help="their least count")
    group.add_argument("--min-documents", type=ranges.TOKENS, default=1, metavar="D", help="least documents of a row")
    group.add_argument("--begins-with", metavar="TEXT", help="only rows that begin with these words")
    group.add_argument("--contains", metavar="TEXT", help="only rows that contain these words, one after the other")
    add_stop_list(group, "words that no row contains")
    add_format_arguments(parser)


def run_wordlist(args: argparse.Namespace) -> int:
    """Count all words or n-grams, and print the most frequent ones."""
    args.min_n = args.n if args.min_n is None else args.min_n
    if args.min_n > args.n:
        raise QueryError("--min-n must be at most --n, which is {n}.", reason="min-n", option="min_n", n=args.n)
    settle_top(args)
    corpus = open_corpus(args)
    # Read once: it may come from standard input.
    args.stop = stop_words(args.stop)
    # What is stated of the index is about the one that was named, not about its words.
    listed = corpus.words(fold=not args.as_written, report=progress_bar()) if args.unit == "words" else corpus
    streamed = args.top is None and not _is_object(args)
    # All rows may be more than fit into memory, so they are written as they are found, after what they all are.
    found = _ngrams(listed, args, 1 if streamed else args.top)
    rows = _streamed(listed, args) if streamed else tuple(_records(found))
    by_n = found.figures
    total, types, hapaxes = (sum(numbers) for numbers in zip(*(each[1:] for each in map(astuple, by_n)), strict=True))
    facts = WordListFacts(args.unit, args.n, total, types, hapaxes, by_n)
    batches = (lambda: _batches(listed, args)) if streamed else None
    put_answer(
        Answer(WORDLIST, rows, corpus.index, facts, batches=batches), args, lambda rows: _print(facts, rows, args)
    )
    return FINE


def _is_object(args: argparse.Namespace) -> bool:
    """Whether the answer is the object of --json, whose figures come before the rows."""
    path = out_file(args.out)
    return format_of(args) == JSON if path is None else path.suffix.lower() == JSON_SUFFIX


def _ngrams(listed: Corpus, args: argparse.Namespace, top: int | None) -> Ngrams:
    return listed.ngrams(
        min_n=args.min_n,
        max_n=args.n,
        top=top,
        min_count=args.min_count,
        min_documents=args.min_documents,
        begins_with=args.begins_with,
        contains=args.contains,
        stop=args.stop,
        report=progress_bar(),
    )


def _streamed(listed: Corpus, args: argparse.Namespace) -> Iterator[WordRecord]:
    return _records(ngram_records(listed.index, _rows(listed, args)))


def _batches(listed: Corpus, args: argparse.Namespace) -> Iterator[Batch]:
    return ngram_batches(listed.index, _rows(listed, args))


def _rows(listed: Corpus, args: argparse.Namespace) -> Iterator[NgramRows]:
    """All rows, length by length, some at a time."""
    texts = (args.begins_with, args.contains)
    begins, contains = (None if text is None else queries.as_ids(listed.index, text) for text in texts)
    stop = stop_ids(listed.index, args.stop)
    # Shorter n-grams cannot contain these, and asking for them is refused.
    shortest = max(args.min_n, *(len(ids) for ids in (begins, contains) if ids is not None), 1)
    for n in range(shortest, args.n + 1):
        request = NgramRequest(n, n, None, args.min_count, args.min_documents, begins, contains, stop)
        yield from ngram_rows(listed.index, request, progress_bar())


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
