"""count: how often texts occur."""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.search.find import Match, QueryOptions, QueryResult
from explorer.analyses.search.hits import Hits
from explorer.analyses.search.language import Expression, ParsedQuery
from explorer.analyses.search.more import More
from explorer.analyses.watch.counting import Watched, count_patterns
from explorer.analyses.watch.watch_list import WatchList, join_lists, read_watch_list, read_watch_stream
from explorer.backends.protocol.protocol import Backend
from explorer.cli.options.common import (
    MOST_PROBLEMS,
    STDIN,
    add_index_arguments,
    add_on_bad_arguments,
    add_partial,
    add_remote_argument,
    bad_records,
    open_corpus,
    read_query,
    show_problems,
    stdin_bytes,
    stdin_once,
    with_rest,
)
from explorer.cli.options.inputs import input_files
from explorer.cli.options.queries import (
    JOINED_RULES,
    add_query,
    add_query_options,
    find,
    note_more,
    query_options,
    refuse_unjoined,
    report_echo,
)
from explorer.cli.options.queries import RULES as QUERY_RULES
from explorer.cli.options.query_files import open_queries, shown_name
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE, FOUND
from explorer.cli.output.envelope import (
    FORMAT_RULES,
    JSONL,
    OUT_FILE,
    Answer,
    add_format_arguments,
    format_of,
    put_answer,
)
from explorer.cli.output.rows import put_rows
from explorer.cli.output.saved import out_file
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import is_quiet, progress_bar, put_cells, remark
from explorer.cli.parser import Parser, UsageError
from explorer.core.jobs import Progress
from explorer.corpus import Corpus
from explorer.corpus.search.queries import checked_options, parts
from explorer.corpus.search.queries import count as count_query
from explorer.corpus.search.where import chosen_documents, count_within, result_within
from explorer.documents.inputs.on_bad import Reading
from explorer.errors import QueryError
from explorer.export.records.count import CountRecord, VariantCount, variants_of
from explorer.export.records.pattern import PatternRecord, pattern_record
from explorer.export.records.problem import ProblemRecord
from explorer.export.registry import TABLES
from explorer.export.reports.watched import watched_header, watched_rows
from explorer.i18n import counted
from explorer.text.patterns.equates import Equate

RULES = {
    "count": (
        *QUERY_RULES,
        *FORMAT_RULES,
        Rule("--queries", without=("--patterns",)),
        *(Rule(option, needs=("--queries",)) for option in ("--text-field", "--on-bad", "--skip-bad")),
        Rule("--skip-bad", without=("--on-bad",)),
        Rule("--csv", needs=("--patterns",)),
        Rule("--csv", without=("--json", "--format", OUT_FILE)),
        Rule("--fail-if-found", needs=("--patterns",)),
        Rule("--documents", without=("--patterns",)),
        # Of a watch list, what does not occur is a finding, too.
        Rule("--partial", without=("--patterns", OUT_FILE)),
        # Both are files of literal texts.
        Rule("--literal", without=("--patterns", "--queries")),
    ),
}
COUNT, PATTERNS = Shape("count", CountRecord), Shape("count-patterns", PatternRecord)
SHAPES = {"count": (COUNT, PATTERNS)}


def define_count(parser: Parser) -> None:
    """Define `count`."""
    add_index_arguments(parser)
    add_remote_argument(parser)
    add_partial(parser)
    add_query(parser, nargs="*")
    parser.add_argument(
        "--queries",
        metavar="FILE",
        action="append",
        default=[],
        help='count each line of a file (or "-") as a literal text, or the field "query" of each record of JSON Lines, '
        "CSV or Parquet; repeatable, also compressed; one line of output per query",
    )
    parser.add_argument(
        "--text-field", default="query", metavar="F", help="field with the query in records (default: query)"
    )
    add_on_bad_arguments(
        parser,
        "what to do with lines of --queries that cannot be counted: stop (default), skip them, or skip and list them",
    )
    parser.add_argument(
        "--patterns",
        metavar="FILE",
        action="append",
        default=[],
        help="count each pattern of a watch list and the documents it occurs in; the list is a text with one pattern "
        'per line (or "-"), a table (.csv, .tsv) with the columns pattern and label, or such records (JSON Lines, '
        "Parquet); other columns are kept; repeatable, also compressed",
    )
    parser.add_argument(
        "--fail-if-found",
        action="store_true",
        help="exit with 1 if a pattern of the watch list occurs, with 2 if a pattern could not be counted",
    )
    add_query_options(parser)
    parser.add_argument("--documents", action="store_true", help="also count the documents with an occurrence")
    parser.add_argument("--csv", action="store_true", help="print the counts of a watch list as CSV")
    add_format_arguments(parser)
    parser.beside_settings("csv", "fail_if_found")


def run_count(args: argparse.Namespace) -> int:
    """Print a count for each query.

    Raises `UsageError` if there is no query, or both queries and a file of them.
    Raises `CorpusError` if the index cannot be opened or a query cannot be answered.
    """
    # From what was typed and not from the values: an empty file name is a mistake to report, not an option that was
    # left out.
    listed = next((name for name in ("--queries", "--patterns") if name in args.given), None)
    if listed is None and not args.query:
        raise UsageError("The following arguments are required: QUERY, --queries FILE or --patterns FILE.")
    if listed is not None and args.query:
        raise UsageError(f"QUERY cannot be used with {listed}.")
    stdin_once(args.query)
    queries = [*map(read_query, args.query)]
    options = query_options(args)
    options = replace(options, literal=options.literal or listed is not None)
    refuse_unjoined(args, options, queries, JOINED_RULES)
    if args.patterns:
        return _run_watch_list(args)
    corpus = open_corpus(args, subset=False)
    chosen = _chosen(corpus, args)
    tokens = corpus.token_count if chosen is None else int(corpus.index.documents.sizes()[chosen].sum())
    count = None if chosen is None else lambda part: count_within(corpus.index, (part,), chosen)
    more = More(corpus.index, options, count)
    counting = _Counting(corpus, options, args.documents, chosen, tokens, more, tuple(args.where))
    # Lazy: each count is printed as soon as it is known, and a closed pipe stops the rest.
    if args.queries:
        return _run_files(counting, args)
    records = counting.records(queries)
    answer = Answer(COUNT, records, corpus.index, settings={"literal": options.literal})
    put_answer(answer, args, lambda found: _print_counts(found, corpus.index))
    return FINE


def _run_files(counting: _Counting, args: argparse.Namespace) -> int:
    """Print a count for each query of files; what is wrong with a line is dealt with as --on-bad has it."""
    reading, name = Reading(args.on_bad, MOST_PROBLEMS), ", ".join(map(shown_name, args.queries))
    answer = Answer(
        COUNT,
        _count_lines(counting, args, reading),
        counting.corpus.index,
        settings={"literal": True},
        problems=lambda: with_rest(bad_records(reading.problems), reading.bad_count, name),
    )
    put_answer(answer, args, lambda found: _print_counts(found, counting.corpus.index))
    show_problems(reading.problems, args.on_bad, reading.bad_count)
    # An empty file can be meant; one with nothing but bad lines is a mistake.
    if reading.bad_count:
        reading.require_texts(name)
    return FINE


def _count_lines(counting: _Counting, args: argparse.Namespace, reading: Reading) -> Iterator[CountRecord]:
    for file in input_files(args.queries):
        for found in reading.texts(open_queries(file, args.text_field)):
            if found.problem:
                continue
            try:
                record = counting.record(found.text)
            except QueryError as error:
                # It could be read, but not counted: an invalid expression, for example.
                reading.bad(found, str(error))
                reading.good -= 1
            else:
                yield record
    note_more(counting.more)


def _print_counts(records: Iterable[CountRecord], index: Backend) -> None:
    for found in records:
        # The count comes first, and `put_cells` makes tabs in a query visible, so `cut -f1` always works.
        documents = () if found.document_count is None else (found.document_count,)
        sign = "" if found.exact else "≥ " if index.missing else "≈"
        put_cells(f"{sign}{found.count}", *documents, found.query)


def _chosen(corpus: Corpus, args: argparse.Namespace) -> NDArray[np.bool_] | None:
    """Whether each document meets --where; None for all documents."""
    if not args.where:
        return None
    return chosen_documents(corpus.index, corpus.columns, args.where, progress_bar())


@dataclass(frozen=True)
class _Counting:
    """How queries are counted.

    chosen: whether each document counts; its hits are looked up, which takes less time than a sorted subset for a few
    queries, and has no limit. None: all documents. token_count: the tokens of these documents.
    """

    corpus: Corpus
    options: QueryOptions
    with_documents: bool
    chosen: NDArray[np.bool_] | None
    token_count: int
    more: More
    where: tuple[str, ...] = ()

    def records(self, queries: Iterable[str]) -> Iterator[CountRecord]:
        """Count queries, and note at last what they would also find."""
        yield from map(self.record, queries)
        note_more(self.more)

    def record(self, query: str) -> CountRecord:
        """Count a query."""
        if self.options.literal and not self.options.variants:
            return self._literal(query)
        index, found = self.corpus.index, find(self.corpus, query, self.options)
        report_echo(found.parsed)
        if not is_quiet():
            self.more.look_at(found)
        variants = variants_of(found) if self.chosen is None else self._variants_within(found, self.chosen)
        if self.chosen is not None:
            found = result_within(index, found, self.chosen, self.where)
        # Of a sample of the hits, the number of all documents is not known.
        known = self.with_documents and not found.sampled
        documents = Hits(index, found.parts).count_documents(found.numbers) if known else None
        # Now: the documents may have been looked up after a part was lost.
        exact = found.exact and not index.missing
        return CountRecord(
            query, str(found.parsed), found.count, documents, found.per_million, exact, found.sample_size,
            *self._how, found.parsed.echo, variants,
        )  # fmt: skip

    @property
    def _how(self) -> tuple[Match, bool, bool, tuple[Equate, ...]]:
        options = self.options
        return options.match, options.ignore_case, options.whole_words, options.equate

    def _literal(self, query: str) -> CountRecord:
        # Not by `find`: white space alone can be a literal text.
        if not is_quiet():
            self.more.look(query)
        count, documents = self._whole(query) if self.chosen is None else self._within(query, self.chosen)
        regex = self.options.match == "regex"
        parsed = ParsedQuery(((Expression(query) if regex else query,),))
        variants = (VariantCount(query, count),) if self.options.match == "tokens" else ()
        per_million = 1e6 * count / max(1, self.token_count)
        exact = not self.corpus.index.missing
        return CountRecord(query, str(parsed), count, documents, per_million, exact, count, *self._how, "", variants)

    def _whole(self, query: str) -> tuple[int, int | None]:
        options = checked_options(query, (), *self._how)
        count = count_query(self.corpus.index, query, options)
        if not self.with_documents:
            return count, None
        return count, Hits(self.corpus.index, parts(self.corpus.index, query, options)).count_documents()

    def _within(self, query: str, chosen: NDArray[np.bool_]) -> tuple[int, int | None]:
        """Occurrences in the chosen documents, and of these the ones that have any."""
        options = checked_options(query, (), *self._how)
        hits, count, seen = Hits(self.corpus.index, parts(self.corpus.index, query, options)), 0, np.zeros_like(chosen)
        report = progress_bar()
        done = 0
        for _, located in hits.chunks():
            kept = located.documents[chosen[located.documents]]
            count, done = count + len(kept), done + len(located.documents)
            seen[kept] = True
            report(Progress("Looking up occurrences", done, hits.total, "occurrences"))
        return count, int(seen.sum()) if self.with_documents else None

    def _variants_within(self, found: QueryResult, chosen: NDArray[np.bool_]) -> tuple[VariantCount, ...]:
        every = (variant for clause in found.clauses for phrase in clause.phrases for variant in phrase.variants)
        matches = {variant.text: variant.matches for variant in every}
        return tuple(
            VariantCount(text, count_within(self.corpus.index, (one,), chosen)) for text, one in matches.items()
        )


def _run_watch_list(args: argparse.Namespace) -> int:
    """Print the count of each pattern of a file; the exit code reports what was found, or could not be looked for."""
    if args.csv:
        args.format = "csv"
    listed = join_lists([_read_patterns(file) for file in input_files(args.patterns)])
    corpus = open_corpus(args)
    options = query_options(args)
    # Rows are counted while they pass to the printer, since the list of them may be long.
    name = ", ".join(map(shown_name, args.patterns))
    seen = _Seen()
    rows = map(seen.watch, count_patterns(corpus.index, listed.patterns, options, progress_bar()))
    _print_watched(corpus, listed, rows, options, args, seen)
    # Also without --fail-if-found: an incomplete list must not end with 0.
    if seen.failed:
        what = f"{counted('pattern', seen.failed)} could not be counted"
        beside = ", so --fail-if-found has no result" if args.fail_if_found else ""
        raise QueryError("{path}: {what}{beside}.", reason="no-result", path=name, what=what, beside=beside)
    return FOUND if args.fail_if_found and seen.found else FINE


def _read_patterns(file: str) -> WatchList:
    if file != STDIN:
        return read_watch_list(Path(file))
    return read_watch_stream(io.BytesIO(stdin_bytes()), shown_name(file))


@dataclass
class _Seen:
    """Patterns that were found, and those that could not be searched for."""

    found: int = 0
    problems: list[ProblemRecord] = field(default_factory=list)

    @property
    def failed(self) -> int:
        """The patterns that could not be searched for."""
        return len(self.problems)

    def watch(self, row: Watched) -> Watched:
        """Take a row into account, report what is wrong with it, and pass it on."""
        self.found += bool(row.count)
        if row.error:
            name, line = row.pattern.source, row.pattern.line
            self.problems.append(ProblemRecord(name, line, row.error))
            remark(f"{name}, line {line:,}: {row.error}")
        return row


def _print_watched(
    corpus: Corpus,
    listed: WatchList,
    rows: Iterable[Watched],
    options: QueryOptions,
    args: argparse.Namespace,
    seen: _Seen,
) -> None:
    form = format_of(args)
    if form in TABLES.ids and form != JSONL and not args.fields and out_file(args.out) is None:
        # The columns of the list are columns of the table, too.
        put_rows(watched_header(listed), watched_rows(rows), form)
        return
    records = (pattern_record(row, listed, options) for row in rows)
    answer = Answer(PATTERNS, records, corpus.index, problems=lambda: seen.problems)
    put_answer(answer, args, lambda found: _print_patterns(found, listed))


def _print_patterns(records: Iterable[PatternRecord], listed: WatchList) -> None:
    for row in records:
        # Not 0, which would be a finding.
        figures = ("?", "?") if row.error else (row.count, row.document_count)
        put_cells(*figures, row.pattern, *([row.label] if listed.has_labels else []))
