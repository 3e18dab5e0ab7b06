"""Sends an opened corpus to workers of every kind, and prints what they answer: one JSON object.

usage: worker_modes.py INDEX. A program of its own, because it forks: the tests' process has threads.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from explorer import Concordance, Corpus, Document, open_index

QUERIES = ["the cat", "the dog", "nowhere", "sat on"]


def count(corpus: Corpus, query: str) -> tuple[int, int]:
    """A count, and the process that made it."""
    return corpus.count(query), os.getpid()


def described(given: tuple[Corpus, Concordance, Document]) -> list[Any]:
    """What a worker reads of a corpus, of its lines and of one of its documents."""
    corpus, lines, document = given
    return [
        repr(corpus),
        lines[0].match,
        document.text,
        corpus.next_tokens("the").texts,
        corpus.trace("the cat sat").coverage,
    ]


class Rows:
    """Rows by their number, as the data sets of PyTorch give them to the workers of a loader."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def __len__(self) -> int:
        return len(self.corpus.documents)

    def __getitem__(self, number: int) -> list[int]:
        return list(self.corpus.documents[number].tokens.tolist())


def mapped(corpus: Corpus) -> dict[str, int]:
    """Kilobytes of the index in this process, once all of it was read: resident, and its share of them."""
    assert sum(len(document.tokens) for document in corpus.documents) > 0
    assert corpus.count_many([[token] for token in range(256)]).sum() > 0
    text = Path("/proc/self/smaps").read_text()
    folder = re.escape(str(corpus.folders[0].resolve()))
    parts = re.findall(rf"^[0-9a-f]+-[0-9a-f]+ .* {folder}/.*\n((?:[A-Z]\w+: .*\n)+)", text, re.MULTILINE)
    sizes = {
        kind: [int(size) for part in parts for size in re.findall(rf"^{kind}: +(\d+)", part, re.MULTILINE)]
        for kind in ("Rss", "Pss")
    }
    return {kind: sum(found) for kind, found in sizes.items()}


def answers(
    run: Callable[[Callable[[str], tuple[int, int]]], Iterable[tuple[int, int]]], corpus: Corpus
) -> dict[str, Any]:
    """The counts of some workers, and whether others than this process made them."""
    found = list(run(partial(count, corpus)))
    return {"counts": [number for number, _ in found], "elsewhere": os.getpid() not in {worker for _, worker in found}}


def joblib_answers(corpus: Corpus, backend: str) -> dict[str, Any]:
    import joblib

    def run(work: Callable[[str], tuple[int, int]]) -> list[tuple[int, int]]:
        return list(joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(work)(query) for query in QUERIES))

    return answers(run, corpus)


def pool_answers(corpus: Corpus, method: str) -> dict[str, Any]:
    def run(work: Callable[[str], tuple[int, int]]) -> list[tuple[int, int]]:
        return pool.map(work, QUERIES)

    # One process: the time of this program is that of starting processes.
    with multiprocessing.get_context(method).Pool(1) as pool:
        return {
            **answers(run, corpus),
            "read": pool.apply(described, [given(corpus)]),
            "rows": pool.map(Rows(corpus).__getitem__, range(len(corpus.documents))),
            "memory": pool.apply(mapped, [corpus]) if sys.platform == "linux" else {},
        }


def given(corpus: Corpus) -> tuple[Corpus, Concordance, Document]:
    return corpus, corpus.concordance("cat"), corpus.document(1)


def main(index: str) -> None:
    corpus = open_index(index)
    if sys.platform == "linux":
        # A page that only one process has read is not shared.
        mapped(corpus)
    found: dict[str, Any] = {name: joblib_answers(corpus, name) for name in ("loky", "threading")}
    found |= {name: pool_answers(corpus, name) for name in ("spawn", "fork")}
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as executor:
        found["futures"] = {"read": executor.submit(described, given(corpus)).result()}
    found["here"] = {
        "counts": [corpus.count(query) for query in QUERIES],
        "read": described(given(corpus)),
        "rows": [Rows(corpus)[number] for number in range(len(corpus.documents))],
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
