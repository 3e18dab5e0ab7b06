"""The tab of an analysis of the registry: what it shows, keeps and saves is that of the library."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO

import pytest
from by_hand import HandServices

from explorer import build_index, open_index
from explorer.analyses.registry import row_of
from explorer.gui.analysis.page import tabs_of
from explorer.gui.analysis.presenter import AnalysisPresenter
from explorer.gui.screens.registry import SCREENS
from explorer.gui.screens.statistics.screen import StatisticsScreen
from explorer.recipes import Source, analysis_recipe

ROW = row_of("word-lengths")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("lengths") / "index"
    build_index([{"text": "The cat saw a cat and the dog."}], place, tokenizer="bytes", name="Cats")
    return place


@pytest.fixture
def bench(folder):
    services, saved = HandServices(), []
    presenter = AnalysisPresenter(ROW, services, saved=saved.append)
    presenter.use_corpus(open_index(folder))
    presenter.appear(True)
    services.answer_all()
    if presenter.state.missing:
        presenter.run(make=True)
        services.answer_all()
    return presenter, services, saved


def test_the_rows_are_those_of_the_library(bench, folder):
    presenter, services, _ = bench
    assert list(presenter.state.found.found) == list(open_index(folder).word_lengths())
    assert presenter.state.header == ("Length", "Words", "Share", "Different", "Most frequent")
    assert presenter.state.header_tips[1] == "Words of this length in the text"
    assert [cell.text for cell in presenter.state.found.table[1]] == ["3", "7", "87.50%", "5", "cat, the, and"]
    assert presenter.state.headline[:2] == ("Words: 8", "8")
    presenter.set(min_count=2, examples=1)
    services.let_time_pass()
    services.answer_all()
    assert [[cell.text for cell in line] for line in presenter.state.found.table] == [["3", "4", "100.00%", "2", "cat"]]


def test_columns_sort_and_rows_that_are_no_texts_have_no_lines(bench):
    presenter, _, _ = bench
    words = [row.word_count for row in presenter.state.rows]
    presenter.sort(1)
    assert [row[1].text for row in presenter.state.table] == [str(each) for each in sorted(words, reverse=True)]
    assert presenter.state.header[1] == "Words ↓"
    presenter.sort(1)
    assert presenter.state.header[1] == "Words ↑" and presenter.state.sort == (1, False)
    presenter.choose_shown(0)
    assert presenter.state.row == presenter.state.order[0] and presenter.lines.state.asked is None


def test_settings_are_kept_and_undone(bench):
    presenter, services, _ = bench
    presenter.set(examples=7)
    services.let_time_pass()
    services.answer_all()
    kept = json.loads(json.dumps(presenter.session()))
    assert kept == {"min_count": 1, "examples": 7}
    presenter.choices.undo()
    assert presenter.state.rule.examples == 3
    presenter.restore({**kept, "min_count": 0, "unknown": 1})
    assert presenter.session() == kept


def test_a_saved_file_states_what_it_is_of(bench, tmp_path):
    presenter, services, saved = bench
    presenter.set(min_count=2)
    services.let_time_pass()
    services.answer_all()
    presenter.save(tmp_path / "lengths.csv")
    services.answer_all()
    assert saved[0].sentence == "Saved 1 row"
    about = json.loads((tmp_path / "lengths.csv.about.json").read_text(encoding="utf-8"))
    assert (about["index"], about["least count"], about["word count"]) == ("Cats", "2", "4")
    [chart] = presenter.charts()()
    assert chart.title == "Word lengths of Cats" and dict(chart.facts)["least count"] == "2"


def test_code_prints_the_same_rows(bench, folder):
    presenter, _, _ = bench
    made = analysis_recipe(Source((str(folder),)), ROW.name, presenter.state.rule.restored({"min_count": 2}))
    with redirect_stdout(StringIO()) as shown:
        exec(made.python, {})
    assert shown.getvalue().splitlines()[1:] == ["3 4 1.0 2 ('cat', 'the')"]
    assert made.commands == (f"corpus-explorer word-lengths --min-count=2 {folder}\n",)


def test_the_screen_has_a_tab_with_a_form_a_table_and_a_chart(qtbot, folder):
    screen = StatisticsScreen()
    qtbot.addWidget(screen)
    screen.show()
    page = screen.turn_to("word-lengths")
    page.use_corpus(open_index(folder))
    qtbot.waitUntil(lambda: page.presenter.state.found is not None, timeout=10_000)
    qtbot.waitUntil(lambda: page.list.model.rowCount() == 2)
    assert page.plot.isVisibleTo(page) and page.recipe(Source(("index",))).commands[0].startswith(
        "corpus-explorer word"
    )
    page.focus_input()
    assert page.form.isAncestorOf(screen.window().focusWidget())


def test_the_guide_of_the_screen_explains_the_tab():
    [tab] = tabs_of("statistics")
    assert tab.topic == "statistics#word-lengths" and tabs_of("curation") == ()
    page = next(each.page for each in SCREENS if each.id == "statistics")
    text = page.read()
    assert "## Word lengths\n\nUse this tab to count the words of each length, with examples." in text
    assert "- **Min. hits**: minimum number of occurrences of a word that is counted." in text
    assert "- **Words**: Words of this length in the text." in text
