"""The text that is read: heights of lines, painted marks, and positions that move with edits."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QFontInfo, QTextCursor

from explorer.gui.style.theme import qcolor
from explorer.gui.widgets.texts.minimap import Minimap, rows_of
from explorer.gui.widgets.texts.painted_runs import Look, Painted, areas_of, heights_of, moved
from explorer.gui.widgets.texts.prose_edit import ProseEdit

TEXT = "\n".join(f"Line {n} of a text that is longer than the window." for n in range(200))


@pytest.fixture
def edit(qtbot):
    widget = ProseEdit()
    qtbot.addWidget(widget)
    widget.resize(600, 400)
    widget.show()
    widget.setPlainText(TEXT)
    return widget


def painted(*runs):
    places = np.array([run[:2] for run in runs], np.int64).reshape(-1, 2)
    return Painted(places, tuple(run[2] for run in runs))


def test_lines_are_apart_by_1_7_times_the_size_of_letters(edit):
    first, second = heights_of(edit, [0, TEXT.index("Line 1 ")])
    assert second - first == pytest.approx(1.7 * QFontInfo(edit.document().defaultFont()).pixelSize(), abs=1.5)


def test_lines_have_at_most_110_characters(qtbot):
    wide = ProseEdit()
    qtbot.addWidget(wide)
    wide.resize(4000, 300)
    wide.show()
    wide.setPlainText("o" * 20 + " n" * 400)
    assert wide.lineWrapColumnOrWidth() < 2000
    wide.resize(300, 300)
    assert wide.lineWrapColumnOrWidth() <= wide.viewport().width()


def test_a_text_is_shown_from_its_beginning_and_cannot_be_undone(edit):
    edit.verticalScrollBar().setValue(500)
    edit.setPlainText(TEXT + "!")
    assert edit.verticalScrollBar().value() == 0 and edit.textCursor().position() == 0
    assert not edit.document().isUndoAvailable()
    edit.insertPlainText("x")
    assert edit.document().isUndoAvailable()


def test_a_pasted_text_that_replaces_everything_is_shown_from_its_beginning(edit):
    edit.selectAll()
    data = QMimeData()
    data.setText(TEXT)
    edit.insertFromMimeData(data)
    assert edit.text() == TEXT and edit.verticalScrollBar().value() == 0


def test_copied_text_has_no_markup(edit):
    edit.selectAll()
    data = edit.createMimeDataFromSelection()
    assert data.text() == TEXT and not data.hasHtml()


def test_marks_are_painted_where_their_words_are(edit):
    at = TEXT.index("text that")
    edit.runs.paint(painted((at, at + 9, Look(fill="rel3"))))
    (area,) = areas_of(edit, at, at + 9)
    image = edit.viewport().grab().toImage()
    row = int(area.top()) + 1
    colors = {image.pixelColor(x, row).name() for x in range(int(area.left()) + 2, int(area.right()) - 2)}
    assert colors == {qcolor("rel3").name()}
    assert image.pixelColor(int(area.right()) + 4, row).name() != qcolor("rel3").name()


def test_the_topmost_run_at_a_position_comes_first(edit):
    edit.runs.paint(painted((0, 10, Look()), (5, 20, Look()), (30, 40, Look())))
    assert edit.runs.at(7) == [1, 0] and edit.runs.at(25) == []


def test_marks_move_with_the_text(edit):
    edit.runs.paint(painted((10, 20, Look(fill="mark", text="on_mark"))))
    cursor = QTextCursor(edit.document())
    cursor.insertText("12345")
    assert edit.runs.painted.places.tolist() == [[15, 25]]


@pytest.mark.parametrize(
    ("edit_at", "removed", "added", "expected"),
    [
        (0, 0, 3, [13, 23]),
        (30, 5, 0, [10, 20]),
        (12, 2, 0, [10, 18]),
        (5, 10, 1, [5, 11]),
        (15, 10, 0, [10, 15]),
        (0, 50, 0, [0, 0]),
    ],
)
def test_positions_after_an_edit(edit_at, removed, added, expected):
    assert moved(np.array([10, 20]), edit_at, removed, added).tolist() == expected


def test_rows_of_a_minimap_have_the_longest_match():
    heights = np.array([0.0, 5.0, 12.0, 39.0])
    assert rows_of(heights, np.array([3, 7, 2, 9]), 10.0, 4).tolist() == [7, 2, 0, 9]
    assert rows_of(heights, np.array([3, 7, 2, 9]), 10.0, 0).tolist() == []


def test_a_minimap_describes_its_matches(edit, qtbot):
    minimap = Minimap(edit)
    qtbot.addWidget(minimap)
    minimap.resize(30, 400)
    minimap.show()
    minimap.show_lengths(np.arange(0, 2000, 10), np.arange(200))
    assert minimap.accessibleDescription() == "200 tokens; the longest match has 199"
    minimap.show_chosen(((0, 100),))
    image = minimap.grab().toImage()
    assert image.pixelColor(image.width() - 8, 3).name() in (qcolor("mark").name(), qcolor("hover").name())
