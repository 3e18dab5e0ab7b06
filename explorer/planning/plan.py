"""Plans an index that does not exist: what each layout takes on disk, in memory, in hours and in money.

Every figure is an estimate by the formulas below, of the rates of `rates.py`. Nothing is measured here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.index.layout import pointer_width
from explorer.index.writer import MAX_SHARD_TOKENS
from explorer.planning.rates import Rates, read_rates

_HOUR = 3_600
FORMULAS = {
    "text": "tokens × bytes of a token; a compressed index keeps a zstd copy, or none",
    "table": "tokens × bytes of a pointer, as many as address the text of a shard; compressed: fm_size × raw text",
    "metadata": "tokens × metadata_bytes",
    "shards": "tokens ÷ (memory × memory_share ÷ bytes of memory per token), at least one",
    "tokenizing": "tokens ÷ tokenize_tokens, in core-hours; compressed: none",
    "sorting": "tokens ÷ sort_tokens × sort_slowdown, in core-hours; compressed: raw text ÷ fm_build_bytes; of the "
    "programs of others, the whole build: tokens ÷ ig_tokens, raw text ÷ mini_bytes",
    "disk": "(raw text + 2 × index) ÷ disk_bytes, in machine-hours: read once, written and read again",
    "hours": "(tokenizing + sorting) ÷ (machines × cores) + disk ÷ machines, as if all steps used every core",
    "computing": "hours × machines × cores × core_price",
    "storing": "index × disk_price, or object_price, per month",
    "cold count": "reads of one shard × read_seconds × rounds: shards ÷ (machines × reads_at_once), rounded up",
}
"""How each figure comes about, in the names of the rates."""


@dataclass(frozen=True)
class Fleet:
    """The machines.

    machines: How many there are.
    """

    machines: int = 1
    cores: int = 128
    memory: int = 1 << 40


@dataclass(frozen=True)
class Plan:
    """What one layout would need. Every figure is an estimate; sizes are bytes.

    Attributes
    ----------
    layout
        "u16" and "u32" for a suffix array over tokens of 16 and 32 bits, "fm" for a compressed index over bytes,
        "fm-text" for one that keeps its text; "infini-gram" and "infini-gram-mini" for what these programs make, by
        their own published times.
    token_count
        Tokens of the corpus.
    raw_bytes
        The texts as they are read.
    text_bytes
        The text in the index.
    table_bytes
        The table of the suffix array, or the compressed index.
    metadata_bytes
        Metadata of documents.
    index_bytes
        The whole index.
    shard_count
        Shards, or parts of a compressed index.
    shard_token_count
        Tokens of the largest one.
    sort_memory_bytes
        Memory that sorting one takes.
    tokenize_core_hours
        Hours of one core.
    sort_core_hours
        Hours of one core.
    disk_hours
        Hours of one machine's disk.
    hours
        From the start to the end on all machines.
    compute_dollars
        What these hours cost.
    disk_dollars, object_dollars
        What the index costs per month on disks, and in an object store.
    cold_count_seconds
        A count of which nothing is in memory.
    """

    layout: str
    token_count: int
    raw_bytes: int
    text_bytes: int
    table_bytes: int
    metadata_bytes: int
    index_bytes: int
    shard_count: int
    shard_token_count: int
    sort_memory_bytes: int
    tokenize_core_hours: float
    sort_core_hours: float
    disk_hours: float
    hours: float
    compute_dollars: float
    disk_dollars: float
    object_dollars: float
    cold_count_seconds: float


@dataclass(frozen=True)
class _Layout:
    """What differs between layouts.

    text, memory: Bytes per token: of text in the index, of memory for the sort.
    table: Bytes per token, with shards of a number of tokens.
    speed: Tokens that one core sorts per second.
    reads: Of a cold count in one shard.
    most: Tokens of the largest shard that the format allows.
    complete: Whether `speed` is that of a whole build, tokenizing and disks included, as others published it.
    tokenizes: Whether it is over tokens.
    """

    name: str
    text: Callable[[Rates], float]
    table: Callable[[Rates, int], float]
    memory: Callable[[Rates], float]
    speed: Callable[[Rates], float]
    reads: Callable[[Rates], float]
    most: int = MAX_SHARD_TOKENS
    complete: bool = False
    tokenizes: bool = True


def _array(name: str, width: int) -> _Layout:
    return _Layout(
        name,
        text=lambda rates: width,
        table=lambda rates, shard: pointer_width(shard * width),
        memory=lambda rates: rates.sort_bytes if width == 2 else rates.sort_bytes_wide,
        speed=lambda rates: rates.sort_tokens / rates.sort_slowdown,
        reads=lambda rates: rates.cold_reads,
    )


def _compressed(name: str, keeps_text: bool) -> _Layout:
    return _Layout(
        name,
        text=lambda rates: rates.raw_bytes * rates.fm_text if keeps_text else 0.0,
        table=lambda rates, shard: rates.raw_bytes * rates.fm_size,
        memory=lambda rates: rates.raw_bytes * rates.fm_memory,
        speed=lambda rates: rates.fm_build_bytes / rates.raw_bytes,
        reads=lambda rates: rates.fm_cold_reads,
        tokenizes=False,
    )


_THEIRS = replace(
    _array("infini-gram", 2),
    memory=lambda rates: rates.ig_memory,
    speed=lambda rates: rates.ig_tokens,
    reads=lambda rates: rates.ig_cold_reads,
    most=1 << 39,
    complete=True,
)
_MINI = replace(
    _compressed("infini-gram-mini", False),
    memory=lambda rates: rates.raw_bytes * rates.mini_memory,
    speed=lambda rates: rates.mini_bytes / rates.raw_bytes,
    most=1 << 39,
    complete=True,
)
_LAYOUTS = (
    _array("u16", 2),
    _array("u32", 4),
    _compressed("fm", False),
    _compressed("fm-text", True),
    _THEIRS,
    _MINI,
)
LAYOUTS = tuple(layout.name for layout in _LAYOUTS)


def plan_index(tokens: int, fleet: Fleet | None = None, rates: Rates | None = None) -> tuple[Plan, ...]:
    """Estimate what an index would need, in every layout.

    tokens: Tokens of the corpus, 1 to 10¹⁵.
    fleet: The machines; one with 128 cores and 1 TiB if left out.
    rates: The rates; those that ship with the program if left out.
    Returns: One per layout, in the order of `LAYOUTS`.
    Raises `QueryError` if a number is out of range.

    Notes
    -----
    The formulas are in `FORMULAS`. Layouts over bytes count the bytes of `tokens` tokens: `raw_bytes` per token.

    Examples
    --------
    >>> small = plan_index(10**12)[0]
    >>> small.text_bytes, small.table_bytes
    (2000000000000, 4000000000000)
    """
    fleet = fleet or Fleet()
    if not (1 <= tokens <= 10**15 and fleet.machines >= 1 and fleet.cores >= 1 and fleet.memory >= 1 << 20):
        raise QueryError(
            mark("A plan is for 1 to 10¹⁵ tokens, on machines with a core and a megabyte of memory, or more."),
            reason="bad-plan",
        )
    return tuple(_plan(layout, tokens, fleet, rates or read_rates()) for layout in _LAYOUTS)


def _plan(layout: _Layout, tokens: int, fleet: Fleet, rates: Rates) -> Plan:
    memory = layout.memory(rates)
    fitting = int(fleet.memory * rates.memory_share / memory)
    shards = max(1, -(-tokens // max(1, min(fitting, layout.most))))
    shard = -(-tokens // shards)
    text, table = tokens * layout.text(rates), tokens * layout.table(rates, shard)
    kept, raw = tokens * rates.metadata_bytes, tokens * rates.raw_bytes
    index = text + table + kept
    tokenizing = tokens / rates.tokenize_tokens / _HOUR if layout.tokenizes and not layout.complete else 0.0
    sorting = tokens / layout.speed(rates) / _HOUR
    disk = 0.0 if layout.complete else (raw + 2 * index) / rates.disk_bytes / _HOUR
    # A machine without a shard has nothing to sort, and all tokenize.
    busy = min(fleet.machines, shards)
    hours = tokenizing / (fleet.machines * fleet.cores) + sorting / (busy * fleet.cores) + disk / busy
    rounds = math.ceil(shards / (fleet.machines * rates.reads_at_once))
    return Plan(
        layout.name,
        tokens,
        round(raw),
        round(text),
        round(table),
        round(kept),
        round(index),
        shards,
        shard,
        round(shard * memory),
        tokenizing,
        sorting,
        disk,
        hours,
        hours * fleet.machines * fleet.cores * rates.core_price,
        index / 1e9 * rates.disk_price,
        index / 1e9 * rates.object_price,
        layout.reads(rates) * rates.read_seconds * rounds,
    )
