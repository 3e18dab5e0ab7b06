"""Cold counts from an index folder on a web server, with and without published keys: time, requests and bytes.

usage: python tests/benchmarks/ranges.py [--tokens N] [--delay MS] [--queries N] [--folder DIR]

Makes an index of N tokens of two bytes (394 million by default, as of the Pile's validation set: 2.4 GB and half a
minute or more) in a temporary folder, or in DIR, where it is kept. A server in a process of its own delays each answer.
Each query is asked by an index that was just opened, so nothing of it is kept. The targets are 0.4 s with keys, 1.2 s
without, and 1 MB, at 40 ms.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

VOCABULARY = 32_000
DOCUMENT = 1_836
"""Tokens of a document of the Pile's validation set, on average."""
LENGTHS = (1, 2, 3, 5, 8)


def make_index(folder: Path, tokens: int) -> None:
    """Words of a Zipf distribution, and passages that occur twice, so that n-grams of all lengths do."""
    from explorer.core.jobs import CancelToken
    from explorer.index.writer import write_table

    folder.mkdir(parents=True)
    draw = np.random.default_rng(1)
    text = np.memmap(folder / "tokenized.0", dtype="<u2", mode="w+", shape=(tokens,))
    for first in range(0, tokens, 1 << 24):
        size = min(1 << 24, tokens - first)
        text[first : first + size] = np.minimum(draw.zipf(1.15, size), VOCABULARY) - 1
        if first:
            text[first : first + size // 8] = text[: size // 8]
    starts = np.arange(0, tokens, DOCUMENT, dtype="<u8")
    text[starts] = 0xFFFF
    text.flush()
    (starts * 2).tofile(folder / "offset.0")
    write_table(folder, 0, 2, CancelToken(), np.zeros(1, dtype=np.int64))


@contextmanager
def serving(folder: Path, delay: float) -> Iterator[str]:
    """The address of a server of the folder, in a process of its own."""
    code = (
        f"import sys; sys.path.insert(0, {sys.path[0]!r})\n"
        "from pathlib import Path; from range_server import RangeServer\n"
        f"with RangeServer(Path({str(folder)!r}), delay={delay}) as server:\n"
        "    print(server.url, flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        yield process.stdout.readline().decode().strip()
        process.stdin.close()


def measured(url: str, queries: list[list[int]]) -> list[dict[str, Any]]:
    """Each query, asked by an index that was just opened."""
    from explorer import open_index

    rows = []
    for query in queries:
        begun = time.perf_counter()
        index: Any = open_index(url).index
        opened = time.perf_counter() - begun
        blocks = index.shards.blocks
        before = (blocks.rounds, blocks.requests, blocks.bytes)
        begun = time.perf_counter()
        count = index.counts.count(query)
        seconds = time.perf_counter() - begun
        rounds, requests, size = (
            now - then for now, then in zip((blocks.rounds, blocks.requests, blocks.bytes), before, strict=True)
        )
        rows.append(
            {"n": len(query), "count": count, "opened": opened, "s": seconds}
            | {"rounds": rounds, "requests": requests, "bytes": size, "opening_bytes": before[2]}
        )
    return rows


def show(title: str, rows: list[dict[str, Any]]) -> None:
    """The median and the worst of each figure."""
    print(f"\n{title}: {len(rows)} cold counts")
    for name in ("opened", "s", "rounds", "requests", "bytes", "opening_bytes"):
        values = [row[name] for row in rows]
        print(f"  {name:14} median {statistics.median(values):12,.3f}   worst {max(values):12,.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, default=394_000_000)
    parser.add_argument("--delay", type=float, default=40.0, metavar="MS")
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        top = args.folder or Path(temporary)
        folder = top / "index"
        if not (folder / "table.0").is_file():
            begun = time.perf_counter()
            make_index(folder, args.tokens)
            print(f"made in {time.perf_counter() - begun:.0f} s")
        text = np.memmap(folder / "tokenized.0", dtype="<u2", mode="r")
        draw = np.random.default_rng(5)
        starts = draw.integers(0, len(text) - 20, args.queries).tolist()
        queries = [text[at : at + LENGTHS[i % len(LENGTHS)]].tolist() for i, at in enumerate(starts)]
        (folder / "keys.0").unlink(missing_ok=True)
        with serving(top, args.delay / 1000) as url:
            show(f"{len(text):,} tokens, {args.delay:g} ms, without keys", measured(f"{url}/index/", queries))
            from explorer.backends.bucket.publishing import write_keys

            (written,) = write_keys(folder, folder)
            print(f"\nkeys: {written.size:,} bytes, one per {written.step} suffixes")
            show(f"{len(text):,} tokens, {args.delay:g} ms, with keys", measured(f"{url}/index/", queries))


if __name__ == "__main__":
    main()
