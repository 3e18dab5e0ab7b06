"""The compressed index against two FM-indexes of others: the package fm-index, and Debian's sdsl.

usage: python tests/benchmarks/fm_oracle.py INDEX [--patterns N] [--work FOLDER] [--out FILE.md]

INDEX is a compressed index of one part. Every byte of it is read back, and compared with the text that it kept or, with
--text, with a file: documents with a byte 255 before each. Counts, and all places of patterns with at most 1,000, are
compared. A program is compiled with libsdsl-dev, which is needed only here.
"""

from __future__ import annotations

import argparse
import random
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.backends.fm.backend import FmBackend
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.index.fm.part import MappedPart

MOST = 1_000
PIECE = 1 << 22
_SDSL = """
#include <sdsl/suffix_arrays.hpp>
#include <fstream>
#include <iostream>
using namespace sdsl;
int main(int, char **args) {
    csa_wt<wt_huff<hyb_vector<>>, 32, 64> index;
    construct(index, args[1], 1);
    std::ifstream queries(args[2], std::ios::binary); std::ofstream out(args[3], std::ios::binary);
    uint32_t size; std::string pattern;
    while (queries.read((char *)&size, 4)) {
        pattern.resize(size); queries.read(&pattern[0], size);
        size_t first = 0, last = 0;
        int64_t found = backward_search(index, 0, index.size() - 1, pattern.begin(), pattern.end(), first, last);
        out.write((char *)&found, 8);
        if (found <= 1000) for (int64_t i = 0; i < found; i++) {
            int64_t at = index[first + i]; out.write((char *)&at, 8);
        }
    }
}
"""

Numbers = NDArray[np.int64]


def drawn(text: NDArray[np.uint8], count: int) -> list[bytes]:
    """Patterns of 1 to 40 bytes: of the text, also across separators, with a changed byte, and of random bytes."""
    chance = random.Random(11)
    found: list[bytes] = []
    separators = np.flatnonzero(text == 255)
    while len(found) < count:
        size = chance.choice((1, 2, 3, 5, 8, 12, 25, 25, 25, 40))
        at = chance.randrange(len(text) - size)
        if len(found) % 10 == 0:
            at = max(0, min(len(text) - size, int(chance.choice(separators)) - chance.randrange(size)))
        pattern = bytearray(text[at : at + size].tobytes())
        if len(found) % 10 == 1:
            pattern[chance.randrange(size)] = chance.randrange(256)
        if len(found) % 100 == 2:
            pattern = bytearray(chance.randbytes(size))
        found.append(bytes(pattern))
    return found


def mine(part: MappedPart, patterns: Sequence[bytes]) -> Iterator[tuple[int, list[int]]]:
    """The count of each pattern, and its places in order if there are not too many."""
    ends = np.cumsum([0, *map(len, patterns)], dtype=np.int64)
    text = np.frombuffer(b"".join(patterns), dtype=np.uint8)
    firsts, lasts = part.engine.find_many(text, ends[:-1], ends[1:])
    for pattern, first, last in zip(patterns, firsts.tolist(), lasts.tolist(), strict=True):
        rows = np.arange(first, last if last - first <= MOST else first, dtype=np.int64)
        yield last - first, sorted((part.engine.places(rows) - len(pattern)).tolist())


def of_package(text: bytes, patterns: Sequence[bytes]) -> tuple[list[tuple[int, list[int]]], str]:
    """The same by the package fm-index, and its times."""
    from fm_index import FMIndex

    started = time.perf_counter()
    other = FMIndex(text.decode("latin-1"))
    built = time.perf_counter() - started
    spelled = [pattern.decode("latin-1") for pattern in patterns]
    started = time.perf_counter()
    counts = [other.count(one) for one in spelled]
    took = time.perf_counter() - started
    found = [
        (count, sorted(other.locate(one)) if count <= MOST else []) for one, count in zip(spelled, counts, strict=True)
    ]
    return found, f"built in {built:.0f} s, a count {took / len(patterns) * 1e6:.1f} µs"


def of_sdsl(text: NDArray[np.uint8], patterns: Sequence[bytes], work: Path) -> list[tuple[int, list[int]]]:
    """The same by sdsl, which takes no byte 0: the text and the patterns must be without it."""
    source, program, data, queries, out = (work / f"sdsl.{end}" for end in ("cpp", "bin", "text", "queries", "out"))
    source.write_text(_SDSL)
    libraries = ["-lsdsl", "-ldivsufsort", "-ldivsufsort64"]
    subprocess.run(["g++", "-O3", "-o", str(program), str(source), *libraries], check=True)
    text.tofile(data)
    queries.write_bytes(b"".join(struct.pack("<I", len(one)) + one for one in patterns))
    subprocess.run([program, data, queries, out], check=True)
    numbers = np.fromfile(out, dtype=np.int64).tolist()
    found: list[tuple[int, list[int]]] = []
    at = 0
    for _ in patterns:
        count = numbers[at]
        size = count if count <= MOST else 0
        found.append((count, sorted(numbers[at + 1 : at + 1 + size])))
        at += 1 + size
    assert at == len(numbers)
    return found


def read_back(part: MappedPart) -> NDArray[np.uint8]:
    """Every byte, by the engine: the kept text is not looked at."""
    edges = np.array([*range(0, part.size, PIECE), part.size], dtype=np.int64)
    pieces = [part.engine.texts(edges[i : i + 1], edges[i + 1 : i + 2]) for i in range(len(edges) - 1)]
    return np.concatenate(pieces)


def main() -> None:
    """Compare, and print what was equal; ends with an error where something is not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--patterns", type=int, default=10_000)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    work = args.work or Path(tempfile.mkdtemp(prefix="fm-oracle-"))
    work.mkdir(parents=True, exist_ok=True)
    index = BACKENDS.open(IndexRequest((str(args.index),)))
    assert isinstance(index, FmBackend)
    [part] = index.parts
    text = read_back(part)
    whole = np.array([0], dtype=np.int64), np.array([part.size], dtype=np.int64)
    if args.text:
        known = np.fromfile(args.text, dtype=np.uint8)
    else:
        assert part.keeps_text, "without a kept text, --text is needed"
        [known] = part.read(*whole)
    assert np.array_equal(text, known)
    lines = [f"All {len(text):,} bytes were read back as they were written."]
    patterns = drawn(text, args.patterns)
    found = list(mine(part, patterns))
    there = sum(count > 0 for count, _ in found)
    located = sum(len(places) for _, places in found)
    lines.append(f"{len(patterns):,} patterns, {there:,} of which occur; {located:,} places.")
    other, times = of_package(text.tobytes(), patterns)
    assert other == found
    lines.append(f"The package fm-index gives the same counts and places ({times}).")
    some = [number for number, pattern in enumerate(patterns) if 0 not in pattern]
    # Byte 0 is written as 1, so patterns with a 1 are left out as well where the text has a 0.
    if (text == 0).any():
        some = [number for number in some if 1 not in patterns[number]]
    answers = of_sdsl(np.maximum(text, 1), [patterns[number] for number in some], work)
    assert answers == [found[number] for number in some]
    lines.append(f"sdsl gives the same for the {len(some):,} patterns that it takes.")
    print("\n".join(lines))
    if args.out:
        args.out.write_text("\n".join(f"- {line}" for line in lines) + "\n")


if __name__ == "__main__":
    main()
