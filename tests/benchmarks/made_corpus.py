"""A corpus of any size for benchmarks: real texts repeated, each time with other words changed."""

from __future__ import annotations

import gzip
import json
import random
import sysconfig
from collections.abc import Iterator
from pathlib import Path

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
_CHANGED = 0.15


def real_texts() -> list[str]:
    """The shared data's texts and model outputs; where it is absent, the standard library's source."""
    if not SHARED.is_dir():
        root = Path(sysconfig.get_paths()["stdlib"])
        return [path.read_text(encoding="utf-8", errors="replace") for path in sorted(root.rglob("*.py"))]
    texts = []
    for path in sorted((SHARED / "llm-outputs").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            texts += [json.loads(line)["text"] for line in file]
    for path in sorted((SHARED / "texts").glob("wikitext*.txt")):
        texts += path.read_text(encoding="utf-8").split("\n \n")
    return texts


def documents(tokens: int, seed: int = 1) -> Iterator[str]:
    """Documents of together about so many tokens (taken as 4.4 characters each).

    The first round is the real texts; in each further one 15 % of the words are words of other places.
    """
    texts = real_texts()
    words = " ".join(texts[:: max(1, len(texts) // 500)]).split(" ")
    generator = random.Random(seed)
    left = tokens * 4.4
    first = True
    while left > 0:
        for text in texts:
            made = text if first else _changed(text, words, generator)
            yield made
            left -= len(made)
            if left <= 0:
                return
        first = False


def _changed(text: str, words: list[str], generator: random.Random) -> str:
    parts = text.split(" ")
    for _ in range(int(len(parts) * _CHANGED)):
        parts[generator.randrange(len(parts))] = words[generator.randrange(len(words))]
    return " ".join(parts)


def write_corpus(path: Path, tokens: int) -> None:
    """Write the documents as JSON lines."""
    with open(path, "w", encoding="utf-8") as file:
        for text in documents(tokens):
            file.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")


def changed_answers(generator: random.Random) -> Iterator[str]:
    """Real texts with changed words, longest first: queries of which parts occur."""
    texts = sorted(real_texts(), key=len, reverse=True)[200:2000]
    words = " ".join(texts[:50]).split(" ")
    for text in texts:
        yield _changed(text, words, generator)
