"""A corpus as an object: closed, compared, pickled, shown."""

from __future__ import annotations

import gc
import json
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from explorer import add_documents, build_index, open_index
from explorer.core.jobs import CancelToken
from explorer.corpus import Corpus
from explorer.errors import Cancelled, CorpusError, IndexNotFoundError, QueryError

TEXTS = ("the cat sat on the mat", "the cat sat on the rug", "a dog sat on the mat")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("corpus")
    (made / "a.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS), encoding="utf-8")
    build_index(made / "a.jsonl", made / "index", tokenizer="train:400", name="Cats")
    return made / "index"


@pytest.fixture
def corpus(folder) -> Corpus:
    return open_index(folder)


def test_a_closed_corpus_answers_nothing(corpus):
    with corpus as opened:
        assert opened is corpus
        lines = opened.concordance("cat", sort="document")
    assert corpus.closed
    for ask in (
        lambda: corpus.count("cat"),
        lambda: corpus.next_tokens("the"),
        lambda: corpus.token_count,
        lambda: corpus.metadata_fields,
        lambda: corpus.concordance("cat"),
        lambda: corpus.document(0),
        lambda: "cat" in corpus,
        lambda: pickle.dumps(corpus),
        corpus.__enter__,
    ):
        with pytest.raises(CorpusError, match="closed"):
            ask()
    corpus.close()
    assert repr(corpus) == "Corpus(closed)"
    # What it gave stays valid.
    assert [line.document for line in lines] == [0, 1]


@pytest.mark.local("maps files")
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_closing_lets_go_of_the_files(folder):
    def mapped() -> int:
        return Path("/proc/self/maps").read_text(encoding="utf-8").count(str(folder))

    gc.collect()
    before = mapped()
    corpus = open_index(folder)
    corpus.count("cat")
    assert mapped() > before
    corpus.close()
    gc.collect()
    assert mapped() == before


def test_contains_counts(corpus):
    assert "the cat" in corpus
    assert "the bird" not in corpus
    assert corpus.encode("the cat") in corpus
    with pytest.raises(QueryError):
        _ = "" in corpus


def test_what_it_shows(corpus):
    shards = ", 1 shard" if corpus.shard_count else ""
    assert repr(corpus) == f"Corpus('Cats', {corpus.token_count} tokens, 3 documents{shards})"
    names = dir(corpus)
    assert {"count", "close", "metadata_fields"} <= set(names)
    assert {"index", "columns"}.isdisjoint(names)


@pytest.mark.local("has paths")
def test_equal_if_the_same_was_opened(folder, corpus, monkeypatch):
    monkeypatch.chdir(folder.parent)
    same = open_index("index")
    assert corpus == same
    assert hash(corpus) == hash(same)
    assert corpus != open_index(folder, minus=folder)
    assert corpus != "index"
    key = hash(same)
    same.close()
    assert hash(same) == key


@pytest.mark.local("has paths")
def test_pickles_answer(corpus):
    found = pickle.loads(pickle.dumps(corpus))
    assert found == corpus
    assert found.count("cat") == 2
    # Opened once in a process, as long as it is in use.
    assert pickle.loads(pickle.dumps(corpus)).index is found.index


@pytest.mark.local("has paths")
def test_a_tokenizer_in_memory_travels(folder):
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    corpus = open_index(folder, tokenizer=tokenizer)
    data = pickle.dumps(corpus)
    found = pickle.loads(data)
    assert found.encode("the cat").tolist() == corpus.encode("the cat").tolist()
    assert found == corpus == open_index(folder, tokenizer=tokenizer)


@pytest.mark.local("has paths")
def test_without_documents_in_a_pickle(corpus):
    less = Corpus(corpus.index.without([0]))
    assert pickle.loads(pickle.dumps(less)).count("cat") == less.count("cat") == 1
    assert less != corpus


@pytest.mark.local("has paths")
def test_documents_in_a_pickle(corpus):
    document = pickle.loads(pickle.dumps(corpus.document(1)))
    assert document.text == TEXTS[1]


@pytest.mark.local("has paths")
def test_another_process_answers(corpus):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(Corpus.count, corpus, "cat").result() == 2
        # The result travels back, and opens the index here when it needs it.
        assert pool.submit(Corpus.next_tokens, corpus, "the cat sat on the").result().texts == (" mat", " rug")


@pytest.mark.local("has paths")
def test_missing_folders(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        open_index(tmp_path / "nothing")
    assert isinstance(caught.value, IndexNotFoundError)
    assert str(caught.value) == f"{tmp_path / 'nothing'} does not exist."
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.reason) == (str(caught.value), "no-folder")


def test_query_errors_are_value_errors(corpus):
    with pytest.raises(ValueError, match="id"):
        corpus.count([10**9])


def test_long_work_is_cancelled(corpus, folder):
    cancel = CancelToken()
    cancel.cancel()
    for ask in (
        lambda: corpus.search("cat AND sat", cancel=cancel),
        lambda: corpus.concordance("cat", sort="right", cancel=cancel),
        lambda: corpus.cnf([["the"], [" sat"]], cancel=cancel),
        lambda: corpus.count_documents("cat", cancel=cancel),
        lambda: corpus.agreement("the cat sat", cancel=cancel),
        lambda: corpus.trace("the cat sat", cancel=cancel),
    ):
        with pytest.raises(Cancelled):
            ask()
    assert corpus.search("cat AND sat").count == 2


def test_documents_show_their_number(corpus):
    assert repr(corpus.document(1)) == "Document(number=1)"


@pytest.mark.local("documents are added to a folder")
def test_a_pickle_of_an_index_that_was_added_to(tmp_path):
    """In the worker, the answers would be those of another index."""
    build_index([{"text": "the cat"}], tmp_path / "index", tokenizer="bytes")
    before = open_index(tmp_path / "index")
    data = pickle.dumps(before)
    add_documents(tmp_path / "index", [{"text": "a cat"}])
    assert before.count("cat") == 1
    with pytest.raises(CorpusError) as caught:
        pickle.loads(data)
    assert caught.value.reason == "index-changed"
    after = open_index(tmp_path / "index")
    assert pickle.loads(pickle.dumps(after)).count("cat") == 2
    assert before != after


@pytest.mark.parametrize("given", [None, 5, object(), 1.5])
def test_what_is_neither_text_nor_ids(corpus, given):
    for ask in (corpus.count, corpus.find, corpus.locate, corpus.next_tokens, corpus.agreement, corpus.count_documents):
        with pytest.raises(QueryError):
            ask(given)


@pytest.mark.parametrize("given", [None, 5, [1, 2], b"the cat"])
def test_only_texts_are_traced_and_encoded(corpus, given):
    for ask in (corpus.trace, corpus.encode, lambda prompt: corpus.trace("the cat", prompt)):
        with pytest.raises(QueryError) as caught:
            ask(given)
        assert caught.value.reason == "not-a-text"


@pytest.mark.parametrize("given", [5, ["a", 5]])
def test_only_paths_are_opened(given):
    with pytest.raises(QueryError) as caught:
        open_index(given)
    assert caught.value.reason == "not-a-path"
