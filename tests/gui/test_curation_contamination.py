"""The tab of contamination: its figures are the library's, and an item is beside the document that has most of it."""

from __future__ import annotations

import csv
import json

import pytest
from bench import ITEMS, TEXTS, Bench, rows_of, write_bench
from by_hand import HandServices
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog

from explorer import open_index
from explorer.analyses.contamination.item_matches import VERDICTS, Thresholds
from explorer.analyses.contamination.question import ContaminationQuestion
from explorer.gui.screens.curation.contamination.board import board_of
from explorer.gui.screens.curation.contamination.items.items_model import MARK
from explorer.gui.screens.curation.contamination.page import ContaminationPage
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.recipes import Source, contamination_recipe


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("bench")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORPUS_EXPLORER_CACHE", str(place / "cache"))
        write_bench(place)
        yield place


@pytest.fixture(scope="module")
def corpus(place):
    return open_index(place / "index")


@pytest.fixture
def bench(corpus, place):
    return Bench(corpus, place / "items.jsonl")


def test_the_word_index_is_made_on_demand(place, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path))
    services = HandServices()
    presenter = ContaminationPresenter(services)
    presenter.use_corpus(open_index(place / "index"))
    presenter.appear(True)
    assert "benchmark" in presenter.state.invitation[0]
    presenter.add_files([place / "items.jsonl"])
    services.answer_all()
    assert presenter.state.missing and "word index" in presenter.state.invitation[1]
    presenter.set(unit="tokens")
    presenter.run()
    services.answer_all()
    assert presenter.state.found is not None and "tokens" in board_of(presenter.state)[3].about


@pytest.mark.parametrize("unit", ["words", "tokens"])
def test_figures_are_those_of_the_library(bench, corpus, place, unit):
    bench.presenter.set(unit=unit)
    bench.presenter.run()
    bench.services.answer_all()
    [truth] = corpus.contamination([place / "items.jsonl"], unit=unit).files
    assert bench.state.shown == truth
    judged = truth.items - truth.too_short
    assert bench.state.headline[0].startswith(f"{truth.flagged} of the {judged} items of items.jsonl")
    [row] = rows_of(bench)
    assert row[1].text == "4" and row[2].text == f"{100 * truth.flagged_share:.1f} %"
    at_least = sum(each.longest >= 8 for each in truth.rows)
    assert row[3].tip == str(at_least) and row[-1].text == str(max(each.longest for each in truth.rows))
    columns, found = bench.state.items
    assert [VERDICTS[place] for place in found.verdicts] == [each.verdict for each in truth.rows]
    assert (found.flagged, found.suspicious, found.too_short) == (truth.flagged, truth.suspicious, truth.too_short)
    assert found.near == truth.answers_near
    assert found.interval == (truth.flagged_share, truth.flagged_low, truth.flagged_high)
    assert sum(columns.bars(columns.share)) == sum(columns.bars(columns.covered)) == judged


def test_the_rules_of_others_are_side_by_side(bench):
    bench.presenter.change(by="rules")
    cells = {column.name: column.cells[0].tip for column in board_of(bench.state)[2:]}
    rules = bench.state.shown.rules
    assert cells == {
        "GPT-3": str(rules.gpt_3), "PaLM": str(rules.palm), "Llama 2": str(rules.llama_2),
        "not clean": str(rules.llama_2_not_clean), "13-gram": str(rules.any_13), "Llama 3": str(rules.llama_3),
        "ConTAM": str(rules.con_tam), "IG mini": str(rules.infini_gram_mini), "BFF": str(rules.bff),
    }  # fmt: skip
    assert rules.llama_2_not_clean > rules.llama_2


def test_the_most_severe_items_are_first(bench):
    assert [bench.state.shown.rows[at].id for at in bench.state.order] == ["plane", "farm", "new", "short"]


def test_thresholds_follow_without_a_question(bench):
    asked = bench.services.slots["contamination list"]
    rows = bench.state.shown.rows
    for percent in (1, 20, 47, 48, 49, 80, 100, 250):
        bench.presenter.verdicts.move("flag_at", percent)
        bench.presenter.verdicts.move("suspect_at", percent)
        limit = min(percent, 100) / 100
        found = bench.state.items[1]
        judged = [each for each in rows if each.units >= 13]
        flagged = {each.id for each in judged if each.longest_share >= limit}
        assert set(bench.state.ids("flagged")) == flagged and found.flagged == len(flagged)
        rest = [each for each in judged if each.id not in flagged and each.coverage_8 >= limit]
        assert bench.state.ids("suspicious") == [each.id for each in rest]
        assert bench.state.headline[0].startswith(f"{len(flagged)} of the {len(judged)} items")
        assert rows_of(bench)[0][2].tip == str(len(flagged))
    assert not asked.busy
    bench.presenter.verdicts.reset()
    assert bench.state.ids("flagged") == ["plane"]


def test_a_mark_is_kept_beside_what_was_measured(bench, corpus, tmp_path):
    bench.presenter.verdicts.mark(True)
    assert bench.state.marked == {}, "no item is chosen"
    bench.choose("new")
    headline = bench.state.headline
    bench.presenter.verdicts.mark(True)
    bench.choose("plane")
    bench.presenter.verdicts.mark(False)
    assert bench.state.headline == headline and "1 leaked, 1 not a leak" in bench.state.told
    assert bench.state.marked == {0: False, 3: True}
    bench.presenter.choices.undo()
    assert bench.state.marked == {3: True}
    bench.presenter.choices.redo()
    bench.presenter.verdicts.mark(False)
    assert bench.state.marked == {3: True}, "the same mark once more takes it back"
    bench.presenter.choices.undo()
    bench.presenter.outputs.save_ids(bench.state.marked_ids(True), tmp_path / "leaked", tuple)
    bench.services.answer_all()
    bench.presenter.outputs.save_ids(bench.state.marked_ids(False), tmp_path / "cleared", tuple)
    bench.services.answer_all()
    assert (tmp_path / "leaked").read_text() == "new\n" and (tmp_path / "cleared").read_text() == "plane\n"
    bench.presenter.verdicts.move("flag_at", 49)
    bench.presenter.save(tmp_path / "items.csv")
    bench.services.answer_all()
    with open(tmp_path / "items.csv", encoding="utf-8-sig", newline="") as file:
        rows = {row["id"]: (row["verdict"], row["mark"]) for row in csv.DictReader(file)}
    assert rows["plane"] == ("flagged", "not a leak") and rows["new"] == ("not-flagged", "leaked")
    assert rows["short"] == ("too-short", "")
    about = json.loads((tmp_path / "items.csv.about.json").read_text())
    assert "0.49" in str(about)


def test_marks_thresholds_and_files_are_undone_in_one_order(bench, place):
    asked = bench.services.slots["contamination list"]
    board = rows_of(bench)
    bench.choose("new")
    bench.presenter.verdicts.mark(True)
    # A threshold that is dragged is one step.
    for percent in (40, 49, 60):
        bench.presenter.verdicts.move("flag_at", percent)
    bench.presenter.verdicts.move("suspect_at", 90)
    for thresholds in (Thresholds(flag_at=0.6), Thresholds()):
        bench.presenter.choices.undo()
        assert bench.state.thresholds == thresholds and bench.state.marked == {3: True} and not asked.busy
    assert bench.presenter.session()["limits"] == Thresholds().session
    bench.presenter.choices.undo()
    assert bench.state.marked == {} and bench.presenter.session()["marks"] == [] and not asked.busy
    assert rows_of(bench) == board
    bench.presenter.choices.redo()
    assert bench.state.marked == {3: True} and len(bench.presenter.session()["marks"]) == 1
    bench.presenter.add_files([place / "other.csv"])
    bench.services.answer_all()
    assert len(rows_of(bench)) == 2
    bench.presenter.choices.undo()
    bench.services.answer_all()
    assert rows_of(bench) == board and len(bench.presenter.session()["files"]) == 1
    # Other index, other marks: nothing of this one can be undone there.
    bench.presenter.use_corpus(bench.state.corpus)
    assert not bench.presenter.choices.can_undo and not bench.presenter.choices.can_redo


def test_marks_find_their_items_again(bench, corpus, place, tmp_path):
    bench.choose("farm")
    bench.presenter.verdicts.mark(True)
    kept = json.loads(json.dumps(bench.presenter.session()))
    other = Bench(corpus, place / "items.jsonl")
    other.presenter.restore(kept)
    other.services.answer_all()
    assert other.state.marked == {1: True} and not other.presenter.choices.can_undo
    # Another question under the same name is another item; the same items elsewhere are the same.
    for folder, items in (
        ("other", [{**ITEMS[1], "question": ITEMS[1]["question"] + " Why?"}]),
        ("moved", ITEMS[::-1]),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "items.jsonl").write_text("\n".join(map(json.dumps, items)))
    other.presenter.restore({**kept, "files": [str(tmp_path / "other" / "items.jsonl")]})
    other.services.answer_all()
    assert other.state.marked == {}
    other.presenter.restore({**kept, "files": [str(tmp_path / "moved" / "items.jsonl")]})
    other.services.answer_all()
    assert other.state.marked == {2: True}
    for wrong in ({"marks": [["a", "b", "c", "d"], 3], "limits": {"flagged": 0}}, {"marks": None, "limits": []}):
        other.presenter.restore(wrong)
        assert other.state.marked == {} and other.state.thresholds == Thresholds()


def test_an_item_is_beside_its_document(bench):
    view = bench.choose("plane")
    text = view.text[slice(*view.match)]
    # As the document has it, with its line break and its capitals.
    assert text.startswith("A plane travels 1200\nMILES in 3 hours.") and text.endswith("2000 miles")
    assert view.found.item.question[slice(*view.span)].endswith("2000 miles")
    assert view.text[slice(*view.answer)] == "5 hours" and view.answer[0] > view.match[1]
    assert "the answer is near" in bench.presenter.item.state.told
    assert (
        view.shares[0] == 1.0 and len(view.shares) == view.found.longest and (view.shares[1:] <= view.shares[:-1]).all()
    )
    bench.presenter.item.open_document()
    [request] = bench.shown
    assert request.number == 1 and TEXTS[1].encode()[request.offset :].startswith(b"A plane")


def test_a_part_of_an_item_is_marked(bench):
    view = bench.choose("farm")
    assert view.text[slice(*view.match)].startswith("An old farm has 12 hens, 3 goats and a dog")
    assert view.answer == (0, 0) and view.found.evidence.document == 2


def test_an_item_that_is_nowhere_has_no_document(corpus, tmp_path):
    (tmp_path / "none.jsonl").write_text(json.dumps({"question": "Xylophones quack vividly."}))
    bench = Bench(corpus, tmp_path / "none.jsonl")
    view = bench.choose("0")
    assert view.text == "" and bench.presenter.item.state.document is None and len(view.shares) == 0
    bench.presenter.item.open_document()
    assert bench.shown == []


def test_several_benchmarks_are_compared(bench, place):
    bench.presenter.add_files([place / "other.csv", place / "items.jsonl"])
    bench.services.answer_all()
    assert [row[0].text for row in rows_of(bench)] == ["items.jsonl", "other.csv"]
    bench.presenter.choose_file(1)
    assert bench.state.first == 4 and len(bench.state.order) == 1
    assert "flagged" in bench.state.headline[0] and bench.state.headline[2] == ""
    view = bench.choose("0")
    assert view.found.item.question == 'Who wrote\r\n"this"?' or view.found.item.question == 'Who wrote\n"this"?'


def test_ids_are_saved(bench, tmp_path):
    for verdict, names in (("flagged", "plane\n"), ("not-flagged", "new\n")):
        bench.presenter.outputs.save_ids(bench.state.ids(verdict), tmp_path / verdict, tuple)
        bench.services.answer_all()
        assert (tmp_path / verdict).read_text() == names
    assert bench.saved[-1].sentence == "Saved 1 item"


def test_documents_are_handed_to_the_export(corpus, place, tmp_path):
    (tmp_path / "whole.jsonl").write_text(json.dumps({"question": TEXTS[1]}))
    bench = Bench(corpus, tmp_path / "whole.jsonl")
    bench.presenter.outputs.remove(corpus, bench.state.answer.current)
    bench.services.answer_all()
    [cuts] = bench.handed
    truth = corpus.decontamination([tmp_path / "whole.jsonl"])
    assert cuts.ranges.documents.tolist() == truth.ranges.documents.tolist() == [1] and "whole.jsonl" in cuts.title
    assert "1 occurs from beginning to end" in bench.state.told


def test_a_file_that_cannot_be_read_is_told(bench, tmp_path):
    (tmp_path / "bad.jsonl").write_text("{")
    bench.presenter.add_files([tmp_path / "bad.jsonl"])
    bench.services.answer_all()
    assert bench.state.answer.error is not None and "bad.jsonl" in bench.state.notice


def test_what_is_looked_for_is_kept(bench, corpus):
    bench.presenter.set(unit="tokens", question="q")
    other = ContaminationPresenter(HandServices())
    other.restore(json.loads(json.dumps(bench.presenter.session())))
    assert other.state.rule == bench.state.rule
    other.restore({"unit": "bytes", "files": [1], "question": None, "parts": ["answer"]})
    assert other.state.rule == bench.state.rule
    assert other.state.rule != ContaminationQuestion()


def test_thresholds_are_kept(bench):
    bench.presenter.verdicts.move("flag_at", 41)
    other = ContaminationPresenter(HandServices())
    other.restore(json.loads(json.dumps(bench.presenter.session())))
    assert other.state.thresholds == Thresholds(flag_at=0.41)
    # A session of version 0.2.
    other.restore({"limits": {"flagged": 60, "suspicious": 7}})
    assert other.state.thresholds == Thresholds(flag_at=0.6, suspect_at=0.07)
    # The bars show whole percentages of two shares.
    for wrong in ({"flag_at": 0.415}, {"flag_by": "coverage_13"}, {"flagged": 10**400}, {"suspect_at": "1"}):
        other.restore({"limits": wrong})
        assert other.state.thresholds == Thresholds(flag_at=0.6, suspect_at=0.07)


def test_all_items_go_to_a_file(bench, corpus, tmp_path):
    bench.presenter.save(tmp_path / "items.csv")
    bench.services.answer_all()
    with open(tmp_path / "items.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == ["plane", "farm", "short", "new"]
    [chart] = bench.presenter.charts()()
    assert sum(count for _, count in chart.data) == 4


def test_the_code_finds_the_same(bench, corpus, capsys):
    recipe = contamination_recipe(Source(corpus.index.sources), bench.state.rule, Thresholds())
    assert "Thresholds" not in recipe.python and "--flag-at" not in recipe.command
    exec(recipe.python, {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(" 4 1 1 1") and len(lines) == 5
    assert "contamination" in recipe.command


def test_the_code_has_the_thresholds(bench, corpus, capsys):
    bench.presenter.verdicts.move("flag_at", 41)
    bench.presenter.verdicts.move("suspect_at", 7)
    recipe = contamination_recipe(Source(corpus.index.sources), bench.state.rule, bench.state.thresholds)
    exec(recipe.python, {})
    found = bench.state.items[1]
    told = f" 4 {found.flagged} {found.suspicious} {found.too_short}"
    assert capsys.readouterr().out.splitlines()[0].endswith(told)
    assert "--flag-at=0.41 --suspect-at=0.07" in recipe.command


def test_with_scores_the_gain_is_told(corpus, tmp_path):
    scores = {"plane": 1, "farm": 1, "short": 0, "new": 0}
    path = tmp_path / "scored.jsonl"
    path.write_text("\n".join(json.dumps({**item, "score": scores[item["id"]]}) for item in ITEMS))
    bench = Bench(corpus, path)
    truth = {each.threshold: each for each in corpus.contamination([path]).curves if each.metric == "longest_share"}
    for percent, threshold in ((50, 0.5), (48, 0.5), (12, 0.1)):
        bench.presenter.verdicts.move("flag_at", percent)
        told = f"score gains ≈ {truth[threshold].gain:+.3f} by items from {100 * threshold:.0f} %"
        assert told in bench.state.told
    # Two of the three that are long enough are right; without the flagged one it is one of two.
    assert truth[0.5].gain == pytest.approx(2 / 3 - 1 / 2)
    _, curves = bench.presenter.charts()()
    assert len(curves.data) == len(truth)


def test_the_page_is_driven(qtbot, corpus, place, window, monkeypatch, tmp_path):
    screen = window.screens["curation"]
    window.show_screen("curation")
    page = screen.turn_to("contamination")
    assert isinstance(page, ContaminationPage)
    page.presenter.use_corpus(corpus)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *args: ([str(place / "items.jsonl")], ""))
    qtbot.mouseClick(page.bar.add, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.items.model.rowCount() == 4)
    page.items.table.setFocus()
    page.items.table.setCurrentIndex(page.items.model.index(0, 0))
    qtbot.keyClick(page.items.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "A plane travels" in page.item.document.toPlainText())
    assert "Reference answer" in page.item.item.toPlainText() and page.item.open.isEnabled()
    qtbot.mouseClick(page.item.leaked, Qt.MouseButton.LeftButton)
    assert page.items.model.cell(page.items.model.index(0, MARK)).text == "leaked" and page.item.leaked.isChecked()
    assert not page.items.table.isColumnHidden(MARK)
    # Keys of the page, wherever the focus is in it.
    page.items.table.setFocus()
    qtbot.keyClick(page.items.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not page.item.leaked.isChecked() and page.items.table.isColumnHidden(MARK)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "flagged.ids"), ""))
    qtbot.mouseClick(page.items.flagged, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: (tmp_path / "flagged.ids").exists())
    _drag_thresholds(qtbot, page)
    qtbot.mouseClick(page.bar.clear, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.presenter.state.found is None)


def _drag_thresholds(qtbot, page):
    bars, model = page.bars.flagged, page.items.model
    before = page.items.table.currentIndex().row()
    assert model.cell(model.index(before, 0)).text == "plane"
    left, right = (QPoint(round(bars._area().left() + bars._area().width() * share), 30) for share in (0.5, 0.4))
    qtbot.mousePress(bars, Qt.MouseButton.LeftButton, pos=left)
    qtbot.mouseMove(bars, right)
    qtbot.mouseRelease(bars, Qt.MouseButton.LeftButton, pos=right)
    assert page.presenter.state.thresholds.flag_at == 40 / 100
    assert [model.cell(model.index(row, 4)).text for row in range(2)] == ["flagged", "flagged"]
    for key in (Qt.Key.Key_End, Qt.Key.Key_Left, Qt.Key.Key_PageDown):
        qtbot.keyClick(bars, key)
    assert page.presenter.state.thresholds.flag_at == 89 / 100 and "flagged from 89 %" in bars.accessibleDescription()
    qtbot.keyClick(page.bars.suspicious, Qt.Key.Key_Home)
    assert page.presenter.state.thresholds.suspect_at == 1 / 100
    # The chosen item stays chosen, wherever it is in the order.
    at = page.items.table.currentIndex().row()
    assert model.cell(model.index(at, 0)).text == "plane"
    qtbot.mouseClick(page.bars.reset, Qt.MouseButton.LeftButton)
    assert page.presenter.state.thresholds == Thresholds() and page.bars.reset.isHidden()
