"""Ladder, word tree, lines behind a token, another index beside."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from PySide6.QtCore import Qt

from explorer.chart import Tree, Twig
from explorer.export.figure import Paper
from explorer.export.other_charts import tree_chart
from explorer.gui.figures.save import chart_image, save_chart
from explorer.search.profile import ladder, left_of, right_of


@pytest.fixture
def asked(opened, qtbot):
    opened.show_screen("next_token")
    screen = opened.next_token
    qtbot.keyClicks(screen.prompt, "the dog sat on the")
    qtbot.waitUntil(lambda: screen.presenter.state.answer.current is not None)
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
    used = asked.presenter.state.answer.value.used
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
    qtbot.waitUntil(lambda: tree.topLevelItemCount() == len(before.branches) and not asked.presenter.tree.state.waiting)
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
    asked.presenter.open_beside(str(byte_index))
    qtbot.waitUntil(lambda: asked.beside_model.rowCount() > 0)
    assert asked.beside_table.isVisible()
    assert "tokens of context" in asked.beside_label.text()
    qtbot.mouseClick(asked.beside_button, Qt.MouseButton.LeftButton)
    assert not asked.beside_table.isVisible()
    asked.presenter.open_beside(str(tmp_path))
    qtbot.waitUntil(lambda: "is not an infini-gram index" in asked.beside_notice.text())


def grown(asked, qtbot):
    """The tree with its first branch open."""
    qtbot.mouseClick(asked.views.button(2), Qt.MouseButton.LeftButton)
    tree = asked.tree.tree
    qtbot.waitUntil(lambda: tree.topLevelItemCount() > 0)
    tree.expandItem(tree.topLevelItem(0))
    qtbot.waitUntil(lambda: not asked.presenter.tree.state.waiting and tree.topLevelItem(0).child(0).text(2) != "")
    return tree


def test_the_figure_of_the_word_tree_is_the_tree(asked, qtbot, small, tmp_path):
    tree = grown(asked, qtbot)
    chart = asked.presenter.charts()()[0]
    assert chart.name == "word-tree"
    first = tree.topLevelItem(0)
    top = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    deeper = [first.child(row) for row in range(first.childCount())]
    drawn = chart.rows[0][0].root
    assert [twig.text for twig in drawn.twigs] == [item.text(0) for item in top]
    assert [twig.text for twig in drawn.twigs[0].twigs] == [item.text(0) for item in deeper]
    assert all(not twig.twigs for twig in drawn.twigs[1:])
    # The table behind it holds the same, each branch with its whole text.
    items = (first, *deeper, *top[1:])
    for item, (depth, text, token, count, share) in zip(items, chart.data, strict=True):
        ids = item.data(0, Qt.ItemDataRole.UserRole)
        assert (depth, text, token) == (1 + (item in deeper), small.decode(ids), item.text(0))
        assert count == small.count(ids) == int(item.text(2)) and share == count / small.count(ids[:-1])
    save_chart(chart, tmp_path / "a.svg")
    texts = ["".join(n.itertext()) for n in ET.parse(tmp_path / "a.svg").iter("{http://www.w3.org/2000/svg}text")]
    for item in items:
        # The sign of a space may come from another font, and is a text of its own then.
        shown = f"{item.text(0).lstrip('␣')} {item.text(2)} · "
        assert any(" ".join(text.split()).startswith(shown) for text in texts)


@pytest.mark.parametrize("leftwards", [False, True])
def test_a_tree_is_painted_inside_of_its_paper(qapp, leftwards):
    twig = Twig("x" * 300, "1 · 1 %", 0.5, tuple(Twig("word", "2", 0.5) for _ in range(40)))
    chart = tree_chart("t", Tree("h", Twig("root", "", 1.0, (twig, Twig("y", "", 0.5))), leftwards), [])
    picture = chart_image(chart, Paper(dpi=72))
    width, height = picture.width(), picture.height()
    edge = [(x, y) for x in range(width) for y in (0, height - 1)] + [
        (x, y) for y in range(height) for x in (0, width - 1)
    ]
    assert all(picture.pixelColor(*at) == Qt.GlobalColor.white for at in edge)
    assert sum(picture.pixelColor(x, y) != Qt.GlobalColor.white for x in range(width) for y in range(height)) > 2_000


def test_the_header_of_the_tree_stands_over_its_numbers(asked, qtbot):
    tree = grown(asked, qtbot)
    for column in (2, 3):
        assert tree.headerItem().textAlignment(column) == tree.topLevelItem(0).textAlignment(column)
        # As wide as the numbers need, so that header and numbers end at one place.
        assert tree.columnWidth(column) < 200


def test_estimated_branches_say_so(asked, qtbot, monkeypatch):
    monkeypatch.setattr("explorer.search.profile.LEFT_LIMIT", 2)
    qtbot.mouseClick(asked.views.button(2), Qt.MouseButton.LeftButton)
    asked.tree.side.setCurrentIndex(1)
    tree = asked.tree.tree
    qtbot.waitUntil(lambda: tree.topLevelItemCount() > 0 and tree.topLevelItem(0).text(2).startswith("≈ "))
    total = asked.presenter.state.answer.value.result.context_count
    assert sum(int(tree.topLevelItem(row).text(2)[2:]) for row in range(tree.topLevelItemCount())) == pytest.approx(
        total, abs=2
    )
    assert all("≈" in twig.note for twig in asked.presenter.charts()()[0].rows[0][0].root.twigs)
