"""The file of a server's answers: what was written stays, and is continued."""

from __future__ import annotations

import pytest
from model_server import ModelServer, tokenize

from explorer.errors import SourceError
from explorer.export.destination import ExportError
from explorer.export.scored_file import save_scores
from explorer.neural.address import ServerError
from explorer.neural.asking import ask_model
from explorer.neural.records import line_of, read_scored
from explorer.neural.servers import open_server

TEXTS = ["the cat sat on the mat", "a dog, 𝛿ö", "", "lord"]


@pytest.fixture
def whole():
    with ModelServer() as server:
        return tuple(ask_model(server.url, TEXTS, top=2))


def save(path, manner="", after=0, **options):
    with ModelServer(manner=manner, after=after) as server, open_server(server.url) as found:
        save_scores(found, TEXTS, path, top=2, **options)
        return server.completions


def test_a_file_is_written_and_read_back(tmp_path, whole):
    save(tmp_path / "out.jsonl")
    assert read_scored(tmp_path / "out.jsonl") == whole
    with pytest.raises(ExportError, match="exists already"):
        save(tmp_path / "out.jsonl")


@pytest.mark.parametrize("after", [4, 8, 12])
def test_a_file_is_continued_where_the_server_went(tmp_path, whole, after):
    path = tmp_path / "out.jsonl"
    with pytest.raises(ServerError):
        save(path, "goes", after)
    before = read_scored(path)
    assert 0 < sum(len(text.tokens) for text in before) < sum(len(text.tokens) for text in whole)
    asked = save(path, resume=True)
    assert path.read_text() == "".join(line_of(text) + "\n" for text in whole)
    # Two requests check the server; the first tokens of texts need none.
    left = sum(len(tokenize(text)) for text in TEXTS) - sum(len(text.tokens) for text in before)
    assert left - len(TEXTS) <= asked - 2 <= left


def test_a_line_that_was_cut_is_written_again(tmp_path, whole):
    path = tmp_path / "out.jsonl"
    save(path)
    data = path.read_bytes()
    path.write_bytes(data[:-10])
    save(path, resume=True)
    assert path.read_bytes() == data
    path.write_bytes(data[: data.index(b"\n") // 2])
    save(path, resume=True)
    assert path.read_bytes() == data


def test_long_texts_are_kept_before_they_are_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("explorer.neural.asking._KEPT_EVERY", 3)
    path, seen = tmp_path / "out.jsonl", []
    with ModelServer() as server, open_server(server.url) as found:
        save_scores(found, TEXTS[:1], path, report=lambda _: seen.append(path.read_bytes().count(b'"start"')))
    assert seen == [0, 0, 3, 3, 3, 6]
    assert read_scored(path)[0].tokens[-1].end == len(TEXTS[0])


def test_a_file_of_something_else_is_refused_and_stays(tmp_path):
    path = tmp_path / "out.jsonl"
    for data, error in (
        ('{"a": 1}\n', SourceError),
        ('{"text": "other", "model": "toy.gguf", "tokens": []}\n', ServerError),
    ):
        path.write_text(data)
        with pytest.raises(error):
            save(path, resume=True)
        assert path.read_text() == data
    with pytest.raises(ExportError, match="cannot be written"):
        save(tmp_path / "none" / "out.jsonl")
