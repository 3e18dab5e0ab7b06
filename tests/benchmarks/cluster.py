"""How long a cluster of processes on this machine takes for a count, beside one process with the same folders.

usage: python tests/benchmarks/cluster.py [--shards 1000] [--workers 4] [--rounds 200] [--kills 20] [--out FILE.md]

Each worker is a process with a folder of its own. The shards are tiny: what is measured are messages, not searches. Counts are
asked by turns of the cluster and of one process, in one run.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=int, default=1_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def built(args: argparse.Namespace, root: Path) -> list[Path]:
    """A folder per shard, divided among the workers' folders."""
    from explorer import build_index

    found = []
    for number in range(args.shards):
        folder = root / f"worker-{number % args.workers}" / f"part-{number}"
        build_index([{"text": f"the cat {number} sat on the mat of the dog"}], folder, tokenizer="bytes")
        found.append(folder)
    return found


def timed(work: Callable[[], object]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def share(times: list[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]


def measure(args: argparse.Namespace, root: Path) -> list[str]:
    from cluster import started

    from explorer import open_index

    folders = built(args, root)
    whole = open_index(folders)
    ids = [*b"the cat"]
    with started({f"w{n}": root / f"worker-{n}" for n in range(args.workers)}) as workers:
        opening = timed(lambda: open_index(workers.address))
        corpus = open_index(workers.address)
        asking = corpus.index.parts.backends[0]._asker.send.cluster
        assert corpus.index.counts.count(ids) == whole.index.counts.count(ids) == args.shards
        before = asking.asked
        ours = [timed(lambda: corpus.index.counts.count(ids)) for _ in range(args.rounds)]
        messages = (asking.asked - before) / args.rounds
        one = [timed(lambda: whole.index.counts.count(ids)) for _ in range(args.rounds)]
        back = []
        for number in range(args.kills):
            workers.wait()
            workers.kill(f"w{number % args.workers}")
            back.append(timed(lambda: corpus.index.counts.count(ids)))
            assert corpus.index.counts.count(ids) == args.shards
    return [
        f"{args.shards:,} shards of one document on {args.workers} workers, {os.cpu_count()} cores.",
        "",
        "| | |",
        "| --- | --- |",
        f"| open | {opening / 1000:.1f} s |",
        f"| messages per count | {messages:.1f} |",
        f"| count, median | {statistics.median(ours):.1f} ms |",
        f"| count, 99 % | {share(ours, 0.99):.1f} ms |",
        f"| count in one process, median | {statistics.median(one):.2f} ms |",
        f"| the next count after a worker was killed, median of {args.kills} | {statistics.median(back) / 1000:.1f} s |",
        f"| … longest | {max(back) / 1000:.1f} s |",
    ]


def main() -> None:
    args = arguments()
    with tempfile.TemporaryDirectory() as place:
        lines = measure(args, Path(place))
    print("\n".join(lines))
    if args.out:
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
