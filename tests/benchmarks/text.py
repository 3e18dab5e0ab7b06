"""Text patterns on indexes of growing size, beside ripgrep on the same texts.

usage: python tests/benchmarks/text.py --tokenizer FILE [--work FOLDER] [--sizes 1,10,50] [--main 50] [--out FILE.md]

The corpus is `made_corpus.py`'s: answers of language models, repeated with 15 % of their
words changed. Indexes are built in the work folder, or used if they exist. Patterns are sampled from the texts. With
--check, the places of the patterns are compared with a scan of all texts by the `regex` package instead.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import regex
from made_corpus import write_corpus
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from pages import bytes_read
from scan import source as spelled

import _fastsa
import explorer
from explorer.backends.local.patterns.text_ranges import Finds
from explorer.backends.local.shards import ShardBackend
from explorer.errors import QueryError
from explorer.text.patterns.pattern import Pattern

MODES = {
    "text": {},
    "any case": {"ignore_case": True},
    "whole words": {"whole_words": True},
    "both": {"ignore_case": True, "whole_words": True},
}
LETTERS = ("a", "e", "x", "é", "语")
SCRIPTS = ("语言", "言", "日本", "é", "ñ", "café", "😀", "✅", "العربية", "ال", "но", "…", "—", "°", "₂", "の")
EXPRESSIONS = (
    "colou?r", "delv(e|es|ed|ing)", r"\bcap\b", r"\w+ing\b", "[A-Z][a-z]+", r"\d+\.\d+", r"in the \w+ of", r"\d{4}",
    r"(?i)language models?", r"\W\W", ".", r"\s-\s", "[^ -~]", r"un\w+able", r"\bre\w+", r"\b[A-Z]{3,}\b", "a{2,3}",
    r"https?://", r"\w+@\w+", r"\(\w+\)", "(Mr|Mrs|Dr)\\.", r"\$\d+", r"\d+%", r"\bI'm\b", "n't", "[aeiou]{4}", "(ab)+",
    "q[^u]", r"\bthe the\b", r"\?\s", "!!+", r"\n\n", "[“”]", "[—–]", "[éèê]", r"\b\w\b", r"ization\b", r"\bpre-?\w+",
    r"[0-9]+(st|nd|rd|th)\b", "(?i:however),", "climate (change|crisis)", "s's", r"\*\*\w", r"\d+ (km|kg|m)\b", "#+ ",
    r"```\w*", r"\bx\b", "[Ee]rror", r"(\w)-(\w)", "[一-龥]",
)  # fmt: skip


def patterns(texts: list[str], number: int) -> dict[str, list[str]]:
    """Words of up to 12 letters, phrases of two to four words, and parts of these, drawn from the texts."""
    generator = random.Random(3)

    def words() -> list[str]:
        while True:
            parts = generator.choice(texts).split()
            if len(parts) > 8:
                start = generator.randrange(len(parts) - 4)
                return parts[start : start + 4]

    def word() -> Iterator[str]:
        while True:
            found = words()[0].strip(".,;:!?\"'()*")
            if 0 < len(found) <= 12:
                yield found

    def part() -> Iterator[str]:
        while True:
            text = " ".join(words()[:2])
            start = generator.randrange(len(text) - 1)
            if found := text[start : start + generator.randint(2, 8)].strip():
                yield found

    each = number // 3
    return {
        "words": [found for found, _ in zip(word(), range(each), strict=False)],
        "phrases": [" ".join(words()[: generator.randint(2, 4)]) for _ in range(each)],
        "parts": [found for found, _ in zip(part(), range(each), strict=False)],
    }


def seconds(index: ShardBackend, pattern: Pattern) -> float:
    """Seconds of the processor, so that other programs do not count."""
    started = time.thread_time()
    _ = index.hits.find_text(pattern).count
    return time.thread_time() - started


def of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def opened(folder: Path, million: int, tokenizer: str) -> tuple[ShardBackend, Path]:
    """The index of so many million tokens, and its texts."""
    source, target = folder / f"c{million}.jsonl", folder / f"i{million}"
    if not target.is_dir():
        write_corpus(source, million * 1_000_000)
        explorer.build_index(source, target, tokenizer=tokenizer, shards=1)
    return explorer.open_index(target).index, source


def texts_of(source: Path, most: int | None = None) -> list[str]:
    with open(source, encoding="utf-8") as file:
        return [json.loads(line)["text"] for line, _ in zip(file, range(most or 1 << 40), strict=False)]


def cell(times: list[float]) -> str:
    return f"{1e3 * statistics.median(times):.1f} | {1e3 * max(times):.0f}"


def time_kinds(index: ShardBackend, drawn: dict[str, list[str]]) -> Iterator[str]:
    """Rows of the first table; every pattern is asked for once."""
    yield "| patterns | mode | median ms | maximum ms | patterns |"
    yield "| --- | --- | --- | --- | --- |"
    everything = []
    for kind, texts in {**drawn, "single letters": list(LETTERS)}.items():
        for mode, options in MODES.items():
            times = [seconds(index, Pattern(text, **options)) for text in texts]
            everything += times
            yield f"| {kind} | {mode} | {cell(times)} | {len(times)} |"
    yield f"| all of these | | {cell(everything)} | {len(everything)} |"
    times, broad = [], []
    for text in EXPRESSIONS:
        try:
            times.append(seconds(index, Pattern(text, "regex")))
        except QueryError:
            broad.append(f"`{text}`")
    yield f"| regular expressions | | {cell(times)} | {len(times)} |"
    yield ""
    yield f"Refused as too broad: {', '.join(broad) or 'none'}."


def time_ripgrep(index: ShardBackend, source: Path, drawn: dict[str, list[str]]) -> Iterator[str]:
    """The same patterns by ripgrep, one thread, in a plain file of the same texts in memory."""
    plain = source.with_suffix(".txt")
    plain.write_text("\n".join(texts_of(source)), encoding="utf-8")
    yield "| mode | this ms | ripgrep ms | ratio |"
    yield "| --- | --- | --- | --- |"
    flags = {"text": "-F", "any case": "-Fi", "whole words": "-Fw", "both": "-Fiw"}
    some = [text for texts in drawn.values() for text in texts[:10] if "\n" not in text]
    for mode, options in MODES.items():
        ours, theirs = [], []
        for text in some:
            ours.append(seconds(index, Pattern(text, **options)))
            started = of_children()
            subprocess.run(
                ["rg", "-j1", "--count-matches", flags[mode], "--", text, str(plain)],
                stdout=subprocess.PIPE,
                check=False,
            )
            theirs.append(of_children() - started)
        mine, other = statistics.median(ours), statistics.median(theirs)
        yield f"| {mode} | {1e3 * mine:.1f} | {1e3 * other:.0f} | {other / mine:.0f} |"


class Counted(_fastsa.Walk):
    """A walk that adds up its looks into the table."""

    looks = 0

    def run(self, *args: Any) -> NDArray[np.int64]:
        found = super().run(*args)
        Counted.looks += self.looked
        return found


def growth(indexes: list[ShardBackend], drawn: dict[str, list[str]]) -> Iterator[str]:
    yield (
        "| tokens | text: median ms | maximum ms | whole words: median ms | maximum ms | looks per query "
        "| pages of `tokenized` read, cold, per query |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    some = [text for texts in drawn.values() for text in texts[:40]]
    for index in indexes:
        seconds(index, Pattern("xyz"))
        Counted.looks = 0
        plain = [seconds(index, Pattern(text)) for text in some]
        looks = Counted.looks // len(some)
        whole = [seconds(index, Pattern(text, whole_words=True)) for text in some]
        shard = index.shards[0]
        read = [
            bytes_read(shard.files.tokenized, shard.tokens, partial(index.hits.find_text, Pattern(text)))
            for text in some[::6]
        ]
        known = [size for size in read if size is not None]
        pages = f"{statistics.median(known) / 4096:,.0f} of {shard.tokens.nbytes / 4096:,.0f}" if known else "unknown"
        yield f"| {index.token_count:,} | {cell(plain)} | {cell(whole)} | {looks:,} | {pages} |"


def tables(index: ShardBackend) -> Iterator[str]:
    """Time and memory of what is computed once."""
    first = seconds(index, Pattern("xyz"))
    tokens = index.tokenizer.vocabulary_size
    data = sum(len(index.tokenizer.token_bytes(token)) for token in range(tokens))
    # Bytes and kinds; beginning, order, shared bytes, last kind, space; four ranks per token and shard.
    size = 2 * data + tokens * (8 + 4 + 4 + 1 + 1 + 4 * 8 * len(index.shards))
    yield f"The first query takes {first:.2f} s, because the vocabulary is read and each of its tokens looked up once."
    yield f"The tables of {tokens:,} tokens take {size / 2**20:.1f} MiB."


class Bytes:
    """Where in its document's text, in bytes, each token of a shard begins (forward, one shard)."""

    def __init__(self, index: ShardBackend) -> None:
        self.shard = index.shards[0]
        tokenizer, tokens = index.tokenizer, self.shard.tokens
        sizes = np.zeros(self.shard.separator + 1, dtype=np.int64)
        sizes[: tokenizer.vocabulary_size] = [len(tokenizer.token_bytes(i)) for i in range(tokenizer.vocabulary_size)]
        ends = np.cumsum(sizes[tokens])
        self.starts = np.concatenate([[0], ends[:-1]])
        self.documents = self.starts[self.shard.bounds(np.arange(self.shard.document_count))[0]]
        self.space = int(tokenizer.adds_space)

    def places(self, finds: Finds) -> NDArray[np.int64]:
        """(document, byte in its text) of every occurrence, in order."""
        sizes = finds.lasts - finds.firsts
        number = np.repeat(np.arange(len(sizes)), sizes)
        ranks = np.arange(len(number)) - np.repeat(np.cumsum(sizes) - sizes - finds.firsts, sizes)
        positions = self.shard.positions(ranks)
        documents = self.shard.documents_of(positions)
        begins = self.starts[positions + finds.skipped[number]] + finds.offsets[number]
        found = np.column_stack([documents, begins - self.documents[documents] - self.space])
        found = found[found[:, 1] >= 0]
        return found[np.lexsort((found[:, 1], found[:, 0]))]


def scanned(texts: list[str], pattern: Pattern) -> NDArray[np.int64]:
    """The same by a scan of the texts."""
    theirs = regex.compile(spelled(pattern))
    places = array("q")
    for document, text in enumerate(texts):
        ascii_only = text.isascii()
        for match in theirs.finditer(text, overlapped=True):
            places.append(document)
            places.append(match.start() if ascii_only else len(text[: match.start()].encode()))
    return np.frombuffer(places, dtype=np.int64).reshape(-1, 2) if places else np.empty((0, 2), dtype=np.int64)


def check(index: ShardBackend, source: Path, drawn: dict[str, list[str]]) -> None:
    """Places of patterns in all texts against a scan by the `regex` package.

    Texts with a word that is a special token of Llama-2's are left out: it puts a space more after each.
    """
    texts = ["" if "<unk>" in text else text for text in texts_of(source)]
    kept = np.array([bool(text) for text in texts])
    begins = Bytes(index)
    modes = list(MODES.values())
    drawn_texts = [text for group in drawn.values() for text in group]
    asked = [Pattern(text, **modes[number % 4]) for number, text in enumerate(drawn_texts)]
    asked += [Pattern(text, **mode) for text in SCRIPTS for mode in modes]
    asked += [Pattern(text, "regex") for text in EXPRESSIONS]
    wrong = refused = 0
    for number, pattern in enumerate(asked):
        try:
            matches = index.hits.find_text(pattern)
        except QueryError as error:
            refused += 1
            print(number, pattern, error, flush=True)
            continue
        places, expected = begins.places(matches.shards[0]), scanned(texts, pattern)
        right = matches.count == len(places) and np.array_equal(places[kept[places[:, 0]]], expected)
        wrong += not right
        documents = len(np.unique(expected[:, 0]))
        print(number, pattern.text[:40], f"{matches.count:,} in {documents:,}", "" if right else "WRONG", flush=True)
    print(
        f"{len(asked)} patterns, {wrong} wrong, {refused} refused; {kept.sum():,} of {len(texts):,} documents,", end=" "
    )
    print(f"{index.token_count:,} tokens")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--sizes", default="1,10,50")
    parser.add_argument("--main", type=int, default=50)
    parser.add_argument("--patterns", type=int, default=300)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    folder = args.work or Path(tempfile.mkdtemp())
    index, source = opened(folder, args.main, args.tokenizer)
    drawn = patterns(texts_of(source, 9_000), args.patterns)
    if args.check:
        check(index, source, drawn)
        return
    lines = [f"{index.token_count:,} tokens, {index.document_count:,} documents, {index.tokenizer.name}.", ""]
    lines += ["Times are processor times in one thread; the machine did other work at the same time.", ""]
    lines += [*tables(index), "", *time_kinds(index, drawn), ""]
    if shutil.which("rg"):
        lines += [*time_ripgrep(index, source, drawn), ""]
    _fastsa.Walk = Counted  # type: ignore[misc]
    sizes = [int(size) for size in args.sizes.split(",")]
    indexes = [index if size == args.main else opened(folder, size, args.tokenizer)[0] for size in sizes]
    lines += growth(indexes, drawn)
    text = "\n".join(lines) + "\n"
    print(text)
    if args.out:
        args.out.write_text(f"# Text patterns\n\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
