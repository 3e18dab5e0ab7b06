"""push: publish an index on the Hugging Face hub."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

from explorer.backends.hub.publishing import Publication, publication_of
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.terminal import put, shows_progress
from explorer.cli.parser import Parser
from explorer.core.files.sizes import size_text
from explorer.errors import QueryError
from explorer.http.hub import hub_address
from explorer.i18n import counted

RULES: dict[str, tuple[Rule, ...]] = {"push": (Rule("--yes", without=("--dry-run",)),)}


def define_push(parser: Parser) -> None:
    """Define the command."""
    # INDEX cannot be left out: what a variable names today should not decide what is published.
    parser.argument("index", "INDEX", "index folder; its files are not changed")
    parser.argument("target", "ADDRESS", "hf://OWNER/NAME, or hf://datasets/OWNER/NAME; made if there is none")
    parser.add_argument(
        "--license", default="", metavar="ID", help="license of the texts for the card, as the hub names it: cc-by-4.0"
    )
    parser.add_argument("--public", action="store_true", help="let everybody see a new repository (default: only you)")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be published; nothing is sent")
    parser.add_argument("--yes", action="store_true", help="publish without a question")


def run_push(args: argparse.Namespace) -> int:
    """Publish an index, after a question."""
    found = publication_of(Path(args.index), hub_address(args.target), args.license, not args.public)
    _show(found)
    if args.dry_run:
        put("", keep="\n")
        put(found.card, keep="\n", end="")
        return FINE
    if not args.yes and not _agrees(found):
        put("Nothing was sent.")
        return FINE
    _show_bars()
    put(f"{found.address}: {found.run()}")
    return FINE


def _show_bars() -> None:
    """Let the package huggingface_hub show its bars only where a person sees them."""
    # Imported here: the parser of this command does not wait for it.
    utils: Any = importlib.import_module("huggingface_hub.utils")
    if not shows_progress():
        utils.disable_progress_bars()


def _show(found: Publication) -> None:
    for name, size in found.files:
        put(f"{name}: {size:,} bytes")
    manifest = found.manifest
    put(
        f"{counted('file', len(found.files))}, {size_text(found.size)}: all texts and metadata of "
        f"{counted('document', manifest.document_count)}, and the names of the sources: {', '.join(manifest.sources)}"
    )


def _agrees(found: Publication) -> bool:
    """Whether the user at the terminal agrees; raises QueryError if there is nobody."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise QueryError("push asks before it sends anything, and there is no terminal: add --yes.", reason="needs-yes")
    seen = "visible to you only, if it is new" if found.private else "visible to everybody, if it is new"
    return input(f"Publish this at {found.address}, {seen}? [y/N] ").strip().lower() in ("y", "yes")
