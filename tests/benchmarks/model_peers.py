"""Perplexity of Tiny Shakespeare against others, in one run: KenLM's query, the plain search of levels, a tiny GPT.

usage: python tests/benchmarks/model_peers.py TINYSHAKESPEARE [--kenlm PYTHON] [--torch PYTHON] [--out FILE.md]

The first nine tenths are the corpus, as bytes, and the rest is scored. PYTHON is the interpreter of an environment with the
package kenlm or torch; neither is a dependency of this program. Without one, its rows are left out.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import tempfile
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from engine import machine, show

from explorer import Corpus, __version__, build_index, open_index

_HEAD = (
    "| work | ours: perplexity | seconds | theirs: perplexity | seconds | theirs / ours |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: |"
)
_EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "train_tiny_gpt.py"
_POSITIONS = 2_000
_KENLM = """
import json, kenlm, sys, time
began = time.process_time()
model = kenlm.Model(sys.argv[1])
loaded = time.process_time()
words = open(sys.argv[2]).read()
logs = [log for log, _, _ in model.full_scores(words, bos=False, eos=False)][1:]
scored = time.process_time()
print(json.dumps([10 ** (-sum(logs) / len(logs)), loaded - began, scored - loaded]))
"""


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What it returns, and the processor time of the faster of two calls."""
    seconds = []
    for _ in range(2):
        began = time.process_time()
        found = work()
        seconds.append(time.process_time() - began)
    return found, min(seconds)


def row(name: str, ours: tuple[float, float], theirs: tuple[float, float]) -> str:
    """A line of the table."""
    cells = (f"{ours[0]:.4f}", show(ours[1]), f"{theirs[0]:.4f}", show(theirs[1]), f"{theirs[1] / ours[1]:.3g}")
    line = f"| {name} | {' | '.join(cells)} |"
    print(line, flush=True)
    return line


class PlainSearch:
    """The procedure of the post on unbounded n-grams as a plain program: a list of suffixes, bisection, and counts of the
    bytes that follow, for each length of context.
    """

    def __init__(self, text: bytes) -> None:
        self.text, self.order = text, _suffixes(text)

    def followers(self, context: bytes) -> Counter[int]:
        """What follows a context, and how often."""
        length = len(context)

        def prefix(at: int) -> bytes:
            return self.text[at : at + length]

        first = bisect_left(self.order, context, key=prefix)
        last = bisect_right(self.order, context, lo=first, key=prefix)
        places = (at + length for at in self.order[first:last])
        return Counter(self.text[at] for at in places if at < len(self.text))

    def share(self, before: bytes, byte: int, most: int) -> float:
        """The probability of a byte."""
        part = whole = 0.0
        weight, followed = 1.0, 0
        levels = 0
        for length in reversed(range(1, len(before) + 1)):
            found = self.followers(before[-length:])
            if found.total() > followed:
                followed = found.total()
                part, whole, weight = part + weight * found[byte], whole + weight * followed, weight / 10
                levels += 1
                if levels == most:
                    break
        return max(part / whole if whole else 0.0, 1e-10)


def _suffixes(text: bytes) -> list[int]:
    """The places of a text in the order of what follows them, by doubling."""
    ranks, width = np.frombuffer(text, dtype=np.uint8).astype(np.int64) + 1, 1
    while True:
        after = np.zeros_like(ranks)
        after[:-width] = ranks[width:]
        pairs, ranks = np.unique(ranks << 32 | after, return_inverse=True)
        if len(pairs) == len(text):
            return [int(at) for at in np.argsort(ranks)]
        ranks, width = ranks + 1, 2 * width


def plain_rows(corpus: Corpus, train: bytes, rest: bytes) -> list[str]:
    """The rows of the plain search, over the first positions."""
    search = PlainSearch(train)
    lines = []
    for levels in (1, 2):
        model = corpus.model("levels", levels=levels)
        text = rest[: _POSITIONS + 1]
        ours, seconds = timed(lambda model=model, text=text: model.score(text.decode()).perplexity)
        began = time.process_time()
        logs = [
            math.log(search.share(text[max(0, at - 100) : at], text[at], levels)) for at in range(1, _POSITIONS + 1)
        ]
        theirs = math.exp(-sum(logs) / len(logs))
        assert abs(theirs / ours - 1) < 1e-9
        lines.append(
            row(
                f"plain search, `levels --levels {levels}`, {_POSITIONS:,} positions",
                (ours, seconds),
                (theirs, time.process_time() - began),
            )
        )
    return lines


def kenlm_rows(corpus: Corpus, rest: str, python: str, folder: Path) -> list[str]:
    """The rows of KenLM, which reads the file that this program writes."""
    (folder / "words").write_text(" ".join(map(str, corpus.encode(rest).tolist())))
    lines = []
    for name in ("witten-bell", "learned"):
        model = corpus.model(name, context=4)
        began = time.process_time()
        model.save_arpa(folder / "model.arpa")
        print(f"the file of {name} is written in {time.process_time() - began:.1f} s", flush=True)
        total, seconds = timed(lambda model=model: model.perplexity([rest]).total)
        words = [python, "-c", _KENLM, str(folder / "model.arpa"), str(folder / "words")]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        perplexity, loaded, scored = json.loads(said)
        # KenLM's numbers have 24 bits.
        assert abs(perplexity / total.perplexity - 1) < 1e-5
        what = f"`{name} --context 4`, {total.tokens:,} positions"
        lines.append(row(f"KenLM's query, {what}", (total.perplexity, seconds), (perplexity, scored)))
        lines.append(
            row(
                f"the same, with KenLM's reading of the file, {what}",
                (total.perplexity, seconds),
                (perplexity, loaded + scored),
            )
        )
    return lines


def gpt_rows(train: Path, rest: str, text: Path, python: str, folder: Path) -> list[str]:
    """The row of the tiny GPT; ours is everything from the text: index, trust and score."""
    began = time.process_time()
    build_index(train, folder / "again", tokenizer="bytes")
    ours = open_index(folder / "again").model("learned").perplexity([rest]).perplexity
    seconds = time.process_time() - began
    said = subprocess.run([python, str(_EXAMPLE), str(text)], check=True, capture_output=True, text=True).stdout
    found = json.loads(said)
    name = (
        f"a GPT of {found['parameters']:,} parameters, {found['steps']:,} steps; `learned` with the build of its index"
    )
    spent = found["training_seconds"] + found["scoring_seconds"]
    return [row(name, (ours, seconds), (found["perplexity"], spent))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", type=Path)
    parser.add_argument("--kenlm")
    parser.add_argument("--torch")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    data = args.text.read_bytes()
    train, rest = data[: int(0.9 * len(data))], data[int(0.9 * len(data)) :]
    title = (
        f"Corpus Explorer {__version__}, {machine()}. Processor time, in one run; a ratio below 1 means that the other is "
        f"faster. The corpus has {len(train):,} bytes."
    )
    print(f"{title}\n\n{_HEAD}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "train.txt").write_bytes(train)
        build_index(folder / "train.txt", folder / "index", tokenizer="bytes")
        corpus = open_index(folder / "index")
        lines = plain_rows(corpus, train, rest)
        if args.kenlm:
            lines += kenlm_rows(corpus, rest.decode(), args.kenlm, folder)
        if args.torch:
            lines += gpt_rows(folder / "train.txt", rest.decode(), args.text, args.torch, folder)
    if args.out:
        args.out.write_text("\n".join([title, "", _HEAD, *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
