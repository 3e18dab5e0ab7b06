"""serve: answer the questions of other programs about indexes, until Ctrl-C."""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path

from explorer.api import Corpus
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.cli.codes import FINE
from explorer.cli.environment import TOKENIZER, named
from explorer.cli.parser import Parser, UsageError
from explorer.cli.rules import Rule
from explorer.cli.terminal import complain, detail, flush, put, remark
from explorer.errors import CorpusError
from explorer.i18n import counted
from explorer.serve.settings import PORT, Settings

RULES: dict[str, tuple[Rule, ...]] = {"serve": ()}
_MOST_PORT = 65_535


def define_serve(parser: Parser) -> None:
    """Define the command."""
    parser.argument("index", "INDEX", "index folders; each is an index of its own", nargs="+")
    parser.add_argument("--tokenizer", metavar="FILE", help='tokenizer.json of the indexes, or "bytes"')
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="N",
        help="name of the index in questions (default: its own); repeatable, in the order of the folders",
    )
    parser.add_argument(
        "--port", type=_port, default=PORT, metavar="P", help=f"port to listen at (default {PORT}); 0: any free port"
    )
    parser.add_argument(
        "--host",
        default="",
        metavar="H",
        help="address to listen at (default: 127.0.0.1 and ::1, for this machine only); any other needs --token-file",
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help="file with the token that each request must carry; only its owner may read it",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="further name under which the server is asked, for example through a proxy; repeatable",
    )


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > _MOST_PORT:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to {_MOST_PORT}")
    return int(text)


def run_serve(args: argparse.Namespace) -> int:
    """Answer until Ctrl-C or SIGTERM.

    Parameters
    ----------
    args
        The parsed command line.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    UsageError
        If there are more names than folders.
    CorpusError
        If an index cannot be opened, the port is taken, or the address needs a token.
    """
    if len(args.name) > len(args.index):
        raise UsageError("There are more --name than indexes.")
    _require_packages()
    # Imported now: no other command needs a server.
    from explorer.serve.indexes import served
    from explorer.serve.running import Server
    from explorer.serve.sockets import check_address
    from explorer.serve.token import read_token

    token = read_token(Path(args.token_file)) if args.token_file else ""
    settings = Settings(args.host, args.port, token, tuple(args.allow_host))
    # Before the indexes are opened, which may take a while.
    check_address(settings)
    names = [*args.name, *[""] * (len(args.index) - len(args.name))]
    indexes = served([(name, _opened(source, args)) for name, source in zip(names, args.index, strict=True)])
    server = Server(indexes, settings, lambda sentence: complain(f"corpus-explorer: {sentence}"))

    def ready() -> None:
        # Alone on standard output, for scripts.
        put(server.address)
        flush()
        remark(f"serving {', '.join(indexes)}; Ctrl-C stops")

    server.run(ready)
    return FINE


def _require_packages() -> None:
    if any(importlib.util.find_spec(name) is None for name in ("starlette", "uvicorn")):
        raise CorpusError("A server needs starlette and uvicorn, which are not installed.", reason="no-server")


def _opened(source: str, args: argparse.Namespace) -> Corpus:
    request = IndexRequest((source,), args.tokenizer, default_tokenizer=named(TOKENIZER))
    corpus = Corpus(BACKENDS.open(request))
    detail(f"opened {source}: {counted('token', corpus.token_count)}, {counted('document', corpus.document_count)}")
    return corpus
