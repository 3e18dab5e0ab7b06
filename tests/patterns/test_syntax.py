"""What can be looked for, and what is refused in one sentence."""

import pytest
import regex

from explorer.errors import QueryError
from explorer.text.patterns.automaton import Automaton
from explorer.text.patterns.pattern import LONGEST, Pattern
from explorer.text.patterns.scan import scanner
from explorer.text.patterns.syntax import Node


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a*", "empty text"), ("(a|)", "empty text"), (r"\b", "empty text"), ("", "empty"), ("()", "empty text"),
        ("(?<=a)b", "Look-around"), ("a(?=b)", "Look-around"), (r"(a)\1", "back-reference"), ("^a", r"\\A"),
        ("a$", r"\\A"), ("(a", "not a regular expression"), ("[z-a]", "not a regular expression"),
        ("a{2000}", "1,000 times"), ("(?s:a)", "flag"), ("(?:a{900}){900}", "too long"), ("x" * (LONGEST + 1), "2,000"),
        ("(" * 1500 + "a" + ")" * 400, "nested too deeply"), ("(?>ab)c", "atomic"), ("a++b", "possessive"),
        ("(?s)a.b", "flag"), (r"(?a)\w", "flag"), ("(?m)a", "flag"), ("(?L)a", "not a regular expression"),
        ("[[a-z]--[b]]", "another set"), ("[a&&b]", "another set"), ("[[a]", "another set"), ("(?!)a", "Look-around"),
        ("a{99999999999}", "1,000 times"), ("(" * 101 + "a" + ")" * 101, "nested too deeply"),
        (r"\N{NO SUCH NAME}", "not a regular expression"), (r"\p{L}", "not a regular expression"),
        (r"\<the\>", r"\\<"), (r"\\\>", r"\\>"), (r"\`a", "`"), ("[[:alpha:]]", ":alpha:"), ("[:digit:]", ":digit:"),
        ("(a)(?(1)b|c)", "conditional"), (r"a\Z", r"\\A"),
    ],
)  # fmt: skip
def test_refused_with_a_reason(text, says):
    with pytest.raises(QueryError, match=says):
        Automaton(Pattern(text, "regex").node())


@pytest.mark.parametrize("match", ["text", "regex"])
@pytest.mark.parametrize(("text", "at"), [("\ud800", 1), ("a\udc80b", 2), ("ab\ud83d\ude00", 3)])
def test_half_a_character_is_refused(text, at, match):
    with pytest.raises(QueryError, match=f"Character {at} of this pattern"):
        Pattern(text, match).node()


@pytest.mark.parametrize("expression", [r"a\\<b", r"\\\\<", "<a>", r"[<>]", "[:a]", r"\[:alpha:\]"])
def test_what_looks_like_another_dialect_is_not_refused(expression):
    assert isinstance(Pattern(expression, "regex").node(), Node)


@pytest.mark.parametrize(
    "deep", ["(" * 100 + "a" + ")" * 100, "[(]" * 101 + "a", r"\(" * 101, "[])(" + "(" * 101 + "]"]
)
def test_a_hundred_groups_may_be_nested(deep):
    assert isinstance(Pattern(deep, "regex").node(), Node)


def test_text_is_taken_as_it_is_written():
    Automaton(Pattern("a*(b[", "text").node())
    with pytest.raises(QueryError, match="empty"):
        Automaton(Pattern("", "text").node())


def test_a_pattern_of_many_states_is_refused_while_it_is_walked():
    automaton = Automaton(Pattern("(a|b)*a(a|b){18}c", "regex").node())
    with pytest.raises(QueryError, match="too complex"):
        for state in range(1 << 20):
            automaton.fill(state)


TEXT = "The cap, a CAP; recaptured caap ccp c]p [a] a{x} a{,} b-c\tx_y 3.14 aab #! A-b"
MEANINGS = (
    r"(?x)c a p # letters", r"(?x: c a )p", r"(?x: c [ ] ? a )p", "ca{,3}p", "c{2,}p", "a{0}b", "a{,}b", "a{x}",
    "a{2}b", r"\N{LATIN SMALL LETTER C}ap", r"\143ap", r"\x63\u0061\U00000070", r"\07|\t", "(?i:C)ap", "(?i)C(?-i:a)p",
    "(?i)c(?-i:AP)", "[]a]", "[^]a]p", "[a-]", "[-c]a", r"[\d.]+", r"[^\W\d]+", r"[\s,;]+.", "(?P<name>c)a",
    "(?#note)ca", "ca??p", "ca*?p", "c(?:a|aa)+?p", "(cap|ca|c)", "(?u)cap", "[a-cA-C]p", "(?i)[a-c]P",
    "(?i)[^a]p", "(?i)[^A-O]", ".a", r"\.", r"\[a\]", "(|c)ap", "(c|)ap", r"\Bap", r"\bca", r"\B-|_\B", r"[\b]|c",
    "c|(a|b)b", "(?i)(?:c|[d-z])ap", "!|#",
)  # fmt: skip


@pytest.mark.parametrize("expression", MEANINGS)
def test_an_expression_means_what_others_take_it_for(expression):
    spans = scanner((Pattern(expression, "regex"),)).scan(TEXT.encode())
    matches = list(regex.compile(expression).finditer(TEXT, overlapped=True))
    assert spans.starts.tolist() == [match.start() for match in matches]
    longest = regex.compile(expression, regex.POSIX).finditer(TEXT, overlapped=True)
    assert spans.ends.tolist() == [match.end() for match in longest]
    assert matches
