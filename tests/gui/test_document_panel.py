"""The document panel: long documents, finding, citing, tracing, the original file."""

from __future__ import annotations

import json

import pytest
from marked import marked_runs
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox
from task_window import open_behind

from explorer import build_index
from explorer.backends.documents.original import original_file
from explorer.gui.presenting.requests import DocumentRequest


@pytest.fixture
def long(window, qtbot, tmp_path):
    """A window on one document of some 60,000 tokens, and one with nested metadata."""
    folder = tmp_path / "texts"
    folder.mkdir()
    words = [f"word{n}" for n in range(12_000)]
    words[7_000] = "needle"
    (folder / "long.txt").write_text(" ".join(words))
    record = {"text": "short text", "tags": ["a", {"b": [1, 2]}], "html": "<b>bold</b>", "none": None}
    (folder / "other.jsonl").write_text(json.dumps(record) + "\n")
    build_index(folder, tmp_path / "out", tokenizer="bytes")
    open_behind(window, qtbot, tmp_path / "out")
    return window


def number_of(window, path):
    return next(n for n in range(2) if window.corpus.document(n).metadata["path"] == path)


def shown(panel):
    """The part that is shown."""
    return panel.presenter.state.part.value


def show(window, qtbot, path, offset=0, length=0):
    window.ask(DocumentRequest(number_of(window, path), offset, length))
    qtbot.waitUntil(lambda: window.panel.presenter.state.part.current is not None and not window.panel.busy)
    return window.panel


def test_a_long_document_is_read_in_parts_while_scrolling(long, qtbot):
    panel = show(long, qtbot, "long.txt")
    text = long.corpus.document(number_of(long, "long.txt")).text
    assert shown(panel).last < shown(panel).token_count == len(text)
    seen = shown(panel).last
    while shown(panel).last < shown(panel).token_count:
        bar = panel.text.verticalScrollBar()
        bar.setValue(bar.maximum())
        qtbot.waitUntil(lambda seen=seen: shown(panel).last > seen and not panel.busy)
        # What was at the end of the last part is still in this one.
        assert shown(panel).first < seen < shown(panel).last or shown(panel).last == shown(panel).token_count
        seen = shown(panel).last
    assert panel.text.toPlainText().endswith("word11999")
    bar.setValue(bar.minimum())
    qtbot.waitUntil(lambda: shown(panel).last < shown(panel).token_count)


def test_the_scale_goes_anywhere(long, qtbot):
    panel = show(long, qtbot, "long.txt")
    assert panel.scale.isVisible()
    panel.scale.setValue(panel.scale.maximum() // 2)
    panel.scale.sliderReleased.emit()
    middle = shown(panel).token_count // 2
    qtbot.waitUntil(lambda: shown(panel).first < middle < shown(panel).last)
    show(long, qtbot, "other.jsonl")
    qtbot.waitUntil(lambda: not panel.scale.isVisible())


def test_finding_text_far_away_and_round_the_end(long, qtbot):
    panel = show(long, qtbot, "long.txt")
    qtbot.keyClick(panel, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert panel.find_bar.isVisible()
    qtbot.keyClicks(panel.find_bar.field, "NEEDLE")
    qtbot.keyClick(panel.find_bar.field, Qt.Key.Key_Return)
    text = long.corpus.document(number_of(long, "long.txt")).text
    qtbot.waitUntil(lambda: panel.presenter.state.found == (text.index("needle"), 6) and not panel.busy)
    assert [text for text, form in marked_runs(panel.text) if form.fontWeight() == 700] == ["needle"]
    panel.find_bar.field.setText("word1 ")
    panel.find_bar.ask(False)
    qtbot.waitUntil(lambda: panel.presenter.state.found == (text.index("word1 "), 6))
    panel.find_bar.field.setText("word11998")
    panel.find_bar.ask(True)
    qtbot.waitUntil(lambda: panel.presenter.state.found == (text.index("word11998"), 9))
    panel.find_bar.field.setText("nowhere")
    panel.find_bar.ask(False)
    qtbot.waitUntil(lambda: panel.find_bar.message.text() == "not in this document")
    # Esc is for the part with the focus, which only an active window has.
    long.activateWindow()
    panel.find_bar.field.setFocus()
    qtbot.waitUntil(panel.find_bar.field.hasFocus)
    qtbot.keyClick(panel.find_bar.field, Qt.Key.Key_Escape)
    assert not panel.find_bar.isVisible() and panel.isVisible()


def test_the_only_occurrence_is_shown_again_after_scrolling_away(long, qtbot):
    panel = show(long, qtbot, "long.txt")
    panel.find_bar.open()
    panel.find_bar.field.setText("NEEDLE")
    panel.find_bar.ask(False)
    qtbot.waitUntil(lambda: panel.presenter.state.found is not None and not panel.busy)
    bar, found = panel.text.verticalScrollBar(), panel.presenter.state.found
    shown = bar.value()
    # Not to an end, where the next part would be read.
    away = (bar.maximum() + shown) // 2 if shown < bar.maximum() // 2 else shown // 2
    bar.setValue(away)
    assert away != shown
    panel.find_bar.ask(False)
    qtbot.waitUntil(lambda: panel.find_bar.message.text() == "" and not panel.busy)
    assert panel.presenter.state.found == found and bar.value() == shown


def test_metadata_is_a_tree_of_plain_text(long, qtbot):
    panel = show(long, qtbot, "other.jsonl")
    items = {panel.metadata.topLevelItem(i).text(0): panel.metadata.topLevelItem(i) for i in range(5)}
    assert items["tags"].text(1) == "2 values"
    assert items["tags"].child(1).child(0).child(1).text(1) == "2"
    assert items["html"].text(1) == "<b>bold</b>"


def test_a_citation_names_index_document_and_place(long, qtbot):
    text = long.corpus.document(number_of(long, "long.txt")).text
    panel = show(long, qtbot, "long.txt", text.index("needle"), 6)
    panel.presenter.actions.copy_citation()
    qtbot.waitUntil(lambda: panel.message.text().startswith("Copied"))
    cited = QGuiApplication.clipboard().text()
    first = text.index("needle") + 1
    assert f"tokens {first:,} to {first + 5:,}: “needle”" in cited
    assert panel.place.text().lower().startswith(cited[cited.index("document ") :].split(",")[0])
    assert "long.txt" in cited and "fingerprint " in cited


def test_a_document_is_traced(long, qtbot):
    panel = show(long, qtbot, "other.jsonl")
    panel.presenter.actions.trace()
    qtbot.waitUntil(
        lambda: long.current_screen() is long.trace and "short text" in long.trace.text.editor.toPlainText()
    )


def test_the_original_file_is_asked_for_and_named(long, qtbot, tmp_path):
    panel = show(long, qtbot, "long.txt")
    panel.presenter.actions.open_original()
    qtbot.waitUntil(lambda: bool(panel.findChildren(QMessageBox)))
    (box,) = panel.findChildren(QMessageBox)
    assert str(tmp_path / "texts" / "long.txt") in box.text()
    box.close()
    (tmp_path / "texts" / "long.txt").unlink()
    panel.presenter.actions.open_original()
    qtbot.waitUntil(lambda: "not on this computer" in panel.message.text())


def test_of_two_files_with_one_name_none_is_opened(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "text.txt").write_text(f"the text of {name}")
    build_index([tmp_path / "a", tmp_path / "b"], tmp_path / "out", tokenizer="bytes")
    from explorer import open_index

    index = open_index(tmp_path / "out").index
    assert index.document_count == 2 and [original_file(index, number) for number in range(2)] == [None, None]
    (tmp_path / "b" / "text.txt").unlink()
    assert original_file(index, 0) == tmp_path / "a" / "text.txt"


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/passwd", "link.txt", "run.sh", "", 5, "a\0b", "."])
def test_an_index_cannot_name_other_files(tmp_path, name):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text("text")
    (folder / "run.sh").write_text("echo")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    build_index(folder / "a.txt", tmp_path / "out", tokenizer="bytes")
    manifest = json.loads((tmp_path / "out" / "index.json").read_text())
    manifest["sources"] = [str(folder)]
    manifest["files"] = {}
    (tmp_path / "out" / "index.json").write_text(json.dumps(manifest))
    line = json.dumps({"path": name, "linenum": 0, "metadata": {}}) + "\n"
    (tmp_path / "out" / "metadata.0").write_text(line)
    from explorer import open_index

    assert original_file(open_index(tmp_path / "out").index, 0) is None
