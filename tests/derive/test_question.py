"""Questions: each setting is checked by one sentence, and written and read again as the same value."""

from __future__ import annotations

from ast import literal_eval
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.derive.kinds import Choice, Flag, Maybe, Real, Several, Sides, Span, Text, Whole, WordFile, Words
from explorer.derive.question import Question, setting, settings_of
from explorer.errors import QueryError


@dataclass(frozen=True)
class Longest(Question):
    """A small question."""

    top: int = setting(20, Whole(1, 500), "Rows", "maximum number of rows", fact="top")
    order: str = setting("length", Choice({"length": "Length", "count": "Count"}), "Order", "order of the rows")
    window: tuple[int, int] = setting((2, 2), Sides(9), "Window", "words at each side", fact="window")
    stop: tuple[str, ...] | WordFile = setting((), Words(), "Stop list", "words to skip", fact="stop", always=False)
    folded: bool = setting(False, Flag(), "Fold", "ignore case", fact="folded", always=False)
    share: float = setting(0.5, Real(0, 1, above=True), "Share", "share of the words", fact="share", always=False)
    size: tuple[int, int] = setting((2, 4), Span(2, 8), "Size", "words of each", fact="size", always=False)
    field: str = setting("genre", Text(empty=False), "Field", "metadata field", fact="field", always=False)
    rules: tuple[str, ...] = setting(
        ("a", "b"), Several({"a": "A", "b": "B", "c": "C"}), "Rules", "rules that count", fact="rules", always=False
    )
    limit: int | None = setting(None, Maybe(Whole(1, 99), "all"), "Limit", "words read", fact="limit", always=False)


@pytest.mark.parametrize(
    ("values", "reason", "sentence"),
    [
        ({"top": 0}, "out-of-range", "top must be a whole number from 1 to 500, not 0."),
        ({"top": "7"}, "not-a-whole-number", 'top must be a whole number from 1 to 500, not "7".'),
        ({"top": True}, "not-a-whole-number", "top must be a whole number from 1 to 500, not True."),
        ({"top": 2.0}, "not-a-whole-number", "top must be a whole number from 1 to 500, not 2.0."),
        ({"top": None}, "not-a-whole-number", "top must be a whole number from 1 to 500, not None."),
        (
            {"top": 10**5_000},
            "out-of-range",
            "top must be a whole number from 1 to 500, not a number of more than 4,300 digits.",
        ),
        (
            {"top": "x" * 99},
            "not-a-whole-number",
            f'top must be a whole number from 1 to 500, not "{"x" * 38}….',
        ),
        ({"order": "size"}, "wrong-argument", 'order must be length or count, not "size".'),
        ({"order": ["length"]}, "wrong-argument", "order must be length or count, not ['length']."),
        (
            {"window": (1, 10)},
            "out-of-range",
            "window must be two whole numbers from 0 to 9, such as 5,5, not (1, 10).",
        ),
        (
            {"window": "1,2"},
            "not-a-whole-number",
            'window must be two whole numbers from 0 to 9, such as 5,5, not "1,2".',
        ),
        (
            {"window": (1,)},
            "not-a-whole-number",
            "window must be two whole numbers from 0 to 9, such as 5,5, not (1,).",
        ),
        ({"window": (0, 0)}, "empty-window", "A window needs a token on the left or on the right."),
        ({"stop": "the"}, "wrong-argument", 'stop must be a list of words, not "the".'),
        ({"stop": [1]}, "wrong-argument", "stop must be a list of words, not [1]."),
        ({"stop": 1}, "wrong-argument", "stop must be a list of words, not 1."),
        ({"folded": 1}, "wrong-argument", "folded must be True or False, not 1."),
        ({"share": 0}, "out-of-range", "share must be a number above 0 and at most 1, not 0."),
        ({"share": float("nan")}, "not-a-number", "share must be a number above 0 and at most 1, not nan."),
        ({"share": 10**400}, "not-a-number", f"share must be a number above 0 and at most 1, not 1{'0' * 38}…."),
        ({"share": "1"}, "not-a-number", 'share must be a number above 0 and at most 1, not "1".'),
        (
            {"size": (4, 2)},
            "out-of-range",
            "size must be one or two whole numbers from 2 to 8, ascending, not (4, 2).",
        ),
        (
            {"size": (2, "4")},
            "not-a-whole-number",
            "size must be one or two whole numbers from 2 to 8, ascending, not (2, '4').",
        ),
        ({"field": ""}, "empty", "field must not be empty."),
        ({"field": 3}, "wrong-argument", "field must be a text, not 3."),
        ({"rules": "a"}, "wrong-argument", 'rules must be one or more of a, b, c, not "a".'),
        ({"rules": ("a", "x")}, "wrong-argument", "rules must be one or more of a, b, c, not ('a', 'x')."),
        ({"limit": 0}, "out-of-range", "limit must be a whole number from 1 to 99, not 0."),
    ],
)
def test_an_invalid_value_has_one_sentence(values, reason, sentence):
    with pytest.raises(QueryError) as error:
        Longest.of(**values)
    assert (error.value.reason, str(error.value)) == (reason, sentence)


def test_an_unknown_setting_is_refused():
    with pytest.raises(TypeError, match="depth"):
        Longest.of(depth=3)


def test_values_of_callers_become_plain_ones():
    made = Longest.of(top=np.int64(7), window=np.array([1, 2]), stop=iter(["the"]), share=np.float32(0.5), size=3)
    assert made == Longest(top=7, window=(1, 2), stop=("the",), share=0.5, size=(3, 3))
    assert [type(value) for value in (made.top, made.window[0], made.stop, made.share)] == [int, int, tuple, float]
    assert Longest.of(rules=["c", "a", "c"]).rules == ("a", "c")


QUESTIONS = st.builds(
    Longest,
    top=st.integers(1, 500),
    order=st.sampled_from(["length", "count"]),
    window=st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(any),
    stop=st.lists(st.text()).map(tuple) | st.text(min_size=1).map(WordFile),
    folded=st.booleans(),
    share=st.integers(1, 100).map(lambda number: number / 100),
    size=st.tuples(st.integers(2, 8), st.integers(2, 8)).map(lambda sizes: (min(sizes), max(sizes))),
    field=st.text(min_size=1),
    rules=st.sets(st.sampled_from("abc"), min_size=1).map(lambda names: tuple(sorted(names))),
    limit=st.none() | st.integers(1, 99),
)


@given(QUESTIONS)
def test_a_session_gives_the_same_question_again(question):
    assert Longest().restored(question.session) == question


@given(QUESTIONS)
def test_python_means_the_same_values(question):
    for each, value in question.changed():
        if not isinstance(value, WordFile):
            assert Longest.of(**{each.name: literal_eval(each.kind.python(value))}) == Longest.of(**{each.name: value})


def test_python_reads_the_words_of_a_file(tmp_path):
    path = tmp_path / "it's a list.txt"
    path.write_text("the\nof\n", encoding="utf-8-sig")
    assert eval(Words().python(WordFile(str(path))), {"Path": Path}) == ["the", "of"]


@given(QUESTIONS)
def test_an_option_means_the_same_value(question):
    for name, each in settings_of(Longest).items():
        value = getattr(question, name)
        if not isinstance(each.kind, Words | Flag):
            assert each.kind.check(name, each.kind.read(each.kind.text(value))) == value


@given(st.text())
def test_any_text_is_a_value_or_a_sentence(text):
    for name, each in settings_of(Longest).items():
        try:
            each.kind.check(name, each.kind.read(text))
        except QueryError as error:
            assert text not in ("1", "1,1") or name in ("order", "size", "rules"), str(error)


@given(st.dictionaries(st.sampled_from([*settings_of(Longest), "depth"]), st.none() | st.integers() | st.text()))
def test_a_session_of_anything_leaves_a_valid_question(values):
    made = Longest().restored(values)
    assert Longest.of(**vars(made)) == made


def test_what_differs_from_the_defaults_is_written():
    assert Longest().options == [] and dict(Longest().facts) == {"top": "20", "window": "2,2"}
    made = Longest(top=5, window=(0, 3), stop=("the", "of"), folded=True)
    assert made.facts == (("top", "5"), ("window", "0,3"), ("stop", "the, of"), ("folded", "yes"))
    assert made.options == ["--top=5", "--window=0,3", "--stop=the, of", "--folded"]
    given = made.arguments("order", "stop", "share", "size", "field", "rules", "limit")
    assert given == {"top": 5, "window": (0, 3), "folded": True}
    made = Longest(share=0.25, size=(3, 3), rules=("c",), limit=7)
    assert made.options == ["--share=0.25", "--size=3,3", "--rules=c", "--limit=7"]
