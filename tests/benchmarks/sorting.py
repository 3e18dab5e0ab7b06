"""How long the suffixes of repetitive and other texts take to sort, with one thread and with two.

usage: python tests/benchmarks/sorting.py [INDEX…] [--tokens N] [--peer LIBSAIS.so] [--repeat N] [--out FILE.md]

INDEX: folders of indexes with two bytes per token, of which the first shards are sorted again. `--peer` names a shared
library of libsais 2 with `libsais16`, which then sorts the same symbols on one thread, in the same run, and to the same
order. Of each sort, the fastest of the repeated runs counts.
"""

from __future__ import annotations

import argparse
import ctypes
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from _fastsa import suffix_array


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", nargs="*", type=Path)
    parser.add_argument("--tokens", type=int, default=72_000_000)
    parser.add_argument("--peer", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def fibonacci(least: int) -> NDArray[np.uint16]:
    one, other = np.array([1], dtype=np.uint16), np.array([1, 2], dtype=np.uint16)
    while len(other) < least:
        one, other = other, np.concatenate([other, one])
    return other


def texts(args: argparse.Namespace) -> Iterator[tuple[str, NDArray[np.uint16], int]]:
    """A name, dense symbols from 1 on, and one more than the largest."""
    for folder in args.index:
        tokens = np.fromfile(folder / "tokenized.0", dtype=np.uint16, count=args.tokens)
        distinct, symbols = np.unique(tokens, return_inverse=True)
        yield folder.name, (symbols + 1).astype(np.uint16), len(distinct) + 1
    unit = np.random.default_rng(1).integers(1, 20_000, 3_000_000).astype(np.uint16)
    yield "ten copies of 3 million random tokens", np.tile(unit, 10), 20_000
    yield "a word of Fibonacci", fibonacci(30_000_000), 3
    yield "one line of 40 tokens, 700,000 times", np.tile(unit[:40], 700_000), 20_000


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def peer_of(path: Path | None) -> Callable[[NDArray[np.uint16]], NDArray[np.int32]] | None:
    if path is None:
        return None
    library = ctypes.CDLL(str(path.absolute()))

    def run(text: NDArray[np.uint16]) -> NDArray[np.int32]:
        order = np.empty(len(text), dtype=np.int32)
        failed = library.libsais16(
            ctypes.c_void_p(text.ctypes.data), ctypes.c_void_p(order.ctypes.data), len(text), 0, None
        )
        assert failed == 0
        return order

    return run


def row(name: str, text: NDArray[np.uint16], alphabet: int, peer: Any, repeat: int) -> str:
    best: dict[str, float] = {}
    with ThreadPoolExecutor(2) as pool:
        ways: dict[str, Callable[[], NDArray[np.int32]]] = {
            "one": lambda: suffix_array(text, alphabet),
            "two": lambda: suffix_array(text, alphabet, None, None, pool),
        }
        if peer is not None:
            ways["peer"] = lambda: peer(text)
        first = None
        for _ in range(repeat):
            for way, work in ways.items():
                seconds, order = timed(work)
                best[way] = min(seconds, best.get(way, seconds))
                first = order if first is None else first
                assert (order == first).all(), way
    tracemalloc.start()
    suffix_array(text, alphabet)
    bytes_each = tracemalloc.get_traced_memory()[1] / len(text)
    tracemalloc.stop()
    theirs = best.get("peer")
    ratios = [f"{best[way] / theirs:.2f}" if theirs else "" for way in ("one", "two")]
    cells = [
        name,
        f"{len(text):,}",
        f"{best['one']:.2f}",
        f"{best['two']:.2f}",
        f"{theirs:.2f}" if theirs else "",
        *ratios,
    ]
    return "| " + " | ".join([*cells, f"{bytes_each:.1f}"]) + " |"


def main() -> None:
    args = arguments()
    peer = peer_of(args.peer)
    lines = [
        "| text | tokens | one thread, s | two, s | libsais16, s | ratio, one | ratio, two | bytes per token |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    print("\n".join(lines), flush=True)
    for name, text, alphabet in texts(args):
        lines.append(row(name, text, alphabet, peer, args.repeat))
        print(lines[-1], flush=True)
    if args.out:
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
