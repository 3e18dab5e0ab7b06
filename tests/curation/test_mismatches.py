"""Matches with mismatches, against plain loops, and benchmarks that are in the corpus themselves."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.analyses.contamination.benchmarks import benchmark_of
from explorer.analyses.contamination.compute import find_items
from explorer.analyses.contamination.mismatches import MISMATCHES, SEED, match_lengths
from explorer.analyses.contamination.rules import count_rules


def plain(item, documents):
    """Which letters of an item are in a match with mismatches, by trying all pairs of places."""
    inside = set()
    for begin in range(len(item)):
        for text in documents:
            for offset in range(len(text)):
                wrong = length = 0
                for size, (one, other) in enumerate(zip(item[begin:], text[offset:], strict=False), 1):
                    wrong += one != other
                    if wrong > MISMATCHES or (wrong and size <= SEED):
                        break
                    length = size if one == other else length
                if length > SEED:
                    inside |= set(range(begin, begin + length))
    return len(inside)


TEXTS = st.text(alphabet="ab", min_size=5, max_size=14)


@given(st.lists(TEXTS, min_size=2, max_size=5), st.data())
def test_matches_are_those_of_plain_loops(tmp_path_factory, parts, data):
    text = "".join(parts)
    changes = data.draw(st.lists(st.integers(0, len(text) - 1), max_size=7))
    item = "".join("x" if at in changes else letter for at, letter in enumerate(text))
    documents = [text, "".join(parts[1:])]
    folder = tmp_path_factory.mktemp("letters") / "index"
    build_index([{"text": each} for each in documents], folder, tokenizer="bytes")
    [found] = find_items(open_index(folder).index, benchmark_of([{"question": item}]))
    assert found.mismatched == plain(item, documents)


def test_the_length_of_a_match():
    item = np.arange(40)
    cases = ([], 40), ([39], 39), ([10, 11, 12, 13], 40), ([10, 12, 14, 16, 18], 18), ([38, 39], 38)
    texts = []
    for wrong, _ in cases:
        texts.append(item.copy())
        texts[-1][wrong] = 99
    begins = np.zeros(len(texts), dtype=np.int64)
    lengths, ended = match_lengths(item, begins, texts, 40)
    assert lengths.tolist() == [length for _, length in cases]
    # Four pairs that differ leave it open; a fifth ends it, and so does the end of a text.
    assert ended.tolist() == [False, False, False, True, False]
    short, ended = match_lengths(item, begins[:1], [item[:12]], 40)
    assert (short.tolist(), ended.tolist()) == ([12], [True])


def test_long_matches_are_read_in_rounds(tmp_path):
    """Longer than what is read at first, and than what is read next."""
    words = [f"w{n}" for n in range(300)]
    build_index([{"text": " ".join(words)}], tmp_path / "index", tokenizer="bytes")
    index = open_index(tmp_path / "index").words().index
    for size in (31, 32, 33, 127, 128, 129, 250):
        other = [*words[20 : 20 + size], *(f"v{n}" for n in range(40))]
        # A mismatch within, and the rest of the text does not count.
        other[12] = "other"
        [found] = find_items(index, benchmark_of([{"question": " ".join(other)}]))
        assert found.mismatched == size


def test_llama_2_tells_clean_from_dirty(tmp_path):
    words = [f"w{n}" for n in range(40)]
    build_index([{"text": " ".join(words)}], tmp_path / "index", tokenizer="bytes")
    index = open_index(tmp_path / "index").words().index
    # Four other words between: one match. Five: one ends before the fifth.
    four, five = ([*words[:10], *("x" * n), *words[10 + n : 30]] for n in (4, 5))
    some = [*words[:11], *(f"v{n}" for n in range(30))]
    asked = [{"question": " ".join(each)} for each in (words, four, five, some, words[:10])]
    found = find_items(index, benchmark_of(asked))
    assert [each.mismatched for each in found] == [40, 30, 15, 11, 0]
    rules = count_rules(found)
    assert (rules.llama_2, rules.llama_2_not_clean) == (2, 4)


QUESTIONS = [" ".join("".join(random.Random(f"{n} {k}").sample("abcdefgh", 5)) for k in range(18)) for n in range(6)]


@pytest.fixture(scope="module")
def itself(tmp_path_factory):
    """An index with four of six questions in their own file, and one of these also within another text."""
    folder = tmp_path_factory.mktemp("itself")
    rest = " ".join(f"word{n}" for n in range(60))
    bench = [f"{each}\nThe answer is {n}." for n, each in enumerate(QUESTIONS[:4])]
    (folder / "texts").mkdir()
    for name, texts in {"bench.jsonl": bench, "book.jsonl": [f"{rest} {QUESTIONS[0]} {rest}", rest]}.items():
        (folder / "texts" / name).write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    build_index(folder / "texts", folder / "index", tokenizer="bytes")
    return open_index(folder / "index")


@pytest.mark.parametrize("unit", ["words", "tokens"])
def test_a_benchmark_in_the_corpus_is_told_and_left_out(itself, unit):
    rows = [{"question": each, "answer": f"The answer is {n}."} for n, each in enumerate(QUESTIONS)]
    found = itself.contamination(rows, unit=unit)
    [own] = found.own
    assert (own.source, own.documents, own.items, own.share) == ("bench.jsonl", 4, 4, 4 / 6)
    assert own.is_benchmark and not own.left_out and len(found.flagged) >= 4
    left = itself.contamination(rows, unit=unit, without_own=True)
    assert [row.id for row in left.flagged] == ["0"] and left[0].best_document == 4
    assert [each.left_out for each in left.own] == [True]
    # Less than half of the benchmark is no benchmark: its items are flagged.
    more = [*rows, *({"question": f"{each} {n} and so on, they say"} for n, each in pairwise(QUESTIONS[4:]))]
    more += [{"question": " ".join(f"v{n}x{k}" for k in range(20))} for n in range(6)]
    few = itself.contamination(more, unit=unit, without_own=True)
    assert not any(each.is_benchmark or each.left_out for each in few.own) and len(few.flagged) >= 4
