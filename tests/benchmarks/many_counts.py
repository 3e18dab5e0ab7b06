"""How long 100,000 counts take in one call, against a loop and, where it is installed, the infini-gram package.

usage: python tests/benchmarks/many_counts.py INDEX [--ngrams N] [--repeats N] [--fail]

The n-grams are of 1 to 5 tokens, from documents of the index. Machines differ, so the ratios matter; with --fail, the
program ends with 1 unless one call is at least twice as fast as the loop.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from explorer import open_index

MOST_TOKENS = 2_000_000


def ngrams_of(corpus, count: int) -> list[list[int]]:
    """N-grams that occur, drawn with a fixed seed."""
    random = np.random.default_rng(7)
    documents = corpus.index.documents.numbers()
    chosen = np.sort(random.choice(documents, min(len(documents), 1_000), replace=False))
    firsts = np.zeros(len(chosen), dtype=np.int64)
    windows = corpus.index.documents.windows(chosen, firsts, firsts + MOST_TOKENS // len(chosen))
    text = np.concatenate(windows)
    lengths = random.integers(1, 6, count)
    starts = random.integers(0, len(text) - 5, count)
    return [text[at : at + length].tolist() for at, length in zip(starts.tolist(), lengths.tolist(), strict=True)]


def best(work: Callable[[], object], repeats: int) -> float:
    """Seconds of the fastest of some runs: the others were held up by something else."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def package_seconds(corpus, ngrams: list[list[int]], repeats: int) -> float | None:
    """Seconds of the infini-gram package, from a twentieth of the n-grams; None where it is not installed."""
    try:
        from infini_gram.engine import InfiniGramEngine
    except ImportError:
        return None
    separator = corpus.index.separator
    width = {2: "u16", 4: "u32"}.get(corpus.index.local.token_width, "u8")
    engine = InfiniGramEngine(str(corpus.folders[0]), separator - 1, vocab_size=separator, token_dtype=width)
    some = ngrams[: max(1, len(ngrams) // 20)]
    return len(ngrams) / len(some) * best(lambda: [engine.count(ids) for ids in some], repeats)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--ngrams", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--fail", action="store_true")
    args = parser.parse_args()
    corpus = open_index(args.index)
    ngrams = ngrams_of(corpus, args.ngrams)
    arrays = [np.array(ids) for ids in ngrams]
    seconds = {
        "one call, lists": best(lambda: corpus.count_many(ngrams), args.repeats),
        "one call, arrays": best(lambda: corpus.count_many(arrays), args.repeats),
        "one call, lists, two threads": best(lambda: corpus.count_many(ngrams, threads=2), args.repeats),
        "a loop over count": best(lambda: [corpus.count(ids) for ids in ngrams], args.repeats),
    }
    if (package := package_seconds(corpus, ngrams, args.repeats)) is not None:
        seconds["the infini-gram package"] = package
    print(f"{corpus.token_count:,} tokens; {len(ngrams):,} n-grams")
    for what, took in seconds.items():
        print(f"{what:30} {took:8.3f} s {took / seconds['one call, lists']:8.2f} x")
    return 1 if args.fail and seconds["a loop over count"] < 2 * seconds["one call, lists"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
