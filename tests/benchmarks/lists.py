"""Statistics of a large corpus through the command line: times of whole processes, and their memory.

usage: python tests/benchmarks/lists.py INDEX [--work FOLDER] [--times 3]

INDEX is one shard of at least 50 million tokens; `curation.py` makes one. Its cache is a new folder, so that the first
command makes what the next ones read. Each row is the median of so many runs, but for what is made once. The time of a
command that has next to nothing to do (`count`) is printed as well: it is part of all others.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("corpus-explorer")
TYPES = 1_000_000
"""Words of each list of keywords; three fifths are in both."""
PLAIN = 5_000_000
"""Tokens that plain Python counts."""

# What a command has no name for, as a program of its own: {0} is the index, {1} the working folder.
LCP = "import explorer\nexplorer.open_index({0!r}).index.lists.shared_prefixes()"
CUT = """
from pathlib import Path
from explorer import open_index
from explorer.core.jobs import CancelToken
from explorer.words.cutting import ShardCutter
from explorer.words.rule import WordRule
corpus = open_index({0!r})
ShardCutter(corpus.index.tokenizer, WordRule()).write(
    corpus.index.shards[0], Path({1!r}), 0, lambda done: None, CancelToken()
)
"""
SORT = """
import numpy as np
from pathlib import Path
from explorer.index.writer import write_table
from explorer.core.jobs import CancelToken
write_table(Path({1!r}), 0, 4, CancelToken(), np.zeros(1, dtype=np.int64))
"""
READ = "import numpy as np\nids = np.fromfile({0!r} + '/tokenized.0', '<u2', {2}).tolist()\n"
COUNTER = READ + "from collections import Counter\nCounter(zip(*(ids[n:] for n in range(5)))).most_common(1000)"
SORTED = (
    READ
    + "counts = {{}}\nfor n in range(len(ids) - 4):\n    gram = tuple(ids[n : n + 5])\n"
    + "    counts[gram] = counts.get(gram, 0) + 1\nsorted(counts.items(), key=lambda each: -each[1])[:1000]"
)
NLTK = READ + "import nltk\nnltk.FreqDist(nltk.ngrams(ids, 5)).most_common(1000)"


@dataclass(frozen=True)
class Run:
    """Seconds of a process, and the most memory that it had resident, mapped files included."""

    seconds: float
    resident: int


class Bench:
    """Runs commands with one cache folder."""

    def __init__(self, work: Path, times: int) -> None:
        self.work, self.times = work, times
        self.environment = {**os.environ, "CORPUS_EXPLORER_CACHE": str(work / "cache")}

    def run(self, what: str, *command: str, times: int | None = None) -> Run:
        """Print and return the median of some runs."""
        runs = sorted((self._once(command) for _ in range(times or self.times)), key=lambda run: run.seconds)
        found = runs[len(runs) // 2]
        print(f"| {what} | {found.seconds:.2f} s | {found.resident / 2**20:,.0f} MiB |", flush=True)
        return found

    def tool(self, what: str, *arguments: str, times: int | None = None) -> Run:
        """Run `corpus-explorer`."""
        return self.run(what, str(PROGRAM), *arguments, times=times)

    def script(self, what: str, code: str, *values: object, times: int | None = None) -> Run:
        """Run a program of Python's."""
        return self.run(what, sys.executable, "-c", code.format(*values), times=times)

    def _once(self, command: tuple[str, ...]) -> Run:
        started = time.perf_counter()
        # Not from the folder of the sources, whose packages are not compiled.
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=self.environment, cwd=self.work)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"failed: {command}")
        return Run(time.perf_counter() - started, 1024 * usage.ru_maxrss)

    def answer(self, *arguments: str) -> dict[str, list[dict[str, object]]]:
        """Read what a command answers with --json."""
        command = [str(PROGRAM), *arguments, "--json"]
        return json.loads(subprocess.check_output(command, env=self.environment, cwd=self.work))


def measure_words(bench: Bench, index: str) -> None:
    """The word index beside its parts, then collocates of frequent words."""
    made = bench.tool("`wordlist --top 1`, the word index is made", "wordlist", index, "--top", "1", times=1)
    again = bench.tool("the same, it is there", "wordlist", index, "--top", "1")
    parts = bench.work / "parts"
    parts.mkdir()
    cut = bench.script("the pass that cuts the text into words", CUT, index, str(parts), times=1)
    [words] = [path.parent for path in (bench.work / "cache").rglob("words.vocab")]
    (parts / "tokenized.0").symlink_to(words / "tokenized.0")
    (parts / "offset.0").symlink_to(words / "offset.0")
    sort = bench.script("sorting its words", SORT, "", str(parts), times=1)
    shutil.rmtree(parts)
    ratio = (made.seconds - again.seconds) / (cut.seconds + sort.seconds)
    print(f"\nword index / (pass + sort): {ratio:.2f}\n")
    rows = bench.answer("wordlist", index, "--top", "5000")["rows"]
    for hits in (1_000, 100_000, 1_000_000):
        row = min(rows, key=lambda each: abs(int(str(each["count"])) - hits))
        bench.tool(f"`collocates` of {row['count']:,} hits", "collocates", index, str(row["form"]), "--top", "100")


def measure_tokens(bench: Bench, index: str, tokens: int) -> None:
    """The LCP, lists and f-grams of tokens."""
    lcp = bench.script("the common prefixes (LCP) are made", LCP, index, times=1)
    for name in (path for path in (bench.work / "cache").iterdir() if path.suffix == ".lcp"):
        name.unlink()
    every = ("wordlist", index, "--unit", "tokens", "--min-n", "1", "--n", "8", "--top", "1000")
    whole = bench.tool("`wordlist --unit tokens --min-n 1 --n 8 --top 1000`; the LCP is made", *every, times=1)
    cached = bench.tool("the same, LCP cached", *every)
    print(f"\nall n / LCP: {whole.seconds / lcp.seconds:.2f}; {whole.seconds * 1e8 / tokens:.1f} s and")
    print(f"{cached.seconds * 1e8 / tokens:.1f} s (LCP cached) per 100 million tokens\n")
    one = bench.tool(
        "`wordlist --unit tokens --n 5 --top 1000`",
        "wordlist", index, "--unit", "tokens", "--n", "5", "--top", "1000",
    )  # fmt: skip
    table = bench.work / "fgrams"
    found = [_fgrams(bench, index, table) for _ in range(bench.times)]
    print(f"\nf-grams: {statistics.median(run.seconds for run in found) * 1e8 / tokens:.1f} s per 100 million tokens\n")
    bench.tool("`spectrum --unit tokens`", "spectrum", index, "--unit", "tokens")
    for what, code in (("`Counter` of tuples", COUNTER), ("a dictionary, sorted", SORTED), ("NLTK's `FreqDist`", NLTK)):
        if code != NLTK or _has_nltk():
            plain = bench.script(f"n = 5 of {PLAIN:,} tokens: {what}", code, index, "", PLAIN)
            ratio = plain.seconds / PLAIN / (one.seconds / tokens)
            print(f"\nper token, relative to `wordlist`: {ratio:.0f} times\n")


def _fgrams(bench: Bench, index: str, table: Path) -> Run:
    command = ("fgrams", index, "--max-n", "5", "--min-count", "5", "--out", str(table))
    found = bench.tool("`fgrams --max-n 5 --min-count 5 --out DIR`", *command, times=1)
    shutil.rmtree(table)
    return found


def _has_nltk() -> bool:
    return subprocess.run([sys.executable, "-c", "import nltk"], stderr=subprocess.DEVNULL).returncode == 0


def measure_keywords(bench: Bench) -> None:
    """Keywords of two corpora of a million types."""
    names = []
    for number in (0, 1):
        text, folder = bench.work / f"words{number}.jsonl", bench.work / f"words{number}"
        if not folder.exists():
            with open(text, "w") as file:
                file.writelines(json.dumps({"text": part}) + "\n" for part in zipf_texts(number))
            subprocess.run(
                [PROGRAM, "build", text, "--out", folder, "--tokenizer", "bytes", "--quiet"],
                check=True, cwd=bench.work,
            )  # fmt: skip
            text.unlink()
        bench.tool(f"`wordlist --top 1` of list {number + 1}, its word index is made", "wordlist", str(folder), times=1)
        names.append(str(folder))
    bench.tool(f"`keywords` of two lists of {TYPES:,} words", "keywords", *names)
    bench.tool("the same, --min-count 1", "keywords", *names, "--min-count", "1")


def zipf_texts(number: int) -> Iterator[str]:
    """Texts in which the word of rank r occurs TYPES / r times; two fifths of the words are of this list alone."""
    shuffle = random.Random(number)
    words = [f"w{rank}" if rank % 5 < 3 else f"w{rank}x{number}" for rank in range(1, TYPES + 1)]
    text = [word for rank, word in enumerate(words, 1) for _ in range(TYPES // rank)]
    shuffle.shuffle(text)
    for first in range(0, len(text), 1000):
        yield " ".join(text[first : first + 1000])


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--times", type=int, default=3)
    args = parser.parse_args()
    index = str(args.index.resolve())
    with tempfile.TemporaryDirectory(dir=args.work) as folder:
        bench = Bench(Path(folder), args.times)
        tokens = (args.index / "tokenized.0").stat().st_size // 2
        print(f"{tokens:,} tokens, load {os.getloadavg()[0]:.1f}\n\n| command | time | largest resident size |")
        print("| --- | ---: | ---: |")
        bench.tool("`count`: the start of the process", "count", index, "the")
        measure_words(bench, index)
        measure_tokens(bench, index, tokens)
        measure_keywords(bench)
        print(f"\nload at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
