"""mix --server: log probabilities from a model on this machine, in place of those from a file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.cli.options import ranges
from explorer.cli.options.environment import named
from explorer.cli.options.rules import Rule
from explorer.cli.output.terminal import progress_bar, put, remark
from explorer.core.files.paths import is_file
from explorer.errors import CorpusError, QueryError, SourceError
from explorer.neural.records import ScoredText
from explorer.neural.scripts import SCRIPTS

if TYPE_CHECKING:
    from explorer.neural.servers import ScoringServer

_NOTHING_NEW = ("exists", "unwritable", "other-texts", "other-model", "other-tokens")
_OF_SERVER = ("--probabilities-out", "--window", "--allow-remote", "--api-key-variable")
SERVER_RULES = (
    *(Rule(option, needs=("--server",)) for option in _OF_SERVER),
    Rule("--server", without=("--probabilities", "--log-base")),
    # Only a file has what was scored before.
    Rule("--resume", needs=("--probabilities-out",)),
)


def add_server_arguments(group: argparse._ArgumentGroup) -> None:
    """Define --server and what goes with it.

    group: The options about the neural model.
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
        choices=tuple(SCRIPTS),
        metavar="PACKAGE",
        help="print a script that writes the file of --probabilities from a model on this machine, and end: "
        f"{', '.join(SCRIPTS)}",
    )
    group.add_argument("--allow-remote", action="store_true", help="send the texts to a server of another machine")
    add_key_argument(group)


class _PrintScript(argparse.Action):
    """Prints a script instead of doing the work, so that no index needs to be named."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: object, values: object, *_: object) -> None:
        put(SCRIPTS[str(values)], keep="\n", end="")
        parser.exit()


def ask_server(args: argparse.Namespace) -> Sequence[ScoredText]:
    """Ask the server for the log probabilities of the texts.

    Raises `QueryError` if there are no texts.
    Raises `CorpusError` if the server cannot be used, or the file cannot be written.
    """
    if not args.file:
        raise QueryError("--server needs the texts: name their FILE.", reason="option-missing")
    texts = read_texts(args.file, InputChoice()).texts
    # Here: a connection brings modules along that no other command needs.
    from explorer.neural.servers import open_server

    confirm = (lambda host: True) if args.allow_remote else None
    with open_server(args.server, window=args.window, confirm=confirm, key=server_key(args)) as server:
        if args.probabilities_out is None:
            return _kept(server, texts, args)
        saved = "What was scored is in {kept}; the same command with --resume continues it."
        return _saved(server, texts, Path(args.probabilities_out), args.resume, saved)


def add_key_argument(group: argparse._ArgumentGroup) -> None:
    """Define the option that names the variable with the key of a server.

    group: The options about the neural model.
    """
    # A key on the command line is seen by everybody who lists processes, and stays in the history of the shell.
    group.add_argument(
        "--api-key-variable",
        metavar="NAME",
        help="environment variable with the key that the server asks for; the key is not shown, and not kept",
    )


def server_key(args: argparse.Namespace) -> str | None:
    """Read the key of a server from the environment variable that the command line names.

    Returns: The key; None if no variable is named.
    Raises `QueryError` if the variable is not set.
    """
    if args.api_key_variable is None:
        return None
    key = (named(args.api_key_variable) or "").strip()
    if not key:
        # Without the name: it may be the key itself, by mistake.
        raise QueryError(
            "The environment variable that --api-key-variable names is not set, or it is empty.", reason="no-key"
        )
    return key


def _saved(server: ScoringServer, texts: Sequence[str], path: Path, resume: bool, told: str) -> Sequence[ScoredText]:
    """Ask for what a file does not have yet; what comes is written to it, and told if the work is stopped."""
    from explorer.export.scored_file import save_scores

    try:
        return save_scores(server, texts, path, resume=resume, report=progress_bar())
    except KeyboardInterrupt:
        remark(told.format(kept=path))
        raise
    except CorpusError as error:
        # A file that cannot be written, or that is of other texts, has nothing new in it.
        if error.reason in _NOTHING_NEW or isinstance(error, SourceError):
            raise
        raise error.followed_by(told, "kept-scores", kept=path) from error


def _kept(server: ScoringServer, texts: Sequence[str], args: argparse.Namespace) -> Sequence[ScoredText]:
    """Ask with a file in the cache folder, which the same command continues, and which is removed at the end."""
    from explorer.export.scored_file import place_of_scores
    from explorer.neural.asking import score_texts

    try:
        path = place_of_scores((args.server, str(args.window)), server.model, texts)
    except OSError as error:
        remark(f"what is scored is not kept if the work is stopped: {error.filename}: {error.strerror}")
        return list(score_texts(server, texts, report=progress_bar()))
    if is_file(path):
        remark(f"continuing what was scored before, in {path}")
    try:
        found = _saved(server, texts, path, True, "What was scored is in {kept}; the same command continues it.")
    except SourceError:
        # Only a damaged file cannot be read: it was ours, and can be made again.
        path.unlink()
        return _kept(server, texts, args)
    path.unlink()
    return found
