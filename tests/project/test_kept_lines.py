"""Sets of lines and undo, as values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from explorer.backends.places import HitPlace
from explorer.project.lines import KeptLine, KeptLines
from explorer.project.undo import MOST_STEPS, Steps
from explorer.project.values import Index, LineSet, Project, Query

A, B, C, D = (HitPlace(number, 2, 1) for number in range(4))
PLACES = some.builds(HitPlace, some.integers(0, 3), some.integers(0, 2), some.just(1))
LINES = some.lists(some.builds(KeptLine, PLACES, some.booleans(), some.sampled_from(["", "a"]), some.booleans()))


def listed(lines):
    return {line.place for line in lines.listed}


def test_marks_notes_and_deletions_are_of_the_chosen_lines():
    lines = KeptLines().with_mark([A, B]).with_note([B, C], "why").without([A])
    assert [line.place for line in lines] == [A, B, C]
    assert [line.place for line in lines.marked] == [B]
    assert [(line.place, line.note) for line in lines.noted] == [(B, "why"), (C, "why")]
    assert [line.place for line in lines.deleted] == [A]
    # What is restored has its mark again.
    assert lines.restored([A]).at(A).marked
    assert lines.at(D) == KeptLine(D)
    assert [line.place for line in lines.with_mark([B], False).with_note([B], "").touched] == [A, C]


@given(LINES.map(KeptLines), LINES.map(KeptLines))
def test_sets_of_lines_are_sets(one, other):
    assert listed(one.union(other)) == listed(one) | listed(other)
    assert listed(one.intersection(other)) == listed(one) & listed(other)
    assert listed(one.difference(other)) == listed(one) - listed(other)
    assert listed(one.union(one)) == listed(one)
    for line in one.intersection(other):
        assert line.marked == (one.at(line.place).marked or other.at(line.place).marked)


def test_notes_of_both_are_kept():
    one, other = KeptLines().with_note([A], "x"), KeptLines().with_note([A], "y")
    assert one.union(other).at(A).note == "x\ny"
    assert one.union(one).at(A).note == "x"


@given(some.lists(some.sampled_from(["undo", "redo", "set"]), max_size=40))
def test_undo_leads_back_over_every_step(moves):
    steps, number = Steps(0), 0
    for move in moves:
        before = steps
        if move == "set":
            number += 1
            steps = steps.to(number)
            assert (steps.now, steps.after) == (number, ())
            assert steps.undone().now == before.now
        elif move == "undo":
            steps = steps.undone()
            assert not before.before or steps.redone() == before
        else:
            steps = steps.redone()
            assert not before.after or steps.undone() == before
    while steps.before:
        steps = steps.undone()
    assert steps.now == 0


def test_an_equal_state_is_no_step_and_old_steps_are_forgotten():
    assert Steps(1).to(1) == Steps(1)
    steps = Steps(0)
    for number in range(1, MOST_STEPS + 10):
        steps = steps.to(number)
    assert len(steps.before) == MOST_STEPS


def test_indexes_of_a_project_have_ids_of_their_own():
    project, one = Project().with_index(Index("", "a", ("/a",), fingerprint="f"))
    project, two = project.with_index(Index("", "b", ("/b",), fingerprint="g"))
    assert (one.id, two.id) == ("1", "2")
    again, same = project.with_index(Index("x", "a", ("/a",), fingerprint="f"))
    assert (again, same) == (project, one)


def test_sets_are_added_replaced_renamed_and_removed():
    one, two = LineSet("one", "1", Query("a")), LineSet("two", "1", Query("b"))
    project = Project().with_set(one).with_set(two)
    assert project.with_set(LineSet("one", "1", Query("c"))).line_set("one").query.text == "c"
    assert [kept.name for kept in project.with_renamed_set("one", "first").sets] == ["first", "two"]
    assert project.with_renamed_set("one", "two") == project
    assert [kept.name for kept in project.without_set("one").sets] == ["two"]


@pytest.mark.parametrize("sort", ["right", "index", "random", "1R,-field:year"])
def test_a_query_is_read_back_as_it_was_asked(sort):
    from explorer.analyses.search.arrange import LineSettings, merge_views, parse_sort
    from explorer.analyses.search.find import QueryOptions

    options = QueryOptions(max_distance=7, match="text", ignore_case=True, node=None)
    view = merge_views(parse_sort(sort), LineSettings(sample=3, seed=2))
    query = Query.of("cat", options, view)
    assert (query.options, query.view) == (options, view)
