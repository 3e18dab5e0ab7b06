"""The word index: the engine's pass against the reference, the way back, and the cache."""

from __future__ import annotations

import logging
import os
import pickle
import shutil
import threading
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_answers import text_named, text_names

import _fastsa
from explorer import CancelToken, build_index, open_index
from explorer.building.lock import folder_lock
from explorer.core.files.paths import cache_folder
from explorer.errors import Cancelled, CorpusError
from explorer.text.segments import classes, spans
from explorer.words.index import open_words, word_index, words_are_made, words_are_superseded
from explorer.words.rule import WordRule, words_of

pytestmark = pytest.mark.local("words are cut in folders on this machine")

TEXTS = [
    "The cat sat. THE cat's hat cost 3.14, not 1,000!",
    "naïve café — 日本語 and e-mail_x",
    "",
    "…",
    "the dog; the DOG, The dog",
]


def vocabulary_of(words):
    return word_index(words.index).vocabulary


def size_of(words):
    """Words of a corpus of words, without the separators."""
    return words.token_count - words.document_count


def ids_of(corpus, number):
    one = np.array([number], dtype=np.int64)
    return corpus.index.documents.windows(one, 0 * one, corpus.index.documents.lengths(one))[0]


def cut(data, signs=False, chunks=(1 << 20,), room=64):
    """The words of some bytes, one token a byte, read in pieces."""
    starts = np.arange(256, dtype=np.int64)
    engine = _fastsa.WordCutter(np.arange(255, dtype=np.uint8), starts, classes(), signs, 1)
    ids, places = np.empty(room, dtype=np.uint32), np.empty(room, dtype=np.int64)
    numbers, where, at = [], [], 0
    raw = np.frombuffer(data, dtype=np.uint8)
    sizes = iter(chunks)
    while at < len(raw):
        piece = raw[at : at + next(sizes, 1 << 20)]
        done = 0
        while done < len(piece):
            read, written = engine.cut(piece[done:], 1, at + done, ids, places)
            numbers += ids[:written].tolist()
            where += places[:written].tolist()
            done += read
        at += len(piece)
    written = engine.finish(ids, places)
    numbers += ids[:written].tolist()
    where += places[:written].tolist()
    blob, begins, counts = engine.spellings()
    spelled = [blob[a:b].tobytes() for a, b in pairwise(begins)]
    assert np.bincount([n for n in numbers if n != 2**32 - 1], minlength=len(spelled)).tolist() == counts.tolist()
    return [None if n == 2**32 - 1 else spelled[n].decode() for n in numbers], where


@given(
    st.lists(
        st.binary(max_size=12) | st.text(alphabet="aZé'’·.,01_ 日か\u3099\u0301\u00ad\u200d!½", max_size=12), max_size=5
    ),
    st.booleans(),
    st.lists(st.integers(1, 9), max_size=8),
)
def test_the_pass_over_bytes_is_the_reference(documents, signs, chunks):
    # 255 is the separator of byte tokens, and no byte of UTF-8.
    parts = [part.encode() if isinstance(part, str) else part.replace(b"\xff", b"\xfe") for part in documents]
    expected = []
    for part in parts:
        text = part.decode("utf-8", "replace")
        expected += [None, *(text[start:end] for start, end in spans(text, signs))]
    assert cut(b"".join(b"\xff" + part for part in parts), signs=signs, chunks=chunks)[0] == expected


def test_places_are_those_of_first_bytes():
    words, places = cut(b"\xffa bc\xff" + "é's 1.5".encode())
    assert list(zip(words, places, strict=True)) == [
        (None, 0), ("a", 1), ("bc", 3), (None, 5), ("é's", 6), ("1.5", 11),
    ]  # fmt: skip


def test_a_room_that_is_too_small():
    starts = np.array([0, 40], dtype=np.int64)
    engine = _fastsa.WordCutter(np.full(40, 97, dtype=np.uint8), starts, classes())
    ids, places = np.empty(16, dtype=np.uint32), np.empty(16, dtype=np.int64)
    with pytest.raises(ValueError, match="smaller than one token"):
        engine.cut(np.zeros(1, dtype=np.uint8), 1, 0, ids, places)


@pytest.fixture(scope="module", params=["bytes", "train:400"])
def corpus(request, tmp_path_factory):
    rows = [{"text": text, "number": number} for number, text in enumerate(TEXTS * 3)]
    folder = tmp_path_factory.mktemp("words") / "index"
    build_index(rows, folder, tokenizer=request.param, shards=2)
    return open_index(folder)


def test_documents_are_those_of_the_reference(corpus):
    words = corpus.words()
    assert words.document_count == corpus.document_count
    for number, text in enumerate(TEXTS * 3):
        forms = [words.decode([word]) for word in words.encode(text)]
        assert forms == words_of(text, WordRule())
        assert ids_of(words, number).tolist() == words.encode(text).tolist()
        assert words.document(number).metadata["metadata"]["number"] == number
    assert size_of(words) == 3 * sum(len(words_of(text, WordRule())) for text in TEXTS)
    assert words.metadata_fields == corpus.metadata_fields


def test_counts_and_spellings(corpus):
    words = corpus.words()
    assert (vocabulary_of(words).form(0), vocabulary_of(words).counts[0], vocabulary_of(words).spelling(0)) == (
        "the",
        15,
        "The",
    )
    assert vocabulary_of(words).counts.tolist() == sorted(vocabulary_of(words).counts.tolist(), reverse=True)
    assert vocabulary_of(words).total == size_of(words)
    assert words.count("the DOG\nthe", match="tokens") == 6
    assert words.count("unicorn", match="tokens") == 0
    assert corpus.words(fold=False).count("DOG", match="tokens") == 3


def test_the_way_back(corpus):
    words = corpus.words()
    ids = ids_of(corpus, 0)
    place = int(words.word_origins([0], [2])[0])
    assert corpus.decode(ids[place:]).lstrip().startswith("sat. THE")
    with pytest.raises(CorpusError, match="Document 3 has no word 0"):
        words.word_origins([3], [0])


def test_a_subset_and_a_pickle(corpus):
    part = corpus.subset("number>=13").words()
    assert (part.document_count, size_of(part)) == (2, 6)
    again = pickle.loads(pickle.dumps(corpus.words()))
    assert again == corpus.words()
    assert again.decode([0]) == "the"


def test_a_damaged_index_is_made_again(corpus):
    words = corpus.words(shortest=2)
    folder = words.folders[0]
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ("tokenized.0", "words.vocab"):
        data = bytearray(before[name])
        data[len(data) // 2] ^= 1
        (folder / name).unlink()
        (folder / name).write_bytes(data)
        assert size_of(corpus.words(shortest=2)) == size_of(words)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_cancelled_index_leaves_nothing(corpus):
    cancel = CancelToken()
    kept = set((cache_folder() / "words").iterdir()) if (cache_folder() / "words").is_dir() else set()
    with pytest.raises(Cancelled):
        corpus.words(shortest=3, report=lambda _: cancel.cancel(), cancel=cancel)
    assert set((cache_folder() / "words").iterdir()) == kept


def test_what_a_killed_process_left_is_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    build_index([{"text": "one two"}], tmp_path / "index", tokenizer="bytes")
    index = open_index(tmp_path / "index").index
    made = Path(open_words(index).backend.local.folders[0])
    left, other = (made.with_name(f"{made.name}.{name}.part") for name in ("killed", "working"))
    shutil.rmtree(made)
    for folder in (left, other):
        folder.mkdir()
        (folder / "spellings.0").write_bytes(b"1234")
        os.utime(folder, (0, 0))
    new = made.with_name(f"{made.name}.new.part")
    new.mkdir()
    with folder_lock(other):
        open_words(index)
    assert made.is_dir() and not left.exists() and other.is_dir() and new.is_dir()


def test_two_at_once(corpus):
    made = []
    threads = [threading.Thread(target=lambda: made.append(size_of(corpus.words(shortest=4)))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 3
    assert len(set(made)) == 1


@pytest.mark.parametrize("texts", [["… —"], ["one"], ["x"] * 500, ["a" * 300_000], ["\x00\x01 \x7f"]])
def test_odd_corpora(texts, tmp_path):
    build_index([{"text": text} for text in texts], tmp_path / "odd", tokenizer="bytes")
    words = open_index(tmp_path / "odd").words()
    assert words.document_count == len(texts)
    assert size_of(words) == sum(len(words_of(text, WordRule())) for text in texts)


# Words, types, and types that occur once, computed with another program.
FIGURES = {"tinyshakespeare": (203_863, 12_374, 5_520), "wikitext2-valid": (183_606, 11_960, 3_825)}


@pytest.mark.parametrize("name", text_names(*FIGURES))
def test_a_vocabulary_counts_the_words_of_a_text(name, tmp_path):
    text = text_named(name)
    counted = Counter(words_of(text, WordRule()))
    build_index([{"text": text}], tmp_path / "index", tokenizer="bytes")
    words = open_index(tmp_path / "index").words()
    found = vocabulary_of(words)
    assert {found.form(word): int(count) for word, count in enumerate(found.counts)} == counted
    figures = (size_of(words), len(found), found.hapaxes)
    assert figures == FIGURES.get(name, (counted.total(), len(counted), [*counted.values()].count(1)))
    assert words.count("king", match="tokens") == counted["king"]
    assert words.count("the", match="tokens") == counted["the"] > 0


@pytest.mark.parametrize("sources", [[TEXTS], [TEXTS[:2], TEXTS[2:], TEXTS]])
def test_the_way_from_tokens_to_words_is_that_back(sources, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    folders = [tmp_path / str(number) for number in range(len(sources))]
    for folder, texts in zip(folders, sources, strict=True):
        build_index([{"text": text} for text in texts], folder, tokenizer="bytes")
    corpus = open_index(folders)
    made = word_index(corpus.words().index)
    for number in range(corpus.document_count):
        one = np.array([number])
        size = int(corpus.index.documents.lengths(one)[0])
        words = np.arange(int(made.backend.documents.lengths(one)[0]))
        begins = made.tokens_at(np.full(len(words), number), words)
        tokens = np.arange(size + 2)
        found = made.words_before(np.full(len(tokens), number), tokens)
        assert found.tolist() == [int((begins < token).sum()) for token in tokens]


def test_words_by_an_older_rule_are_listed_again_with_a_notice(tmp_path, caplog, monkeypatch):
    build_index([{"text": "Don’t cut don't or Donau\u00addampf."}], tmp_path / "index", tokenizer="bytes")
    corpus = open_index(tmp_path / "index")
    with monkeypatch.context() as before:
        # As version 1 named it.
        before.setattr(WordRule, "key", property(lambda rule: rule.older_keys[-1]))
        old = Path(corpus.words().index.local.folders[0])
    assert words_are_superseded(corpus.index) and not words_are_made(corpus.index)
    stages = []
    with caplog.at_level(logging.WARNING):
        words = corpus.words(report=lambda progress: stages.append(progress.stage))
    assert "older rule" in caplog.text and any("again" in stage for stage in stages)
    assert not old.exists() and not words_are_superseded(corpus.index)
    assert words.count("don't", match="tokens") == 2
    caplog.clear()
    corpus.words()
    assert not caplog.text


def test_one_word_is_shown_as_it_is_mostly_written(tmp_path):
    text = "straße STRASSE straße می\u200cخواهم DON’T don't Οδυσσεύς ΟΔΥΣΣΕΎΣ cafe\u0301 café"
    build_index([{"text": text}], tmp_path / "index", tokenizer="bytes")
    found = {row.form: row.count for row in open_index(tmp_path / "index").words().ngrams(n=1)}
    assert found == {"straße": 3, "don't": 2, "οδυσσεύς": 2, "café": 2, "می\u200cخواهم": 1}
