"""The Index screen in a window: what can be opened, a build from its first file to its end, and the facts after it."""

from __future__ import annotations

import json
from pathlib import Path

import own_indexes
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from explorer import build_index
from explorer.building.sources.source import KindCount
from explorer.gui.index.opening import request_of
from explorer.gui.presenting.requests import BuildFrom, OpenRequest, ShowIndexPage
from explorer.gui.screens.index import commands
from explorer.gui.screens.index.build.kind_rows import kind_rows
from explorer.gui.screens.index.state import Page, View


@pytest.fixture
def screen(window):
    window.show_screen("index")
    return window.index


def test_an_index_is_opened_in_spite_of_its_tokenizer(window, qtbot, tmp_path):
    folder, _right = own_indexes.write(tmp_path, "v4_u16_olmo_3shards")
    _other, wrong = own_indexes.write(tmp_path, "v4_u16_llama")
    screen = window.index
    window.open(OpenRequest((str(folder),), tokenizer=str(wrong)))
    qtbot.waitUntil(lambda: screen.unchecked.isVisible())
    assert "would be noise" in screen.notice.text() and "Choose the tokenizer" in screen.notice.text()
    assert window.corpus is None
    qtbot.mouseClick(screen.unchecked, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.corpus is not None)
    assert window.corpus.document_count == own_indexes.DOCUMENTS
    assert window.indexes.state.request == OpenRequest((str(folder),), tokenizer=str(wrong), check_fit=False)
    # The next start opens it as well.
    assert request_of(window.indexes.state.request.as_session(opened=True)) == window.indexes.state.request
    window.show_screen("index")
    assert not screen.unchecked.isVisible() and not screen.notice.isVisible()


def test_a_build_from_the_first_file_to_the_page_of_the_index(window, screen, qtbot, text_folder, tmp_path):
    assert screen.presenter.state.view is View.START and not screen.tabs.isVisible()
    window.ask(BuildFrom((str(text_folder), str(text_folder))))
    qtbot.waitUntil(lambda: screen.presenter.state.view is View.PREPARE)
    assert screen.pages.prepare.isVisible()
    assert screen.pages.prepare.sources.list.count() == 1
    screen.pages.prepare.options.out.setText(str(tmp_path / "built"))
    screen.pages.prepare.options.vocabulary.setValue(600)
    qtbot.waitUntil(lambda: screen.presenter.build.state.estimate.current is not None)
    assert len(screen.pages.prepare.documents.shown) == 4
    qtbot.mouseClick(screen.pages.prepare.build, Qt.MouseButton.LeftButton)
    assert screen.presenter.state.view is View.PROGRESS and screen.pages.progress.isVisible()
    qtbot.waitUntil(lambda: window.corpus is not None)
    assert window.corpus.document_count == 4
    assert str(tmp_path / "built") in window.settings.recents.paths()[0]
    assert window.current_screen() is screen and screen.presenter.state.view is View.ABOUT
    assert screen.pages.about.title.text() == "“built” is ready"
    qtbot.waitUntil(lambda: "no damage found" in screen.pages.about.subtitle.text())
    assert screen.pages.about.subtitle.text().startswith("Built in ")
    # Nothing is left of the form: another build begins with an empty one.
    assert screen.presenter.build.state.entries.sources == ()
    qtbot.mouseClick(screen.pages.about.search, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.current_screen() is window.search)


def test_who_reads_another_index_meanwhile_goes_on_reading(window, screen, qtbot, text_folder, tmp_path, small):
    window.ask(BuildFrom((str(text_folder),)))
    qtbot.waitUntil(lambda: screen.presenter.state.view is View.PREPARE)
    screen.pages.prepare.options.out.setText(str(tmp_path / "built"))
    screen.pages.prepare.options.vocabulary.setValue(600)
    qtbot.waitUntil(lambda: screen.presenter.build.state.estimate.current is not None)
    qtbot.mouseClick(screen.pages.prepare.build, Qt.MouseButton.LeftButton)
    window.open(OpenRequest((str(small.folders[0]),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    read = window.corpus
    window.go_to("search")
    qtbot.waitUntil(lambda: bool(window.toasts.shown) and "is ready" in window.toasts.shown[-1].sentence)
    toast = window.toasts.shown[-1]
    assert window.corpus is read and window.current_screen() is window.search
    # It is found later, too.
    assert window.settings.recents.paths()[0] == str(tmp_path / "built")
    qtbot.mouseClick(toast.links[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.corpus is not read)
    assert window.current_screen() is screen and screen.pages.about.title.text() == "“built” is ready"


def test_a_name_alone_lies_beside_the_first_source(screen, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    presenter, out = screen.presenter.build, screen.pages.prepare.options.out
    screen.presenter.add_sources((str(tmp_path / "texts"), str(tmp_path / "elsewhere" / "more")))
    for typed, meant in (("mine", "mine"), ("~/mine", "home/mine"), (str(tmp_path / "there"), "there")):
        out.clear()
        qtbot.keyClicks(out, typed)
        assert presenter.state.entries.request().out == tmp_path / meant
        qtbot.keyClick(out, Qt.Key.Key_Return)
        assert out.text() == str(tmp_path / meant)


def test_a_build_that_cannot_be_is_said(screen, qtbot, text_folder, small_index):
    screen.presenter.add_sources((str(text_folder),))
    screen.pages.prepare.options.out.setText(str(small_index))
    screen.presenter.build.start()
    qtbot.waitUntil(lambda: bool(screen.pages.prepare.notice.text()))
    assert "already exists" in screen.pages.prepare.notice.text()
    assert screen.pages.prepare.build.isEnabled() and screen.presenter.state.view is View.PREPARE


def test_the_options_show_what_the_tokenizer_needs(screen, text_folder):
    screen.presenter.add_sources((str(text_folder),))
    options = screen.pages.prepare.options
    assert not options.tokenizer.isVisible()
    options.advanced.setChecked(True)
    rows = {0: (True, False), 1: (False, False), 2: (False, True)}
    for choice, (vocabulary, file) in rows.items():
        options.tokenizer.setCurrentIndex(choice)
        assert (options.vocabulary.isVisible(), options.tokenizer_file.isVisible()) == (vocabulary, file)


def test_the_slider_chooses_a_format(screen, qtbot, text_folder):
    screen.presenter.add_sources((str(text_folder),))
    options = screen.pages.prepare.options
    options.advanced.setChecked(True)
    qtbot.waitUntil(lambda: "≈" in options.findChild(QWidget, "format-2").text())
    options.format.setFocus()
    qtbot.keyClick(options.format, Qt.Key.Key_End)
    assert screen.presenter.build.state.entries.request().format == "fm"
    assert not options.tokenizer.isEnabled()
    assert options.tokenizer.currentIndex() == 1
    assert not options.vocabulary.isVisible()
    qtbot.keyClick(options.format, Qt.Key.Key_Home)
    assert options.tokenizer.isEnabled()
    # What was chosen before is chosen again.
    assert options.tokenizer.currentIndex() == 0


def test_the_text_field_is_proposed_and_can_be_chosen(screen, qtbot, tmp_path):
    records = [{"title": f"T{n}", "story": f"Once upon a time there were {n}."} for n in range(3)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    screen.presenter.add_sources((str(tmp_path / "a.jsonl"),))
    choice = screen.pages.prepare.fields
    qtbot.waitUntil(lambda: choice.text_field.currentText() == "story")
    assert choice.hint.isVisible() and choice.model.rowCount() == 1
    assert [choice.text_field.itemText(n) for n in range(choice.text_field.count())] == ["story", "title"]
    choice.text_field.setCurrentIndex(1)
    assert screen.presenter.build.state.entries.text_field == "title"
    qtbot.waitUntil(lambda: screen.presenter.build.state.estimate.current is not None)
    assert choice.text_field.currentText() == "title" and not choice.hint.isVisible()
    assert len(screen.pages.prepare.documents.shown) == 3


def test_a_bad_line_is_shown_and_left_out_by_its_remedies(screen, qtbot, tmp_path, monkeypatch):
    (tmp_path / "a.jsonl").write_text('{"text": "fine"}\n{"text": \n{"text": "fine too"}\n')
    screen.presenter.add_sources((str(tmp_path / "a.jsonl"),))
    notice = screen.pages.prepare.notice
    qtbot.waitUntil(lambda: len(notice.buttons()) == 3)
    leave_out, another, line = notice.buttons()
    assert [button.text() for button in notice.buttons()] == [
        "Leave bad lines out",
        "Choose another field",
        "Show line",
    ]
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: screen.pages.prepare.line_dialog is not None)
    assert screen.pages.prepare.line_dialog.text.toPlainText() == '{"text": '
    screen.pages.prepare.line_dialog.close()
    field, opened = screen.pages.prepare.fields.text_field, []
    monkeypatch.setattr(field, "showPopup", lambda: opened.append(field.count()))
    qtbot.mouseClick(another, Qt.MouseButton.LeftButton)
    assert screen.window().focusWidget() in (field, field.lineEdit()) and opened == [1]
    qtbot.mouseClick(leave_out, Qt.MouseButton.LeftButton)
    assert screen.pages.prepare.options.skip_bad.isChecked()
    qtbot.waitUntil(lambda: not notice.isVisible())


def test_one_of_several_files_can_be_excluded_at_a_bad_line(screen, qtbot, tmp_path):
    (tmp_path / "a.txt").write_text("fine")
    (tmp_path / "b.jsonl").write_text('{"output": "fine"}\n{"answer": "fine too"}\n')
    screen.presenter.add_sources((str(tmp_path),))
    notice, build = screen.pages.prepare.notice, screen.pages.prepare.build
    qtbot.waitUntil(lambda: len(notice.buttons()) > 0)
    # Another field, a fourth remedy, can be chosen further down.
    assert [button.text() for button in notice.buttons()] == ["Leave bad lines out", "Exclude this file", "Show line"]
    assert screen.pages.prepare.fields.text_field.isVisible() and not build.isEnabled()
    qtbot.mouseClick(notice.buttons()[1], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: build.isEnabled() and not notice.isVisible())


def test_going_back_forgets_what_was_prepared(screen, qtbot, text_folder):
    screen.presenter.add_sources((str(text_folder),))
    qtbot.mouseClick(screen.pages.prepare.back, Qt.MouseButton.LeftButton)
    assert screen.presenter.state.view is View.START and screen.start.isVisible()
    assert not screen.presenter.build.state.entries.sources


def test_the_page_of_the_index_shows_its_fields_and_what_was_left_out(window, qtbot, tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"text": "one", "lang": "en"}\n{"text": \n{"text": "two", "lang": "de"}\n')
    (folder / "b.png").write_bytes(b"\x89PNG\0\0")
    build_index(folder, tmp_path / "made", tokenizer="bytes", skip_bad=True)
    window.open(OpenRequest((str(tmp_path / "made"),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    window.show_screen("index")
    about, state = window.index.pages.about, window.index.presenter.about
    qtbot.waitUntil(lambda: state.state.values.current is not None and state.state.left_out.current is not None)
    assert about.left_out.model.rowCount() == 2 and "1 file, 1 line" in state.state.left_out_title
    assert dict(about.tiles.texts())["Documents"] == "2" and dict(about.tiles.texts())["Files"] == "1"
    rows = [state.state.fields[n][0].text for n in range(len(state.state.fields))]
    about.fields.table.selectRow(rows.index("lang"))
    assert about.fields.title.text() == "lang: 2 values" and about.fields.values.rowCount() == 2
    # Tokens of the first document are an answer of their own.
    qtbot.waitUntil(about.chips.isVisible)
    assert not about.line_dialog
    row = [row.line for row in state.state.problems].index(2)
    about.left_out.table.selectRow(row)
    qtbot.mouseClick(about.left_out.line, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: about.line_dialog is not None)
    assert about.line_dialog.text.toPlainText() == '{"text": '
    about.line_dialog.close()


def rows_of(table):
    return [[cell.text for cell in row.cells] for row in table.rows]


def test_files_are_listed_by_kind_before_and_after_the_build(window, screen, qtbot, tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.txt").write_text(f"plain {number}")
    (folder / "table.csv").write_text("title,text\nOne,a row\nTwo,another row\n")
    (folder / "photo.png").write_bytes(b"\x89PNG\0\0")
    screen.presenter.add_sources((str(folder),))
    form, state = screen.pages.prepare, screen.presenter.build
    qtbot.waitUntil(lambda: len(form.documents.shown) == 5)
    files = form.sources.files
    assert files.summary.text().startswith("5 files found: 4 read, 1 skipped")
    assert [row[:2] for row in rows_of(files.table)] == [
        ["All files that are read", "4"],
        ["Plain text", "3"],
        ["Tables (CSV, TSV)", "1"],
        ["Skipped", "1"],
    ]
    assert files.table.currentIndex().row() == 0 and form.left_out.isVisible()
    files.table.setFocus()
    qtbot.keyClick(files.table, Qt.Key.Key_Down)
    qtbot.keyClick(files.table, Qt.Key.Key_Down)
    assert state.state.kind == "csv" and [each.title for each in form.documents.shown] == ["One", "Two"]
    # The table of kinds keeps the keyboard and the choice while the page is drawn again.
    assert files.table.hasFocus() and files.table.currentIndex().row() == 2
    qtbot.keyClick(files.table, Qt.Key.Key_Down)
    assert state.state.kind == "csv"
    form.options.out.setText(str(tmp_path / "built"))
    form.options.tokenizer.setCurrentIndex(1)
    state.start()
    qtbot.waitUntil(lambda: window.corpus is not None)
    about = screen.pages.about
    qtbot.waitUntil(lambda: len(about.files.table.rows) == 4)
    assert about.files.summary.text() == "5 files found: 4 read, 1 skipped"
    assert rows_of(about.files.table) == [
        ["All files that are read", "4"],
        ["Plain text", "3"],
        ["Tables (CSV, TSV)", "1"],
        ["Skipped", "1"],
    ]
    # The page draws its parts in turns.
    qtbot.waitUntil(lambda: about.left_out.model.rowCount() == 1)


def test_files_in_which_a_build_found_nothing_are_not_among_those_that_are_read():
    kinds = [KindCount("text", 3, 0), KindCount("csv", 2, 0)]
    first, *_, last = kind_rows(kinds, skipped=3, read=4)
    assert [cell.text for cell in first.cells] == ["All files that are read", "4"]
    assert [cell.text for cell in last.cells] == ["Skipped", "3"]
    assert last.cells[0].tip == "Listed with reasons under “Skipped”; counted by kind, too: 1"


def test_copies_are_counted_and_skipped_if_the_box_is_ticked(screen, qtbot, tmp_path):
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text("the same text in three files")
    (tmp_path / "d.txt").write_text("another text")
    screen.presenter.add_sources((str(tmp_path),))
    panel = screen.pages.prepare.sources
    qtbot.waitUntil(panel.copies.isVisible)
    assert panel.copies.text() == "Skip 2 files that are copies of others" and not panel.copies.isChecked()
    assert panel.files.summary.text().startswith("4 files found: 4 read, 0 skipped")
    panel.copies.setFocus()
    qtbot.keyClick(panel.copies, Qt.Key.Key_Space)
    assert screen.presenter.build.state.entries.request().skip_duplicates
    qtbot.waitUntil(lambda: panel.files.summary.text().startswith("4 files found: 2 read, 2 skipped"))
    # It can be read again.
    assert panel.copies.isVisible() and panel.copies.text() == "Skip 2 files that are copies of others"
    assert [row.reason for row in screen.presenter.build.state.left_out] == ["copy", "copy"]


def test_commands_show_the_pages_and_check(opened, qtbot):
    opened.ask(ShowIndexPage(commands.OPEN_PAGE))
    qtbot.waitUntil(lambda: opened.index.presenter.state.view is View.START)
    assert opened.index.tabs.isVisible()
    opened.ask(ShowIndexPage(commands.ABOUT_PAGE))
    qtbot.waitUntil(lambda: opened.index.presenter.state.view is View.ABOUT)
    opened.index.tabs.setCurrentIndex(Page.OPEN)
    assert opened.index.start.isVisible()
    opened.ask(ShowIndexPage(commands.CHECK_PAGE))
    qtbot.waitUntil(lambda: opened.index.presenter.check.state.sound)
    assert opened.index.pages.about.verify.message.text().startswith("No damage found (")


def test_a_check_without_an_index_says_what_is_missing(window, screen, qtbot):
    window.ask(ShowIndexPage(commands.CHECK_PAGE))
    qtbot.waitUntil(lambda: screen.notice.text() == "Open an index first.")


def test_pinning_keeps_the_keyboard_in_its_row(opened, small_index, byte_index, qtbot):
    opened.open(OpenRequest((str(byte_index),)))
    qtbot.waitUntil(lambda: len(opened.settings.recents.paths()) == 2)
    opened.ask(ShowIndexPage(commands.OPEN_PAGE))
    rows = opened.index.start.recent.rows
    qtbot.waitUntil(lambda: len(rows) == 2)
    row = rows[str(small_index.resolve())]
    row.pin.setFocus()
    qtbot.keyClick(row.pin, Qt.Key.Key_Space)
    assert opened.settings.recents.all()[0].pinned and opened.settings.recents.paths()[0] == str(small_index.resolve())
    assert rows[str(small_index.resolve())] is row and row.pin.isChecked()
    assert opened.focusWidget() is row.pin


def test_a_recent_index_that_is_gone_can_be_located(opened, small_index, qtbot, tmp_path, monkeypatch):
    from explorer.gui.index import desk as index_desk

    opened.settings.recents.move(str(small_index.resolve()), str(tmp_path / "gone"))
    opened.indexes.presenter.rename(str(tmp_path / "gone"), "Lost")
    opened.ask(ShowIndexPage(commands.OPEN_PAGE))
    row = opened.index.start.recent.rows[str(tmp_path / "gone")]
    qtbot.waitUntil(lambda: row.locate.isVisible())
    assert not row.open.isEnabled() and row.open.accessibleName() == "Lost, folder not found"
    monkeypatch.setattr(index_desk.QFileDialog, "getExistingDirectory", lambda *_: str(small_index))
    qtbot.mouseClick(row.locate, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not opened.indexes.state.opening)
    assert str(tmp_path / "gone") not in opened.settings.recents.paths()
    assert "Lost" in [recent.name for recent in opened.settings.recents.all()]


def test_the_form_reads_chapters_as_the_preview_and_the_build_do(window, screen, qtbot, tmp_path):
    book = Path(__file__).resolve().parents[1] / "data" / "kinds" / "ebooklib.epub"
    window.ask(BuildFrom((str(book),)))
    qtbot.waitUntil(lambda: screen.presenter.state.view is View.PREPARE)
    options, build = screen.pages.prepare.options, screen.presenter.build
    options.out.setText(str(tmp_path / "built"))
    options.advanced.click()
    qtbot.waitUntil(lambda: build.state.estimate.current is not None)
    assert len(build.state.documents) == 1
    (per,) = options.reading.widgets("per")
    per.setCurrentIndex(1)
    per.activated.emit(1)
    assert build.state.entries.reading.per == "chapter"
    qtbot.waitUntil(lambda: build.state.estimate.current is not None and len(build.state.documents) == 2)
    assert "chapter: c1" in build.state.documents[0].facts


def test_an_address_is_added_as_a_source(window, screen, monkeypatch):
    build = screen.presenter.build
    monkeypatch.setattr(build, "estimate", lambda: None)
    screen.pages.prepare.sources.address.setText(" hf://datasets/owner/news ")
    screen.pages.prepare.sources.add_address.click()
    assert build.state.entries.sources == ("hf://datasets/owner/news",)
    assert screen.pages.prepare.sources.address.text() == ""
