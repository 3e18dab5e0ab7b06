"""What the methods of a corpus return: values that are also tables, and show themselves in a notebook."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from explorer import build_index, compare_texts, estimate_build, open_index
from explorer.analyses.next_tokens.counts import next_tokens
from explorer.analyses.search import arrange
from explorer.analyses.trace.settings import TraceSettings
from explorer.core.jobs import CancelToken
from explorer.corpus import Corpus
from explorer.corpus.results import Agreement, Concordance, NextTokens, Trace
from explorer.errors import Cancelled, CorpusError, QueryError, TokenizerError

TEXTS = ("the cat sat on the mat", "the cat sat on the rug", "a dog sat on the mat", "<b>é</b> &")


def notebook(result: object) -> str:
    """What a notebook shows."""
    return result._repr_html_()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("results")
    lines = "".join(json.dumps({"text": text, "year": 1990 + n}) + "\n" for n, text in enumerate(TEXTS))
    (made / "texts.jsonl").write_text(lines, encoding="utf-8")
    build_index(made / "texts.jsonl", made / "index", tokenizer="bytes", name="Cats")
    return made / "index"


@pytest.fixture(scope="module")
def corpus(folder) -> Corpus:
    return open_index(folder)


@pytest.fixture(scope="module")
def many(tmp_path_factory) -> Corpus:
    """One document with 1,200 hits."""
    return built(tmp_path_factory.mktemp("many"), [{"text": "x " * 1_200}])


@pytest.fixture(scope="module")
def mixed(tmp_path_factory) -> Corpus:
    """Fields with numbers, texts and nothing."""
    rows = [
        {"text": "it sat first", "year": 1990, "share": 1, "kind": 1, "match": "ours", "seen": True},
        {"text": "it sat", "share": 0.5, "kind": "one"},
        {"text": "it sat", "year": 1991, "kind": True, "seen": False},
    ]
    return built(tmp_path_factory.mktemp("mixed"), rows)


def built(folder: Path, rows: list[dict[str, object]]) -> Corpus:
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    build_index(folder / "a.jsonl", folder / "index", tokenizer="bytes")
    return open_index(folder / "index")


class TestNextTokens:
    @pytest.mark.one_index
    def test_texts_and_ends(self, corpus):
        found = corpus.next_tokens("t")
        assert isinstance(found, NextTokens)
        rows = dict(zip(found.texts, found.counts.tolist(), strict=True))
        assert rows == {" ": 5, "h": 5, "": 2}
        assert [text == "" for text in found.texts] == found.end_of_document.tolist()
        assert len(found) == 3
        assert found.total == 12

    def test_text_or_ids(self, corpus):
        assert corpus.next_tokens("the ") == corpus.next_tokens(list(b"the "))
        assert corpus.infgram_next_tokens("zz the ") == corpus.infgram_next_tokens(list(b"zz the "))

    def test_the_value_of_the_seam_has_the_same_figures(self, corpus):
        inner, found = next_tokens(corpus.index, list(b"the "), None), corpus.next_tokens("the ")
        assert found.tokens.tolist() == inner.tokens.tolist()
        assert found.probabilities.tolist() == inner.probabilities.tolist()

    @pytest.mark.one_index
    def test_top_keeps_the_shares(self, corpus):
        found = corpus.next_tokens("t")
        best = found.top(1)
        assert isinstance(best, NextTokens)
        assert len(best) == 1
        assert best.probabilities.tolist() == found.probabilities[:1].tolist() == [5 / 12]
        assert found.top(100) == found
        assert best.top(0).texts == ()
        with pytest.raises(QueryError, match="k"):
            found.top(-1)

    @pytest.mark.one_index
    def test_table(self, corpus):
        table = corpus.next_tokens("t").to_arrow()
        assert table.schema.field("text") == pa.field("text", pa.string())
        assert table.slice(2).to_pylist() == [
            {"rank": 2, "token": 255, "text": "", "count": 2, "probability": 2 / 12, "end_of_document": True}
        ]

    def test_a_part_of_a_character(self, corpus):
        assert corpus.next_tokens(">").texts == (" ", "\ufffd")

    def test_what_it_was_computed_from(self, corpus, tmp_path):
        corpus.next_tokens("sat", limit=1).write(tmp_path / "next.csv")
        about = json.loads((tmp_path / "next.csv.about.json").read_text(encoding="utf-8"))
        assert (about["index"], about["context"], about["context length"]) == ("Cats", "sat", "3")

    def test_in_a_notebook(self, corpus):
        found = corpus.next_tokens("")
        assert "\n" not in repr(found)
        shown = notebook(found)
        assert shown.count("<tr>") == 16
        assert f"{len(found) - 15} more" in shown
        assert "<td" in notebook(corpus.next_tokens("\u00e9"))
        assert "&lt;" in notebook(corpus.next_tokens("é"))

    def test_an_estimate_is_marked(self, corpus):
        found = corpus.next_tokens("t", limit=3)
        assert not found.exact
        assert repr(found).endswith(f"which occurs {found.context_count} times, in a sample of {found.sample_size})")
        assert "≈" in notebook(found)
        assert "≈" not in notebook(corpus.next_tokens("t"))

    def test_pickles_answer(self, corpus):
        found = pickle.loads(pickle.dumps(corpus.next_tokens("t")))
        assert found == corpus.next_tokens("t")
        assert found.texts == corpus.next_tokens("t").texts
        assert not found.counts.flags.writeable

    def test_without_a_corpus(self):
        with pytest.raises(CorpusError, match="not made by a corpus"):
            _ = NextTokens(np.array([1]), np.array([1]), 1, 0).texts


class TestAgreement:
    def test_texts_are_the_text(self, corpus):
        text = "the cat é sat"
        found = corpus.agreement(text)
        assert isinstance(found, Agreement)
        assert "".join(found.texts) == text
        assert len(found.texts) == len(found) == len(found.tokens) == 14

    def test_the_first_tokens_are_context(self, corpus):
        found = corpus.agreement("the cat sat", first=4)
        assert (found.first, "".join(found.texts)) == (4, "cat sat")
        whole = corpus.agreement("the cat sat")
        assert whole.after(4) == found
        assert whole.after(2).after(2).texts == found.texts

    def test_table(self, corpus):
        found = corpus.agreement("the cat", first=5)
        table = found.to_arrow().to_pydict()
        assert table["position"] == [5, 6]
        assert table["text"] == ["a", "t"]
        assert table["agrees"] == found.agrees.tolist()
        assert table["probability"] == found.probabilities.tolist()

    def test_no_tokens(self, corpus):
        found = corpus.agreement("")
        assert found.to_arrow().num_rows == 0
        assert (repr(found), found.texts) == ("Agreement(0 tokens)", ())

    def test_in_a_notebook(self, corpus):
        found = corpus.agreement("<b> the cat sat on the mat")
        assert "\n" not in repr(found)
        shown = notebook(found)
        assert "&lt;" in shown
        assert "<b>" not in shown
        assert "<mark" in shown

    def test_pickles_answer(self, corpus):
        found = pickle.loads(pickle.dumps(corpus.agreement("the cat", first=2)))
        assert found == corpus.agreement("the cat", first=2)
        assert found.texts == ("e", " ", "c", "a", "t")


def test_an_index_without_tokenizer(tmp_path_factory):
    made = tmp_path_factory.mktemp("bare")
    (made / "a.txt").write_text("the cat sat on the mat", encoding="utf-8")
    build_index(made / "a.txt", made / "index", tokenizer="train:300")
    for name in ("tokenizer.json", "index.json"):
        (made / "index" / name).unlink()
    corpus = open_index(made / "index")
    found = corpus.next_tokens([])
    assert set(found.to_arrow()["text"].to_pylist()) == {None}
    assert "<table>" in notebook(found)
    assert corpus.agreement(found.tokens[:2]).to_arrow()["text"].to_pylist() == [None, None]
    with pytest.raises(TokenizerError, match="No tokenizer"):
        _ = found.texts
    with pytest.raises(TokenizerError):
        corpus.next_tokens("the")


class TestConcordance:
    def test_it_is_a_sequence(self, corpus):
        lines = corpus.concordance("sat", sort="document")
        assert isinstance(lines, Concordance)
        every = list(lines)
        assert [line.document for line in every] == [0, 1, 2]
        assert lines[0] == every[0]
        assert lines[-1] == every[2]
        assert lines[1:] == every[1:]
        assert lines[::-2] == every[::-2]
        assert lines[5:9] == []
        with pytest.raises(IndexError):
            lines[3]

    def test_iteration_reads_pages(self, many):
        lines = many.concordance("x", sort="index")
        assert len(lines) == 1_200
        assert [line.number for line in lines] == list(range(1_200))

    def test_table(self, corpus):
        found = corpus.concordance("sat", sort="document").to_arrow(width=3)
        assert found.column_names[:9] == [
            "number", "document", "offset", "length", "start", "end", "left", "match", "right",
        ]  # fmt: skip
        first = found.slice(0, 1).to_pylist()[0]
        assert (first["number"], first["start"], first["end"]) == (0, 8, 11)
        assert (first["left"], first["match"], first["right"]) == ("at ", "sat", " on")
        assert json.loads(first["metadata"])["year"] == 1990

    def test_fields_have_one_type_each(self, mixed):
        found = mixed.concordance("sat", sort="document").to_arrow(fields=("year", "share", "kind", "match", "seen"))
        assert [str(found.schema.field(name).type) for name in found.column_names[12:]] == [
            "int64", "double", "string", "string", "bool",
        ]  # fmt: skip
        assert found["year"].to_pylist() == [1990, None, 1991]
        assert found["share"].to_pylist() == [1.0, 0.5, None]
        assert found["kind"].to_pylist() == ["1", "one", "true"]
        # A field with the name of a column does not replace it.
        assert found["metadata.match"].to_pylist() == ["ours", None, None]
        assert found["match"].to_pylist() == ["sat"] * 3

    def test_the_type_is_of_these_documents_only(self, mixed):
        mixed.concordance("sat").to_arrow(fields=("kind",))
        assert str(mixed.concordance("first").to_arrow(fields=("kind",)).schema.field("kind").type) == "int64"

    def test_unknown_fields_are_refused(self, corpus):
        with pytest.raises(QueryError, match="yaer"):
            corpus.concordance("sat").to_arrow(fields=("yaer",))

    def test_files(self, corpus, tmp_path):
        lines = corpus.concordance("sat", sort="document", seed=3)
        lines.write(tmp_path / "lines.csv", fields=("year",), width=2)
        header, first, *_ = (tmp_path / "lines.csv").read_text(encoding="utf-8").splitlines()
        assert header.split(",")[-1] == "year"
        assert first.endswith(",1990")
        about = json.loads((tmp_path / "lines.csv.about.json").read_text(encoding="utf-8"))
        assert (about["query"], about["lines"], about["order"], about["seed"]) == ("sat", "3", "document", "3")

    def test_a_sample_is_marked(self, corpus, tmp_path, monkeypatch):
        monkeypatch.setattr(arrange, "MAX_ARRANGED", 2)
        lines = corpus.concordance("at", sort="left")
        assert repr(lines) == f"Concordance({len(lines)} lines of 'at', from a sample of 2 of 7 hits)"
        lines.write(tmp_path / "a.csv")
        assert '"looked at": "a sample of 2 of 7 hits"' in (tmp_path / "a.csv.about.json").read_text(encoding="utf-8")

    def test_no_lines(self, corpus):
        lines = corpus.concordance("nowhere")
        assert (list(lines), lines[:3]) == ([], [])
        assert lines.to_arrow(fields=("year",)).num_rows == 0
        assert "<table>" in notebook(lines)

    def test_in_a_notebook(self, corpus, many):
        assert repr(corpus.concordance("sat")) == "Concordance(3 lines of 'sat')"
        shown = notebook(many.concordance("x"))
        assert shown.count("<tr>") == 20
        assert "1,180 more" in shown
        assert "&lt;b&gt;" in notebook(corpus.concordance("é"))
        assert "<b>é</b>" in notebook(corpus.concordance("é"))

    @pytest.mark.parametrize("match", ["text", "tokens"])
    def test_pickles_answer(self, corpus, match):
        lines = corpus.concordance("sat", match=match, sort="random", seed=5)
        found = pickle.loads(pickle.dumps(lines))
        assert list(found) == list(lines)
        assert repr(found) == repr(lines)
        assert found.to_arrow(fields=("year",)).equals(lines.to_arrow(fields=("year",)))


class TestTrace:
    def test_traces_are_equal(self, corpus):
        one, other = (corpus.trace("we saw the cat sat on the mat") for _ in range(2))
        assert isinstance(one, Trace)
        assert one == other
        assert one != corpus.trace("we saw the cat sat on the rug")

    def test_table(self, corpus):
        found = corpus.trace("we saw the cat sat on the mat", settings=TraceSettings(min_length=4))
        table = found.to_arrow().to_pylist()
        assert len(table) == len(found.spans) > 0
        for row, span in zip(table, found.spans, strict=True):
            assert row["text"] == found.text[row["start"] : row["end"]]
            assert (row["count"], tuple(row["documents"])) == (span.count, span.documents)

    def test_report(self, corpus):
        found = corpus.trace("<script> the cat sat on the mat")
        assert found.to_html().startswith("<!doctype html>")
        assert "<script>" not in found.to_html()
        assert 0 < found.coverage <= 1

    def test_in_a_notebook(self, corpus):
        found = corpus.trace("<script> the cat sat on the mat")
        assert repr(found).startswith("Trace(31 tokens, ")
        shown = notebook(found)
        assert "<mark" in shown
        assert "&lt;script&gt;" in shown
        assert "<script>" not in shown

    def test_pickles_answer(self, corpus):
        found = corpus.trace("the cat sat on the mat")
        again = pickle.loads(pickle.dumps(found))
        assert again == found
        assert "Cats" in again.to_html()

    def test_cancel(self, corpus):
        cancel = CancelToken()
        cancel.cancel()
        with pytest.raises(Cancelled):
            corpus.trace("the cat sat on the mat", cancel=cancel)


def test_what_is_returned_shows_itself_in_a_line(corpus, tmp_path):
    rows = [{"text": "a cat"}, {"txt": "no text"}]
    built = build_index(rows, tmp_path / "index", tokenizer="bytes", name="Two", skip_bad=True)
    lines = [
        (built, "Manifest('Two', 6 tokens, 1 document, 1 shard, skipped {"),
        (estimate_build(rows[:1], tokenizer="bytes"), "BuildEstimate(1 document, ≈ 6 tokens, ≈ 1 shard, ≈ "),
        (corpus.search("sat"), "QueryResult(3 hits of 'sat')"),
        (corpus.cnf([["sat"], ["rug"]]), "CnfMatches(1 hit in 1 document)"),
        (compare_texts("a cat sat on it", "the cat sat on it"), "TextComparison(5 and 5 words, 4 in common"),
    ]
    for found, begins in lines:
        assert repr(found).startswith(begins) and "\n" not in repr(found) and len(repr(found)) < 120
