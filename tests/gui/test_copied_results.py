"""Results that are copied as Python or as a command give the numbers on the screen."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

import pytest
from PySide6.QtGui import QGuiApplication
from searching import listed

from explorer.analyses.metadata.values import FieldFilter
from explorer.gui.asking.recipes import copied as copy_result
from explorer.gui.presenting.requests import CopyRecipe
from explorer.gui.screens.search.state import View


def copied(window, id="copy_python"):
    window.book.actions[id].trigger()
    return QGuiApplication.clipboard().text()


def printed(window):
    """What the copied program prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(copied(window), "copied", "exec"), {})
    return out.getvalue()


def entry(button, words):
    """The entry of an export button's menu."""
    return next(action for action in button.menu_of_exports.actions() if action.text() == words)


@pytest.fixture
def search(opened, qtbot):
    opened.show_screen("search")
    opened.search.search_for("the")
    qtbot.waitUntil(lambda: listed(opened.search) == "the")
    return opened.search


def test_the_count_and_its_lines(opened, search, qtbot):
    first, *rows = printed(opened).splitlines()
    assert first == search.count.text()
    assert rows
    search.presenter.filters.add(FieldFilter("path", "~", "one"))
    qtbot.waitUntil(lambda: search.count.text() != first and not search.busy)
    assert printed(opened).splitlines()[0] == search.count.text()
    command = copied(opened, "copy_command")
    assert "kwic" in command and "--where=" in command and "--count" in command


def test_deleted_lines_and_sets(opened, search, qtbot):
    qtbot.waitUntil(lambda: opened.projects.state.current is not None)
    before = search.count.text()
    search.presenter.edits.delete([0, 2])
    qtbot.waitUntil(lambda: search.count.text() == str(int(before) - 2))
    assert printed(opened).splitlines()[0] == search.count.text()
    search.presenter.edits.toggle_mark([1])
    qtbot.waitUntil(lambda: search.presenter.state.marks.marked == 1)
    search.presenter.sets.save("one")
    search.presenter.sets.open("one")
    qtbot.waitUntil(lambda: search.count.text() == "1" and not search.busy)
    assert printed(opened).splitlines()[0] == "1"
    assert copied(opened, "copy_command").startswith("# These are the lines of a saved set")


def check_a_query_that_cannot_be_read_has_no_result_to_copy(opened, search, qtbot, wrong):
    QGuiApplication.clipboard().setText("before")
    search.search_for(wrong)
    qtbot.waitUntil(lambda: search.presenter.state.query.invalid and not search.busy)
    # The lines before stay, dimmed.
    assert search.presenter.state.listed is not None
    for id in ("copy_python", "copy_command"):
        assert copied(opened, id) == "before"
    request = CopyRecipe()
    told = copy_result(request, search, opened.indexes.state)
    assert told == search.presenter.state.query.problem.message and told
    search.search_for("the")
    qtbot.waitUntil(lambda: listed(search) == "the" and not search.busy)
    assert printed(opened).splitlines()[0] == search.count.text()


def test_a_query_that_cannot_be_read_has_no_result_to_copy(opened, search, qtbot):
    for wrong in ['"', "(cat AND"]:
        check_a_query_that_cannot_be_read_has_no_result_to_copy(opened, search, qtbot, wrong)


def test_breakdown_and_dispersion(opened, search, qtbot):
    presenter = search.presenter
    presenter.show_view(View.BREAKDOWN)
    qtbot.waitUntil(lambda: presenter.state.breakdown.facet is not None and not search.busy)
    facet = presenter.state.breakdown.facet
    assert {tuple(row.split("\t")[:2]) for row in printed(opened).splitlines()} == {
        (bar.label, str(bar.hits)) for bar in facet.bars
    }
    presenter.show_view(View.DISPERSION)
    qtbot.waitUntil(lambda: presenter.state.dispersion.answer.value is not None and not search.busy)
    assert int(printed(opened).split()[0]) == presenter.state.dispersion.answer.value.found.documents


def test_a_comparison(opened, search, qtbot):
    search.presenter.compare()
    qtbot.waitUntil(lambda: search.presenter.state.comparison.answer.current is not None and not search.busy)
    count = search.presenter.state.comparison.shown.cells[0][0].count
    assert printed(opened).split("\t") == ["the", f"{count}\n"]


def test_a_watch_list(opened, search, qtbot, tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("cat\nno such words\n", encoding="utf-8")
    search.presenter.watch_list.open(path)
    search.presenter.show_view(View.WATCH)
    qtbot.waitUntil(lambda: search.presenter.state.watch_list.answer.current is not None and not search.busy)
    found = search.presenter.state.watch_list.answer.current.watched
    rows = [f"{each.pattern.pattern}\t{each.count}\t{each.documents}" for each in found]
    assert printed(opened).splitlines() == rows and found[0].count


def test_next_token_trace_and_agreement(opened, qtbot):
    opened.show_screen("next_token")
    opened.next_token.presenter.typed("the cat sat on")
    qtbot.waitUntil(lambda: opened.next_token.presenter.state.answer.current is not None)
    rows = opened.next_token.presenter.state.answer.current.rows
    assert [str(row.count) for row in rows[:20]] == [row.split("\t")[0] for row in printed(opened).splitlines()]
    qtbot.waitUntil(lambda: opened.next_token.presenter.tree.state.answer.current is not None)
    entry(opened.next_token.tree_button, "Copy as Python").trigger()
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(QGuiApplication.clipboard().text(), "copied", "exec"), {})
    nodes = opened.next_token.presenter.tree.state.answer.current.nodes()
    assert [int(row.split("\t")[0]) for row in out.getvalue().splitlines()] == [node.count for _, node in nodes]
    opened.show_screen("trace")
    opened.trace.presenter.trace_text("we think that the cat sat on the mat", "")
    qtbot.waitUntil(lambda: opened.trace.presenter.state.answer.current is not None)
    trace = opened.trace.presenter.state.answer.current.trace
    assert printed(opened).split()[:2] == [str(len(trace.spans)), str(len(trace.documents))]
    opened.show_screen("agreement")
    opened.agreement.presenter.enter(text="the cat sat on the rug")
    opened.agreement.presenter.run()
    qtbot.waitUntil(lambda: opened.agreement.presenter.state.answer.current is not None)
    figure = opened.agreement.presenter.state.answer.current.figure.infgram
    assert printed(opened).split() == [str(figure.tokens), str(figure.overall)]
    entry(opened.agreement.figure_button, "Copy as command").trigger()
    assert QGuiApplication.clipboard().text() == copied(opened, "copy_command")


def test_without_a_result_nothing_is_copied(opened):
    QGuiApplication.clipboard().setText("mine")
    opened.show_screen("trace")
    assert copied(opened) == "mine"
