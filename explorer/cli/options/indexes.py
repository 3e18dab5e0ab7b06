"""Indexes that a command answers about, each by a name: what `serve` and `mcp` have in common."""

from __future__ import annotations

import argparse

from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.cli.options.common import add_allow_remote, local_source
from explorer.cli.options.environment import TOKENIZER, named
from explorer.cli.output.terminal import detail, remark
from explorer.cli.parser import Parser, UsageError
from explorer.corpus import Corpus
from explorer.i18n import counted


def add_named_indexes(parser: Parser, used: str, nargs: str = "+") -> None:
    """Define INDEX…, --tokenizer, --allow-remote, --insecure and --name.

    nargs: "*" if there need not be one, because another option may name an index.
    """
    parser.argument("index", "INDEX", "index folders; each is an index of its own", nargs=nargs)
    parser.add_argument("--tokenizer", metavar="FILE", help='tokenizer.json of the indexes, or "bytes"')
    add_allow_remote(parser)
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="N",
        help=f"name of the index {used} (default: its own); repeatable, in the order of the folders",
    )


def check_names(args: argparse.Namespace) -> None:
    """Raise UsageError if there are more names than indexes: before anything is opened."""
    if len(args.name) > len(args.index):
        raise UsageError("There are more --name than indexes.")


def open_named(args: argparse.Namespace) -> list[tuple[str, Corpus]]:
    """Open the indexes of `add_named_indexes`.

    Returns: The name that was given to each, "" for none, and the corpus.
    """
    names = [*args.name, *[""] * (len(args.index) - len(args.name))]
    return [(name, _opened(source, args)) for name, source in zip(names, args.index, strict=True)]


def _opened(source: str, args: argparse.Namespace) -> Corpus:
    request = IndexRequest(
        (local_source(source),), args.tokenizer, default_tokenizer=named(TOKENIZER), allow_remote=args.allow_remote,
        insecure=args.insecure,
    )  # fmt: skip
    corpus = Corpus(BACKENDS.open(request))
    if corpus.index.remark:
        remark(corpus.index.remark)
    detail(f"opened {source}: {counted('token', corpus.token_count)}, {counted('document', corpus.document_count)}")
    return corpus
