"""build, info and verify."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from explorer.backends.registry import BACKENDS
from explorer.building.estimate.estimate import BuildEstimate, estimate_requested
from explorer.building.known import fates_of
from explorer.building.moment import REPORT_NAME
from explorer.building.request import FM, SUFFIX_ARRAY, BuildRequest
from explorer.building.run import build_index
from explorer.building.sources.source import KindCount, found_lines, kinds_line, made_lines, noticed_lines
from explorer.building.verify.verify import VerifyReport, verify_index
from explorer.cli.hints import HINTS
from explorer.cli.index.add_merge import METADATA_RULE, add_memory_argument, add_source_arguments, memory_of, sources_of
from explorer.cli.options import ranges
from explorer.cli.options.common import (
    add_index_argument,
    add_index_arguments,
    add_insecure,
    index_described,
    open_corpus,
    request_of,
)
from explorer.cli.options.question_options import question_of
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE, FOUND
from explorer.cli.output.envelope import FORMAT_RULES, JSON, TEXT, Answer, add_format_arguments, format_of, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import detail, progress_bar, put, remark
from explorer.cli.parser import Parser
from explorer.core.files.json_text import write_json
from explorer.core.files.sizes import size_text
from explorer.core.hints import with_hints
from explorer.corpus import open_index
from explorer.corpus.corpus import Corpus
from explorer.documents.read_settings import ReadSettings
from explorer.errors import QueryError
from explorer.export.records.index import (
    BuildRecord,
    EstimateRecord,
    FindingRecord,
    IndexRecord,
    SourceFacts,
    SourceRecord,
    VerifyFacts,
    estimate_record,
    finding_records,
    source_records,
    verify_facts,
)
from explorer.i18n import counted
from explorer.text.special_tokens import AS_TEXT, TREATMENTS

RULES = {
    "build": (
        Rule("--estimate", without=("--resume",)),
        Rule("--preview", without=("--resume", "--estimate")),
        Rule("--name", without=("--estimate", "--preview")),
        *(Rule(option, needs=("--cluster",)) for option in ("--allow-remote", "--insecure")),
        Rule("--skip-bad", without=("--on-bad",)),
        METADATA_RULE,
        *FORMAT_RULES,
    ),
    "info": (
        *(Rule(option, without=("--files",)) for option in ("--index", "--minus", "--where")),
        *FORMAT_RULES,
    ),
    "verify": FORMAT_RULES,
}
BUILD, ESTIMATE = Shape("build", IndexRecord), Shape("build-estimate", EstimateRecord)
FILES = Shape("info-files", SourceRecord, SourceFacts)
INFO, VERIFY = Shape("info", IndexRecord), Shape("verify", FindingRecord, VerifyFacts)
SHAPES = {"build": (BUILD, ESTIMATE), "info": (INFO, FILES), "verify": (VERIFY,)}


def define_build(parser: Parser) -> None:
    """Define `build`."""
    add_source_arguments(parser)
    parser.add_argument("--out", required=True, metavar="DIR", help="folder of the new index")
    parser.add_argument(
        "--tokenizer", default="train", metavar="T", help='tokenizer.json, "bytes", or "train[:N]" (default)'
    )
    parser.add_argument("--shards", type=ranges.SHARDS, default=1, metavar="N", help="number of shards (default 1)")
    parser.add_argument(
        "--special-tokens",
        default=AS_TEXT,
        choices=tuple(TREATMENTS),
        help="how special tokens in texts, such as <|endoftext|>, are encoded: as any other text (text, the default), "
        "or as special tokens (tokens)",
    )
    add_memory_argument(parser)
    parser.add_argument("--resume", action="store_true", help="continue an interrupted build")
    parser.add_argument(
        "--estimate", action="store_true", help="only estimate the size of the index and the resources for the build"
    )
    parser.add_argument(
        "--preview",
        type=ranges.PREVIEWED,
        metavar="N",
        help="only show what would be read: files by kind, the first N documents, and what would be skipped and why",
    )
    parser.add_argument("--name", default="", help="name of the index")
    parser.add_argument("--keep-text", action="store_true", help="with --format fm: store the text, for faster lines")
    parser.add_argument(
        "--cluster",
        default="",
        metavar="ADDRESS",
        help='scheduler whose workers build it, such as tls://node1:8786; or "local:N" for N processes',
    )
    parser.add_argument(
        "--allow-remote",
        action="store_true",
        help="let workers on other machines read the sources and write the index",
    )
    add_insecure(parser)
    # --out is the folder of the index.
    add_format_arguments(parser, out=False, index=FM)
    parser.beside_settings("estimate", "preview", "resume")


def define_info(parser: Parser) -> None:
    """Define `info`."""
    add_index_arguments(parser)
    parser.add_argument(
        "--files",
        action="store_true",
        help="list what became of each file of the sources: its kind and documents, or why it was skipped",
    )
    add_format_arguments(parser)


def define_verify(parser: Parser) -> None:
    """Define `verify`."""
    add_index_argument(parser)
    parser.add_argument("--tokenizer", metavar="FILE", help='tokenizer.json of the index, or "bytes"')
    parser.add_argument("--deep", action="store_true", help="check every entry and every line")
    parser.add_argument("--no-fit-check", action="store_true", help="accept a tokenizer that does not fit the index")
    add_format_arguments(parser)


def run_build(args: argparse.Namespace) -> int:
    """Build an index, or report what it would need; requests that cannot be met are refused first."""
    args.index_format = SUFFIX_ARRAY
    if args.format == FM:
        # The index has this format, and what is printed the usual one.
        args.index_format, args.format = FM, TEXT
        if "--tokenizer" in args.given and args.tokenizer.startswith("train"):
            raise QueryError(
                "--tokenizer {tokenizer} needs an index of tokens, and --format fm makes one of bytes.",
                reason="option-missing",
                tokenizer=args.tokenizer,
            )
    # A resumed build was checked when it began; what it finished must not be estimated again.
    estimate = None if args.resume else _estimate(args)
    if estimate is not None and (args.estimate or args.preview is not None):
        describe = describe_estimate if args.estimate else describe_preview
        answer = Answer(ESTIMATE, [estimate_record(estimate)])
        put_answer(answer, args, lambda _: put(describe(estimate), keep="\n"))
        return FINE
    for warning in estimate.warnings if estimate is not None else ():
        remark(warning)
    _build(args)
    return FINE


def _estimate(args: argparse.Namespace) -> BuildEstimate:
    """What the build would need; raises CorpusError for a build that cannot be done."""
    request = BuildRequest(
        sources_of(args),
        Path(args.out),
        args.tokenizer,
        args.text_field,
        args.shards,
        memory_of(args),
        args.on_bad == "skip",
        metadata=args.metadata,
        encoding=args.encoding,
        reading=question_of(args, ReadSettings),
        special_tokens=args.special_tokens,
        format=args.index_format,
        keep_text=args.keep_text,
        manifest=args.manifest,
        skip_duplicates=args.skip_duplicates,
    )
    estimate = estimate_requested(request, **({} if args.preview is None else {"documents": args.preview}))
    # A preview shows the error beside what was found.
    if estimate.stops_at is not None and args.preview is None:
        # What the sample finds would stop the build, perhaps hours after its start.
        raise estimate.stops_at
    return estimate


def _build(args: argparse.Namespace) -> None:
    """Build the index and describe it."""
    manifest = build_index(
        sources_of(args),
        args.out,
        tokenizer=args.tokenizer,
        text_field=args.text_field,
        shards=args.shards,
        memory=memory_of(args),
        skip_bad=args.on_bad == "skip",
        resume=args.resume,
        name=args.name,
        metadata=args.metadata,
        encoding=args.encoding,
        **question_of(args, ReadSettings).arguments(),
        special_tokens=args.special_tokens,
        format=args.index_format,
        keep_text=args.keep_text,
        manifest=args.manifest,
        skip_duplicates=args.skip_duplicates,
        cluster=args.cluster,
        allow_remote=args.allow_remote,
        insecure=args.insecure,
        report=progress_bar(),
    )
    if format_of(args) != TEXT or args.fields:
        # Opened once more, so that a build and `info` describe an index in the same words.
        corpus = open_index(args.out)
        put_answer(Answer(BUILD, [index_described(corpus)], corpus.index), args, lambda _: None)
        return
    put(
        f"{args.out}: {counted('document', manifest.document_count)}, {counted('token', manifest.token_count)}, "
        f"{counted('shard', manifest.shard_count)}, {manifest.seconds or 0:.1f} s"
    )
    if manifest.repetition is not None:
        put(_compressed(sum(manifest.files.values()), manifest.token_count, manifest.runs))
    for line in (*made_lines(manifest.read, manifest.kinds), *noticed_lines(manifest.skipped, manifest.noticed)):
        put(f"  {line}")
    if manifest.skipped:
        put(f"  details: {Path(args.out) / REPORT_NAME}")


def _compressed(disk: int, size: int, runs: int) -> str:
    """How small a compressed index is, and how far its text repeats itself."""
    detail(f"n/r = {size / runs:.1f}: {counted('byte', size)} in {counted('run', runs)} of equal bytes, once sorted")
    times = disk / size
    return (
        f"  {size_text(disk)}, {times:,.0f} times the text"
        if times >= 10
        else f"  {size_text(disk)}, {times:.0%} of the text"
    )


def describe_preview(estimate: BuildEstimate) -> str:
    """What would be read, some documents of it, and what would be skipped."""
    lines = [f"{each.label}: {counted('file', each.files)}, {size_text(each.bytes)}" for each in estimate.kinds]
    if estimate.files_found is not None:
        lines += found_lines(
            {"files_found": estimate.files_found, "files_skipped": estimate.files_found - estimate.files}
        )
    lines += noticed_lines(estimate.skipped, estimate.noticed)
    if estimate.changed:
        lines += ["In the files that were looked at:"]
        lines += [f"  {line}" for line in noticed_lines(estimate.changed, estimate.changed_files)]
    for sample in estimate.samples:
        lines += ["", f"{sample.path}:{sample.place + 1}"]
        lines += [f"  {name}: {write_json(value)}" for name, value in sample.metadata.items()]
        lines += [f"  {sample.excerpt}"]
    if estimate.stops_at is not None:
        lines += ["", f"The build would stop: {with_hints(estimate.stops_at, HINTS)}"]
    return "\n".join([*lines, *estimate.warnings])


def describe_estimate(estimate: BuildEstimate) -> str:
    """A pre-flight on a few lines."""
    # Documents are counted exactly if the sample has read every file to its end; tokens never are before a build.
    about = "" if estimate.exact else "≈ "
    lines = [
        f"{counted('file', estimate.files)}, {about}{counted('document', estimate.documents)}, "
        f"≈ {counted('token', estimate.tokens)}, ≈ {counted('shard', estimate.shards)}",
        f"≈ {size_text(estimate.disk)} of disk ({size_text(estimate.free_disk)} free), "
        f"≈ {size_text(estimate.memory)} of memory ({size_text(estimate.free_memory)} free)",
        # Never 0 s, which would be read as nothing to do.
        f"≈ {max(1.0, estimate.seconds):,.0f} s",
    ]
    if estimate.files_found is not None:
        lines += found_lines(
            {"files_found": estimate.files_found, "files_skipped": estimate.files_found - estimate.files}
        )
    lines += filter(None, [kinds_line({each.kind: each.files for each in estimate.kinds})])
    lines += noticed_lines(estimate.skipped, estimate.noticed)
    return "\n".join([*lines, *estimate.warnings])


def run_info(args: argparse.Namespace) -> int:
    """Print what an index is."""
    corpus = open_corpus(args)
    if args.files:
        _put_files(corpus, args)
        return FINE
    put_answer(Answer(INFO, [index_described(corpus)], corpus.index), args, _print_index)
    return FINE


def _put_files(corpus: Corpus, args: argparse.Namespace) -> None:
    """List the files that an index was made of."""
    (record,) = [index_described(corpus)]
    if record.build is None:
        raise QueryError(
            "{path} does not record its files: an index does that was built by Corpus Explorer on this machine.",
            reason="files-not-recorded",
            path=record.path,
        )
    build = record.build
    found = source_records(fates_of(Path(record.path)))
    facts = SourceFacts(build.files_found, build.files_read, build.files_skipped, len(found))
    put_answer(Answer(FILES, found, corpus.index, facts), args, lambda records: _print_files(records, build, facts))


def _print_files(records: Iterable[SourceRecord], build: BuildRecord, facts: SourceFacts) -> None:
    counts = {"files_found": facts.files_found, "files_skipped": facts.files_skipped}
    for line in made_lines(counts, {each.kind: each.file_count for each in build.kinds}):
        put(line)
    for each in records:
        put(f"{each.path}: {_fate(each)}")
    if facts.files_found is not None and facts.files_found > facts.files_listed:
        put(f"not listed: {counted('file', facts.files_found - facts.files_listed)}")


def _fate(record: SourceRecord) -> str:
    if record.skipped is not None:
        return f"skipped, {record.skipped}" + (f" ({record.reason})" if record.reason != record.skipped else "")
    documents = "read" if record.document_count is None else counted("document", record.document_count)
    return f"{KindCount(record.kind, 0, 0).label}, {documents}" if record.kind else documents


def _print_index(records: Iterable[IndexRecord]) -> None:
    for record in records:
        for name, value in vars(record).items():
            # The fields are listed by their names, and the first path is one of the paths; JSON has the rest.
            if name not in ("path", "fields", "build"):
                put(f"{name.replace('_', ' '):<24} {_shown(value)}")


def _shown(value: Any) -> str:
    """A figure of an index as a person reads it."""
    if isinstance(value, tuple):
        return ", ".join(map(_shown, value)) or "none"
    if value is None:
        return "none"
    # Before int, because True is a whole number in Python.
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def run_verify(args: argparse.Namespace) -> int:
    """Check an index; exit code 1 if damage was found."""
    request = request_of(args)
    (folder,) = request.sources
    # Not through `open_corpus`: a damaged index is what this command is for, and opening it would raise.
    result = verify_index(
        folder,
        args.deep,
        request.tokenizer,
        progress_bar(),
        check_fit=request.check_fit,
        default_tokenizer=request.default_tokenizer,
    )
    index = BACKENDS.open(request) if result.sound and format_of(args) == JSON else None
    answer = Answer(VERIFY, finding_records(result), index, verify_facts(result))
    put_answer(answer, args, lambda _: _print_verified(folder, result))
    return FINE if result.sound else FOUND


def _print_verified(path: str, result: VerifyReport) -> None:
    if result.sound:
        put(
            f"{path} is sound: {counted('token', result.tokens)}, {counted('document', result.documents)}, "
            f"{counted('shard', result.shards)}."
        )
    for finding in result.findings:
        put(with_hints(finding.error, HINTS))
