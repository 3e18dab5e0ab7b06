"""The tab of collocates: figures of the library, cells that sum to N, rows with as many lines as they count."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from around_query import TEXTS, Bench
from PySide6.QtCore import Qt

from explorer import build_index, open_index
from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.find import QueryOptions, near_filter
from explorer.chart import Spoke, place_spokes
from explorer.derive.kinds import WordFile
from explorer.export.figure import Paper
from explorer.gui.charts.export.save import save_chart
from explorer.gui.presenting.requests import DocumentRequest, Saved
from explorer.gui.screens.search.around.collocates_work import about_row, four_cells
from explorer.gui.screens.search.recipes import recipe_of
from explorer.gui.screens.search.state import View
from explorer.recipes import Source


def bench_of(corpus):
    return Bench(corpus, View.COLLOCATES, min_count=1, window=(2, 2))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("near")
    build_index(
        [{"text": text, "year": 2000 + at} for at, text in enumerate(TEXTS)], place / "index", tokenizer="bytes"
    )
    return place


@pytest.fixture
def corpus(folder, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(folder / "cache"))
    return open_index(folder / "index")


@pytest.fixture
def bench(corpus):
    corpus.words()
    made = bench_of(corpus)
    made.ask("cat")
    return made


def test_words_are_made_when_asked_for(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path))
    bench = bench_of(open_index(folder / "index"))
    bench.ask("cat")
    assert bench.state.missing and "kB there" in bench.state.invitation[1] and bench.state.found is None
    bench.tab.run(make=True)
    bench.wait()
    assert not bench.state.missing and bench.state.found.rows


@pytest.mark.parametrize("query", ["cat", "Cat", "CAT"])
def test_two_counts_of_hits_are_explained_next_to_the_number(bench, query):
    bench.ask(query)
    bench.presenter.show_view(View.COLLOCATES)
    bench.wait()
    lines, hits = len(bench.presenter.state.listed.lines), bench.state.found.found.node_count
    first, second = bench.state.facts.split(" · ")[:2]
    assert first == (f"{hits} hits" if lines == hits else f"{hits} hits (tab Lines: {lines})")
    assert second.startswith("whole words in any case") == (lines != hits)


def test_words_that_were_made_elsewhere_are_found(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path))
    corpus = open_index(folder / "index")
    bench = bench_of(corpus)
    bench.ask("cat")
    assert bench.state.missing
    corpus.words()
    bench.presenter.show_view(View.LINES)
    bench.presenter.show_view(View.COLLOCATES)
    bench.wait()
    assert not bench.state.missing and bench.state.found.rows


def test_words_of_a_small_index_are_made_without_a_question(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path))
    monkeypatch.setattr("explorer.gui.index.word_index.QUICK_TOKENS", 5_000_000)
    bench = bench_of(open_index(folder / "index"))
    bench.ask("cat")
    assert not bench.state.missing and bench.state.found.rows


def test_rows_are_the_library_s_and_cells_sum_to_n(bench, corpus):
    found = corpus.collocates("cat", window=(2, 2), min_count=1, details=True)
    answer = bench.state.found
    assert list(answer.rows) == list(found) and len(answer.rows) == 6
    assert f"N = {found.total:,}" in bench.state.facts and "4 hits" in bench.state.facts
    for row, cells in zip(answer.rows, answer.table, strict=True):
        assert sum(four_cells(row, found)) == found.total
        told = cells[0].tip
        assert "Rychlý 2008" in told and "log₂" in told and told.endswith(f"= {found.total} = N")
        assert f"O₁₁ {row.observed} " in told and "Church & Hanks" in cells[7].tip
        assert cells[5].text == str(row.documents)
    bench.set(sort="g2")
    assert [row.g2 for row in bench.state.found.rows] == sorted((row.g2 for row in found), reverse=True)
    # Only the measure changed, so the words were not counted again; the file has the new order and states it.
    assert bench.state.found.windows is answer.windows and about_row(found[0], found, "g2").startswith("G² of")
    assert list(bench.state.found.found)[:3] == list(bench.state.found.rows)[:3]
    assert dict(bench.state.found.found.provenance)["sorted by"] == "g2"


def test_a_stop_list_leaves_rows_out(bench, corpus, tmp_path):
    path = tmp_path / "stop.txt"
    path.write_text("THE\n\n")
    every = list(bench.state.found.rows)
    bench.set(stop=WordFile(str(path)))
    assert list(bench.state.found.rows) == [row for row in every if row.form != "the"] != every
    recipe = recipe_of(bench.presenter.state, Source(("index",)))
    assert f"--stop=@{path}" in recipe.commands[0] and "from pathlib import Path" in recipe.python
    bench.tab.choose(0)
    pairs = corpus.collocates("cat", window=(2, 2), min_count=1, details=True)
    assert f"{bench.state.found.rows[0].pairs} of {pairs.window_slots} pairs" in bench.state.pairs
    session = bench.state.rule.session
    other = bench_of(corpus)
    other.tab.restore(session)
    assert other.state.rule == bench.state.rule
    path.unlink()
    bench.set(min_count=2)
    assert "cannot be read" in bench.state.notice


def test_a_row_has_as_many_lines_as_it_counts(bench, corpus):
    bench.tab.read()
    for place in range(len(bench.state.found.rows)):
        row = bench.state.found.rows[place]
        bench.tab.choose(place)
        bench.wait()
        lines = bench.tab.lines.state.lines.current
        assert len(lines) == row.observed == len({(line.document, line.match, line.left) for line in lines})
        for line in lines:
            words = re.findall(r"\w+", line.match.lower())
            assert "cat" in words and row.form in (words[0], words[-1])
            assert f"{line.left}{line.match}{line.right}" in TEXTS[line.document]
    bench.tab.lines.open_line(0)
    line = bench.tab.lines.state.lines.current[0]
    assert bench.asked[-1] == DocumentRequest(line.document, line.offset, line.length)


def test_tokens_have_lines_too(bench, corpus):
    bench.set(unit="tokens", window=(1, 0))
    found = corpus.collocates("cat", window=(1, 0), min_count=1, unit="tokens", details=True)
    assert list(bench.state.found.rows) == list(found)
    bench.tab.choose(0)
    bench.tab.read()
    bench.wait()
    lines = bench.tab.lines.state.lines.current
    assert len(lines) == found[0].observed and {line.match for line in lines} == {f"{found[0].form}cat"}


def test_filters_are_in_force(bench, corpus):
    bench.presenter.filters.put((FieldFilter("year", "<", "2002"),))
    bench.wait()
    part = corpus.collocates("cat", window=(2, 2), min_count=1, where="year<2002", details=True)
    assert list(bench.state.found.rows) == list(part) and bench.state.current
    recipe = recipe_of(bench.presenter.state, Source(("index",)))
    assert "where=['year<2002']" in recipe.python and "'--where=year<2002'" in recipe.commands[0]


def test_sorting_the_lines_counts_nothing_again(bench):
    asked = bench.services.slots["collocates list"].asked
    bench.presenter.lines.choose(unit="words")
    bench.presenter.query.run()
    bench.wait()
    assert bench.services.slots["collocates list"].asked == asked and bench.state.current


@pytest.mark.parametrize(
    ("query", "told"),
    [("catal", "inside words"), ("!", "no word"), ("dog AND king", "")],
)
def test_other_queries_are_told_apart(bench, query, told):
    bench.presenter.query.set_options(None, None)
    bench.ask(query)
    assert told in " ".join((*bench.state.invitation, bench.state.notice))


def test_settings_that_find_nothing_tell_why(bench):
    bench.set(window=(0, 2))
    bench.set(window=(0, 0))
    assert bench.state.rule.window == (1, 0) and bench.state.found.rows
    bench.set(min_count=99)
    assert "smaller numbers" in bench.state.invitation[1] and not bench.state.found.rows


def test_one_document_of_one_word(tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    build_index([{"text": "one two"}], tmp_path / "index", tokenizer="bytes")
    bench = bench_of(open_index(tmp_path / "index"))
    bench.ask("one")
    bench.tab.run(make=True)
    bench.wait()
    bench.set(sort="log_ratio")
    assert [cell.text for cell in bench.state.found.table[0]][:7] == ["1", "two", "1", "1.0", "1", "1", "?"]
    bench.set(window=(1, 0))
    assert "Try wider ones" in bench.state.invitation[1]


def test_columns_sort_the_table(bench):
    bench.tab.sort(1)
    forms = [bench.state.found.rows[row].form for row in bench.state.order]
    assert forms == sorted(forms) and bench.state.header[1] == "Word ↑"
    bench.tab.sort(1)
    assert [bench.state.found.rows[row].form for row in bench.state.order] == forms[::-1]
    bench.tab.sort(2)
    counts = [bench.state.found.rows[row].observed for row in bench.state.order]
    assert counts == sorted(counts, reverse=True)
    bench.tab.choose_shown(0)
    assert bench.state.row == bench.state.order[0] and "Show" in bench.state.lines_button


def test_columns_have_the_labels_and_the_help_of_their_declarations(bench):
    names, tips = bench.state.header, bench.state.header_tips
    assert names == ("#", "Word", "Near the match", "Expected", "In all", "Documents", "logDice ↓", "MI", "G²")
    assert tips[2] == "O₁₁: occurrences in the windows, each counted once"
    assert tips[5] == "Documents with an occurrence in a window; not counted for more than 200,000 hits"
    assert tips[7] == "log₂ (O₁₁ / E₁₁) (Church & Hanks 1990)"


QUERIES = ["dog AND cat", "cat OR dog", "/[cr]at?/ OR zebra", "sat AND NOT dog"]


@pytest.mark.parametrize("query", QUERIES)
def test_any_query_has_collocates(bench, corpus, query):
    bench.ask(query)
    lines = bench.presenter.state.listed.lines
    found = corpus.collocates(lines, window=(2, 2), min_count=1, details=True)
    assert list(bench.state.found.rows) == list(found) and found.node_count and len(found)
    assert found.node_count == len(lines) - found.hits_left_out and "the hits of the tab Lines" in bench.state.facts
    # The word in the middle is what the windows are around, and not all of the query.
    node = bench.presenter.state.listed.request.found.node
    assert bench.state.query == query.split(" AND ")[node]
    bench.tab.read()
    for place, row in enumerate(bench.state.found.rows):
        bench.tab.choose(place)
        bench.wait()
        assert len(bench.tab.lines.state.lines.current) == row.observed
    recipe = recipe_of(bench.presenter.state, Source(("index",)))
    assert "lines = corpus.concordance(found, view=view)" in recipe.python and "--match=text" in recipe.commands[0]


def test_filters_of_lines_and_deleted_lines_are_in_force(bench, corpus):
    near = near_filter(corpus.index, "sat", 10, True, QueryOptions())
    bench.presenter.filters.put((near,))
    bench.wait()
    assert "2 hits" in bench.state.facts and {row.form for row in bench.state.found.rows} == {"the", "sat", "ran"}
    bench.set(within="sentence")
    assert {row.form for row in bench.state.found.rows if row.observed == 1} == {"sat", "ran"}
    bench.set(min_documents=2)
    assert bench.state.found.rows == ()


def test_a_sample_is_told(bench):
    bench.ask("the OR cat")
    bench.presenter.lines.choose(sample=2)
    bench.presenter.query.run()
    bench.wait()
    assert "≈ from a sample of 2 lines" in bench.state.facts


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet"])
def test_all_rows_are_saved(bench, tmp_path, ending):
    bench.tab.save(tmp_path / f"near.{ending}")
    bench.wait()
    assert bench.asked[-1] == Saved(tmp_path / f"near.{ending}", "Saved 6 rows")
    if ending == "csv":
        rows = (tmp_path / "near.csv").read_text(encoding="utf-8").splitlines()
        assert rows[0].startswith("form,observed,count,expected,logdice") and len(rows) == 7


def test_the_network_is_a_figure(bench, tmp_path, qapp):
    [chart] = bench.tab.charts()()
    for ending in ("png", "svg", "pdf"):
        save_chart(chart, tmp_path / f"network.{ending}", Paper(dpi=72))
        assert (tmp_path / f"network.{ending}").stat().st_size > 1_000
    drawn = (tmp_path / "network.svg").read_text(encoding="utf-8")
    assert all(row.form in drawn for row in bench.state.found.rows)
    save_chart(chart, tmp_path / "network.json")
    assert json.loads((tmp_path / "network.json").read_text(encoding="utf-8"))


def test_sessions_keep_how_is_counted(bench, corpus):
    bench.set(window=(3, 2), sort="mi", min_documents=2, stop=WordFile("/a/stop.txt"))
    saved = json.loads(json.dumps(bench.presenter.state.session()))["collocates"]
    other = bench_of(corpus)
    other.presenter.restore({"collocates": saved})
    assert other.state.rule == bench.state.rule
    # What no control shows is not taken either.
    for wrong in ({"window": [3, 999]}, {"unit": 1}, {"min_count": 1_000_000}, {"sort": "x"}, {"size": 3}):
        other.presenter.restore({"collocates": {**saved, **wrong}})
        assert other.state.rule == bench.state.rule


SESSION_0_2 = {
    "words": False, "left": 3, "right": 4, "within": "line", "min_count": 2, "min_documents": 6, "measure": "mi",
    "stop": "/a/stop.txt",
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, {}),
        ({"words": True, "stop": ""}, {"unit": "words", "stop": ()}),
        ({"left": 999}, {"window": (2, 2)}),
        ({"measure": None}, {"sort": "logdice"}),
    ],
)
def test_sessions_of_version_0_2_open(corpus, changed, expected):
    other = bench_of(corpus)
    other.presenter.restore({"collocates": {**SESSION_0_2, **changed}})
    read = CollocatesQuestion(
        window=(3, 4),
        within="line",
        unit="tokens",
        min_count=2,
        min_documents=6,
        sort="mi",
        stop=WordFile("/a/stop.txt"),
    )
    assert other.state.rule == replace(read, **expected)


def test_labels_stay_apart_and_lengths_in_proportion():
    spokes = tuple(Spoke(str(at), 0.5 + at / 100, 1.0) for at in range(50))
    placed = place_spokes(spokes, 100, 300, 10)
    for left in (False, True):
        labels = sorted(spoke.label for spoke in placed if spoke.left == left)
        assert len(labels) == 25 and all(b - a >= 10 - 1e-9 for a, b in pairwise(labels))
        assert labels[0] >= -145 and labels[-1] <= 145
    for spoke in placed:
        assert (spoke.x**2 + spoke.y**2) ** 0.5 == pytest.approx(100 * spokes[spoke.number].length)
    # Where there is no room, the weakest have no label.
    few = place_spokes(spokes, 100, 50, 10)
    assert {spoke.number for spoke in few if spoke.label is not None} == set(range(10))
    assert place_spokes((), 100, 50, 10) == ()


def test_words_made_on_another_screen_are_found(opened, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    screen = opened.show_screen("search")
    screen.search_for("the")
    qtbot.waitUntil(lambda: screen.presenter.state.lines.some)
    screen.tabs.setCurrentIndex(View.COLLOCATES)
    qtbot.waitUntil(lambda: screen.presenter.state.collocates.missing)
    opened.show_screen("statistics")
    screen.presenter.state.corpus.words()
    opened.show_screen("search")
    qtbot.waitUntil(lambda: screen.presenter.state.collocates.found is not None)


def test_the_window_counts_and_reads(opened, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    screen = opened.show_screen("search")
    view, state = screen.pages.collocates, lambda: screen.presenter.state.collocates
    screen.presenter.views.collocates.set(min_count=1)
    screen.search_for("the")
    qtbot.waitUntil(lambda: screen.presenter.state.lines.some)
    screen.tabs.setCurrentIndex(View.COLLOCATES)
    qtbot.waitUntil(lambda: state().missing)
    qtbot.mouseClick(view.empty.examples()[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: state().found is not None)
    qtbot.waitUntil(view.table.hasFocus)
    assert view.list.model.rowCount() == len(state().found.rows) and view.facts.text() == state().facts
    plot = view.network.plot
    qtbot.mouseClick(plot.sheet, Qt.MouseButton.LeftButton, pos=plot.sheet.pixel_of(1))
    assert state().row == 1 and view.table.currentIndex().row() == 1
    # Narrow and low: the drawing gets smaller, and no line of the formula is cut.
    formula = view.network.formula
    for size in ((1280, 800), (1000, 640), (760, 560)):
        opened.resize(*size)
        qtbot.waitUntil(lambda: formula.height() >= formula.heightForWidth(formula.width()) > 0)
    opened.resize(1280, 800)
    qtbot.mouseClick(view.network.lines, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.lines.model.rowCount() > 0)
    assert view.pages.currentWidget() is view.lines
    assert view.lines.model.rowCount() == min(50, state().found.rows[1].observed)
