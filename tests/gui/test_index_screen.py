"""The index screen: figures, recent indexes, building."""

from __future__ import annotations

import own_indexes
from PySide6.QtCore import Qt

from explorer import build_index, open_index
from explorer.building.estimate import estimate_build
from explorer.building.request import BuildRequest
from explorer.gui.opening import request_of
from explorer.gui.requests import OpenRequest
from explorer.gui.screens.index.build_state import describe_estimate
from explorer.gui.screens.index.facts import index_facts


def test_the_figures_of_the_index(opened, small):
    opened.show_screen("index")
    facts = opened.index.facts
    texts = [facts.itemAt(i).widget().text() for i in range(facts.count())]
    assert f"{small.token_count:,}" in texts
    assert any(f"(byte-level, {small.index.tokenizer.vocabulary_size} ids" in text for text in texts)


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


def test_other_errors_do_not_offer_it(window, qtbot, tmp_path):
    window.open(OpenRequest((str(tmp_path),)))
    qtbot.waitUntil(lambda: window.index.notice.isVisible())
    assert not window.index.unchecked.isVisible()


def test_building_opens_the_new_index(window, qtbot, text_folder, tmp_path):
    form = window.index.form
    assert not form.build.isEnabled()
    form.add_sources([str(text_folder), str(text_folder)])
    assert form.sources.count() == 1
    form.out.setText(str(tmp_path / "built"))
    form.vocabulary.setValue(600)
    qtbot.mouseClick(form.build, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.corpus is not None)
    assert window.corpus.document_count == 4
    assert str(tmp_path / "built") in window.settings.recent_indexes()[0]
    assert window.current_screen() is window.search


def test_a_name_alone_lies_beside_the_first_source(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    form = window.index.form
    window.show_screen("index")
    form.add_sources([str(tmp_path / "texts"), str(tmp_path / "elsewhere" / "more")])
    for typed, meant in (("mine", "mine"), ("~/mine", "home/mine"), (str(tmp_path / "there"), "there")):
        form.out.clear()
        qtbot.keyClicks(form.out, typed)
        assert form.presenter.state.entries.request().out == tmp_path / meant
        qtbot.keyClick(form.out, Qt.Key.Key_Return)
        assert form.out.text() == str(tmp_path / meant)


def test_a_build_that_cannot_be_is_said(window, qtbot, text_folder, small_index):
    form = window.index.form
    form.add_sources([str(text_folder)])
    form.out.setText(str(small_index))
    form.presenter.start()
    qtbot.waitUntil(lambda: bool(form.notice.text()))
    assert "already exists" in form.notice.text()
    assert form.build.isEnabled()


def test_the_form_shows_what_the_tokenizer_needs(window):
    form = window.index.form
    window.show_screen("index")
    rows = {0: (True, False), 1: (False, False), 2: (False, True)}
    for choice, (vocabulary, file) in rows.items():
        form.tokenizer.setCurrentIndex(choice)
        assert (form.vocabulary.isVisible(), form.tokenizer_file.isVisible()) == (vocabulary, file)


def test_the_build_button_is_in_view_with_sources(opened, qtbot, text_folder):
    opened.resize(1280, 800)
    opened.show_screen("index")
    form = opened.index.form
    form.add_sources([str(text_folder)])
    qtbot.waitUntil(form.sample_table.isVisible)
    qtbot.waitUntil(lambda: form.samples.rowCount() > 0)
    qtbot.waitUntil(lambda: form.build.visibleRegion().boundingRect() == form.build.rect())


def test_what_a_build_left_out_is_named_before_and_after(tmp_path):
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "latin.txt").write_bytes("Grüße aus Köln".encode("cp1252"))
    estimate = estimate_build(BuildRequest((tmp_path,), tmp_path.parent / "made", "bytes"))
    assert "binary files (1): picture.png (byte 5 is a null byte, which text never contains)" in describe_estimate(
        estimate
    )
    build_index(tmp_path, tmp_path.parent / "made", tokenizer="bytes")
    facts = dict(index_facts(open_index(tmp_path.parent / "made"), str))
    # One line per reason; the files are in the list.
    assert facts["Left out or changed"] == "binary files (1)\nfiles read as windows-1252 (1)"
