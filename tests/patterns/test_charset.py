"""Sets of characters, against the `regex` package."""

import random
import sys
import unicodedata

import pytest
import regex
from scan import BREAKLESS
from scan import WORD as WORD_CLASS

from explorer.text.patterns.charset import IDEOGRAPH, OTHER, WORD, CharSet, kind_of, named, simple_fold

ALL = [code for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
SOME = sorted({*range(0x3100), *random.Random(5).sample(ALL, 20_000)} - set(range(0xD800, 0xE000)))
KNOWN = [code for code in SOME if unicodedata.category(chr(code)) != "Cn"]


def test_inverse_and_union():
    letters = CharSet.of([(0x61, 0x7A), (0x41, 0x5A), (0x5B, 0x60)])
    assert letters.ranges == ((0x41, 0x7A),)
    assert (~letters).ranges == ((0, 0x40), (0x7B, 0x10FFFF))
    assert (letters | ~letters).ranges == ((0, 0x10FFFF),)
    assert ~~letters == letters


def test_a_range_is_covered_wholly_partly_or_not():
    chars = CharSet.of([(10, 20), (30, 40)])
    assert chars.covers(10, 20) is True
    assert chars.covers(21, 29) is False
    assert chars.covers(15, 35) is None
    assert chars.covers(0, 9) is False
    assert chars.covers(41, 99) is False


@pytest.mark.parametrize(("name", "expression"), [("word", WORD_CLASS), ("digit", r"\p{Nd}"), ("space", r"\s")])
def test_named_sets_are_those_of_unicode(name, expression):
    matches = regex.compile(expression)
    chars = named(name)
    wrong = {code for code in KNOWN if (code in chars) != bool(matches.match(chr(code)))}
    # `str.isspace` counts the four separators of ASCII as white space, which Unicode's property does not.
    assert wrong <= ({0x1C, 0x1D, 0x1E, 0x1F} if name == "space" else set())


def test_kinds_at_borders():
    breakless, word = regex.compile(BREAKLESS), regex.compile(WORD_CLASS)
    for code in KNOWN:
        expected = IDEOGRAPH if breakless.match(chr(code)) else WORD if word.match(chr(code)) else OTHER
        assert kind_of(code) == expected, hex(code)


def test_case_is_folded_one_to_one():
    for text, other in [("a", "A"), ("ß", "ẞ"), ("σ", "ς"), ("k", "\u212a"), ("s", "ſ"), ("ǆ", "ǅ"), ("é", "É")]:
        assert simple_fold(text) == simple_fold(other)
        assert ord(other) in CharSet.of_text(text).folded()
        assert ord(text) in CharSet.of_text(other).folded()
    for text, other in [("ß", "s"), ("i", "İ"), ("i", "ı"), ("ﬁ", "f"), ("é", "e")]:
        assert simple_fold(text) != simple_fold(other)


def test_case_is_folded_as_the_regex_package_does():
    compared = 0
    # The package takes the four letters i of Turkish for one.
    for code in set(KNOWN) - set(map(ord, "iIİı")):
        char = chr(code)
        others = {char.lower(), char.upper(), char.title(), char.casefold(), char.swapcase()} - {char}
        for other in (other for other in others if len(other) == 1):
            same = regex.compile(regex.escape(char), regex.IGNORECASE)
            assert bool(same.fullmatch(other)) == (ord(other) in CharSet.of_text(char).folded()), (char, other)
            compared += 1
    assert compared > 1_000
