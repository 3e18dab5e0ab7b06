"""plan: what an index of a given size would need, before anything is built."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.cli.options import ranges
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import put
from explorer.cli.parser import Parser
from explorer.core.files.sizes import size_text
from explorer.errors import QueryError
from explorer.planning.plan import FORMULAS, Fleet, Plan, plan_index
from explorer.planning.rates import read_rates


@dataclass(frozen=True)
class PlanFacts:
    """For which machines a plan is.

    Attributes
    ----------
    machines
        How many.
    cores
        Cores of each.
    memory_bytes
        Memory of each.
    """

    machines: int
    cores: int
    memory_bytes: int


PLAN = Shape("plan", Plan, PlanFacts)
SHAPES = {"plan": (PLAN,)}
RULES: dict[str, tuple[Rule, ...]] = {"plan": FORMAT_RULES}
_COUNT = re.compile(r"(\d+(?:\.\d*)?)(?:e(\d{1,2})|([kmbt]))?", re.ASCII | re.IGNORECASE)
_SCALES = {"k": 3, "m": 6, "b": 9, "t": 12}
_HEADS = {
    "u16": "16-bit",
    "u32": "32-bit",
    "fm": "compressed",
    "fm-text": "… with text",
    "infini-gram": "infini-gram",
    "infini-gram-mini": "IG mini",
}


def define_plan(parser: Parser) -> None:
    """Define the command."""
    parser.argument("tokens", "TOKENS", "tokens of the corpus, such as 300B, 1e12 or 5000000")
    parser.add_argument(
        "--machines", type=ranges.whole(1, 100_000), default=1, metavar="N", help="machines (default 1)"
    )
    parser.add_argument(
        "--cores", type=ranges.whole(1, 10_000), default=128, metavar="C", help="cores of each machine (default 128)"
    )
    parser.add_argument(
        "--memory", type=ranges.GIGABYTES, default=1024, metavar="GB", help="memory of each machine (default 1024)"
    )
    parser.add_argument("--rates", metavar="FILE", help="JSON with rates of your own, such as bench --rates writes")
    add_format_arguments(parser)


def token_count(text: str) -> int:
    """Read a number of tokens.

    text: What was typed: digits, with an exponent or with K, M, B or T for thousands to trillions.
    Raises `QueryError` if it is not one, or not from 1 to 10¹⁵.
    """
    found = _COUNT.fullmatch(text.replace(",", ""))
    if found and len(text) <= 40:
        scale = int(found[2]) if found[2] else _SCALES.get((found[3] or "").lower(), 0)
        number = round(float(found[1]) * 10.0**scale)
        if 1 <= number <= 10**15:
            return number
    raise QueryError("TOKENS must be a number from 1 to 1000T, such as 300B or 1e12.", reason="wrong-argument")


def run_plan(args: argparse.Namespace) -> int:
    """Estimate, and print, what each layout would need.

    Raises `CorpusError` if the number is not one, or if the file of rates cannot be read.
    """
    fleet = Fleet(args.machines, args.cores, int(args.memory * (1 << 30)))
    plans = plan_index(token_count(args.tokens), fleet, read_rates(Path(args.rates) if args.rates else None))
    facts = PlanFacts(fleet.machines, fleet.cores, fleet.memory)
    put_answer(Answer(PLAN, plans, facts=facts), args, lambda _: _print(plans, fleet))
    return FINE


def _print(plans: Sequence[Plan], fleet: Fleet) -> None:
    machines = "1 machine" if fleet.machines == 1 else f"{fleet.machines:,} machines"
    put(
        f"≈ for {plans[0].token_count:,} tokens on {machines}, {fleet.cores:,} cores and "
        f"{fleet.memory / (1 << 30):,.0f} GB of memory each"
    )
    put(" " * 20 + "".join(f"{_HEADS[plan.layout]:>13}" for plan in plans))
    for name, cells in plan_rows(plans):
        put(f"{name:20}" + "".join(f"{cell:>13}" for cell in cells))
    put()
    put("All figures are estimates:")
    for name, formula in FORMULAS.items():
        put(f"  {name}: {formula}")


def plan_rows(plans: Sequence[Plan]) -> list[tuple[str, tuple[str, ...]]]:
    """Write plans as a table for people."""
    return [
        ("text read", tuple(_size(plan.raw_bytes) for plan in plans)),
        ("text in the index", tuple(_size(plan.text_bytes) for plan in plans)),
        ("table", tuple(_size(plan.table_bytes) for plan in plans)),
        ("metadata", tuple(_size(plan.metadata_bytes) for plan in plans)),
        ("index", tuple(_size(plan.index_bytes) for plan in plans)),
        ("shards", tuple(f"{plan.shard_count:,}" for plan in plans)),
        ("memory of a sort", tuple(_size(plan.sort_memory_bytes) for plan in plans)),
        ("tokenizing, core-h", tuple(_number(plan.tokenize_core_hours) for plan in plans)),
        ("sorting, core-h", tuple(_number(plan.sort_core_hours) for plan in plans)),
        ("disk, machine-h", tuple(_number(plan.disk_hours) for plan in plans)),
        ("hours", tuple(_number(plan.hours) for plan in plans)),
        ("computing, $", tuple(_number(plan.compute_dollars) for plan in plans)),
        ("disks, $/month", tuple(_number(plan.disk_dollars) for plan in plans)),
        ("objects, $/month", tuple(_number(plan.object_dollars) for plan in plans)),
        ("cold count, ms", tuple(_number(1_000 * plan.cold_count_seconds) for plan in plans)),
    ]


def _size(count: int) -> str:
    return size_text(count) if count else "–"


def _number(value: float) -> str:
    """Three figures: an estimate has no more."""
    if value == 0:
        return "–"
    if value >= 1_000:
        digits = 10 ** (len(str(int(value))) - 3)
        return f"{round(value / digits) * digits:,}"
    return f"{value:.3g}"
