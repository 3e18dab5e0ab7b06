"""An index that builds can be opened and read, with every kind of tokenizer; or the build refuses before the work."""

from __future__ import annotations

import random
import re
import unicodedata

import pytest
from vocabularies import READABLE, TEXT, bpe_without_mark, clip, gpt1, word_level, word_level_not_added, word_piece

from explorer import build_index, open_index, verify_index
from explorer.building.estimate.estimate import estimate_requested
from explorer.building.request import BuildRequest
from explorer.errors import TokenizerError
from explorer.index.tokenizer_check import require_readable
from explorer.text.tokens.decode import decode
from explorer.text.tokens.tokenizer import TextTokenizer


def plain(text: str) -> list[str]:
    """Words without case and accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return re.findall(r"\w+", "".join(char for char in parts if not unicodedata.combining(char)))


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "source"
    folder.mkdir()
    for number, text in enumerate(TEXT[:4]):
        (folder / f"{number}.txt").write_text(text)
    (folder / "odd.txt").write_text("the cat 😀 sat ☃on日本語 the mat ☃☃ and the dog na☃ve")
    return folder


def save(backend, path):
    backend.save(str(path))
    return path


@pytest.mark.parametrize("kind", READABLE)
def test_what_builds_can_be_opened_and_read(kind, source, tmp_path):
    tokenizer = save(READABLE[kind](), tmp_path / "tokenizer.json")
    build_index(source, tmp_path / "out", tokenizer=tokenizer)
    assert verify_index(tmp_path / "out", deep=True).sound
    corpus = open_index(tmp_path / "out")
    assert corpus.count("the cat") > 0
    assert "</w>" not in corpus.document(0).text
    for number in range(4):
        document = corpus.document(number)
        wanted = (source / document.metadata["path"]).read_text()
        known = [word for word in plain(wanted) if "unk" not in word]
        found = plain(document.text)
        assert len([word for word in known if word in found]) >= 0.8 * len(known), (document.text, wanted)
    assert any("the cat" in document for document in (corpus.document(i).text.casefold() for i in range(5)))


@pytest.mark.parametrize("kind", READABLE)
def test_a_foreign_index_is_checked_and_fits_its_tokenizer(kind, source, tmp_path):
    """Without a manifest only the text tells whether a tokenizer belongs to an index."""
    tokenizer = save(READABLE[kind](), tmp_path / "tokenizer.json")
    build_index(source, tmp_path / "out", tokenizer=tokenizer)
    (tmp_path / "out" / "index.json").unlink()
    corpus = open_index(tmp_path / "out")
    assert corpus.count("the cat") > 0
    assert not corpus.index.shards[0].reversed_text


def test_words_end_with_a_space_where_the_vocabulary_says_so():
    for made in (clip(), gpt1()):
        tokenizer = TextTokenizer.from_backend(made, "x")
        assert tokenizer.spelling.ending == "</w>"
        shown = b"".join(tokenizer.token_bytes(int(i)) for i in tokenizer.encode("The cat sat"))
        assert shown == b"the cat sat "
    tokenizer = TextTokenizer.from_backend(word_level_not_added(), "x")
    assert tokenizer.style == "words" and tokenizer.unknown == {0}
    shown = b"".join(tokenizer.token_bytes(int(i)) for i in tokenizer.encode("the cat barked"))
    assert shown == b" the cat <unk>"


def test_the_index_of_a_lossy_tokenizer_is_opened_since_it_was_built_with_it(tmp_path):
    """Half of the words are unknown: it builds, so it opens, also with the tokenizer given again."""
    path = save(word_level_not_added(), tmp_path / "words.json")
    (tmp_path / "a.txt").write_text("the cat sat and the dog lay " * 20)
    build_index(tmp_path / "a.txt", tmp_path / "out", tokenizer=path)
    assert open_index(tmp_path / "out").count("the cat") == 20
    assert open_index(tmp_path / "out", path).count("the cat sat") == 20
    assert verify_index(tmp_path / "out", tokenizer=path).sound


LOST = [
    (bpe_without_mark, "Quantum mechanics describes how atoms behave, and why their energy comes in steps."),
    (word_level, "日本 unheard of"),
    (gpt1, "Привет мир"),
]


@pytest.mark.parametrize(("made", "text"), LOST)
def test_text_that_cannot_be_read_back_is_refused_before_the_work(made, text, tmp_path):
    path = save(made(), tmp_path / "tokenizer.json")
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(TokenizerError, match=r"tokenizer\.json loses text: only \d+% of the words"):
        build_index(tmp_path / "a.txt", tmp_path / "out", tokenizer=path)
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.partial").exists()
    with pytest.raises(TokenizerError, match="loses text"):
        estimate_requested(BuildRequest((tmp_path / "a.txt",), tmp_path / "out", str(path)))


def test_another_tokenizer_is_still_refused(source, tmp_path):
    first, second = save(word_piece(), tmp_path / "first.json"), save(clip(), tmp_path / "second.json")
    build_index(source, tmp_path / "out", tokenizer=second)
    with pytest.raises(TokenizerError, match="does not fit"):
        open_index(tmp_path / "out", first)
    report = verify_index(tmp_path / "out", tokenizer=first)
    assert not report.sound and "does not fit" in report.findings[0].problem
    build_index(source, tmp_path / "other", tokenizer=first)
    assert not verify_index(tmp_path / "other", tokenizer=second).sound
    assert verify_index(tmp_path / "other", tokenizer=second, check_fit=False).sound
    assert open_index(tmp_path / "other", second, check_fit=False).document(0).text


def test_scripts_without_spaces_can_be_read_back_by_tokenizers_that_split_them(scale):
    """Nothing that keeps the text is refused, whatever script it is in."""
    generator = random.Random(3)
    alphabets = ["日本語のテキスト", "ภาษาไทย", "한국어텍스트", "русский", "العربية", "हिन्दी", "𐐷😀e\u0301", "ßİı"]
    keeping = [TextTokenizer.raw_bytes(), TextTokenizer.from_backend(READABLE["byte_level"](), "byte-level")]
    for _ in range(scale(60, 3_000)):
        text = "".join(generator.choice([*generator.choice(alphabets), " ", "\n", "."]) for _ in range(80))
        for tokenizer in keeping:
            assert decode(tokenizer, tokenizer.encode(text).tolist()).text == text
            # Raises if words are lost.
            require_readable(tokenizer, [text])
