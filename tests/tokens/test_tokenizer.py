"""Tokens, bytes and characters, in every style of vocabulary."""

from __future__ import annotations

import gc
import sys
import threading

import numpy as np
import pytest
import texts
import tokenizers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_use import megabytes
from tokenizers import decoders, models, normalizers

import explorer.text.tokens.tokenizer as tokenizer_module
from explorer.errors import TokenizerError
from explorer.text.tokens.decode import decode, decode_rows, trim
from explorer.text.tokens.tokenizer import TextTokenizer, byte_alphabet


@pytest.fixture(scope="module")
def by_style(small_index):
    return {
        "bytes": TextTokenizer.raw_bytes(),
        "byte-level": TextTokenizer.from_file(small_index / "tokenizer.json"),
        "sentencepiece": sentencepiece(),
    }


def sentencepiece():
    """A small vocabulary of Llama-2's kind: `▁` for spaces, `<0xNN>` for what it does not have."""
    vocabulary = {"<unk>": 0, **{f"<0x{byte:02X}>": byte + 1 for byte in range(256)}}
    for piece in ["▁", *"abcdefghijklmnopqrstuvwxyz.", "▁a", "▁t", "th", "▁th"]:
        vocabulary[piece] = len(vocabulary)
    backend = tokenizers.Tokenizer(
        models.BPE(
            vocabulary,
            [("▁", "a"), ("▁", "t"), ("t", "h"), ("▁t", "h")],
            unk_token="<unk>",
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    backend.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    backend.add_special_tokens(["<unk>"])
    return TextTokenizer.from_backend(backend, "small sentencepiece")


@pytest.mark.parametrize("style", ["bytes", "byte-level", "sentencepiece"])
@given(text=texts.SCRIPTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_decoding_gives_the_text_back(by_style, style, text):
    tokenizer = by_style[style]
    assert tokenizer.style == style
    decoded = decode(tokenizer, tokenizer.encode(text).tolist()).text
    if tokenizer.adds_space and text:
        assert decoded.startswith(" ")
        decoded = decoded[1:]
    assert decoded == text


@pytest.mark.parametrize("style", ["bytes", "byte-level", "sentencepiece"])
@given(text=texts.SCRIPTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_offsets_cover_the_text_in_order(by_style, style, text):
    encoded = by_style[style].encode_with_offsets(text)
    assert encoded.ids.tolist() == by_style[style].encode(text).tolist()
    covered = 0
    for start, end in zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True):
        assert 0 <= start <= end <= len(text)
        assert start <= covered
        covered = max(covered, end)
    assert covered == len(text)


@given(st.binary(max_size=30), st.lists(st.integers(0, 30), max_size=4))
def test_cut_characters_never_garble_the_rest(data, cuts):
    tokenizer = TextTokenizer.raw_bytes()
    decoded = decode(tokenizer, list(data))
    assert len(decoded.starts) == len(data) + 1
    assert (decoded.starts[:-1] <= decoded.starts[1:]).all()
    assert decoded.starts[-1] == len(decoded.text)


def test_a_window_cut_inside_characters():
    data = "日本語".encode()
    assert decode(TextTokenizer.raw_bytes(), data[1:-1]).text == "本"
    assert decode(TextTokenizer.raw_bytes(), b"a\xffb").text == "a\ufffdb"


def test_separators_are_line_feeds():
    assert decode(TextTokenizer.raw_bytes(), [97, 255, 98], 255).text == "a\nb"


def test_the_alphabet_has_every_byte_once():
    assert sorted(byte_alphabet().values()) == list(range(256))


def test_unpaired_surrogates_are_replaced():
    assert decode(TextTokenizer.raw_bytes(), TextTokenizer.raw_bytes().encode("a\ud800b").tolist()).text == "a\ufffdb"


@pytest.mark.parametrize(("text", "expected"), [("  ab ", (2, 4)), ("   ", (0, 3)), ("a", (0, 1)), ("", (0, 0))])
def test_trim(text, expected):
    assert trim(text, 0, len(text)) == expected


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"model": {"type": "none"}}'])
def test_files_that_are_no_tokenizers(tmp_path, content):
    path = tmp_path / "tokenizer.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TokenizerError, match=r"tokenizer\.json"):
        TextTokenizer.from_file(path)


def test_a_missing_file(tmp_path):
    with pytest.raises(TokenizerError, match="cannot be read"):
        TextTokenizer.from_file(tmp_path / "none.json")


def test_a_tokenizer_is_read_once(small_index, tmp_path):
    path = small_index / "tokenizer.json"
    first, again = TextTokenizer.from_file(path), TextTokenizer.from_file(path)
    assert first is not again and first.backend is again.backend
    other = tmp_path / "tokenizer.json"
    other.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")
    changed = TextTokenizer.from_file(other)
    assert changed.backend is not first.backend
    for number in range(8):
        other.write_text(path.read_text(encoding="utf-8") + " " * (number + 2), encoding="utf-8")
        TextTokenizer.from_file(other)
    assert len(tokenizer_module._loaded) <= 4
    # One that is no longer kept goes on working.
    assert changed.encode("the cat").tolist() == first.encode("the cat").tolist()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux for the memory")
def test_opening_again_and_again_takes_no_more_memory(small_index, scale):
    text = " ".join(f"word{number}" for number in range(20_000))

    def use():
        for _ in range(scale(5, 15)):
            TextTokenizer.from_file(small_index / "tokenizer.json").encode(text)
        gc.collect()
        return megabytes()

    use()
    before = use()
    assert use() - before < 4


@pytest.mark.parametrize("style", ["byte-level", "sentencepiece"])
@pytest.mark.parametrize("length", [0, 1, 999, 1_000, 1_001, 20_000])
def test_long_texts_are_encoded_as_short_ones_are(by_style, style, length):
    tokenizer = by_style[style]
    text = ("the cat, naïve 日本語 😀\n\ta \ud800 b" * 1_000)[:length]
    wanted = tokenizer.backend.encode(text.replace("\ud800", "\ufffd"), add_special_tokens=False)
    assert tokenizer.encode(text).tolist() == wanted.ids
    found = tokenizer.encode_with_offsets(text)
    assert list(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) == wanted.offsets


def test_encoding_a_long_text_lets_other_threads_run(by_style):
    """The window's own thread among them.

    Threads change only where the lock is given up. So this one goes on before the text is encoded if encoding gives it
    up; a longer text is tried where a busy machine let this thread wait until the end.
    """
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        assert any(
            goes_on_meanwhile(by_style["byte-level"], "日本語😀" * count) for count in (50_000, 200_000, 800_000)
        )
    finally:
        sys.setswitchinterval(switch)


def goes_on_meanwhile(tokenizer, text):
    begun, done = threading.Event(), threading.Event()

    def encode():
        begun.set()
        tokenizer.encode(text)
        done.set()

    thread = threading.Thread(target=encode)
    thread.start()
    begun.wait()
    meanwhile = not done.is_set()
    thread.join()
    return meanwhile


BYTE_ROWS = st.lists(st.lists(st.sampled_from([0x20, 0x61, 10, 0x80, 0xC3, 0xA9, 0xE2, 0xF0]), min_size=3, max_size=3))


@given(BYTE_ROWS, st.sampled_from([None, 10, 0x80]), st.booleans())
def test_rows_are_decoded_as_each_by_itself(rows, separator, begins):
    tokenizer = TextTokenizer.raw_bytes()
    found = decode_rows(tokenizer, np.array(rows, dtype=np.uint32).reshape(-1, 3), separator, begins)
    assert found == [decode(tokenizer, row, separator, begins).text for row in rows]


def test_rows_begin_without_the_space_that_encoding_puts_there():
    tokenizer = TextTokenizer.raw_bytes()
    tokenizer.__dict__["adds_space"] = True
    rows = [[32, 97], [97, 32], [32, 0xE2]]
    assert decode_rows(tokenizer, np.array(rows), begins=True) == ["a", "a ", ""]
    assert [decode(tokenizer, row, begins=True).text for row in rows] == ["a", "a ", ""]
