"""Variables that name an index and a tokenizer, and tokenizers that are remembered."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path

import pytest

from explorer import open_index
from explorer.cli.main import main
from explorer.errors import TokenizerError

INDEX, TOKENIZER = "CORPUS_EXPLORER_INDEX", "CORPUS_EXPLORER_TOKENIZER"


@pytest.fixture
def bare(small_index, tmp_path, monkeypatch):
    """An index without a tokenizer, as another program makes it; a folder of data and one to work in of its own."""
    folder = tmp_path / "bare"
    shutil.copytree(small_index, folder)
    (folder / "index.json").unlink()
    shutil.move(folder / "tokenizer.json", tmp_path / "t.json")
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def run(capsys):
    """run(argument …): exit code, output and remarks."""

    def command(*arguments):
        code = main(list(map(str, arguments)))
        return code, *capsys.readouterr()

    return command


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (["count", "the cat"], ["count", "{}", "the cat"]),
        (["count", "the cat", "dog"], ["count", "{}", "the cat", "dog"]),
        (["count", "{}", "the cat"], ["count", "{}", "the cat"]),
        (["count", "--queries", "q.txt"], ["count", "{}", "--queries", "q.txt"]),
        (["count", "--", "-x"], ["count", "{}", "--", "-x"]),
        (["kwic", "dog", "--limit", "2"], ["kwic", "{}", "dog", "--limit", "2"]),
        (["next", "the"], ["next", "{}", "the"]),
        (["trace", "said.txt"], ["trace", "{}", "said.txt"]),
        (["agree", "said.txt", "more.txt"], ["agree", "{}", "said.txt", "more.txt"]),
        (["info"], ["info", "{}"]),
        (["verify"], ["verify", "{}"]),
    ],
)
def test_an_index_from_the_environment(words, same, small_index, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    for name in ("q.txt", "said.txt", "more.txt"):
        (tmp_path / name).write_text("the cat sat on the mat")
    words, same = ([word.format(small_index) for word in line] for line in (words, same))
    plain = run(*same)
    monkeypatch.setenv(INDEX, str(small_index))
    code, out, err = run(*words)
    assert (code, out) == plain[:2] and code == 0 and out
    # The choice is visible, unless an index was given.
    assert (f"# index {small_index}, from {INDEX}" in err) == (str(small_index) not in words)


def test_a_given_index_wins(small_index, byte_index, monkeypatch, run):
    monkeypatch.setenv(INDEX, "/nowhere")
    assert run("count", small_index, "cat")[0] == 0
    # Two arguments of `kwic` are an index and a query, whatever the first looks like.
    assert "mat" in run("kwic", "mat", "cat")[2]
    assert run("info", "--index", byte_index)[1] == run("info", byte_index)[1]
    code, out, err = run("count", "cat")
    assert (code, out) == (2, "") and "/nowhere" in err
    # An empty variable is as none.
    monkeypatch.setenv(INDEX, "")
    assert run("info") == (2, "", run("info")[2]) and "INDEX" in run("info")[2]


def test_what_changes_an_index_needs_its_name(small_index, monkeypatch, run):
    monkeypatch.setenv(INDEX, str(small_index))
    for words in (["add", "a.txt"], ["set-tokenizer"], ["merge", "--out", "x"]):
        assert run(*words)[0] == 2


def test_precedence_of_tokenizers(bare, monkeypatch, run):
    # Neither: what needs the text is refused with the remedy, the rest works.
    code, _, err = run("count", bare, "cat")
    assert code == 2 and "set-tokenizer INDEX FILE" in err
    assert run("info", bare)[0] == 0
    count = run("count", bare, "cat", "--tokenizer", "t.json")[1]
    assert run("set-tokenizer", bare, "t.json") == (0, f"{bare}: {Path('t.json').absolute()}\n", "")
    assert run("count", bare, "cat") == (0, count, "")
    monkeypatch.setenv(TOKENIZER, "gone.json")
    code, out, err = run("count", bare, "cat")
    assert (code, out) == (2, "") and "gone.json" in err and f"from {TOKENIZER}" in err
    assert run("count", bare, "cat", "--tokenizer", "t.json") == (0, count, "")


def test_the_variable_is_for_indexes_without_a_tokenizer(bare, small_index, byte_index, monkeypatch, run):
    monkeypatch.setenv(TOKENIZER, "t.json")
    assert run("count", bare, "cat")[0] == 0
    assert run("verify", bare)[0] == 0
    monkeypatch.setenv(TOKENIZER, "gone.json")
    assert [run("count", folder, "cat")[0] for folder in (small_index, byte_index)] == [0, 0]


def test_a_remembered_tokenizer(bare, tmp_path, run):
    before = {path: path.stat().st_mtime_ns for path in bare.iterdir()}
    assert run("set-tokenizer", bare, "t.json")[0] == 0
    # Nothing is written into the index, and the library finds it as well, also in another process.
    assert {path: path.stat().st_mtime_ns for path in bare.iterdir()} == before
    corpus = open_index(bare)
    assert pickle.loads(pickle.dumps(corpus)).count("cat") == corpus.count("cat") > 0
    # It belongs to the contents, not to the place.
    moved = bare.rename(tmp_path / "moved")
    record = json.loads(run("set-tokenizer", moved, "--format", "jsonl")[1])
    assert (record["path"], record["tokenizer"]) == (str(moved), str(tmp_path / "t.json"))
    assert run("set-tokenizer", moved, "--forget")[1] == f"{moved}: none\n"
    assert "no tokenizer was remembered" in run("set-tokenizer", moved, "--forget")[2]
    assert not open_index(moved).index.has_tokenizer


@pytest.mark.parametrize("damage", ["gone", "changed", "note"])
def test_a_remembered_tokenizer_that_cannot_be_used(damage, bare, tmp_path, run):
    run("set-tokenizer", bare, "t.json")
    if damage == "gone":
        (tmp_path / "t.json").unlink()
    elif damage == "changed":
        (tmp_path / "t.json").write_text((tmp_path / "t.json").read_text() + "\n")
    else:
        (note,) = (tmp_path / "data" / "tokenizers").iterdir()
        note.write_text('{"path": 1')
    code, out, err = run("count", bare, "cat")
    assert (code, out) == (2, "") and "remember" in err and "--forget" in err
    assert run("info", bare)[0] == 0
    with pytest.raises(TokenizerError, match="remembered"):
        open_index(bare).count("cat")
    assert run("set-tokenizer", bare, "--forget")[0] == 0
    assert "No tokenizer is known" in run("count", bare, "cat")[2]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["{small}", "t.json"], "has its own tokenizer"),
        (["{bare}", "none.json"], "cannot be read"),
        (["{bare}", "bytes"], "does not fit"),
        (["{bare}", "t.json", "--forget"], "cannot be used with --forget"),
        (["{bare}", "--no-fit-check"], "needs FILE"),
        (["none", "t.json"], "none"),
    ],
)
def test_refused(words, sentence, bare, small_index, run):
    code, out, err = run("set-tokenizer", *(word.format(bare=bare, small=small_index) for word in words))
    assert (code, out) == (2, "") and sentence in err and err.count("\n") == 1
    assert not open_index(bare).index.has_tokenizer


def test_a_sample_that_has_no_place_names_the_variable(tmp_path, monkeypatch, run):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "file"))
    code, out, said = run("demo", "--no-window")
    assert (code, out) == (2, "") and "Set CORPUS_EXPLORER_DATA to a folder of yours." in said
    assert f"The sample index cannot be made in {tmp_path / 'file'}: " in said
