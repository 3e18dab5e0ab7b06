from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

class DamagedTable(ValueError):
    rank: int
    byte_offset: int
    name: str
    def __init__(self, rank: int, pointer_width: int, name: str = "") -> None: ...

class Stopped(Exception): ...
class BadIds(ValueError):
    kind: Literal["type", "dtype", "range"]
    value: Any
    largest: int | None
    def __init__(self, kind: Literal["type", "dtype", "range"], value: Any, largest: int | None) -> None: ...

def token_ids(ids: Any, largest: int) -> NDArray[np.int64]: ...

CAN_MAP: bool

class Mapping:
    def __init__(self, file: int, size: int, scattered: bool = False) -> None: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __len__(self) -> int: ...
    @property
    def broken(self) -> bool: ...

def enable_fault_guard() -> bool: ...
def any_broken() -> bool: ...

class Shard:
    name: str
    def __init__(self, tokens: Bytes, table: Bytes, token_width: int, pointer_width: int, name: str = "") -> None: ...
    @property
    def token_count(self) -> int: ...
    @property
    def token_width(self) -> int: ...
    def find(self, query: Bytes, first: int = 0, last: int = -1) -> tuple[int, int]: ...
    def find_many(
        self, query: Bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], stop: Bytes | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    def longest_matches(self, query: Bytes, stop: Bytes | None = None) -> NDArray[np.int64]: ...
    def next_tokens(
        self, first: int, last: int, depth: int, stop: Bytes | None = None
    ) -> tuple[NDArray[np.uint32], NDArray[np.int64]]: ...
    def tokens_after(
        self, ranks: NDArray[np.int64], depths: NDArray[np.int64], stop: Bytes | None = None
    ) -> NDArray[np.int64]: ...
    def positions(self, ranks: NDArray[np.int64], stop: Bytes | None = None) -> NDArray[np.int64]: ...
    def near(
        self,
        lows: NDArray[np.int64],
        highs: NDArray[np.int64],
        needles: Bytes,
        lengths: NDArray[np.int64],
        stop: Bytes | None = None,
    ) -> NDArray[np.bool_]: ...
    def sample_keys(self, step: int, stop: Bytes | None = None) -> NDArray[np.uint64]: ...
    def use_keys(self, keys: NDArray[np.uint64], step: int) -> None: ...

def first_disorder(shard: Shard, first: int, last: int, most: int, stop: Bytes | None = None) -> int: ...

LONGEST_NGRAM: int
LONGEST_PREFIX: int
LARGEST_ROOM: int

class LcpPass:
    def __init__(
        self, shard: Shard, separator: int, lengths: NDArray[np.uint16], rooms: Bytes, block: int, entry: int
    ) -> None: ...
    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    def advance(self, steps: int, stop: Bytes | None = None) -> None: ...

class LcpWalk:
    def __init__(
        self,
        shard: Shard,
        lengths: NDArray[np.uint16],
        rooms: Bytes,
        min_n: int,
        max_n: int,
        top: int,
        min_count: int,
        max_count: int,
    ) -> None: ...
    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def totals(self) -> NDArray[np.int64]: ...
    @property
    def spectrum(self) -> NDArray[np.int64]: ...
    def advance(self, ranks: int, stop: Bytes | None = None) -> None: ...
    def rows(self, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]: ...

class NgramWalk:
    def __init__(
        self,
        shards: Sequence[Shard],
        signs: NDArray[np.int64],
        firsts: NDArray[np.int64],
        lasts: NDArray[np.int64],
        separator: int,
        min_n: int,
        max_n: int,
        top: int,
        min_count: int,
        needle: Bytes,
        anchor: int,
    ) -> None: ...
    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def totals(self) -> NDArray[np.int64]: ...
    @property
    def spectrum(self) -> NDArray[np.int64]: ...
    def advance(self, ranks: int, stop: Bytes | None = None) -> None: ...
    def rows(self, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]: ...

class SuffixMerge:
    def __init__(
        self,
        shards: Sequence[Shard],
        lengths: Sequence[NDArray[np.uint16]],
        rooms: Sequence[Bytes],
        separator: int,
    ) -> None: ...
    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def compared(self) -> int: ...
    def take(
        self, most: int, stop: Bytes | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint16], NDArray[np.uint8]]: ...

class GrowthWalk:
    def __init__(self, min_n: int, max_n: int, least: int, borders: NDArray[np.int64]) -> None: ...
    def feed(
        self,
        places: NDArray[np.int64],
        lengths: NDArray[np.uint16],
        rooms: Bytes,
        stop: Bytes | None = None,
    ) -> None: ...
    def ended(self) -> NDArray[np.int64]: ...

class RepeatWalk:
    def __init__(self, least: int) -> None: ...
    def feed(
        self,
        places: NDArray[np.int64],
        lengths: NDArray[np.uint16],
        befores: NDArray[np.int64],
        stop: Bytes | None = None,
    ) -> None: ...
    def end(self) -> None: ...
    def taken(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

class ProfileWalk:
    def __init__(
        self, least: int, to_left: bool = False, preferred: NDArray[np.uint8] | NDArray[np.bool_] | None = None
    ) -> None: ...
    def feed(
        self,
        places: NDArray[np.int64],
        lengths: NDArray[np.uint16],
        rooms: NDArray[np.uint8],
        befores: NDArray[np.int64],
        stop: Bytes | None = None,
    ) -> None: ...
    def end(self) -> None: ...
    def taken(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    @property
    def spectrum(self) -> NDArray[np.int64]: ...

def longest_spans(spans: NDArray[np.int64]) -> int: ...
def copied_ranges(
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    others: NDArray[np.int64] | None,
    firsts: NDArray[np.int64],
    length: int,
    apart: int,
    stop: Bytes | None = None,
) -> NDArray[np.int64]: ...
def first_copies(
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    others: NDArray[np.int64],
    length: int,
    places: NDArray[np.int64],
    stop: Bytes | None = None,
) -> NDArray[np.int64]: ...
def document_counts(
    shard: Shard,
    offsets: NDArray[np.uint64],
    firsts: NDArray[np.int64],
    lasts: NDArray[np.int64],
    stop: Bytes | None = None,
) -> NDArray[np.int64]: ...

class OrderCheck:
    def __init__(self, shard: Shard, tokens: NDArray[np.uint32], starts: NDArray[np.int64]) -> None: ...
    @property
    def done(self) -> int: ...
    def advance(self, ranks: int, stop: Bytes | None = None) -> int: ...
    def unmet(self) -> int: ...

class Searcher:
    def __init__(self, added: Sequence[Shard], subtracted: Sequence[Shard], backward: Sequence[bool]) -> None: ...
    def count(self, ids: Any) -> int: ...
    def prob(self, context: Any, token: int) -> tuple[int, int]: ...
    def infgram_prob(self, context: Any, token: int) -> tuple[int, int, int]: ...
    def longest_occurring_suffix(self, context: Any) -> int: ...
    def levels(
        self, context: Sequence[int] | NDArray[Any], least: int, most: int, selective: bool, stop: Bytes | None = None
    ) -> tuple[int, bool, list[tuple[int, int, NDArray[np.int64], NDArray[np.int64]]]]: ...
    def greedy(
        self, context: Sequence[int] | NDArray[Any], most: int, least: float, stop: Bytes | None = None
    ) -> tuple[int, list[int]]: ...
    def next_tokens(
        self, context: Any, backoff: bool, stop: Bytes | None = None
    ) -> tuple[int, int, NDArray[np.int64], NDArray[np.int64]]: ...

def suffix_array(
    text: NDArray[Any],
    alphabet: int,
    stop: Bytes | None = None,
    progress: NDArray[np.int64] | None = None,
    pool: Executor | None = None,
) -> NDArray[np.int32]: ...
def pack_pointers(positions: NDArray[np.int32], token_width: int, out: Bytes, pointer_width: int) -> None: ...
def used_tokens(tokens: NDArray[np.uint16]) -> NDArray[np.bool_]: ...
def replace_tokens(tokens: NDArray[np.uint16], symbols: NDArray[np.uint16], out: NDArray[np.uint16]) -> None: ...

class Pieces:
    def __init__(self, data: Bytes, starts: NDArray[np.int64]) -> None: ...

class WordsNear:
    def __init__(self, pieces: Pieces, classes: Bytes, seed: int = 0) -> None: ...
    def __len__(self) -> int: ...
    def find(
        self,
        shard: Shard,
        firsts: NDArray[np.int64],
        limits: NDArray[np.int64],
        step: int,
        number: int,
        stop: Bytes | None = None,
        parts: NDArray[np.int64] | None = None,
        rests: NDArray[np.int64] | None = None,
    ) -> NDArray[np.uint32]: ...
    def spellings(self) -> tuple[Bytes, NDArray[np.int64], NDArray[np.int64]]: ...

def run_hashes(
    shard: Shard,
    firsts: NDArray[np.int64],
    lasts: NDArray[np.int64],
    marks: NDArray[np.int64],
    stop: Bytes | None = None,
) -> NDArray[np.uint64]: ...

class WordCutter:
    def __init__(
        self, data: Bytes, starts: NDArray[np.int64], classes: Bytes, signs: bool = False, seed: int = 0
    ) -> None: ...
    def __len__(self) -> int: ...
    def cut(
        self,
        tokens: Bytes,
        width: int,
        place: int,
        ids: NDArray[np.uint32],
        places: NDArray[np.int64],
        stop: Bytes | None = None,
    ) -> tuple[int, int]: ...
    def finish(self, ids: NDArray[np.uint32], places: NDArray[np.int64]) -> int: ...
    def spellings(self) -> tuple[Bytes, NDArray[np.int64], NDArray[np.int64]]: ...

BEGINS_IN_WORD: int
BEGINS_TEXT: int
ENDS_TEXT: int

class Cut:
    ends: NDArray[np.int64]
    entries: NDArray[np.int64]
    firsts: NDArray[np.int64]
    start: int
    def bytes_of(self, text: bytes, numbers: NDArray[np.int64]) -> tuple[bytes, NDArray[np.int64]]: ...

class ChunkTable:
    def __init__(self, starters: Bytes, room: int) -> None: ...
    def __len__(self) -> int: ...
    @property
    def is_full(self) -> bool: ...
    def forget(self) -> None: ...
    def cut(self, text: bytes, bounds: NDArray[np.int64], first: int, last: int) -> Cut: ...
    def admit(self, text: bytes, cut: Cut) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    def learn(
        self, entries: NDArray[np.int64], ids: NDArray[np.uint32], bounds: NDArray[np.int64]
    ) -> None: ...
    def joined(
        self, cut: Cut, others: NDArray[np.uint32], other_bounds: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint32], NDArray[np.int64]]: ...

class RepeatCount:
    def __init__(self, window: int, room: NDArray[np.int64]) -> None: ...
    def add(self, words: NDArray[np.int64], ends: NDArray[np.int64], stop: Bytes | None = None) -> None: ...
    def take(self) -> tuple[NDArray[np.int64], int, int, float, float]: ...

class TooBroad(Exception):
    done: int
    groups: int
    occurrences: int
    def __init__(self, done: int, groups: int, occurrences: int) -> None: ...

class Automaton(Protocol):
    @property
    def table(self) -> NDArray[np.int32]: ...
    @property
    def filled(self) -> bytearray: ...
    @property
    def at_end(self) -> bytearray: ...
    @property
    def starts(self) -> NDArray[np.int32]: ...
    def fill(self, number: int) -> None: ...

class Vocabulary:
    def __init__(
        self, data: Bytes, starts: NDArray[np.int64], order: NDArray[np.int32], kinds: NDArray[np.int8]
    ) -> None: ...
    @property
    def token_count(self) -> int: ...
    def steps(
        self, automaton: Automaton, state: int, stop: Bytes | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
    def beginnings(self, automaton: Automaton, stop: Bytes | None = None) -> NDArray[np.int32]: ...

class Walk:
    looked: int
    def __init__(
        self,
        shard: Shard,
        vocabulary: Vocabulary,
        automaton: Automaton,
        separator: int,
        limit: int = 1 << 22,
        most: int = 1 << 62,
    ) -> None: ...
    def run(
        self,
        tokens: NDArray[np.int64],
        firsts: NDArray[np.int64],
        lasts: NDArray[np.int64],
        states: NDArray[np.int32],
        stop: Bytes | None = None,
    ) -> NDArray[np.int64]: ...

class ReversedWalk(Walk): ...

class LongestAutomaton(Protocol):
    @property
    def table(self) -> NDArray[np.int32]: ...
    @property
    def starts(self) -> NDArray[np.int32]: ...
    def fill(self, number: int, column: int) -> None: ...

def scan_matches(
    data: Bytes | bytes,
    automaton: LongestAutomaton,
    kinds: NDArray[np.int8],
    first: int,
    last: int,
    whole: bool,
    stop: Bytes | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]: ...
def ranges_before(
    shard: Shard,
    lows: NDArray[np.int64],
    highs: NDArray[np.int64],
    ranks: NDArray[np.int64],
    lengths: NDArray[np.int64],
    stop: Bytes | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def followers(
    shard: Shard,
    firsts: NDArray[np.int64],
    lasts: NDArray[np.int64],
    lengths: NDArray[np.int64],
    separator: int,
    stop: Bytes | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def hints(
    shards: Sequence[Shard],
    backward: Sequence[bool],
    ids: NDArray[np.int64],
    places: NDArray[np.int64],
    begins: NDArray[np.int64],
    numbers: NDArray[np.int64],
    plateau: int,
    samples: int,
    context: int,
    leaves_out: bool,
    is_inside: bool,
    seed: int,
    stop: Bytes | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]: ...
def ranges_to_end(
    shard: Shard,
    firsts: NDArray[np.int64],
    lasts: NDArray[np.int64],
    lengths: NDArray[np.int64],
    separator: int,
    stop: Bytes | None = None,
) -> NDArray[np.int64]: ...
