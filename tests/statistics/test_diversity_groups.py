"""Diversity of groups, against the measures of single texts."""

import numpy as np
import pytest

from explorer import QueryError, build_index, open_index
from explorer.analyses.diversity.groups import measure_groups
from explorer.analyses.diversity.measures import DIVERSITIES, moving_types
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled

ROWS = [
    {"text": "The cat sat on the mat and the dog sat on the cat. " * 6, "kind": "cat"},
    {"text": "One two the", "kind": "short"},
    {"text": "the dog and a cat and a dog ran " * 7, "kind": "cat"},
    {"text": "! ?"},
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("diversity") / "index"
    build_index(ROWS, folder, tokenizer="bytes")
    return open_index(folder)


def ids(corpus, number):
    words = corpus.words()
    return words.documents[number].tokens


def test_a_document_has_the_measures_of_its_words(corpus):
    for number, row in enumerate(corpus.diversity(per_document=True)):
        words = ids(corpus, number)
        assert (row.group, row.documents, row.words) == (str(number), 1, len(words))
        for name, measure in DIVERSITIES.items():
            expected = measure.compute(words)
            assert getattr(row, name) == (None if expected is None else pytest.approx(expected)), name


def test_groups_add_their_documents_up(corpus):
    rows = {row.group: row for row in corpus.diversity("kind")}
    single = [row for row in corpus.diversity(per_document=True) if row.words > 50]
    cat = rows["cat"]
    assert (cat.documents, cat.words) == (2, sum(row.words for row in single))
    # Windows do not cross documents.
    windows = [row.words - 49 for row in single]
    mean = sum(row.mattr * count for row, count in zip(single, windows, strict=True)) / sum(windows)
    assert cat.mattr == pytest.approx(mean)
    assert (rows["short"].mattr, rows["short"].mtld, rows["short"].hdd) == (None, None, None)
    assert rows["short"].ttr == rows["short"].hapax_share == 1
    whole = corpus.diversity()[0]
    assert whole.words == sum(row.words for row in rows.values()) and whole.group is None
    assert whole.types < sum(row.types for row in rows.values())


def test_a_group_without_words_is_unknown_not_zero(corpus):
    [row] = [row for row in corpus.diversity(per_document=True) if not row.words]
    assert (row.types, row.hapaxes) == (0, 0)
    assert [getattr(row, name) for name in DIVERSITIES] == [None] * len(DIVERSITIES)


def test_documents_of_a_word_repeat_nothing(tmp_path):
    # 60 words, of which each document has one: no window, and no word is repeated within a document.
    build_index([{"text": f"w{number % 7}"} for number in range(60)], tmp_path / "index", tokenizer="bytes")
    [row] = open_index(tmp_path / "index").diversity()
    assert (row.documents, row.words, row.types, row.mattr, row.mtld) == (60, 60, 7, None, None)
    assert row.hdd is not None


def test_a_corpus_without_words_is_too_short(tmp_path):
    build_index([{"text": "... !!!"}, {"text": "—"}], tmp_path / "index", tokenizer="bytes")
    [row] = open_index(tmp_path / "index").diversity()
    assert (row.words, row.types, row.ttr, row.hapax_share) == (0, 0, None, None)


def test_conditions_choose_documents(corpus):
    assert [row.documents for row in corpus.diversity(where="kind=cat")] == [2]
    with pytest.raises(QueryError, match="No document meets"):
        corpus.diversity(where="kind=cow")
    with pytest.raises(QueryError, match="not both"):
        corpus.diversity("kind", per_document=True)
    with pytest.raises(QueryError):
        corpus.diversity("nothing")


def test_the_window_is_chosen(corpus):
    for window in (1, 3, 60):
        measured = corpus.diversity(per_document=True, window=window)
        expected = [moving_types(ids(corpus, number), window) for number in range(len(ROWS))]
        assert [row.mattr for row in measured] == expected
    with pytest.raises(QueryError, match="window"):
        corpus.diversity(window=0)


def test_documents_of_a_group_in_many_requests_are_one_group(corpus, monkeypatch):
    kinds = [row.__dict__ for row in corpus.diversity("kind")]
    single = [row.__dict__ for row in corpus.diversity(per_document=True)]
    monkeypatch.setattr("explorer.backends.documents.reading._MOST", 1)
    assert [row.__dict__ for row in corpus.diversity("kind")] == kinds
    assert [row.__dict__ for row in corpus.diversity(per_document=True)] == single


def test_no_groups_and_groups_without_documents(corpus):
    words = corpus.words()
    none = np.zeros(0, np.int64)
    size = words.index.tokenizer.vocabulary_size
    assert measure_groups(words.index, [], size) == []
    found = measure_groups(words.index, [none, np.array([1]), none], size)
    assert [(row.documents, row.words) for row in found] == [(0, 0), (1, 3), (0, 0)]
    assert [getattr(found[2], name) for name in DIVERSITIES] == [None] * len(DIVERSITIES)


def test_work_that_was_cancelled_ends(corpus):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        corpus.diversity(cancel=cancel)
