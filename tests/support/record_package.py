"""Record what the infini-gram package makes of the texts of `own_indexes`: its files and its engine's answers.

Run by hand on Linux, with the requirements of the tests, where the texts or the tokenizers change:

    PYTHONPATH=.:tests/support python tests/support/record_package.py

It writes all files of `tests/data/infini_gram`; `tests/infini_gram/test_recorded.py` compares them with the slow twin.
The package's indexer asks for 32 GiB of memory to sort tokens of 4 bytes, so that table is not recorded.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import own_indexes
from own_indexes import DATA, LAYOUTS, Layout
from package_process import Package
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

ANSWERED = ("v4_u16_llama", "v4_u16_olmo_3shards", "v4_u32_olmo", "v4_u8_bytes")
"""Layouts with tokens of their own: the others hold the same ones as the first."""
PROCESSES = 5
"""Each question goes to this number of new processes, and the most frequent answer is recorded: see package_process."""


def main() -> None:
    for style, train in {"llama": _llama, "olmo": _olmo}.items():
        (DATA / f"{style}.tokenizer.json").write_text(f"{train()}\n", encoding="utf-8")
    version = {name: importlib.metadata.version(name) for name in ("infini-gram", "tokenizers")}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        answers = {layout: recorded_answers(folder, layout) for layout in ANSWERED}
        files = {layout: recorded_files(folder / "indexer" / layout, layout) for layout in LAYOUTS}
    for file, found in (("answers.json", answers), ("files.json", files)):
        rows = ",\n".join(
            f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in (version | found).items()
        )
        (DATA / file).write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


def recorded_answers(folder: Path, name: str) -> dict[str, Any]:
    """The package's answers to the questions that the twin answers about this layout, in the twin's form."""
    width, asked = LAYOUTS[name].width, own_indexes.answers(name)
    index, _ = own_indexes.write(folder, name)
    begins = folder / f"{name}.begins.txt"
    begins.write_text("\n".join(map(str, asked["spans"]["word_starts"])), encoding="utf-8")
    last = (1 << (8 * width)) - 1
    options = {"vocab_size": last, "token_dtype": f"u{8 * width}", "bow_ids_path": str(begins)}
    found = []
    for _ in range(PROCESSES):
        with Package(index_dir=str(index), eos_token_id=last - 1, **options) as package:
            found.append(_answers(package, asked, last))
    return {key: _most_frequent([each[key] for each in found]) for key in asked}


def _answers(package: Package, asked: dict[str, Any], separator: int) -> dict[str, Any]:
    ids, spans = asked["text_ids"], asked["spans"]

    def after(context: list[int]) -> dict[int, int]:
        found = package.ntd(context, max_support=10**9)["result_by_token_id"]
        return {separator if token == separator - 1 else token: each["cont_cnt"] for token, each in found.items()}

    def suffix(at: int) -> dict[str, Any]:
        found = package.infgram_prob(ids[:at], ids[at])
        return {key: found[key] for key in ("suffix_len", "prompt_cnt", "cont_cnt", "prob")}

    def clauses(row: dict[str, Any]) -> int:
        return int(package.find_cnf(row["cnf"], max_diff_tokens=row["max_diff_tokens"])["cnt"])

    limits = spans["delimiter_ids"], spans["min_len"], spans["max_count"]
    attributed = package.attribute(ids, *limits, True)["spans"]
    return {
        "count": [row | {"count": package.count(row["ids"])["count"]} for row in asked["count"]],
        "prob": [{"ids": row["ids"]} | package.prob(row["ids"][:-1], row["ids"][-1]) for row in asked["prob"]],
        "next": [
            {"context": row["context"], "count": package.count(row["context"])["count"], "next": after(row["context"])}
            for row in asked["next"]
        ],
        "infgram": [{"upto": row["upto"]} | suffix(row["upto"]) for row in asked["infgram"]],
        "cnf": [row | {"count": clauses(row)} for row in asked["cnf"]],
        "spans": spans | {"spans": [{key: span[key] for key in ("l", "r", "count")} for span in attributed]},
        "text_ids": ids,
    }


def _most_frequent(answers: list[Any]) -> Any:
    if isinstance(answers[0], list) and answers[0] and isinstance(answers[0][0], dict):
        return [_most_frequent([answer[number] for answer in answers]) for number in range(len(answers[0]))]
    [(text, _)] = Counter(map(json.dumps, answers)).most_common(1)
    return json.loads(text)


def recorded_files(folder: Path, name: str) -> dict[str, str]:
    """Digests of the files that the package's indexer writes for this layout."""
    layout = LAYOUTS[name]
    texts = folder / "texts"
    texts.mkdir(parents=True)
    lines = "".join(json.dumps({"text": text}) + "\n" for text in own_indexes.texts())
    (texts / "texts.jsonl").write_text(lines, encoding="utf-8")
    package, arguments = _indexer(layout, folder)
    written = ["tokenized", "offset", "unigram", "table"]
    if layout.shards > 1:
        # The package deals documents to shards one by one, `own_indexes` in runs: only the order can be compared.
        written = ["table"]
        shutil.copytree(own_indexes.write(texts, name)[0], folder, dirs_exist_ok=True)
        for table in folder.glob("table.*"):
            table.unlink()
    else:
        (package.prepare if layout.version == 6 else package.tokenize)(arguments)
    if layout.width < 4:
        here = Path.cwd()
        # Of two processes, the first would sort all of a text as short as this one.
        arguments.cpus = 1
        package.build_sa(arguments)
        os.chdir(here)
    paths = sorted(path for path in folder.iterdir() if path.stem in written)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def _indexer(layout: Layout, folder: Path) -> tuple[ModuleType, SimpleNamespace]:
    """The package's module that writes this version, with our tokenizer, and its arguments."""

    def ours(*_: object, **__: object) -> SimpleNamespace:
        backend = Tokenizer.from_str(own_indexes.tokenizer_json(layout.style))
        return SimpleNamespace(encode=lambda text: backend.encode(text, add_special_tokens=False).ids)

    hub: Any = ModuleType("transformers")
    hub.utils = SimpleNamespace(logging=SimpleNamespace(set_verbosity=lambda level: None))
    hub.AutoTokenizer = SimpleNamespace(from_pretrained=ours)
    # It reads compressed texts, of which there are none.
    sys.modules |= {"transformers": hub, "zstandard": ModuleType("zstandard")}
    package = importlib.import_module(f"infini_gram.indexing{'_v6' if layout.version == 6 else ''}")
    width = f"uint{8 * layout.width}"
    # Its command line sets these.
    vars(package).update(tokenizer=None, version=layout.version, token_dtype=np.dtype(width).type)
    arguments = SimpleNamespace(
        data_dir=str(folder / "texts"), save_dir=str(folder), temp_dir=str(folder), token_dtype=width,
        tokenizer=None if layout.style == "bytes" else "gpt2", token_width=layout.width, doc_sep=b"\xff" * layout.width,
        add_metadata=layout.metadata, add_unigram=True, shards=layout.shards, workers=1, worker_id=0, batch_size=20,
        cpus=2, mem=2, hack=100_000, reversed=False,
    )  # fmt: skip
    return package, arguments


def _olmo() -> str:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=600, initial_alphabet=alphabet, special_tokens=["<|endoftext|>"])
    trainer.show_progress = False
    tokenizer.train_from_iterator(own_indexes.texts(), trainer)
    return str(tokenizer.to_str())


def _llama() -> str:
    tokenizer = Tokenizer(models.BPE())
    marks = [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    tokenizer.normalizer = normalizers.Sequence(marks)
    trainer = trainers.BpeTrainer(vocab_size=400)
    trainer.show_progress = False
    # Characters beyond Latin are left to the byte tokens.
    tokenizer.train_from_iterator(
        [text.encode("latin-1", "ignore").decode("latin-1") for text in own_indexes.texts()], trainer
    )
    trained = json.loads(tokenizer.to_str())
    first = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    pieces = sorted(trained["model"]["vocab"], key=trained["model"]["vocab"].get)
    trained["model"]["vocab"] = {piece: number for number, piece in enumerate([*first, *pieces])}
    trained["model"] |= {"unk_token": "<unk>", "byte_fallback": True, "fuse_unk": True}
    trained["added_tokens"] = [
        {"id": number, "content": piece, "single_word": False, "lstrip": False, "rstrip": False}
        | {"normalized": False, "special": True}
        for number, piece in enumerate(first[:3])
    ]
    made = Tokenizer.from_str(json.dumps(trained))
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    made.decoder = decoders.Sequence(steps)
    return str(made.to_str())


if __name__ == "__main__":
    main()
