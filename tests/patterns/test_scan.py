"""Where matches begin and end in bytes, against the `regex` package."""

from hypothesis import given, settings
from hypothesis import strategies as st
from scan import in_bytes, longest, longest_by_posix
from scripts import TEXTS
from tried import EXPRESSIONS, WORDS

from explorer.patterns.find import Pattern
from explorer.patterns.scan import scanner

# Words, marks, digits and connectors of scripts with and without spaces; one, two, three and four bytes.
CHARACTERS = "aabbAc Ee é\u0301ß_-1²語言カไעع🎉\n\ufffd"
ALPHABETS = (CHARACTERS, "ab", "aAbB ", "a語 ", "é e\u0301", "ab\n", "語言の日本", "a🎉\u200d")
TEXT = st.sampled_from(ALPHABETS).flatmap(lambda alphabet: st.text(alphabet, max_size=14))
STRAY = st.lists(
    TEXT.map(str.encode) | st.binary(max_size=4) | st.sampled_from([b"\xe4\xb8", b"\xf0\x9f\x8e", b"\xc3"])
)
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
@settings(max_examples=1500, deadline=None)
def test_the_longest_match_from_each_place(pattern, text):
    data = text.encode()
    assert spans_of(pattern, data=data) == expected_spans(data, pattern)


@given(st.sampled_from(PATTERNS), STRAY.map(b"".join))
@settings(max_examples=1000, deadline=None)
def test_stray_bytes_count_as_replacement_characters(pattern, data):
    assert spans_of(pattern, data=data) == expected_spans(data, pattern)


@given(st.lists(st.sampled_from(PATTERNS), min_size=2, max_size=3, unique=True).map(tuple), TEXT)
@settings(max_examples=300, deadline=None)
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


@given(st.sampled_from(PATTERNS), STRAY.map(b"".join), st.binary(max_size=3) | TEXT.map(str.encode))
@settings(max_examples=1000, deadline=None)
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
