"""Curation of a large corpus: the repeat profile beside sorting, each length and rule, repeats, and benchmarks.

usage: python tests/benchmarks/curation.py --tokenizer FILE [--work FOLDER] [--tokens N] [--items FILE]

The corpus is `made_corpus.py`'s: answers of language models, repeated with 15 % of their words changed, so that it
repeats itself more than most.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import numpy as np

LENGTHS = (16, 20, 25, 32, 40, 50, 64, 80, 100, 128, 160, 200)


class Peak:
    """The most memory that a block of code took above what the process had, mapped files not counted."""

    def __enter__(self) -> Self:
        self._before = self.most = _own_memory()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        self._started = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._started
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.01):
            self.most = max(self.most, _own_memory())

    @property
    def bytes(self) -> int:
        return self.most - self._before


def _own_memory() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    [line] = [line for line in status.splitlines() if line.startswith("RssAnon")]
    return 1024 * int(line.split()[1])


def make(folder: Path, tokens: int, tokenizer: Path) -> None:
    """An index of made-up variants of real texts."""
    from made_corpus import documents

    from explorer import build_index

    build_index(({"text": text} for text in documents(tokens)), folder, tokenizer=tokenizer, shards=1)


def sort_again(folder: Path, work: Path) -> None:
    """The suffix array once more, into another folder."""
    from explorer.core.jobs import CancelToken
    from explorer.index.writer import write_table

    for name in ("tokenized.0", "offset.0"):
        (work / name).symlink_to(folder / name)
    write_table(work, 0, 2, CancelToken(), np.zeros(1, dtype=np.int64))


def measure(folder: Path, work: Path, items: Path | None) -> None:
    """Print all figures, in the order in which they are measured."""
    from explorer import open_index
    from explorer.analyses.duplicates.compute import removable

    corpus = open_index(folder)
    tokens = corpus.index.token_count
    print(f"{tokens:,} tokens, {len(corpus.index.documents.numbers()):,} documents")
    (work / "again").mkdir()
    with Peak() as sort:
        sort_again(folder, work / "again")
    _tell("sorting", sort, tokens)
    with Peak() as lcp:
        corpus.index.lists.shared_prefixes()
    _tell("common prefixes, kept", lcp, tokens)
    with Peak() as walk:
        profile = corpus.index.lists.repeat_profile(LENGTHS[0])
    _tell("repeat profile from them", walk, tokens)
    print(f"profile / sort: {(lcp.seconds + walk.seconds) / sort.seconds:.2f}")
    share = profile.spectrum[0, LENGTHS[0] :].sum() / tokens
    print(
        f"spans: {len(profile.elsewhere):,} elsewhere, {len(profile.earlier):,} earlier; {share:.1%} of the tokens repeat"
    )
    for rule in ("separate", "first", "all"):
        times = [_seconds(lambda length=length, rule=rule: removable(profile, length, rule)) for length in LENGTHS]
        print(f"one length, {rule}: median {1e3 * statistics.median(times):.0f} ms, most {1e3 * max(times):.0f} ms")
    print(f"again from the cache folder: {_seconds(lambda: open_index(folder).index.lists.repeat_profile(16)):.2f} s")
    print(f"copies of documents: {_seconds(corpus.duplicate_documents):.2f} s")
    print(f"repeats of 50 tokens, the first 100: {_seconds(lambda: corpus.repeats(50, top=100)):.2f} s")
    print(f"personal data: {_seconds(corpus.personal_data):.2f} s")
    if items is not None:
        print(f"index of words: {_seconds(corpus.words):.2f} s")
        for unit in ("tokens", "words"):
            seconds = _seconds(lambda unit=unit: corpus.contamination(items, unit=unit))
            print(f"items of {items.name} in {unit}: {seconds:.2f} s")


def _tell(what: str, peak: Peak, tokens: int) -> None:
    print(f"{what}: {peak.seconds:.1f} s, {peak.bytes / tokens:.2f} bytes per token at most", flush=True)


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    """Make the corpus if it is not there, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--tokens", type=int, default=50_000_000)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--items", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.work) as folder:
        os.environ["CORPUS_EXPLORER_CACHE"] = folder
        index = (args.work or Path(folder)) / f"made-{args.tokens}"
        if not index.exists():
            make(index, args.tokens, args.tokenizer)
        measure(index, Path(folder), args.items)


if __name__ == "__main__":
    main()
