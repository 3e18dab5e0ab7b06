"""Ladder, word tree, lines behind a token, another index beside."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from explorer.search.profile import ladder, left_of, right_of


@pytest.fixture
def asked(opened, qtbot):
    opened.show_screen("Next token")
    screen = opened.next_token
    qtbot.keyClicks(screen.prompt, "the dog sat on the")
    qtbot.waitUntil(lambda: screen.model.rowCount() > 0 and not screen._asker.busy)
    return screen


def test_the_ladder_has_a_rung_for_each_suffix(asked, qtbot, small):
    qtbot.mouseClick(asked.views.button(1), Qt.MouseButton.LeftButton)
    rungs = ladder(small.index, small.encode("the dog sat on the"))
    qtbot.waitUntil(lambda: asked.ladder_model.rowCount() == len(rungs))
    for row, rung in enumerate(rungs):
        assert asked.ladder_model.index(row, 0).data() == str(rung.n)
        assert asked.ladder_model.index(row, 1).data().split()[0] == f"{rung.context_count:,}"
        assert asked.ladder_model.index(row, 3).data() == f"{rung.entropy:.2f}"


def test_the_tree_grows_where_it_is_opened(asked, qtbot, small):
    qtbot.mouseClick(asked.views.button(2), Qt.MouseButton.LeftButton)
    tree = asked.tree.tree
    used = asked._answer.ids[len(asked._answer.ids) - asked._answer.result.context_length :]
    expected = right_of(small.index, used)
    qtbot.waitUntil(lambda: tree.topLevelItemCount() == len(expected.branches))
    first = tree.topLevelItem(0)
    assert first.text(2) == str(expected.branches[0].count)
    tree.expandItem(first)
    ids = (*used, expected.branches[0].token)
    deeper = right_of(small.index, ids)
    qtbot.waitUntil(lambda: first.childCount() == len(deeper.branches) and first.child(0).text(0) != "…")
    assert [first.child(i).text(2) for i in range(first.childCount())] == [str(b.count) for b in deeper.branches]
    asked.tree.side.setCurrentIndex(1)
    before = left_of(small.index, used)
    qtbot.waitUntil(lambda: tree.topLevelItemCount() == len(before.branches) and not asked._grower.busy)
    assert tree.topLevelItem(0).text(2) == str(before.branches[0].count)


def test_the_lines_behind_a_token_are_shown(asked, opened, qtbot):
    asked.table.selectRow(0)
    qtbot.mouseClick(asked.lines, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.current_screen() is opened.search and opened.search.model.total > 0)
    assert opened.search.query.text().startswith('"')


def test_back_takes_a_token_back(asked, qtbot):
    before = asked.prompt.toPlainText()
    asked.extend(0)
    qtbot.waitUntil(lambda: asked.prompt.toPlainText() != before)
    qtbot.mouseClick(asked.back, Qt.MouseButton.LeftButton)
    assert asked.prompt.toPlainText() == before


def test_another_index_beside(asked, qtbot, byte_index, tmp_path):
    asked.open_beside(str(byte_index))
    qtbot.waitUntil(lambda: asked.beside_model.rowCount() > 0)
    assert asked.beside_table.isVisible()
    assert "tokens of context" in asked.beside_label.text()
    qtbot.mouseClick(asked.beside_button, Qt.MouseButton.LeftButton)
    assert not asked.beside_table.isVisible()
    asked.open_beside(str(tmp_path))
    qtbot.waitUntil(lambda: "is no infini-gram index" in asked.beside_notice.text())
