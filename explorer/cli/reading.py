"""ngram-profile and compare-texts: one token of a text, and two texts side by side."""

from __future__ import annotations

import argparse
from typing import Any

from explorer.cli import ranges
from explorer.cli.codes import FINE
from explorer.cli.common import (
    add_index_arguments,
    add_json_argument,
    open_corpus,
    read_argument,
    read_text,
    stdin_once,
)
from explorer.cli.parser import Parser
from explorer.cli.rules import Rule
from explorer.cli.terminal import put_cells, put_json, remark
from explorer.overlap.alignment import LEAST, Numbers, TextComparison, compare_texts
from explorer.search.ngram_profile import ngram_profile
from explorer.search.query import show_token

RULES: dict[str, tuple[Rule, ...]] = {"ngram-profile": (), "compare-texts": ()}
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
    add_json_argument(parser)


def run_ngram_profile(args: argparse.Namespace) -> int:
    """Print the n-gram profile of one token of a text."""
    # Before the index, which may take long to open: a missing input fails at once.
    text = read_argument(args.text)
    corpus = open_corpus(args)
    # 0 is refused as the token before the first: people count from 1.
    position = args.token if args.token < 0 else args.token - 1 if args.token else ranges.MOST
    found = ngram_profile(corpus.index, corpus.encode(text), position, args.max_n)
    token = show_token(corpus.index, found.token)
    columns = (found.n, found.count, found.agreeing, found.share, found.plateau)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    if args.json:
        names = ("n", "count", "agreeing", "share", "plateau")
        shown = [dict(zip(names, row, strict=True)) for row in rows]
        put_json({"position": found.position, "token": found.token, "text": token, "rows": shown})
        return FINE
    remark(f"token {found.position + 1:,}, {token}: n, occurrences of the context, with this token after it, share")
    for n, count, agreeing, share, plateau in rows:
        put_cells(n, count, agreeing, f"{share:.4f}", "plateau" if plateau else "")
    return FINE


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
    add_json_argument(parser)


def run_compare_texts(args: argparse.Namespace) -> int:
    """Print what two texts have in common, and where they differ."""
    stdin_once([args.left, args.right])
    left, right = read_text(args.left), read_text(args.right)
    found = compare_texts(left, right, args.least, args.ignore_case)
    if args.json:
        put_json(_as_json(found))
        return FINE
    remark(
        f"{found.share:.0%} of the {len(found.left):,} words are in the other text, which has {len(found.right):,}, in "
        f"runs of {found.least} or more; longest run: {found.longest:,}; differences: {len(found.differences):,}"
    )
    if not found.exact:
        remark("the texts repeat themselves: their most frequent runs were not compared")
    for one in found.differences:
        shown = _shown(left, found.left, one.left_start, one.left_end)
        theirs = _shown(right, found.right, one.right_start, one.right_end)
        # From 1 for people; JSON counts from 0, as programs do.
        put_cells(one.left_start + 1, one.right_start + 1, shown, theirs)
    return FINE


def _shown(text: str, words: Numbers, start: int, end: int) -> str:
    """The words of a difference on one line; a long one without its middle."""
    if start == end:
        return "-"
    # A line feed in it would begin another row of the output.
    line = " ".join(text[int(words[start, 0]) : int(words[end - 1, 1])].split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN // 2]} … {line[-_SHOWN // 2 :]}"


def _as_json(found: TextComparison) -> dict[str, Any]:
    """Figures, runs and differences; words with their characters, since programs may split texts in other ways."""

    def part(words: Numbers, start: int, end: int) -> dict[str, Any]:
        # Without words, the place between two of them: where the next one begins.
        edge = int(words[start, 0]) if start < len(words) else int(words[-1, 1]) if len(words) else 0
        chars = (int(words[start, 0]), int(words[end - 1, 1])) if start < end else (edge, edge)
        return {"word_start": start, "word_end": end, "start": chars[0], "end": chars[1]}

    runs = [
        {
            "words": run.words,
            "left": part(found.left, run.left, run.left + run.words),
            "right": part(found.right, run.right, run.right + run.words),
        }
        for run in found.runs
    ]
    differences = [
        {
            "left": part(found.left, one.left_start, one.left_end),
            "right": part(found.right, one.right_start, one.right_end),
        }
        for one in found.differences
    ]
    figures = {"same": found.same, "share": found.share, "longest": found.longest, "exact": found.exact}
    sizes = {"left_words": len(found.left), "right_words": len(found.right), "least": found.least}
    return {**sizes, **figures, "runs": runs, "differences": differences}
