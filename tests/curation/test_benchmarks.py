"""Which column is what, and the items of files that evaluations really use."""

from __future__ import annotations

import gzip
import json

import pytest

from explorer import QueryError, SourceError
from explorer.analyses.contamination.benchmarks import BenchmarkColumns, Item, benchmark_of, guessed, read_benchmark


@pytest.mark.parametrize(
    ("record", "found"),
    [
        ({"question": "q", "answer": "a"}, BenchmarkColumns("question", "answer")),
        (
            {"task_id": 1, "prompt": "q", "canonical_solution": "a"},
            BenchmarkColumns("prompt", "canonical_solution", id="task_id"),
        ),
        ({"input": "q", "target": "a", "choices": []}, BenchmarkColumns("input", "target", "choices")),
        ({"Question": "q", "Best Answer": "a"}, BenchmarkColumns("Question", "Best Answer")),
        ({"text": "q", "code": "a"}, BenchmarkColumns("text", "code")),
        ({"question_id": 81, "turns": ["a", "b"]}, BenchmarkColumns("turns", id="question_id")),
        ({"context": "c", "question": "q", "id": "x"}, BenchmarkColumns("question", passage="context", id="id")),
        ({"answer": "a"}, BenchmarkColumns(answer="answer")),
    ],
)
def test_columns_are_guessed_by_their_names(record, found):
    assert guessed(record, BenchmarkColumns()) == found


def test_a_field_that_was_named_is_not_guessed_again():
    assert guessed({"question": "a", "text": "q"}, BenchmarkColumns(answer="question")) == BenchmarkColumns(
        "text", "question"
    )


@pytest.mark.parametrize(
    ("row", "item"),
    [
        ({"question": "q", "answer": 1, "choices": ["x", "y"]}, Item("0", "q", "y", "", ("x", "y"))),
        ({"question": "q", "answer": "B", "choices": ["x", "y"]}, Item("0", "q", "y", "", ("x", "y"))),
        ({"question": "q", "answer": "B", "choices": ["A", "B"]}, Item("0", "q", "B", "", ("A", "B"))),
        ({"input": "q", "choices": {"text": ["x", "y"], "label": ["A", "B"]}}, Item("0", "q", "", "", ("x", "y"))),
        ({"turns": ["one", "two"], "question_id": 7}, Item("7", "one\ntwo")),
        ({"question": "q", "answer": None}, Item("0", "q")),
        ({"question": "q", "answer": 3.5, "passage": "p"}, Item("0", "q", "3.5", "p")),
    ],
)
def test_items_have_texts(row, item):
    assert benchmark_of([row]).items == (item,)


def test_parts_are_joined_in_their_order():
    item = Item("0", "q", "a", "p", ("x", "y"))
    assert item.text(["answer", "question", "passage", "choices"]) == "p\nq\nx\ny\na"
    assert item.text(["answer"]) == "a"


def test_rows_of_one_answer_each_make_one_item():
    rows = [
        {"eval_key": "m", "split": "s", "eval_instance_index": i, "question": q, "answer": a, "is_correct": right}
        for i, q, a, right in (("0", "q", "x", "False"), ("0", "q", "y", "True"), ("1", "r", "z", "True"))
    ]
    assert benchmark_of(rows).items == (Item("m/s/0", "q", "y", "", ("x", "y")), Item("m/s/1", "r", "z"))


def test_tables_with_a_mark_and_line_feeds_in_cells(tmp_path):
    (tmp_path / "t.csv").write_bytes('\ufeffQuestion,Best Answer\r\n"one\r\ntwo",a\r\n"x, ""y""",b\r\n'.encode())
    found = read_benchmark(tmp_path / "t.csv")
    assert [item.question.split() for item in found.items] == [["one", "two"], ["x,", '"y"']]
    assert [item.answer for item in found.items] == ["a", "b"] and found.columns.question == "Question"


def test_packed_lines(tmp_path):
    (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress(b'{"prompt": "q"}\n\n{"prompt": "r"}\n', mtime=0))
    assert [item.question for item in read_benchmark(tmp_path / "t.jsonl.gz").items] == ["q", "r"]


@pytest.mark.parametrize(
    ("content", "error", "told"),
    [
        ('{"a": 1}\n', QueryError, "cannot tell which field contains the questions"),
        ('{"question": "q"}\n{"question": ""}\n', QueryError, 'line 2: "question" has no text'),
        ('{"question": "q"}\n{"question\n', QueryError, "line 2"),
        ('{"question\n', QueryError, "line 1"),
        ("", QueryError, "has no items"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, content, error, told):
    (tmp_path / "t.jsonl").write_text(content)
    with pytest.raises(error, match=told):
        read_benchmark(tmp_path / "t.jsonl")


def test_a_text_is_no_benchmark(tmp_path):
    (tmp_path / "t.txt").write_text("only text")
    with pytest.raises(SourceError, match="neither a JSON object"):
        read_benchmark(tmp_path / "t.txt")


def test_records_of_json(tmp_path):
    (tmp_path / "t.json").write_text(json.dumps([{"problem": "q", "solution": "a"}]))
    assert read_benchmark(tmp_path / "t.json").items == (Item("0", "q", "a"),)


LINES = '{"question": "one", "id": "a"}\n{"question": \n{"question": " "}\n[]\n{"question": "two", "id": "x"}\n'


def test_bad_records_are_left_out_or_kept_by_policy(tmp_path):
    (tmp_path / "a.jsonl").write_text(LINES)
    left = read_benchmark(tmp_path / "a.jsonl", on_bad="skip")
    assert [(item.id, item.question) for item in left.items] == [("a", "one"), ("x", "two")]
    assert [problem.line for problem in left.problems] == [2, 3, 4]
    assert left.problems[1].reason == '"question" has no text'
    kept = read_benchmark(tmp_path / "a.jsonl", on_bad="keep")
    assert [(item.id, item.question) for item in kept.items] == [("a", "one"), *((n, "") for n in "123"), ("x", "two")]
    assert kept.problems == left.problems
    with pytest.raises(QueryError, match="line 2"):
        read_benchmark(tmp_path / "a.jsonl")


def test_a_truncated_file_keeps_what_was_read(tmp_path):
    data = gzip.compress("".join(json.dumps({"question": f"q {n} {n * n}"}) + "\n" for n in range(5_000)).encode())
    (tmp_path / "a.jsonl.gz").write_bytes(data[: len(data) // 2])
    with pytest.raises(SourceError):
        read_benchmark(tmp_path / "a.jsonl.gz")
    left = read_benchmark(tmp_path / "a.jsonl.gz", on_bad="keep")
    # The last line may be cut as well.
    assert len(left.items) > 100 and left.items[100].question == "q 100 10000"
    assert "damaged" in left.problems[-1].reason or "cut short" in left.problems[-1].reason
    assert left.problems[-1].line == 0


def test_nothing_but_bad_records_is_an_error(tmp_path):
    (tmp_path / "a.jsonl").write_text("[]\n{\n")
    with pytest.raises(QueryError, match="line 1"):
        read_benchmark(tmp_path / "a.jsonl", on_bad="skip")
    rows = [*([{"question": ""}] * 150), {"question": "q"}]
    assert benchmark_of(rows, on_bad="skip").items == (Item("150", "q"),)


@pytest.mark.parametrize(
    ("values", "scores"),
    [
        ({"correct": [True, False, None]}, [1, 0, None]),
        ({"correct": ["true", "False", ""]}, [1, 0, None]),
        ({"score": [0.5, "0.25", 100]}, [0.5, 0.25, 100]),
        # These name the right choice, or are no numbers.
        ({"correct": [0, 1, 2]}, [None] * 3),
        ({"correct": ["A", "B", 1]}, [None] * 3),
        ({"score": ["good", "bad", 1]}, [None] * 3),
        ({"correct": [0, 1, 1], "choices": [["a", "b"]] * 3}, [None] * 3),
        ({"correct": [0, 1, 1], "choices": [["a", "b"]] * 3, "answer": ["A", "B", "B"]}, [0, 1, 1]),
    ],
)
def test_scores_are_guessed(values, scores):
    rows = [{"question": "q", **{name: each[at] for name, each in values.items()}} for at in range(3)]
    assert [item.score for item in benchmark_of(rows).items] == scores


def test_a_score_that_was_named_must_be_a_number():
    rows = [{"question": "q", "acc": value} for value in (1, None, "wrong", float("nan"))]
    columns = BenchmarkColumns(score="acc")
    with pytest.raises(QueryError, match=r"line 3: \"acc\" is not a number"):
        benchmark_of(rows, columns=columns)
    left = benchmark_of(rows, columns=columns, on_bad="skip")
    assert [item.score for item in left.items] == [1, None] and len(left.problems) == 2


def test_rows_of_one_item_need_not_follow_each_other():
    key = {"eval_key": "e", "split": "test", "question": "q"}
    rows = [
        {**key, "eval_instance_index": n, "answer": f"a{n}{part}", "is_correct": part == n}
        for part in (0, 1)
        for n in (0, 1)
    ]
    found = benchmark_of(rows).items
    assert [(item.id, item.answer, item.choices) for item in found] == [
        ("e/test/0", "a00", ("a00", "a01")),
        ("e/test/1", "a11", ("a10", "a11")),
    ]
    assert found[0].records == (rows[0], rows[2])
