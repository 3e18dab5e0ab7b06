"""shell: a session that asks one corpus many questions, with the commands that users of Infinigram know."""

from __future__ import annotations

import argparse
import sys

from explorer.cli import hints
from explorer.cli.options.common import add_index_arguments, open_corpus
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE, TROUBLE
from explorer.cli.output.terminal import complain, flush, put, remark
from explorer.cli.parser import Parser
from explorer.cli.shell.commands import Shell
from explorer.cli.shell.editor import typed_lines
from explorer.core.hints import with_hints
from explorer.errors import CorpusError
from explorer.i18n import counted

RULES: dict[str, tuple[Rule, ...]] = {"shell": ()}


def define_shell(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.add_argument("--no-history", action="store_true", help="keep no lines for the next session")


def run_shell(args: argparse.Namespace) -> int:
    """Answer line by line, until the input ends."""
    shell = Shell(open_corpus(args))
    is_typed = sys.stdin is not None and sys.stdin.isatty()
    remark(
        f"{shell.corpus.index.name}: {counted('token', shell.corpus.token_count)}, "
        f"{counted('document', shell.corpus.document_count)}. help lists the commands."
    )
    failed = False
    for line in typed_lines(shell, not args.no_history):
        try:
            shell.execute(line)
        except CorpusError as error:
            failed = True
            complain(with_hints(error, hints.HINTS))
        except KeyboardInterrupt:
            # At a terminal Ctrl-C ends one answer, not the session.
            if not is_typed:
                raise
            put()
            complain("Interrupted.")
        flush()
        if shell.ended:
            break
    # A person has seen what failed; a script may only look at the code.
    return TROUBLE if failed and not is_typed else FINE
