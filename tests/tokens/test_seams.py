"""Where a tokenizer is known to cut, and which ones are tokenized as they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tokenizers
from tokenizers import AddedToken, Regex, models, normalizers, pre_tokenizers

from explorer.text.tokens.seams import MARKS, NONE, seams_of

GPT4 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)


def made(words: Any = None, changes: Any = None, added: tuple[AddedToken, ...] = ()) -> tokenizers.Tokenizer:
    backend = tokenizers.Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]))
    if words is not None:
        backend.pre_tokenizer = words
    if changes is not None:
        backend.normalizer = changes
    backend.add_tokens([*added])
    return backend


GPT2 = pre_tokenizers.ByteLevel(add_prefix_space=False)


def split(expression: str, behavior: str = "isolated", invert: bool = False) -> Any:
    return pre_tokenizers.Split(Regex(expression), behavior, invert)


@pytest.mark.parametrize(
    ("words", "starters"),
    [
        (GPT2, " \t\n\r"),
        (split(GPT4), " \t"),
        (pre_tokenizers.Sequence([split(GPT4), pre_tokenizers.ByteLevel(use_regex=False)]), " \t"),
        (pre_tokenizers.Metaspace(), " "),
        (pre_tokenizers.WhitespaceSplit(), " \t\n\r"),
        (pre_tokenizers.Sequence([pre_tokenizers.Digits(), GPT2]), " \t\n\r"),
    ],
)
def test_known_words(words: Any, starters: str) -> None:
    assert seams_of(made(words)).starters == starters


def test_marks_begin_a_piece_where_they_are_cut_off() -> None:
    assert seams_of(made(GPT2)).marks == seams_of(made(split(GPT4))).marks == '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~'
    assert seams_of(made(pre_tokenizers.Metaspace())).marks == ""
    assert seams_of(made(pre_tokenizers.Whitespace())).marks == "", "a low line belongs to its word"


@pytest.mark.parametrize(
    "words",
    [
        pre_tokenizers.ByteLevel(use_regex=False),
        split(r"\w+"),
        split(GPT4, behavior="removed"),
        split(GPT4, invert=True),
        pre_tokenizers.Metaspace(split=False),
        pre_tokenizers.Punctuation(),
        pre_tokenizers.Sequence([pre_tokenizers.Punctuation(), GPT2]),
    ],
)
def test_unknown_words_have_none(words: Any) -> None:
    assert seams_of(made(words)) == NONE


@pytest.mark.parametrize(
    "changes",
    [
        normalizers.NFKC(),
        normalizers.Strip(),
        normalizers.StripAccents(),
        normalizers.Replace(Regex(r"\s+"), " "),
        normalizers.Replace("a b", "▁"),
        normalizers.Replace(".", " "),
        normalizers.Sequence([normalizers.NFC(), normalizers.Strip()]),
    ],
)
def test_changes_that_reach_across_have_none(changes: Any) -> None:
    assert seams_of(made(GPT2, changes)) == NONE


def test_accents_may_be_stripped_where_white_space_is_dropped() -> None:
    assert seams_of(made(pre_tokenizers.BertPreTokenizer(), normalizers.StripAccents())).starters


def test_added_tokens() -> None:
    plain, blank, spaced = (AddedToken(content) for content in ("<x>", "   ", "new york"))
    assert seams_of(made(GPT2, added=(plain, blank))).added == ("<x>",)
    assert seams_of(made(GPT2, added=(spaced,))).added == ("new york",)
    # After one of white space, what is put before a text would be put again.
    assert seams_of(made(pre_tokenizers.ByteLevel(add_prefix_space=True), added=(blank,))) == NONE
    assert seams_of(made(pre_tokenizers.Metaspace(), added=(blank,))) == NONE


def test_an_added_token_that_is_written_otherwise() -> None:
    """NFC makes a K of U+212A: a text may have the token without having its characters."""
    for content, known in (("<x>", True), ("<K>", False), ("<é>", False)):
        found = seams_of(made(GPT2, normalizers.NFC(), (AddedToken(content, normalized=True),)))
        assert bool(found.starters) == known
    assert seams_of(made(GPT2, normalizers.Lowercase(), (AddedToken("<x>", normalized=True),))) == NONE
    assert seams_of(made(GPT2, normalizers.Lowercase(), (AddedToken("<x>", normalized=False),))).starters


def merging(merges: list[tuple[str, str]], **model: Any) -> tokenizers.Tokenizer:
    """A tokenizer that cuts no words off."""
    joined = [left + right for left, right in merges]
    pieces = ["▁", "\n", ".", "a", "b", *joined, *(f"<0x{byte:02X}>" for byte in range(256))]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    backend = tokenizers.Tokenizer(models.BPE(vocabulary, merges, byte_fallback=True, **model))
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    return backend


def test_merges_across_white_space() -> None:
    assert seams_of(merging([("a", "b"), ("▁", "a"), ("▁", "▁")])).starters == " \t\n\r"
    assert seams_of(merging([("a", "\n")])).starters == " \t\r"
    assert seams_of(merging([("a", "▁")])).starters == ""
    assert seams_of(merging([("▁", "\n")])).starters == " \t\n\r"


def test_merges_of_marks() -> None:
    assert seams_of(merging([("a", "b")])).marks == MARKS
    assert seams_of(merging([("b", ".")])).marks == MARKS.replace(".", "")
    assert seams_of(merging([(".", "a"), ("▁", ".")])).marks == MARKS


def test_words_that_are_looked_up_whole_have_none() -> None:
    """A whole text that is in the vocabulary is one token then; a part of a text is not."""
    assert seams_of(merging([("a", "b")], ignore_merges=True)) == NONE
    assert seams_of(merging([("a", "b")], dropout=0.5)) == NONE


def test_unknown_characters_have_none() -> None:
    parts = json.loads(merging([("a", "b")]).to_str())
    del parts["model"]["vocab"]["<0x41>"]
    assert seams_of(tokenizers.Tokenizer.from_str(json.dumps(parts))) == NONE
