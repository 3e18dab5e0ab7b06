"""mix --server: log probabilities from a model on this machine, in place of those from a file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from explorer.agreement.sources import InputChoice, read_texts
from explorer.cli import ranges
from explorer.cli.rules import Rule
from explorer.cli.terminal import progress_bar, put
from explorer.errors import CorpusError, QueryError
from explorer.i18n import mark
from explorer.neural.records import ScoredText
from explorer.neural.transformers_script import TRANSFORMERS

_OF_SERVER = ("--probabilities-out", "--window", "--allow-remote")
SERVER_RULES = (
    *(Rule(option, needs=("--server",)) for option in _OF_SERVER),
    Rule("--server", without=("--probabilities", "--log-base")),
    # Only a file has what was scored before.
    Rule("--resume", needs=("--probabilities-out",)),
)


def add_server_arguments(group: argparse._ArgumentGroup) -> None:
    """Define --server and what goes with it.

    Parameters
    ----------
    group
        The options about the neural model.
    """
    group.add_argument(
        "--server",
        metavar="URL",
        help="ask the model of a server on this machine for the log probabilities of the texts in FILE",
    )
    group.add_argument(
        "--probabilities-out",
        metavar="OUT",
        help="with --server: write the log probabilities as they come; what was written stays if the work is stopped",
    )
    group.add_argument("--resume", action="store_true", help="continue the file of --probabilities-out")
    group.add_argument(
        "--window",
        type=ranges.WINDOW,
        default=1024,
        metavar="N",
        help="with --server: most tokens of context (default 1024)",
    )
    group.add_argument(
        "--print-script",
        action=_PrintScript,
        choices=("transformers",),
        metavar="PACKAGE",
        help="print a script that writes the file of --probabilities from a model folder, and end: transformers",
    )
    group.add_argument("--allow-remote", action="store_true", help="send the texts to a server of another machine")


class _PrintScript(argparse.Action):
    """Prints a script instead of doing the work, so that no index needs to be named."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        put(TRANSFORMERS, keep="\n", end="")
        parser.exit()


def ask_server(args: argparse.Namespace) -> Sequence[ScoredText]:
    """Ask the server for the log probabilities of the texts.

    Parameters
    ----------
    args
        The parsed command line, with a server.

    Returns
    -------
    Sequence[ScoredText]
        The texts.

    Raises
    ------
    QueryError
        If there are no texts.
    CorpusError
        If the server cannot be used, or the file cannot be written.
    """
    if not args.file:
        raise QueryError("--server needs the texts: name their FILE.", reason="option-missing")
    texts = read_texts(args.file, InputChoice()).texts
    # Here: a connection brings modules along that no other command needs.
    from explorer.export.scored_file import save_scores
    from explorer.neural.asking import score_texts
    from explorer.neural.servers import open_server

    confirm = (lambda host: True) if args.allow_remote else None
    with open_server(args.server, window=args.window, confirm=confirm) as server:
        if args.probabilities_out is None:
            return list(score_texts(server, texts, report=progress_bar()))
        path = Path(args.probabilities_out)
        try:
            return save_scores(server, texts, path, resume=args.resume, report=progress_bar())
        except CorpusError as error:
            # A file that cannot be written, or that is of other texts, has nothing new in it.
            if error.reason in ("exists", "unwritable", "other-texts", "other-model", "other-tokens"):
                raise
            raise error.followed_by(
                mark("What was scored is in {kept}; the same command with --resume continues it."), "kept-scores",
                kept=path,
            ) from error  # fmt: skip
