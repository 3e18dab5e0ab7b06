"""Sampled keys in the cache folder."""

from __future__ import annotations

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.index import key_samples as keys


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A byte index that is large enough to have keys, and an empty cache."""
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    generator = np.random.default_rng(5)
    words = ["alpha", "beta", "gamma", "delta", "epsilon"]
    (tmp_path / "a.txt").write_text(" ".join(words[i] for i in generator.integers(0, 5, 8000)))
    build_index(tmp_path / "a.txt", tmp_path / "out", tokenizer="bytes")
    return tmp_path / "out"


def files(folder):
    return sorted((folder.parent / "cache").glob("*.keys"))


def answers(corpus):
    return [corpus.count(text) for text in ("alpha beta", "gamma", "a", "delta delta delta", "nothing", "epsilon ")]


def test_keys_are_made_once_and_change_no_answer(large, monkeypatch):
    first = answers(open_index(large))
    (path,) = files(large)
    written = path.stat().st_mtime_ns
    assert answers(open_index(large)) == first
    assert path.stat().st_mtime_ns == written
    monkeypatch.setattr(keys, "_FEWEST_TOKENS", 1 << 40)
    assert answers(open_index(large)) == first


@pytest.mark.parametrize("damage", ["cut", "zeros", "gone"])
def test_a_damaged_cache_is_made_anew(large, damage):
    expected = answers(open_index(large))
    (path,) = files(large)
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:-16] if damage == "cut" else bytes(len(data)))
    assert answers(open_index(large)) == expected
    assert path.read_bytes() == data


def test_an_unwritable_cache_is_no_obstacle(large, monkeypatch):
    expected = answers(open_index(large))
    blocked = large.parent / "file"
    blocked.write_text("")
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(blocked))
    assert answers(open_index(large)) == expected


def test_steps_grow_with_the_table():
    assert keys.key_step(10) == 8
    assert keys.key_step(8 << 23) == 8
    assert keys.key_step(10**12) == 1 << 17
