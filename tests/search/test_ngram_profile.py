"""N-gram profiles against counting by hand."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st

from explorer import open_index
from explorer.analyses.next_tokens.profile import ladder
from explorer.analyses.ngram_profile.compute import falling, ngram_profile, plateaus
from explorer.errors import QueryError

SHARDS = st.lists(st.lists(st.lists(st.integers(0, 2), max_size=12), min_size=1, max_size=3), min_size=1, max_size=3)
# A third document kind: one long passage, copied, so that there are plateaus.
COPIED = [0, 1, 2, 2, 1, 0, 0, 2, 1, 1]


def times(documents, ids):
    return sum(document[i : i + len(ids)] == ids for document in documents for i in range(len(document) - len(ids) + 1))


def slow_profile(documents, ids, position):
    """Every context of the token that occurs, counted one by one."""
    rows = []
    for n in range(1, position + 2):
        context = ids[position - n + 1 : position]
        # The empty context occurs at every token, and the separator of each document is one.
        count = times(documents, context) if context else sum(map(len, documents)) + len(documents)
        if n > 1 and not count:
            break
        rows.append((n, count, times(documents, [*context, ids[position]])))
    flat = [
        count > 0
        and any(
            first <= i < first + 5 and len({row[1] for row in rows[first : first + 5]}) == 1
            for first in range(len(rows) - 4)
        )
        for i, (_, count, _) in enumerate(rows)
    ]
    return rows, flat


@given(SHARDS, st.lists(st.integers(0, 2), min_size=1, max_size=14), st.data())
def test_every_row(shards, ids, data):
    if data.draw(st.booleans()):
        shards, ids = [*shards, [COPIED, COPIED]], COPIED
    version = data.draw(st.sampled_from([4, 5]))
    position = data.draw(st.integers(0, len(ids) - 1))
    documents = [document for part in shards for document in part]
    with tempfile.TemporaryDirectory() as folder:
        path = twin.write_index(Path(folder), shards, 2, version)
        index = open_index(path, reversed_text=version == 5).index
        found = ngram_profile(index, ids, position)
        shorter = ngram_profile(index, ids, position - len(ids), max_n=2)
    rows, flat = slow_profile(documents, ids, position)
    assert list(zip(found.n.tolist(), found.count.tolist(), found.agreeing.tolist(), strict=True)) == rows
    assert found.plateau.tolist() == flat
    assert (found.position, found.token) == (position, ids[position])
    assert (found.disagreeing + found.agreeing == found.count).all()
    assert shorter.count.tolist() == found.count.tolist()[:2]


def test_subtracted_documents_are_not_counted(small_index, text_folder, tmp_path):
    from explorer import build_index

    less = tmp_path / "less"
    build_index([text_folder / "two.txt"], less, tokenizer=small_index / "tokenizer.json")
    whole, difference = open_index(small_index), open_index(small_index, minus=less)
    ids = whole.encode("the dog saw the cat on the rug")
    found = ngram_profile(difference.index, ids)
    assert found.agreeing.tolist() == [difference.count(ids[len(ids) - n :]) for n in found.n]
    assert found.count.tolist()[1:] == [difference.count(ids[len(ids) - n : -1]) for n in found.n.tolist()[1:]]
    assert ngram_profile(whole.index, ids).agreeing[0] > found.agreeing[0]


def test_counts_are_those_of_the_ladder(small):
    ids = small.encode("the dog sat on the mat, and the dog saw the cat")
    found = ngram_profile(small.index, ids)
    rungs = ladder(small.index, ids[:-1])
    assert found.count.tolist() == [rung.context_count for rung in rungs]
    assert found.plateau.tolist() == [rung.plateau for rung in rungs]


def test_few_questions_for_a_long_context():
    steps = np.repeat([900, 40, 7, 7, 1, 0], [1, 3, 200, 50, 5000, 2])
    asked = []

    def ask(places):
        asked.extend(places.tolist())
        return steps[places]

    assert falling(ask, len(steps)).tolist() == steps.tolist()
    assert len(asked) < 100
    assert falling(lambda places: steps[places], 1).tolist() == [900]


def test_zero_is_no_plateau():
    assert plateaus(np.array([9, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0])).tolist() == [False] + [True] * 5 + [False] * 5
    assert plateaus(np.array([3, 3, 3, 3])).tolist() == [False] * 4
    assert plateaus(np.zeros(0, dtype=np.int64)).tolist() == []


def test_wrong_tokens_are_refused(small):
    ids = small.encode("the cat")
    for position in (len(ids), -len(ids) - 1):
        with pytest.raises(QueryError, match="There is no token"):
            ngram_profile(small.index, ids, position)
    with pytest.raises(QueryError, match="n must be at least 1"):
        ngram_profile(small.index, ids, max_n=0)
    with pytest.raises(QueryError):
        ngram_profile(small.index, [10**9])
