"""build, info and verify."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from explorer.api import Corpus
from explorer.building.estimate import BuildEstimate, estimate_requested
from explorer.building.request import BuildRequest
from explorer.building.run import REPORT_NAME, build_index
from explorer.building.source import noticed_lines
from explorer.checking.verify import verify_index
from explorer.cli import ranges
from explorer.cli.codes import FINE, FOUND
from explorer.cli.common import add_index_arguments, add_json_argument, add_on_bad_arguments, open_corpus
from explorer.cli.hints import HINTS
from explorer.cli.parser import Parser
from explorer.cli.rules import Rule
from explorer.cli.terminal import progress_bar, put, put_json, remark
from explorer.errors import QueryError
from explorer.files.paths import as_paths
from explorer.hints import with_hints
from explorer.i18n import counted

RULES = {
    "build": (
        Rule("--estimate", without=("--resume",)),
        Rule("--name", without=("--estimate",)),
        Rule("--skip-bad", without=("--on-bad",)),
    ),
}


def define_build(parser: Parser) -> None:
    """Define `build`."""
    parser.argument(
        "source", "SOURCE", 'text, Markdown, code, HTML, JSON, JSONL, CSV, Parquet, a folder, or "-"', nargs="+"
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="folder of the new index")
    parser.add_argument(
        "--tokenizer", default="train", metavar="T", help='tokenizer.json, "bytes", or "train[:N]" (default)'
    )
    parser.add_argument("--text-field", default="text", metavar="F", help="field with the text (default: text)")
    parser.add_argument("--shards", type=ranges.SHARDS, default=1, metavar="N", help="number of shards (default 1)")
    parser.add_argument(
        "--memory",
        type=ranges.GIGABYTES,
        default=0,
        metavar="GB",
        help="memory limit for sorting; a lower limit creates more shards",
    )
    add_on_bad_arguments(parser, "what to do with lines that cannot be read: stop (default) or skip them")
    parser.add_argument("--resume", action="store_true", help="continue an interrupted build")
    parser.add_argument(
        "--estimate", action="store_true", help="only estimate the size of the index and the resources for the build"
    )
    parser.add_argument("--name", default="", help="name of the index")
    parser.add_argument(
        "--metadata",
        default="",
        metavar="FILE",
        help='table (CSV, TSV) with metadata of plain text files; its column "path" names the files',
    )
    parser.add_argument(
        "--encoding",
        default="",
        metavar="NAME",
        help="encoding of texts whose encoding is not detected, such as koi8-r (default: leave them out)",
    )
    add_json_argument(parser)


def define_info(parser: Parser) -> None:
    """Define `info`."""
    add_index_arguments(parser)
    add_json_argument(parser)


def define_verify(parser: Parser) -> None:
    """Define `verify`."""
    parser.argument("index", "INDEX", "index folder")
    parser.add_argument("--tokenizer", metavar="FILE", help='tokenizer.json of the index, or "bytes"')
    parser.add_argument("--deep", action="store_true", help="check every entry and every line")
    parser.add_argument("--no-fit-check", action="store_true", help="accept a tokenizer that does not fit the index")
    add_json_argument(parser)


def run_build(args: argparse.Namespace) -> int:
    """Build an index, or report what it would need; requests that cannot be met are refused first.

    Raises
    ------
    QueryError
        If --on-bad is "keep", which a build cannot do.
    CorpusError
        If the build cannot be done.
    """
    # --on-bad has the same choices for all commands; trace keeps a bad line as a row, and a build has no place for it.
    if args.on_bad == "keep":
        raise QueryError("build accepts only --on-bad fail and --on-bad skip.", reason="options-exclude")
    # A resumed build was checked when it began; what it finished must not be estimated again.
    estimate = None if args.resume else _estimate(args)
    if estimate is not None and args.estimate:
        put_json(estimate) if args.json else put(describe_estimate(estimate), keep="\n")
        return FINE
    for warning in estimate.warnings if estimate is not None else ():
        remark(warning)
    _build(args)
    return FINE


def _estimate(args: argparse.Namespace) -> BuildEstimate:
    """What the build would need; raises CorpusError for a build that cannot be done."""
    request = BuildRequest(
        as_paths(args.source),
        Path(args.out),
        args.tokenizer,
        args.text_field,
        args.shards,
        _memory(args),
        args.on_bad == "skip",
        metadata=args.metadata,
        encoding=args.encoding,
    )
    estimate = estimate_requested(request)
    if estimate.stops_at is not None:
        # What the sample finds would stop the build, perhaps hours after its start.
        raise estimate.stops_at
    return estimate


def _build(args: argparse.Namespace) -> None:
    """Build the index and describe it."""
    manifest = build_index(
        args.source,
        args.out,
        tokenizer=args.tokenizer,
        text_field=args.text_field,
        shards=args.shards,
        memory=_memory(args),
        skip_bad=args.on_bad == "skip",
        resume=args.resume,
        name=args.name,
        metadata=args.metadata,
        encoding=args.encoding,
        report=progress_bar(),
    )
    if args.json:
        put_json(manifest)
        return
    put(
        f"{args.out}: {counted('document', manifest.document_count)}, {counted('token', manifest.token_count)}, "
        f"{counted('shard', manifest.shard_count)}, {manifest.seconds:.1f} s"
    )
    for line in noticed_lines(manifest.skipped, manifest.noticed):
        put(f"  {line}")
    if REPORT_NAME in manifest.files:
        put(f"  details: {Path(args.out) / REPORT_NAME}")


def _memory(args: argparse.Namespace) -> int:
    # Gibibytes; 0 sets no limit.
    return int(args.memory * (1 << 30))


def describe_estimate(estimate: BuildEstimate) -> str:
    """A pre-flight on a few lines."""
    # Documents are counted exactly if the sample has read every file to its end; tokens never are before a build.
    about = "" if estimate.exact else "≈ "
    lines = [
        f"{counted('file', estimate.files)}, {about}{counted('document', estimate.documents)}, "
        f"≈ {counted('token', estimate.tokens)}, ≈ {counted('shard', estimate.shards)}",
        f"≈ {estimate.disk / 1e6:,.0f} MB of disk ({estimate.free_disk / 1e6:,.0f} free), "
        f"≈ {estimate.memory / 1e6:,.0f} MB of memory ({estimate.free_memory / 1e6:,.0f} free)",
        # Never 0 s, which would be read as nothing to do.
        f"≈ {max(1.0, estimate.seconds):,.0f} s",
    ]
    lines += noticed_lines(estimate.skipped, estimate.noticed)
    return "\n".join([*lines, *estimate.warnings])


def describe(corpus: Corpus) -> dict[str, Any]:
    """The figures of an opened index."""
    index, local = corpus.index, corpus.index.local
    parts = local.parts if local else ()
    return {
        "name": index.name,
        "paths": list(index.sources),
        "token_count": corpus.token_count,
        "document_count": corpus.document_count,
        "shard_count": corpus.shard_count,
        "token_width": local.token_width if local else None,
        "pointer_widths": [part.pointer_width for part in parts],
        "reversed_text": [part.backwards for part in parts],
        "tokenizer": index.tokenizer.name if index.has_tokenizer else None,
        "tokenizer_style": index.tokenizer.style if index.has_tokenizer else None,
        "vocabulary_size": index.tokenizer.vocabulary_size if index.has_tokenizer else None,
        "metadata_fields": list(corpus.metadata_fields),
        "metadata_fields_complete": corpus.metadata_fields_complete,
        "manifest": local.manifests[0] if local else None,
    }


def run_info(args: argparse.Namespace) -> int:
    """Print what an index is."""
    facts = describe(open_corpus(args))
    if args.json:
        put_json(facts)
        return FINE
    for name, value in facts.items():
        # The manifest repeats most of the lines; JSON has the whole of it.
        if name != "manifest":
            put(f"{name.replace('_', ' '):<24} {_shown(value)}")
    return FINE


def _shown(value: Any) -> str:
    """A figure of `describe` as a person reads it."""
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    if value is None:
        return "none"
    # Before int, because True is a whole number in Python.
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def run_verify(args: argparse.Namespace) -> int:
    """Check an index; exit code 1 if damage was found."""
    # Not through `open_corpus`: a damaged index is what this command is for, and opening it would raise.
    result = verify_index(args.index, args.deep, args.tokenizer, progress_bar(), check_fit=not args.no_fit_check)
    if args.json:
        # `sound` is a property and therefore not among the fields.
        put_json({**vars(result), "sound": result.sound})
    elif result.sound:
        put(
            f"{args.index} is sound: {counted('token', result.tokens)}, {counted('document', result.documents)}, "
            f"{counted('shard', result.shards)}."
        )
    for finding in result.findings if not args.json else ():
        put(with_hints(finding.error, HINTS))
    return FINE if result.sound else FOUND
