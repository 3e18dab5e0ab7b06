"""Contamination of several indexes, and a benchmark that is in an index itself."""

from __future__ import annotations

import json

import pytest
from bench import ITEMS, Bench, with_own_bench, write_bench
from hands import Mouse
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from task_window import answer_dialog, settled

from explorer import Thresholds, build_index, contamination_board, open_index
from explorer.analyses.contamination.question import ContaminationQuestion
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.screens.curation.contamination.board import board_of
from explorer.recipes import Source, contamination_recipe


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("bench")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORPUS_EXPLORER_CACHE", str(place / "cache"))
        write_bench(place)
        open_index(place / "index").words()
        yield place


@pytest.fixture(scope="module")
def corpus(place):
    return open_index(place / "index")


@pytest.fixture(scope="module")
def with_own(place):
    return with_own_bench(place)


@pytest.fixture
def bench(corpus, place):
    return Bench(corpus, place / "items.jsonl")


def test_a_benchmark_in_the_texts_is_left_out(with_own, place):
    bench = Bench(with_own, place / "items.jsonl")
    assert bench.state.ids("flagged") == ["plane", "farm", "new"] and not bench.state.missing
    assert bench.choose("farm").found.evidence.document == 1 and len(bench.view.shares) == bench.view.found.units
    bench.presenter.set(without_own=True)
    bench.presenter.run()
    bench.services.answer_all()
    truth = with_own.contamination([place / "items.jsonl"], without_own=True)
    assert bench.state.shown == truth.files[0] and bench.state.ids("flagged") == ["plane"]
    # What is shown of an item is of the texts that are left, too.
    view = bench.choose("farm")
    assert view.found.evidence.document == 6 and len(view.shares) == view.found.longest < view.found.units
    assert view.text[slice(*view.match)].startswith("An old farm has 12 hens")
    kept = json.loads(json.dumps(bench.presenter.session()))
    other = Bench(with_own)
    other.presenter.restore(kept)
    other.services.answer_all()
    assert other.state.rule.without_own and other.state.ids("flagged") == ["plane"]


def test_the_code_leaves_it_out(with_own, place, capsys):
    rule = ContaminationQuestion(files=(str(place / "items.jsonl"),), without_own=True)
    recipe = contamination_recipe(Source(with_own.index.sources), rule, Thresholds())
    exec(recipe.python, {})
    assert capsys.readouterr().out.splitlines()[0].endswith(" 4 1 1 1")
    assert "--without-own" in recipe.command


def test_several_indexes_are_side_by_side(bench, with_own, place):
    """The figures are those of the library, by whatever thresholds."""
    where = with_own.index.sources[0]
    bench.presenter.add_files([place / "other.csv"])
    bench.services.answer_all()
    bench.presenter.beside.add(where)
    bench.services.answer_all()
    files = [place / "items.jsonl", place / "other.csv"]
    for percent in (50, 41):
        bench.presenter.verdicts.move("flag_at", percent)
        truth = contamination_board([bench.state.corpus, with_own], files, thresholds=Thresholds(flag_at=percent / 100))
        first, second = (iter(truth[at : at + 2]) for at in (0, 2))
        columns = board_of(bench.state)
        assert [column.name for column in columns] == ["Benchmark", "Items", "Answers", "With its own"]
        for column, rows in zip(columns[2:], (first, second), strict=True):
            for cell, row in zip(column.cells, rows, strict=True):
                if row.flagged_share is None:
                    assert (cell.text, cell.bar) == ("–", None)
                else:
                    ends = (100 * end for end in (row.flagged_share, row.flagged_low, row.flagged_high))
                    assert cell.text == "{:.1f} % ({:.1f}–{:.1f})".format(*ends)
                    assert cell.tip == f"{row.flagged} of {row.judged} items"
    # The other index has the benchmark itself; the items that are listed are those of the open one.
    assert [(each.index, each.source) for each in bench.state.own] == [("With its own", "a_bench.jsonl")]
    assert bench.state.shown == bench.state.corpus.contamination(files).files[0]


def test_the_open_index_is_not_beside_itself(bench, corpus, with_own):
    """A rule is kept when another index is opened, also one of its own."""
    bench.presenter.beside.add(with_own.index.sources[0])
    bench.services.answer_all()
    bench.presenter.use_corpus(with_own)
    bench.services.answer_all()
    assert bench.state.beside == () and bench.state.found.others == ()
    kept = json.loads(json.dumps(bench.presenter.session()))
    other = Bench(corpus)
    other.presenter.restore(kept)
    other.services.answer_all()
    assert [each.name for each in other.state.found.others] == ["With its own"]
    other.presenter.beside.remove(with_own.index.sources[0])
    other.services.answer_all()
    assert other.state.found.others == () and other.state.rule.against == ()


def test_an_index_that_is_gone_is_told(bench, place):
    bench.presenter.beside.add(str(place / "nowhere"))
    bench.services.answer_all()
    assert "nowhere" in bench.state.notice
    bench.presenter.beside.remove(str(place / "nowhere"))
    bench.services.answer_all()
    assert bench.state.notice == "" and bench.state.answer.current is not None


def test_words_of_another_index_are_made_on_demand(bench, place):
    build_index([{"text": "Only a few words."}], place / "no words", tokenizer="bytes")
    bench.presenter.beside.add(str(place / "no words"))
    bench.services.answer_all()
    assert bench.state.missing and bench.state.most_bytes == 13 * open_index(place / "no words").token_count
    bench.presenter.run(make=True)
    bench.services.answer_all()
    assert len(bench.state.found.others) == 1


def test_the_code_compares_indexes(bench, with_own, capsys):
    where = with_own.index.sources[0]
    rule = ContaminationQuestion(files=bench.state.rule.files, against=(where,))
    recipe = contamination_recipe(Source(bench.state.corpus.index.sources), rule, Thresholds(flag_at=0.41))
    exec(recipe.python, {})
    lines = capsys.readouterr().out.splitlines()
    told = [
        line.removeprefix(name).split()[1:3] for line, name in zip(lines, ("Answers", "With its own"), strict=False)
    ]
    assert told == [["2", str(2 / 3)], ["3", "1.0"]]
    assert f"--against={where}" in recipe.command and "--flag-at=0.41" in recipe.command


def test_a_score_field_is_chosen(corpus, tmp_path):
    path = tmp_path / "scored.jsonl"
    path.write_text("\n".join(json.dumps({**item, "of_mine": len(item["id"])}) for item in ITEMS))
    bench = Bench(corpus, path)
    assert "score gains" not in bench.state.told
    bench.presenter.set(score="of_mine")
    bench.presenter.run()
    bench.services.answer_all()
    assert "score gains" in bench.state.told
    recipe = contamination_recipe(Source(corpus.index.sources), bench.state.rule, Thresholds())
    assert "--score-field=of_mine" in recipe.command and "score='of_mine'" in recipe.python


def test_a_benchmark_is_left_out_with_the_mouse(qtbot, with_own, place, window, monkeypatch):
    page = window.screens["curation"].turn_to("contamination")
    window.show_screen("curation")
    page.presenter.use_corpus(with_own)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *args: ([str(place / "items.jsonl")], ""))
    qtbot.mouseClick(page.bar.add, Qt.MouseButton.LeftButton)
    notice = page.told.own
    qtbot.waitUntil(notice.isVisible)
    assert notice.title.text() == "A benchmark is in the texts itself"
    assert "items.jsonl: 3 documents of a_bench.jsonl with 3 items (100.0 %)" in notice.text()
    [button] = notice.buttons()
    assert button.text() == "Leave it out"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "is left out" in notice.title.text())
    assert page.headline.text.startswith("1 of the 3 items")
    # By the keyboard as well: the way back has the focus.
    [back] = notice.buttons()
    assert back.text() == "Count it as well" and back.hasFocus()
    qtbot.keyClick(back, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: notice.buttons()[0].text() == "Leave it out")
    assert page.headline.text.startswith("3 of the 3 items")
    qtbot.mouseClick(page.bar.clear, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not notice.isVisible())


def test_an_index_is_added_with_the_mouse(qtbot, window, place, with_own, monkeypatch):
    for name in ("with own", "index"):
        window.open(OpenRequest((str(place / name),)))
        qtbot.waitUntil(
            lambda name=name: window.corpus is not None and str(place / name) in window.corpus.index.sources
        )
    window.show_screen("curation")
    page = window.screens["curation"].turn_to("contamination")
    mouse = Mouse(window, settled(window))
    answer_dialog(monkeypatch, mouse, "getOpenFileNames", [place / "items.jsonl"])

    def task():
        yield mouse.click("Add a benchmark …")
        yield mouse.until(lambda: page.presenter.state.found is not None)
        yield mouse.click("Add an index")
        # The index that is open is not offered.
        assert "Answers" not in [action.text() for action in page.bar.indexes.menu.actions()]
        yield mouse.click("With its own")
        yield mouse.until(lambda: page.board.model.columnCount() == 4)

    mouse.do(task())
    names = [page.board.model.headerData(column, Qt.Orientation.Horizontal) for column in range(4)]
    assert names == ["Benchmark", "Items", "Answers", "With its own"]
    assert "100.0 %" in page.board.model.cell(page.board.model.index(0, 3)).text
    assert "items.jsonl in With its own: 3 documents" in page.told.own.text()
    [chip] = page.bar.indexes.chips
    chip.setFocus()
    qtbot.keyClick(chip, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: page.board.model.columnCount() == 3)
    # The focus stays in the row.
    assert page.bar.indexes.button.hasFocus() and page.bar.indexes.chips == []
