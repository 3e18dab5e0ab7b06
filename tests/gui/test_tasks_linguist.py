"""Tasks of a corpus linguist, done with keys only and with the mouse only; docs/window-tasks.md lists their steps."""

from __future__ import annotations

import csv

import pytest
from hands import Keyboard, Mouse, Place, place_of
from letters import SENTENCES
from task_window import SLACK, answer_dialog, settled


def counted(desk, number):
    """Whether the count of a finished answer is this."""
    return lambda: settled(desk)() and desk.search.count.text() == number


def left_words(desk):
    """The word before the match, line by line."""
    model = desk.search.model
    column = model.keys().index("left")
    return [model.text(line, column).split()[-1] for line in range(model.total)]


def read_csv(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(line for line in file if not line.startswith("#")))


# 1. Count a phrase in any case, sort the lines by the word before it, and read one in its document.


def counted_and_read(desk):
    words = left_words(desk)
    return words == sorted(words) and set(words) == {"at", "that", "to"} and "harbor" in desk.panel.text.toPlainText()


def test_count_sort_and_read_with_keys(desk):
    keys = Keyboard(desk, settled(desk))

    def task():
        yield keys.type("the harbor")
        yield keys.press("Alt+C")
        yield keys.until(counted(desk, "12"))
        yield keys.press("Alt+S")
        yield keys.to("Left context", chord="Down")
        yield keys.press("Esc")
        yield keys.press("F3")
        yield keys.until(lambda: settled(desk)() and desk.panel.isVisible())

    steps = keys.do(task())
    assert counted_and_read(desk)
    assert steps <= 6 + SLACK, " · ".join(keys.steps)


def test_count_sort_and_read_with_the_mouse(desk):
    mouse = Mouse(desk, settled(desk))

    def task():
        yield mouse.click("Query")
        yield mouse.type("the harbor")
        yield mouse.click("Ignore case")
        yield mouse.until(counted(desk, "12"))
        yield mouse.click("Left context")
        yield mouse.double_click_at(lambda: place_of("1", "Concordance"), "the first line")
        yield mouse.until(lambda: settled(desk)() and desk.panel.isVisible())

    steps = mouse.do(task())
    assert counted_and_read(desk)
    assert steps <= 5, " · ".join(mouse.steps)


# 2. Keep some of the lines as a set, one of them with a note, and export the set.


def check_exported_set(path):
    _header, *rows = read_csv(path)
    assert len(rows) == 2, rows
    assert any("Still stands" in cell for cell in rows[0]), rows


def test_keep_a_set_with_keys(desk, tmp_path, monkeypatch):
    keys = Keyboard(desk, settled(desk))
    answer_dialog(monkeypatch, keys, "getSaveFileName", path := tmp_path / "set.csv")

    def task():
        yield keys.type("the mill")
        yield keys.until(counted(desk, "10"))
        yield keys.press("Down")
        yield keys.press("M")
        yield keys.press("N")
        yield keys.type("Still stands")
        yield keys.press("Ctrl+Return")
        yield keys.press("Down")
        yield keys.press("M")
        yield keys.to("Save as set …", chord="Shift+Tab")
        yield keys.press("Space")
        yield keys.type("mills")
        yield keys.press("Enter")
        yield keys.to("Sets")
        yield keys.press("Space")
        yield keys.to("Export “mills” …")
        yield keys.press("Space")
        yield keys.until(lambda: settled(desk)() and path.exists())

    steps = keys.do(task())
    check_exported_set(path)
    assert steps <= 18 + SLACK, " · ".join(keys.steps)


def test_keep_a_set_with_the_mouse(desk, tmp_path, monkeypatch):
    mouse = Mouse(desk, settled(desk))
    answer_dialog(monkeypatch, mouse, "getSaveFileName", path := tmp_path / "set.csv")

    def mark(line):
        yield mouse.right_click(line, within="Concordance")
        yield mouse.click("Mark or unmark")

    def task():
        yield mouse.click("Query")
        yield mouse.type("the mill")
        yield mouse.until(counted(desk, "10"))
        yield mark("1")
        yield mouse.click("Add note")
        yield mouse.type("Still stands")
        yield mouse.click("Save note")
        yield mark("2")
        yield mouse.click("Save as set …")
        yield mouse.type("mills")
        yield mouse.click("OK")
        yield mouse.click("Sets")
        yield mouse.click("Export “mills” …")
        yield mouse.until(lambda: settled(desk)() and path.exists())

    steps = mouse.do(task())
    check_exported_set(path)
    assert steps <= 15, " · ".join(mouse.steps)


# 3. Break the hits down by a field, and export the values with their rates per million tokens.


def test_break_down_with_keys(desk, tmp_path, monkeypatch):
    keys = Keyboard(desk, settled(desk))
    answer_dialog(monkeypatch, keys, "getSaveFileName", path := tmp_path / "years.csv")

    def task():
        yield keys.type("the")
        yield keys.until(lambda: settled(desk)() and desk.search.count.text() not in ("", "0"))
        yield keys.press("Ctrl+Tab")
        yield keys.until(settled(desk))
        yield keys.to("Group by")
        yield keys.type("y")
        yield keys.until(settled(desk))
        yield keys.press("Ctrl+E")
        yield keys.until(lambda: settled(desk)() and path.exists())

    steps = keys.do(task())
    assert {row[0] for row in read_csv(path)[1:]} == {"1801", "1802", "1803"}
    assert steps <= 13 + SLACK, " · ".join(keys.steps)


def test_break_down_with_the_mouse(desk, tmp_path, monkeypatch):
    mouse = Mouse(desk, settled(desk))
    answer_dialog(monkeypatch, mouse, "getSaveFileName", path := tmp_path / "years.csv")

    def task():
        yield mouse.click("Query")
        yield mouse.type("the")
        yield mouse.until(lambda: settled(desk)() and desk.search.count.text() not in ("", "0"))
        yield mouse.click("Breakdown")
        yield mouse.click("Group by", kind="QComboBox")
        yield mouse.click("year")
        yield mouse.click("Export …")
        yield mouse.until(lambda: settled(desk)() and path.exists())

    steps = mouse.do(task())
    assert {row[0] for row in read_csv(path)[1:]} == {"1801", "1802", "1803"}
    assert steps <= 7, " · ".join(mouse.steps)


# 4. Compare how two phrases are spread over the corpus.


def test_compare_two_phrases_with_keys(desk):
    keys = Keyboard(desk, settled(desk))

    def task():
        yield keys.type("the mill")
        yield keys.until(counted(desk, "10"))
        # Backwards from the lines, which are the first view: past clusters, collocates and the watch list.
        for _ in range(4):
            yield keys.press("Ctrl+Shift+Tab")
        yield keys.to("Add “the mill”", chord="Tab")
        yield keys.press("Space")
        yield keys.to("Query to compare", chord="Shift+Tab")
        yield keys.type("the river")
        yield keys.press("Enter")
        yield keys.until(lambda: settled(desk)() and len(desk.search.presenter.state.comparison.rows) == 2)

    steps = keys.do(task())
    assert steps <= 16 + SLACK, " · ".join(keys.steps)


def test_compare_two_phrases_with_the_mouse(desk):
    mouse = Mouse(desk, settled(desk))

    def task():
        yield mouse.click("Query")
        yield mouse.type("the mill")
        yield mouse.until(counted(desk, "10"))
        yield mouse.click("Compare")
        yield mouse.click("Add “the mill”")
        yield mouse.click("Clear the query")
        yield mouse.type("the river")
        yield mouse.until(settled(desk))
        yield mouse.click("Add “the river”")
        yield mouse.until(lambda: settled(desk)() and len(desk.search.presenter.state.comparison.rows) == 2)

    steps = mouse.do(task())
    assert steps <= 7, " · ".join(mouse.steps)


# 11. Find what is special about the letters of one year, read the lines of the first keyword, and save both.


def strongest_listed(page):
    return lambda: page.presenter.state.found is not None and bool(page.presenter.state.found.table)


def lines_read(page):
    return lambda: page.lines.model.rowCount() > 0


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """Where the keywords and the lines go; no other test has made the words."""
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "keywords.csv", tmp_path / "lines.csv"


def keywords_page(desk):
    """The tab, which is made before the task begins."""
    page = desk.show_screen("statistics").page("keywords")
    desk.show_screen("search")
    return page


def check_keywords(saved):
    """The table of keywords and the lines of the first one, read back: all letters of a year have the same sentence."""
    words, lines = (read_csv(path) for path in saved)
    first = words[1][0]
    assert words[0][0] == "form" and first in SENTENCES[0].lower()
    column = lines[0].index("match")
    assert len(lines) > 10 and {line[column].lower() for line in lines[1:]} == {first}


def test_keywords_with_keys(desk, saved, monkeypatch):
    keys, page = Keyboard(desk, settled(desk)), keywords_page(desk)
    answer_dialog(monkeypatch, keys, "getSaveFileName", saved[1])

    def task():
        yield keys.press("Ctrl+6")
        yield keys.press("Ctrl+Tab")
        yield keys.to("Value of the field")
        yield keys.type("1801")
        yield keys.press("Enter")
        yield keys.until(lambda: page.presenter.state.missing)
        yield keys.to("Make the word index")
        # The focus may be on its way: what was asked while typing is asked again by Enter.
        yield keys.press("Space", keys.at("Make the word index"))
        yield keys.until(strongest_listed(page))
        yield keys.to("More frequent here")
        yield keys.press("Enter")
        yield keys.until(lines_read(page))
        yield keys.to("Save lines …")
        yield keys.press("Space")
        yield keys.until(saved[1].exists)
        answer_dialog(monkeypatch, keys, "getSaveFileName", saved[0])
        yield keys.press("Ctrl+E")
        yield keys.to("Save all rows …", chord="Down")
        yield keys.press("Enter")
        yield keys.until(saved[0].exists)

    steps = keys.do(task())
    check_keywords(saved)
    assert steps <= 18 + SLACK, " · ".join(keys.steps)


def test_keywords_with_the_mouse(desk, saved, monkeypatch):
    mouse, page = Mouse(desk, settled(desk)), keywords_page(desk)
    answer_dialog(monkeypatch, mouse, "getSaveFileName", saved[1])

    def task():
        yield mouse.click("Statistics")
        yield mouse.click("Keywords")
        yield mouse.click("Value of the field")
        yield mouse.type("1801")
        yield mouse.click("1801")
        yield mouse.click("Make the word index")
        yield mouse.until(strongest_listed(page))
        yield mouse.click_at(lambda: first_row(page), "the first keyword")
        yield mouse.until(lines_read(page))
        yield mouse.click("Save lines …")
        yield mouse.until(saved[1].exists)
        answer_dialog(monkeypatch, mouse, "getSaveFileName", saved[0])
        yield mouse.click("Export")
        yield mouse.click("Save all rows …")
        yield mouse.until(saved[0].exists)

    steps = mouse.do(task())
    check_keywords(saved)
    assert steps <= 12, " · ".join(mouse.steps)


def first_row(page):
    table = page.tables.more.table
    return Place(table.viewport(), table.visualRect(table.model().index(0, 1)).center())
