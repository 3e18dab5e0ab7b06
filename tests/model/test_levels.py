"""Levels of texts over generated documents: against loops, in shards and in lists."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st
from opened_with import in_lists, open_shards

from explorer.analyses.model import levels as room
from explorer.analyses.model.levels import Reach, levels_of, places_in
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled

pytestmark = pytest.mark.local("compares shards with lists itself")

DOCUMENT = st.lists(st.integers(0, 2), max_size=14)
SHARDS = st.lists(st.lists(DOCUMENT, min_size=1, max_size=4), min_size=1, max_size=3)
TEXTS = st.lists(st.lists(st.integers(0, 3), max_size=12), min_size=1, max_size=3)
REACH = st.builds(
    Reach,
    context=st.integers(1, 8),
    selective=st.booleans(),
    most=st.sampled_from([None, 1, 2]),
    empty=st.booleans(),
)


def after(documents: list[list[int]], context: list[int]) -> list[int]:
    """Every token that follows the context in its document."""
    size = len(context)
    return [
        document[at + size]
        for document in documents
        for at in range(len(document) - size)
        if document[at : at + size] == context
    ]


def by_loops(documents: list[list[int]], text: list[int], place: int, reach: Reach) -> list[tuple[int, int, int, int]]:
    """(length, followed, distinct, times) of each level, longest first."""
    kept: list[tuple[int, int, int, int]] = []
    for length in range(min(place, reach.context), -1, -1):
        found = after(documents, text[place - length : place])
        less = reach.leave_one_out and text[place] in found
        if less:
            found.remove(text[place])
        if not found or (length == 0 and not reach.empty) or (reach.selective and kept and kept[-1][1] >= len(found)):
            continue
        kept.append((length, len(found), len(set(found)), found.count(text[place])))
    return kept[: reach.most]


def found_by(index: Any, texts: list[list[int]], reach: Reach) -> list[list[tuple[int, ...]]]:
    arrays = [np.array(text, dtype=np.int64) for text in texts]
    rows = []
    for levels in levels_of(index, places_in(arrays, [0] * len(texts)), reach):
        columns = (levels.lengths, levels.followed, levels.distinct, levels.times)
        for row, exists in enumerate(levels.exists):
            rows.append([tuple(int(column[row, at]) for column in columns) for at in np.flatnonzero(exists)])
    return rows


@given(SHARDS, TEXTS, REACH, st.sampled_from([4, 5]))
def test_levels(shards, texts, reach, version):
    documents = [document for shard in shards for document in shard]
    with tempfile.TemporaryDirectory() as folder:
        path = twin.write_index(Path(folder) / "index", shards, 1, version)
        index = open_shards(path, tokenizer="bytes", reversed_text=version == 5, check_fit=False)
        expected = [by_loops(documents, text, place, reach) for text in texts for place in range(len(text))]
        assert found_by(index, texts, reach) == expected
        assert found_by(in_lists(index), texts, reach) == expected


@given(SHARDS, REACH)
def test_texts_of_the_corpus_without_themselves(shards, reach):
    documents = [document for shard in shards for document in shard]
    alone = Reach(reach.context, reach.selective, reach.most, reach.empty, leave_one_out=True)
    with tempfile.TemporaryDirectory() as folder:
        index = open_shards(twin.write_index(Path(folder) / "index", shards, 1, 4), tokenizer="bytes", check_fit=False)
        expected = [by_loops(documents, text, place, alone) for text in documents for place in range(len(text))]
        assert found_by(index, documents, alone) == expected


class Elsewhere:
    """The counts of an index, as if each question were a message; `asked` counts them."""

    asks_elsewhere = True

    def __init__(self, counts: Any) -> None:
        self._counts, self.asked = counts, 0

    def followers(self, *question: Any) -> Any:
        self.asked += 1
        return self._counts.followers(*question)

    def count_many(self, *question: Any) -> Any:
        self.asked += 1
        return self._counts.count_many(*question)


@given(SHARDS, TEXTS, REACH, st.booleans())
def test_lengths_that_are_asked_together_give_the_same(shards, texts, reach, own):
    """Also where a longer context seems to occur and a shorter one does not, since one occurrence is left out."""
    texts = [[*texts[0], *shards[0][0]], *texts[1:]]
    reach = replace(reach, leave_one_out=True)
    places = places_in([np.array(text, dtype=np.int64) for text in texts], [0] * len(texts))
    if own:
        places = replace(places, own=np.minimum(places.tokens - places.begins, 2))
    with tempfile.TemporaryDirectory() as folder:
        index = open_shards(twin.write_index(Path(folder) / "index", shards, 1, 4), tokenizer="bytes", check_fit=False)
        here = list(levels_of(index, places, reach))
        elsewhere = Elsewhere(index.counts)
        assert list(levels_of(SimpleNamespace(counts=elsewhere), places, reach)) == here
    # 0, then 1 and 2, then 3 to 6, then up to 14.
    assert elsewhere.asked <= 2 * len(here) * (reach.context + 1).bit_length()


def test_blocks_change_nothing(small, monkeypatch):
    ids = small.encode("the cat sat on the mat, and the dog saw the cat on the rug.")
    texts = [list(ids), list(ids[4:9])]
    whole = found_by(small.index, texts, Reach())
    monkeypatch.setattr(room, "BLOCK", 3)
    assert found_by(small.index, texts, Reach()) == whole


def test_cancel(small):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        list(levels_of(small.index, places_in([np.array(small.encode("the cat"))], [0]), Reach(), cancel))
