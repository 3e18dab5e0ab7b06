"""ngram-profile and compare-texts: one token of a text, and two texts side by side."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from explorer.analyses.ngram_profile.compute import ngram_profile
from explorer.analyses.overlap.alignment import LEAST, TextComparison, compare_texts
from explorer.analyses.search.query import show_token
from explorer.cli.options import ranges
from explorer.cli.options.common import (
    add_index_arguments,
    open_corpus,
    read_text,
    read_text_argument,
    stdin_once,
)
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import put_cells, remark
from explorer.cli.parser import Parser
from explorer.export.records.passage import (
    DIFFERENT,
    ComparisonFacts,
    PassageRecord,
    comparison_facts,
    passage_records,
)
from explorer.export.records.profile import ProfileFacts, ProfileRecord, profile_records

RULES: dict[str, tuple[Rule, ...]] = {"ngram-profile": FORMAT_RULES, "compare-texts": FORMAT_RULES}
PROFILE = Shape("ngram-profile", ProfileRecord, ProfileFacts)
COMPARISON = Shape("compare-texts", PassageRecord, ComparisonFacts)
SHAPES = {"ngram-profile": (PROFILE,), "compare-texts": (COMPARISON,)}
_SHOWN = 120
"""Characters of a difference that are printed."""


def define_ngram_profile(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument("text", "TEXT", 'the text; "-" reads standard input')
    parser.add_argument(
        "--token",
        type=ranges.whole(-ranges.MOST, ranges.MOST),
        default=-1,
        metavar="N",
        help="the token, counted from 1, or from the end with -1, -2 … (default: the last token)",
    )
    parser.add_argument(
        "--max-n", type=ranges.TOKENS, metavar="N", help="the longest n-gram (default: the longest context that occurs)"
    )
    add_format_arguments(parser)


def run_ngram_profile(args: argparse.Namespace) -> int:
    """Print the n-gram profile of one token of a text."""
    # Before the index, which may take long to open: a missing input fails at once.
    text = read_text_argument(args, "text")
    corpus = open_corpus(args)
    # 0 is refused as the token before the first: people count from 1.
    position = args.token if args.token < 0 else args.token - 1 if args.token else ranges.MOST
    found = ngram_profile(corpus.index, corpus.encode(text), position, args.max_n)
    token = show_token(corpus.index, found.token)
    facts = ProfileFacts(found.position, found.token, token)
    answer = Answer(PROFILE, profile_records(found), corpus.index, facts)
    put_answer(answer, args, lambda rows: _print_profile(rows, facts))
    return FINE


def _print_profile(rows: Iterable[ProfileRecord], facts: ProfileFacts) -> None:
    remark(
        f"token {facts.position + 1:,}, {facts.text}: n, occurrences of the context, with this token after it, share"
    )
    for row in rows:
        plateau = "plateau" if row.plateau else ""
        put_cells(row.n, row.count, row.agreeing_count, f"{row.share:.4f}", plateau)


def define_compare_texts(parser: Parser) -> None:
    """Define the command."""
    parser.argument("left", "LEFT", 'file with a text, such as an answer; "-" reads standard input')
    parser.argument("right", "RIGHT", "file with the text that it is compared with")
    parser.add_argument(
        "--least",
        type=ranges.TOKENS,
        default=LEAST,
        metavar="N",
        help="words of the shortest run that counts as the same (default %(default)s)",
    )
    parser.add_argument("--ignore-case", action="store_true", help="ignore the difference of upper and lower case")
    add_format_arguments(parser)


def run_compare_texts(args: argparse.Namespace) -> int:
    """Print what two texts have in common, and where they differ."""
    stdin_once([args.left, args.right])
    left, right = read_text(args.left), read_text(args.right)
    found = compare_texts(left, right, args.least, args.ignore_case)
    answer = Answer(COMPARISON, passage_records(left, right, found), facts=comparison_facts(found))
    put_answer(answer, args, lambda records: _print_differences(records, found))
    return FINE


def _print_differences(records: Iterable[PassageRecord], found: TextComparison) -> None:
    remark(
        f"{found.share:.0%} of the {len(found.left):,} words are in the other text, which has {len(found.right):,}, in "
        f"runs of {found.least} or more; longest run: {found.longest:,}; differences: {len(found.differences):,}"
    )
    if not found.exact:
        remark("the texts repeat themselves: their most frequent runs were not compared")
    for one in records:
        if one.kind == DIFFERENT:
            # From 1 for people; JSON counts from 0, as programs do.
            put_cells(one.left_word_start + 1, one.right_word_start + 1, _shown(one.left_text), _shown(one.right_text))


def _shown(text: str) -> str:
    """The words of a difference on one line; a long one without its middle."""
    # A line feed in it would begin another row of the output.
    line = " ".join(text.split()) or "-"
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN // 2]} … {line[-_SHOWN // 2 :]}"
