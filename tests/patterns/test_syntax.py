"""What can be looked for, and what is refused in one sentence."""

import pytest

from explorer.errors import QueryError
from explorer.patterns.automaton import Automaton
from explorer.patterns.find import LONGEST, Pattern


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a*", "empty text"), ("(a|)", "empty text"), (r"\b", "empty text"), ("", "empty"), ("()", "empty text"),
        ("(?<=a)b", "Look-around"), ("a(?=b)", "Look-around"), (r"(a)\1", "back-reference"), ("^a", r"\\A"),
        ("a$", r"\\A"), ("(a", "not a regular expression"), ("[z-a]", "not a regular expression"),
        ("a{2000}", "1,000 times"), ("(?s:a)", "flag"), ("(?:a{900}){900}", "too long"), ("x" * (LONGEST + 1), "2,000"),
        ("(" * 1500 + "a" + ")" * 400, "nested too deeply"), ("(?>ab)c", "atomic"), ("a++b", "possessive"),
    ],
)  # fmt: skip
def test_refused_with_a_reason(text, says):
    with pytest.raises(QueryError, match=says):
        Automaton(Pattern(text, "regex").node())


def test_text_is_taken_as_it_is_written():
    Automaton(Pattern("a*(b[", "text").node())
    with pytest.raises(QueryError, match="empty"):
        Automaton(Pattern("", "text").node())


def test_a_pattern_of_many_states_is_refused_while_it_is_walked():
    automaton = Automaton(Pattern("(a|b)*a(a|b){18}c", "regex").node())
    with pytest.raises(QueryError, match="too complex"):
        for state in range(1 << 20):
            automaton.fill(state)
