"""The tab of exports: what other tabs hand over is looked at, switched off, and written to a new folder."""

from __future__ import annotations

import csv
import json
import resource
import shutil
from contextlib import contextmanager

import numpy as np
import pytest
from by_hand import HandServices
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QFileDialog, QToolTip

from explorer import build_index, open_index, ranges_of
from explorer.export.cuts.cuts import CUT_FORMATS
from explorer.gui.presenting.cells import percent
from explorer.gui.presenting.requests import ExportCuts
from explorer.gui.screens.curation.export import keeping
from explorer.gui.screens.curation.export.keeping import packed, unpacked
from explorer.gui.screens.curation.export.page import ExportPage
from explorer.gui.screens.curation.export.presenter import ExportPresenter
from explorer.gui.screens.curation.export.preview_panel import CutText
from explorer.gui.screens.curation.export.work import MOST_SHOWN, ExportRule

TEXTS = [
    "A ship sails on the sea.",
    "An old farm is on the hill.",
    "x" * 90 + "goes" + "y" * 40_000,
    "\U0001f600 A ship sails.",
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    place = tmp_path_factory.mktemp("cuts")
    (place / "texts.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in TEXTS))
    build_index(place / "texts.jsonl", place / "index", tokenizer="bytes", name="Cuts")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORPUS_EXPLORER_CACHE", str(place / "cache"))
        yield open_index(place / "index")


SHIPS = ExportCuts("Ships", ranges_of([0, 3], [2, 7], [6, 11]), (("length", "4"),))
FARM = ExportCuts("Farm", ranges_of([0, 1], [4, 0], [10, len(TEXTS[1])]))


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services, self.saved = HandServices(), []
        self.presenter = ExportPresenter(self.services, self.saved.append)
        self.presenter.use_corpus(corpus)
        self.presenter.appear(True)

    @property
    def state(self):
        return self.presenter.state

    def hand(self, *requests):
        for request in requests:
            self.presenter.add(request)
            self.services.answer_all()
        return self.state.answer.current


@pytest.fixture
def bench(corpus):
    return Bench(corpus)


def test_cuts_are_taken_together(bench, corpus):
    found = bench.hand(SHIPS, FARM)
    union = SHIPS.ranges.union(FARM.ranges)
    assert found.ranges.tokens == union.tokens and found.counts.documents_emptied == 1
    total = sum(len(text.encode()) for text in TEXTS)
    assert bench.state.headline[0] == f"{percent(union.tokens / total)} of the tokens are cut"
    assert {row.number: row.why for row in found.rows} == {0: ("Ships", "Farm"), 1: ("Farm",), 3: ("Ships",)}
    assert found.rows[0].number == 1


def test_what_is_switched_off_stays(bench):
    bench.hand(SHIPS, FARM)
    bench.presenter.switch(1, False)
    bench.services.answer_all()
    assert bench.state.answer.current.ranges.tokens == SHIPS.ranges.tokens
    bench.presenter.hand(())
    assert bench.state.found is None and bench.state.invitation[0] == "Nothing to cut yet" and not bench.state.ready


def test_cuts_that_were_cleared_or_switched_off_come_back(bench):
    whole = bench.hand(SHIPS, FARM).counts.tokens_removed
    bench.presenter.switch(0, False)
    bench.services.answer_all()
    without = bench.state.answer.current.counts.tokens_removed
    bench.presenter.hand(())
    bench.services.answer_all()
    assert bench.state.found is None and "handed" not in bench.presenter.session()
    bench.presenter.choices.undo()
    bench.services.answer_all()
    assert bench.state.answer.current.counts.tokens_removed == without < whole
    bench.presenter.choices.undo()
    bench.services.answer_all()
    assert bench.state.answer.current.counts.tokens_removed == whole
    assert [cut["on"] for cut in bench.presenter.session()["handed"]["cuts"]] == [True, True]
    bench.presenter.choices.redo()
    bench.presenter.choices.redo()
    assert bench.state.handed == () and not bench.presenter.choices.can_redo


def test_the_check_mark_of_a_cut_follows_an_undo(qtbot, corpus, window):
    screen = window.screens["curation"]
    page = screen.page("export")
    page.presenter.use_corpus(corpus)
    window.show_screen("curation")
    screen.take(SHIPS)
    qtbot.waitUntil(lambda: page.bar.write.isEnabled())
    box = page.bar.handed[0]
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=box.rect().center() - QPoint(box.width() // 2 - 8, 0))
    qtbot.waitUntil(lambda: not page.bar.write.isEnabled() and not screen.busy)
    assert not box.isChecked()
    window.activateWindow()
    qtbot.keyClick(page.bar.format, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.bar.write.isEnabled())
    # The mark that is set by the undo is no choice of its own: it can be redone, and there is one step before it.
    assert box.isChecked() and page.presenter.choices.can_redo
    page.presenter.choices.undo()
    assert page.presenter.state.handed == () and not page.presenter.choices.can_undo


def test_the_same_title_takes_the_place_of_the_first(bench):
    found = bench.hand(SHIPS, ExportCuts("Ships", ranges_of([0], [2], [3])))
    assert found.ranges.tokens == 1 and len(bench.state.handed) == 1


def test_a_preview_strikes_out_what_the_library_cuts(bench, corpus):
    found = bench.hand(SHIPS, FARM)
    for place, row in enumerate(found.rows):
        bench.presenter.choose(place)
        bench.services.answer_all()
        seen, truth = bench.state.preview.current, corpus.preview_cuts(found.ranges, row.number)
        assert seen.text == truth.text and tuple((span.start, span.end) for span in seen.spans) == truth.spans
    first = [row.number for row in found.rows].index(0)
    bench.presenter.choose(first)
    bench.services.answer_all()
    assert [span.why for span in bench.state.preview.current.spans] == ["Ships, Farm"]


def test_of_a_long_document_the_part_with_the_first_cut_is_shown(bench, corpus):
    bench.hand(ExportCuts("Late", ranges_of([2], [30_000], [30_004])))
    bench.presenter.choose(0)
    bench.services.answer_all()
    seen = bench.state.preview.current
    [span] = seen.spans
    assert seen.first == 29_500 and len(seen.text) == min(MOST_SHOWN, seen.characters - seen.first)
    assert span.end - span.start == 4 and "characters 29,501 to" in bench.state.about_preview


def test_gaps_are_joined(bench):
    bench.hand(ExportCuts("Parts", ranges_of([1, 1], [0, 4], [2, 6])))
    bench.presenter.set(gap=2)
    bench.presenter.run()
    bench.services.answer_all()
    assert bench.state.answer.current.ranges.tokens == 6


@pytest.mark.parametrize("form", ["cleaned", "annotated", "byterange", "ranges"])
def test_a_folder_is_what_the_library_writes(bench, corpus, tmp_path, form):
    bench.hand(SHIPS, FARM)
    bench.presenter.set(format=form)
    bench.presenter.run()
    bench.services.answer_all()
    answer = bench.state.answer.current
    bench.presenter.writer.write(corpus, answer, tmp_path / "ours")
    bench.services.answer_all()
    corpus.export_cuts(answer.ranges, tmp_path / "theirs", format=form)
    assert bench.saved[-1].path == tmp_path / "ours"
    for path in (tmp_path / "theirs").iterdir():
        if path.name != "manifest.json":
            assert (tmp_path / "ours" / path.name).read_bytes() == path.read_bytes()
    manifest = json.loads((tmp_path / "ours" / "manifest.json").read_text())
    assert manifest["cuts"] == [{"title": "Ships", "length": "4"}, {"title": "Farm"}]


def test_a_folder_that_exists_is_refused_in_a_sentence(bench, corpus, tmp_path):
    answer = bench.hand(SHIPS)
    bench.presenter.writer.write(corpus, answer, tmp_path)
    bench.services.answer_all()
    assert bench.state.error is not None and bench.state.notice and not bench.saved


def test_whole_documents_become_a_removal_index(bench, corpus, tmp_path):
    whole = ExportCuts("Whole", ranges_of([1], [0], [len(TEXTS[1])]))
    answer = bench.hand(whole)
    assert bench.state.whole_documents
    bench.presenter.writer.write_index(corpus, answer, tmp_path / "removed")
    bench.services.answer_all()
    assert open_index(tmp_path / "removed").count("farm") == 1
    assert bench.saved[-1].sentence == "Wrote an index of 1 document"
    bench.hand(SHIPS)
    assert not bench.state.whole_documents


def test_ranges_go_to_a_table(bench, tmp_path):
    found = bench.hand(SHIPS, FARM)
    bench.presenter.save(tmp_path / "cuts.csv")
    bench.services.answer_all()
    with open(tmp_path / "cuts.csv", encoding="utf-8-sig", newline="") as file:
        rows = [tuple(int(value) for value in row.values() if value) for row in csv.DictReader(file)]
    here = found.ranges
    # Whole documents are not copies of a window, so the columns of the first copy are empty.
    assert rows == list(zip(here.documents.tolist(), here.starts.tolist(), here.ends.tolist(), strict=True))


def test_another_index_has_other_documents(bench, corpus):
    bench.hand(SHIPS)
    bench.presenter.use_corpus(corpus)
    assert bench.state.handed == () and bench.state.found is None


def _again(corpus, values):
    """Another start of the program."""
    again = Bench(corpus)
    again.presenter.restore(json.loads(json.dumps(values)))
    again.services.answer_all()
    return again


def test_what_was_handed_over_is_kept(bench, corpus):
    bench.hand(SHIPS, FARM)
    bench.presenter.switch(1, False)
    bench.services.answer_all()
    values = bench.presenter.session()
    again = _again(corpus, values)
    assert [(each.title, each.asked, each.on) for each in again.state.handed] == [
        ("Ships", SHIPS.asked, True),
        ("Farm", (), False),
    ]
    for each, request in zip(again.state.handed, (SHIPS, FARM), strict=True):
        assert each.ranges == request.ranges
    assert again.state.answer.current.ranges.tokens == SHIPS.ranges.tokens
    assert again.presenter.session()["handed"] == values["handed"]


def test_what_was_handed_over_is_of_an_index_wherever_it_is(bench, corpus, tmp_path):
    bench.hand(SHIPS)
    values = bench.presenter.session()
    shutil.copytree(corpus.folders[0], tmp_path / "moved")
    assert _again(open_index(tmp_path / "moved"), values).state.handed[0].ranges == SHIPS.ranges
    # As earlier versions wrote it.
    place = [list(corpus.index.sources), corpus.index.name, corpus.token_count, corpus.document_count]
    assert _again(corpus, {"handed": {**values["handed"], "index": place}}).state.handed[0].ranges == SHIPS.ranges


def test_cuts_of_another_index_or_damaged_ones_are_left_out(bench, corpus):
    bench.hand(SHIPS)
    values = bench.presenter.session()["handed"]
    [row] = values["cuts"]
    late = packed(ranges_of([0], [2], [60_000]))
    none = packed(ranges_of([9], [2], [3]))
    for wrong in (
        {**values, "index": [["elsewhere"], "Cuts", 1, 1]},
        {**values, "cuts": [{**row, "ranges": "AAAA"}]},
        {**values, "cuts": [{**row, "ranges": late}, {**row, "ranges": none}, {**row, "on": 1}, {}, 3]},
        {"index": values["index"]},
        "cuts",
    ):
        assert _again(corpus, {"handed": wrong}).state.handed == ()


def test_cuts_that_are_too_large_are_told(bench, monkeypatch):
    monkeypatch.setattr(keeping, "MOST_KEPT", 10)
    bench.hand(SHIPS)
    assert "too much to be kept" in bench.state.told and bench.presenter.session()["handed"]["cuts"] == []


def test_ranges_survive_packing():
    generator = np.random.default_rng(5)
    for _ in range(50):
        size = int(generator.integers(0, 40))
        starts = generator.integers(0, 2**40, size)
        ranges = ranges_of(generator.integers(0, 9, size), starts, starts + generator.integers(1, 2**20, size))
        assert unpacked(packed(ranges)) == ranges


def test_the_first_copy_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    line = "the quick brown fox jumps over it"
    texts = ["Nothing.", f"So {line}. And", f"Here {line} too, then {line} once more"]
    (tmp_path / "texts.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in texts))
    build_index(tmp_path / "texts.jsonl", tmp_path / "index", tokenizer="bytes", name="Copies")
    corpus = open_index(tmp_path / "index")
    found = corpus.duplicates(20)
    bench = Bench(corpus)
    answer = bench.hand(ExportCuts("Repeats", found.ranges, found.asked, 20))
    bench.presenter.choose(0)
    bench.services.answer_all()
    seen = bench.state.preview.current
    assert answer.rows[0].number == 2
    where = texts[1].index(" " + line)
    assert [seen.text[span.start : span.end].strip() for span in seen.spans] == [line, line]
    assert {span.why for span in seen.spans} == {f"Repeats (first in document 2, at token {where + 1})"}
    # What is no copy has no first one, and does not take the place of one.
    bench.presenter.set(format="annotated")
    answer = bench.hand(ExportCuts("Other", ranges_of([0, 2], [1, 0], [3, 4]), ()))
    bench.presenter.writer.write(corpus, answer, tmp_path / "out")
    bench.services.answer_all()
    rows = [json.loads(line) for line in (tmp_path / "out" / "annotated.jsonl").read_text().splitlines()]
    assert [row.get("sa_first_copies") for row in rows] == [[None], None, [[1, where], [1, where]]]


@contextmanager
def little_room(size):
    """Files may not become larger, as on a full disk; Python ignores the signal, and writing fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("format", CUT_FORMATS)
def test_a_full_disk_ends_with_a_sentence(corpus, tmp_path, format):
    bench = Bench(corpus)
    bench.presenter.set(format=format)
    answer = bench.hand(SHIPS)
    with little_room(64):
        bench.presenter.writer.write(corpus, answer, tmp_path / "out")
        bench.services.answer_all()
    assert "out cannot be written: File too large" in bench.state.notice
    assert bench.saved == [] and list(tmp_path.iterdir()) == []
    bench.presenter.writer.write(corpus, answer, tmp_path / "out")
    bench.services.answer_all()
    assert (tmp_path / "out" / "manifest.json").is_file() and len(bench.saved) == 1


def test_how_texts_are_written_is_kept(bench, corpus):
    bench.presenter.set(format="annotated", gap=3, packed=True)
    other = ExportPresenter(HandServices())
    other.restore(json.loads(json.dumps(bench.presenter.session())))
    assert other.state.rule == ExportRule("annotated", 3, packed=True)
    other.restore({"format": "zip", "gap": -1, "packed": 1})
    assert other.state.rule == bench.state.rule


def test_the_pointer_tells_why(qtbot, bench, monkeypatch):
    found = bench.hand(SHIPS)
    bench.presenter.choose([row.number for row in found.rows].index(3))
    bench.services.answer_all()
    text = CutText()
    qtbot.addWidget(text)
    text.resize(400, 200)
    text.show()
    text.show_preview(bench.state.preview.current)
    # The tokens of this index are bytes, and the first character has four.
    assert "".join(char for at, char in enumerate(TEXTS[3]) if text.reason_at(at)) == "ship"
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, told, widget: shown.append(told))
    cursor = text.textCursor()
    cursor.setPosition(6)
    place = text.cursorRect(cursor).center()
    text.event(QHelpEvent(QEvent.Type.ToolTip, place, text.mapToGlobal(place)))
    assert shown == ["Goes because of: Ships"]


def test_the_page_asks_for_a_folder(qtbot, corpus, tmp_path, monkeypatch, window):
    screen = window.screens["curation"]
    page = screen.page("export")
    assert isinstance(page, ExportPage)
    page.presenter.use_corpus(corpus)
    window.show_screen("curation")
    screen.take(SHIPS)
    qtbot.waitUntil(lambda: page.bar.write.isEnabled())
    assert screen.current == "export" and [box.text() for box in page.bar.handed] == ["Ships"]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, **kwargs: (str(tmp_path / "out"), ""))
    page.bar.write.click()
    qtbot.waitUntil(lambda: (tmp_path / "out" / "manifest.json").exists())
    page.bar.handed[0].click()
    qtbot.waitUntil(lambda: not page.bar.write.isEnabled())
