"""Pieces of HTML for notebooks: nothing from outside is markup, and lines of both directions read in their own."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from explorer.export.reports.notebook import bar_table, line_table, shaded, text_block

HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(1)">&amp;\u202e\x1b[2J'
ARABIC = ("مرحبا", "نص", "طويل", "عنوان")


class Page(HTMLParser):
    """The tags of a piece, with their attributes, and the text of its cells."""

    def __init__(self, piece):
        super().__init__()
        self.tags, self.attributes, self.cells = [], [], []
        self.feed(piece)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data


@pytest.mark.parametrize(
    "piece",
    [
        shaded(HOSTILE, 2, HOSTILE),
        shaded(HOSTILE, 0),
        text_block(HOSTILE, [shaded(HOSTILE, 1)]),
        bar_table(HOSTILE, (HOSTILE, HOSTILE), [(HOSTILE, HOSTILE, 0.5)], 3),
        line_table(HOSTILE, [(HOSTILE,) * 4], 3),
    ],
)
def test_texts_from_outside_are_no_markup(piece):
    page = Page(piece)
    assert {"script", "img"}.isdisjoint(page.tags)
    assert {name for name, _ in page.attributes} <= {"style", "title", "dir"}
    assert "\u202e" not in piece and "\x1b" not in piece


def test_a_line_reads_in_its_direction():
    left_to_right = Page(line_table("", [("before", "match", "after", "title")], 0))
    assert left_to_right.cells == ["before", "match", "after", "title"]
    before, match, after, title = ARABIC
    assert Page(line_table("", [ARABIC], 0)).cells == [after, match, before, title]
    # A sign has no direction: the words around it decide.
    assert Page(line_table("", [(before, "12", after, "")], 0)).cells[0] == after


def test_both_themes_can_read_a_shade():
    for level in (1, 2, 3):
        assert "background:" in shaded("a", level) and ";color:" in shaded("a", level)
    assert shaded("a", 0) == "a"
