"""The Search screen without its widgets: answers that are late, in another order, stale, stopped, or errors."""

from __future__ import annotations

import json
import shutil

import pytest
from by_hand import HandServices

from explorer import build_index, open_index
from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.arrange import SortLevel
from explorer.errors import QueryError
from explorer.gui.presenting.answer import Freshness
from explorer.gui.presenting.requests import DocumentListed, DocumentRequest
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.state import View
from explorer.gui.screens.search.views.field_answer import LINES, RATE, VALUE
from explorer.gui.screens.search.views.view_files import facet_table
from explorer.gui.screens.search.work import PAGE, PageRequest
from explorer.gui.settings.history import PastQuery
from explorer.gui.settings.matching import Matching

GONE = QueryError("The drive is gone.")


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services = HandServices()
        self.requests, self.kept = [], []
        self.presenter = SearchPresenter(
            self.services, self.requests.append, lambda past, instead: self.kept.append((past.text, instead))
        )
        self.presenter.use_corpus(corpus)
        self.services.answer_all()

    @property
    def state(self):
        return self.presenter.state

    def slot(self, name):
        return self.services.slots[name]

    def type(self, text) -> None:
        self.presenter.typed(text)
        self.services.let_time_pass()

    def ask(self, text) -> None:
        self.type(text)
        self.services.answer_all()


@pytest.fixture
def bench(small):
    return Bench(small)


@pytest.fixture
def other(byte_index):
    return open_index(byte_index)


# The query and its lines.


def test_nothing_is_asked_while_the_person_types(bench):
    before = bench.slot("search").asked
    for end in range(1, 8):
        bench.presenter.typed("the cat"[:end])
    assert bench.slot("search").asked == before
    bench.services.let_time_pass()
    assert bench.slot("search").asked == before + 1 and bench.state.query.answer.awaited


def test_the_hits_come_first_and_then_their_lines(bench, small):
    expected = small.count("cat", whole_words=True)
    bench.type("cat")
    bench.slot("search").answer()
    assert bench.state.headline == (f"{expected:,}", "hits") and bench.state.listed is None
    assert bench.state.page is None and bench.slot("arrange").busy
    bench.slot("arrange").answer()
    assert len(bench.state.listed.lines) == expected and bench.state.page is View.LINES
    assert "in " not in bench.state.details
    bench.slot("facts").answer()
    assert bench.state.details.startswith("in ")


def test_an_answer_to_an_earlier_query_never_shows(bench):
    bench.type("cat")
    bench.type("dog")
    bench.slot("search").answer()
    assert bench.state.query.found.query == "dog" and not bench.slot("search").busy


def test_lines_of_an_earlier_query_never_arrive(bench):
    bench.type("cat")
    bench.slot("search").answer()
    bench.type("dog")
    bench.slot("search").answer()
    bench.slot("arrange").answer()
    assert bench.state.listed.request.found.query == "dog"


def test_the_old_lines_stay_dimmed_until_the_new_ones_arrive(bench):
    bench.ask("cat")
    old = bench.state.listed
    bench.type("dog")
    assert bench.state.query.answer.dimmed and bench.state.lines_dimmed and bench.state.awaited
    bench.slot("search").answer()
    # The number is that of the new query, the lines are those of the old one.
    assert not bench.state.query.answer.dimmed and bench.state.lines_dimmed
    assert bench.state.lines.answer.value is old and bench.state.listed is None
    bench.services.answer_all()
    assert not bench.state.lines_dimmed and bench.state.listed.request.found.query == "dog"


def test_a_failed_query_keeps_the_last_answer_dimmed(bench):
    bench.ask("cat")
    old = bench.state.listed
    bench.type("dog")
    bench.slot("search").fail(GONE)
    assert bench.state.notice == "The drive is gone." and bench.state.lines.answer.value is old
    assert bench.state.query.answer.dimmed and bench.state.lines_dimmed and not bench.state.awaited
    bench.ask("cat")
    assert bench.state.notice == "" and not bench.state.lines_dimmed


def test_failed_lines_leave_the_count_and_dim_the_old_lines(bench):
    bench.ask("cat")
    bench.type("dog")
    bench.slot("search").answer()
    bench.slot("arrange").fail(GONE)
    assert bench.state.notice == "The drive is gone." and not bench.state.query.answer.dimmed
    assert bench.state.query.found.query == "dog" and bench.state.lines_dimmed and bench.state.page is View.LINES


def test_a_problem_in_the_query_is_shown_at_its_place_until_the_query_is_changed(bench):
    bench.ask('cat AND "mat')
    problem = bench.state.query.problem
    assert "quote is never closed" in problem.message and problem.start == 8 and bench.state.notice == ""
    bench.presenter.typed('cat AND "mat"')
    assert bench.state.query.problem.message == ""
    bench.services.let_time_pass()
    bench.services.answer_all()
    assert bench.state.query.problem.message == "" and bench.state.query.answer.error is None


def test_a_phrase_that_cannot_occur_is_named(bench):
    bench.ask("cat AND zzebra")
    assert "“zzebra” does not occur" in bench.state.query.problem.message
    assert bench.state.invitation[0] == "Nothing found" and bench.state.page is None


def test_stopping_leaves_what_is_shown_dimmed(bench):
    bench.ask("cat")
    bench.type("dog")
    bench.slot("search").answer()
    bench.presenter.stop()
    assert not any(slot.busy for slot in bench.services.slots.values())
    assert bench.state.lines.answer.freshness is Freshness.STOPPED and bench.state.lines_dimmed
    assert "sort by" in bench.state.message
    bench.services.let_time_pass()
    assert bench.state.message == ""
    bench.presenter.enter()
    bench.services.answer_all()
    assert bench.state.listed.request.found.query == "dog" and not bench.state.lines_dimmed


def test_rows_that_are_being_read_are_read_although_the_user_stops(bench):
    bench.ask("cat")
    shown = bench.state.listed
    bench.presenter.lines.fetch(PageRequest(shown.lines, 0, PAGE, shown.request.layout))
    bench.presenter.stop()
    bench.slot("lines").answer()
    assert bench.state.lines.page is not None and bench.state.listed is shown


def test_an_emptied_query_empties_the_screen(bench):
    bench.ask("cat")
    bench.presenter.show_view(View.BREAKDOWN)
    bench.services.answer_all()
    bench.ask("")
    state = bench.state
    assert state.headline == ("", "") and state.page is None and state.invitation[0] == "Search Small"
    assert state.facts.cuts == () and state.breakdown.answer.value is None and not state.has_tools


def test_lines_that_are_on_their_way_when_the_query_is_emptied_are_dropped(bench):
    bench.type("cat")
    bench.slot("search").answer()
    bench.type("")
    assert not bench.slot("arrange").busy and bench.state.lines.answer.value is None


def test_another_index_while_an_answer_is_awaited(bench, small, other):
    bench.type("cat")
    bench.slot("search").answer()
    bench.presenter.use_corpus(other)
    assert not bench.slot("arrange").busy and bench.state.query.text == "cat"
    bench.services.answer_all()
    assert bench.state.listed.request.corpus is other


def test_an_estimate_is_made_exact(bench, small, monkeypatch):
    monkeypatch.setattr("explorer.analyses.search.cnf.WALKED_UNASKED", 2)
    bench.ask("the AND cat")
    assert bench.state.estimated and bench.state.headline[0].startswith("≈")
    bench.presenter.query.run(exact=True)
    bench.services.answer_all()
    assert not bench.state.estimated and bench.state.query.current is not None


def test_the_center_is_chosen_for_one_query_only(bench):
    bench.ask("cat AND mat")
    assert len(bench.state.query.centers) == 2
    bench.presenter.query.choose_center(1)
    bench.services.answer_all()
    assert bench.state.query.found.node == 1 and bench.state.headline[1] == "occurrences of “mat”"
    bench.ask("dog AND rug")
    assert bench.state.query.node == 0


# Lines.


def test_options_are_asked_once_after_a_pause(bench):
    bench.ask("cat")
    before = bench.slot("arrange").asked
    for number in (3, 4, 5):
        bench.presenter.lines.choose(sample=number)
    assert bench.slot("arrange").asked == before
    bench.services.let_time_pass()
    assert bench.slot("arrange").asked == before + 1 and bench.state.headline[0] == "…"
    bench.services.answer_all()
    assert bench.state.headline[0] == "5" and "random lines" in bench.state.headline[1]


def test_another_unit_brings_its_usual_width_and_the_rows_are_read_again(bench):
    bench.ask("cat")
    lines, asked = bench.state.listed.lines, bench.slot("arrange").asked
    bench.presenter.lines.choose(unit="words")
    shown = bench.state.lines.answer.current
    assert (shown.request.layout.width, shown.request.layout.characters) == (10, False)
    assert shown.lines is lines and shown.first_rows == () and bench.slot("arrange").asked == asked


def test_a_layout_that_was_chosen_while_lines_were_on_their_way_is_used(bench):
    bench.presenter.lines.choose(unit="words")
    bench.type("cat")
    bench.slot("search").answer()
    bench.presenter.lines.choose(width=2)
    bench.slot("arrange").answer()
    assert bench.state.listed.request.layout.width == 2 and bench.state.listed.first_rows == ()


def test_rows_of_lines_that_were_replaced_are_dropped(bench):
    bench.ask("the")
    answer = bench.state.listed
    request = PageRequest(answer.lines, 0, min(PAGE, len(answer.lines)), answer.request.layout)
    bench.presenter.lines.fetch(request)
    bench.slot("lines").answer()
    assert bench.state.lines.page.request is request and len(bench.state.lines.page.rows) == request.last
    bench.presenter.lines.fetch(request)
    bench.presenter.lines.choose(unit="characters")
    bench.slot("lines").answer()
    assert bench.state.lines.page is None


def test_an_index_without_words_is_listed_in_its_own_order_and_the_choice_comes_back(bench, small):
    class Wordless:
        """The index, as if it could not sort."""

        def __init__(self, index):
            self.wrapped = index
            self.capabilities = self

        def __getattr__(self, name):
            return getattr(self.wrapped, name)

        def missing(self, capability):
            return "No words." if capability == "sorting" else ""

    class Other:
        """A corpus on that index."""

        index = Wordless(small.index)

        def __getattr__(self, name):
            return getattr(small, name)

    bench.presenter.use_corpus(Other())
    assert bench.state.lines.sort.preset == "index" and bench.state.lines.why_no_words == "No words."
    bench.presenter.use_corpus(small)
    assert bench.state.lines.sort.preset == "right"


def test_levels_by_fields_that_another_index_lacks_are_left_out(bench, small, other):
    bench.presenter.lines.sort_by("")
    bench.presenter.lines.sort_level(0, "field:path", True)
    assert bench.state.lines.settings.sort == (SortLevel("field:path", True),)
    bench.presenter.use_corpus(None)
    assert bench.state.lines.settings.sort == ()


def test_a_line_is_opened_and_whether_lines_are_in_its_document_is_told(bench):
    bench.ask("cat")
    row = bench.state.listed.first_rows[0]
    bench.presenter.documents.of_line(row)
    (request,) = bench.requests
    assert isinstance(request, DocumentRequest) and request.number == row.line.document
    assert bench.kept == [("cat", "")]
    bench.ask("zebra")
    assert bench.requests[-1] == DocumentListed(row.line.document, False)


# What is counted after the lines.


def test_later_facts_of_an_earlier_query_never_show(bench):
    bench.type("at")
    bench.slot("search").answer()
    bench.slot("arrange").answer()
    assert bench.slot("within words").busy and bench.slot("cuts").busy
    bench.type("cat")
    assert not any(bench.slot(name).busy for name in ("facts", "within words", "cuts"))
    assert bench.state.facts.more.within is None
    bench.services.answer_all()
    assert bench.state.facts.found.query == "cat"


def test_sorting_again_counts_only_the_documents_again(bench):
    bench.ask("the")
    within, cuts = bench.state.facts.more.within, bench.state.facts.cuts
    assert within is not None and cuts
    asked = bench.slot("cuts").asked
    bench.presenter.lines.sort_by("left")
    bench.slot("arrange").answer()
    assert bench.state.facts.more.within == within and bench.state.facts.more.documents is None
    bench.services.answer_all()
    assert bench.slot("cuts").asked == asked and bench.state.facts.more.documents is not None


def test_facts_that_fail_leave_the_lines(bench):
    bench.type("cat")
    bench.slot("search").answer()
    bench.slot("arrange").answer()
    bench.slot("facts").fail(GONE)
    assert bench.state.notice == "The drive is gone." and not bench.state.lines_dimmed
    bench.services.answer_all()
    bench.ask("dog")
    assert bench.state.notice == ""


# Breakdown and dispersion.


def test_the_breakdown_is_asked_when_it_is_opened_and_again_for_other_lines(bench):
    bench.ask("cat")
    assert bench.slot("breakdown").asked == 0
    # Of this small index, every file has another path: the view would look for a field that groups them.
    bench.presenter.views.breakdown.choose("path")
    bench.presenter.show_view(View.BREAKDOWN)
    bench.slot("breakdown").answer()
    state = bench.state.breakdown
    assert state.current and state.sizing and not state.can_export
    bench.services.answer_all()
    assert bench.state.breakdown.can_export and bench.state.breakdown.sized
    asked = bench.slot("breakdown").asked
    bench.presenter.show_view(View.LINES)
    bench.presenter.show_view(View.BREAKDOWN)
    assert bench.slot("breakdown").asked == asked, "what is known is not asked again"
    bench.type("dog")
    bench.slot("search").answer()
    assert bench.state.breakdown_dimmed
    bench.slot("arrange").answer()
    assert bench.slot("breakdown").busy and bench.state.breakdown_dimmed and not bench.state.breakdown.can_export
    bench.services.answer_all()
    assert not bench.state.breakdown_dimmed


def test_the_figure_of_a_breakdown_is_what_the_screen_shows(bench):
    """Its values in the order of the table, with the number that was chosen, and only those that are sought."""
    bench.ask("cat")
    breakdown = bench.presenter.views.breakdown
    breakdown.choose("path")
    bench.presenter.show_view(View.BREAKDOWN)
    bench.services.answer_all()
    facet = bench.state.breakdown.facet
    rates = {bar.label: facet.per_million(bar) for bar in facet.bars}

    def drawn():
        chart, other = bench.state.charts()
        [[part]] = chart.rows
        assert [row[0] for row in chart.data] == [label for label, *_ in part.rows]
        return chart, [(label, length) for label, length, _ in part.rows], other.name

    breakdown.sort(RATE, True)
    chart, rows, other = drawn()
    assert rows == sorted(rates.items(), key=lambda row: -row[1]) and "per million" in chart.rows[0][0].title
    assert other == "fields" and dict(chart.facts)["sorted by"] == "lines per million tokens descending"
    # By value, as for years: the rates stay chosen.
    breakdown.sort(VALUE, False)
    assert drawn()[1] == sorted(rates.items())
    breakdown.sort(LINES, False)
    assert [length for _, length in drawn()[1]] == sorted(bar.hits for bar in facet.bars)
    table = facet_table(bench.state.breakdown)
    assert [row[0] for row in table.rows()] == [label for label, _ in drawn()[1]]
    breakdown.seek("two")
    bench.services.answer_all()
    chart, rows, _ = drawn()
    assert rows and all("two" in label for label, _ in rows) and dict(chart.facts)["values that contain"] == "two"


def test_sizes_of_another_field_never_show(bench):
    fields = bench.state.breakdown.fields
    bench.ask("cat")
    # Of this small index, every file has another path: the view would look for a field that groups them.
    bench.presenter.views.breakdown.choose("path")
    bench.presenter.show_view(View.BREAKDOWN)
    bench.slot("breakdown").answer()
    assert bench.slot("sizes").busy
    bench.presenter.views.breakdown.choose(fields[1])
    assert not bench.slot("sizes").busy and bench.state.breakdown.dimmed
    bench.services.answer_all()
    assert bench.state.breakdown.facet.field == fields[1] and bench.state.breakdown.sized


def test_sizes_that_fail_leave_the_values_and_say_why(bench):
    bench.ask("cat")
    # Of this small index, every file has another path: the view would look for a field that groups them.
    bench.presenter.views.breakdown.choose("path")
    bench.presenter.show_view(View.BREAKDOWN)
    bench.slot("breakdown").answer()
    bench.slot("sizes").fail(GONE)
    state = bench.state
    assert state.notice == "The drive is gone." and state.breakdown.current and not state.breakdown.sizing
    bench.presenter.show_view(View.LINES)
    assert bench.state.notice == "", "the reason is about the breakdown only"
    bench.presenter.show_view(View.BREAKDOWN)
    bench.services.answer_all()
    assert bench.state.breakdown.sized and bench.state.notice == ""


def test_a_value_of_the_breakdown_becomes_a_filter(bench):
    bench.ask("cat")
    bench.presenter.show_view(View.BREAKDOWN)
    bench.services.answer_all()
    bar = bench.state.breakdown.facet.bars[0]
    bench.presenter.views.breakdown.filter_by(0)
    bench.services.answer_all()
    assert bench.state.lines.filters == (bench.state.breakdown.facet.condition(bar),)
    assert len(bench.state.listed.lines) == bar.hits
    bench.presenter.views.breakdown.filter_by(10_000)
    assert len(bench.state.filters.filters) == 1


def test_the_dispersion_of_earlier_lines_is_dimmed(bench):
    bench.ask("cat")
    bench.presenter.show_view(View.DISPERSION)
    bench.slot("dispersion").fail(GONE)
    assert bench.state.notice == "The drive is gone." and bench.state.dispersion.shown is None
    bench.presenter.show_view(View.DISPERSION)
    bench.services.answer_all()
    assert bench.state.dispersion.current and bench.state.notice == "" and bench.state.dispersion.rows
    bench.presenter.documents.of_dispersion(0)
    assert bench.requests[-1].number == bench.state.dispersion.shown.most[0].number
    bench.presenter.show_view(View.LINES)
    bench.ask("dog")
    assert bench.state.dispersion.dimmed


# Filters.


def test_words_near_are_looked_up_and_two_at_once_are_both_kept(bench):
    bench.ask("cat")
    bench.presenter.filters.add_near("mat", 20, True)
    bench.presenter.filters.add_near("dog", 20, False)
    bench.services.answer_all()
    assert [(known.text, known.wanted) for known in bench.state.filters.filters] == [("mat", True), ("dog", False)]
    assert bench.state.lines.filters == bench.state.filters.filters and bench.state.filters.pending == ()


def test_words_near_follow_the_switches(bench):
    bench.ask("cat")
    bench.presenter.filters.add(FieldFilter("path", "!=", "nowhere"))
    bench.presenter.filters.add_near("ma", 5, True)
    bench.services.answer_all()
    whole = bench.state.filters.filters[-1]
    bench.presenter.query.choose(whole_words=False)
    assert bench.slot("near").busy
    bench.services.answer_all()
    part = bench.state.filters.filters[-1]
    assert part.text == whole.text == "ma" and part.parts != whole.parts and len(bench.state.filters.filters) == 2


def test_words_that_cannot_be_looked_up_are_reported(bench):
    bench.ask("cat")
    bench.presenter.filters.add_near("mat", 5, True)
    bench.slot("near").fail(GONE)
    assert bench.state.notice == "The drive is gone." and bench.state.filters.pending == ()
    assert bench.state.filters.filters == () and not bench.state.lines_dimmed


def test_values_of_another_field_are_never_offered(bench):
    fields = bench.state.filters.fields
    bench.ask("cat")
    bench.presenter.filters.offer_values(fields[0])
    bench.services.answer_all()
    assert bench.state.filters.values.current.field == fields[0]
    bench.presenter.filters.offer_values(fields[1])
    assert bench.state.filters.values.value is None
    bench.services.answer_all()
    assert bench.state.filters.values.current.field == fields[1]


def test_another_index_is_not_filtered(bench, small):
    bench.presenter.filters.add(FieldFilter("path", "=", "x"))
    bench.presenter.filters.add_near("mat", 5, True)
    bench.presenter.use_corpus(small)
    assert bench.state.filters.filters == bench.state.lines.filters == ()
    assert not bench.slot("near").busy


# Comparison.


def test_queries_are_compared_and_removed(bench):
    bench.ask("cat")
    bench.presenter.compare()
    bench.presenter.comparison.add("dog")
    bench.presenter.comparison.add("dog")
    bench.services.answer_all()
    state = bench.state.comparison
    assert state.queries == state.shown.queries == ("cat", "dog") and len(state.rows) == 2
    assert bench.state.view is View.COMPARE and bench.state.has_tools and not bench.state.has_filters
    bench.presenter.comparison.remove(0)
    # The table still shows the query that was removed.
    assert bench.state.comparison.answer.dimmed and not bench.state.comparison.can_export
    bench.presenter.comparison.remove(0)
    assert bench.state.comparison.queries == ("dog",)
    bench.services.answer_all()
    assert [bench.state.comparison.query_of(row) for row in (0, 1, -1)] == ["dog", "", ""]


def test_a_query_that_was_removed_is_compared_again(bench):
    comparison = bench.presenter.comparison
    for query in ("cat", "dog"):
        comparison.add(query)
        bench.services.answer_all()
    rows = bench.state.comparison.rows
    comparison.remove(0)
    # While the others are counted.
    comparison.choices.undo()
    bench.services.answer_all()
    assert bench.state.comparison.queries == ("cat", "dog") and bench.state.comparison.rows == rows
    comparison.choices.redo()
    bench.services.answer_all()
    assert bench.state.comparison.shown.queries == ("dog",)
    comparison.restore(["sat"], [])
    assert not comparison.choices.can_undo and not comparison.choices.can_redo


def test_a_comparison_that_fails_stays_dimmed(bench):
    bench.presenter.comparison.add("cat")
    bench.services.answer_all()
    bench.presenter.comparison.add("dog")
    bench.slot("compare").fail(GONE)
    state = bench.state.comparison
    assert state.notice == "The drive is gone." and state.answer.dimmed and state.shown.queries == ("cat",)


def test_opening_another_index_in_vain_does_not_stop_the_comparison(bench, tmp_path, byte_index):
    bench.presenter.comparison.add("cat")
    bench.presenter.comparison.add_index(str(tmp_path))
    bench.services.answer_all()
    assert "is not an infini-gram index" in bench.state.comparison.notice
    assert bench.state.comparison.answer.current is not None
    for _ in range(2):
        bench.presenter.comparison.add_index(str(byte_index))
        bench.services.answer_all()
    assert "is already in the comparison" in bench.state.comparison.notice
    assert len(bench.state.comparison.rows) == 2 and bench.state.comparison.shown.by_index
    bench.presenter.comparison.only_this_index()
    bench.services.answer_all()
    assert len(bench.state.comparison.rows) == 1


@pytest.fixture
def compared(bench, small, byte_index, tmp_path):
    """A comparison with an index beside: restored in another bench, and what the session has of the index."""
    folder = tmp_path / "beside"
    shutil.copytree(byte_index, folder)
    bench.presenter.comparison.add("cat")
    bench.presenter.comparison.add_index(str(folder))
    bench.services.answer_all()
    session = json.loads(json.dumps(bench.state.session()))
    (kept,) = session["beside"]
    assert kept == {"path": str(folder), "fingerprint": open_index(folder).index.fingerprint}

    def restored():
        again = Bench(small)
        again.presenter.restore(session)
        again.services.answer_all()
        return again.presenter.comparison

    return restored, kept, folder


def test_an_index_beside_is_open_again_with_its_session(compared):
    restored, kept, _ = compared
    state = restored().state
    assert len(state.rows) == 2 and state.shown.by_index and state.notice == "" and state.remedies == ()
    assert state.session == [kept]


def test_an_index_beside_that_is_missing_is_told_kept_and_located(compared, tmp_path):
    restored, kept, folder = compared
    moved = folder.rename(tmp_path / "moved")
    comparison = restored()
    assert len(comparison.state.rows) == 1
    assert "An index is not compared." in comparison.state.notice and str(folder) in comparison.state.notice
    assert comparison.state.remedies == ("locate", "again", "leave_out")
    # A project that is saved now still has it.
    assert comparison.state.session == [kept]
    slots = comparison._opener, comparison._counter
    comparison.locate(str(moved))
    for slot in slots:
        slot.answer()
    assert len(comparison.state.rows) == 2 and comparison.state.notice == ""
    assert comparison.state.session == [kept | {"path": str(moved)}]


def test_an_index_beside_that_is_missing_can_be_tried_again_or_left_out(compared, tmp_path):
    restored, _, folder = compared
    moved = folder.rename(tmp_path / "moved")
    comparison = restored()
    comparison.again()
    assert comparison.state.opening and comparison.state.remedies == () and comparison.state.notice == ""
    comparison._opener.answer()
    assert str(folder) in comparison.state.notice
    moved.rename(folder)
    comparison.again()
    comparison._opener.answer()
    comparison._counter.answer()
    assert len(comparison.state.rows) == 2 and comparison.state.notice == ""
    folder.rename(moved)
    comparison = restored()
    comparison.leave_out()
    comparison._counter.answer()
    assert comparison.state.notice == "" and comparison.state.session == [] and len(comparison.state.rows) == 1


def test_an_index_beside_with_other_contents_is_told(compared, tmp_path):
    restored, kept, folder = compared
    shutil.rmtree(folder)
    (tmp_path / "other.txt").write_text("the cat and another cat", encoding="utf-8")
    build_index(tmp_path / "other.txt", folder, tokenizer="bytes")
    comparison = restored()
    assert f"{folder} has other contents than when it was saved." in comparison.state.notice
    assert comparison.state.remedies == ("locate", "use_anyway", "leave_out") and len(comparison.state.rows) == 2
    comparison.use_anyway()
    assert comparison.state.notice == "" and comparison.state.session[0]["fingerprint"] != kept["fingerprint"]


def test_the_first_of_several_indexes_beside_is_named_with_its_buttons(bench):
    rows = [{"path": f"/no/such/{name}", "fingerprint": "x"} for name in "ab"]
    bench.presenter.restore({"compared": ["cat"], "beside": rows})
    bench.services.answer_all()
    comparison = bench.presenter.comparison
    notice = comparison.state.notice
    assert "/no/such/a " in notice and "/no/such/b" not in notice and notice.endswith("One more index needs attention.")
    comparison.leave_out()
    assert "/no/such/b " in comparison.state.notice and "more" not in comparison.state.notice
    assert comparison.state.session == rows[1:]


def test_indexes_beside_of_a_session_stay_when_they_are_stopped(compared, small):
    _, kept, _ = compared
    again = Bench(small)
    again.presenter.restore({"compared": ["cat"], "beside": [kept, {"path": 5}, "x", {"path": "/a"}, None]})
    again.presenter.stop()
    assert again.state.comparison.session == [kept] and "was not opened" in again.state.comparison.notice
    again.presenter.comparison.again()
    # Another one that is chosen while they are opened takes nothing away.
    again.presenter.comparison.add_index("/no/such/folder")
    again.services.answer_all()
    assert len(again.state.comparison.rows) == 2 and "/no/such/folder" in again.state.comparison.notice
    assert again.state.comparison.session == [kept]


def test_an_index_beside_is_refused_by_any_of_its_names(compared, tmp_path):
    restored, kept, folder = compared
    (tmp_path / "link").symlink_to(folder)
    comparison = restored()
    comparison.add_index(str(tmp_path / "link"))
    comparison._opener.answer()
    assert "is already in the comparison" in comparison.state.notice and comparison.state.session == [kept]


# The watch list.


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text('label,pattern\npet,cat\n,"the AND dog"\nodd,\n', encoding="utf-8")
    return path


def test_a_watch_list_is_counted_again_when_the_options_change(bench, listed):
    watch = bench.presenter.watch_list
    watch.open(listed)
    assert bench.state.watch_list.summary == "Counting the patterns of list.csv …"
    bench.services.answer_all()
    assert bench.state.watch_list.summary == "3 patterns, 1 found, 1 invalid"
    bench.presenter.query.choose(ignore_case=True)
    assert bench.state.watch_list.answer.dimmed and bench.slot("watch").busy
    bench.presenter.stop()
    assert "Stopped" in bench.state.watch_list.summary and bench.state.watch_list.answer.dimmed
    watch.open(listed)
    bench.services.answer_all()
    watch.show_lines(1)
    bench.services.answer_all()
    assert bench.state.query.found.parsed.clauses == (("the AND dog",),) and bench.state.view is View.LINES


def test_a_list_that_cannot_be_read_is_one_sentence(bench, tmp_path, listed):
    bench.presenter.watch_list.open(tmp_path / "none.txt")
    bench.services.answer_all()
    state = bench.state.watch_list
    assert state.notice and state.summary == "" and state.rows == ()
    bench.presenter.watch_list.open(listed)
    bench.services.answer_all()
    assert bench.state.watch_list.notice == "" and len(bench.state.watch_list.rows) == 3


# Views, history and sessions.


def test_what_is_visible_follows_the_view(bench):
    assert not bench.state.has_tools and bench.state.page is None
    bench.ask("cat")
    bench.presenter.lines.sort_by("")
    bench.services.answer_all()
    state = bench.state
    assert (state.has_tools, state.has_line_tools) == (True, True)
    bench.presenter.show_view(View.DISPERSION)
    state = bench.state
    assert (state.has_line_tools, state.has_filters) == (False, True)
    bench.ask("")
    bench.presenter.show_view(View.WATCH)
    assert bench.state.has_tools and bench.state.page is View.WATCH


def test_what_is_typed_on_the_way_is_not_kept(bench):
    for text in ("a", "at", "cat"):
        bench.type(text)
        bench.services.answer_all()
        bench.services.let_time_pass()
    assert bench.kept == [("a", ""), ("at", "a"), ("cat", "")]


def test_a_query_that_is_entered_before_its_answer_is_known_is_kept_with_it(bench):
    bench.presenter.typed("cat")
    bench.presenter.enter()
    assert bench.kept == []
    bench.services.answer_all()
    assert bench.kept == [("cat", "")]
    # What was entered stays, whatever is typed after it.
    bench.type("cat sat")
    bench.services.answer_all()
    bench.services.let_time_pass()
    assert bench.kept[1:] == [("cat sat", "")]


def test_a_query_whose_options_changed_since_is_not_kept_as_if_it_had_them(bench):
    bench.ask("cat")
    assert bench.state.past is not None and bench.state.past.matching == Matching()
    bench.presenter.query.choose(ignore_case=True)
    assert bench.state.past is None
    bench.services.answer_all()
    assert bench.state.past.matching == Matching(ignore_case=True)


def test_an_earlier_query_comes_back_with_its_options(bench):
    bench.ask("cat")
    bench.presenter.filters.add_near("mat", 9, True)
    bench.services.answer_all()
    (near,) = bench.state.filters.filters
    asked = bench.slot("arrange").asked
    past = PastQuery("dog", matching=Matching("regex", whole_words=False), distance=7, filters=(near,))
    bench.presenter.ask_again(past)
    assert bench.slot("arrange").asked == asked, "the old query is not listed with the new filters"
    bench.services.answer_all()
    query = bench.state.query
    assert (query.text, query.match, query.distance) == ("dog", "regex", 7)
    assert [known.text for known in bench.state.lines.filters] == ["mat"] and bench.kept[-1][0] == "dog"


def test_a_session_is_restored_and_nonsense_is_left_alone(bench, small):
    bench.ask("cat")
    bench.presenter.query.choose(ignore_case=True)
    bench.presenter.comparison.add("dog")
    bench.presenter.show_view(View.DISPERSION)
    kept = bench.presenter.state.session()
    again = Bench(small)
    again.presenter.restore(kept | {"view": 17, "matching": 3, "compared": ["", 5, "mat"]})
    assert (again.state.query.text, again.state.view) == ("cat", View.LINES)
    assert again.state.query.matching == Matching() and again.state.comparison.queries == ("mat",)
    again.presenter.restore(kept)
    again.services.answer_all()
    assert again.state.query.matching.ignore_case and again.state.view is View.DISPERSION
    assert again.state.dispersion.current and again.state.comparison.queries == ("dog",)


def shown(bench):
    """The number, and the lines as they are listed."""
    found = bench.state.listed.lines
    return bench.state.headline, [(line.left, line.match, line.right) for line in found.lines(0, len(found))]


def test_all_that_decides_about_the_number_and_the_lines_is_kept(bench, small):
    bench.ask('"the" AND cat')
    usual = shown(bench)
    presenter = bench.presenter
    presenter.query.choose_distance(4)
    presenter.query.choose_center(1)
    presenter.filters.add(FieldFilter("path", "~", "one"))
    presenter.filters.add_near("mat", 20, False)
    presenter.lines.sort_level(1, "2R", True)
    presenter.lines.choose(sample=3, seed=7)
    bench.services.let_time_pass()
    bench.services.answer_all()
    before = shown(bench)
    assert before != usual
    kept = json.loads(json.dumps(presenter.state.session()))
    again = Bench(small)
    again.presenter.restore(kept)
    again.services.let_time_pass()
    again.services.answer_all()
    assert shown(again) == before and len(again.state.filters.filters) == 2
    assert (again.state.query.distance, again.state.query.node, again.state.lines.options.seed) == (4, 1, 7)
    assert again.state.lines.order == presenter.state.lines.order
    # A session of an earlier version has the query only.
    older = Bench(small)
    older.presenter.restore({name: kept[name] for name in ("query", "matching", "view")})
    older.services.answer_all()
    assert shown(older) == usual


def test_the_watch_list_of_a_session_is_counted_again(bench, small, tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("cat\n", encoding="utf-8")
    bench.presenter.watch_list.open(path)
    again = Bench(small)
    again.presenter.restore(bench.presenter.state.session())
    again.services.answer_all()
    assert again.state.watch_list.path == path and again.state.watch_list.answer.current is not None


def test_a_count_that_was_made_exact_is_exact_again(small):
    bench = Bench(small)
    bench.ask("cat AND the")
    bench.presenter.query.run(exact=True)
    bench.services.answer_all()
    again = Bench(small)
    again.presenter.restore(bench.presenter.state.session())
    again.services.answer_all()
    assert again.state.query.found.exact and again.state.listed.request.options.exact is True


@pytest.mark.parametrize(
    ("values", "begun"),
    [
        # A title for each text, then a speaker for some.
        (lambda n: {"title": f"Speech {n}", "speaker": "ab"[n % 2], "year": 2000 + n % 3}, "speaker"),
        (lambda n: {"genre": "speech", "date": f"2001-01-{n:02}", "year": 2000 + n % 3}, "year"),
        # None of them groups the texts: the one with the fewest values.
        (lambda n: {"title": f"Speech {n}", "code": min(n, 8)}, "code"),
    ],
)
def test_the_breakdown_begins_with_a_field_of_few_values(tmp_path, values, begun):
    rows = [{"text": f"the cat sat {n}", **values(n)} for n in range(1, 11)]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    build_index(tmp_path / "t.jsonl", tmp_path / "index", tokenizer="bytes")
    bench = Bench(open_index(tmp_path / "index"))
    bench.ask("cat")
    bench.presenter.show_view(View.BREAKDOWN)
    bench.services.answer_all()
    assert bench.state.breakdown.fields[-2:] == ("path", "linenum")
    assert bench.state.breakdown.chosen == begun and bench.state.breakdown.current


def test_the_breakdown_does_not_turn_away_from_a_choice(bench):
    bench.ask("the")
    # One document is left, so that its path is the same in all lines.
    bench.presenter.filters.add(FieldFilter("path", "~", "one"))
    bench.services.let_time_pass()
    bench.services.answer_all()
    bench.presenter.show_view(View.BREAKDOWN)
    bench.services.answer_all()
    # Not against a person's choice, which is told in words.
    bench.presenter.views.breakdown.choose("path")
    bench.services.answer_all()
    assert bench.state.breakdown.chosen == "path" and len(bench.state.breakdown.facet.bars) == 1
    assert bench.state.breakdown.summary == f"All {bench.state.headline[0]} lines have the value “one.txt”."
