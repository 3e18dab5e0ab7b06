"""Parsing and running commands; one place for errors and exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from explorer.errors import Cancelled, CorpusError
from explorer.version import VERSION

_COMMANDS = ("demo", "build", "info", "verify", "count", "kwic", "next", "trace", "agree")


class _Parser(argparse.ArgumentParser):
    """Prints one line on an error, as every other error is printed."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise CorpusError(f"{message[:1].upper()}{message[1:]}. Run {self.prog} --help to see how it is used.")


def _window_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="corpus-explorer",
        description="See what is in a text corpus, and which parts of a language model's output stand in it.",
        epilog=f"Commands: {', '.join(_COMMANDS)}; corpus-explorer COMMAND --help explains each.",
    )
    parser.add_argument("index", metavar="INDEX", nargs="*", help="index folders to open in the window")
    parser.add_argument("--minus", metavar="INDEX", action="append", default=[], help="subtract an index")
    parser.add_argument("--tokenizer", metavar="FILE", help='tokenizer.json of the index, or "bytes"')
    parser.add_argument("--version", action="version", version=f"corpus-explorer {VERSION}")
    return parser


def _command_parser() -> argparse.ArgumentParser:
    # Here and not above: a command need not wait for what the others import.
    from explorer.cli import agree, build, search, trace, window

    parser = _Parser(prog="corpus-explorer")
    commands = parser.add_subparsers(dest="command", required=True)
    window.add_command(commands)
    build.add_commands(commands)
    search.add_commands(commands)
    trace.add_command(commands)
    agree.add_command(commands)
    return parser


def main(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code."""
    try:
        if arguments and arguments[0] in _COMMANDS:
            args = _command_parser().parse_args(arguments)
            return int(args.run(args))
        args = _window_parser().parse_args(arguments)
        from explorer.cli.window import run_window

        return run_window(args)
    except (KeyboardInterrupt, Cancelled):
        print("Interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): be quiet, also when Python flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except CorpusError as error:
        print(f"corpus-explorer: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


def run() -> None:
    """Entry point of the `corpus-explorer` command."""
    # Output is UTF-8 wherever it goes; what a terminal cannot show is replaced rather than fatal.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    sys.exit(main(sys.argv[1:]))
