"""The tokenizer that a build trains: letters of scripts without spaces, and emoji, are tokens of their own."""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter

import pytest
import regex
import texts
from hypothesis import given
from hypothesis import strategies as st
from scan import scan
from tokenizers import Tokenizer, pre_tokenizers

import explorer
from explorer.building.estimate.estimate import estimate_requested
from explorer.building.request import BuildRequest
from explorer.text.patterns.pattern import Pattern
from explorer.text.tokens.breakless import BREAKLESS, last_seam
from explorer.text.tokens.decode import decode
from explorer.text.tokens.long_texts import cut_long
from explorer.text.tokens.training import train_bpe

CHINESE = """语言模型是人工智能的一部分。语言是人的语言,模型是语言的模型!
大模型和小模型都是模型:模型模型。我们不说语言,也不说模型
自然语言处理(NLP)是人工智能的语言 模型。二〇二五年,第1语言"""
JAPANESE = """日本語の言語モデルは、日本の言葉のモデルです。モデルのデータはデータベースにあります。
ひらがなとカタカナ、々の字も。データー、ｶﾅ、か\u3099き\u3099。東京タワーで会いましょう。"""
THAI = """ภาษาไทยไม่มีช่องว่าง ที่นี่มีภาษาไทย และภาษาอื่น ๆ ด้วย น้ำ กำ ใหญ่
ພາສາລາວ ភាសាខ្មែរ မြန်မာဘာသာ"""
EMOJI = "🎉🎉 party 🎉, 👩‍👩‍👧 family 👍🏽👍 🇩🇪🇫🇷 ❤️ok 🧑🏽‍💻 1️⃣ © 2020 ™ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 语🎉言 🎉"
ENGLISH = (
    "The cat's isn't here; they've 123 cats, 'tis naïve.\n\n  def f(x):\n\treturn x == 2  # 語\n 한국어 문장입니다."
)
SOURCES = {"Chinese": CHINESE, "Japanese": JAPANESE, "Thai": THAI, "emoji": EMOJI, "English": ENGLISH}

BREAKLESS_LETTER = (
    r"[\p{L}\p{Nl}](?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}"
    r"\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー])"
)
ONE_CHARACTER = regex.compile(rf"{BREAKLESS_LETTER}\p{{M}}*|\p{{RI}}{{1,2}}|\p{{Emoji}}[\p{{M}}\p{{Cf}}\p{{Emoji}}]*")
BY_ITSELF = regex.compile(rf"{BREAKLESS_LETTER}|[\p{{Emoji_Presentation}}--\p{{RI}}]", regex.V1)

MIXED = st.text(
    st.one_of(
        st.sampled_from(CHINESE + JAPANESE + THAI + EMOJI + ENGLISH),
        st.sampled_from("语言 \n 的ーไ่ก\u200d🎉🏽🇩a1's.〇"),
        st.characters(blacklist_categories=("Cs",)),
    ),
    max_size=80,
)


@pytest.fixture(scope="module")
def made():
    """Trained so long that every word of the sources would be one token if it could be."""
    return train_bpe([*SOURCES.values()] * 50, 2_000)


def pieces(tokenizer, text):
    encoded = tokenizer.encode_with_offsets(text)
    return [text[start:end] for start, end in zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("语言模型是", ["语", "言", "模", "型", "是"]),
        ("日本のデータ、", ["日", "本", "の", "デ", "ー", "タ", "、"]),
        ("か\u3099き\u3099", ["か\u3099", "き\u3099"]),
        ("ที่นี่มีน้ำ", ["ที่", "นี่", "มี", "น้", "ำ"]),
        ("ไม่", ["ไ", "ม่"]),
        ("မြန်မာ", ["မြ", "န်", "မာ"]),
        ("🎉🎉 🎉", ["🎉", "🎉", " ", "🎉"]),
        ("👩‍👩‍👧👍🏽👍", ["👩‍👩‍👧", "👍🏽", "👍"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
        ("语🎉言 party", ["语", "🎉", "言", " party"]),
        (" 한국어 문장입니다", [" 한국어", " 문장입니다"]),
        ("  def", [" ", " def"]),
    ],
)
def test_tokens_are_characters_or_words(made, text, expected):
    assert pieces(made, text) == expected


@given(MIXED)
def test_no_token_joins_such_a_character_to_another(made, text):
    for piece in pieces(made, text):
        if BY_ITSELF.search(piece):
            assert ONE_CHARACTER.fullmatch(piece), (piece, text)


@given(st.one_of(MIXED, texts.SCRIPTS))
def test_the_text_comes_back(made, text):
    assert decode(made, made.encode(text).tolist()).text == text


@given(MIXED, st.integers(2, 12))
def test_the_way_a_text_is_cut_does_not_matter(made, text, size):
    import explorer.text.tokens.long_texts as long_texts

    window, long_texts._WINDOW = long_texts._WINDOW, size - 1
    try:
        parts = list(cut_long(text, False, size))
    finally:
        long_texts._WINDOW = window
    seams = [sum(map(len, parts[:number])) for number in range(1, len(parts))]
    # Where there is no seam in reach the text is cut anywhere; such texts are left out here.
    if all(regex.match(r"(?<=\S)[ \n](?=\S)", text, pos=at) or last_seam(text, at, at + 1) == at for at in seams):
        joined = [token for part in parts for token in made.encode(part).tolist()]
        assert joined == made.encode(text).tolist()


def test_a_long_text_without_any_blank_is_cut_between_characters(made):
    rng = random.Random(3)
    text = "".join(rng.choices("语言模型、。ก้ที่ไ👩‍👩‍👧🎉ab12", k=200_000))
    whole = made.backend.encode(text).ids
    assert len(list(cut_long(text, False))) > 2
    assert made.encode_batch([text])[0].tolist() == whole


def test_the_class_holds_all_letters_of_these_scripts():
    ours = re.compile(f"[{BREAKLESS}]")
    wanted = regex.compile(BREAKLESS_LETTER)
    for code in range(sys.maxunicode):
        char = chr(code)
        if wanted.match(char):
            assert ours.match(char), hex(code)
        elif ours.match(char):
            # Radicals, sound marks, characters of later versions of Unicode, emoji and other symbols of their blocks.
            assert regex.match(r"\p{Cn}|\p{So}|\p{Sk}|\p{Lm}|\p{Nl}|\p{S}", char) or char in "〼〆", hex(code)


def test_nothing_else_changes():
    """Words of all other text are GPT-2's."""
    made = train_bpe([ENGLISH.replace("語", "")] * 9, 400)
    known = pre_tokenizers.ByteLevel(add_prefix_space=False)
    for text in (
        ENGLISH.replace("語", ""),
        "x  \n\n y 's've 12ab  ",
        "Ünïcödé हिन्दी العربية ½² __init__ $5.00",
        " ",
        "",
    ):
        assert made.backend.pre_tokenizer.pre_tokenize_str(text) == known.pre_tokenize_str(text)


@given(st.text(st.sampled_from("aé1९ \n\t'st.,-_אع한\u0301\u200b½\u00a0\u3000©™→"), max_size=40))
def test_words_of_other_scripts_are_those_of_the_library(made, text):
    known = pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str(text)
    assert made.backend.pre_tokenizer.pre_tokenize_str(text) == known


def test_frequent_characters_are_single_tokens():
    rng = random.Random(5)
    # 4,000 characters by Zipf's law, with English beside them.
    characters = [chr(0x4E00 + 5 * number) for number in range(4_000)]
    weights = [1 / rank for rank in range(1, 4_001)]
    chinese = ["".join(rng.choices(characters, weights, k=500)) for _ in range(200)]
    english = [" ".join(f"w{rng.randrange(9_000)}" for _ in range(100)) for _ in range(200)]
    made = train_bpe(chinese + english)
    assert made.vocabulary_size <= 16_384
    frequent = [char for char, count in Counter("".join(chinese)).items() if count >= 3]
    assert len(frequent) > 2_000
    assert [char for char in frequent if len(made.encode(char)) != 1] == []


@pytest.fixture(scope="module", params=["Chinese", "Japanese", "Thai", "emoji"])
def corpus(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    rng = random.Random(1)
    chars = regex.findall(r"\X", SOURCES[request.param])
    made = ["".join(rng.choices(chars, k=300)) for _ in range(20)] + [SOURCES[request.param], ENGLISH]
    source = folder / "texts.jsonl"
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in made), encoding="utf-8")
    explorer.build_index(source, folder / "index")
    return explorer.open_index(folder / "index"), made


def test_an_index_by_default_counts_as_a_scan_does(corpus):
    index, made = corpus
    for number, text in enumerate(made):
        assert index.document(number).text == text
    found = 0
    for text in {*regex.findall(r"\X", "".join(made)), "语言", "モデル", "ภาษา", "🎉🎉"}:
        pattern = Pattern(text)
        expected = len(scan(made, pattern))
        assert index.index.hits.find_text(pattern).count == expected, text
        found += expected
    assert found > 1_000


@pytest.mark.parametrize("word", ["语言", "模型", "言模", "人工智能", "二〇", "语"])
def test_n_grams_of_characters_are_exact(corpus, word):
    """Each character is a token whatever is beside it."""
    index, made = corpus
    assert index.index.counts.count(index.encode(word)) == sum(
        len(regex.findall(regex.escape(word), text, overlapped=True)) for text in made
    )


def test_the_file_is_an_ordinary_one(made, tmp_path):
    path = tmp_path / "tokenizer.json"
    made.backend.save(str(path))
    again = Tokenizer.from_file(str(path))
    for text in SOURCES.values():
        assert again.encode(text).ids == made.encode(text).tolist()
        assert again.decode(again.encode(text).ids, skip_special_tokens=False) == text


def test_letters_and_emoji_begin_words(made):
    """So that spans of a trace can begin and end there."""
    for text in ("语", "の", "ที่", "🎉", " party"):
        assert made.begins_word(made.encode(text)).tolist() == [True], text
    for text in ("party", "。", "한", ","):
        assert not made.begins_word(made.encode(text)[:1])[0], text


PASSAGES = (
    "语言模型是人工智能的一部分",
    "日本語の言語モデルは、日本",
    "ภาษาไทยไม่มีช่องว่าง ที่นี่",
    "🎉🎉 party 🎉, 👩‍👩‍👧 family 👍🏽👍",
)


def test_a_trace_finds_passages_without_spaces(corpus):
    index, made = corpus
    found = [passage for passage in PASSAGES if any(passage in text for text in made)]
    assert len(found) == 1
    assert [(span.start, span.end) for span in index.trace(found[0]).spans] == [(0, len(found[0]))]


def test_an_estimate_counts_letters_as_they_are(tmp_path):
    rng = random.Random(9)
    characters = [chr(0x4E00 + 7 * number) for number in range(900)]
    lines = ["".join(rng.choices(characters, k=60)) for _ in range(400)]
    (tmp_path / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    found = estimate_requested(BuildRequest((tmp_path / "a.txt",), tmp_path / "out", "train"))
    built = explorer.build_index(tmp_path / "a.txt", tmp_path / "out")
    assert found.tokens == pytest.approx(built.token_count, rel=0.01)
