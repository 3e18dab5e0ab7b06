"""Tokens to cut, against the places of every window of a length, and the figures of the answers of twelve models."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st

from explorer import QueryError, build_index, open_index
from explorer.analyses.duplicates.compute import find_duplicates, first_copy, removable

WIDTHS = {1: [1, 2, 250, 3, 4], 2: [1, 2, 258, 3, 4], 4: [1, 2, 70000, 3, 4]}
DOCUMENTS = st.integers(2, 5).flatmap(lambda symbols: st.lists(st.integers(0, symbols - 1), max_size=30))
VOLUMES = st.lists(st.lists(DOCUMENTS, min_size=1, max_size=4), min_size=1, max_size=3)

# By the length: tokens and ranges of "all"; tokens, ranges and documents of "first"; tokens and ranges of "separate".
ANSWERS = {
    16: ((308_788, 10_220), (209_625, 6_859, 3_095), None),
    25: ((149_629, 2_692), (104_531, 1_727, 1_035), (103_819, 1_718)),
    50: ((72_850, 483), (56_932, 321, 204), (55_501, 317)),
    100: ((45_480, 91), (39_036, 69, 54), (36_178, 60)),
    200: ((36_437, 36), (33_035, 28, 24), None),
}
GAPS = {(25, 10): (104_410, 1_545), (25, 50): (110_388, 1_342), (50, 10): (55_540, 303), (50, 50): (56_369, 278)}
ACROSS = {25: 33_578, 50: 6_073, 100: 1_333}


def windows_of(documents, length):
    """The places of each window, in order."""
    places = {}
    for number, document in enumerate(documents):
        for at in range(len(document) - length + 1):
            places.setdefault(tuple(document[at : at + length]), []).append((number, at))
    return places


def cut_plainly(documents, length, rule, across=False):
    """The tokens that a rule cuts, one by one."""
    cut = set()
    for places in windows_of(documents, length).values():
        first = places[0]
        for place in places if rule == "all" else places[1:]:
            apart = place[0] != first[0] or place[1] - first[1] >= length
            other = place[0] != first[0]
            if len(places) > 1 and (apart or rule != "separate") and (other or not across):
                cut |= {(place[0], at) for at in range(place[1], place[1] + length)}
    return cut


def tokens_of(ranges):
    rows = zip(ranges.documents.tolist(), ranges.starts.tolist(), ranges.ends.tolist(), strict=True)
    return {(document, at) for document, start, end in rows for at in range(start, end)}


def indexed(folder, volumes, width, version=4):
    path = twin.write_index(Path(folder) / "index", volumes, width, version=version)
    return open_index(path, check_fit=False, reversed_text=version == 5).index


@given(st.sampled_from([1, 2, 4]), st.sampled_from([4, 5]), VOLUMES, st.integers(1, 6), st.booleans())
def test_what_is_cut_is_what_every_window_tells(width, version, drawn, length, across):
    volumes = [[[WIDTHS[width][each] for each in document] for document in volume] for volume in drawn]
    documents = [document for volume in volumes for document in volume]
    with tempfile.TemporaryDirectory() as folder:
        index = indexed(folder, volumes, width, version)
        cut = {}
        for rule in ("separate", "first", "all")[: 2 if across else 3]:
            found = find_duplicates(index, length, rule, across=across)
            cut[rule] = tokens_of(found.ranges)
            assert cut[rule] == cut_plainly(documents, length, rule, across)
            gone = [{at for number, at in cut[rule] if number == document} for document in range(len(documents))]
            emptied = sum(bool(text) and len(one) == len(text) for one, text in zip(gone, documents, strict=True))
            assert found.documents_emptied == emptied
            profile, places = index.lists.repeat_profile(length), windows_of(documents, length)
            here = (found.ranges.documents, found.ranges.starts, found.ranges.ends)
            for number, start, end in zip(*(each.tolist() for each in here), strict=True):
                windows = (tuple(documents[number][at : at + length]) for at in range(start, end - length + 1))
                firsts = (places[window][0] for window in windows)
                copies = [first for at, first in enumerate(firsts, start) if first != (number, at)]
                assert first_copy(profile, number, start, end, length) == next(iter(copies), None)
    assert cut["separate"] <= cut["first"] <= cut.get("all", cut["first"])


def test_a_text_of_one_letter_keeps_one_window(tmp_path):
    build_index([{"text": "a" * 1000}], tmp_path / "index", tokenizer="bytes")
    corpus = open_index(tmp_path / "index")
    assert corpus.duplicates(50).tokens_removed == 950
    assert corpus.duplicates(50, "first").tokens_removed == 999
    assert corpus.duplicates(50, "all").tokens_removed == 1000
    assert corpus.duplicates(50, "all").documents_emptied == 1
    assert corpus.duplicates(50, unit="bytes").bytes_removed == 950


def test_a_sentence_by_its_words(tmp_path):
    words = "the cat sat on the mat . a dog ran . the cat sat on the mat . end".split()  # noqa: SIM905
    known = {word: number + 1 for number, word in enumerate(dict.fromkeys(words))}
    index = indexed(tmp_path, [[[known[word] for word in words]]], 2)
    assert sorted(at for _, at in tokens_of(find_duplicates(index, 4, "separate").ranges)) == list(range(11, 18))


def test_shards_are_one_text(tmp_path):
    rows = [{"text": f"a line that is long enough {number % 4}\n" * (1 + number % 3)} for number in range(40)]
    for shards in (1, 3):
        build_index(rows, tmp_path / str(shards), tokenizer="bytes", shards=shards)
    one, three = (open_index(tmp_path / name).duplicates(20) for name in ("1", "3"))
    assert one.ranges == three.ranges
    assert one.tokens_removed > 0


def test_bytes_are_those_of_the_text(small):
    found = small.duplicates(3)
    cut = 0
    for row in found:
        ids = small.document(row.document).tokens
        cut += len(small.decode(ids[: row.end]).encode()) - len(small.decode(ids[: row.start]).encode())
    assert found.bytes_removed == cut > 0


def test_each_range_names_its_first_copy(tmp_path):
    texts = ["a line that is repeated", "x a line that is repeated y", "a line that is repeated"]
    build_index([{"text": text} for text in texts], tmp_path / "index", tokenizer="bytes")
    rows = list(open_index(tmp_path / "index").duplicates(16))
    assert [(row.document, row.start, row.end) for row in rows] == [(1, 2, 25), (2, 0, 23)]
    assert [(row.first_document, row.first_start) for row in rows] == [(0, 0), (0, 0)]
    every = open_index(tmp_path / "index").duplicates(16, "all")
    assert [row.first_document for row in every] == [None, 0, 0]
    # A range that is shorter than a window has the place of its own beginning.
    [row, _] = open_index(tmp_path / "index").duplicates(23, borders="words")
    assert (row.start, row.first_start) == (2, 0)


@pytest.mark.parametrize(
    "wrong", [{"length": 0}, {"length": 1 << 16}, {"length": 5, "rule": "none"}, {"length": 5, "gap": -1},
              {"length": 5, "unit": "words"}, {"length": 5, "rule": "all", "across": True}]
)  # fmt: skip
def test_wrong_arguments_are_refused(byte_index, wrong):
    with pytest.raises(QueryError):
        open_index(byte_index).duplicates(**wrong)


def test_lengths_in_bytes_need_bytes(small):
    with pytest.raises(QueryError, match="tokens are bytes"):
        small.duplicates(5, unit="bytes")


def test_answers_of_models(answers_index):
    corpus = open_index(answers_index)
    profile = corpus.index.lists.repeat_profile(16)
    for length, (every, first, separate) in ANSWERS.items():
        found = removable(profile, length, "all")
        assert (found.tokens, len(found)) == every
        found = removable(profile, length, "first")
        assert (found.tokens, len(found), found.documents_touched) == first
        if separate:
            found = removable(profile, length, "separate")
            assert (found.tokens, len(found)) == separate
    for (length, gap), known in GAPS.items():
        found = corpus.duplicates(length, gap=gap)
        assert (found.tokens_removed, len(found)) == known
    for length, known in ACROSS.items():
        assert corpus.duplicates(length, across=True).tokens_removed == known
    told = [(each.documents_touched, each.documents_emptied) for each in map(corpus.duplicates, (50, 25))]
    assert told == [(201, 1), (1_028, 8)]
    counts = profile.spectrum[0]
    shares = [round(100 * counts[length:].sum() / counts.sum(), 3) for length in (8, 13, 16, 25, 50, 100)]
    assert shares == [16.017, 6.937, 4.957, 2.797, 1.679, 1.248]
    assert np.flatnonzero(counts).max() == 4_025
    assert round((counts * np.arange(len(counts))).sum() / counts.sum(), 3) == 19.805


def test_the_curve_is_what_each_length_cuts(some_answers):
    corpus = open_index(some_answers.folder)
    lengths = range(16, 201)
    for rule in ("separate", "first", "all"):
        curve = corpus.duplicates_curve(lengths, rule)
        assert curve.tolist() == [corpus.duplicates(length, rule).tokens_removed for length in lengths]
