"""Marks, notes, deletions, sets and undo of lines, without widgets: the test decides when answers come."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from by_hand import HandServices, HandSlot

from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.arrange import NearFilter
from explorer.core.jobs import Kind
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.project.projects import Projects
from explorer.gui.project.views import Views
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.settings.store import Settings
from explorer.project import open_project
from explorer.project.tables import place_of


class Bench:
    """Search with the project of a window."""

    def __init__(self, corpus, folder):
        self.services, self.corpus = HandServices(), corpus
        self.files, self.reader = HandSlot("project", Kind.APART), HandSlot("fingerprint", Kind.QUICK)
        self.settings = Settings(folder / "settings.json")
        views = Views("search", {})
        self.projects = Projects(self.files, self.reader, self.settings, lambda _: None, lambda: views, lambda _: None)
        self.presenter = SearchPresenter(self.services, lambda _: None, lambda past, instead: None)
        self.marks = self.presenter.marks
        self.said = ""
        self.presenter.watch(self._note)
        self.edits, self.sets = self.presenter.edits, self.presenter.sets
        for part in (self.sets, self.marks):
            part.use_store(self.projects)
        self.projects.watch(lambda state, _: self.use_project(state.project, state.current))
        self.presenter.use_corpus(corpus)
        self.projects.use_corpus(corpus, OpenRequest(tuple(map(str, corpus.folders))))
        self.reader.answer()
        self.services.answer_all()

    def use_project(self, project, index):
        for part in (self.sets, self.marks):
            part.use_project(project, index)

    def _note(self, state, before):
        # Messages disappear by themselves.
        self.said = state.message or self.said

    @property
    def state(self):
        return self.presenter.state

    def ask(self, text):
        self.presenter.typed(text)
        self.settle()

    def settle(self):
        self.services.let_time_pass()
        self.services.answer_all()

    def texts(self):
        """What the lines show."""
        found = self.state.lines.answer.value.lines
        return [(line.left, line.match, line.right) for line in found.lines(0, len(found))]

    def places(self):
        found = self.state.lines.answer.value.lines
        return [place_of(line) for line in found.lines(0, len(found))]

    def mark(self, *lines):
        self.edits.toggle_mark(lines)
        self.settle()

    def note(self, text, *lines):
        self.edits.note(lines, text)
        self.settle()

    def delete(self, *lines):
        self.edits.delete(lines)
        self.settle()

    def undo(self):
        self.marks.undo()
        self.settle()

    def redo(self):
        self.marks.redo()
        self.settle()

    def save_set(self, name):
        self.sets.save(name)
        self.settle()

    def open_set(self, name):
        self.sets.open(name)
        self.settle()


@pytest.fixture
def bench(small, tmp_path):
    made = Bench(small, tmp_path)
    made.ask("the")
    return made


def test_lines_are_marked_and_unmarked(bench):
    bench.mark(1, 3)
    assert bench.state.marks.facts == ("2 marked", "")
    bench.mark(1, 2)
    # Not all of them were marked, so all are now.
    assert bench.state.marks.marked == 3
    bench.mark(1, 2)
    assert bench.state.marks.marked == 1
    assert [bench.state.marks.signs(place) for place in bench.places()[2:4]] == [(), ("flag",)]


def test_what_is_asked_quickly_is_all_done(bench):
    for line in range(4):
        bench.edits.toggle_mark([line])
    bench.settle()
    assert bench.state.marks.marked == 4


def test_lines_are_those_of_the_order_in_which_they_were_chosen(bench):
    finder = bench.services.slots["marks"]
    first = bench.places()[0]
    bench.edits.toggle_mark([0])
    # Their places are still being looked up when the lines are listed in another order.
    bench.presenter.lines.sort_by("left")
    bench.services.let_time_pass()
    for name, slot in bench.services.slots.items():
        if name != "marks":
            while slot.busy:
                slot.answer()
    second = bench.places()[0]
    assert second != first and finder.busy
    bench.edits.toggle_mark([0])
    bench.settle()
    assert {line.place for line in bench.state.marks.lines.marked} == {first, second}


def test_what_is_done_after_a_new_sort_chooses_no_line_of_the_old_one(bench):
    gone = bench.places()[3]
    bench.edits.delete([3])
    bench.presenter.lines.sort_by("left")
    bench.services.let_time_pass()
    for name, slot in bench.services.slots.items():
        if name != "marks":
            while slot.busy:
                slot.answer()
    bench.settle()
    assert bench.state.marks.stay == -1
    assert gone not in bench.places()


@pytest.mark.parametrize("act", ["mark", "note", "delete"])
def test_what_was_asked_before_another_query_is_done_with_the_lines_of_the_first(bench, act):
    place = bench.places()[0]
    getattr(bench.edits, {"mark": "toggle_mark"}.get(act, act))([0], *(["why"] if act == "note" else []))
    finder = bench.services.slots["marks"]
    bench.presenter.typed("dog")
    bench.services.let_time_pass()
    bench.services.slots["search"].answer()
    finder.answer()
    bench.settle()
    assert bench.state.marks.facts == ("", "") and not bench.state.marks.can_undo
    bench.ask("the")
    line = bench.state.marks.lines.at(place)
    assert {"mark": line.marked, "note": line.note == "why", "delete": line.deleted}[act]
    bench.undo()
    line = bench.state.marks.lines.at(place)
    assert not (line.marked or line.note or line.deleted)


def test_marks_stay_with_their_lines_whatever_the_order(bench):
    bench.mark(0)
    place = bench.places()[0]
    bench.presenter.lines.sort_by("left")
    bench.settle()
    assert bench.places().index(place) > 0
    assert bench.state.marks.signs(place) == ("flag",)


def test_notes_are_written_and_removed(bench):
    bench.note(" why \n", 2)
    place = bench.places()[2]
    assert bench.state.marks.note_on(place) == "why"
    assert bench.state.marks.facts == ("", "1 note")
    assert bench.state.marks.signs(place) == ("pencil",)
    bench.note("", 2)
    assert bench.state.marks.facts == ("", "")


@pytest.mark.parametrize("sort", ["right", "left", "index", "document"])
def test_deleted_lines_are_left_out_and_counted(bench, sort):
    bench.presenter.lines.sort_by(sort)
    bench.settle()
    before = bench.texts()
    assert bench.state.headline == (f"{len(before)}", "hits")
    bench.delete(0, 5)
    assert bench.texts() == [text for number, text in enumerate(before) if number not in (0, 5)]
    assert bench.state.headline == (f"{len(before) - 2}", f"of {len(before)} hits, 2 deleted")
    # The line that took the place of the first one is chosen next.
    assert bench.state.marks.stay == 0
    bench.undo()
    assert bench.texts() == before and bench.state.headline[1] == "hits"
    bench.redo()
    assert len(bench.texts()) == len(before) - 2


def test_deleted_lines_stay_deleted_in_another_order(bench):
    before = len(bench.texts())
    place = bench.places()[3]
    bench.delete(3)
    bench.presenter.lines.sort_by("left")
    bench.settle()
    assert place not in bench.places() and len(bench.texts()) == before - 1


def test_all_lines_can_be_deleted(bench):
    bench.delete(*range(len(bench.texts())))
    assert bench.texts() == []
    assert bench.state.invitation[1] == "All lines are deleted. Ctrl+Z brings them back." or (
        "All lines are deleted" in " ".join(bench.state.invitation)
    )
    bench.undo()
    assert bench.texts()


def test_merged_lines_are_not_deleted(bench):
    bench.presenter.lines.choose(collapse=1)
    bench.settle()
    before = bench.texts()
    bench.delete(0)
    assert bench.texts() == before
    assert bench.said == "Turn off merging to delete lines."


def test_filters_are_undone_too(bench):
    one, two = FieldFilter("path", "~", "one"), FieldFilter("path", "~", "t")
    total = len(bench.texts())
    bench.presenter.filters.add(one)
    bench.settle()
    few = len(bench.texts())
    assert 0 < few < total
    bench.presenter.filters.remove(one)
    bench.presenter.filters.add(two)
    bench.settle()
    for filters, count in (((), total), ((one,), few), ((), total)):
        bench.undo()
        assert bench.state.filters.filters == bench.state.lines.filters == filters
        assert len(bench.texts()) == count
    assert not bench.state.marks.can_undo
    bench.undo()
    assert bench.said == "Nothing to undo."
    bench.redo()
    assert bench.state.filters.filters == (one,)


def test_a_filter_that_stays_for_another_query_can_be_undone_there(bench):
    one, two = FieldFilter("path", "~", "one"), FieldFilter("path", "~", "t")
    bench.presenter.filters.add(one)
    bench.settle()
    bench.mark(0)
    bench.presenter.filters.add(two)
    bench.settle()
    bench.ask("dog")
    assert bench.state.filters.filters == (one, two) and bench.state.marks.marked == 0
    bench.undo()
    assert bench.state.filters.filters == (one,)
    bench.undo()
    assert bench.state.filters.filters == () and not bench.state.marks.can_undo
    # Back at the query before, its own steps are undone: first what was changed meanwhile.
    bench.ask("the")
    assert bench.state.filters.filters == () and bench.state.marks.marked == 1
    bench.undo()
    assert bench.state.filters.filters == (one, two)
    bench.undo()
    assert bench.state.filters.filters == (one,)


def test_steps_of_marks_and_filters_are_undone_in_their_order(bench):
    condition = FieldFilter("path", "~", "one")
    bench.mark(0)
    bench.presenter.filters.add(condition)
    bench.settle()
    bench.delete(0)
    listed = len(bench.texts())
    bench.undo()
    assert len(bench.texts()) == listed + 1
    bench.undo()
    assert bench.state.filters.filters == () and bench.state.marks.marked == 1
    bench.undo()
    assert bench.state.marks.marked == 0


def test_marked_lines_that_a_filter_leaves_out_are_not_counted_as_listed(bench):
    bench.mark(*range(len(bench.texts())))
    total = bench.state.marks.marked
    bench.presenter.filters.add(FieldFilter("path", "~", "one"))
    bench.settle()
    listed = len(bench.texts())
    assert bench.state.marks.facts == (f"{listed} marked", f"{total - listed} not listed")


def test_each_query_has_its_own_marks_and_steps(bench):
    bench.mark(0, 1)
    bench.ask("dog")
    assert bench.state.marks.facts == ("", "") and not bench.state.marks.can_undo
    bench.mark(0)
    bench.ask("the")
    assert bench.state.marks.marked == 2
    bench.undo()
    assert bench.state.marks.marked == 0
    bench.ask("dog")
    assert bench.state.marks.marked == 1
    # Both are in the project.
    assert [saved.query.text for saved in bench.projects.state.project.queries] == ["dog"]


def test_marked_lines_are_saved_as_a_set_and_opened_as_exactly_these(bench, tmp_path):
    bench.mark(1, 4)
    bench.note("why", 4)
    texts = [bench.texts()[number] for number in (1, 4)]
    assert bench.state.marks.save_label == "Save marked as set …"
    bench.save_set("two")
    assert bench.said == "Saved 2 lines as “two”."
    bench.ask("dog")
    bench.open_set("two")
    assert bench.state.query.text == "the"
    assert sorted(bench.texts()) == sorted(texts)
    assert bench.state.headline == ("2", "lines of the set “two”")
    assert bench.state.marks.facts == ("2 marked", "1 note")
    # It is sorted like any lines.
    bench.presenter.lines.sort_by("left")
    bench.settle()
    assert sorted(bench.texts()) == sorted(texts)
    bench.delete(0)
    assert bench.state.headline == ("1", "line of the set “two”, 1 deleted")
    assert len(bench.projects.state.project.line_set("two").lines.listed) == 1
    bench.undo()
    assert len(bench.projects.state.project.line_set("two").lines.listed) == 2
    bench.sets.close()
    bench.settle()
    assert bench.state.marks.opened is None and len(bench.texts()) > 2
    # What was done with the lines of the query is there again.
    assert bench.state.marks.marked == 2


def test_a_set_that_is_closed_leaves_the_lines_of_its_query_as_they_were(bench):
    bench.mark(0, 1)
    bench.delete(3)
    before = bench.texts()
    bench.save_set("two")
    bench.open_set("two")
    assert len(bench.texts()) == 2
    bench.sets.close()
    bench.settle()
    assert bench.texts() == before and len(bench.state.marks.lines.deleted) == 1
    bench.ask("dog")
    bench.ask("the")
    assert bench.texts() == before
    # Its own steps are undone, not those of the set.
    bench.undo()
    assert len(bench.texts()) == len(before) + 1


def test_a_session_opens_its_set_with_the_conditions_on_it(bench, tmp_path):
    bench.mark(0, 1, 2)
    bench.save_set("three")
    bench.open_set("three")
    bench.presenter.filters.add(FieldFilter("path", "~", "one"))
    bench.settle()
    before, kept = bench.texts(), bench.presenter.state.session()
    assert kept["set"] == "three"
    bench.ask("dog")
    bench.presenter.restore(json.loads(json.dumps(kept)))
    bench.settle()
    assert bench.texts() == before and bench.state.marks.opened.name == "three"
    # A session without a set closes it, although the query is the same.
    bench.presenter.restore(kept | {"set": "", "filters": []})
    bench.settle()
    assert bench.state.marks.opened is None and len(bench.texts()) > 3


def test_a_session_waits_for_the_project_that_has_its_set(bench, small, tmp_path):
    bench.mark(0, 1)
    bench.save_set("two")
    bench.open_set("two")
    kept, project, index = bench.presenter.state.session(), bench.projects.state.project, bench.projects.state.current
    (tmp_path / "again").mkdir()
    again = Bench(small, tmp_path / "again")
    again.presenter.restore(kept)
    again.settle()
    assert len(again.texts()) > 2
    again.use_project(project, index)
    again.settle()
    assert len(again.texts()) == 2 and again.state.marks.opened.name == "two"


def test_without_marks_all_lines_are_saved(bench):
    bench.delete(0)
    assert bench.state.marks.save_label == "Save as set …"
    texts = bench.texts()
    bench.save_set("all")
    bench.open_set("all")
    assert bench.texts() == texts


def test_another_query_closes_the_set(bench):
    bench.save_set("all")
    bench.open_set("all")
    bench.ask("dog")
    assert bench.state.marks.opened is None
    assert bench.state.headline[1] == "hits"


def test_sets_are_renamed_and_removed(bench):
    bench.mark(0)
    bench.save_set("one")
    bench.save_set("two")
    bench.open_set("one")
    bench.sets.rename("one", "two")
    assert bench.said == "There is a set “two” already."
    bench.sets.rename("one", " first ")
    assert bench.state.marks.opened.name == "first"
    assert [kept.name for kept, _ in bench.state.sets.kept] == ["first", "two"]
    bench.sets.remove("first")
    bench.settle()
    assert bench.state.marks.opened is None
    assert [kept.name for kept, _ in bench.state.sets.kept] == ["two"]


def test_a_set_of_other_contents_is_not_shown(bench):
    bench.mark(0)
    bench.save_set("old")
    project = bench.projects.state.project
    kept = replace(project.line_set("old"), fingerprint="0" * 32)
    bench.use_project(project.with_set(kept), bench.projects.state.current)
    texts = bench.texts()
    bench.open_set("old")
    assert bench.state.marks.opened is None and bench.texts() == texts
    assert "was saved from other contents" in bench.state.notice


def test_a_saved_project_brings_marks_and_deletions_back(bench, small, tmp_path):
    bench.mark(1)
    bench.note("why", 2)
    bench.delete(0)
    texts, path = bench.texts(), tmp_path / "p.cxproj"
    bench.projects.save(str(path))
    bench.files.answer()
    # Saving is not a step, and keeps those that can be undone.
    assert bench.state.marks.can_undo
    other = Bench(small, tmp_path / "other")
    other.ask("the")
    assert other.texts() != texts
    other.projects.open(str(path), with_views=False)
    other.files.answer()
    other.settle()
    assert other.texts() == texts
    assert other.state.marks.facts == ("1 marked", "1 note")
    assert other.state.headline[1].endswith(", 1 deleted")
    assert open_project(path) == bench.projects.state.project


def test_a_project_that_is_read_only_keeps_nothing(bench):
    project = bench.projects.state.project
    from explorer.project.values import Origin

    newer = replace(project, origin=Origin(project.file, "", 2))
    bench.use_project(newer, bench.projects.state.current)
    bench.mark(0)
    assert bench.state.marks.marked == 0
    assert "read-only" in bench.said


def test_words_nearby_are_a_filter_that_can_be_undone(bench):
    bench.presenter.filters.add_near("cat", 3, True)
    bench.settle()
    assert isinstance(bench.state.filters.filters[0], NearFilter)
    bench.undo()
    assert bench.state.filters.filters == ()
    bench.redo()
    assert [each.text for each in bench.state.filters.filters] == ["cat"]


def test_without_an_index_nothing_is_marked(bench):
    bench.presenter.use_corpus(None)
    bench.projects.use_corpus(None, OpenRequest(()))
    bench.mark(0)
    assert bench.state.marks.why_not


def test_lines_of_and_are_marked_too(bench):
    bench.ask('"cat" AND "mat"')
    total = len(bench.texts())
    bench.mark(0)
    bench.delete(1)
    assert len(bench.texts()) == total - 1
    assert bench.state.marks.marked == 1
    bench.save_set("both")
    bench.open_set("both")
    assert len(bench.texts()) == 1
