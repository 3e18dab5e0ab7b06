"""The same repeats found by deduplicate-text-datasets and by ours, on one file, with the times of every step.

usage: python tests/benchmarks/duplicates_peer.py PROGRAM TEXTS.jsonl [--length BYTES] [--work FOLDER]

PROGRAM is `dedup_dataset`, which whoever measures has built (github.com/google-research/deduplicate-text-datasets). The
rule is its own: all copies go. It reads the file `texts` that our export writes, and the bytes that the two remove are
compared. Two differences are meant: its matches run on into the bytes between two texts, so it removes more at the
borders of texts; and our export keeps characters whole, of which a match of bytes can have a part.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np


def timed(name: str, *command: object, out: Path | None = None) -> float:
    """Run a program; seconds that it took."""
    started = time.perf_counter()
    with open(out or os.devnull, "wb") as file:
        subprocess.run([str(word) for word in command], check=True, stdout=file, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - started
    print(f"| {name} | {seconds:.1f} |", flush=True)
    return seconds


def removed(ranges: Path, sizes: Path) -> np.ndarray:
    """Which bytes of a file of texts are removed; those between two texts never are."""
    lines = ranges.read_text().splitlines()
    pairs = [tuple(map(int, line.split())) for line in lines[lines.index("out") + 1 :]]
    ends = np.fromfile(sizes, np.int64)
    steps = np.zeros(int(ends[-1]) + 1, np.int32)
    for first, end in pairs:
        steps[first] += 1
        steps[end] -= 1
    gone = np.cumsum(steps[:-1]) > 0
    # FF FF and four bytes of a number before each text.
    for begin in ends[:-1].tolist():
        gone[begin : begin + 6] = False
    return gone


def at_borders(theirs: np.ndarray, ours: np.ndarray, sizes: Path) -> int:
    """Bytes that only the first removes, in cuts that begin or end with a text."""
    other = np.flatnonzero(theirs & ~ours)
    kept = np.concatenate(([-1], np.flatnonzero(~theirs), [len(theirs)]))
    after = np.searchsorted(kept, other)
    # What is between two texts counts as kept, so a cut that reaches it is next to one of its bytes.
    headers = (np.fromfile(sizes, np.int64)[:, None] + np.arange(6)).ravel()
    return int((np.isin(kept[after], headers) | np.isin(kept[after - 1], headers)).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--length", type=int, default=100)
    parser.add_argument("--work", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        measure(args.program.resolve(), args.texts.resolve(), args.length, args.work or Path(temporary))


def measure(program: Path, texts: Path, length: int, place: Path) -> None:
    os.environ["CORPUS_EXPLORER_CACHE"] = str(place / "cache")
    ours = [sys.executable, "-P", "-m", "explorer"]
    index, cut, data = place / "index", place / "cut", place / "texts.bin"
    print("| step | seconds |\n| --- | ---: |")
    asked = [*ours, "duplicates", index, "--length", length, "--rule", "all", "--json"]
    first = timed("ours: index", *ours, "build", texts, "--out", index, "--tokenizer", "bytes")
    first += timed("ours: one length, the first time", *asked, out=place / "answer.json")
    timed("ours: another length", *[word if word != length else 2 * length for word in asked])
    timed("ours: export", *asked, "--out", cut, "--format", "byterange")
    os.link(cut / "texts", data)
    (place / "found").mkdir()
    theirs = make_table(program, data, place)
    each = [program, "self-similar", "--data-file", data, "--length-threshold", length, "--cache-dir", place / "found"]
    theirs += timed("deduplicate-text-datasets: self-similar", *each, "--num-threads", 2)
    each[1] = "collect"
    theirs += timed("deduplicate-text-datasets: collect", *each, out=place / "ranges")
    print(f"\nfirst answer: ours {first:.1f} s, theirs {theirs:.1f} s; ours took {first / theirs:.2f} times as long")
    both = removed(place / "ranges", cut / "texts.size"), removed(cut / "texts.remove.byterange", cut / "texts.size")
    told = json.loads((place / "answer.json").read_text())
    print(f"bytes removed: theirs {both[0].sum():,}, ours {both[1].sum():,}")
    print(f"only theirs at a text's border {at_borders(*both, cut / 'texts.size'):,}")
    print(f"only theirs in parts of characters {told['tokens_removed'] - both[1].sum():,}")
    print(f"only ours {(both[1] & ~both[0]).sum():,}, only theirs {(both[0] & ~both[1]).sum():,}")


def make_table(program: Path, data: Path, place: Path) -> float:
    """Its table in two parts at once, which it merges: as its own script does, with one part per core."""
    size, overlap = data.stat().st_size, 100_000
    half = size // 2
    parts = [(0, half + overlap), (half, size)]
    started = time.perf_counter()
    made = [
        subprocess.Popen(
            [program, "make-part", "--data-file", data, "--start-byte", str(first), "--end-byte", str(end)],
            stdout=subprocess.DEVNULL,
        )
        for first, end in parts
    ]
    if any(process.wait() for process in made):
        raise SystemExit("make-part failed")
    names = [word for first, end in parts for word in ("--suffix-path", f"{data}.part.{first}-{end}")]
    out = place / "merged.table.bin"
    merge = [program, "merge", "--output-file", out, *names, "--num-threads", "2"]
    subprocess.run([str(word) for word in merge], check=True, stdout=subprocess.DEVNULL)
    with open(f"{data}.table.bin", "wb") as table:
        for part in sorted(place.glob("merged.table.bin.*")):
            table.write(part.read_bytes())
    seconds = time.perf_counter() - started
    print(f"| deduplicate-text-datasets: table | {seconds:.1f} |", flush=True)
    return seconds


if __name__ == "__main__":
    main()
