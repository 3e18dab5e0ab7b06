"""What the commands share: the index arguments, opening, and texts in arguments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.cli.options.environment import INDEX, TOKENIZER, named
from explorer.cli.options.rules import Rule
from explorer.cli.output.terminal import detail, progress_bar, remark
from explorer.cli.parser import Parser
from explorer.corpus import Corpus
from explorer.documents.inputs.on_bad import POLICIES, BadText, described
from explorer.documents.inputs.text_input import FORMATS, TextInput, open_input
from explorer.errors import CorpusError, QueryError, TokenizerError
from explorer.export.records.index import IndexRecord, index_record
from explorer.export.records.problem import ProblemRecord
from explorer.http.wire.hub import is_hub
from explorer.i18n import counted
from explorer.serve.token import read_token

MOST_PROBLEMS = 1_000
"""Problems that JSON lists. A file of the wrong kind can have a million."""
# The same sign for both directions; two names show which one is meant.
STDIN = "-"
STDOUT = "-"
WHOLE_RULES = (
    Rule("--minus", needs=("an index without these documents, which merge --where makes",)),
    Rule("--where", needs=("an index of these documents only, which merge --where makes",)),
)
"""Rules of commands that compare neighbors in a suffix array: a part of an index has others."""


def add_index_arguments(parser: Parser, parts: bool = True) -> None:
    """INDEX, --index, --minus, --where, --allow-same, --tokenizer, --no-fit-check; `parts`: --where is in the help."""
    # One positional folder, because queries follow it: a second one would be taken for a query.
    add_index_argument(parser)
    parser.add_argument("--index", dest="more", metavar="INDEX", action="append", default=[], help="add another index")
    parser.add_argument(
        "--minus",
        metavar="INDEX",
        action="append",
        default=[],
        help="subtract the documents of an index" if parts else argparse.SUPPRESS,
    )
    add_where_argument(parser, listed=parts)
    parser.add_argument(
        "--allow-same", action="store_true", help="allow an index to be named, and counted, more than once"
    )
    parser.add_argument("--tokenizer", metavar="FILE", help='tokenizer.json of the index, or "bytes"')
    parser.add_argument(
        "--no-fit-check", action="store_true", help="use the tokenizer even if it does not fit the index"
    )


def add_allow_remote(parser: Parser) -> None:
    """Define --allow-remote."""
    parser.add_argument(
        "--allow-remote",
        action="store_true",
        help="send queries to an index on another machine, which may keep them, or read an index folder there",
    )
    add_insecure(parser)


def add_insecure(parser: Parser) -> None:
    """Define --insecure."""
    parser.add_argument(
        "--insecure",
        action="store_true",
        help="connect to a cluster on another machine without encryption (tcp://): anybody who reaches it can run "
        "programs there",
    )


def add_partial(parser: Parser) -> None:
    """Define --partial."""
    parser.add_argument(
        "--partial",
        action="store_true",
        help="if no worker of a cluster has a part of the index, leave it out: counts are lower bounds then (≥)",
    )


def add_remote_argument(parser: Parser) -> None:
    """Define --allow-remote and --token-file."""
    add_allow_remote(parser)
    # By a name of its own: `serve` has an option of the same name, for the token that others must send.
    parser.add_argument(
        "--token-file",
        dest="own_token",
        metavar="FILE",
        help="file with the token that the server of the index asks for",
    )


def add_index_argument(parser: Parser) -> None:
    """Define INDEX, which can be left out where the environment names an index."""
    parser.argument(
        "index",
        "INDEX",
        "index folder, address#NAME, address of a folder, or hf://OWNER/NAME, which is downloaded; may be left out if "
        f"{INDEX} names one",
    )
    parser.index_from_environment = True


def add_where_argument(parser: Parser, listed: bool = True) -> None:
    """Define --where, in the help or not."""
    parser.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="only documents that meet this condition; repeatable; operators: = != == ~ !~ ^= >= <= > <"
        if listed
        else argparse.SUPPRESS,
    )


def add_input_arguments(parser: Parser, what: str, text_field: str = "") -> None:
    """Define --input, --text-field, --on-bad and --skip-bad.

    text_field: The field of the text where none is named; "" for a known name.
    """
    parser.add_argument(
        "--input",
        choices=FORMATS,
        default="auto",
        # All of the names in braces would be longer than a line of a manual page.
        metavar="KIND",
        help=f"kind of the input: {', '.join(FORMATS)} (default auto: detected from its content)",
    )
    parser.add_argument(
        "--text-field",
        default=text_field,
        metavar="F",
        help="field that contains the text: a name, or a path such as a.b[0][0]"
        + (f" (default: {text_field})" if text_field else ""),
    )
    add_on_bad_arguments(parser, what)


def add_on_bad_arguments(parser: Parser, what: str, policies: Sequence[str] = POLICIES) -> None:
    """Define --on-bad and --skip-bad, its short form.

    policies: Its choices; "fail" is the default.
    """
    parser.add_argument("--on-bad", choices=policies, default="fail", help=what)
    # Both options write to one attribute. Which of them was typed is in `given`, where the rules exclude both together.
    parser.add_argument("--skip-bad", dest="on_bad", action="store_const", const="skip", help="same as --on-bad skip")


def show_reading(opened: TextInput) -> None:
    """Report on standard error how an input is read."""
    if text := described(opened):
        remark(text)


def show_problems(problems: Sequence[BadText], on_bad: str, count: int = 0) -> None:
    """Report on standard error what was left out.

    problems: The texts that could not be read.
    on_bad: With "keep" every message is printed, otherwise their number and the first.
    count: Their number, if not all of them were kept.
    """
    if on_bad == "keep":
        for problem in problems:
            remark(str(problem))
        if count > len(problems):
            remark(f"{count - len(problems):,} further problems are not listed")
    elif problems:
        number = max(count, len(problems))
        remark(f"left out because unreadable: {counted('text', number)}; the first: {problems[0]}")


def bad_records(problems: Sequence[BadText]) -> tuple[ProblemRecord, ...]:
    """The first texts that could not be read, as records; line 0 is the whole input."""
    first = problems[:MOST_PROBLEMS]
    return tuple(ProblemRecord(problem.source, problem.line or None, problem.reason) for problem in first)


def with_rest(records: Sequence[ProblemRecord], count: int, source: str) -> tuple[ProblemRecord, ...]:
    """At most 1,000 problems, and how many further ones there are.

    Returns: The records; the last one has the number of those that are not listed.
    """
    listed = tuple(records[:MOST_PROBLEMS])
    rest = count - len(listed)
    return (*listed, ProblemRecord(source, None, f"{rest:,} further problems are not listed")) if rest > 0 else listed


def open_corpus(args: argparse.Namespace, subset: bool = True) -> Corpus:
    """Open what the index arguments name.

    args: The parsed command line, with the options of `add_index_arguments`.
    subset: Whether to choose the documents that meet --where; otherwise the command filters what it finds.
    Raises `CorpusError` if it cannot be opened, or no document meets the conditions.
    """
    request = request_of(args)
    kinds = map(BACKENDS.claiming, request.sources)
    if request.partial and not any(kind is not None and "partial" in kind.takes for kind in kinds):
        raise QueryError("--partial needs an index on a cluster.", reason="option-missing")
    try:
        corpus = Corpus(BACKENDS.open(request))
    except TokenizerError as error:
        if request.tokenizer is None and request.default_tokenizer is not None:
            raise error.followed_by("It comes from {variable}.", "from-variable", variable=TOKENIZER) from error
        raise
    # For example, documents to subtract that are not in the index. The answer is right, but maybe to another question
    # than was meant.
    if corpus.index.remark:
        remark(corpus.index.remark)
    detail(
        f"opened {', '.join(map(str, corpus.index.sources))}: {counted('token', corpus.token_count)}, "
        f"{counted('document', corpus.document_count)}, {counted('shard', corpus.shard_count)}"
    )
    if subset and args.where:
        corpus = corpus.subset(args.where, report=progress_bar())
        detail(f"chose {counted('document', corpus.document_count)}, {counted('token', corpus.token_count)}")
    return corpus


def request_of(args: argparse.Namespace) -> IndexRequest:
    """What the index arguments name; an option that the command does not have is as if it were not given.

    Returns: What to open. The index is INDEX, or else what --index names, or else the environment.
    """
    more = tuple(getattr(args, "more", ()))
    sources = more if args.index is None else (args.index, *more)
    if not sources:
        # The parser requires INDEX unless the variable is set.
        sources = (named(INDEX) or "",)
        remark(f"index {sources[0]}, from {INDEX}")
    return IndexRequest(
        tuple(map(local_source, sources)),
        args.tokenizer,
        tuple(map(local_source, getattr(args, "minus", ()))),
        check_fit=not args.no_fit_check,
        allow_same=getattr(args, "allow_same", False),
        default_tokenizer=named(TOKENIZER),
        allow_remote=getattr(args, "allow_remote", False),
        token=own_token(args),
        insecure=getattr(args, "insecure", False),
        partial=getattr(args, "partial", False),
    )


def local_source(source: str) -> str:
    """An index of the hub as the folder into which it is downloaded; any other as it is."""
    if not is_hub(source):
        return source
    # Imported here: few commands need the hub.
    from explorer.backends.hub.opening import fetched

    return fetched(source, remark, progress_bar())


def own_token(args: argparse.Namespace) -> str | None:
    """What the server of an index asks for; None if no file was named."""
    file = getattr(args, "own_token", None)
    return None if file is None else read_token(Path(file))


def index_described(corpus: Corpus) -> IndexRecord:
    """Give an opened index as a record, the same for build, add and info."""
    return index_record(corpus.index, corpus.shard_count, corpus.metadata_fields, corpus.metadata_fields_complete)


def read_argument(text: str) -> str:
    """A text given as an argument; "-" is standard input, without the line feed at its end."""
    if text != STDIN:
        return text
    data = stdin_bytes()
    # One line feed, as `echo` adds it: more of them, and spaces, may be meant.
    return decode(data, "standard input").removesuffix("\n").removesuffix("\r")


def why_no_hits(node_count: int, counted: int, unit: str) -> str:
    """Why a query has no hits.

    node_count: How often it occurs.
    counted: The words or tokens that were looked at.
    unit: What they are: words or tokens.
    Returns: A sentence; "" if it has hits.
    """
    if not counted:
        return f"The index has no {unit} to count."
    if node_count:
        return ""
    # A text search would also find parts of words, so the message tells what was looked for.
    return "The query does not occur" + (" as whole words, in any case." if unit == "words" else ".")


def read_query(text: str) -> str:
    """As `read_argument`, for a query; raises QueryError as `require_utf8` does."""
    return require_utf8(read_argument(text))


def query_argument(args: argparse.Namespace) -> str:
    """As `read_text_argument`, for a query; raises QueryError as `require_utf8` does."""
    return require_utf8(read_text_argument(args, "query"))


def read_text_argument(args: argparse.Namespace, name: str) -> str:
    """As `read_argument`, of the argument of this name; what was read is a setting of the answer."""
    text = args.settings[name] = read_argument(getattr(args, name))
    return text


def add_stop_list(group: argparse._ArgumentGroup, what: str) -> None:
    """Define the option that names words without a row."""
    group.add_argument(
        "--stop",
        action="append",
        default=[],
        metavar="WORDS",
        help=f"{what}, separated by commas, or @FILE with one per line; repeatable",
    )


def stop_words(given: Sequence[str]) -> list[str]:
    """The words of a repeatable option: separated by commas, or the lines of a file that is named after @."""
    words: list[str] = []
    for each in given:
        words += read_text(each[1:]).splitlines() if each.startswith("@") else each.split(",")
    return [word.strip() for word in words if word.strip()]


def require_utf8(text: str) -> str:
    """What is looked for; raises QueryError for bytes that are not UTF-8, which arrive as lone surrogates."""
    try:
        # Python hands over bytes of an argument that are not UTF-8 as surrogates. Such a query would count 0, which
        # looks like an answer.
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise QueryError(
            "The query is not UTF-8 text (character {at:,}).",
            reason="not-utf-8",
            at=error.start + 1,
        ) from error
    return text


def stdin_bytes() -> bytes:
    """Read all of standard input.

    Raises `CorpusError` if it is closed or cannot be read.
    """
    if sys.stdin is None:
        raise CorpusError("Standard input is closed.", reason="no-standard-input")
    try:
        # Bytes and not text: the locale's encoding, or a conversion of line ends, would change the query.
        return sys.stdin.buffer.read()
    except OSError as error:
        raise CorpusError(
            "Standard input cannot be read: {cause}.", reason="standard-input-unreadable", cause=error.strerror or error
        ) from error


def stdin_once(texts: Iterable[str]) -> None:
    """Raise QueryError if "-" is given twice: standard input can be read only once."""
    if list(texts).count(STDIN) > 1:
        raise QueryError('"-" is given twice, but standard input can be read only once.', reason="twice-standard-input")


def decode(data: bytes, source: str) -> str:
    """Decode UTF-8, with or without a byte order mark.

    Raises `QueryError` at the first invalid byte, with its position.
    """
    try:
        # Windows programs put a byte order mark at the beginning, which is not a part of the text.
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise QueryError(
            "{path} is not UTF-8 text (byte {byte:,}).",
            reason="not-utf-8",
            path=source,
            byte=error.start,
        ) from error


def read_text(source: str) -> str:
    """All of a file, or of standard input, as one text."""
    opened = open_input(source, "text")
    show_reading(opened)
    return "".join(found.text for found in opened.texts)
