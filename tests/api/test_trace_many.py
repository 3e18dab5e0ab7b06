"""Many traces in one call, against one trace after the other."""

from __future__ import annotations

import json
from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from explorer import TraceSettings, open_index
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, QueryError

ROWS = [
    {"id": 7, "text": "the cat sat on the mat and the dog saw it", "model": "a", "scores": [1, 2]},
    "a dog saw the cat on the rug",
    {"text": "nothing of this is there?", "model": "b", "title": "third"},
    {"text": "the dog sat on the mat, and the dog saw the cat on the rug.", "prompt": "what?"},
]


@pytest.fixture(scope="module")
def small(small_index):
    """The small index, opened once for all tests."""
    return open_index(small_index)


def texts_of(rows):
    return [row if isinstance(row, str) else row["text"] for row in rows]


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.local("processes open the same files"))])
def test_traces_are_those_of_single_texts_in_order(small, workers):
    settings = TraceSettings(min_length=2)
    many = list(small.trace_many(iter(ROWS * 6), settings=settings, workers=workers))
    assert many == [small.trace(text, settings=settings) for text in texts_of(ROWS * 6)]


@pytest.mark.local("processes open the same files")
def test_processes_give_the_same_table(small):
    one, two = (small.trace_many(ROWS, workers=workers).to_arrow() for workers in (1, 2))
    assert one == two
    assert one["id"].to_pylist() == two["id"].to_pylist()


def test_the_table_has_the_measures_and_the_other_fields(small):
    table = small.trace_many(ROWS).to_arrow()
    traces = [small.trace(text) for text in texts_of(ROWS)]
    assert table["coverage"].to_pylist() == [trace.coverage for trace in traces]
    assert table["span_count"].to_pylist() == [len(trace.spans) for trace in traces]
    assert table["line"].to_pylist() == [1, 2, 3, 4]
    assert table["title"].to_pylist() == [None, None, "third", None]
    assert table["id"].to_pylist() == ["7", None, None, None]
    assert json.loads(table["extra"].to_pylist()[0]) == {"model": "a", "scores": [1, 2]}
    assert [record.coverage for record in small.trace_many(ROWS).records()] == table["coverage"].to_pylist()


def test_nothing_is_traced_before_it_is_asked_for(small):
    read = []

    def rows():
        for text in texts_of(ROWS):
            read.append(text)
            yield text

    found = small.trace_many(rows())
    assert read == []
    first = next(iter(found))
    assert first == small.trace(texts_of(ROWS)[0]) and len(read) == 1
    with pytest.raises(QueryError) as caught:
        list(found)
    assert caught.value.reason == "rows-are-read"
    again = small.trace_many(ROWS)
    assert list(again) == list(again)


BAD = [{"text": "the cat"}, {"txt": "the cat"}, {"text": 5}, {"text": ""}, None, 3.5, b"the cat", {"text": "a dog"}]


@pytest.mark.parametrize("number", range(1, 7))
def test_a_bad_row_is_named(small, number):
    with pytest.raises(QueryError, match=f"Row {number}, counted from 0") as caught:
        list(small.trace_many([BAD[0]] * number + [BAD[number]]))
    assert caught.value.item == number and caught.value.reason == "bad-line"


def test_bad_rows_are_skipped_or_kept(small):
    good = [small.trace("the cat"), small.trace("a dog")]
    assert list(small.trace_many(BAD, on_bad="skip")) == good
    kept = small.trace_many(BAD, on_bad="keep")
    assert list(kept) == [good[0], *[None] * 6, good[1]]
    table = kept.to_arrow()
    assert [bool(problem) for problem in table["problem"].to_pylist()] == [False, *[True] * 6, False]
    assert table["coverage"].null_count == 6 and table["line"].to_pylist() == list(range(1, 9))


def test_rows_that_fail_half_way(small):
    def rows():
        yield "the cat"
        raise OSError("the disk is gone")

    for on_bad in ("raise", "skip", "keep"):
        found = iter(small.trace_many(rows(), on_bad=on_bad))
        assert next(found) == small.trace("the cat")
        with pytest.raises(QueryError, match="Row 1, counted from 0, could not be read: OSError") as caught:
            next(found)
        assert caught.value.item == 1 and caught.value.reason == "rows-failed"


def test_prompts_and_paths(small):
    rows = [{"choices": [{"text": "the cat sat on the mat"}], "asked": "a dog saw"}]
    [found] = small.trace_many(rows, text_field="choices[0].text", prompt_field="asked")
    assert found == small.trace("the cat sat on the mat", "a dog saw")
    with pytest.raises(QueryError, match="prompt"):
        list(small.trace_many([{"text": "the cat"}], prompt_field="prompt"))


def test_without_the_texts_themselves(small):
    text = max(small.documents, key=lambda document: document.token_count).text
    [found] = small.trace_many([text], without_self=True)
    assert found == small.trace(text, without_self=True) != small.trace(text)


@pytest.mark.parametrize("options", [{"on_bad": "ignore"}, {"workers": 0}, {"workers": 1.5}, {"workers": True}])
def test_wrong_options_are_refused_at_once(small, options):
    with pytest.raises(QueryError):
        small.trace_many(ROWS, **options)


def test_progress_and_cancelling(small):
    cancel, seen = CancelToken(), []

    def report(progress):
        seen.append((progress.done, progress.total))
        if progress.done == 1:
            cancel.cancel()

    with pytest.raises(Cancelled):
        list(small.trace_many(ROWS, report=report, cancel=cancel))
    assert seen == [(0, 4), (1, 4)]


class OnlyAStream:
    """A table of which only the stream is known, as of a library that nobody has heard of."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


TABLE = pa.table({"text": texts_of(ROWS), "model": ["a", "b", "b", None]})


@pytest.mark.parametrize("given", [TABLE, OnlyAStream(TABLE), TABLE.to_reader(), TABLE.to_batches()[0]])
def test_tables_are_rows(small, given):
    found = small.trace_many(given)
    assert found.to_arrow() == small.trace_many(TABLE.to_pylist()).to_arrow()


def test_a_table_can_be_gone_through_again(small):
    found = small.trace_many(TABLE)
    assert list(found) == list(found) == [small.trace(text) for text in texts_of(ROWS)]
    once = small.trace_many(TABLE.to_reader())
    assert len(list(once)) == 4
    with pytest.raises(QueryError, match="only once"):
        list(once)


@pytest.mark.parametrize("column", [TABLE["text"], pa.array(texts_of(ROWS))])
def test_columns_are_texts(small, column):
    assert list(small.trace_many(column)) == [small.trace(text) for text in texts_of(ROWS)]


@pytest.mark.parametrize("given", ["the cat", b"the cat", {"text": "the cat"}, 7, None])
def test_a_single_text_is_no_rows(small, given):
    """Iterated, it would give its characters or fields."""
    with pytest.raises(QueryError) as caught:
        small.trace_many(given)
    assert caught.value.reason == "rows-are-text"


def test_a_table_without_the_column_names_its_columns(small):
    with pytest.raises(QueryError, match=r"Row 0, .*model") as caught:
        list(small.trace_many(TABLE.select(["model"])))
    assert caught.value.item == 0


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet", ".xlsx"])
def test_rows_that_fail_half_way_write_nothing(small, tmp_path, ending):
    def rows():
        yield from ROWS * 30
        raise ValueError("the source is gone")

    with pytest.raises(QueryError, match=r"Row 120, counted from 0, could not be read: ValueError: the source is gone"):
        small.trace_many(rows()).write(tmp_path / f"traces{ending}")
    assert list(tmp_path.iterdir()) == []


def test_other_fields_that_json_does_not_have(small):
    odd = {"day": date(2020, 1, 2), "score": np.float32(1.5), "ids": np.array([1, 2]), "nothing": float("nan")}
    found = small.trace_many([{"text": ROWS[1], "sure": True, **odd}]).to_arrow()["extra"].to_pylist()
    expected = {"sure": True, "day": "2020-01-02", "score": 1.5, "ids": [1, 2], "nothing": None}
    assert [json.loads(each) for each in found] == [expected]
