"""The compressed index beside the suffix array, a Rust FM-index and sdsl, on the same texts and in one run.

usage: python tests/benchmarks/fm.py TEXTS... [--work FOLDER] [--sdsl] [--oracle BYTES] [--out FILE.md]

TEXTS are what `build` reads. Indexes are built in the work folder, or used if they exist. Patterns are 25 bytes drawn
from the texts. Times are the least of five rounds, since other programs run on the same machine. The package fm-index
is asked about the first BYTES of the texts. --sdsl compiles a program with Debian's libsdsl-dev.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from explorer.backends.fm.backend import FmBackend
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest

KINDS = {
    "suffix array, bytes": ("--tokenizer", "bytes"),
    "compressed, with text": ("--format", "fm", "--keep-text"),
    "compressed": ("--format", "fm"),
}
PATTERNS, LENGTH, SNIPPET, ROUNDS = 10_000, 25, 200, 5
_BUILD = """
import resource, sys, time
from explorer.cli.main import main
started = time.perf_counter()
code = main(sys.argv[1:])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(f"{time.perf_counter() - started} {peak}", file=sys.stderr)
sys.exit(code)
"""
_SDSL = """
#include <sdsl/suffix_arrays.hpp>
#include <chrono>
#include <fstream>
#include <iostream>
using namespace sdsl; using Clock = std::chrono::steady_clock;
double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }
template <class Index> void run(const char *name, const char *text, const char *queries, int length) {
    Index index; auto start = Clock::now();
    construct(index, text, 1);
    double built = since(start), count = 1e9, locate = 1e9, snippet = 1e9; size_t total = 0;
    std::ifstream file(queries, std::ios::binary); std::vector<std::string> all; std::string one(length, 0);
    while (file.read(&one[0], length)) all.push_back(one);
    std::vector<size_t> firsts(all.size());
    for (int round = 0; round < 5; round++) {
        start = Clock::now(); total = 0;
        for (size_t i = 0; i < all.size(); i++) {
            size_t first = 0, last = 0;
            total += backward_search(index, 0, index.size() - 1, all[i].begin(), all[i].end(), first, last);
            firsts[i] = first;
        }
        count = std::min(count, since(start)); start = Clock::now(); size_t sum = 0;
        for (size_t i = 0; i < all.size(); i++) sum += index[firsts[i]];
        locate = std::min(locate, since(start)); start = Clock::now();
        for (size_t i = 0; i < 1000; i++) {
            size_t at = index[firsts[i]]; at = at > index.size() - 300 ? index.size() - 300 : at;
            sum += extract(index, at, at + 199)[0];
        }
        snippet = std::min(snippet, since(start)); if (sum == 0) std::cerr << "";
    }
    std::cout << "{\\"name\\": \\"" << name << "\\", \\"bytes\\": " << size_in_bytes(index) << ", \\"build\\": " << built
              << ", \\"count\\": " << count / all.size() << ", \\"locate\\": " << locate / all.size()
              << ", \\"snippet\\": " << snippet / 1000 << ", \\"total\\": " << total << "}" << std::endl;
}
int main(int, char **args) {
    int length = atoi(args[3]);
    run<csa_wt<wt_huff<rrr_vector<127>>, 32, 64>>("sdsl, huff + rrr127", args[1], args[2], length);
    run<csa_wt<wt_huff<hyb_vector<>>, 32, 64>>("sdsl, huff + hyb", args[1], args[2], length);
}
"""


def built(texts: list[str], folder: Path, options: tuple[str, ...]) -> dict[str, float]:
    """Build an index unless it is there; its seconds and its peak of memory are kept beside it."""
    record = folder.with_name(folder.name + ".json")
    if not record.exists():
        command = [sys.executable, "-P", "-c", _BUILD, "build", *texts, "--out", str(folder), *options]
        done = subprocess.run(command, check=True, stderr=subprocess.PIPE, text=True)
        seconds, peak = done.stderr.split()[-2:]
        record.write_text(json.dumps({"seconds": float(seconds), "peak": float(peak)}))
    found: dict[str, float] = json.loads(record.read_text())
    return found


def least(work: Callable[[], Any]) -> float:
    """Seconds of the fastest of some rounds."""
    found = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return min(found)


def drawn(array: Any) -> list[bytes]:
    """Patterns of the stored text, without separators."""
    chance = random.Random(7)
    tokens = np.concatenate([shard.tokens for shard in array.shards])
    found: list[bytes] = []
    while len(found) < PATTERNS:
        start = chance.randrange(len(tokens) - LENGTH)
        piece = tokens[start : start + LENGTH].tobytes()
        if b"\xff" not in piece:
            found.append(piece)
    return found


def timed(index: Any, patterns: list[bytes]) -> dict[str, float]:
    """Seconds of a count, of a place and of a snippet, from Python and in batches of the engine."""
    text = np.frombuffer(b"".join(patterns), dtype=np.uint8).astype(np.int64)
    starts = np.arange(0, len(text), LENGTH, dtype=np.int64)
    which, places = index.hits.some_places(text, starts, starts + LENGTH, 1, 0)
    few = slice(0, 1000)
    documents, offsets = places.documents[few], places.offsets[few]
    pages = [slice(at, at + 50) for at in range(0, 1000, 50)]

    def lines() -> None:
        for page in pages:
            index.documents.windows(documents[page], offsets[page] - 100, offsets[page] + 100)

    count = least(lambda: index.counts.count_many(text, starts, starts + LENGTH)) / len(starts)
    drawn_places = least(lambda: index.hits.some_places(text, starts, starts + LENGTH, 1, 0)) / len(which)
    ids = [list(pattern) for pattern in patterns[:2000]]
    return {
        "count": count,
        "single": least(lambda: [index.counts.count(one) for one in ids]) / len(ids),
        # A place is drawn after its n-gram was found.
        "locate": drawn_places - count,
        "snippet": least(lines) / 1000,
    }


def compare(array: Any, small: Any, patterns: list[bytes]) -> None:
    """Equal counts of all patterns, also with a changed byte, and equal places of those that are rare."""
    chance = random.Random(8)
    changed = [bytes([*one[:5], chance.randrange(255), *one[6:12]]) for one in patterns]
    for pattern in [*patterns, *changed]:
        ids = list(pattern)
        expected = array.counts.count(ids)
        assert small.counts.count(ids) == expected, pattern
        if 0 < expected < 50:
            assert places_of(small, ids) == places_of(array, ids), pattern


def places_of(index: Any, ids: list[int]) -> list[tuple[int, int]]:
    hits = index.hits.occurrences([index.hits.find(ids)])
    found = hits.locate(np.arange(hits.total, dtype=np.int64))
    return sorted(zip(found.documents.tolist(), found.offsets.tolist(), strict=True))


def oracle(small: FmBackend, patterns: list[bytes], size: int) -> dict[str, float]:
    """The package fm-index on the first bytes of the text: equal counts and places, and its times."""
    from fm_index import FMIndex

    (part, *_others) = small.parts
    text = b"".join(piece.tobytes() for piece in part.read(*(np.array([at]) for at in (0, min(size, part.size)))))
    started = time.perf_counter()
    other = FMIndex(text.decode("latin-1"))
    seconds = time.perf_counter() - started
    some = [pattern.decode("latin-1") for pattern in patterns]
    for pattern, spelled in zip(patterns[:2000], some, strict=False):
        first, last = part.engine.find(np.frombuffer(pattern, dtype=np.uint8))
        ends = part.engine.places(np.arange(first, min(last, first + 1000), dtype=np.int64))
        if last - first <= 1000:
            mine = sorted(at for at in (ends - len(pattern)).tolist() if at + len(pattern) <= len(text))
            assert sorted(other.locate(spelled)) == mine, pattern
            assert other.count(spelled) == len(mine), pattern
    return {"size": len(text), "build": seconds, "count": least(lambda: [other.count(one) for one in some]) / len(some)}


def with_sdsl(array: Any, patterns: list[bytes], work: Path) -> list[dict[str, Any]]:
    """Two types of sdsl on the same text; byte 0, which it does not take, is written as 1."""
    source, program, text, queries = (work / name for name in ("sdsl.cpp", "sdsl", "sdsl.text", "sdsl.queries"))
    source.write_text(_SDSL)
    libraries = ["-lsdsl", "-ldivsufsort", "-ldivsufsort64"]
    subprocess.run(["g++", "-O3", "-march=native", "-o", str(program), str(source), *libraries], check=True)
    tokens = np.concatenate([shard.tokens for shard in array.shards])
    np.maximum(tokens, 1).tofile(text)
    queries.write_bytes(b"".join(patterns))
    done = subprocess.run([program, text, queries, str(LENGTH)], check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    """Run the benchmark, and print its tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="+")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--sdsl", action="store_true")
    parser.add_argument("--oracle", type=int, default=0)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    work = args.work or Path(tempfile.mkdtemp(prefix="fm-"))
    work.mkdir(parents=True, exist_ok=True)
    lines = ["| index | bytes / text | build | peak / text | open | count, batch | count, single | place | 200 bytes |"]
    lines.append("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    indexes: dict[str, Any] = {}
    patterns: list[bytes] = []
    for name, options in KINDS.items():
        folder = work / name.replace(",", "").replace(" ", "-")
        facts = built(args.texts, folder, options)
        opening = least(lambda folder=folder: BACKENDS.open(IndexRequest((str(folder),))))
        index = indexes[name] = BACKENDS.open(IndexRequest((str(folder),)))
        size = index.token_count
        patterns = patterns or drawn(index)
        disk = sum(path.stat().st_size for path in folder.iterdir())
        times = timed(index, patterns)
        lines.append(
            f"| {name} | {disk / size:.3f} | {size / 1e6 / facts['seconds']:.1f} MB/s | {facts['peak'] / size:.2f} "
            f"| {opening * 1e3:.1f} ms | {times['count'] * 1e6:.1f} µs | {times['single'] * 1e6:.1f} µs "
            f"| {times['locate'] * 1e6:.1f} µs | {times['snippet'] * 1e6:.0f} µs |"
        )
    array, small = indexes["suffix array, bytes"], indexes["compressed"]
    compare(array, small, patterns)
    manifest = small.local.manifests[0]
    lines.append(
        f"\n{size:,} bytes in {small.document_count:,} documents, n/r = {manifest.repetition:.2f}. Equal counts of "
        f"{2 * PATTERNS:,} patterns, and equal places of the rare ones."
    )
    if args.oracle:
        found = oracle(small, patterns, args.oracle)
        lines.append(
            f"\nfm-index of the first {found['size']:,} bytes: equal counts and places of 2,000 patterns; built in "
            f"{found['build']:.1f} s, count {found['count'] * 1e6:.1f} µs."
        )
    for row in with_sdsl(array, patterns, work) if args.sdsl else []:
        lines.append(
            f"\n{row['name']}: {row['bytes'] / size:.3f} of the text, built with {size / 1e6 / row['build']:.1f} MB/s, "
            f"count {row['count'] * 1e6:.1f} µs, place {row['locate'] * 1e6:.1f} µs, 200 bytes "
            f"{row['snippet'] * 1e6:.0f} µs."
        )
    print("\n".join(lines))
    if args.out:
        args.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
