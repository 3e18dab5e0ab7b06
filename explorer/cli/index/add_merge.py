"""add and merge: more documents for an index, and one index of several."""

from __future__ import annotations

import argparse
from pathlib import Path

from explorer.building.adding import Manifest, add_documents
from explorer.building.sources.source import made_lines, noticed_lines
from explorer.cli.options import ranges
from explorer.cli.options.common import add_on_bad_arguments, add_where_argument, index_described
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, TEXT, Answer, add_format_arguments, format_of, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put
from explorer.cli.parser import Parser
from explorer.core.files.paths import as_paths
from explorer.corpus import open_index
from explorer.corpus.merging import merge_indexes
from explorer.documents.kinds import labels
from explorer.documents.read_settings import ReadSettings
from explorer.errors import QueryError
from explorer.export.records.index import IndexRecord
from explorer.i18n import counted

METADATA_RULE = Rule("--metadata", without=("--manifest",))
RULES = {
    "add": (Rule("--skip-bad", without=("--on-bad",)), METADATA_RULE, *FORMAT_RULES),
    # Without a condition, the files are copied, and nothing is sorted.
    "merge": (Rule("--memory", needs=("--where",)), *FORMAT_RULES),
}
ADD, MERGE = Shape("add", IndexRecord), Shape("merge", IndexRecord)
SHAPES = {"add": (ADD,), "merge": (MERGE,)}


def define_add(parser: Parser) -> None:
    """Define `add`."""
    parser.argument("index", "INDEX", "index folder that the documents are added to")
    add_source_arguments(parser)
    parser.add_argument("--again", action="store_true", help="add files that are in the index already once more")
    add_memory_argument(parser)
    add_format_arguments(parser)


def add_source_arguments(parser: Parser) -> None:
    """Define SOURCE, and how sources are read; for every command that puts documents into an index."""
    parser.argument("source", "SOURCE", f'{labels()}, a folder, hf://datasets/OWNER/NAME, or "-"', nargs="*")
    parser.add_argument(
        "--manifest",
        default="",
        metavar="FILE",
        help='table (CSV, TSV, XLSX, ODS) whose column "file" names the files to read, in place of SOURCE; its other '
        "columns become metadata",
    )
    parser.add_argument(
        "--skip-duplicates", action="store_true", help="skip files whose content another file has, and count them"
    )
    parser.add_argument("--text-field", default="text", metavar="F", help="field with the text (default: text)")
    # No "keep", as of other commands: an index has no place for a bad line.
    what = "what to do with lines and files that cannot be read: stop (default) or skip them"
    add_on_bad_arguments(parser, what, ("fail", "skip"))
    parser.add_argument(
        "--metadata",
        default="",
        metavar="FILE",
        help='table (CSV, TSV, XLSX, ODS) with metadata of files of texts; its column "path" or "file" names the files',
    )
    parser.add_argument(
        "--encoding",
        default="",
        metavar="NAME",
        help="character set of all texts without a byte order mark, such as cp850; auto:koi8-r: only of texts whose "
        "character set is neither declared nor detected (default: auto)",
    )
    add_settings(parser, ReadSettings)


def sources_of(args: argparse.Namespace) -> tuple[Path, ...]:
    """The sources of a command; none if --manifest names the files.

    Raises `QueryError` if there are neither sources nor --manifest, or both.
    """
    if args.manifest and args.source:
        raise QueryError("--manifest names the files that are read: leave SOURCE out.", reason="options-exclude")
    if not args.manifest and not args.source:
        raise QueryError("SOURCE is missing: name files or folders, or give --manifest.", reason="option-missing")
    return as_paths(args.source)


def add_memory_argument(parser: Parser) -> None:
    """Define --memory."""
    parser.add_argument(
        "--memory",
        type=ranges.GIGABYTES,
        default=0,
        metavar="GB",
        help="memory limit for sorting; a lower limit creates more shards",
    )


def memory_of(args: argparse.Namespace) -> int:
    """The limit in bytes that --memory gives in gibibytes; 0 for none."""
    return int(args.memory * (1 << 30))


def define_merge(parser: Parser) -> None:
    """Define `merge`."""
    parser.argument("index", "INDEX", "index folders of one tokenizer", nargs="+")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder of the new index")
    add_where_argument(parser)
    parser.add_argument("--tokenizer", metavar="FILE", help="tokenizer.json of folders that contain none")
    add_memory_argument(parser)
    parser.add_argument("--name", default="", help="name of the new index")
    # --out is the folder of the new index.
    add_format_arguments(parser, out=False)


def run_merge(args: argparse.Namespace) -> int:
    """Merge indexes, all of their documents or those that meet --where."""
    manifest = merge_indexes(
        args.index,
        args.out,
        where=args.where or None,
        tokenizer=args.tokenizer,
        memory=memory_of(args),
        name=args.name,
        report=progress_bar(),
    )
    _show(args, MERGE, args.out, manifest)
    return FINE


def run_add(args: argparse.Namespace) -> int:
    """Add documents to an index.

    Raises `CorpusError` if the documents cannot be added; the index is then as it was.
    """
    manifest = add_documents(
        args.index,
        sources_of(args),
        text_field=args.text_field,
        memory=memory_of(args),
        skip_bad=args.on_bad == "skip",
        metadata=args.metadata,
        encoding=args.encoding,
        manifest=args.manifest,
        skip_duplicates=args.skip_duplicates,
        **question_of(args, ReadSettings).arguments(),
        again=args.again,
        report=progress_bar(),
    )
    _show(args, ADD, args.index, manifest)
    return FINE


def _show(args: argparse.Namespace, shape: Shape, folder: str, manifest: Manifest) -> None:
    """Print what the index contains now."""
    if format_of(args) != TEXT or args.fields or (args.out_suffixes and args.out):
        corpus = open_index(folder)
        put_answer(Answer(shape, [index_described(corpus)], corpus.index), args, lambda _: None)
        return
    put(
        f"{folder}: {counted('document', manifest.document_count)}, {counted('token', manifest.token_count)}, "
        f"{counted('shard', manifest.shard_count)}"
    )
    for line in (*made_lines(manifest.read, manifest.kinds), *noticed_lines(manifest.skipped, manifest.noticed)):
        put(f"  {line}")
