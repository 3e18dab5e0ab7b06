"""F-grams: against plain counting, SCONE's algorithm by hand, the shared figures, and the files read with numpy."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

from explorer import Cancelled, CancelToken, QueryError, open_index
from explorer.analyses.fgrams.compute import make_fgrams
from explorer.analyses.wordlist.sorting import sorted_order
from explorer.export.destination import ExportError

SEPARATOR = 255
DOCUMENTS = st.lists(st.lists(st.integers(0, 3), max_size=14), min_size=1, max_size=6)


def in_lists(documents):
    return ListBackend(Contents([documents], [{}] * len(documents), SEPARATOR))


def counted(documents, max_n):
    found = Counter()
    for document in documents:
        for n in range(2, max_n + 1):
            found.update(tuple(document[at : at + n]) for at in range(len(document) - n + 1))
    return found


@given(DOCUMENTS, st.integers(2, 5), st.integers(1, 3), st.none() | st.integers(1, 12), st.data())
def test_tables_and_matches_are_those_of_plain_counting(documents, max_n, least, size, data):
    counts = counted(documents, max_n)
    cutoff = least
    if size is not None and size <= len(counts):
        cutoff = max(least, sorted(counts.values(), reverse=True)[size - 1])
    kept = {ids: count for ids, count in counts.items() if count >= cutoff}
    table = make_fgrams(in_lists(documents), max_n, least, size)
    assert (table.cutoff, table.kept) == (cutoff, len(kept))
    rows = [tuple(ids) for part in table.parts for ids in part.ids.tolist()]
    assert rows == sorted(kept, key=lambda ids: (len(ids), ids))
    assert [count for part in table.parts for count in part.counts.tolist()] == [kept[ids] for ids in rows]
    text = data.draw(st.lists(st.sampled_from([0, 1, 2, 3, SEPARATOR]), max_size=20))
    found = table.matches(np.array(text, dtype=np.int64))
    for end, (length, row) in enumerate(zip(found.lengths.tolist(), found.rows.tolist(), strict=True), 1):
        # The smallest j of algorithm 1.
        best = next(
            (tuple(text[at:end]) for at in range(max(0, end - max_n), end - 1) if tuple(text[at:end]) in kept), None
        )
        assert (length, row) == ((1, -1) if best is None else (len(best), rows.index(best)))


@pytest.mark.parametrize(
    ("size", "cutoff", "kept"), [(1, 4999, 1), (2, 4998, 3), (4, 4997, 4), (5, 3000, 5), (9, 2, 5)]
)
def test_cutoffs_beyond_the_spectrum_are_exact(size, cutoff, kept):
    # Runs of one token: two of 5,000 and 4,999, and a pair that is less frequent than the spectrum is long.
    documents = [[1] * 5000, [2] * 4999, *[[3, 4]] * 3000]
    table = make_fgrams(in_lists(documents), 3, 2, size)
    assert (table.cutoff, table.kept) == (cutoff, kept)


@pytest.fixture(scope="module")
def corpus(small_index):
    return open_index(small_index)


def test_files_are_read_with_numpy_alone(corpus, tmp_path):
    found = corpus.fgrams(3, min_count=3)
    found.write_arrays(tmp_path / "table")
    meta = json.loads((tmp_path / "table" / "meta.json").read_text(encoding="utf-8"))
    assert meta["fingerprint"] == corpus.index.fingerprint and meta["cutoff"] == found.cutoff
    assert meta["tokenizer"] == corpus.index.tokenizer.fingerprint
    for n in (2, 3):
        ids = np.load(tmp_path / "table" / f"fgrams-{n}.npy")
        assert (ids.dtype, ids.tolist()) == (np.uint16, found.ids(n).tolist())
        assert np.load(tmp_path / "table" / f"counts-{n}.npy").tolist() == found.counts(n).tolist()
        assert [corpus.count(row) for row in ids.tolist()] == found.counts(n).tolist()
    assert sorted(path.name for path in (tmp_path / "table").iterdir()) == sorted(
        ["meta.json", *(f"{kind}-{n}.npy" for kind in ("fgrams", "counts") for n in (2, 3))]
    )
    with pytest.raises(ExportError, match="exists already"):
        found.write_arrays(tmp_path / "table")


def test_a_folder_that_cannot_be_written_leaves_nothing(corpus, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="cannot be written"):
        corpus.fgrams(2).write_arrays(tmp_path / "file" / "table")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_smaller_tables_are_measured_as_if_they_were_made(corpus):
    texts = ["the cat sat on the mat", "the dog saw the cat on the rug"]
    for found in corpus.fgrams(4, min_count=1).coverage(texts, sizes=[5, 30]):
        made = corpus.fgrams(found.max_n, min_count=1, size=found.size)
        assert (made.cutoff, len(made)) == (found.cutoff, found.kept)
        lengths = np.concatenate([made.match(text).lengths for text in texts])
        assert found.mean_length == pytest.approx(lengths.mean())
        assert found.coverage == pytest.approx((lengths > 1).mean())


def test_nothing_to_match_is_unknown_and_not_zero(corpus):
    found = corpus.fgrams(2, min_count=10**6)
    assert (len(found), found.embedding_bytes(64)) == (0, 0)
    assert found.match([]).mean_length is None and found.match([]).coverage is None
    assert found.coverage([])[0].mean_length is None
    assert found.match("the cat").coverage == 0


@pytest.mark.parametrize(
    ("asked", "told"),
    [({"max_n": 1}, "from 2 to 64"), ({"min_count": 0}, "min_count"), ({"size": 0}, "size"), ({"size": 2.5}, "whole")],
)
def test_what_makes_no_sense_is_refused(corpus, asked, told):
    with pytest.raises(QueryError, match=told):
        corpus.fgrams(**asked)


def test_other_lengths_are_refused_and_work_is_cancelled(corpus):
    with pytest.raises(QueryError, match="have 2 tokens, not 3"):
        corpus.fgrams(2).ids(3)
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        corpus.fgrams(2, cancel=cancel)


@given(st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=90), st.integers(1, 12))
def test_an_order_made_in_pieces_is_that_of_one_sort(keys, piece):
    array = np.array(keys, dtype=np.uint64)
    assert sorted_order(array, piece=piece).tolist() == np.argsort(array).tolist()


def test_a_sort_in_pieces_is_cancelled_between_them():
    class Third(CancelToken):
        """Set at the third look."""

        looks = 0

        def check(self):
            self.looks += 1
            if self.looks == 3:
                self.cancel()
            super().check()

    with pytest.raises(Cancelled):
        sorted_order(np.arange(8, dtype=np.uint64)[::-1].copy(), Third(), piece=1)
