"""Lines that are known by their places."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.analyses.search.arrange import LineSettings, parse_sort
from explorer.analyses.search.chosen import check_places, kept_lines, located, numbers_of, without_places
from explorer.backends.places import HitPlace
from explorer.errors import QueryError


def places_of(lines):
    return [HitPlace(x.document, x.offset, x.length, x.begin, x.rest) for x in lines.lines(0, len(lines))]


@pytest.mark.parametrize("match", ["text", "tokens", "regex"])
@pytest.mark.parametrize("sort", ["right", "left", "document", "index", "1L,-document"])
def test_kept_lines_are_the_lines_that_were_kept(small, match, sort):
    lines = small.concordance(" the", sort=sort, match=match)
    assert len(lines) > 10
    again = kept_lines(small.index, places_of(lines))
    assert again.lines(0, 99) == lines.lines(0, 99)


@pytest.mark.parametrize("sort", ["right", "left", "document", "M,-1R"])
def test_kept_lines_are_sorted_as_those_of_the_query(small, sort):
    # In the order of the index at first: lines that are equal in an order stay in it.
    places = places_of(small.concordance(" the", sort="index"))
    again = kept_lines(small.index, places, parse_sort(sort))
    assert again.lines(0, 99) == small.concordance(" the", sort=sort).lines(0, 99)


def test_kept_lines_can_be_filtered_sampled_and_merged(small):
    places = places_of(small.concordance("the cat", sort="document"))
    assert len(kept_lines(small.index, places, LineSettings(sample=2, seed=3))) == 2
    merged = kept_lines(small.index, places, LineSettings(collapse=1))
    assert len(merged) < len(places)
    assert int(merged.arranged.repeats.sum()) == len(places)
    assert len(kept_lines(small.index, [])) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        HitPlace(10**6, 0, 1),
        HitPlace(-1, 0, 1),
        HitPlace(0, 10**6, 1),
        HitPlace(0, -1, 1),
        HitPlace(0, 0, 10**6),
        HitPlace(0, 0, 0),
        HitPlace(0, 2**63 - 1, 2**63 - 1),
        HitPlace(0, 0, 1, -1),
        HitPlace(0, 0, 1, 0, -1),
    ],
)
def test_places_that_are_not_in_the_index_are_refused(small, wrong):
    with pytest.raises(QueryError) as caught:
        kept_lines(small.index, [HitPlace(0, 0, 1), wrong])
    assert caught.value.reason == "place-not-in-index"
    assert caught.value.fields["number"] == 1


def test_a_document_may_be_kept_as_a_whole(small):
    length = small.document(0).token_count
    check_places(small.index, located([HitPlace(0, 0, length)]))
    with pytest.raises(QueryError):
        check_places(small.index, located([HitPlace(0, 1, length)]))


@pytest.mark.parametrize("match", ["text", "tokens"])
@pytest.mark.parametrize("sort", ["right", "index", "random"])
@pytest.mark.parametrize("known", ["none", "right", "wrong"])
def test_lines_that_are_left_out_leave_the_others_as_they_are(small, match, sort, known):
    lines = small.concordance(" the", sort=sort, match=match)
    all_lines = lines.lines(0, len(lines))
    out = [1, 4, len(lines) - 1]
    places = [places_of(lines)[number] for number in out]
    numbers = lines.arranged.numbers
    right = [number if numbers is None else int(numbers[number]) for number in out]
    hints = {"none": (), "right": right, "wrong": [(number + 1) % len(lines) for number in right]}[known]
    rest = without_places(lines, places, hints)
    expected = [line.right for number, line in enumerate(all_lines) if number not in out]
    assert [line.right for line in rest.lines(0, 99)] == expected
    assert numbers_of(lines.hits, places, hints).tolist() == right
    assert without_places(lines, []) is lines
    assert len(without_places(lines, [HitPlace(0, 10**6, 1)])) == len(lines)


def test_merged_lines_keep_their_numbers_of_repeats(small):
    lines = small.concordance("the", view=LineSettings(collapse=1))
    first = places_of(lines)[0]
    rest = without_places(lines, [first])
    assert np.array_equal(rest.arranged.repeats, lines.arranged.repeats[1:])
