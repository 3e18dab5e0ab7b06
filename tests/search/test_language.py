"""The query language."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analyses.search.language import ParsedQuery, QuerySyntaxError, parse
from explorer.errors import QueryError

PHRASES = [
    "the cat",
    'print("hello")',
    "def f(a, b):",
    "(index search",
    "sand and or not ANDROID",
    '"a" and "b"',
    "x = {'AND': 1}",
    " leading space",
]


@pytest.mark.parametrize("text", PHRASES)
def test_a_text_without_operators_is_a_phrase_as_it_is(text):
    assert parse(text) == ParsedQuery(((text,),))


@pytest.mark.parametrize(
    ("text", "clauses", "excluded"),
    [
        ('"suffix array" AND (index OR search)', (("suffix array",), ("index", "search")), ()),
        ("suffix array AND index", (("suffix array",), ("index",)), ()),
        ("a OR b AND c", (("a", "b"), ("a", "c")), ()),
        ("(a OR b) AND c", (("a", "b"), ("c",)), ()),
        ("a AND b OR c AND d", (("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")), ()),
        ("a AND NOT b", (("a",),), ("b",)),
        ("a AND NOT (b OR c)", (("a",),), ("b", "c")),
        ("a AND NOT NOT b", (("a",), ("b",)), ()),
        ('"AND" OR "or"', (("AND", "or"),), ()),
        ('"AND"', (("AND",),), ()),
        (r'"say \"hi\" \\" AND b', ((r'say "hi" \ '.strip(),), ("b",)), ()),
        ('"a"AND"b"', (("a",), ("b",)), ()),
        ("a AND a", (("a",),), ()),
        ("a OR a", (("a",),), ()),
    ],
)
def test_what_is_read(text, clauses, excluded):
    assert parse(text) == ParsedQuery(clauses, excluded)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('a AND "b', (6, 7), "quote is never closed"),
        ('"a', (0, 1), "quote is never closed"),
        ("(a AND b", (0, 1), "never closed"),
        ("a AND b)", (7, 8), "never opened"),
        ("a AND ()", (6, 8), "nothing in these parentheses"),
        ('a AND ""', (6, 8), "nothing between these quotes"),
        ("NOT a", (0, 5), "something that must occur"),
        ("NOT", (0, 3), "nothing after NOT"),
        ("AND a", (0, 3), "nothing before AND"),
        ("a AND", (2, 5), "nothing after AND"),
        ("a AND OR b", (2, 5), "nothing after AND"),
        ("a NOT b", (2, 5), "NOT needs AND"),
        ("a OR NOT b", (0, 10), "only with AND"),
        ("a AND NOT (b AND c)", (0, 19), "is not possible"),
        ('a AND b "c"', (8, 11), "AND or OR is missing"),
        (" OR ".join(["(a AND b)"] * 7), None, "128 clauses"),
        ("NOT " * 300 + "a", None, "nested too deeply"),
        ("(" * 300 + "a OR b", None, "nested too deeply"),
    ],
)
def test_what_cannot_be_read(text, place, words):
    with pytest.raises(QuerySyntaxError, match=words) as caught:
        parse(text)
    if place is not None:
        assert (caught.value.start, caught.value.end) == place


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_empty(text):
    with pytest.raises(QueryError, match="empty"):
        parse(text)


NAMES = ["a", "b", "c"]
TREES = st.recursive(
    st.sampled_from(NAMES),
    lambda inner: st.tuples(st.sampled_from(["AND", "OR"]), st.lists(inner, min_size=2, max_size=3)),
    max_leaves=5,
)


def written(tree):
    return tree if isinstance(tree, str) else "(" + f" {tree[0]} ".join(map(written, tree[1])) + ")"


def holds(tree, present):
    if isinstance(tree, str):
        return tree in present
    return (all if tree[0] == "AND" else any)(holds(part, present) for part in tree[1])


@given(TREES)
def test_clauses_mean_what_the_query_means(tree):
    if isinstance(tree, str):
        return
    parsed = parse(written(tree))
    for size in range(len(NAMES) + 1):
        for present in itertools.combinations(NAMES, size):
            meant = all(any(phrase in present for phrase in clause) for clause in parsed.clauses)
            assert meant == holds(tree, present)


@given(
    st.lists(
        st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=3, unique=True), min_size=1, max_size=3
    ),
    st.lists(st.text(min_size=1).filter(str.strip), max_size=2, unique=True),
)
def test_the_parsed_form_is_read_as_itself(clauses, excluded):
    query = ParsedQuery(tuple(dict.fromkeys(map(tuple, clauses))), tuple(excluded))
    assert parse(str(query)) == query


@given(st.text(alphabet='aAND OR NOT"()\\', max_size=30))
def test_any_text_is_read_or_refused_with_its_place(text):
    try:
        assert parse(text).clauses
    except QuerySyntaxError as error:
        assert 0 <= error.start <= error.end <= len(text)
    except QueryError:
        assert not text.strip()


@pytest.mark.parametrize("text", ['"\x1c"', '" "', '"\n" AND a'])
def test_a_phrase_of_blanks_is_written_so_that_it_is_read_again(text):
    """Found by fuzzing: in quotes, blanks are a phrase, and without them nothing."""
    assert parse(str(parse(text))) == parse(text)


@pytest.mark.parametrize(
    ("text", "echo"),
    [
        ("a AND b OR c", '("a" AND "b") OR "c"'),
        ("a AND NOT b AND (c AND d OR x)", '"a" AND NOT "b" AND (("c" AND "d") OR "x")'),
        ("x AND (a AND b OR c)", '"x" AND (("a" AND "b") OR "c")'),
        ("/a+/ AND b OR c", '(/a+/ AND "b") OR "c"'),
        ("(a AND b) OR c", ""),
        ("a AND (b OR c)", ""),
        ("a AND b AND NOT c", ""),
        ("a AND NOT (b OR c)", ""),
        ("a OR b", ""),
        ("a", ""), ("f(x)", ""), ("a (b) c", ""), ("’", ""),
        ("(a", '"(a"'), ("a) b", '"a) b"'), (")(", '")("'),
        ('say "a', r'"say \"a"'), ('"a" b', r'"\"a\" b"'), ("(a)", '"(a)"'),
    ],
)  # fmt: skip
def test_mixed_and_and_or_are_echoed_with_parentheses(text, echo):
    parsed = parse(text, "text")
    assert parsed.echo == echo
    if echo:
        again = parse(echo, "text")
        assert again == parsed and again.echo == ""


BARE = st.recursive(
    st.sampled_from(NAMES),
    lambda inner: st.tuples(st.sampled_from(["AND", "OR"]), st.lists(inner, min_size=2, max_size=3)),
    max_leaves=6,
)


def without_brackets(tree):
    """The tree with parentheses only where the meaning needs them: an OR within an AND."""
    if isinstance(tree, str):
        return tree
    parts = [without_brackets(part) for part in tree[1]]
    if tree[0] == "AND":
        nested = [not isinstance(part, str) and part[0] == "OR" for part in tree[1]]
        parts = [f"({part})" if is_or else part for part, is_or in zip(parts, nested, strict=True)]
    return f" {tree[0]} ".join(parts)


@given(BARE)
def test_an_echo_means_what_was_typed(tree):
    parsed = parse(without_brackets(tree))
    if parsed.echo:
        again = parse(parsed.echo)
        assert set(map(frozenset, again.clauses)) == set(map(frozenset, parsed.clauses)) and not again.echo
