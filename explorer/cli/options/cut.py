"""What commands that end in cuts share: the options of the export, and writing it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.backends.places import Places
from explorer.backends.ranges import Ranges
from explorer.cli.options import ranges
from explorer.cli.options.rules import Rule
from explorer.cli.output.envelope import TEXT, add_format_arguments
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.corpus.corpus import Corpus
from explorer.errors import QueryError
from explorer.export.cuts.cuts import CUT_FORMATS, CutExport, CutFormat, check_place
from explorer.i18n import mark

_OF_EXPORT = ("--parquet", "--zst", "--characters", "--min-words", "--sources-only")
_OF_NUMBERS = ("--format byterange", "--format ranges")
CUT_RULES = (
    *(Rule(option, needs=("--out",)) for option in _OF_EXPORT),
    Rule("--characters", needs=("--format annotated",)),
    # Options of rows of texts, or of cleaned ones only.
    Rule("--zst", without=("--parquet", *_OF_NUMBERS)),
    *(Rule(option, without=(*_OF_NUMBERS, "--format annotated")) for option in ("--parquet", "--min-words")),
    Rule("--preview", without=("--json", "--format")),
)
"""Rules of every command with these options."""


def add_cut_arguments(parser: Parser) -> None:
    """Define --out for the folder of cut texts, what belongs to it, and --format, --json and --fields."""
    group = parser.add_argument_group("export")
    group.add_argument("--out", metavar="DIR", help="write the texts without what is cut to this new folder")
    group.add_argument(
        "--removal-index",
        metavar="DIR",
        help="write the documents that are cut as an index, which --minus then leaves out",
    )
    group.add_argument(
        "--preview",
        type=ranges.whole(0, ranges.MOST),
        metavar="DOCUMENT",
        help="print a document with what is cut: [-so-]",
    )
    group.add_argument("--parquet", action="store_true", help="write cleaned rows as Parquet")
    group.add_argument("--zst", action="store_true", help="compress files of JSON Lines by Zstandard")
    group.add_argument(
        "--characters", action="store_true", help="in annotated rows, offsets of characters beside those of bytes"
    )
    group.add_argument(
        "--min-words",
        type=ranges.whole(0, ranges.MOST),
        default=1,
        metavar="N",
        help="in cleaned rows, drop a text that is cut if fewer words are left (default 1)",
    )
    group.add_argument(
        "--sources-only", action="store_true", help="refuse if a source is gone or has changed, and do not cut tokens"
    )
    parser.beside_settings(
        "out", "removal_index", "preview", "parquet", "zst", "characters", "min_words", "sources_only"
    )
    add_format_arguments(parser, out=False, files=CUT_FORMATS)


def cut_format(args: argparse.Namespace) -> CutFormat | None:
    """Take the format of the export from --format, which also names the formats of what is printed.

    args: The parsed command line; its format is then that of what is printed.
    Returns: The format; None without --out.
    Raises `QueryError` if a format of files is asked for without --out, or two formats of what is printed.
    """
    found = next((each for each in CUT_FORMATS if each == args.format), None)
    if found is None:
        if args.json and "--format" in args.given:
            raise QueryError(mark("--format cannot be used with --json."), reason="options-exclude")
        return "cleaned" if args.out is not None else None
    if args.out is None:
        raise QueryError("--format {format} needs --out.", reason="option-missing", format=found)
    args.format = TEXT
    return found


def check_cut_out(corpus: Corpus, args: argparse.Namespace) -> None:
    """Refuse folders before the work, which may take minutes."""
    for place in filter(None, (args.out, args.removal_index)):
        check_place(corpus.index, Path(place))


def write_cuts(
    corpus: Corpus,
    cuts: Ranges,
    args: argparse.Namespace,
    form: CutFormat | None,
    about: Mapping[str, Any],
    first: Places | None = None,
) -> CutExport | None:
    """Write what --out and --removal-index ask for.

    first: Where each range occurs first, for annotated rows; None if they are not copies.
    Returns: What was written; None without --out.
    """
    if args.removal_index is not None:
        corpus.removal_index(cuts, args.removal_index, report=progress_bar())
    if form is None:
        return None
    return corpus.export_cuts(
        cuts,
        args.out,
        format=form,
        packed=args.zst,
        parquet=args.parquet,
        characters=args.characters,
        min_words=args.min_words,
        sources_only=args.sources_only,
        about=about,
        first=first,
        report=progress_bar(),
    )


def print_cuts(
    corpus: Corpus, cuts: Ranges, args: argparse.Namespace, made: CutExport | None, first: Places | None = None
) -> None:
    """Tell people what was written, after what is to be cut of the document that --preview asks for."""
    if args.format == TEXT and not args.json:
        if args.preview is not None:
            _print_preview(corpus, cuts, args, first)
        if made is not None:
            _print_export(made)


def _print_preview(corpus: Corpus, cuts: Ranges, args: argparse.Namespace, first: Places | None) -> None:
    """The document, with what is cut between [- and -], and of copies where each occurs first."""
    seen = corpus.preview_cuts(cuts, args.preview, first=first)
    put("")
    put(f"document {seen.number}: {seen.tokens_cut:,} of {seen.tokens:,} tokens are cut")
    at, marked = 0, ""
    for start, end in seen.spans:
        marked += f"{seen.text[at:start]}[-{seen.text[start:end]}-]"
        at = end
    # Line by line: what is printed at once has no line feeds.
    for line in (marked + seen.text[at:]).split("\n"):
        put(line)
    for number, place in enumerate(seen.copies, 1):
        where = "not known" if place is None else f"document {place[0]:,}, token {place[1]:,}"
        put(f"first copy of cut {number:,}: {where}")


def _print_export(made: CutExport) -> None:
    """What was written, and where texts are not the originals."""
    put(f"{made.folder}: {', '.join(made.files)}")
    if made.counts.from_tokens:
        whose = "1 document has" if made.counts.from_tokens == 1 else f"{made.counts.from_tokens:,} documents have"
        put(f"{whose} no source as it was: the text is what the tokens spell")
    if made.format == "cleaned" and made.counts.documents_dropped:
        dropped = "1 text is" if made.counts.documents_dropped == 1 else f"{made.counts.documents_dropped:,} texts are"
        put(f"{dropped} left out: see dropped.jsonl")
