"""The deep check of an index whose documents repeat each other: how its time grows with their length.

usage: python tests/benchmarks/verify.py [--most BYTES]

For each length, an index of two equal documents is built, of bytes, and checked. Another version of the program
runs this file, too, so that both can be measured on the same machine.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

from explorer import build_index, verify_index

LENGTHS = (50_000, 100_000, 200_000, 400_000, 800_000, 2_000_000)


def seconds_of(length: int, folder: Path) -> float:
    draw = random.Random(length)
    words = [f"word{number}" for number in range(5_000)]
    text = " ".join(draw.choices(words, k=length // 8))[:length]
    sources = folder / "texts"
    sources.mkdir()
    for name in ("one.txt", "two.txt"):
        (sources / name).write_text(text, encoding="utf-8")
    build_index(sources, folder / "out", tokenizer="bytes")
    started = time.perf_counter()
    report = verify_index(folder / "out", deep=True)
    took = time.perf_counter() - started
    assert report.sound, report.findings
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=LENGTHS[-1], help="longest document")
    args = parser.parse_args()
    print("| Two documents of | seconds | nanoseconds for each token |\n|---|---|---|")
    for length in (length for length in LENGTHS if length <= args.most):
        with tempfile.TemporaryDirectory() as folder:
            took = seconds_of(length, Path(folder))
        print(f"| {length:,} bytes | {took:.2f} | {took / (2 * length + 2) * 1e9:.0f} |", flush=True)


if __name__ == "__main__":
    main()
