"""F-grams: against plain counting, SCONE's algorithm by hand, the shared figures, and the files read with numpy."""

from __future__ import annotations

import gzip
import json
import runpy
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

from explorer import Cancelled, CancelToken, QueryError, build_index, open_index
from explorer.export.destination import ExportError
from explorer.statistics.fgrams import make_fgrams

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
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
@settings(max_examples=80, deadline=None)
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


DISTINCT = [392_902, 1_017_048, 1_480_865, 1_776_006, 1_955_643, 2_062_607, 2_128_152]
AT_LEAST_5 = [78_931, 78_552, 55_232, 36_421, 24_495, 17_437, 13_092]
OF_20_000 = {
    2: (18, 20_977, 1.515), 3: (26, 20_438, 1.652), 4: (29, 20_635, 1.715), 5: (31, 20_341, 1.742),
    6: (32, 20_354, 1.749), 8: (33, 20_490, 1.744),
}  # fmt: skip
OF_100_000 = {
    2: (5, 78_931, 1.689), 3: (7, 105_686, 1.941), 4: (8, 115_140, 2.041), 5: (9, 110_596, 2.067),
    6: (10, 102_005, 2.057), 8: (10, 109_805, 2.069),
}  # fmt: skip


@pytest.mark.skipif(not DATA.exists(), reason="needs the shared answers")
def test_answers_of_models_have_the_figures_of_numpy(tmp_path):
    texts, asked = [], []
    for path in sorted((DATA / "llm-outputs").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line)["text"] for line in file]
        texts += rows[:705]
        if path.name.startswith("gpt-4o"):
            asked = rows[705:745]
    tokenizer = DATA / "tokenizers" / "llama-2-7b-hf.tokenizer.json"
    build_index([{"text": text} for text in texts], tmp_path / "index", tokenizer=tokenizer)
    corpus = open_index(tmp_path / "index")
    assert (corpus.document_count, corpus.token_count) == (8_460, 2_477_104)
    found = corpus.fgrams(8)
    assert [each.distinct for each in found.by_n] == DISTINCT
    assert [each.at_least for each in found.by_n] == AT_LEAST_5
    for each in found.coverage(asked, sizes=[20_000, 100_000]):
        known = (OF_20_000 if each.size == 20_000 else OF_100_000).get(each.max_n)
        if known is not None:
            assert (each.cutoff, each.kept, round(each.mean_length, 3)) == known
    assert (made := corpus.fgrams(5, size=20_000)).cutoff == 31 and len(made) == 20_341


def test_the_script_of_the_docs_embeds_a_sentence(corpus, tmp_path):
    found = corpus.fgrams(4, min_count=2)
    found.write_arrays(tmp_path / "table")
    embeddings = np.random.default_rng(1).normal(size=(corpus.index.separator, 3))
    script = runpy.run_path(str(Path(__file__).resolve().parents[2] / "docs" / "examples" / "embed_with_fgrams.py"))
    ids = corpus.encode("the dog sat on the rug and the cat saw it")
    embedded = script["embed"](tmp_path / "table", embeddings, ids)
    lengths = found.match(ids).lengths.tolist()
    assert max(lengths) > 2
    wanted = [embeddings[ids[end - size : end]].mean(axis=0) for end, size in enumerate(lengths, 1)]
    assert embedded == pytest.approx(np.array(wanted))
