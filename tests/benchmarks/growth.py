"""How the time of a query grows with the index: made-up texts of 1 to 500 million tokens.

usage: python tests/benchmarks/growth.py [--work FOLDER] [--most N] [--out FILE.md]
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from explorer import open_index
from explorer.index.writer import write_table
from explorer.jobs import CancelToken

SIZES = (1_000_000, 10_000_000, 100_000_000, 500_000_000)
_DOCUMENT = 600
_VOCABULARY = 30_000
_PHRASES = 200_000


def make_index(folder: Path, tokens: int) -> tuple[float, float]:
    """Phrases of a made-up language in random order; returns seconds and peak MiB of the sort."""
    folder.mkdir()
    generator = np.random.default_rng(tokens)
    ranks = np.minimum(generator.zipf(1.2, 4 * _PHRASES), _VOCABULARY - 1).astype("<u2")
    phrases = ranks.reshape(-1, 4)
    with open(folder / "tokenized.0", "wb") as file:
        for start in range(0, tokens, 4_000_000):
            size = min(4_000_000, tokens - start)
            part = phrases[generator.integers(0, len(phrases), size // 4)].reshape(-1)
            part[::_DOCUMENT] = 0xFFFF
            file.write(part.tobytes())
    text = np.memmap(folder / "tokenized.0", dtype="<u2", mode="r")
    (2 * np.flatnonzero(text == 0xFFFF)).astype("<u8").tofile(folder / "offset.0")
    started = time.perf_counter()
    write_table(folder, 0, 2, CancelToken(), np.zeros(1, dtype=np.int64))
    return time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def median(work: object, queries: list[list[int]]) -> float:
    seconds = []
    for _ in range(2):
        seconds = []
        for ids in queries:
            started = time.perf_counter()
            work(ids)  # type: ignore[operator]
            seconds.append(time.perf_counter() - started)
    return 1e6 * statistics.median(seconds)


def measure(folder: Path) -> tuple[float, float, float]:
    """Median microseconds of a 5-gram count, of ∞-gram prob behind 200 tokens, of 4-token next tokens."""
    corpus = open_index(folder)
    text = corpus.index.shards[0].tokens
    generator = random.Random(1)
    starts = [generator.randrange(len(text) - 300) for _ in range(400)]
    counts = median(corpus.count, [text[i : i + 5].tolist() for i in starts])
    backed = median(
        lambda ids: corpus.infgram_prob(ids[:-1], ids[-1]), [text[i : i + 201].tolist() for i in starts[:100]]
    )
    following = median(corpus.next_tokens, [text[i : i + 4].tolist() for i in starts])
    return counts, backed, following


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    lines = [
        "# Growth with the number of tokens",
        "",
        "| tokens | sort | peak memory | count, 5 tokens | ∞-gram prob | next tokens, 4 tokens |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    print("\n".join(lines))
    for tokens in SIZES:
        if tokens > args.most:
            continue
        with tempfile.TemporaryDirectory(dir=args.work) as folder:
            seconds, memory = make_index(Path(folder) / "index", tokens)
            counts, backed, following = measure(Path(folder) / "index")
        lines.append(
            f"| {tokens:,} | {seconds:.1f} s | {memory:,.0f} MiB | {counts:.1f} µs | {backed:.1f} µs | {following:.1f} µs |"
        )
        print(lines[-1], flush=True)
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
