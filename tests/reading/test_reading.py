"""What a person reads of Markdown and LaTeX, and the map to the source."""

from __future__ import annotations

import html
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import QueryError
from explorer.text.reading import looks_like_markdown, read_text
from explorer.text.reading.symbols import DOUBLE, LOWERED, RAISED, SYMBOLS

SIGNS = [
    *("**", "*", "_", "`", "```", "```py\n", "\n", "\n\n", "> ", "- ", "1. ", "# ", "|", "|-|-|\n", "$", "$$", "~~"),
    *("\\(", "\\)", "\\[", "\\]", "\\frac", "\\sqrt", "{", "}", "^", "_1", "\\", "\\\\", "\\left.", "\\mathbb", "&"),
    *("\\begin{align}", "\\end{align}", "[a](b)", "![i](u)", "<b>", "<br>", "<!--", "-->", "&amp;", "&#0;", "[^1]"),
    *("é", "😀", "\r\n", "\r", "\t", "\0", "    ", " ", "word", "a b", "5", "- [x] ", "<a@b.c>", "===\n", "---\n"),
    *("\u2028", "\x0c", "\ud800"),
]
MARKDOWN = st.lists(st.sampled_from(SIGNS) | st.text(max_size=3), max_size=40).map("".join)


def check(reading):
    """Every character of a reading text is one of the source, or stands for a part of it as the documentation says."""
    at = reached = 0
    for start, end, first, last in reading.pieces.tolist():
        assert start == at < end
        assert reached <= first <= last <= len(reading.source)
        at, reached = end, last
        read, written = reading.text[start:end], reading.source[first:last]
        if len(read) == len(written):
            assert all(one == other or stands_for(one, other) for one, other in zip(read, written, strict=True))
        else:
            assert stands_for(read, written)
    assert at == len(reading.text)
    for run in reading.runs:
        assert 0 <= run.start < run.end <= len(reading.text) or run.style == "rule"
    assert [run.start for run in reading.runs] == sorted(run.start for run in reading.runs)


def stands_for(read, written):
    """The documented replacements, in a way of its own."""
    return (
        html.unescape(written) == read
        or (read == "\n" and (written in ("\r\n", "\r", "\n", " ", ">", "-", "*", "+") or written.startswith("<br")))
        or (read == "\n" and written.strip("0123456789.)#|>`~ \t") == "")
        or (read == "\t" and written == "|")
        or (read == " " and written in ("\n", "\r\n", "\r", "~", "\\\\", *(f"\\{s}" for s in ",;: "), "\\quad"))
        or read in SYMBOLS.values()
        or read in RAISED.values()
        or read in LOWERED.values()
        or read in DOUBLE.values()
        or (read in "()" and written in "{}")
        or (read == "/" and written.strip(" \t{}") == "")
        or read in "√°′"
    )


@given(MARKDOWN)
def test_every_character_is_mapped(text):
    check(read_text(text, "markdown"))
    check(read_text(text, "auto"))


@given(MARKDOWN, st.data())
def test_places_lead_back(text, data):
    reading = read_text(text, "markdown")
    length = len(reading.text)
    start = data.draw(st.integers(0, length))
    end = data.draw(st.integers(start, length))
    first, last = reading.source_range(start, end)
    assert 0 <= first <= last <= len(reading.source)
    # The same part again, or more where its ends are in the middle of what stands for a part of the source as a whole.
    again = reading.reading_range(first, last)
    if start < end and first < last:
        assert again[0] <= start and again[1] >= end
    parts = reading.source_parts(start, end)
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(parts))
    places = np.arange(length + 1)
    assert (np.diff(reading.source_starts(places)) >= 0).all()
    assert (reading.source_ends(places)[1:] >= reading.source_starts(places)[:-1]).all()


@given(st.text(alphabet="abc dé,.\n日"))
def test_a_text_without_marks_is_read_as_it_is(text):
    assert read_text(text, "auto").text == text
    assert not looks_like_markdown(text)
    words = read_text(text, "markdown").text.split()
    assert words == text.split()


READ = [
    ("# Title\n\nSome **bold** and *soft* words", "Title\n\nSome bold and soft words"),
    ("- one\n- two\n\n  more", "one\ntwo\n\nmore"),
    ("3. three\n4. four", "three\nfour"),
    ("> quoted\n> twice", "quoted\ntwice"),
    ("```py\nx = 1\n  y\n```\nafter", "x = 1\n  y\nafter"),
    ("a `b  c` ``d`e``", "a b  c d`e"),
    ("| a | b |\n|---|---|\n| **1** | `x` |\n|  | z |", "a\tb\n1\tx\n\tz"),
    ('[link](http://a.b/ "t") <https://c.d> ![alt](u)', "link https://c.d alt"),
    ("~~gone~~ &lt;tag&gt; \\*star\\*", "gone <tag> *star*"),
    ("line  \nhard\\\nbreak<br>new", "line\nhard\nbreak\nnew"),
    ("List<String> and <b>bold</b>", "List<String> and bold"),
    ("- [x] done\n- [ ] open", "done\nopen"),
    ("the value $x_1^2 \\leq \\alpha$ holds", "the value x₁² ≤ α holds"),
    ("\\(\\frac{a+b}{2}\\) and \\[\\sqrt{x} = \\mathbb{R}\\]", "(a+b)/2 and √x = ℝ"),
    ("$$\n\\sum_{i=0}^{n} \\text{if } i\n$$", "∑ᵢ₌₀ⁿ if  i"),
    ("\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}", "a = b \nc = d"),
    ("It costs $5 and $10, or $3,000-$4,000.", "It costs $5 and $10, or $3,000-$4,000."),
    ("`$x$` and\n\n    $y$ code", "$x$ and\n\n$y$ code"),
    ("\\[sic\\] and \\(see below\\)", "[sic] and (see below)"),
    ("a\r\n\r\n**b**\r\nc", "a\n\nb\nc"),
]


@pytest.mark.parametrize(("written", "read"), READ)
def test_what_is_read(written, read):
    found = read_text(written, "markdown")
    check(found)
    assert found.text == read


def test_styles_hold_what_they_style():
    text = "## Head **bold**\n\n1. one\n   - *in* `code`\n\n> [link](u)\n\n```py\nx\n```\n\n"
    text += "| h |\n|---|\n| c |\n\n---\n\n$a^2$ ~~no~~"
    reading = read_text(text, "markdown")
    found = {(run.style, run.level, run.note, reading.text[run.start : run.end]) for run in reading.runs}
    assert found == {
        ("heading", 2, "", "Head bold"),
        ("bold", 0, "", "bold"),
        ("item", 1, "1.", "one\nin code"),
        ("item", 2, "•", "in code"),
        ("italic", 0, "", "in"),
        ("code", 0, "", "code"),
        ("quote", 1, "", "link"),
        ("link", 0, "u", "link"),
        ("code_block", 0, "py", "x"),
        ("table", 0, "", "h\nc"),
        ("row", 0, "", "h"),
        ("row", 1, "", "c"),
        ("cell", 0, "", "h"),
        ("cell", 0, "", "c"),
        ("rule", 0, "", ""),
        ("math", 0, "", "a²"),
        ("strike", 0, "", "no"),
    }


def test_a_part_of_the_source_is_given_without_the_marks_in_it():
    reading = read_text("a **bold** word", "markdown")
    assert reading.source_range(0, len(reading.text)) == (0, 15)
    assert reading.source_parts(0, len(reading.text)) == ((0, 2), (4, 8), (10, 15))
    # Only marks: nothing is read of them.
    assert reading.reading_range(2, 4) == (2, 2)


def test_nesting_is_limited_and_nothing_is_lost():
    for text in (">" * 5_000 + " deep", "$" + "{" * 5_000 + "x" + "}" * 5_000 + "$", "$" + "\\frac{" * 500 + "x$"):
        reading = read_text(text, "markdown")
        check(reading)
        assert len(reading.runs) <= 32
    assert read_text(">" * 5_000 + " deep", "markdown").text == "deep"


def test_unknown_modes_are_refused():
    with pytest.raises(QueryError, match="plain, markdown, auto"):
        read_text("x", "html")


def test_answers_of_models(some_answers):
    """Every answer is read, and half a surrogate or a cut table is no exception."""
    texts, marked = some_answers.texts[:1600], 0
    for text in [*texts, *(text[: len(text) // 2] for text in texts[:60])]:
        reading = read_text(text, "markdown")
        check(reading)
        # Marks are left out, words are not: only what stands in an address, a tag or a fence's first line.
        assert len(reading.text) <= len(text)
        marked += looks_like_markdown(text)
    assert marked > len(texts) / 8
