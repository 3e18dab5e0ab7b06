"""Tokenizing with what was tokenized before, against the library alone: the same ids, and how much faster.

usage: python tests/benchmarks/tokenizing.py TOKENIZER… --source PATH… [--megabytes N] [--out FILE.md]

TOKENIZER is a tokenizer.json, or "train" for one that is trained on the first texts. PATH is a JSONL file with a field
"text", or a folder, all of whose files that are UTF-8 are read. Both ways tokenize the same 4 MB in turn, and every id is
compared.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from explorer.text.tokens.chunks import ChunkEncoder
from explorer.text.tokens.seams import seams_of
from explorer.text.tokens.tokenizer import TextTokenizer
from explorer.text.tokens.training import train_bpe

AT_ONCE = 4_000_000
MOST = 60_000
"""Characters of a text: longer ones are cut, as a build does."""


def texts(paths: list[Path]) -> Iterator[str]:
    for path in paths:
        if path.suffix == ".jsonl":
            with open(path, encoding="utf-8") as file:
                yield from (json.loads(line)["text"].encode("utf-8", "replace").decode() for line in file)
        else:
            for each in sorted(path.rglob("*")):
                if each.is_file() and not each.is_symlink():
                    try:
                        whole = each.read_text(encoding="utf-8")
                    except UnicodeDecodeError:
                        continue
                    yield from (whole[start : start + MOST] for start in range(0, len(whole), MOST))


def groups(paths: list[Path], most: int) -> Iterator[list[str]]:
    group: list[str] = []
    size = total = 0
    for text in texts(paths):
        group.append(text)
        size += len(text)
        if size >= AT_ONCE:
            yield group
            total += size
            group, size = [], 0
            if total >= most:
                return
    yield group


def measure(name: str, paths: list[Path], most: int) -> str:
    made = train_bpe(next(groups(paths, AT_ONCE))) if name == "train" else TextTokenizer.from_file(Path(name))
    backend = made.backend
    assert backend is not None
    encoder = ChunkEncoder(backend, seams_of(backend), made.token_sizes)
    took = [0.0, 0.0]
    tokens = size = unequal = 0
    for group in groups(paths, most):
        began = time.perf_counter()
        # In the sizes of a build.
        ours = [ids for first in range(0, len(group), 100) for ids in encoder.encode_batch(group[first : first + 100])]
        between = time.perf_counter()
        theirs = []
        for first in range(0, len(group), 100):
            found = backend.encode_batch_fast(group[first : first + 100], add_special_tokens=False)
            theirs += [np.array(each.ids, dtype=np.int64) for each in found]
        took[0] += between - began
        took[1] += time.perf_counter() - between
        tokens += sum(map(len, ours))
        size += sum(len(text.encode("utf-8")) for text in group)
        unequal += sum(not np.array_equal(one, other) for one, other in zip(ours, theirs, strict=True))
    cells = (
        Path(name).name, f"{size / 1e6:,.0f}", f"{tokens:,}", f"{unequal}", f"{tokens / took[1] / 1e6:.2f}",
        f"{tokens / took[0] / 1e6:.2f}", f"{took[1] / took[0]:.1f}",
    )  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tokenizers", nargs="+")
    parser.add_argument("--source", type=Path, nargs="+", required=True)
    parser.add_argument("--megabytes", type=float, default=float("inf"))
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    lines = [
        "| tokenizer | MB | tokens | texts with other ids | library, M tokens/s | ours, M tokens/s | times as fast |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    most = int(min(args.megabytes, 1e9) * 1e6)
    for name in args.tokenizers:
        lines.append(measure(name, args.source, most))
        print(lines[-1], flush=True)
    if args.out:
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
