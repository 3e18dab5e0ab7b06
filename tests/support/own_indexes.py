"""Small index folders in every layout of the infini-gram package, made here, with the slow twin's answers.

Tokenizers are in the styles of Llama (words marked by ▁, unknown characters as bytes) and of OLMo (byte-level). A token
takes one, two or four bytes; one folder has several shards, one has reversed texts, one has names without numbers, and
one has no metadata. `tests/data/infini_gram` holds what the package itself makes of the same texts.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import twin
from shared_data import of_shared
from tokenizers import Tokenizer

DATA = Path(__file__).resolve().parents[1] / "data" / "infini_gram"
DOCUMENTS = 60


@dataclass(frozen=True)
class Layout:
    """How one folder is written; layouts that hold the same tokens have the same answers."""

    style: str
    width: int
    version: int = 4
    shards: int = 1
    metadata: bool = True


LAYOUTS = {
    "v4_u16_llama": Layout("llama", 2),
    "v4_u16_llama_nometa": Layout("llama", 2, metadata=False),
    "v5_u16_llama_reversed": Layout("llama", 2, version=5),
    "v6_u16_llama": Layout("llama", 2, version=6),
    "v4_u16_olmo_3shards": Layout("olmo", 2, shards=3),
    "v4_u32_olmo": Layout("olmo", 4),
    "v4_u8_bytes": Layout("bytes", 1),
}

MATERIAL = [
    *(f"own {name}" for name in LAYOUTS),
    *of_shared(*(f"package's {name}" for name in LAYOUTS), part="infini-gram-indexes"),
]
"""Each layout as it is made here, and where the shared data is at hand as the package made it of real texts, too."""

ANSWERED = 160
"""Tokens of the text that the slow twin predicts one by one."""

SUBJECTS = [
    "the cat",
    "a dog",
    "Zoë",
    "the old captain",
    "an otter",
    "my neighbour's goat",
    "日本の猫",
    "the committee",
]
VERBS = ["sat on", "looked at", "painted", "could not find", "remembers", "was given", "ran past", "café-hopped with"]
OBJECTS = ["the mat", "a red boat", "three maps", "the harbour", "naïve questions", "π ≈ 3.14159", "😀", "itself"]
ENDS = [".", ".", ".", "!", "?", ";", ".\n", ".\n\n"]


@cache
def texts() -> tuple[str, ...]:
    """Documents of about sixty words, that share sentences and parts of sentences; one is empty, one is repeated."""
    draw = random.Random(13)
    sentences = [
        " ".join(part).capitalize() + end
        for part, end in zip(
            zip(draw.choices(SUBJECTS, k=90), draw.choices(VERBS, k=90), draw.choices(OBJECTS, k=90), strict=True),
            draw.choices(ENDS, k=90),
            strict=True,
        )
    ]
    found = [" ".join(draw.choices(sentences, k=draw.randint(3, 9))) for _ in range(DOCUMENTS - 2)]
    return (*found, "", found[7])


@cache
def question(number: int = 31) -> str:
    """A text to look up: sentences of the documents, changed here and there; another one for each number."""
    draw = random.Random(number)
    words = " ".join(draw.sample(texts()[:50], 12)).split(" ")
    for at in draw.sample(range(len(words)), len(words) // 8):
        words[at] = draw.choice(["goat", "unheard", "the", "on.", "Zoë", "🜚"])
    return " ".join(words)


@cache
def tokenizer_json(style: str) -> str:
    """A tokenizer of a few hundred tokens, trained on the documents by `record_package`."""
    return (DATA / f"{style}.tokenizer.json").read_text(encoding="utf-8")


@cache
def encoded(style: str, text: str) -> tuple[int, ...]:
    """Token ids of a text, by the tokenizers library itself."""
    if style == "bytes":
        return tuple(text.encode())
    return tuple(_backend(style).encode(text, add_special_tokens=False).ids)


@cache
def _backend(style: str) -> Tokenizer:
    return Tokenizer.from_str(tokenizer_json(style))


def shards_of(layout: Layout) -> list[list[list[int]]]:
    """The documents' ids, dealt out to the shards in order."""
    documents = [list(encoded(layout.style, text)) for text in texts()]
    size = -(-len(documents) // layout.shards)
    return [documents[start : start + size] for start in range(0, len(documents), size)]


def write(folder: Path, name: str) -> tuple[Path, Path | None]:
    """Write the folder of a layout; returns it and its tokenizer.json (None for bytes)."""
    layout = LAYOUTS[name]
    path = twin.write_index(folder / name, shards_of(layout), layout.width, layout.version, layout.metadata)
    if layout.style == "bytes":
        return path, None
    tokenizer = folder / f"{layout.style}.tokenizer.json"
    tokenizer.write_text(tokenizer_json(layout.style), encoding="utf-8")
    return path, tokenizer


@cache
def _answers(style: str, width: int, shards: int) -> str:
    parts = shards_of(Layout(style, width, shards=shards))
    return json.dumps(_answer(twin.Twin(parts, width), style, parts))


def answers(name: str) -> dict[str, Any]:
    """What the package's answers hold, looked up in plain Python."""
    layout = LAYOUTS[name]
    found: dict[str, Any] = json.loads(_answers(layout.style, layout.width, layout.shards))
    return found


def _answer(slow: twin.Twin, style: str, shards: list[list[list[int]]]) -> dict[str, Any]:
    draw = random.Random(f"{style} {len(shards)}")
    documents = [document for part in shards for document in part]
    ids = list(encoded(style, question()))[:600]
    ngrams = [_ngram(draw, documents, ids) for _ in range(120)]
    contexts = [[], *(ngram[:-1] for ngram in ngrams if 1 < len(ngram) < 5)][:13]
    return {
        "count": [{"ids": ngram, "count": slow.count(ngram)} for ngram in ngrams],
        "prob": [_prob(slow, ngram) for ngram in ngrams],
        "next": [{"context": c, "count": slow.count(c), "next": dict(slow.next_tokens(c))} for c in contexts],
        "infgram": [_infgram(slow, ids, at) for at in range(5, min(len(ids), ANSWERED))],
        "cnf": [_cnf(draw, documents, ids) for _ in range(12)],
        "spans": _spans(slow, style, ids),
        "text_ids": ids,
    }


def _ngram(draw: random.Random, documents: list[list[int]], ids: list[int]) -> list[int]:
    """A part of a document or of the text, of any length; one in five has another token in it."""
    source = draw.choice([document for document in documents if document] if draw.random() < 0.7 else [ids])
    start = draw.randrange(len(source))
    ngram = source[start : start + draw.choice([1, 1, 2, 2, 3, 4, 5, 8, 20])]
    if draw.random() < 0.2:
        ngram[draw.randrange(len(ngram))] = draw.choice(ids)
    return ngram


def _prob(slow: twin.Twin, ngram: list[int]) -> dict[str, Any]:
    before, both = slow.count(ngram[:-1]), slow.count(ngram)
    prob = both / before if before else -1
    return {"ids": ngram, "prompt_cnt": before, "cont_cnt": both, "prob": prob}


def _infgram(slow: twin.Twin, ids: list[int], at: int) -> dict[str, Any]:
    length = slow.longest_suffix(ids[:at])
    before, both = slow.count(ids[at - length : at]), slow.count(ids[at - length : at + 1])
    return {"upto": at, "suffix_len": length, "prompt_cnt": before, "cont_cnt": both, "prob": both / before}


def _cnf(draw: random.Random, documents: list[list[int]], ids: list[int]) -> dict[str, Any]:
    """Clauses of short n-grams; drawn again until one is the rarest, since with equals either may be walked."""
    while True:
        clauses = [[_ngram(draw, documents, ids)[:3] for _ in range(draw.randint(1, 2))] for _ in range(2)]
        distance = draw.choice([3, 10, 100])
        found = [_places(documents, clause) for clause in clauses]
        if len(found[0]) == len(found[1]):
            continue
        rare, other = sorted(found, key=len)
        count = sum(any(e == d and abs(j - i) <= distance for e, j in other) for d, i in rare)
        return {"cnf": clauses, "max_diff_tokens": distance, "count": count}


def _places(documents: list[list[int]], clause: list[list[int]]) -> set[tuple[int, int]]:
    return {
        (number, i)
        for number, document in enumerate(documents)
        for ngram in clause
        for i in range(len(document) - len(ngram) + 1)
        if document[i : i + len(ngram)] == ngram
    }


def _spans(slow: twin.Twin, style: str, ids: list[int]) -> dict[str, Any]:
    every = _word_starts(style)
    delimiters = _delimiters(style)
    found = slow.spans(ids, [token in every for token in ids], delimiters, 2, 1000)
    spans = [{"l": start, "r": end, "count": count} for start, end, count in found]
    return {"delimiter_ids": delimiters, "min_len": 2, "max_count": 1000, "spans": spans, "word_starts": sorted(every)}


def _word_starts(style: str) -> set[int]:
    """Ids that begin a word, by OLMoTrace's rules for the three kinds of tokenizers."""
    if style == "bytes":
        return {9, 10, 32}
    vocabulary = _backend(style).get_vocab()
    if style == "olmo":
        return {number for piece, number in vocabulary.items() if piece[:1] in ("Ġ", "Ċ")}
    return {number for piece, number in vocabulary.items() if piece[:1] == "▁" or len(piece) == 1 or piece[:1] == "<"}


def _delimiters(style: str) -> list[int]:
    """Ids of a full stop and of a line feed within a text, whichever way they are cut."""
    if style == "bytes":
        return [10, 46]
    pieces = {"llama": ("<0x0A>", "\n", "."), "olmo": ("Ċ", ".")}[style]
    vocabulary = _backend(style).get_vocab()
    return sorted(vocabulary[piece] for piece in pieces if piece in vocabulary)
