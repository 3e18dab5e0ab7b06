"""What a shard's files contain."""

from __future__ import annotations

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.index.writer import ShardWriter


@pytest.mark.parametrize("tokenizer", ["bytes", "train:400"])
def test_unigrams_are_counts_of_all_tokens(tmp_path, text_folder, tokenizer):
    build_index(text_folder, tmp_path / "index", tokenizer=tokenizer, shards=2)
    kind = "u1" if tokenizer == "bytes" else "<u2"
    for number in range(2):
        tokens, counts = np.unique(np.fromfile(tmp_path / "index" / f"tokenized.{number}", kind), return_counts=True)
        # The last is the separator.
        assert tokens[-1] == np.iinfo(kind).max
        lines = [f"{token} {count}\n" for token, count in zip(tokens.tolist(), counts.tolist(), strict=True)]
        assert (tmp_path / "index" / f"unigram.{number}").read_bytes() == "".join(lines).encode()


@pytest.mark.parametrize("name", ["v4_u16_llama", "v4_u32_olmo", "v4_u8_bytes"])
def test_unigrams_are_those_of_the_package(tmp_path, shared, name):
    folder = shared / "infini-gram-indexes" / name
    width = {"u8": 1, "u16": 2, "u32": 4}[name.split("_")[1]]
    writer = ShardWriter(tmp_path, 0, width)
    corpus = open_index(folder)
    for document in corpus.documents:
        writer.add_record({}, document.tokens)
    writer.finish()
    for file in ("tokenized.0", "offset.0", "unigram.0"):
        assert (tmp_path / file).read_bytes() == (folder / file).read_bytes()
