"""Repeated passages as the library lists them, and the figures of the answers of twelve models."""

from __future__ import annotations

import numpy as np
import pytest

from explorer import QueryError, build_index, open_index

# By the least length: all, those that do not overlap themselves, and the first three in some orders.
ANSWERS = {16: (12_609, 8_288), 25: (6_226, 2_044), 50: (4_236, 328), 100: (3_627, 43), 200: (3_137, 9)}


@pytest.fixture(scope="module")
def poems(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repeats") / "index"
    texts = ["<A rose is red>", "she said: <A rose is red>", "<A rose is red", "ha" * 30, "ho"]
    build_index([{"text": text} for text in texts], folder, tokenizer="bytes")
    return open_index(folder)


def test_rows_tell_what_one_copy_saves(poems):
    rows = [(row.text, row.tokens, row.count, row.documents, row.tokens_saved) for row in poems.repeats(10)]
    assert rows == [("<A rose is red", 14, 3, 3, 28), ("<A rose is red>", 15, 2, 2, 15)]
    assert [row.bytes_saved for row in poems.repeats(10)] == [28, 15]
    assert [row.text for row in poems.repeats(10, by="length")] == ["<A rose is red>", "<A rose is red"]
    assert [row.text for row in poems.repeats(10, by="count", top=1)] == ["<A rose is red"]


def test_a_row_is_where_it_tells(poems):
    found = poems.repeats(10)
    for place, row in enumerate(found):
        text = poems.document(row.document).text
        assert text[row.offset : row.offset + row.tokens] == row.text
        assert poems.count(found.ids(place)) == row.count


def test_a_stretch_is_one_run(poems):
    found = poems.repeats(10)
    [run] = found.runs
    assert (run.text, run.period, run.times, run.document, run.offset, run.tokens) == ("ha", 2, 30, 3, 0, 60)
    # The longest begins twice, two letters apart; the shortest is at least ten long, and there are two kinds.
    assert found.overlapping > 20
    assert found.total == found.overlapping + len(found)


def test_nothing_repeats(poems):
    found = poems.repeats(1000)
    assert (len(found), found.total, found.overlapping, found.runs) == (0, 0, 0, ())


@pytest.mark.parametrize("wrong", [{"length": 0}, {"top": 0}, {"by": "bytes"}, {"length": 65_536}])
def test_wrong_arguments_are_refused(poems, wrong):
    with pytest.raises(QueryError):
        poems.repeats(**wrong)


def test_shards_are_one_corpus(tmp_path):
    rows = [{"text": "the same line\n" * 2 + str(number % 3)} for number in range(9)]
    for shards in (1, 3):
        build_index(rows, tmp_path / str(shards), tokenizer="bytes", shards=shards)
    one, three = (open_index(tmp_path / name).repeats(5) for name in ("1", "3"))
    assert [row.count for row in one] == [row.count for row in three] == [18, 9, 3, 3, 3]
    assert one.total == three.total


def test_answers_of_models(answers_index):
    corpus = open_index(answers_index)
    for length, (total, own) in ANSWERS.items():
        found = corpus.repeats(length, top=None)
        assert (found.total, len(found), found.total - found.overlapping) == (total, own, own)
    found = corpus.repeats(50)
    assert len({(run.document, run.period) for run in found.runs}) == 47
    assert [(row.tokens, row.count) for row in corpus.repeats(50, by="length", top=3)] == [(379, 2), (377, 2), (368, 2)]
    saved = corpus.repeats(16, top=3)
    assert [(row.tokens, row.count) for row in saved] == [(40, 48), (35, 49), (19, 89)]
    assert np.array_equal([corpus.count(saved.ids(row)) for row in range(3)], [48, 49, 89])
