"""Where matches begin and end in bytes, against the `regex` package."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scan import in_bytes, longest, longest_by_posix
from scripts import TEXTS
from tried import EXPRESSIONS, WORDS

from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, QueryError
from explorer.text.patterns.automaton import END, UNKNOWN, LongestAutomaton
from explorer.text.patterns.charset import kinds
from explorer.text.patterns.pattern import Pattern
from explorer.text.patterns.scan import Scanner, scanner

# Words, marks, digits and connectors of scripts with and without spaces; one, two, three and four bytes.
CHARACTERS = "aabbAc Ee é\u0301ß_-1²語言カไעع🎉\n\ufffd"
ALPHABETS = (CHARACTERS, "ab", "aAbB ", "a語 ", "é e\u0301", "ab\n", "語言の日本", "a🎉\u200d")
TEXT = st.sampled_from(ALPHABETS).flatmap(lambda alphabet: st.text(alphabet, max_size=10))
# Parts of characters that every version of Unicode takes for the same, and bytes of none.
PARTS = b"a \x1c\x80\x8e\x90\x9f\xa0\xb8\xbf\xc0\xc3\xe0\xe4\xed\xf0\xf4\xff"
STRAY = st.lists(TEXT.map(str.encode) | st.lists(st.sampled_from(PARTS), max_size=4).map(bytes))
SHORT = (
    "a", "ab", "a+", "(ab)+", "(ab)+a", "a|ab|abab", "b?a", "a{2,3}", "(?i:a)b*", r"\ba", r"a\b", r"\b\w+\b", r"\w+",
    r"a\Bb*", r"a\b.?", r"\w+\b \b\w+", "[^a]b", ".", ".+", ".e", "(a|b)*c", r"a(\b |b)*", "語", "語言?", r"語\b",
    r"\b語\w*", r"\W+",
    "[ -~]+", "\ufffd", "\ufffd+a?", "a\ufffd*", "é?e", "[🎉é]", r"\s\S?", r"(\w\W)+", r"a\b\W*b", r"_\B", "e\u0301?",
)  # fmt: skip
PATTERNS = [
    *(Pattern(text, "regex", case, whole) for text in SHORT for case in (False, True) for whole in (False, True)),
    *(Pattern(text, "text", True, whole) for text in ("a", "ab", "é", "語", "🎉", "ß", " ") for whole in (False, True)),
]


def spans_of(*patterns, data, whole=True, first=0, last=None):
    spans = scanner(patterns).scan(data, first, last, whole=whole)
    return list(zip(spans.starts.tolist(), spans.ends.tolist(), spans.open.tolist(), strict=True))


def expected_spans(data, *patterns, by=longest):
    text, places = in_bytes(data)
    return [(places[start], places[end], False) for start, end in by(text, *patterns)]


@given(st.sampled_from(PATTERNS), TEXT)
def test_the_longest_match_from_each_place(pattern, text):
    data = text.encode()
    assert spans_of(pattern, data=data) == expected_spans(data, pattern)


@given(st.sampled_from(PATTERNS), STRAY.map(b"".join))
def test_stray_bytes_count_as_replacement_characters(pattern, data):
    assert spans_of(pattern, data=data) == expected_spans(data, pattern)


@given(st.lists(st.sampled_from(PATTERNS), min_size=2, max_size=3, unique=True).map(tuple), TEXT)
def test_any_of_several(patterns, text):
    data = text.encode()
    assert spans_of(*patterns, data=data) == expected_spans(data, *patterns)


def test_the_longest_matches_in_texts_of_many_scripts():
    data = "".join(TEXTS).encode()
    for text in WORDS:
        for whole in (False, True):
            pattern = Pattern(text, "text", whole_words=whole)
            assert spans_of(pattern, data=data) == expected_spans(data, pattern, by=longest_by_posix), pattern
    for text in EXPRESSIONS:
        pattern = Pattern(text, "regex")
        assert spans_of(pattern, data=data) == expected_spans(data, pattern, by=longest_by_posix), pattern


@given(
    st.sampled_from(PATTERNS),
    STRAY.map(b"".join),
    st.lists(st.sampled_from(PARTS), max_size=3).map(bytes) | TEXT.map(str.encode),
)
def test_a_part_claims_nothing_that_more_data_may_change(pattern, data, rest):
    all_spans = {start: end for start, end, _ in spans_of(pattern, data=data + rest)}
    spans = spans_of(pattern, data=data, whole=False)
    for start, end, is_open in spans:
        if is_open:
            # What has matched so far is certain.
            assert end == start or all_spans[start] >= end
        else:
            assert all_spans[start] == end
    assert {start for start in all_spans if start < len(data)} <= {start for start, _, _ in spans}


@pytest.mark.parametrize(
    ("pattern", "data", "expected"),
    [
        (Pattern("cap"), "a cap", [(2, 5, False)]),
        (Pattern("cap"), "a ca", [(2, 2, True)]),
        (Pattern("cap", whole_words=True), "a cap", [(2, 2, True)]),
        (Pattern("cap", whole_words=True), "a cap.", [(2, 5, False)]),
        (Pattern("cap", whole_words=True), "a capa", []),
        (Pattern("語", whole_words=True), "a語", [(1, 4, False)]),
        (Pattern("a+", "regex"), "baa", [(1, 3, True), (2, 3, True)]),
        (Pattern("a{1,2}", "regex"), "baa", [(1, 3, False), (2, 3, True)]),
        (Pattern("ab|abab", "regex"), "abx ab aba", [(0, 2, False), (4, 6, False), (7, 9, True), (9, 9, True)]),
        (Pattern(r"a\b", "regex"), b"a\xc3", [(0, 0, True)]),
        (Pattern(r"a\b", "regex"), b"a\xc3 ", [(0, 1, False)]),
        (Pattern("é"), b"a\xc3", [(1, 1, True)]),
        (Pattern("語"), b"a\xc3", []),
        (Pattern("\ufffd"), b"a\xe8\xaa", [(1, 1, True), (2, 2, True)]),
        (Pattern("\ufffd"), b"a\xe8\xaax", [(1, 2, False), (2, 3, False)]),
    ],
)  # fmt: skip
def test_what_is_open_in_a_part(pattern, data, expected):
    assert spans_of(pattern, data=data if isinstance(data, bytes) else data.encode(), whole=False) == expected


@given(st.sampled_from(PATTERNS), STRAY.map(b"".join), st.booleans(), st.data())
def test_bytes_before_the_first_place_only_tell_what_precedes(pattern, data, whole, draw):
    first, last = sorted(draw.draw(st.tuples(*[st.integers(0, len(data))] * 2)))
    spans = spans_of(pattern, data=data, whole=whole)
    expected = [span for span in spans if first <= span[0] < last]
    assert spans_of(pattern, data=data, whole=whole, first=first, last=last) == expected
    by_start = {start: (end, is_open) for start, end, is_open in spans}
    for at in range(len(data) + 1):
        assert scanner((pattern,)).longest(data, at, whole=whole) == by_start.get(at)


def one_by_one(automaton, data, whole):
    """Each run by itself, to its end: what `scan_matches` does without joining runs. For valid text."""
    found, kind, size = [], 0, 0
    for at in range(len(data)):
        if 0x80 <= data[at] < 0xC0:
            continue
        if at:
            kind = int(kinds()[ord(data[at - size : at].decode())])
        size = 1 if data[at] < 0x80 else 2 if data[at] < 0xE0 else 3 if data[at] < 0xF0 else 4
        state, i, end = int(automaton.starts[kind]), at, -1
        while state >= 0 and (i < len(data) or whole):
            column = data[i] if i < len(data) else END
            if automaton.table[state, column] == UNKNOWN:
                automaton.fill(state, column)
            value = int(automaton.table[state, column])
            i += column != END
            if value & 7:
                end = i + 1 - (value & 7)
            state = value >> 3
        if end >= 0 or state >= 0:
            found.append((at, max(end, at), state >= 0))
    return found


LONG = (
    r"\w+", r"\w+b", r"\w{12,}", r"\w{1,40}\b", "(..)+a", "(ab|ba|aab)+b?", r"(\w+ )+", r"(\w+\b.){1,5}", ".+語",
    "[^語]*a", r"\b\w+b\b", "(....)*(a|b)", r"((aa)+|(aaa)+)b?",
)  # fmt: skip


@pytest.mark.parametrize("expression", LONG)
@pytest.mark.parametrize("whole", [False, True])
def test_runs_that_meet_share_their_future(expression, whole):
    rng = random.Random(3)
    automaton = LongestAutomaton(Pattern(expression, "regex").node())
    for alphabet in ("a", "ab", "aaaaaaab語", "aaaaaaaabb語 ", "aaé語🎉" * 9 + "b\n"):
        data = "".join(rng.choices(alphabet, k=500)).encode()
        assert spans_of(Pattern(expression, "regex"), data=data, whole=whole) == one_by_one(automaton, data, whole)


def test_several_threads_use_one_scanner():
    data = [text.encode() for text in TEXTS] * 3
    patterns = tuple(Pattern(text, "regex") for text in (r"\b\w+[aeio]\b", r"\w{6,}", r"[^a]\W"))
    expected = [spans_of(*patterns, data=part) for part in data]
    for _ in range(5):
        shared = Scanner(patterns)
        with ThreadPoolExecutor(8) as pool:
            found = pool.map(shared.scan, data)
        assert [list(zip(s.starts.tolist(), s.ends.tolist(), s.open.tolist(), strict=True)) for s in found] == expected


def test_a_scan_can_be_stopped():
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        scanner((Pattern("a"),)).scan(b"a" * 100, cancel=token)


def test_a_pattern_of_many_states_is_refused_while_it_is_used():
    rng = random.Random(4)
    with pytest.raises(QueryError, match="too complex"):
        Scanner((Pattern("(a|b)*a(a|b){18}c", "regex"),)).scan(bytes(rng.choices(b"ab", k=100_000)))


def test_arrays_are_scanned_like_bytes():
    data = np.frombuffer(b"a cap", dtype=np.uint8)
    assert scanner((Pattern("cap"),)).scan(data).ends.tolist() == [5]
    assert scanner((Pattern("cap"),)).scan(data[:0]).starts.tolist() == []
