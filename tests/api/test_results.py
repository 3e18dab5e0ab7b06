"""What the methods of a corpus return: values that are also tables, and show themselves in a notebook."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pyarrow as pa
import pytest

from explorer import build_index, open_index
from explorer.api import Corpus
from explorer.api.results import Agreement, NextTokens
from explorer.errors import CorpusError, QueryError, TokenizerError
from explorer.search.counts import next_tokens

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


class TestNextTokens:
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
