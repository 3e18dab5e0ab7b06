"""set-tokenizer: remember the tokenizer of an index that has none."""

from __future__ import annotations

import argparse
from pathlib import Path

from explorer.backends.protocol.protocol import Backend
from explorer.backends.registry import BACKENDS
from explorer.backends.remembered import RememberedTokenizer, forget, remember, remembered
from explorer.backends.request import IndexRequest
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import put, remark
from explorer.cli.parser import Parser, UsageError
from explorer.core.files.paths import is_folder
from explorer.errors import QueryError
from explorer.export.records.tokenizer import TokenizerRecord, tokenizer_record

RULES = {"set-tokenizer": (Rule("--no-fit-check", without=("--forget",)), *FORMAT_RULES)}
REMEMBERED = Shape("set-tokenizer", TokenizerRecord)
SHAPES = {"set-tokenizer": (REMEMBERED,)}
_NAME = "tokenizer.json"


def define_set_tokenizer(parser: Parser) -> None:
    """Define the command."""
    # INDEX cannot be left out: what a variable names today should not decide what is kept for later.
    parser.argument("index", "INDEX", "index folder without a tokenizer of its own; nothing is written into it")
    parser.argument("file", "FILE", 'its tokenizer.json, or "bytes"; without it, print what is remembered', nargs="?")
    parser.add_argument("--forget", action="store_true", help="forget the tokenizer of this index")
    parser.add_argument("--no-fit-check", action="store_true", help="remember the tokenizer even if it does not fit")
    add_format_arguments(parser)
    parser.beside_settings("forget")


def run_set_tokenizer(args: argparse.Namespace) -> int:
    """Remember a tokenizer, forget it, or print what is remembered.

    Raises `UsageError` if a file is given with --forget, or --no-fit-check without one.
    Raises `CorpusError` if the index cannot be opened or has its own tokenizer, or the tokenizer does not fit it.
    """
    if args.file is not None and args.forget:
        raise UsageError("FILE cannot be used with --forget.")
    if args.file is None and args.no_fit_check:
        raise UsageError("--no-fit-check needs FILE.")
    index = BACKENDS.open(IndexRequest((args.index,)))
    if args.forget:
        if not forget(index.fingerprint):
            remark("no tokenizer was remembered for this index")
    elif args.file is not None:
        remember(index.fingerprint, _chosen(index, args))
    record = tokenizer_record(index.sources[0], index.fingerprint, remembered(index.fingerprint))
    put_answer(Answer(REMEMBERED, [record], index), args, lambda _: put(f"{args.index}: {record.tokenizer or 'none'}"))
    return FINE


def _chosen(index: Backend, args: argparse.Namespace) -> RememberedTokenizer:
    """What is to be remembered; the tokenizer is tried on the index first."""
    # Of an index that has none, only a remembered one can be known.
    if index.has_tokenizer and remembered(index.fingerprint) is None:
        raise QueryError(
            "{path} has its own tokenizer, so none is remembered for it.", reason="own-tokenizer", path=args.index
        )
    tried = BACKENDS.open(IndexRequest((args.index,), args.file, check_fit=not args.no_fit_check))
    sha256 = tried.tokenizer.fingerprint
    if not sha256:
        return RememberedTokenizer(args.file, "", not args.no_fit_check)
    # Absolute, since the next command may run in another folder.
    path = Path(args.file, _NAME) if is_folder(Path(args.file)) else Path(args.file)
    return RememberedTokenizer(str(path.absolute()), sha256, not args.no_fit_check)
