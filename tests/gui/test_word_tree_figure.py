"""The figures of a word tree, and of what comes next."""

from __future__ import annotations

import pytest
from by_hand import HandServices
from PySide6.QtCore import Qt

from explorer.chart import Tree, Twig
from explorer.export.charts.other_charts import tree_chart
from explorer.export.figure import Paper
from explorer.gui.charts.export.save import chart_image, save_chart
from explorer.gui.screens.next_token.presenter import NextTokenPresenter
from explorer.gui.screens.next_token.tree_state import Side


@pytest.fixture
def presenter(small):
    services = HandServices()
    made = NextTokenPresenter(services, lambda text: None)
    made.use_corpus(small)
    made.typed("the dog sat on the")
    made.tree.turn(Side.BOTH)
    services.let_time_pass()
    services.answer_all()
    return made


def test_the_figure_of_the_word_tree_is_the_tree(presenter, tmp_path):
    charts = {(chart.name, chart.title.split()[0]): chart for chart in presenter.charts()()}
    answer = presenter.tree.state.answer.value
    for title, side in (("After", answer.after), ("Before", answer.before)):
        chart = charts["word-tree", title]
        drawn = chart.rows[0][0].root.twigs
        assert [twig.text for twig in drawn] == [node.text or "end of document" for node in side.branches]
        flat = [(node.joined, node.text, node.count, node.share) for b in side.branches for node in (b, *b.branches)]
        assert [row[1:] for row in chart.data] == flat
        save_chart(chart, tmp_path / "a.svg")
        written = (tmp_path / "a.svg").read_text()
        assert all(twig.text in written for twig in drawn if twig.text.isalpha())


def test_the_figure_of_the_next_words_has_them_all(presenter):
    chart = presenter.charts()()[0]
    rows = presenter.state.answer.value.rows
    assert chart.name == "next-words" and chart.header == ("word", "count", "share")
    assert chart.data == tuple((row.text, row.count, row.share) for row in rows)


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
