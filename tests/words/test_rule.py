"""Rule R: the reference against the same rule as a regular expression, and against Qt's boundaries of words."""

from __future__ import annotations

import unicodedata

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from explorer.errors import QueryError
from explorer.text.segments import spans
from explorer.words.rule import WordRule, without_accents, words_of

SCRIPTS = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\u3006\u3031-\u3035\u303C\u30FC\uFF70\uFF9E\uFF9F]"
SINGLE = rf"[{SCRIPTS}&&[\p{{L}}\p{{Nl}}]]"
INSIDE = rf"[[\p{{L}}\p{{N}}\p{{Pc}}]--{SINGLE}]"
LETTER = rf"[\p{{L}}--{SINGLE}]"
# Format characters but the zero-width space and the signs before numbers.
JOINER = r"[\p{Cf}--[\u200b\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]]"
AFTER = rf"[\p{{M}}{JOINER}]*"
JOINED = "|".join(
    rf"{AFTER}(?<={kind}{AFTER})[{signs}]{AFTER}(?={kind})"
    for kind, signs in ((LETTER, "'‘’＇·\u0387\u055f\u05f4\u2027"), (r"\p{Nd}", "'‘’＇.,\u066b\u066c"))
)
END = rf"(?:{AFTER}\p{{M}})?"
WORD = regex.compile(rf"{SINGLE}{END}|{INSIDE}(?:{AFTER}{INSIDE}|{JOINED})*{END}", regex.VERSION1)
# Unicode changes from version to version, so other characters than these would compare two editions of it.
LETTERS = "aZéß'’‘·.,0٣_-‿ \n日本ーかカ\u3099ㄅ\u0301ไทยकि½Ⅷ\ufffd\u00ad\u200d\u200c\u200b\u200e!€😀\ufe0fİΣ״"


@given(st.text(alphabet=LETTERS, max_size=30))
def test_spans_are_those_of_the_rule_as_an_expression(text):
    assert spans(text) == [match.span() for match in WORD.finditer(text)]


@given(st.text(alphabet=st.characters(max_codepoint=0x5FF, exclude_categories=("Cs", "Cn")), max_size=20))
def test_spans_of_any_text_of_many_scripts(text):
    assert spans(text) == [match.span() for match in WORD.finditer(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't o’clock 'tis rock'n'roll dogs'", ["don't", "o'clock", "tis", "rock'n'roll", "dogs"]),
        ("don’t don‘t donʼt don＇t don't", ["don't"] * 5),
        ("3.14, 1,000.50. 5. x.y 1.a 1’000", ["3.14", "1,000.50", "5", "x", "y", "1", "a", "1'000"]),
        ("می\u200cخواهم Donau\u00addampf a\u2060b \u200fא\u200f", ["میخواهم", "donaudampf", "ab", "א"]),
        ("a\u200bb don'\u00adt don\u00ad't x\u200d", ["a", "b", "don't", "don't", "x"]),
        ("café cafe\u0301 \u0301x ❤\ufe0f 1\ufe0f\u20e3", ["café", "café", "x", "1\ufe0f\u20e3"]),
        ("col·legi צה״ל", ["col·legi", "צה״ל"]),
        ("snake_case e-mail — end", ["snake_case", "e", "mail", "end"]),
        ("日本語とEnglish", ["日", "本", "語", "と", "english"]),
        ("ΟΔΟΣ ὁδός İstanbul Straße STRASSE ﬁn ǅ", ["οδοσ", "ὁδόσ", "i̇stanbul", "strasse", "strasse", "fin", "ǆ"]),
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


ANY = st.characters(exclude_categories=("Cs", "Cn", "Co"))
ODD = st.sampled_from("ßẞİıΣςσǅﬁﬀ\u0345\u0301\u0328\u0323éÉàÅ각ᄀ'’ʼ\u00ad\u200c\u200d")


@example("ᾀ", True, False)
@given(st.text(alphabet=ANY | ODD, max_size=12), st.booleans(), st.booleans())
def test_one_form_for_all_spellings_of_a_word(text, fold, accents):
    rule = WordRule(fold=fold, accents=accents)
    form = rule.form(text)
    assert rule.form(form) == form == rule.form(rule.shown(text))
    assert {rule.form(unicodedata.normalize(each, text)) for each in ("NFC", "NFD")} == {form}
    assert rule.form(text.replace("’", "'")) == rule.form("\u00ad".join(text)) == form
    if fold:
        assert rule.form(unicodedata.normalize("NFD", text).casefold()) == form


@pytest.mark.parametrize(
    ("spelling", "shown"),
    [
        ("Straße", "straße"),
        ("ΟΔΥΣΣΕΎΣ", "οδυσσεύς"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("Donau\u00addampf", "donaudampf"),
        ("Don’t", "don't"),
        ("Cafe\u0301", "café"),
    ],
)
def test_a_word_is_shown_as_it_is_written(spelling, shown):
    assert WordRule().shown(spelling) == shown


def test_a_lone_accent_is_kept():
    assert without_accents("\u0301") == "\u0301"


@pytest.mark.qt
@pytest.mark.parametrize(
    ("text", "ours", "qts"),
    [
        ("It's 3.14, isn’t it? Ελληνικά слово", None, None),
        ("العربية كلمة हिन्दी शब्द", None, None),
        ("a:b a.b", None, None),
        ("l·l Donau\u00addampf می\u200cخواهم", None, None),
        # Runs of Katakana are one word in Unicode's rule.
        ("カタ", ["カ", "タ"], ["カタ"]),
    ],
)
def test_words_against_those_of_qt(text, ours, qts):
    found = [text[start:end] for start, end in spans(text)]
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
