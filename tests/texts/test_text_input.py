"""One reader for files, standard input and streams: the same content gives the same texts."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from explorer.core.files.text_field import look_up, parse_path, take_text
from explorer.documents.inputs.text_input import open_input
from explorer.errors import QueryError, SourceError

SAMPLE = {
    "doc_id": 3,
    "doc": {"question": "What is 6 times 7?", "text": "not this"},
    "target": "42",
    "arguments": {"gen_args_0": {"arg_0": "Q: What is 6 times 7?\nA:", "arg_1": {"until": ["\n"]}}},
    "resps": [["It is 41.", "It is 42."]],
    "filtered_resps": ["41"],
}
CHAT = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello?"},
        {"role": "assistant", "content": "Hi."},
        {"role": "user", "content": [{"type": "text", "text": "And now?"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Bye."}]},
    ]
}


def lines(*records: object) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def parquet(*records: dict) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(records)), out)
    return out.getvalue()


ROWS = [{"text": "one", "model": "m"}, {"text": "two é", "model": "n"}]
CONTENTS = {
    "jsonl": lines(*ROWS),
    "json": json.dumps(ROWS, indent=2).encode(),
    "text": b"plain text\n{not json}\n",
    "parquet": parquet(*ROWS),
    "lm-eval": lines(SAMPLE),
    "chat": lines(CHAT),
}
PACKERS = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


class Pipe(io.RawIOBase):
    """Bytes that come a few at a time, as from a pipe."""

    def __init__(self, data: bytes, step: int) -> None:
        self._data = io.BytesIO(data)
        self._step = step

    def readable(self) -> bool:
        return True

    def readinto(self, buffer):
        data = self._data.read(min(self._step, len(buffer)))
        buffer[: len(data)] = data
        return len(data)


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("kind", CONTENTS)
def test_a_file_and_standard_input_of_the_same_content_give_the_same(kind, packing, tmp_path, monkeypatch):
    data = PACKERS[packing](CONTENTS[kind])
    path = tmp_path / f"input{packing}"  # the name tells nothing of the content
    path.write_bytes(data)
    from_file = open_input(path)
    found = [(text.line, text.text, text.prompt, text.path, text.problem) for text in from_file.texts]
    assert from_file.format == kind
    assert all(not problem for *_, problem in found) and found
    for step in (1, 3, 7, 100_000):
        stdin = io.TextIOWrapper(io.BufferedReader(Pipe(data, step)))
        monkeypatch.setattr(sys, "stdin", stdin)
        read = open_input("-")
        assert (read.format, read.text_field, read.notes) == (kind, from_file.text_field, from_file.notes)
        assert [(text.line, text.text, text.prompt, text.path, text.problem) for text in read.texts] == found
        assert not stdin.closed


def test_the_response_of_a_sample_log_is_read_and_never_the_expected_answer(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_bytes(lines(SAMPLE, {**SAMPLE, "resps": [[[-1.5, False]]]}))
    opened = open_input(path)
    assert opened.notes == ('text from "resps[0][0]" (lm-evaluation-harness samples)',)
    first, second, third = opened.texts
    assert (first.text, first.path) == ("It is 41.", "resps[0][0]")
    assert (second.text, second.path) == ("It is 42.", "resps[0][1]")
    assert first.prompt == "Q: What is 6 times 7?\nA:"
    assert third.line == 2 and not third.text and "resps" in third.problem


def test_each_turn_of_the_model_is_a_text_with_what_came_before(tmp_path):
    path = tmp_path / "chat.json"
    for content in (lines(CHAT), json.dumps(CHAT, indent=1).encode(), json.dumps(CHAT["messages"]).encode()):
        path.write_bytes(content)
        opened = open_input(path)
        assert opened.format == "chat"
        found = [(text.text, text.prompt, text.path) for text in opened.texts]
        assert found == [
            ("Hi.", "Be brief.\n\nHello?", "messages[2].content"),
            ("Bye.", "And now?", "messages[4].content"),
        ]
    shared = {"conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]}
    path.write_bytes(lines(shared, {"messages": []}, {"messages": [{"role": "user", "content": "x"}]}))
    good, empty, unanswered = open_input(path, "chat").texts
    assert (good.text, good.prompt) == ("b", "a")
    assert empty.problem and "assistant" in unanswered.problem


def test_a_field_that_is_not_known_is_not_guessed(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines({"target": "gold", "doc": {"question": "why"}, "choices": [{"message": {"content": "c"}}]}))
    with pytest.raises(QueryError, match=r"target, doc, choices, doc\.question, choices\[0\]\.message\.content"):
        open_input(path)
    opened = open_input(path, text_field="choices[0].message.content", prompt_field="doc.question")
    assert [(text.text, text.prompt) for text in opened.texts] == [("c", "why")]
    assert opened.notes == ('text from "choices[0].message.content"', 'prompt from "doc.question"')


def test_what_was_chosen_among_several_is_told(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines({"answer": "gold", "output": "said", "question": "?"}))
    opened = open_input(path)
    assert opened.notes == ('text from "output" (also present: answer)', 'prompt from "question"')


def test_a_bad_line_is_a_problem_and_the_others_are_read(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{broken\n\n[1]\n{"text": 5}\n{"text": "good"}\n{"other": "x"}\n')
    assert open_input(path).notes == ('text from "text"',)
    found = list(open_input(path).texts)
    named = list(open_input(path, text_field="text").texts)
    assert [(text.line, text.text, text.problem) for text in found] == [
        (text.line, text.text, text.problem) for text in named
    ]
    assert [(text.line, text.text) for text in found] == [(1, ""), (3, ""), (4, ""), (5, "good"), (6, "")]
    assert ["not JSON" in found[0].problem, found[1].problem] == [True, "this is not a JSON object"]
    assert "holds no text" in found[2].problem and "(fields: other)" in found[4].problem


@pytest.mark.parametrize("ending", [".gz", ".zst", ".bz2", ".xz"])
def test_an_archive_of_no_bytes_is_cut(ending, tmp_path):
    (tmp_path / f"x.txt{ending}").touch()
    with pytest.raises(SourceError, match="is cut short"):
        open_input(tmp_path / f"x.txt{ending}")


def test_an_empty_input_is_an_empty_text(tmp_path):
    path = tmp_path / "empty"
    path.write_bytes(b"")
    assert [text.text for text in open_input(path).texts] == [""]
    assert list(open_input(path, "jsonl").texts) == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_other_encodings_are_read_by_their_look(encoding, tmp_path):
    text = "Äpfel und Birnen: naïve café\nzweite Zeile\n"
    (tmp_path / "a.txt").write_bytes(text.encode(encoding))
    (tmp_path / "b").write_bytes("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode(encoding))
    opened = open_input(tmp_path / "a.txt")
    assert [found.text for found in opened.texts] == [text]
    assert opened.notes == (
        () if encoding == "utf-8-sig" else (f"read as {'utf-16-be' if 'be' in encoding else 'utf-16-le'}",)
    )
    assert [found.text for found in open_input(tmp_path / "b").texts] == ["one", "two é"]


def test_latin_text_is_read_and_said_and_binary_data_refused(tmp_path):
    path = tmp_path / "x"
    path.write_bytes("Grüße aus Köln – „schön“\n".encode("cp1252"))
    opened = open_input(path)
    assert opened.notes == ("read as windows-1252",)
    assert [text.text for text in opened.texts] == ["Grüße aus Köln – „schön“\n"]
    path.write_bytes(b"\x7fELF\x02\x01\x01\0\0\0" + bytes(range(256)))
    with pytest.raises(SourceError, match=r"x is not text: this is a program; it contains no text"):
        open_input(path)
    with pytest.raises(SourceError, match=r"gone cannot be read: No such file"):
        open_input(tmp_path / "gone")


@pytest.mark.parametrize("ending", [".gz", ".zst", ".bz2", ".xz"])
def test_a_cut_archive_is_an_error_after_what_was_before_the_cut(ending, tmp_path):
    path = tmp_path / f"x.jsonl{ending}"
    rows = [{"text": f"row {number} {number * 2_654_435_761 % 2**32:x}"} for number in range(20_000)]
    data = PACKERS[ending](lines(*rows))
    path.write_bytes(data[: len(data) * 3 // 4])
    read = []
    with pytest.raises(SourceError, match=r"is cut short: its \w+ data ends early"):
        read.extend(_text(found) for found in open_input(path).texts)
    assert read == [row["text"] for row in rows[: len(read)]]
    # bzip2 hands out blocks of 900 kB, the others little by little.
    assert ending == ".bz2" or len(read) > 5_000


def _text(found):
    assert not found.problem
    return found.text


def test_paths_into_records():
    record = {"a": {"b": [["x", "y"], "z"]}, "a.b": "whole", "c[0]": "name", "odd": [], "n": None}
    assert parse_path("a.b[0][-1]") == ("a", "b", 0, -1)
    assert look_up(record, "a.b") == "whole"
    assert look_up(record, "c[0]") == "name"
    assert look_up(record, "a.b[0][1]") == "y" and look_up(record, "a.b[1]") == "z"
    for wrong in ("a.b[2]", "a.b[0].x", "odd[0]", "n.x", "[0]", "a..b", "", "a.b[0", "a.b[x]"):
        with pytest.raises(ValueError, match=r"is missing"):
            take_text(record, wrong)
    assert take_text(record, "a.b[0][1]") == "y"
    assert record["a"] == {"b": [["x"], "z"]}


def test_csv_is_read_by_its_ending_and_unknown_formats_refused(tmp_path):
    (tmp_path / "x.csv").write_text('id,text,note\n1,"a, quoted\ntext",\n2,b,n\n', encoding="utf-8")
    opened = open_input(tmp_path / "x.csv")
    assert opened.format == "csv"
    assert [(t.line, t.text, t.fields) for t in opened.texts] == [
        (2, "a, quoted\ntext", {"id": 1, "text": "a, quoted\ntext", "note": ""}),
        (4, "b", {"id": 2, "text": "b", "note": "n"}),
    ]
    with pytest.raises(QueryError, match="not an input format"):
        open_input(tmp_path / "x.csv", "nothing")
