"""What a shard's files contain."""

from __future__ import annotations

import numpy as np
import pytest

from explorer import build_index
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled
from explorer.index import writer as writer_module
from explorer.index.writer import dense_text


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


@pytest.mark.parametrize("looks", range(6))
def test_wide_tokens_are_looked_through_in_pieces(monkeypatch, looks):
    monkeypatch.setattr(writer_module, "_TABLE_CHUNK", 4)
    ids = np.array([7, 300, 7, 0xFFFFFFFF, 256, 1, 300, 7, 0xFFFFFFFF], dtype="<u4")
    cancel = CancelToken()
    seen = iter(range(100))

    def check():
        if next(seen) == looks:
            raise Cancelled

    monkeypatch.setattr(cancel, "check", check)
    # Three pieces, gone through twice.
    with pytest.raises(Cancelled):
        dense_text(ids.view(np.uint8), 4, None, cancel)
    symbols, alphabet = dense_text(ids.view(np.uint8), 4, None, CancelToken())
    # In the order of the stored bytes: 256, 1, 7, 300 and the separator.
    assert (symbols.tolist(), alphabet) == ([3, 4, 3, 5, 1, 2, 4, 3, 5], 6)
