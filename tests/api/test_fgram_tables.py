"""Embeddings of f-grams: against plain means, after a kill, in every type, by a model, and from damaged files."""

from __future__ import annotations

import json
import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest
from tiny_onnx import last_token_model

from explorer import (
    Cancelled,
    CancelToken,
    CorpusError,
    ExportError,
    QueryError,
    TokenizerError,
    build_index,
    open_fgrams,
    open_index,
)
from explorer.analyses.fgrams.value_types import VALUE_NAMES
from explorer.cli.main import main
from explorer.export.fgrams import embeddings as fgram_embeddings

TEXT = "the dog sat on the rug and the cat saw it"
WIDTH = 6


@pytest.fixture(scope="module")
def corpus(small_index):
    return open_index(small_index)


@pytest.fixture(scope="module")
def written(corpus, tmp_path_factory):
    """A table, and embeddings of tokens."""
    home = tmp_path_factory.mktemp("written")
    corpus.fgrams(4, min_count=2).write_arrays(home / "table")
    rows = np.random.default_rng(1).normal(size=(corpus.index.separator, WIDTH)).astype(np.float32)
    np.save(home / "tokens.npy", rows)
    return home


@pytest.fixture
def home(written, tmp_path):
    shutil.copytree(written, tmp_path / "home")
    return tmp_path / "home"


def wanted(corpus, home, text=TEXT):
    """The mean of the tokens of the longest f-gram that ends at each token."""
    rows, ids = np.load(home / "tokens.npy"), corpus.encode(text)
    lengths = open_fgrams(home / "table").match(ids).lengths.tolist()
    assert max(lengths) > 2 and min(lengths) == 1
    return np.array([rows[ids[end - size : end]].mean(axis=0) for end, size in enumerate(lengths, 1)])


@pytest.mark.parametrize("values", VALUE_NAMES)
def test_a_text_gets_the_means_of_its_longest_matches(values, corpus, home):
    table = open_fgrams(home / "table", corpus)
    assert table.fill_with_tokens(home / "tokens.npy", value_type=values, batch=7) == 0
    close = {"float32": 1e-6, "float16": 1e-3, "bfloat16": 1e-2, "int8": 1e-2}[values]
    assert table.embed(TEXT, home / "tokens.npy") == pytest.approx(wanted(corpus, home), abs=3 * close)
    size = (home / "table" / "embeddings.npy").stat().st_size
    assert 0 < size - corpus.fgrams(4, min_count=2).embedding_bytes(WIDTH, values) <= 256
    assert not list((home / "table").glob("*partial*"))
    # Texts of one call are apart: none continues the one before.
    both = table.embed_many([TEXT, "", TEXT], home / "tokens.npy")
    assert [len(each) for each in both] == [len(corpus.encode(TEXT)), 0, len(corpus.encode(TEXT))]
    assert (both[0] == both[2]).all() and (both[0] == table.embed(corpus.encode(TEXT), home / "tokens.npy")).all()


def test_the_table_that_is_read_is_the_one_that_was_written(corpus, home):
    found, table = open_fgrams(home / "table", corpus), corpus.fgrams(4, min_count=2)
    assert (len(found), found.max_n, found.cutoff) == (len(table), 4, table.cutoff)
    assert found.fingerprint == corpus.index.fingerprint
    assert found.match(TEXT) == table.match(TEXT)


@pytest.mark.parametrize("kind", ["F32", "F16", "BF16"])
def test_matrices_of_safetensors(kind, corpus, home):
    rows = np.load(home / "tokens.npy")
    bits = {"F32": rows, "F16": rows.astype("<f2"), "BF16": (rows.view("<u4") >> 16).astype("<u2")}[kind].tobytes()
    # Another matrix, a vector, and what names the usual tensor.
    facts = {
        "__metadata__": {"format": "pt"},
        "model.norm.weight": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
        "model.layers.0.weight": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]},
        "model.embed_tokens.weight": {"dtype": kind, "shape": list(rows.shape), "data_offsets": [8, 8 + len(bits)]},
    }
    header = json.dumps(facts).encode()
    path = home / "model.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(8) + bits)
    table = open_fgrams(home / "table", corpus)
    table.fill_with_tokens(path, value_type="float32")
    assert table.embeddings.source == "mean of the rows of model.safetensors (model.embed_tokens.weight)"
    assert table.embed(TEXT, path) == pytest.approx(wanted(corpus, home), abs=2e-2)
    with pytest.raises(QueryError, match="no matrix lm_head"):
        table.embed(TEXT, path, "lm_head")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CorpusError, match="cut short"):
        open_fgrams(home / "table", corpus).embed(TEXT, path)


class Killed(BaseException):
    """What ends a program between two instructions."""


def test_what_was_killed_is_continued_and_never_looks_finished(corpus, home, monkeypatch):
    # Each batch is counted.
    monkeypatch.setattr(fgram_embeddings, "_BETWEEN_MARKS", 1)
    table, seen = open_fgrams(home / "table", corpus), []

    def third(progress):
        seen.append(progress.done)
        if len(seen) == 3:
            # Rows that were written and not counted, as a kill leaves them.
            with (home / "table" / "embeddings.partial.npy").open("ab") as file:
                file.write(b"half a row")
            monkeypatch.setattr(fgram_embeddings._Filling, "mark", lambda filling, file: None)
            raise Killed

    with pytest.raises(Killed):
        table.fill_with_tokens(home / "tokens.npy", batch=5, report=third)
    monkeypatch.undo()
    with pytest.raises(CorpusError, match="not finished"):
        table.embed(TEXT, home / "tokens.npy")
    with pytest.raises(ValueError):
        np.load(home / "table" / "embeddings.partial.npy")
    with pytest.raises(ExportError, match="begun with other settings"):
        table.fill_with_tokens(home / "tokens.npy", value_type="int8")
    assert table.fill_with_tokens(home / "tokens.npy", batch=9) == 15
    assert table.embed(TEXT, home / "tokens.npy") == pytest.approx(wanted(corpus, home), abs=3e-3)
    assert table.fill_with_tokens(home / "tokens.npy") == len(table)
    with pytest.raises(ExportError, match="exists already"):
        table.fill_with_tokens(home / "tokens.npy", value_type="int8")


def test_a_cancel_keeps_what_is_done(corpus, home):
    table, cancel = open_fgrams(home / "table", corpus), CancelToken()
    with pytest.raises(Cancelled):
        table.fill_with_tokens(home / "tokens.npy", batch=4, report=lambda _: cancel.cancel(), cancel=cancel)
    # Of a file that is shorter than its count, nothing is believed.
    kept = home / "table" / "embeddings.partial.npy"
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-1])
    again = CancelToken()
    with pytest.raises(Cancelled):
        table.fill_with_tokens(home / "tokens.npy", batch=4, report=lambda _: again.cancel(), cancel=again)
    assert kept.read_bytes() == whole
    assert table.fill_with_tokens(home / "tokens.npy") == 4


def test_a_table_without_fgrams_gives_each_token_its_own(home, corpus):
    corpus.fgrams(3, min_count=10**6).write_arrays(home / "empty")
    table = open_fgrams(home / "empty", corpus)
    assert (len(table), table.fill_with_tokens(home / "tokens.npy")) == (0, 0)
    assert (table.embed(TEXT, home / "tokens.npy") == np.load(home / "tokens.npy")[corpus.encode(TEXT)]).all()


def test_another_tokenizer_is_refused(home, corpus, tmp_path):
    with pytest.raises(TokenizerError, match="of another tokenizer than bytes"):
        open_fgrams(home / "table", "bytes")
    with pytest.raises(TokenizerError, match="without one"):
        open_fgrams(home / "table").match("the cat")
    build_index([{"text": "aaaa"}], tmp_path / "bytes", tokenizer="bytes")
    with open_index(tmp_path / "bytes") as other:
        other.fgrams(2, min_count=1).write_arrays(tmp_path / "of-bytes")
        with pytest.raises(TokenizerError, match="of another tokenizer"):
            open_fgrams(tmp_path / "of-bytes", corpus)
    assert open_fgrams(tmp_path / "of-bytes", "bytes").match("aaa").lengths.tolist() == [1, 2, 2]


@pytest.mark.parametrize("name", ["fgrams-3.npy", "counts-2.npy", "meta.json"])
def test_damaged_tables_are_refused(name, home):
    path = home / "table" / name
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    with pytest.raises(CorpusError, match="damaged or cut short"):
        open_fgrams(home / "table")
    path.unlink()
    with pytest.raises(CorpusError, match=f"{name} is missing"):
        open_fgrams(home / "table")


def test_unsorted_tables_and_others_beginnings_are_refused(home):
    path = home / "table" / "fgrams-3.npy"
    ids = np.load(path)
    for changed in (ids[::-1], np.concatenate([ids[:-1], ids[-1:] + 1])):
        np.save(path, changed)
        with pytest.raises(CorpusError, match="damaged or cut short"):
            open_fgrams(home / "table")


@pytest.mark.parametrize("text", ["[" * 100_000, "[]", '"a"', "{}", '{"kind": "another", "by_n": 3}', "\x00"])
def test_headers_of_another_kind_are_refused(text, home):
    length = len(text).to_bytes(8, "little")
    for data in (length + text.encode(), length, b"\xff" * 8 + text.encode()):
        (home / "odd.safetensors").write_bytes(data)
        with pytest.raises((CorpusError, QueryError)) as raised:
            open_fgrams(home / "table").fill_with_tokens(home / "odd.safetensors")
        assert raised.value.reason in ("not-a-matrix", "which-tensor")
    (home / "table" / "embeddings.partial.json").write_text(text)
    assert open_fgrams(home / "table").fill_with_tokens(home / "tokens.npy") == 0
    (home / "table" / "embeddings.json").write_text(text)
    with pytest.raises(CorpusError, match="damaged, cut short"):
        open_fgrams(home / "table").embed([1], home / "tokens.npy")
    (home / "table" / "meta.json").write_text(text)
    with pytest.raises(CorpusError, match="damaged or cut short"):
        open_fgrams(home / "table")


def test_damaged_embeddings_are_refused(home, corpus):
    open_fgrams(home / "table").fill_with_tokens(home / "tokens.npy")
    path = home / "table" / "embeddings.npy"
    whole = path.read_bytes()
    for damaged in (whole[:-1], whole[:40], b""):
        path.write_bytes(damaged)
        with pytest.raises(CorpusError, match="damaged, cut short"):
            open_fgrams(home / "table", corpus).embed(TEXT, home / "tokens.npy")
    np.save(path, np.zeros((3, WIDTH), dtype=np.float16))
    with pytest.raises(CorpusError, match="does not belong"):
        open_fgrams(home / "table", corpus).embed(TEXT, home / "tokens.npy")


def test_matrices_that_do_not_fit_are_refused(home, corpus):
    table = open_fgrams(home / "table", corpus)
    np.save(home / "short.npy", np.zeros((9, WIDTH)))
    with pytest.raises(QueryError, match="has 9 rows, and token"):
        table.fill_with_tokens(home / "short.npy")
    for wrong in (np.zeros(3), np.zeros((3, 2), dtype=int), np.array([{}])):
        np.save(home / "wrong.npy", wrong)
        with pytest.raises(CorpusError, match="not a matrix"):
            table.fill_with_tokens(home / "wrong.npy")
    table.fill_with_tokens(home / "tokens.npy")
    with pytest.raises(QueryError, match="has 9 rows, and token"):
        table.embed(TEXT, home / "short.npy")
    np.save(home / "narrow.npy", np.zeros((999, 2)))
    with pytest.raises(QueryError, match="2 values per token, and the table of f-grams 6"):
        table.embed(TEXT, home / "narrow.npy")
    with pytest.raises(CorpusError, match="cannot be read"):
        table.embed(TEXT, home / "none.npy")
    for ids in ([[1]], [-1], [0.5]):
        with pytest.raises(QueryError, match="Token ids"):
            table.match(ids)


@pytest.mark.nightly
def test_a_model_in_onnx(home, corpus):
    pytest.importorskip("onnxruntime", reason="make test-all installs onnxruntime")
    rows = np.load(home / "tokens.npy")
    (home / "tiny.onnx").write_bytes(last_token_model(rows))
    table = open_fgrams(home / "table", corpus)
    table.fill_with_model(home / "tiny.onnx", value_type="float32", batch=3)
    ids = corpus.encode(TEXT)
    alone = table.match(TEXT).lengths == 1
    # Of an f-gram, half the row of its last token.
    made = rows[ids] * np.where(alone, 1, 0.5)[:, None]
    assert table.embed(TEXT, home / "tokens.npy") == pytest.approx(made)
    assert table.embeddings.source == "model tiny.onnx"


def test_the_script_of_the_docs_embeds_a_sentence(home, corpus):
    table = open_fgrams(home / "table", corpus)
    table.fill_with_tokens(home / "tokens.npy", value_type="float32")
    path = Path(__file__).resolve().parents[2] / "docs" / "examples" / "embed_with_fgrams.py"
    assert sum(bool(line.strip()) for line in path.read_text(encoding="utf-8").splitlines()) <= 20
    ids = corpus.encode(TEXT).tolist()
    found = runpy.run_path(str(path))["embed"](home / "table", np.load(home / "tokens.npy"), ids)
    assert found == pytest.approx(table.embed(TEXT, home / "tokens.npy"))


@pytest.mark.nightly
def test_the_example_trains_both_models(tmp_path, capsys, monkeypatch):
    pytest.importorskip("torch", reason="pip install torch: it is none of the program's requirements")
    path = Path(__file__).resolve().parents[2] / "docs" / "examples" / "train_with_fgrams.py"
    (tmp_path / "text.txt").write_text("the cat sat on the mat\nthe dog sat on the rug\n" * 60)
    asked = [str(path), str(tmp_path / "text.txt"), "--steps", "2", "--vocabulary", "300", "--width", "8"]
    monkeypatch.setattr("sys.argv", asked)
    runpy.run_path(str(path), run_name="__main__")
    _, without, beside = capsys.readouterr().out.splitlines()
    # An f-gram is embedded as its last token at first, so both have learned about as much.
    found = [float(line.split("perplexity ")[1].split(",")[0]) for line in (without, beside)]
    assert found[0] == pytest.approx(found[1], rel=0.2) and 1 < found[0] < 300
    more = [int(line.split("used, ")[1].split(" more")[0].replace(",", "")) for line in (without, beside)]
    assert more[0] == 0 < more[1]


@pytest.mark.nightly
def test_what_is_no_model_is_refused(home, corpus):
    pytest.importorskip("onnxruntime", reason="make test-all installs onnxruntime")
    (home / "broken.onnx").write_bytes(last_token_model(np.zeros((4, 2)))[:-20])
    (home / "small.onnx").write_bytes(last_token_model(np.zeros((4, 2))))
    for name in ("broken.onnx", "small.onnx", "none.onnx"):
        with pytest.raises(CorpusError, match=f"{name} cannot embed f-grams: [^\n]+$"):
            open_fgrams(home / "table").fill_with_model(home / name)


def test_a_database_has_every_row(home, corpus):
    lmdb = pytest.importorskip("lmdb", reason="make test installs lmdb")
    table = open_fgrams(home / "table", corpus)
    with pytest.raises(CorpusError, match="no embeddings"):
        table.write_lmdb(home / "base")
    table.fill_with_tokens(home / "tokens.npy", value_type="int8")
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        table.write_lmdb(home / "base", cancel=cancel)
    assert not list(home.glob("base*"))
    table.write_lmdb(home / "base")
    rows, found = np.load(home / "table" / "embeddings.npy"), corpus.fgrams(4, min_count=2)
    with lmdb.open(str(home / "base"), readonly=True, lock=False) as base, base.begin() as reading:
        ids = [row for n in (2, 3, 4) for row in found.ids(n)]
        assert base.stat()["entries"] == len(ids) == len(rows)
        assert [reading.get(row.astype(">u4").tobytes()) for row in ids] == [row.tobytes() for row in rows]
    with pytest.raises(ExportError, match="exists already"):
        table.write_lmdb(home / "base")


def test_without_lmdb_the_extra_is_named(home, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "lmdb", None)
    table = open_fgrams(home / "table")
    table.fill_with_tokens(home / "tokens.npy")
    with pytest.raises(QueryError, match=r"pip install .*\[lmdb\]"):
        table.write_lmdb(home / "base")


def test_without_the_runtime_the_extra_is_named(home, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    with pytest.raises(QueryError, match=r"pip install .*\[onnx\]"):
        open_fgrams(home / "table").fill_with_model(home / "tokens.npy")


def test_the_command(home, capsys):
    asked = ["embed-fgrams", str(home / "table"), "--tokens", str(home / "tokens.npy"), "--value-type", "int8"]
    assert main(["embed-fgrams", str(home / "table")]) == 2
    assert "--tokens or --model" in capsys.readouterr().err
    assert main([*asked, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["results"]
    rows = len(open_fgrams(home / "table"))
    assert (found["rows"], found["resumed"], found["dimension"], found["table_bytes"]) == (rows, 0, WIDTH, rows * 10)
    assert main(asked) == 0
    assert f"{rows:,} of them had been there already" in capsys.readouterr().out
    assert main([*asked, "--value-type", "float16"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["embed-fgrams", str(home / "table"), "--model", "a.onnx", "--tensor", "b"]) == 2
    assert "--tensor needs --tokens" in capsys.readouterr().err
