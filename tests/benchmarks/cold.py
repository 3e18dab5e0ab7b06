"""Bytes that a cold 5-gram count reads from the disk, by this engine and by the infini-gram package's.

usage: python tests/benchmarks/cold.py INDEX [--queries N]

Each engine runs in a process of its own. Before each query the index's pages (and our cached keys) are
dropped from memory with posix_fadvise, and the process's own count of bytes read is compared before and
after. Linux only; the index must not be in use elsewhere.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import random
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np


def read_bytes() -> int:
    text = Path("/proc/self/io").read_text()
    return int(text.split("read_bytes: ")[1].split()[0])


def drop(paths: list[Path]) -> None:
    for path in paths:
        handle = os.open(path, os.O_RDONLY)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(handle)


def files_of(folder: Path) -> list[Path]:
    from explorer.core.files.paths import cache_folder

    return [*folder.glob("tokenized.*"), *folder.glob("table.*"), *cache_folder().glob("*.keys")]


def unmapped_pages(maps: list[mmap.mmap]) -> None:
    """Pages that are mapped stay in memory: let go of them."""
    for mapped in maps:
        mapped.madvise(mmap.MADV_DONTNEED)


def run(engine: str, folder: Path, queries: list[list[int]]) -> list[int]:
    if engine == "ours":
        from explorer.core.files import mapped

        maps: list[mmap.mmap] = []
        original = mmap.mmap

        class Kept(original):  # type: ignore[valid-type, misc]
            def __init__(self, *arguments: object, **named: object) -> None:
                maps.append(self)

        mapped.mmap.mmap = Kept
        from explorer import open_index

        corpus = open_index(folder)
        count = corpus.count
    else:
        from infini_gram.engine import InfiniGramEngine

        maps = []
        package = InfiniGramEngine(str(folder), eos_token_id=65534, vocab_size=65535)
        count = package.count
    costs = []
    for ids in queries:
        unmapped_pages(maps)
        drop(files_of(folder))
        before = read_bytes()
        count(ids)
        costs.append(read_bytes() - before)
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--engine", choices=["ours", "package"])
    args = parser.parse_args()
    text = np.memmap(args.index / "tokenized.0", dtype="<u2", mode="r")
    generator = random.Random(11)
    queries: list[list[int]] = []
    while len(queries) < args.queries:
        start = generator.randrange(len(text) - 5)
        ids = text[start : start + 5].tolist()
        if 65535 not in ids:
            queries.append(ids)
    del text
    if args.engine:
        print(json.dumps(run(args.engine, args.index, queries)))
        return
    for engine in ("ours", "package"):
        command = [sys.executable, __file__, str(args.index), "--queries", str(args.queries), "--engine", engine]
        costs = json.loads(subprocess.run(command, check=True, capture_output=True).stdout.splitlines()[-1])
        kib = [cost / 1024 for cost in costs]
        print(
            f"{engine}: median {statistics.median(kib):.0f} KiB, mean {statistics.mean(kib):.0f}, most {max(kib):.0f}"
        )


if __name__ == "__main__":
    main()
