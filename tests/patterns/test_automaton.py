"""The two automata of a pattern agree, and stay small."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tried import EXPRESSIONS

from explorer.errors import QueryError
from explorer.text.patterns.automaton import DEAD, MATCH, Automaton
from explorer.text.patterns.charset import IDEOGRAPH, OTHER, WORD
from explorer.text.patterns.pattern import Pattern
from explorer.text.patterns.scan import Scanner, scanner

BEFORE = {OTHER: b" ", WORD: b"x", IDEOGRAPH: "語".encode()}
DATA = st.lists(
    st.text("abCec é語タไ🎉_-1.\n", max_size=5).map(str.encode)
    | st.sampled_from([b"\xe4", b"\xe8\xaa", b"\xf0\x9f\x8e", b"\x80", b"\xff"]),
    max_size=4,
).map(b"".join)


def counts(automaton, data, kind):
    """Whether a match begins with the data, after a character of this kind."""
    state = int(automaton.starts[kind])
    for byte in data:
        if not automaton.filled[state]:
            automaton.fill(state)
        state = int(automaton.table[state, byte])
        if state in (DEAD, MATCH):
            return state == MATCH
    return bool(automaton.at_end[state])


AUTOMATA = {
    pattern: Automaton(pattern.node())
    for pattern in (
        *(Pattern(text, "regex", whole_words=whole) for text in EXPRESSIONS for whole in (False, True)),
        Pattern("ca", ignore_case=True),
        Pattern("語タ", whole_words=True),
        Pattern("\ufffd"),
    )
}


@given(st.sampled_from(list(AUTOMATA)), DATA, st.sampled_from(list(BEFORE)))
@settings(max_examples=10 * settings.default.max_examples)
def test_a_match_is_counted_where_the_longest_is_found(pattern, data, kind):
    # A byte more could complete the character before; what precedes is whole here.
    if data[:1] and 0x80 <= data[0] < 0xC0:
        return
    before = BEFORE[kind]
    found = scanner((pattern,)).longest(before + data, len(before), whole=True)
    assert counts(AUTOMATA[pattern], data, kind) == (found is not None)


def states(scanner):
    return len(scanner._automaton._states)


def test_what_a_text_does_not_meet_takes_no_state():
    text = "".join(chr(0x4E00 + 7 * i % 0x5000) for i in range(2_000))
    long = Scanner((Pattern(text),))
    assert long.scan(text.encode()).ends.tolist() == [3 * 2_000]
    assert states(long) <= 3 * 2_000 + 4
    words = Scanner((Pattern(r"(\w+ ){1,100}x", "regex"),))
    words.scan(("word " * 300).encode())
    assert states(words) < 400


@pytest.mark.parametrize(
    "expression", ["(a|b)*a(a|b){500}c", "(((a?){30}){30}){10}b", "((a{0,100}b?){0,90})c", "(.{0,1000}){19}x"]
)
def test_a_pattern_that_would_take_much_memory_is_refused(expression):
    automaton = Automaton(Pattern(expression, "regex").node())
    with pytest.raises(QueryError, match="too complex"):
        for state in range(20_000):
            automaton.fill(state)
