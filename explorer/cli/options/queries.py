"""What count and kwic share: how a query is read and matched."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from explorer.analyses.search.find import MATCHES, QueryOptions, QueryResult, find_query
from explorer.analyses.search.language import ParsedQuery, parse
from explorer.analyses.search.more import More
from explorer.analyses.search.query import VARIANTS
from explorer.cli.options import ranges
from explorer.cli.options.rules import Rule, refuse_unused
from explorer.cli.output.terminal import is_quiet, note, progress_bar
from explorer.cli.parser import Parser
from explorer.corpus import Corpus
from explorer.errors import QueryError
from explorer.text.patterns.equal import checked_equate
from explorer.text.patterns.equates import Equate

_QUERY = "a text, or quoted texts and /expressions/ joined by AND, OR and NOT"
MATCH_TOKENS, MATCH_REGEX = "--match tokens", "--match regex"
RULES = (
    Rule("--variants", needs=(MATCH_TOKENS,)),
    Rule("--ignore-case", without=(MATCH_TOKENS,)),
    Rule("--whole-words", without=(MATCH_TOKENS,)),
    Rule("--equate", without=(MATCH_TOKENS,)),
    # A regular expression is always taken whole.
    Rule("--literal", without=(MATCH_REGEX,)),
)
"""Rules of every command that has a query."""


_NEAR = ("--near", "--not-near")
LINE_RULES = (*RULES, Rule("--near-distance", needs=_NEAR))
"""Rules of the commands that list lines, or add them up."""
_JOINED, _RANDOM = "a query with AND", "--sort random"
JOINED_RULES = tuple(Rule(option, needs=(_JOINED,)) for option in ("--distance", "--exact", "--node"))
"""Rules about what a query is: without AND it is a single phrase."""


def _line_rules(*random: str) -> tuple[Rule, ...]:
    return (
        Rule("--distance", needs=(_JOINED,), when="--near-distance"),
        Rule("--distance", needs=(_JOINED, *_NEAR)),
        *JOINED_RULES[1:],
        Rule("--seed", needs=random, when="--exact"),
        Rule("--seed", needs=(*random, _JOINED)),
    )


JOINED_LINE_RULES, SORTED_LINE_RULES = _line_rules("--sample"), _line_rules("--sample", _RANDOM)
"""The same for the commands that add up lines, and for those that list them."""


def add_query(parser: Parser, nargs: str | None = None) -> None:
    """Define the query, and how it is matched.

    nargs: "*" for any number of queries; None for one.
    """
    parser.argument("query", "QUERY", f'{_QUERY}; "-" reads the query from standard input', nargs=nargs)


def add_query_options(parser: Parser, usual: str | None = "text") -> None:
    """How the query is matched, and what AND means.

    usual: The usual value of --match; None where a query without it is something else, and all hits are checked.
    """
    parser.add_argument(
        "-F",
        "--literal",
        action="store_true",
        help="read the query literally: AND, OR, NOT and quotes have no special meaning",
    )
    parser.add_argument(
        "--match",
        choices=MATCHES,
        default=usual,
        help=f"text: the characters as written, however they were tokenized{' (default)' if usual else ''}; tokens: "
        "the query as the tokenizer splits it; regex: the whole query is a regular expression",
    )
    parser.add_argument("--ignore-case", action="store_true", help="ignore case (text and regex)")
    parser.add_argument(
        "--whole-words",
        action="store_true",
        help="whole words only: no letter, mark, digit or connector before or after (text and regex)",
    )
    parser.add_argument(
        "--equate",
        type=_equated,
        default=[],
        metavar="LIST",
        help="what else counts as the same (comma-separated; text and regex): spacing (a space and any white space, "
        "line breaks included), quotes (straight and typographic quotation marks; dashes), forms (composed and "
        "decomposed characters; joiners and soft hyphens left out)",
    )
    parser.add_argument(
        "--variants",
        type=lambda text: [name.strip() for name in text.split(",") if name.strip()],
        default=[],
        metavar="LIST",
        help=f"spellings to include with --match tokens: {', '.join(VARIANTS)} (comma-separated)",
    )
    parser.add_argument(
        "--distance",
        type=ranges.DISTANCE,
        default=100,
        metavar="N",
        help="maximum distance in tokens between phrases joined by AND (default 100)",
    )
    parser.add_argument(
        "--node",
        type=ranges.CLAUSE,
        metavar="N",
        help="the phrase of an AND whose occurrences are hits, counted from 1 (default: the rarest)",
    )
    if usual is None:
        parser.set_defaults(exact=True)
        return
    parser.add_argument("--exact", action="store_true", help="check all hits of an AND query, however many there are")


def _equated(text: str) -> tuple[Equate, ...]:
    try:
        return checked_equate(name.strip() for name in text.split(",") if name.strip())
    except QueryError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def query_options(args: argparse.Namespace) -> QueryOptions:
    """The options that the arguments name."""
    return QueryOptions(
        variants=tuple(args.variants),
        max_distance=args.distance,
        # None: exact up to a limit, and from there on an estimate that is marked as such.
        exact=True if args.exact else None,
        # count has no --seed: its estimates are the same in every run.
        seed=getattr(args, "seed", 0),
        # Counted from 1 for people.
        node=None if args.node is None else args.node - 1,
        match=args.match,
        ignore_case=args.ignore_case,
        whole_words=args.whole_words,
        equate=tuple(args.equate),
        # An expression contains quotes, parentheses and bars of its own; the query language would take them apart.
        literal=args.literal or args.match == "regex",
    )


def refuse_unjoined(
    args: argparse.Namespace, options: QueryOptions, queries: Iterable[str], rules: Sequence[Rule]
) -> None:
    """Refuse options about AND, or about chance, that would have no effect on any of the queries.

    queries: The queries; they are parsed only if such an option was given.
    Raises `QueryError` if an option needs another query or option, or a query cannot be parsed.
    """
    if not any(rule.option in args.given for rule in rules):
        return
    present = {*args.given, *([_RANDOM] if getattr(args, "sort", None) == "random" else [])}
    if not options.literal and any(_is_joined(parse(query, options.match)) for query in queries):
        present.add(_JOINED)
    refuse_unused(present, rules)


def _is_joined(parsed: ParsedQuery) -> bool:
    return len(parsed.clauses) > 1 or bool(parsed.excluded)


def find(corpus: Corpus, query: str, options: QueryOptions) -> QueryResult:
    """Find a query, and show the progress on standard error if that is a terminal.

    options: How it is matched, and how far apart parts joined by AND may be.
    Raises `QueryError` if the query cannot be parsed or answered.
    """
    return find_query(corpus.index, query, options, progress_bar())


def note_more(more: More) -> None:
    """Note what the texts would also find if more was equated."""
    if said := more.described():
        note(f"{said}: --equate {','.join(checked_equate(more.options.equate + more.equate))}")


def report_reading(corpus: Corpus, found: QueryResult, options: QueryOptions) -> None:
    """Note how a query was read, and what it would also find if more was equated."""
    report_echo(found.parsed)
    if not is_quiet():
        more = More(corpus.index, options)
        more.look_at(found)
        note_more(more)


def report_echo(parsed: ParsedQuery) -> None:
    """Show how a query is read that mixes AND and OR without parentheses."""
    if parsed.echo:
        note(f"read as {parsed.echo}")
