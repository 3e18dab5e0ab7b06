"""Hints against walks over the documents: the chosen lengths and counts, and which tokens may be drawn."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import _fastsa

SEPARATOR = 255
DOCUMENTS = st.lists(st.lists(st.integers(0, 2), max_size=25), min_size=1, max_size=4)


def shard_of(documents: list[list[int]], backward: bool) -> _fastsa.Shard:
    text = np.array([t for d in documents for t in (SEPARATOR, *(d[::-1] if backward else d))], dtype=np.uint8)
    order = _fastsa.suffix_array(text.astype(np.int32) + 1, 257)
    return _fastsa.Shard(text, order.astype("<u8").view(np.uint8), 1, 8)


def hints_of(shards, text, plateau=5, samples=20, context=100, leaves_out=False, is_inside=False, seed=0, begin=0):
    """Hints for every token of a text, from shards of (documents, whether they are stored backwards)."""
    places = np.arange(len(text), dtype=np.int64)
    return _fastsa.hints(
        [shard_of(*shard) for shard in shards],
        [backward for _, backward in shards],
        np.array(text, dtype=np.int64),
        places,
        np.minimum(begin, places),
        places,
        plateau,
        samples,
        context,
        leaves_out,
        is_inside,
        seed,
    )


def following(shards, context: list[int]) -> Counter[int]:
    size = len(context)
    return Counter(
        document[at + size]
        for documents, _ in shards
        for document in documents
        for at in range(len(document) - size)
        if document[at : at + size] == context
    )


def by_walking(shards, before: list[int], token: int, plateau: int, context: int, leaves_out: bool):
    """(tokens of context, what follows it)."""
    profile = [following(shards, [])]
    for size in range(1, min(len(before), context) + 1):
        profile.append(following(shards, before[len(before) - size :]))
    if leaves_out:
        profile = [after - Counter({token: 1}) for after in profile]
    totals = [after.total() for after in profile]
    chosen = 0
    for size in range(1, len(totals)):
        if not totals[size]:
            break
        chosen = size
        if plateau and size >= plateau and len(set(totals[size - plateau + 1 : size + 1])) == 1:
            chosen = size - plateau
            break
    return chosen, profile[chosen]


@given(
    st.lists(st.tuples(DOCUMENTS, st.booleans()), min_size=1, max_size=2),
    st.lists(st.integers(0, 2), min_size=1, max_size=20),
    st.sampled_from([0, 2, 3, 5]),
    st.sampled_from([1, 3, 20]),
    st.sampled_from([1, 4, 100]),
    st.booleans(),
)
def test_hints(shards, text, plateau, samples, context, leaves_out):
    tokens, lengths, sizes, counts = hints_of(shards, text, plateau, samples, context, leaves_out)
    for place, token in enumerate(text):
        chosen, after = by_walking(shards, text[:place], token, plateau, context, leaves_out)
        assert (sizes[place], counts[place]) == (chosen, after.total())
        assert lengths[place] == min(samples, after.total())
        drawn = Counter(tokens[place, : lengths[place]].tolist())
        assert (tokens[place, lengths[place] :] == -1).all()
        # Different occurrences: no token oftener than it follows, and all of them where there are few.
        assert drawn <= after
        if after.total() <= samples:
            assert drawn == after


@given(DOCUMENTS, st.booleans(), st.integers(0, 3))
def test_a_text_of_the_index_is_left_out_with_and_without_a_look(documents, backward, plateau):
    shards = [(documents, backward)]
    for document in documents:
        looked = hints_of(shards, document, plateau, leaves_out=True)
        known = hints_of(shards, document, plateau, leaves_out=True, is_inside=True)
        assert all(map(np.array_equal, looked, known))


@pytest.mark.parametrize("backward", [False, True])
def test_samples_have_the_distribution(backward):
    """Chi-square of 20 samples of each of 2,000 places with one context, against its followers."""
    random = np.random.default_rng(1)
    after = random.choice([1, 2, 3, 4, 5], size=3000, p=[0.5, 0.25, 0.15, 0.07, 0.03])
    shards = [([[9, token] for token in after.tolist()] + [[9]] * 500, backward)]
    wanted = Counter(after.tolist())
    for leaves_out in (False, True):
        tokens, lengths, sizes, counts = hints_of(shards, [9, 1] * 2000, context=1, leaves_out=leaves_out, seed=7)
        drawn = Counter(tokens[1::2].ravel().tolist())
        total = 3000 - leaves_out
        assert set(lengths[1::2].tolist()) == {20}
        assert set(counts[1::2].tolist()) == {total}
        assert set(sizes[1::2].tolist()) == {1}
        expected = {token: 40_000 * (count - (leaves_out and token == 1)) / total for token, count in wanted.items()}
        statistic = sum((drawn[token] - expected[token]) ** 2 / expected[token] for token in wanted)
        # 4 degrees of freedom: 18.5 is exceeded once in a thousand.
        assert statistic < 18.5


def test_the_seed_and_the_number_decide_all_chance():
    shards = [([[9, token] for token in range(200)], False)]
    one = hints_of(shards, [9, 1, 9, 1], context=1, seed=3)
    assert np.array_equal(one[0], hints_of(shards, [9, 1, 9, 1], context=1, seed=3)[0])
    assert not np.array_equal(one[0], hints_of(shards, [9, 1, 9, 1], context=1, seed=4)[0])
    assert not np.array_equal(one[0][1], one[0][3])


def test_a_context_does_not_begin_before_its_text():
    documents = [[1, 2, 3, 4]]
    sizes = hints_of([(documents, False)], [1, 2, 3, 4], plateau=0, begin=2)[2]
    assert sizes.tolist() == [0, 0, 0, 1]


def test_bad_arguments():
    shard = shard_of([[1, 2]], False)
    numbers = np.zeros(1, dtype=np.int64)

    def call(shards=(shard,), backward=(False,), ids=numbers, places=numbers, begins=numbers, rule=(5, 20, 100)):
        return _fastsa.hints(shards, backward, ids, places, begins, numbers, *rule, False, False, 0)

    for rule in ((-1, 20, 100), (5, 0, 100), (5, 256, 100), (5, 20, 0)):
        with pytest.raises(ValueError, match="samples"):
            call(rule=rule)
    with pytest.raises(ValueError, match="direction"):
        call(backward=())
    with pytest.raises(ValueError, match="one length"):
        call(places=np.zeros(2, dtype=np.int64))
    with pytest.raises(ValueError, match="not an id"):
        call(ids=numbers + 256)
    for places, begins in ((numbers + 1, numbers), (numbers, numbers + 1), (numbers - 1, numbers - 1)):
        with pytest.raises(IndexError, match="outside"):
            call(places=places, begins=begins)
    with pytest.raises(_fastsa.Stopped):
        _fastsa.hints(
            [shard], [False], numbers, numbers, numbers, numbers, 5, 20, 9, False, False, 0, np.ones(1, dtype=np.uint8)
        )
