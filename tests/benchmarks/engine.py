"""This engine and the infini-gram package's, on the same index and the same queries, in one run.

usage: python tests/benchmarks/engine.py [--tokens N] [--corpus PATH] [--work FOLDER] [--out FILE.md]

Prints a table of medians and ratios (the package's time over ours) and saves it with the machine's
description. Without --corpus, texts are repeated with changes until they fill the wanted tokens.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from infini_gram.engine import InfiniGramEngine
from made_corpus import changed_answers, write_corpus

from explorer import Corpus, __version__, build_index, open_index
from explorer.analyses.trace.spans import SpanRequest, delimiter_mask, maximal_spans
from explorer.core.jobs import CancelToken
from explorer.index.writer import write_table

LENGTHS = (1, 2, 5, 20, 100, 500)
_SORT = """
import argparse, resource
from infini_gram.indexing import build_sa
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
build_sa(argparse.Namespace(save_dir={0!r}, temp_dir={0!r}, shards=1, workers=1, worker_id=0, mem=16, cpus=2, token_width={1}))
"""


@dataclass(frozen=True)
class Row:
    """One kind of work: median seconds of both, how many queries, and the ratio that is aimed at."""

    work: str
    ours: float
    theirs: float
    queries: int
    wanted: str

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def timed(work: Callable[[Any], Any], queries: Sequence[Any]) -> list[float]:
    """Seconds of each query, after one round that warms caches."""
    for query in queries:
        work(query)
    seconds = []
    for query in queries:
        started = time.perf_counter()
        work(query)
        seconds.append(time.perf_counter() - started)
    return seconds


def compare(
    name: str, ours: Callable[[Any], Any], theirs: Callable[[Any], Any], queries: Sequence[Any], wanted: str
) -> Row:
    row = Row(
        name, statistics.median(timed(ours, queries)), statistics.median(timed(theirs, queries)), len(queries), wanted
    )
    print(line(row), flush=True)
    return row


def line(row: Row) -> str:
    return f"| {row.work} | {show(row.ours)} | {show(row.theirs)} | {row.ratio:.1f} | {row.wanted} | {row.queries} |"


def show(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1e3 * seconds:.2f} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.1f} µs"


class Queries:
    """N-grams of the corpus, and texts that are not quite in it."""

    def __init__(self, corpus: Corpus, seed: int = 7) -> None:
        self.corpus = corpus
        self.random = random.Random(seed)
        self.text = corpus.index.shards[0].tokens

    def ngrams(self, length: int, number: int) -> list[list[int]]:
        found: list[list[int]] = []
        while len(found) < number:
            start = self.random.randrange(len(self.text) - length)
            ids = self.text[start : start + length].tolist()
            if self.corpus.index.separator not in ids:
                found.append(ids)
        return found

    def contexts(self, number: int) -> list[list[int]]:
        """201 tokens: a context of 200 of which only a part occurs, and a token."""
        return [a + b for a, b in zip(self.ngrams(100, number), self.ngrams(101, number), strict=True)]

    def answers(self, length: int, number: int) -> list[list[int]]:
        """Model answers with changed words, cut to one length."""
        found = []
        for text in changed_answers(self.random):
            ids = self.corpus.encode(text).tolist()
            if len(ids) >= length:
                found.append(ids[:length])
            if len(found) == number:
                return found
        return found


def measure(corpus: Corpus, package: Any) -> Iterator[Row]:
    index, queries = corpus.index, Queries(corpus)
    pooled = [ids for length in LENGTHS for ids in queries.ngrams(length, 100)]
    if any(corpus.count(ids) != package.count(ids)["count"] for ids in pooled):
        raise AssertionError("the two engines count differently")
    yield compare("count, 1 to 500 tokens", corpus.count, package.count, pooled, "40")
    for length in LENGTHS:
        yield compare(f"count, {length} tokens", corpus.count, package.count, queries.ngrams(length, 100), "")
    for length in (2, 5):
        yield compare(
            f"prob, {length - 1} tokens of context",
            lambda ids: corpus.prob(ids[:-1], ids[-1]),
            lambda ids: package.prob(ids[:-1], ids[-1]),
            queries.ngrams(length, 100),
            "50",
        )
    yield compare(
        "∞-gram prob, 200 tokens of context",
        lambda ids: corpus.infgram_prob(ids[:-1], ids[-1]),
        lambda ids: package.infgram_prob(ids[:-1], ids[-1]),
        queries.contexts(100),
        "50",
    )
    for length in (1, 4):
        yield compare(
            f"next tokens, {length}-token contexts (exact; theirs sampled at 1000)",
            corpus.next_tokens,
            lambda ids: package.ntd(ids, max_support=1000),
            queries.ngrams(length, 60),
            "30",
        )
    delimiters = [int(corpus.encode("\n")[0]), int(corpus.encode(".")[0])]

    def spans(ids: list[int]) -> list[tuple[int, int, int]]:
        array = np.array(ids)
        begins = index.tokenizer.begins_word(array)
        ends = delimiter_mask(array, index.tokenizer, ("\n", "."))
        found = maximal_spans(index, SpanRequest(array, corpus.longest_matches(array), begins, ends, 1, 10))
        return [(s.start, s.end, s.count) for s in found]

    answers = queries.answers(450, 30)
    for ids in answers:
        theirs = package.attribute(ids, delimiters, 1, 10, True)["spans"]
        if spans(ids) != [(s["l"], s["r"], s["count"]) for s in theirs]:
            raise AssertionError("the two engines find other spans")
    yield compare(
        "maximal spans of 450 tokens, largest count 10",
        spans,
        lambda ids: package.attribute(ids, delimiters, 1, 10, True),
        answers,
        "40",
    )
    text = [token for ids in answers for token in ids][:1000]
    row = compare(
        "agreement of 1,000 tokens",
        corpus.agreement,
        lambda ids: [package.infgram_prob(ids[:i], ids[i]) for i in range(len(ids))],
        [text] * 3,
        "80",
    )
    yield row


def measure_sorting(folder: Path, work: Path, width: int) -> Row:
    """Wall time from `tokenized.0` on disk to `table.0` on disk, three times in turn; the tables must be equal."""
    places = {name: work / name for name in ("ours", "theirs")}
    for place in places.values():
        place.mkdir()
        shutil.copyfile(folder / "tokenized.0", place / "tokenized.0")
    code = _SORT.format(str(places["theirs"]), width)
    ours, theirs = [], []
    for _ in range(3):
        for place in places.values():
            (place / "table.0").unlink(missing_ok=True)
        started = time.perf_counter()
        write_table(places["ours"], 0, width, CancelToken(), np.zeros(1, dtype=np.int64))
        ours.append(time.perf_counter() - started)
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        theirs.append(time.perf_counter() - started)
        if not filecmp.cmp(places["ours"] / "table.0", places["theirs"] / "table.0", shallow=False):
            raise AssertionError("the two sorters make other tables")
    row = Row("suffix sorting, wall time, two cores", statistics.median(ours), statistics.median(theirs), 3, "4")
    print(line(row), flush=True)
    return row


def machine() -> str:
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [
            text.split(":")[1].strip() for text in cpuinfo.read_text().splitlines() if text.startswith("model name")
        ]
        name = names[0] if names else name
    return (
        f"{name}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    )


def open_both(folder: Path, work: Path) -> tuple[Corpus, Any]:
    corpus = open_index(folder)
    ids = np.arange(corpus.index.tokenizer.vocabulary_size)
    begins = work / "begins.txt"
    begins.write_text("\n".join(map(str, ids[corpus.index.tokenizer.begins_word(ids)].tolist())))
    width = corpus.index.local.token_width
    package = InfiniGramEngine(
        str(folder),
        eos_token_id=corpus.index.separator - 1,
        vocab_size=corpus.index.separator,
        token_dtype={1: "u8", 2: "u16", 4: "u32"}[width],
        bow_ids_path=str(begins),
    )
    return corpus, package


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=52_000_000)
    parser.add_argument("--corpus", help="files or a folder to index in place of the made texts")
    parser.add_argument("--work", help="folder to keep the index in (default: a temporary one)")
    parser.add_argument("--out", help="file for the table")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(args.work or temporary)
        work.mkdir(parents=True, exist_ok=True)
        folder = work / "index"
        if not folder.exists():
            source = Path(args.corpus) if args.corpus else work / "corpus.jsonl"
            if not args.corpus:
                write_corpus(source, args.tokens)
            build_index(source, folder, tokenizer="train:32000")
        width = open_index(folder).index.local.token_width
        head = "| work | ours | package | ratio | wanted | queries |\n| --- | --- | --- | --- | --- | --- |"
        sorting = measure_sorting(folder, Path(temporary), width)
        corpus, package = open_both(folder, Path(temporary))
        title = (
            "# This engine and infini-gram\n\n"
            f"Corpus Explorer {__version__} and infini-gram 2.6.0 on {corpus.token_count:,} tokens "
            f"({corpus.document_count:,} documents).\n{machine()}. Medians of warm calls from Python, one by one.\n"
        )
        print(f"{title}\n{head}")
        rows = list(measure(corpus, package))
        rows.append(sorting)
        if args.out:
            Path(args.out).parent.mkdir(parents=True, exist_ok=True)
            Path(args.out).write_text(f"{title}\n{head}\n" + "\n".join(map(line, rows)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
