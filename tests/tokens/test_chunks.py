"""Texts tokenized with what was tokenized before have the ids that the library gives, whatever the tokenizer."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from shared_data import tokenizer_files
from tokenizers import AddedToken, Regex, models, normalizers, pre_tokenizers, trainers

from explorer.core.files.encoding import replace_surrogates
from explorer.text.tokens.chunks import ChunkEncoder
from explorer.text.tokens.seams import seams_of
from explorer.text.tokens.tokenizer import TextTokenizer
from explorer.text.tokens.training import train_bpe

LEARNED = [
    "The cat sat on the mat, and the dog didn't. It's 1234 words\n\n  of a story; the story's end.",
    "def find(self, ids):\n    return self.found[ids]  # the found ones\n\tif ids == 12:\n\t\tpass\r\n",
    "Ein schöner Tag in Zürich … „so“ — naïve café\u00a0noir 東京 は 晴れ です 🙂🙂",
] * 20
BYTE_LEVEL = sorted(pre_tokenizers.ByteLevel.alphabet())
GPT4 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)

PIECES = [
    "the", "The", "cat", "didn", "'t", "'s", "story", "schöner", "é", "e\u0301", "\u0301", "東京", "は", "🙂", "12",
    "3", ",", ".", "(", "_", "'", "->", "=\u0338", "…", "|||IP|||", "<end>", "K", "\u212a", "\u037e", " ", " ", " ",
    "  ", "   ", "\n", "\r\n", "\t", "\u00a0", "\u2003", "\u3000", "\u200b", "\ufeff", "▁", "\x00", "\x1c", "\x7f",
    "\x85", "\xad", "ﬁ", "x" * 40, "\U000e0020",
]  # fmt: skip
TEXTS = st.lists(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=20), max_size=8)


def bpe(words: Any, changes: Any = None, **trained: Any) -> tokenizers.Tokenizer:
    backend = tokenizers.Tokenizer(models.BPE())
    backend.pre_tokenizer = words
    if changes is not None:
        backend.normalizer = changes
    trainer = trainers.BpeTrainer(vocab_size=600, show_progress=False, initial_alphabet=BYTE_LEVEL, **trained)
    backend.train_from_iterator(LEARNED, trainer)
    return backend


def gpt2() -> tokenizers.Tokenizer:
    """With tokens of white space only, as GPT-NeoX and OLMo have them, and others that are taken out of the text."""
    backend = bpe(pre_tokenizers.ByteLevel(add_prefix_space=False), normalizers.NFC())
    backend.add_tokens([AddedToken("|||IP|||", normalized=True), AddedToken("  ", normalized=True)])
    backend.add_special_tokens(["<end>", "the cat"])
    return backend


def prefixed_gpt2() -> tokenizers.Tokenizer:
    backend = bpe(pre_tokenizers.ByteLevel(add_prefix_space=True))
    backend.add_special_tokens([AddedToken("<end>", lstrip=True, rstrip=True)])
    return backend


def gpt4() -> tokenizers.Tokenizer:
    cut = pre_tokenizers.Split(Regex(GPT4), "isolated")
    return bpe(pre_tokenizers.Sequence([cut, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]))


def with_digits() -> tokenizers.Tokenizer:
    digits = pre_tokenizers.Digits(individual_digits=True)
    return bpe(pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)]))


def metaspace() -> tokenizers.Tokenizer:
    return bpe(pre_tokenizers.Metaspace(), normalizers.NFD(), special_tokens=["<unk>"])


def llama() -> tokenizers.Tokenizer:
    """Cuts no words off: its merges do not join a space to what is before it."""
    parts = json.loads(bpe(pre_tokenizers.Metaspace()).to_str())
    vocabulary = parts["model"]["vocab"]
    for name in ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]:
        vocabulary.setdefault(name, len(vocabulary))
    parts["model"] |= {"byte_fallback": True, "unk_token": "<unk>", "fuse_unk": True}
    parts["pre_tokenizer"] = None
    backend = tokenizers.Tokenizer.from_str(json.dumps(parts))
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    backend.add_special_tokens(["<end>"])
    return backend


def bert() -> tokenizers.Tokenizer:
    backend = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    backend.normalizer, backend.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    backend.train_from_iterator(LEARNED, trainers.WordPieceTrainer(vocab_size=300, special_tokens=["[UNK]"]))
    return backend


def trained() -> tokenizers.Tokenizer:
    backend = train_bpe(LEARNED, 600).backend
    assert backend is not None
    return backend


KINDS: list[Callable[[], tokenizers.Tokenizer]] = [
    gpt2, prefixed_gpt2, gpt4, with_digits, metaspace, llama, bert, trained,
]  # fmt: skip
MADE = {kind.__name__: kind() for kind in KINDS}


def encoder(backend: tokenizers.Tokenizer, room: int = 1000) -> ChunkEncoder:
    seams = seams_of(backend)
    assert seams.starters, "this test is about tokenizers with seams"
    return ChunkEncoder(backend, seams, TextTokenizer.from_backend(backend, "made").token_sizes, room)


def asked(backend: tokenizers.Tokenizer, texts: list[str]) -> list[list[int]]:
    return [each.ids for each in backend.encode_batch_fast(texts, add_special_tokens=False)]


@pytest.mark.parametrize("name", list(MADE))
@given(batches=st.lists(TEXTS, max_size=4), room=st.sampled_from([1, 5, 1000]))
def test_ids_are_those_of_the_library(name: str, batches: list[list[str]], room: int) -> None:
    backend = MADE[name]
    made = encoder(backend, room)
    for texts in batches * 2:
        plain = [replace_surrogates(text) for text in texts]
        assert [ids.tolist() for ids in made.encode_batch(plain)] == asked(backend, plain)


@pytest.mark.nightly
@pytest.mark.parametrize("name", list(MADE))
def test_each_piece_beside_each(name: str) -> None:
    """Every pair, and every three around white space, at the beginning, in the middle and at the end of a text."""
    backend = MADE[name]
    blanks = ["", "a.", "9_", " ", "  ", "\n", "\t", " \n ", "\r\n", "\u00a0", "▁", "\u200b ", "\x0b"]
    texts = [first + blank + last for first in PIECES for blank in blanks for last in PIECES]
    texts += [f"a{text}" for text in texts] + [f"{text} b" for text in texts]
    made = encoder(backend, 100_000)
    assert [ids.tolist() for ids in made.encode_batch(texts)] == asked(backend, texts)
    assert [ids.tolist() for ids in made.encode_batch(texts[::-1])] == asked(backend, texts[::-1])


def test_what_is_known_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library gets new words only."""
    made = encoder(MADE["trained"])
    sent: list[str] = []

    class Recorder:
        def encode_batch_fast(self, texts: list[str], **options: Any) -> list[Any]:
            sent.extend(texts)
            return MADE["trained"].encode_batch_fast(texts, **options)

    monkeypatch.setattr(made, "_backend", Recorder())
    made.encode_batch(["the cat sat on the mat", "the dog sat"])
    assert "".join(sent).count(" sat") == 1
    sent.clear()
    made.encode_batch(["the dog sat on the cat"])
    assert sent == []


def test_threads_share_a_table() -> None:
    backend = MADE["gpt2"]
    made = encoder(backend, 200)
    texts = [[f"{a} {b} {number}" for a in PIECES for b in PIECES[:6]] for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(made.encode_batch, texts)]
    assert [[ids.tolist() for ids in each] for each in found] == [asked(backend, each) for each in texts]


def test_no_texts_and_empty_texts() -> None:
    made = encoder(MADE["llama"])
    assert made.encode_batch([]) == []
    assert [ids.tolist() for ids in made.encode_batch(["", "a", ""])] == asked(MADE["llama"], ["", "a", ""])


def test_a_large_batch_is_tokenized_so() -> None:
    """`TextTokenizer.encode_batch` uses it for many texts, and gives the same for few."""
    made = train_bpe(LEARNED, 600)
    texts = [" ".join(PIECES) * 40] * 40
    many = made.encode_batch(texts)
    assert made._batches.chunks is not None and len(made._batches.chunks._table) > 20
    assert [ids.tolist() for ids in many] == [made.encode(text).tolist() for text in texts]


@pytest.mark.parametrize("path", tokenizer_files(), ids=lambda path: path.name.partition(".")[0])
def test_tokenizers_of_files(path: Path) -> None:
    made = TextTokenizer.from_file(path)
    assert made.backend is not None
    texts = [*LEARNED[:3], " ".join(PIECES), "\n".join(PIECES), "".join(PIECES), "  x   <s> y</s>  z   "] * 60
    found = made.encode_batch(texts)
    assert [ids.tolist() for ids in found] == asked(made.backend, texts)
    assert all(ids.dtype == np.int64 for ids in found)
    # The merges of the one in the style of Llama join spaces to words before them, so that it has no seams.
    assert (made._batches.chunks is None) == (path.name == "llama.tokenizer.json")
