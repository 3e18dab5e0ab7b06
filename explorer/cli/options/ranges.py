"""The valid numbers on the command line: one type per kind, with its range.

argparse calls a type with the typed text, and names the option if the type raises.
"""

from __future__ import annotations

import math
import re
from argparse import ArgumentTypeError
from collections.abc import Callable

from explorer.text.graphemes import beginning

# Python's int() also takes 1_000, spaces and digits of other scripts, which are rather a typing error here.
_WHOLE = re.compile(r"[+-]?[0-9]+", re.ASCII)
_REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.ASCII | re.IGNORECASE)
_SHOWN = 40
# int() refuses more than 4,300 digits with an error of its own; no valid number has 30.
_MOST_DIGITS = 30


def _typed(text: str) -> str:
    return text if len(text) <= _SHOWN else beginning(text, _SHOWN - 1) + "…"


def whole(least: int, most: int) -> Callable[[str], int]:
    """Make the type of an option that takes a whole number.

    Returns: A function for argparse's `type`, which refuses everything else with the range.
    """

    def read(text: str) -> int:
        if _WHOLE.fullmatch(text) and len(text) <= _MOST_DIGITS and least <= int(text) <= most:
            return int(text)
        raise ArgumentTypeError(f'must be a whole number from {least:,} to {most:,}, not "{_typed(text)}"')

    return read


def real(least: float, most: float, above: bool = False) -> Callable[[str], float]:
    """Make the type of an option that takes a number.

    above: Whether `least` itself is refused.
    Returns: A function for argparse's `type`, which refuses everything else with the range.
    """

    def read(text: str) -> float:
        # NaN compares as False with both bounds, so it is refused by the same line.
        value = float(text) if _REAL.fullmatch(text) else math.nan
        if least <= value <= most and not (above and value == least):
            return value
        kind = f"above {least:g} and at most {most:g}" if above else f"from {least:g} to {most:g}"
        raise ArgumentTypeError(f'must be a number {kind}, not "{_typed(text)}"')

    return read


def part_of_all(text: str) -> float:
    """A share from 0 to 1, also as a percentage such as 1%."""
    percent = text.endswith("%")
    return real(0, 100 if percent else 1)(text.removesuffix("%")) / (100 if percent else 1)


def share_above_0(text: str) -> float:
    """A share above 0 and up to 1, also as a percentage such as 20%."""
    if (share := part_of_all(text)) > 0:
        return share
    raise ArgumentTypeError(f'must be above 0, not "{_typed(text)}"')


def number_or_all(text: str) -> int | None:
    """How many there are to be: a whole number from 1, or all, which is None."""
    return None if text == "all" else whole(1, MOST)(text)


def sizes(text: str) -> str:
    """Some whole numbers from 1, as S,S,…; `numbers` gives them."""
    return ",".join(str(whole(1, MOST)(part)) for part in text.split(","))


def numbers(text: str) -> tuple[int, ...]:
    """The numbers of `sizes`: ascending, each once."""
    return tuple(sorted(set(map(int, text.split(",")))))


MOST = 10**12
"""More than any corpus contains; counts of lines, tokens and documents need no other limit."""

LINES = whole(0, MOST)
TOKENS = whole(1, MOST)
NO_OR_TOKENS = whole(0, MOST)
PREVIEWED = whole(0, 1_000)
SEED = whole(0, 2**63 - 1)
CONTEXT_TOKENS = whole(0, 100_000)
DISTANCE = whole(0, 100_000)
COLLAPSE_TOKENS = whole(0, 1_000)
SAMPLE = whole(0, 2_000_000)
CLAUSE = whole(1, 1_000)
N_OF_MODEL = whole(1, 1_000)
TEXTS = whole(0, MOST)
DOCUMENTS = whole(0, 1_000_000)
SHARDS = whole(1, 10_000)
CONTEXT = whole(1, 1_000)
HALVINGS = whole(0, 20)
N_OF_FGRAMS = whole(2, 64)
ALPHA = real(0, 1e6)
BASE = real(1e-3, 1e3)
FLOOR = real(0, 1, above=True)
WINDOW = whole(8, 1_000_000)
MODEL_WEIGHT = real(0, 1)
TEMPERATURE = real(0, 1e6)
TOP_P = real(0, 1, above=True)
COST = real(0, 1e6)
GIGABYTES = real(0, 1e6)
SHARE = real(0, 1, above=True)
MILLIMETRES = real(0, 10_000)
DPI = whole(36, 2_400)
