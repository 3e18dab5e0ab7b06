"""What a document holds of a text, against trying every part of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import processors
from vocabularies import byte_level

from explorer.analyses.overlap import verbatim
from explorer.analyses.overlap.verbatim import TextMatcher
from explorer.analyses.overlap.wording import characters, wording
from explorer.backends import longest
from explorer.text.tokens.tokenizer import TextTokenizer

BYTES = TextTokenizer.raw_bytes()
WORDS = st.sampled_from(["a", "b", "ba", "c.", "é", "語", "文字", "กา", "12", "-", "\n"])
TEXTS = st.lists(WORDS, min_size=1, max_size=30).map(" ".join).filter(str.strip)


def held_by(text, document):
    matcher = TextMatcher(text, BYTES.encode_with_offsets(text))
    return matcher.hold(BYTES.encode(document))


def weight_of(text, chars, start, end):
    """Words that begin in text[start:end]."""
    begins = [i for i in range(start, end) if chars.in_word[i] and chars.boundary[i]]
    return sum(0.5 if chars.unspaced[i] else 1.0 for i in begins)


def covered_by_hand(text, document):
    """Characters of the text in any part of whole words that is long enough and occurs in the document."""
    chars = characters(text)
    total = weight_of(text, chars, 0, len(text))
    found = set()
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            if not (chars.boundary[start] and chars.boundary[end]) or text[start:end] not in document:
                continue
            enough = weight_of(text, chars, start, end) >= min(5, total) if total else (start, end) == (0, len(text))
            if enough:
                found |= {i for i in range(start, end) if not text[i].isspace()}
    return found


def best_stretch(text, found, size):
    chars = characters(text)
    places = [i for i in range(len(text)) if chars.in_word[i] and chars.boundary[i]]
    visible = {i for i, char in enumerate(text) if not char.isspace()}
    if weight_of(text, chars, 0, len(text)) <= size:
        return len(found) / len(visible)
    best = 0.0
    for first in [0, *places]:
        end = next((i for i in [*places, len(text)] if weight_of(text, chars, first, i) >= size), None)
        if end is not None:
            inside = {i for i in visible if first <= i < end}
            best = max(best, len(found & inside) / max(1, len(inside)))
    return best


@given(TEXTS, TEXTS, st.booleans())
def test_the_share_is_that_of_every_part_that_occurs(text, document, copies):
    if copies:
        document = document + " " + text[: len(text) // 2] + " | " + text[len(text) // 3 :]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(longest, "PIECE", 16)
        patch.setattr(longest, "ROOM", 4)
        patch.setattr(verbatim, "STRETCH_WORDS", 8)
        held = held_by(text, document)
    found = covered_by_hand(text, document)
    visible = sum(not char.isspace() for char in text)
    assert held.share == pytest.approx(len(found) / visible)
    assert held.stretch == pytest.approx(best_stretch(text, found, 8))
    for passage in held.passages:
        part = text[passage.start : passage.end]
        assert part in document
        ids = BYTES.encode(text)[passage.token_start : passage.token_end]
        assert BYTES.encode(document)[passage.offset : passage.offset + passage.length].tolist() == ids.tolist()
    marked = {i for p in held.passages for i in range(p.start, p.end) if not text[i].isspace()}
    assert marked == found


@given(TEXTS)
def test_a_copy_is_held_as_a_whole(text):
    for document in (text, "before " + text + " after"):
        held = held_by(text, document)
        assert (held.share, held.stretch) == (1.0, 1.0)
        assert text[held.longest.start : held.longest.end] == text.strip()


ENGLISH = (
    "The committee met on 12 March 1998 to discuss the budget of the harbour, and after a long debate it decided "
    "to postpone the vote until the auditors had presented their final report to the council."
)
GERMAN = (
    "Der Ausschuss trat am 12. März 1998 zusammen, um den Haushalt des Hafens zu besprechen, und vertagte die "
    "Abstimmung nach langer Debatte, bis die Prüfer dem Rat ihren Schlussbericht vorgelegt hatten."
)


@pytest.mark.parametrize(
    ("text", "document", "low", "high"),
    [
        (ENGLISH, ENGLISH, 1.0, 1.0),
        (GERMAN, ENGLISH, 0.0, 0.0),
        (ENGLISH.split(",")[0], ENGLISH, 1.0, 1.0),
        (ENGLISH + " " + GERMAN, ENGLISH, 0.45, 0.55),
        ("1998 12 3 4 5", "1998 12 and 3 4 and 5", 0.0, 0.0),
        ("你好世界今天天气很好我们去公园", "我们说你好世界今天天气很好我们去公园吧", 1.0, 1.0),
        ("你好世界今天天气很好我们去公园", "今天我们去公园", 0.0, 0.0),
        ("...", "wait...", 1.0, 1.0),
    ],
)
def test_made_cases(text, document, low, high):
    held = held_by(text, document)
    assert low <= held.share <= high and low <= held.stretch <= high


def test_one_copied_paragraph_of_a_long_text_counts():
    other = " ".join(f"word{n}" for n in range(2000))
    paragraph = " ".join(f"copied{n}" for n in range(120))
    held = held_by(f"{other} {paragraph} {other}", f"Once: {paragraph}.")
    assert held.share < 0.05 and held.stretch == 1.0
    assert held.longest.end - held.longest.start == len(paragraph)


def test_long_periodic_texts_are_compared_in_passing():
    line = "The same line again and again.\n"
    held = held_by(line * 3_000, line * 1_000)
    assert held.share == 1.0 and held.passages[0].start == 0


@pytest.mark.parametrize("text", ["the cat ", "the cat  \n ", "é "])
def test_a_tokenizer_that_trims_white_space(text):
    """Its last token begins at the end of the text, where no character is."""
    backend = byte_level()
    backend.post_processor = processors.ByteLevel(trim_offsets=True)
    encoded = TextTokenizer(backend, "trims").encode_with_offsets(text)
    assert encoded.starts[-1] == len(text)
    words = wording(text, encoded)
    assert words.boundary[-2:].all() and words.total == len(text.split())
    matcher = TextMatcher(text, encoded)
    held = matcher.hold(TextTokenizer(backend, "trims").encode(f"{text}x"))
    assert held.share == 1.0


def test_words_of_scripts():
    for text, words in (("naïve café's don’t", 3), ("日本語", 1.5), ("ภาษา", 2), ("한국어 말", 2), ("", 0)):
        encoded = BYTES.encode_with_offsets(text)
        assert wording(text, encoded).total == words
    assert np.flatnonzero(characters("ab c").boundary).tolist() == [0, 2, 3, 4]
