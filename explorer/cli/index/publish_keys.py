"""publish-keys: write the sampled keys of an index, for whoever reads it from a web server or a bucket."""

from __future__ import annotations

import argparse
from pathlib import Path

from explorer.backends.bucket.publishing import write_keys
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser

RULES: dict[str, tuple[Rule, ...]] = {"publish-keys": ()}


def define_publish_keys(parser: Parser) -> None:
    """Define the command."""
    # INDEX cannot be left out: what a variable names today should not decide into which folder files are written.
    parser.argument("index", "INDEX", "index folder; its files are not changed")
    parser.add_argument(
        "--to", metavar="DIR", help="folder for the files keys.0, keys.1, … (default: beside those of the index)"
    )


def run_publish_keys(args: argparse.Namespace) -> int:
    """Write the keys, and print what was written.

    Raises `CorpusError` if the index cannot be opened.
    Raises `OSError` if a file cannot be written.
    """
    folder = Path(args.index)
    for written in write_keys(folder, Path(args.to) if args.to else folder, progress_bar()):
        put(f"{written.path}: {written.keys:,} keys, {written.size:,} bytes")
    return FINE
