"""The tab of clusters: figures of the library, rows with as many lines as they count, and the window itself."""

from __future__ import annotations

import re

import pytest
from around_query import TEXTS, Bench
from PySide6.QtCore import Qt

from explorer import build_index, open_index
from explorer.analyses.clusters.question import ClustersQuestion
from explorer.analyses.metadata.values import FieldFilter
from explorer.gui.presenting.requests import DocumentRequest, Saved
from explorer.gui.screens.search.recipes import recipe_of
from explorer.gui.screens.search.state import View
from explorer.recipes import Source


def bench_of(corpus):
    return Bench(corpus, View.CLUSTERS, min_count=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("around")
    rows = [{"text": text, "year": 2000 + at} for at, text in enumerate(TEXTS)]
    build_index(rows, place / "index", tokenizer="bytes")
    build_index([{"text": "... !!!"}], place / "signs", tokenizer="bytes")
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


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, {}),
        ({"side": "left", "size": (2, 2)}, {"side": "left", "size": (2, 2)}),
        ({"unit": "tokens", "side": "right", "size": (4, 4), "min_documents": 2}, {
            "unit": "tokens", "side": "right", "size": (4, 4), "min_documents": 2
        }),
    ],
)  # fmt: skip
def test_rows_are_the_library_s(bench, corpus, given, asked):
    bench.set(**given)
    found = corpus.clusters("cat", **asked)
    assert list(bench.state.found.rows) == list(found) and len(found)
    hits, _, types = bench.state.facts.split(" · ")[:3]
    assert (hits.split(" (")[0], types) == (
        f"{found.node_count:,} hits",
        f"{found.types:,} distinct cluster{'s' * (found.types > 1)}",
    )
    assert bench.state.header[2] == "Hits ↓" and not bench.state.dimmed


def test_a_row_has_as_many_lines_as_it_counts(bench):
    for place, row in enumerate(bench.state.found.rows):
        bench.tab.choose(place)
        bench.wait()
        lines = bench.tab.lines.state.lines.current
        assert len(lines) == row.count and len({line.document for line in lines}) == row.documents
        assert {" ".join(re.findall(r"\w+", line.match.lower())) for line in lines} == {row.form}
    bench.tab.lines.open_line(0)
    line = bench.tab.lines.state.lines.current[0]
    assert bench.asked[-1] == DocumentRequest(line.document, line.offset, line.length)


def test_filters_are_in_force_also_for_the_lines(bench, corpus):
    bench.presenter.filters.put((FieldFilter("year", ">", "2000"),))
    bench.wait()
    part = corpus.clusters("cat", where="year>2000")
    assert list(bench.state.found.rows) == list(part) and bench.state.current
    place = next(at for at, row in enumerate(part) if row.form == "the cat")
    bench.tab.choose(place)
    bench.wait()
    assert [line.document for line in bench.tab.lines.state.lines.current] == [2]
    recipe = recipe_of(bench.presenter.state, Source(("index",)))
    assert "where=['year>2000']" in recipe.python and "'--where=year>2000'" in recipe.commands[0]
    assert "corpus.clusters('cat', top=500, where=" in recipe.python


@pytest.mark.parametrize(
    ("query", "given", "told"),
    [
        ("cat AND zebra", {}, ""),
        ("catal", {}, "inside words"),
        ("!", {}, "no word"),
        ("the cat sat", {"size": (2, 2)}, "does not fit into clusters of size 2"),
        ("the zebra sat", {"size": (2, 2)}, "does not fit into clusters of size 2"),
        ("cat", {"min_count": 99}, "smaller number of hits"),
        ("and the catalog", {"size": (4, 4), "side": "left"}, "long enough"),
    ],
)
def test_what_finds_nothing_tells_why(bench, query, given, told):
    bench.presenter.query.set_options(None, None)
    bench.ask(query)
    if given:
        bench.set(**given)
    assert told in " ".join((*bench.state.invitation, bench.state.notice))


def test_a_corpus_without_words_tells_so(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path))
    bench = bench_of(open_index(folder / "signs"))
    bench.ask("...")
    bench.tab.run(make=True)
    bench.wait()
    assert "no word" in " ".join((*bench.state.invitation, bench.state.notice))


def test_columns_sort(bench):
    bench.tab.sort(1)
    forms = [bench.state.found.rows[row].form for row in bench.state.order]
    assert forms == sorted(forms) and bench.state.header[1] == "Cluster ↑"
    bench.tab.sort(5)
    sizes = [bench.state.found.rows[row].size for row in bench.state.order]
    assert sizes == sorted(sizes, reverse=True)


def test_all_rows_are_saved(bench, tmp_path):
    bench.tab.save(tmp_path / "clusters.csv")
    bench.wait()
    number = len(bench.state.found.found)
    assert bench.asked[-1] == Saved(tmp_path / "clusters.csv", f"Saved {number} rows")
    rows = (tmp_path / "clusters.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "size,form,count,documents,per_million" and len(rows) == number + 1


def test_sessions_keep_which_are_listed(bench, corpus):
    bench.set(side="right", size=(2, 5), unit="tokens")
    other = bench_of(corpus)
    saved = bench.presenter.state.session()["clusters"]
    other.presenter.restore({"clusters": {**saved, "min_documents": 0}})
    assert other.state.rule == bench.state.rule
    other.presenter.restore({"clusters": {**saved, "side": "middle", "size": [8, 2]}})
    assert other.state.rule == bench.state.rule


def test_a_session_of_version_2_is_read(bench):
    before = {"words": False, "shortest": 3, "longest": 6, "side": "left", "min_count": 4, "min_documents": 2}
    bench.presenter.restore({"clusters": before})
    assert bench.state.rule == ClustersQuestion(size=(3, 6), side="left", unit="tokens", min_count=4, min_documents=2)


def test_the_window_counts_and_reads(opened, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    screen = opened.show_screen("search")
    view, state = screen.pages.clusters, lambda: screen.presenter.state.clusters
    screen.search_for("the")
    qtbot.waitUntil(lambda: screen.presenter.state.lines.some)
    screen.tabs.setCurrentIndex(View.CLUSTERS)
    qtbot.waitUntil(lambda: state().missing)
    qtbot.mouseClick(view.empty.examples()[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: state().found is not None)
    assert view.list.model.rowCount() == len(state().found.rows) and view.facts.text() == state().facts
    view.table.setFocus()
    view.table.selectRow(0)
    qtbot.waitUntil(lambda: view.lines.model.rowCount() > 0)
    assert view.lines.model.rowCount() == min(50, state().found.rows[0].count)
    [places] = view.rule.widgets("side")
    places.activated.emit(1)
    qtbot.waitUntil(lambda: state().current and state().found.rule.side == "left")
    assert all(row.form.startswith("the ") for row in state().found.rows)
