"""KWIC lines."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import twin

from explorer import build_index, open_index
from explorer.analyses.metadata.fields import FieldFilter
from explorer.analyses.search.arrange import RIGHT_CONTEXT, LineSettings
from explorer.errors import QueryError


def line_text(line):
    return line.left + line.match + line.right


def test_every_line_is_the_documents_own_text(small):
    lines = small.concordance("the cat", variants=["space"], match="tokens")
    assert len(lines) == small.count("the cat", ["space"], match="tokens") > 5
    for line in lines.lines(0, len(lines), width=4):
        assert line.match.strip() == "the cat"
        assert line_text(line) in small.document(line.document).text


@pytest.mark.local("the order of a suffix array")
def test_index_order_is_that_of_the_stored_bytes(small):
    rows = small.concordance(" the", sort="index").lines(0, 100, width=3)
    following = []
    for row in rows:
        tokens = small.document(row.document).tokens[row.offset + 1 : row.offset + 3]
        # The order is that of the tokens' bytes as they are stored, low byte first.
        following.append(tokens.astype("<u2").tobytes() + b"\xff\xff" * (2 - len(tokens)))
    assert len(following) > 10
    assert following == sorted(following)


@pytest.mark.parametrize("sort", ["left", "document", "random"])
def test_sorting_keeps_every_line(small, sort):
    plain = {(r.document, r.offset) for r in small.concordance(" the").lines(0, 100)}
    found = small.concordance(" the", sort=sort, seed=3).lines(0, 100)
    assert {(r.document, r.offset) for r in found} == plain
    assert [r.number for r in found] == list(range(len(plain)))


def words(text):
    return re.findall(r"\w+", text.lower())


def test_the_order_of_each_sort(small):
    by_document = [(r.document, r.offset) for r in small.concordance(" the", sort="document").lines(0, 100)]
    assert by_document == sorted(by_document)
    left = [words(r.left)[:-4:-1] for r in small.concordance(" the", sort="left").lines(0, 100, width=40)]
    assert left == sorted(left)
    right = [words(r.right)[:3] for r in small.concordance(" the").lines(0, 100, width=40)]
    assert right == sorted(right)
    once = [r.offset for r in small.concordance(" the", sort="random", seed=1).lines(0, 100)]
    again = [r.offset for r in small.concordance(" the", sort="random", seed=1).lines(0, 100)]
    other = [r.offset for r in small.concordance(" the", sort="random", seed=2).lines(0, 100)]
    assert once == again != other


@pytest.mark.parametrize(
    "view", [LineSettings(), LineSettings(filters=(FieldFilter("path", "!=", "nowhere"),)), LineSettings(sample=40)]
)
def test_more_lines_than_can_be_sorted_stay_in_index_order_and_say_so(small, monkeypatch, view):
    right = replace(view, sort=RIGHT_CONTEXT)
    found = small.concordance("the", variants=["space"], match="tokens", view=right)
    assert not found.arranged.unsorted
    monkeypatch.setattr("explorer.analyses.search.arrange.MAX_SORTED", len(found) - 1)
    raw = small.concordance("the", variants=["space"], match="tokens", view=view).lines(0, 100)
    stays = small.concordance("the", variants=["space"], match="tokens", view=right)
    assert stays.arranged.unsorted and stays.lines(0, 100) == raw
    # Every other order is sorted still.
    assert not small.concordance("the", variants=["space"], match="tokens", sort="left").arranged.unsorted


def test_right_context_agrees_with_the_level_of_its_first_word(small):
    right = small.concordance("the", variants=["space"], match="tokens").lines(0, 100, width=20)
    level = small.concordance("the", variants=["space"], match="tokens", sort="1R").lines(0, 100, width=20)
    assert [words(line.right)[:1] for line in right] == [words(line.right)[:1] for line in level]


def test_lines_are_cut_to_what_exists(small):
    lines = small.concordance(" the")
    assert lines.lines(-5, 2) == lines.lines(0, 2)
    assert lines.lines(len(lines) - 1, 10**9) == lines.lines(len(lines) - 1, len(lines))
    assert lines.lines(10**9, 10**9 + 5) == []
    assert [line.left for line in lines.lines(0, 1, width=0)] == [""]


def test_no_hits(small):
    assert len(small.concordance("zebra")) == 0
    assert small.concordance("zebra", sort="left").lines(0, 5) == []


def test_an_unknown_sort(small):
    with pytest.raises(QueryError, match="sorted by"):
        small.concordance("the", sort="upwards")


def test_documents_of_a_subtracted_index_are_not_listed(tmp_path):
    text = [ord(c) for c in "abcabd"]
    other = [ord(c) for c in "xabx"]
    whole = twin.write_index(tmp_path / "whole", [[text, other]], width=1)
    part = twin.write_index(tmp_path / "part", [[other]], width=1)
    lines = open_index(whole, minus=part).concordance("ab")
    assert len(lines) == 2
    assert [(r.document, r.left, r.right) for r in lines.lines(0, 9)] == [(0, "", "cabd"), (0, "abc", "d")]


def test_a_width_in_characters_holds_where_a_character_is_several_tokens(tmp_path):
    text = "語言模型" * 10 + "ox" + "😀é" * 20
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    build_index(tmp_path / "a.txt", tmp_path / "out", tokenizer="bytes")
    line = open_index(tmp_path / "out").concordance("ox").lines(0, 1, 20, characters=True)[0]
    assert (line.left, line.right) == (("語言模型" * 5), "😀é" * 10)
