"""embed-fgrams: the embedding of each f-gram of a table that was written."""

from __future__ import annotations

import argparse
from pathlib import Path

from explorer.analyses.fgrams.value_types import VALUE_NAMES, value_type
from explorer.cli.options import ranges
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.corpus.model.fgram_tables import open_fgrams
from explorer.errors import QueryError
from explorer.export.new_folder import check_new_folder
from explorer.export.records.fgrams import FgramEmbeddingsRecord

FILLED = Shape("fgram-embeddings", FgramEmbeddingsRecord)
SHAPES = {"embed-fgrams": (FILLED,)}
RULES = {
    "embed-fgrams": (
        *FORMAT_RULES,
        Rule("--model", without=("--tokens",)),
        Rule("--tensor", needs=("--tokens",)),
    )
}
_BATCHES = {"tokens": 4096, "model": 256}


def define_embed_fgrams(parser: Parser) -> None:
    """Define the command."""
    parser.argument("table", "TABLE", "folder that the command fgrams wrote")
    group = parser.add_argument_group("embeddings")
    group.add_argument(
        "--tokens",
        metavar="FILE",
        help="mean of the embeddings of an f-gram's tokens: a .npy or .safetensors file with one row per token",
    )
    group.add_argument("--tensor", default="", metavar="NAME", help="the tensor in a .safetensors file with several")
    group.add_argument(
        "--model", metavar="FILE", help="output of a model in ONNX that takes ids [rows, n]; needs onnxruntime"
    )
    group.add_argument(
        "--value-type", choices=VALUE_NAMES, default="float16", help="type of the values (default float16)"
    )
    group.add_argument(
        "--batch",
        type=ranges.TOKENS,
        metavar="N",
        help="f-grams that are embedded at once (default 4096 from tokens, 256 by a model)",
    )
    group.add_argument("--lmdb", metavar="DIR", help="write a database of LMDB to this new folder as well; needs lmdb")
    parser.beside_settings("lmdb")
    add_format_arguments(parser)


def run_embed_fgrams(args: argparse.Namespace) -> int:
    """Embed the f-grams, or continue to, and print what the table is."""
    if args.tokens is None and args.model is None:
        raise QueryError("The source of the embeddings is missing: --tokens or --model.", reason="option-missing")
    if args.tensor and not args.tokens.lower().endswith(".safetensors"):
        raise QueryError("--tensor needs a .safetensors file.", reason="option-missing")
    if args.lmdb is not None:
        check_new_folder(Path(args.lmdb))
    table = open_fgrams(args.table)
    if args.tokens is not None:
        batch = args.batch or _BATCHES["tokens"]
        resumed = table.fill_with_tokens(
            args.tokens, args.tensor, value_type=args.value_type, batch=batch, report=progress_bar()
        )
    else:
        batch = args.batch or _BATCHES["model"]
        resumed = table.fill_with_model(args.model, value_type=args.value_type, batch=batch, report=progress_bar())
    if args.lmdb is not None:
        table.write_lmdb(args.lmdb, report=progress_bar())
    facts = table.embeddings
    size = facts.rows * value_type(facts.value_type).row_bytes(facts.dimension)
    record = FgramEmbeddingsRecord(
        args.table, facts.rows, resumed, facts.dimension, facts.value_type, size, facts.source, facts.contents
    )
    put_answer(Answer(FILLED, (record,)), args, lambda _: _print(record))
    return FINE


def _print(record: FgramEmbeddingsRecord) -> None:
    put(
        f"{record.rows:,} embeddings of {record.dimension:,} values as {record.value_type} ({record.source}) are in "
        f"{record.table}: {record.table_bytes / 1e9:,.3f} GB."
    )
    if record.resumed:
        put(f"{record.resumed:,} of them had been there already.")
