"""Text patterns on indexes of growing size, beside ripgrep on the same texts.

usage: python tests/benchmarks/text.py --tokenizer FILE [--work FOLDER] [--sizes 1,10,50] [--main 50] [--out FILE.md]

The corpus is `made_corpus.py`'s: the model outputs of the shared data, and again and again the same with 15 % of the
words changed. Indexes are made in the work folder, or used if they are there. Patterns are drawn from the texts. With
--check N, so many patterns and 50 expressions are compared with a scan of all texts by the `regex` package instead.
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
from collections.abc import Iterator
from pathlib import Path

import regex
from made_corpus import write_corpus

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from pages import bytes_read
from scan import source as spelled

import explorer
from explorer.corpus.index import Index
from explorer.patterns import find as finding
from explorer.patterns.find import Pattern, find_text

MODES = {
    "text": {},
    "any case": {"ignore_case": True},
    "whole words": {"whole_words": True},
    "both": {"ignore_case": True, "whole_words": True},
}
LETTERS = ("a", "e", "x", "é", "语")
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


def seconds(index: Index, pattern: Pattern) -> float:
    """Seconds of the processor, so that other programs do not count."""
    started = time.thread_time()
    _ = find_text(index, pattern).count
    return time.thread_time() - started


def of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def opened(folder: Path, million: int, tokenizer: str) -> tuple[Index, Path]:
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


def time_kinds(index: Index, drawn: dict[str, list[str]]) -> Iterator[str]:
    """Rows of the first table; every pattern is asked for once."""
    yield "| patterns | mode | median ms | most ms | patterns asked |"
    yield "| --- | --- | --- | --- | --- |"
    everything = []
    for kind, texts in {**drawn, "single letters": list(LETTERS)}.items():
        for mode, options in MODES.items():
            times = [seconds(index, Pattern(text, **options)) for text in texts]
            everything += times
            yield f"| {kind} | {mode} | {cell(times)} | {len(times)} |"
    yield f"| all of these | | {cell(everything)} | {len(everything)} |"
    times = [seconds(index, Pattern(text, "regex")) for text in EXPRESSIONS]
    yield f"| regular expressions | | {cell(times)} | {len(times)} |"


def time_ripgrep(index: Index, source: Path, drawn: dict[str, list[str]]) -> Iterator[str]:
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


def growth(folder: Path, sizes: list[int], tokenizer: str, drawn: dict[str, list[str]]) -> Iterator[str]:
    yield "| tokens | text: median ms | most ms | whole words: median ms | most ms | KiB of `tokenized` read, cold, per query |"
    yield "| --- | --- | --- | --- | --- | --- |"
    some = [text for texts in drawn.values() for text in texts[:40]]
    for size in sizes:
        index, _ = opened(folder, size, tokenizer)
        seconds(index, Pattern("xyz"))
        plain = [seconds(index, Pattern(text)) for text in some]
        whole = [seconds(index, Pattern(text, whole_words=True)) for text in some]
        shard = index.shards[0]
        read = [
            bytes_read(shard.files.tokenized, shard.tokens, lambda text=text: find_text(index, Pattern(text)))  # noqa: B023
            for text in some[:10]
        ]
        known = [size for size in read if size is not None]
        kib = f"{statistics.median(known) / 1024:,.0f}" if known else "unknown"
        yield f"| {index.token_count:,} | {cell(plain)} | {cell(whole)} | {kib} |"


def tables(index: Index) -> Iterator[str]:
    """Time and memory of what is computed once."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    first = seconds(index, Pattern("xyz"))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    yield f"The first query takes {first:.2f} s: the vocabulary is read and each of its tokens looked up once."
    yield f"The peak of memory rises by {grown:.0f} MiB."


def check(index: Index, source: Path, drawn: dict[str, list[str]]) -> None:
    """Counts and places of patterns in all texts against a scan by the `regex` package."""
    texts = texts_of(source)
    asked = [
        Pattern(text, **options)
        for number, text in enumerate(text for group in drawn.values() for text in group)
        for options in [list(MODES.values())[number % 4]]
    ]
    asked += [Pattern(text, "regex") for text in EXPRESSIONS]
    wrong = 0
    for number, pattern in enumerate(asked):
        try:
            found = find_text(index, pattern).count
        except explorer.CorpusError as error:
            print(number, pattern, error, flush=True)
            continue
        theirs = regex.compile(spelled(pattern))
        expected = sum(1 for text in texts for _ in theirs.finditer(text, overlapped=True))
        wrong += found != expected
        if found != expected or number % 25 == 0:
            print(number, pattern, f"{found:,}", f"{expected:,}", "WRONG" if found != expected else "", flush=True)
    print(f"{len(asked)} patterns, {wrong} wrong, {index.token_count:,} tokens")


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
    lines += ["Times are those of the processor, in one thread; the machine did other work meanwhile.", ""]
    lines += [*tables(index), "", *time_kinds(index, drawn), ""]
    if shutil.which("rg"):
        lines += [*time_ripgrep(index, source, drawn), ""]
    finding._finders.clear()
    lines += growth(folder, [int(size) for size in args.sizes.split(",")], args.tokenizer, drawn)
    text = "\n".join(lines) + "\n"
    print(text)
    if args.out:
        args.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
