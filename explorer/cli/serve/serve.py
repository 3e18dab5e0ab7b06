"""serve: answer the questions of other programs about indexes, until Ctrl-C."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cli.options.indexes import add_named_indexes, check_names, open_named
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.terminal import complain, flush, put, remark
from explorer.cli.parser import Parser, UsageError
from explorer.errors import CorpusError
from explorer.serve.settings import PORT, Settings
from explorer.version import install_command

RULES: dict[str, tuple[Rule, ...]] = {"serve": ()}
_MOST_PORT = 65_535

if TYPE_CHECKING:
    from explorer.serve.access import Access


def define_serve(parser: Parser) -> None:
    """Define the command."""
    add_named_indexes(parser, "in questions", nargs="*")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="scheduler of a Dask cluster, such as tcp://localhost:8786: the folders on its workers are one more index",
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
    parser.add_argument(
        "--access-log",
        metavar="FILE",
        help="append a line per request: when, from where, which path, how it ended, how long it took; never a query",
    )


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > _MOST_PORT:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to {_MOST_PORT}")
    return int(text)


def run_serve(args: argparse.Namespace) -> int:
    """Answer until Ctrl-C or SIGTERM.

    Raises `UsageError` if there is no index, or there are more names than indexes.
    Raises `CorpusError` if an index cannot be opened, the port is taken, or the address needs a token.
    """
    if args.cluster is not None:
        args.index = [*args.index, args.cluster]
    if not args.index:
        raise UsageError("Give an INDEX, or --cluster.")
    check_names(args)
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
    with _access_log(args.access_log) as tell:
        indexes = served(open_named(args))
        server = Server(indexes, settings, _complain, tell)

        def ready() -> None:
            # Alone on standard output, for scripts.
            put(server.address)
            flush()
            remark(f"serving {', '.join(indexes)}; Ctrl-C stops")

        server.run(ready)
    return FINE


def _complain(sentence: str) -> None:
    complain(f"corpus-explorer: {sentence}")


def _access_log(file: str | None) -> AbstractContextManager[Callable[[Access], None] | None]:
    from explorer.serve.access import log_to

    return nullcontext() if file is None else log_to(Path(file), _complain)


def _require_packages() -> None:
    if any(importlib.util.find_spec(name) is None for name in ("starlette", "uvicorn")):
        raise CorpusError(
            "A server needs starlette and uvicorn, which are not installed.",
            reason="needs-serve-packages",
            command=install_command("serve"),
        )
