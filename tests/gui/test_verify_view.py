"""The check of the open index, and a build that is prepared and resumed."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtCore import Qt

from explorer.building.request import partial_folder
from explorer.building.run import build_index
from explorer.gui.presenting.requests import OpenRequest


def test_a_sound_index(opened, qtbot):
    opened.book.actions["verify"].trigger()
    view = opened.index.pages.about.verify
    qtbot.waitUntil(view.isVisible)
    # The command begins the check.
    qtbot.waitUntil(lambda: "No damage" in view.presenter.state.message)
    assert view.message.text() == view.presenter.state.message
    view.deep.setChecked(True)
    qtbot.mouseClick(view.check, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "positions checked)" in view.presenter.state.message)
    assert not view.table.isVisible()


def test_damage_is_listed_with_its_remedy(window, qtbot, small_index, tmp_path):
    folder = tmp_path / "bad"
    shutil.copytree(small_index, folder)
    (folder / "index.json").unlink()
    data = bytearray((folder / "table.0").read_bytes())
    data[-4:-2] = data[-2:]
    (folder / "table.0").write_bytes(data)
    window.open(OpenRequest((str(folder),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    view = window.index.pages.about.verify
    view.deep.setChecked(True)
    view.presenter.run()
    qtbot.waitUntil(lambda: bool(view.presenter.state.findings))
    texts = [view.model.index(row, 1).data() for row in range(view.model.rowCount())]
    assert any("not sorted" in text for text in texts)
    assert all(text.endswith(("it.", "rebuild it.")) for text in texts)


def test_the_page_shows_what_it_recognized(window, qtbot, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "the cat sat", "year": 1999, "b": "<b>bold</b>"}\n' * 50)
    window.show_screen("index")
    form, presenter = window.index.pages.prepare, window.index.presenter.build
    window.index.presenter.add_sources((str(tmp_path / "a.jsonl"),))
    qtbot.waitUntil(lambda: len(form.documents.shown) == 5)
    assert form.sources.files.summary.text() == "1 file found: 1 read, 0 skipped  ·  3 kB"
    assert presenter.state.estimated[0] == ("Documents", "50")
    assert [form.fields.model.index(row, 0).data() for row in (0, 1)] == ["year", "b"]
    assert form.fields.model.index(1, 1).data() == "<b>bold</b>"
    form.fields.text_field.setEditText("body")
    qtbot.waitUntil(lambda: 'the field "body" is missing (fields: text, year, b)' in form.notice.text())
    form.fields.text_field.setEditText("text")
    qtbot.waitUntil(lambda: not form.notice.isVisible())


def test_an_interrupted_build_is_resumed(window, qtbot, text_folder, tmp_path):
    def interrupt(progress):
        if progress.stage == "Sorting" and progress.done:
            raise KeyboardInterrupt

    window.show_screen("index")
    form, presenter = window.index.pages.prepare, window.index.presenter.build
    window.index.presenter.add_sources((str(text_folder),))
    form.options.out.setText(str(tmp_path / "out"))
    form.options.tokenizer.setCurrentIndex(1)
    request = presenter.state.entries.request()
    with pytest.raises(KeyboardInterrupt):
        build_index(request.sources, request.out, tokenizer="bytes", report=interrupt)
    assert partial_folder(request.out).exists()
    presenter.estimate()
    qtbot.waitUntil(form.resume.isVisible)
    qtbot.mouseClick(form.resume, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.corpus is not None)
    assert window.corpus.index.local.token_width == 1
