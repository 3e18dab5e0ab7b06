"""fgrams: the most frequent n-grams of all lengths together, as arrays for training."""

from __future__ import annotations

import argparse
from pathlib import Path

from explorer.cli import ranges
from explorer.cli.codes import FINE
from explorer.cli.common import add_index_arguments, open_corpus
from explorer.cli.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.parser import Parser
from explorer.cli.shapes import Shape
from explorer.cli.terminal import progress_bar, put
from explorer.export.fgram_files import check_new
from explorer.export.records.fgrams import FgramFacts, FgramSizeRecord

FGRAMS = Shape("fgrams", FgramSizeRecord, FgramFacts)
SHAPES = {"fgrams": (FGRAMS,)}
RULES = {"fgrams": FORMAT_RULES}


def define_fgrams(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    group = parser.add_argument_group("f-grams")
    group.add_argument(
        "--max-n", type=ranges.N_OF_FGRAMS, default=5, metavar="K", help="tokens of the longest, 2 to 64 (default 5)"
    )
    group.add_argument("--min-count", type=ranges.TOKENS, default=5, metavar="C", help="their least count (default 5)")
    group.add_argument(
        "--size",
        type=ranges.TOKENS,
        metavar="S",
        help="how many, of all lengths together, and whatever is as frequent as the last of them (default: all)",
    )
    group.add_argument("--out", metavar="DIR", help="write the arrays and meta.json to this new folder")
    group.add_argument(
        "--dimension", type=ranges.TOKENS, default=2048, metavar="D", help="values of an embedding (default 2048)"
    )
    # --out is a folder of arrays, and the figures are printed beside it.
    parser.beside_settings("out")
    add_format_arguments(parser, out=False)


def run_fgrams(args: argparse.Namespace) -> int:
    """Find the f-grams, write them, and print their figures."""
    if args.out is not None:
        # Before the work, which takes minutes in a large index.
        check_new(Path(args.out))
    corpus = open_corpus(args)
    found = corpus.fgrams(args.max_n, min_count=args.min_count, size=args.size, report=progress_bar())
    if args.out is not None:
        found.write_arrays(args.out)
    # Records have classes of their own, so that a change of the library changes no schema.
    rows = tuple(FgramSizeRecord(each.n, each.distinct, each.at_least) for each in found.by_n)
    # The decision that a person has to make: how much memory a table of this size takes.
    size = found.embedding_bytes(args.dimension)
    facts = FgramFacts(found.max_n, found.cutoff, len(found), rows, args.dimension, size, args.out)
    put_answer(Answer(FGRAMS, rows, corpus.index, facts), args, lambda _: _print(facts))
    return FINE


def _print(facts: FgramFacts) -> None:
    put(f"F-grams of 2 to {facts.max_n} tokens that occur {facts.cutoff:,} times or more: {facts.kept:,}.")
    for each in facts.by_n:
        put(f"  {each.n} tokens: {each.at_least:,} of {each.distinct:,} distinct n-grams")
    put(f"Embeddings of {facts.dimension:,} values of 16 bits would take {facts.table_bytes / 1e9:,.3f} GB.")
    if facts.out is not None:
        put(f"The arrays are in {facts.out}.")
