"""What the commands share: opening, printing, progress on standard error."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from explorer.api import Corpus, open_index
from explorer.errors import CorpusError, QueryError
from explorer.export.jsonable import to_json
from explorer.jobs import Progress, Report, no_report

Commands = Any
"""The object on which argparse defines subcommands; its class is private."""


def add_index_arguments(parser: argparse.ArgumentParser) -> None:
    """INDEX, --index, --minus and --tokenizer."""
    parser.add_argument("index", metavar="INDEX", help="index folder")
    parser.add_argument(
        "--index", dest="more", metavar="INDEX", action="append", default=[], help="add a further index"
    )
    parser.add_argument("--minus", metavar="INDEX", action="append", default=[], help="subtract an index")
    parser.add_argument("--tokenizer", metavar="FILE", help='tokenizer.json of the index, or "bytes"')
    parser.add_argument(
        "--no-fit-check", action="store_true", help="open even where the tokenizer decodes the index to noise"
    )


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    """--json."""
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def open_corpus(args: argparse.Namespace) -> Corpus:
    """Open what the index arguments name."""
    return open_index([args.index, *args.more], args.tokenizer, args.minus or None, check_fit=not args.no_fit_check)


def print_json(value: object) -> None:
    """A result on standard output."""
    print(to_json(value))


def read_text(source: str) -> str:
    """Text of a file, or of standard input for "-"."""
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise CorpusError(f"{source} cannot be read: {error.strerror}. Check the path.") from error
    except UnicodeDecodeError as error:
        raise QueryError(f"{source} is no UTF-8 text (byte {error.start:,}). Convert it to UTF-8 first.") from error


def progress_bar() -> Report:
    """A line on standard error that shows how far work is; silent where that is no terminal."""
    if not sys.stderr.isatty():
        return no_report
    last = [0.0]

    def show(progress: Progress) -> None:
        finished = progress.total > 0 and progress.done >= progress.total
        if time.monotonic() - last[0] < 0.1 and not finished:
            return
        last[0] = time.monotonic()
        filled = int(30 * progress.fraction)
        share = f"{progress.fraction:4.0%}" if progress.total else "  …"
        sys.stderr.write(f"\r\033[K{progress.stage:<24} [{'#' * filled}{'.' * (30 - filled)}] {share}")
        if finished:
            sys.stderr.write("\n")
        sys.stderr.flush()

    return show
