"""Rule R: the reference against the same rule as a regular expression, and against Qt's boundaries of words."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import QueryError
from explorer.words.rule import WordRule, fold_case, spans, without_accents, words_of

SCRIPTS = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\u3006\u3031-\u3035\u303C\u30FC\uFF70\uFF9E\uFF9F]"
SINGLE = rf"[{SCRIPTS}&&[\p{{L}}\p{{Nl}}]]"
INSIDE = rf"[[\p{{L}}\p{{M}}\p{{N}}\p{{Pc}}]--{SINGLE}]"
LETTER = rf"[\p{{L}}--{SINGLE}]"
WORD = regex.compile(
    rf"{SINGLE}\p{{M}}*|{INSIDE}(?:{INSIDE}|(?<=[\p{{L}}\p{{M}}])['’](?={LETTER})|(?<=\p{{Nd}})[.,](?=\p{{Nd}}))*",
    regex.VERSION1,
)
# Unicode changes from version to version, so other characters than these would compare two editions of it.
LETTERS = "aZéß'’.,0٣_-‿ \n日本ーかカ\u3099ㄅ\u0301ไทยकि½Ⅷ\ufffd\u00ad!€😀İΣ"


@given(st.text(alphabet=LETTERS, max_size=30))
def test_spans_are_those_of_the_rule_as_an_expression(text):
    assert spans(text) == [match.span() for match in WORD.finditer(text)]


@given(st.text(alphabet=st.characters(max_codepoint=0x4FF, exclude_categories=("Cs", "Cn")), max_size=20))
def test_spans_of_any_european_text(text):
    assert spans(text) == [match.span() for match in WORD.finditer(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't o’clock 'tis rock'n'roll dogs'", ["don't", "o’clock", "tis", "rock'n'roll", "dogs"]),
        ("3.14, 1,000.50. 5. x.y 1.a", ["3.14", "1,000.50", "5", "x", "y", "1", "a"]),
        ("snake_case e-mail — end", ["snake_case", "e", "mail", "end"]),
        ("日本語とEnglish", ["日", "本", "語", "と", "english"]),
        ("ΟΔΟΣ İstanbul Straße", ["οδοσ", "istanbul", "straße"]),
        ("a\u00a0b\x00c\ufffdd", ["a", "b", "c", "d"]),
        ("", []),
        ("… —", []),
    ],
)
def test_words_of_a_text(text, words):
    assert words_of(text, WordRule()) == words


def test_switches():
    text = "Élan, 1,000 a! 日"
    assert words_of(text, WordRule(fold=False)) == ["Élan", "1,000", "a", "日"]
    assert words_of(text, WordRule(accents=False)) == ["elan", "1,000", "a", "日"]
    assert words_of(text, WordRule(numbers=False)) == ["élan", "a", "日"]
    assert words_of(text, WordRule(signs=True)) == ["élan", ",", "1,000", "a", "!", "日"]
    assert words_of(text, WordRule(signs=True, shortest=2)) == ["élan", ",", "1,000", "!"]


@pytest.mark.parametrize("shortest", [0, -1, 1.5, True])
def test_a_shortest_word_that_is_none(shortest):
    with pytest.raises(QueryError, match="whole number of characters from 1"):
        WordRule(shortest=shortest)


@given(st.text(alphabet=st.characters(max_codepoint=0x24FF)))
def test_folding_keeps_the_number_of_characters(text):
    assert len(fold_case(text)) == len(text)
    assert fold_case(fold_case(text)) == fold_case(text)


def test_a_lone_accent_is_kept():
    assert without_accents("\u0301") == "\u0301"


@pytest.mark.qt
@pytest.mark.parametrize(
    ("text", "ours", "qts"),
    [
        ("It's 3.14, isn’t it? Ελληνικά слово", None, None),
        ("العربية كلمة हिन्दी शब्द", None, None),
        ("a:b a.b", None, None),
        # Middle dots join in Unicode's rule; runs of Katakana are one word there.
        ("l·l", ["l", "l"], ["l·l"]),
        ("カタ", ["カ", "タ"], ["カタ"]),
    ],
)
def test_words_against_those_of_qt(text, ours, qts):
    found = words_of(text, WordRule(fold=False))
    assert found == (ours or _by_qt(text))
    assert _by_qt(text) == (qts or found)


def _by_qt(text):
    from PySide6.QtCore import QTextBoundaryFinder

    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Word, text)
    words, start = [], 0
    while (end := finder.toNextBoundary()) >= 0:
        piece = text[start:end]
        if any(char.isalnum() for char in piece):
            words.append(piece)
        start = end
    return words
