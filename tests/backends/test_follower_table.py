"""The table of followers in the cache folder: the same answers as without it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.backends.local import follower_table


@pytest.fixture(params=[1, 3])
def folder(request, tmp_path, monkeypatch):
    """An index of 400 words in one shard or three, with a table, and an empty cache."""
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(follower_table, "LARGE", 1)
    monkeypatch.setattr(follower_table, "FREQUENT", 20)
    monkeypatch.setattr(follower_table, "MANY", 5)
    random = np.random.default_rng(3)
    # Few words are frequent, as in a text.
    texts = [" ".join(f"w{n}" for n in random.zipf(1.3, 300) % 400) for _ in range(60)]
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in texts))
    build_index(tmp_path / "a.jsonl", tmp_path / "out", tokenizer="train:600", shards=request.param)
    return tmp_path / "out"


def plain(folder, monkeypatch):
    """The same index without a table."""
    with monkeypatch.context() as patch:
        patch.setattr(follower_table, "LARGE", 1 << 40)
        return open_index(folder)


def files(folder):
    return sorted((folder.parent / "cache").glob("*.followers"))


def contexts(corpus):
    tokens = range(corpus.index.tokenizer.vocabulary_size)
    return [[], *([token] for token in tokens), corpus.document(0).tokens[:2].tolist()]


def next_of(corpus):
    found = (corpus.index.counts.next_tokens(context) for context in contexts(corpus))
    return [(f.tokens.tolist(), f.counts.tolist(), f.context_count, f.context_length) for f in found]


def test_no_answer_changes(folder, monkeypatch):
    bare, corpus = plain(folder, monkeypatch), open_index(folder)
    assert len(files(folder)) == 1
    assert next_of(corpus) == next_of(bare)
    ids = np.array([token for context in contexts(corpus) for token in context], dtype=np.int64)
    starts = np.repeat(np.arange(len(ids) - 2, dtype=np.int64), 3)
    ends = starts + np.tile(np.arange(3), len(ids) - 2)
    for one, other in zip(
        corpus.index.counts.followers(ids, starts, ends), bare.index.counts.followers(ids, starts, ends), strict=True
    ):
        assert one.tolist() == other.tolist()


def test_levels_are_the_same(folder, monkeypatch):
    bare, corpus = plain(folder, monkeypatch), open_index(folder)
    text = corpus.document(1).tokens.tolist()
    for end in range(80):
        for least, most, selective in ((0, None, True), (1, 2, True), (0, 3, False), (1, None, False)):
            asked = text[max(0, end - 6) : end], least, most, selective
            assert corpus.index.counts.levels(*asked) == bare.index.counts.levels(*asked)


def test_the_table_holds_what_is_frequent_and_is_made_once(folder, monkeypatch):
    first = open_index(folder)
    (path,) = files(folder)
    written = path.stat().st_mtime_ns
    frequent = [t for t in range(first.index.tokenizer.vocabulary_size) if first.count([t]) >= 20]
    held = [t for t in frequent if len(first.index.counts.next_tokens([t]).tokens) >= 5]
    assert np.frombuffer(path.read_bytes()[8:16], dtype=np.int64).item() == len(held) + 1
    monkeypatch.setattr(follower_table, "_made", None)
    assert next_of(open_index(folder)) == next_of(first)
    assert path.stat().st_mtime_ns == written


@pytest.mark.parametrize("damage", ["cut", "zeros", "gone", "counts"])
def test_a_damaged_cache_is_made_anew(folder, damage):
    expected = next_of(open_index(folder))
    (path,) = files(folder)
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    elif damage == "counts":
        entries = np.frombuffer(data[16:24], dtype=np.int64).item()
        path.write_bytes(data[: -4 * entries] + np.full(entries, 7, dtype=np.uint32).tobytes())
    else:
        path.write_bytes(data[:-16] if damage == "cut" else bytes(len(data)))
    assert next_of(open_index(folder)) == expected
    assert path.read_bytes() == data


def test_none_where_documents_are_subtracted(folder):
    corpus = open_index(folder)
    (path,) = files(folder)
    less = corpus.index.without([0])
    assert less.counts.next_tokens([]).counts.sum() == corpus.token_count - 1 - len(corpus.document(0).tokens)
    assert files(folder) == [path]


@pytest.mark.parametrize("bad", [[True], [1.0], ["a"], [-1], [1 << 40]])
def test_ids_are_checked_as_without_it(folder, bad, monkeypatch):
    with pytest.raises(Exception) as with_table:
        open_index(folder).index.counts.next_tokens(bad)
    with pytest.raises(type(with_table.value)) as without:
        plain(folder, monkeypatch).index.counts.next_tokens(bad)
    assert str(with_table.value) == str(without.value)
