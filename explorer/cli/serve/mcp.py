"""mcp: answer an assistant's questions about indexes over standard input and output."""

from __future__ import annotations

import argparse
import importlib.util
import sys

from explorer.cli.options.indexes import add_named_indexes, check_names, open_named
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.terminal import complain, remark
from explorer.cli.parser import Parser
from explorer.corpus import Corpus
from explorer.errors import CorpusError, QueryError
from explorer.version import install_command

RULES: dict[str, tuple[Rule, ...]] = {"mcp": ()}


def define_mcp(parser: Parser) -> None:
    """Define the command."""
    add_named_indexes(parser, "for the assistant")


def run_mcp(args: argparse.Namespace) -> int:
    """Answer until the assistant closes standard input.

    Raises `UsageError` if there are more names than folders.
    Raises `CorpusError` if an index cannot be opened, two have one name, or the extra is not installed.
    """
    check_names(args)
    if importlib.util.find_spec("mcp") is None:
        raise CorpusError(
            "The tools of assistants need the package mcp, which is not installed.",
            reason="no-mcp",
            command=install_command("mcp"),
        )
    # Imported now: no other command needs it.
    from explorer.serve.tools.assistants import make_server
    from explorer.serve.tools.corpus_tools import CorpusTools

    corpora: dict[str, Corpus] = {}
    for chosen, corpus in open_named(args):
        name = chosen or corpus.index.name
        if name in corpora:
            raise QueryError('Two indexes have the name "{name}".', reason="same-name", name=name)
        corpora[name] = corpus
    if sys.stdin is not None and sys.stdin.isatty():
        remark("an assistant starts this command and writes to its standard input; Ctrl-D ends it")
    server = make_server(
        CorpusTools(corpora), lambda sentence: complain(f"corpus-explorer: {sentence}"), keep_stdout=True
    )
    server.run("stdio")
    return FINE
