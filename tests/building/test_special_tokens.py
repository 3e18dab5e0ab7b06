"""Special tokens that occur in texts are counted in the report of a build."""

from __future__ import annotations

import pytest
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

from explorer import build_index


@pytest.fixture
def tokenizer(tmp_path):
    """One token per byte, one special token, and one that is only added."""
    alphabet = {char: number for number, char in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    made = Tokenizer(models.BPE(alphabet, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    from tokenizers import decoders

    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken("<|end|>", special=True), AddedToken("<|pad|>", special=True)])
    made.save(str(tmp_path / "tokenizer.json"))
    return tmp_path / "tokenizer.json"


KIND = "special tokens of the tokenizer in texts, encoded as such"


def test_special_tokens_in_texts_are_counted(tokenizer, tmp_path):
    rows = [{"text": "a <|end|> b<|end|>"}, {"text": "plain"}, {"text": "<|end|><|pad|>"}]
    made = build_index(rows, tmp_path / "index", tokenizer=tokenizer, shards=1)
    assert made.skipped == {KIND: 4} and made.noticed == {KIND: ["<|end|> (3)", "<|pad|> (1)"]}


def test_texts_without_them_are_not_reported(tokenizer, tmp_path):
    assert build_index([{"text": "<|en|>"}], tmp_path / "index", tokenizer=tokenizer).skipped == {}
    assert build_index([{"text": "<|end|>"}], tmp_path / "bytes", tokenizer="bytes").skipped == {}
