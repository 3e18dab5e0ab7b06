"""How the times of a long text grow that occurs in the corpus as a whole, which is the worst case.

usage: python tests/benchmarks/long_texts.py [--tokenizer bytes|FILE] [--kb 50 100 200 400 800 1200 2000] [--out FILE.md]

An index of two documents is built in a temporary folder: one book of as many kilobytes as the longest text, and another.
Each text is the beginning of the book.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from made_corpus import SHARED, real_texts

from explorer import build_index, open_index
from explorer.analyses.agreement.tokens import agreement
from explorer.analyses.trace.measures.covering import longest_covering


def book(characters: int) -> str:
    """So many characters of prose, as little repeated as the data allow."""
    folder = SHARED / "texts"
    names = ("tinyshakespeare.txt", "wikitext2-test.txt") if folder.is_dir() else ()
    text = "".join((folder / name).read_text(encoding="utf-8") for name in names) or "\n".join(real_texts())
    return text[:characters]


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokenizer", default="bytes")
    parser.add_argument("--kb", type=int, nargs="+", default=[50, 100, 200, 400, 800, 1200, 2000])
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    whole = book(1000 * max(args.kb))
    lines = [
        f"Texts of the corpus, tokenizer {Path(args.tokenizer).name}; seconds.",
        "",
        "| KB | tokens | tokenizing | longest matches | covering | agreement | trace | trace a KB, ms |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "book.jsonl"
        rows = (whole, "Another document, which is short.")
        source.write_text("".join(json.dumps({"text": text}) + "\n" for text in rows), encoding="utf-8")
        build_index(source, Path(folder) / "out", tokenizer=args.tokenizer)
        corpus = open_index(Path(folder) / "out")
        for size in args.kb:
            text = whole[: 1000 * size]
            times = [seconds(lambda text=text: corpus.encode(text))]
            ids = corpus.encode(text)
            times.append(seconds(lambda ids=ids: corpus.longest_matches(ids)))
            longest = corpus.longest_matches(ids)
            times.append(seconds(lambda longest=longest: longest_covering(longest)))
            times.append(seconds(lambda ids=ids: agreement(corpus.index, ids)))
            times.append(seconds(lambda text=text: corpus.trace(text)))
            figures = " | ".join(f"{value:.2f}" for value in times)
            lines.append(f"| {size} | {len(ids):,} | {figures} | {1000 * times[-1] / size:.1f} |")
            print(lines[-1], flush=True)
    print("\n".join(lines))
    if args.out:
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
