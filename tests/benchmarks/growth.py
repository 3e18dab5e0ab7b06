"""How builds and queries grow with the index: made-up texts of 1 million to 2 billion tokens.

usage: python tests/benchmarks/growth.py [--work FOLDER] [--most N] [--out FILE.md]

Each corpus is four folders of one shard. They are asked by one process as one index, warm and cold, and by three
workers of a cluster, of which one has two folders. 2 billion tokens need 13 GB in the work folder, and 5 GB of memory.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from explorer import Corpus, open_index
from explorer.core.jobs import CancelToken
from explorer.index.writer import write_table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

SIZES = (1_000_000, 10_000_000, 100_000_000, 500_000_000, 2_000_000_000)
FOLDERS = 4
_DOCUMENT = 600
_VOCABULARY = 30_000
_PHRASES = 200_000
_COLD = 30
"""Queries that are asked with nothing of the index in memory."""


def make_folder(folder: Path, tokens: int, seed: int) -> float:
    """Phrases of a made-up language in random order; returns the seconds of the sort."""
    folder.mkdir(parents=True)
    language = np.random.default_rng(5)
    phrases = np.minimum(language.zipf(1.2, 4 * _PHRASES), _VOCABULARY - 1).astype("<u2").reshape(-1, 4)
    generator = np.random.default_rng(seed)
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
    return time.perf_counter() - started


def microseconds(work: Callable[[list[int]], object], ids: list[int]) -> float:
    started = time.perf_counter()
    work(ids)
    return 1e6 * (time.perf_counter() - started)


def warm(work: Callable[[list[int]], object], queries: Sequence[list[int]]) -> float:
    """The median, of the second of two rounds."""
    for ids in queries:
        work(ids)
    return statistics.median(microseconds(work, ids) for ids in queries)


def cold(number: int, queries: Sequence[list[int]], folders: Sequence[Path]) -> float:
    """The median, with no page of the files in memory before each index is opened; opening does not count."""
    times = []
    for ids in queries[:_COLD]:
        for path in (path for folder in folders for path in folder.iterdir()):
            handle = os.open(path, os.O_RDONLY)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)
        # Pages that are mapped could not be dropped, so the index was closed.
        with open_index(folders) as corpus:
            times.append(microseconds(works(corpus)[number], ids))
        gc.collect()
    return statistics.median(times)


def works(corpus: Corpus) -> tuple[Callable[[list[int]], object], ...]:
    """A count of 5 tokens, the ∞-gram probability of a token after 200, and what follows 4 tokens."""
    return (
        lambda ids: corpus.count(ids[:5]),
        lambda ids: corpus.infgram_prob(ids[:200], ids[200]),
        lambda ids: corpus.next_tokens(ids[:4]),
    )


def measure(root: Path) -> list[float]:
    # Pages that are not yet on the disk cannot be dropped.
    os.sync()
    folders = sorted(root.glob("worker-*/part-*"))
    text = np.memmap(folders[0] / "tokenized.0", dtype="<u2", mode="r")
    generator = random.Random(1)
    queries = [text[i : i + 201].tolist() for i in (generator.randrange(len(text) - 300) for _ in range(200))]
    del text
    with open_index(folders) as corpus:
        found = [warm(work, queries) for work in works(corpus)]
    del corpus
    gc.collect()
    found += [cold(number, queries, folders) for number in (0, 1)]
    return found + of_workers(root, queries)


def of_workers(root: Path, queries: Sequence[list[int]]) -> list[float]:
    from cluster import started

    with started({path.name: path for path in root.iterdir()}) as workers, open_index(workers.address) as corpus:
        return [warm(work, queries[:100]) for work in works(corpus)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    lines = [
        "| tokens | sort | peak memory | count | ∞-gram | next tokens | count, cold | ∞-gram, cold "
        "| count, 3 workers | ∞-gram, 3 workers | next tokens, 3 workers |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    print("\n".join(lines))
    for tokens in SIZES:
        if tokens > args.most:
            continue
        with tempfile.TemporaryDirectory(dir=args.work) as place:
            seconds = sum(
                make_folder(Path(place, f"worker-{number % 3}", f"part-{number}"), tokens // FOLDERS, number + tokens)
                for number in range(FOLDERS)
            )
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            times = measure(Path(place))
        cells = [f"{time:,.1f} µs" if time < 1000 else f"{time / 1000:,.1f} ms" for time in times]
        lines.append(f"| {tokens:,} | {seconds:.1f} s | {memory:,.0f} MiB | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    if args.out:
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
