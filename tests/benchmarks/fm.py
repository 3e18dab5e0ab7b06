"""The compressed index beside the suffix array and sdsl, on the same texts and in one run.

usage: python tests/benchmarks/fm.py TEXTS... [--work FOLDER] [--sdsl] [--only KIND] [--out FILE.md]

TEXTS are what `build` reads. Indexes are built in the work folder, or used if they exist. Patterns are 25 bytes drawn
from the texts. Times are the least of five rounds, since other programs run on the same machine. --sdsl compiles a
program with Debian's libsdsl-dev. `fm_oracle.py` compares the answers.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
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
SECTIONS = (
    "transform, counts",
    "transform, bits",
    "stored places, counts of which rows",
    "stored places, which rows",
    "stored places",
    "stored rows",
    "pairs of bytes",
    "documents, groups",
    "documents",
    "checksums",
)
PATTERNS, LENGTH, SNIPPET, ROUNDS = 10_000, 25, 200, 5
_BUILD = """
import re, sys, time
from explorer.cli.main import main
started = time.perf_counter()
code = main(sys.argv[1:])
# What the system counts in `ru_maxrss` includes the process that started this one.
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024
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


def drawn(index: Any) -> list[bytes]:
    """Patterns of the documents, the longer ones more often."""
    chance = np.random.default_rng(7)
    lengths = index.documents.lengths(index.documents.numbers())
    ends = np.cumsum(np.maximum(lengths - LENGTH + 1, 0))
    places = chance.integers(0, ends[-1], PATTERNS)
    documents = np.searchsorted(ends, places, side="right")
    firsts = lengths[documents] - LENGTH - (ends[documents] - 1 - places)
    return [bytes(window.tolist()) for window in index.documents.windows(documents, firsts, firsts + LENGTH)]


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


def sections(index: FmBackend) -> list[tuple[str, int]]:
    """What the files of an index consist of, and the bytes of each."""
    sizes: Counter[str] = Counter()
    for part in index.parts:
        head = np.fromfile(part.files.index, dtype="<u8", count=28)
        for number, name in enumerate(SECTIONS):
            sizes[name] += int(head[9 + 2 * number])
        sizes["metadata"] += part.files.lines.stat().st_size
        sizes["text"] += part.files.text.stat().st_size if part.files.text else 0
    total = sum(path.stat().st_size for part in index.parts for path in (part.files.index, part.files.lines))
    total += sizes["text"]
    return [*((name, size) for name, size in sizes.items() if size), ("first page, gaps", total - sum(sizes.values()))]


def with_sdsl(index: FmBackend, patterns: list[bytes], work: Path) -> list[dict[str, Any]]:
    """Two types of sdsl on the same text; byte 0, which it does not take, is written as 1."""
    source, program, text, queries = (work / name for name in ("sdsl.cpp", "sdsl", "sdsl.text", "sdsl.queries"))
    source.write_text(_SDSL)
    libraries = ["-lsdsl", "-ldivsufsort", "-ldivsufsort64"]
    subprocess.run(["g++", "-O3", "-march=native", "-o", str(program), str(source), *libraries], check=True)
    whole = [part.read(np.array([0]), np.array([part.size]))[0] for part in index.parts]
    np.maximum(np.concatenate(whole), 1).tofile(text)
    queries.write_bytes(b"".join(patterns))
    done = subprocess.run([program, text, queries, str(LENGTH)], check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@dataclass(frozen=True)
class Row:
    """One line of the table: sizes as shares of the text, seconds, and bytes per second."""

    name: str
    size: float
    build: float
    peak: float | None
    times: dict[str, float]

    def line(self, base: Row) -> str:
        """The line, with ratios to the times of another one."""
        peak = "" if self.peak is None else f"{self.peak:.1f}"
        cells = [f"{self.size:.3f}", f"{self.build / 1e6:.1f} MB/s", peak]
        for name, known in base.times.items():
            own = self.times.get(name)
            cells.append("" if own is None else f"{own * 1e6:.1f} µs ({own / known:.1f} ×)")
        return f"| {self.name} | " + " | ".join(cells) + " |"


def measured(texts: list[str], folder: Path, name: str, patterns: list[bytes]) -> tuple[Any, Row]:
    """An index of a kind, and its line."""
    facts = built(texts, folder, KINDS[name])
    opening = least(lambda: BACKENDS.open(IndexRequest((str(folder),))))
    index = BACKENDS.open(IndexRequest((str(folder),)))
    patterns += [] if patterns else drawn(index)
    size = index.token_count
    disk = sum(path.stat().st_size for path in folder.iterdir())
    times = timed(index, patterns) | {"open": opening}
    return index, Row(name, disk / size, size / facts["seconds"], facts["peak"] / size, times)


def main() -> None:
    """Run the benchmark, and print its tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="+")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--sdsl", action="store_true")
    parser.add_argument("--only", choices=KINDS, help="measure one kind of index")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    work = args.work or Path(tempfile.mkdtemp(prefix="fm-"))
    work.mkdir(parents=True, exist_ok=True)
    indexes: dict[str, Any] = {}
    patterns: list[bytes] = []
    rows: list[Row] = []
    for name in [args.only] if args.only else KINDS:
        indexes[name], row = measured(args.texts, work / name.replace(",", "").replace(" ", "-"), name, patterns)
        rows.append(row)
    small = next(reversed(indexes.values()))
    size = small.token_count
    if len(indexes) > 1:
        compare(indexes["suffix array, bytes"], small, patterns)
    for row in with_sdsl(indexes.get("compressed, with text", small), patterns, work) if args.sdsl else []:
        rows.append(Row(row["name"], row["bytes"] / size, size / row["build"], None, row))
    heads = ("index", "size / text", "build", "peak / text", *rows[0].times)
    lines = [f"| {' | '.join(heads)} |", "| " + " | ".join("---" for _ in heads) + " |"]
    lines += [row.line(rows[0]) for row in rows]
    lines.append(f"\n{size:,} bytes in {small.document_count:,} documents. Load {os.getloadavg()[0]:.1f} at the end.")
    if isinstance(small, FmBackend):
        lines += ["", "| part | bytes | of the text |", "| --- | --- | --- |"]
        lines += [f"| {name} | {number:,} | {number / size:.4f} |" for name, number in sections(small)]
    print("\n".join(lines))
    if args.out:
        args.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
