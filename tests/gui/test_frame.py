"""The frame around the screens: top bar, rail, status bar, and the list of running jobs."""

from __future__ import annotations

import itertools
import threading
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QDesktopServices, QFontMetrics
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QLineEdit

from explorer.core.jobs import Progress
from explorer.gui.app.main_window import first_size
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.requests import OpenRequest, Saved
from explorer.gui.style.surfaces import all_restyled
from explorer.gui.style.theme import font_of


@pytest.fixture
def held(opened, qtbot):
    """A job of the search screen that waits until it is let go."""
    go, stopped = threading.Event(), []
    runner = opened.search.lanes.slot("held")
    report = runner.reporter()

    def work(cancel):
        report(Progress("Writing", 25, 100))
        while not go.wait(0.01):
            cancel.check()

    def stop():
        stopped.append(True)
        runner.cancel()

    runner.run(work, lambda _: None, job=Job("Export of lines.csv", stop))
    qtbot.waitUntil(lambda: runner.clock.share == 0.25)
    yield stopped
    go.set()
    qtbot.waitUntil(lambda: not runner.busy)


def test_the_index_is_named_once(opened, small):
    assert opened.top.switcher.text().strip() == opened.corpus.index.name
    assert opened.corpus.index.name not in opened.index_label.text()
    assert f"{small.token_count:,} tokens" in opened.index_label.text()


def test_the_switcher_lists_the_recent_indexes(opened, byte_index, small_index, qtbot):
    opened.settings.recents.add(str(byte_index), datetime.now(UTC))
    menu = opened.top.switcher.menu()
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    # Of an index that was not opened yet, only the folder is known.
    size = f"{opened.corpus.token_count} tokens"
    assert texts == [
        byte_index.name,
        f"{opened.corpus.index.name}\t{size}",
        "Open index …",
        "Open a remote index …",
        "All indexes …",
    ]
    assert str(byte_index) in menu.actions()[0].toolTip()
    before = opened.corpus
    menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: opened.corpus is not before)
    assert opened.top.switcher.text().strip() == opened.corpus.index.name


def test_the_field_in_the_middle_opens_the_palette(opened, qtbot):
    qtbot.mouseClick(opened.top.field, Qt.MouseButton.LeftButton)
    assert opened.findChild(type(opened.open_palette())) is not None


def test_all_tiles_are_of_one_size_and_lose_their_labels_when_the_text_is_large(opened, qtbot):
    def sizes():
        return {(tile.width(), tile.height()) for tile in opened.rail.tiles.values()}

    assert sizes() == {(72, 52)}
    opened.change_setting("text_size", 20)
    qtbot.waitUntil(all_restyled)
    qtbot.waitUntil(lambda: len(sizes()) == 1 and sizes() != {(72, 52)})
    (large,) = sizes()
    # Lower than wide: all of them have room in a low window.
    assert large[1] < large[0]
    assert all(tile.toolTip() for tile in opened.rail.tiles.values())
    opened.change_setting("text_size", 0)
    qtbot.waitUntil(lambda: sizes() == {(72, 52)})


def check_every_tile_stays_in_a_low_window(opened, qtbot, points):
    opened.change_setting("text_size", points)
    qtbot.waitUntil(all_restyled)
    opened.resize(QSize(1100, 700))
    qtbot.waitUntil(lambda: opened.rail.height() < 680)
    tiles = list(opened.rail.tiles.values())
    qtbot.waitUntil(lambda: all(tile.isVisible() for tile in tiles))
    assert all(opened.rail.rect().contains(tile.geometry()) for tile in tiles)
    assert len({tile.height() for tile in tiles}) == 1
    assert all(tile.height() >= tile.iconSize().height() for tile in tiles)
    opened.change_setting("text_size", 0)


def test_every_tile_stays_in_a_low_window(opened, qtbot):
    for points in [10, 15, 20, 28]:
        check_every_tile_stays_in_a_low_window(opened, qtbot, points)


@pytest.mark.parametrize(
    ("screen", "size"), [((1920, 1080), (1280, 800)), ((1366, 728), (1280, 680)), ((1024, 768), (1008, 720))]
)
def test_the_first_window_fits_the_screen(screen, size):
    assert first_size(QSize(*screen)) == QSize(*size)


def check_the_top_bar_fits_a_narrow_window(opened, qtbot, points):
    opened.change_setting("text_size", points)
    qtbot.waitUntil(all_restyled)
    opened.resize(QSize(1024, 700))
    bar = opened.top
    qtbot.waitUntil(lambda: bar.width() == 1024)
    parts = sorted((bar.menus.geometry(), bar.field.geometry(), bar.switcher.geometry()), key=lambda box: box.left())
    assert all(before.right() < after.left() for before, after in itertools.pairwise(parts))
    assert parts[0].left() >= 0 and parts[-1].right() < 1024
    # Every menu is there, none behind an arrow.
    assert bar.menus.width() >= bar.menus.sizeHint().width()
    opened.change_setting("text_size", 0)


def test_the_top_bar_fits_a_narrow_window(opened, qtbot):
    for points in [0, 20]:
        check_the_top_bar_fits_a_narrow_window(opened, qtbot, points)


def test_a_job_is_shown_and_stopped_from_its_list(opened, held, qtbot):
    button = opened.status.jobs
    qtbot.waitUntil(button.isVisible)
    assert button.text() == "Export of lines.csv: 25%"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    popup = opened.status.popup
    assert popup.isVisible() and [row.title.text() for row in popup.rows] == ["Export of lines.csv"]
    row = popup.rows[0]
    assert row.said.text() == "25%" and row.bar.value() == 250
    assert row.stop.isVisible() and not row.pause.isVisible()
    qtbot.mouseClick(row.stop, Qt.MouseButton.LeftButton)
    assert held == [True]
    # Nothing is left to list: the list closes, and the button goes.
    qtbot.waitUntil(lambda: not button.isVisible())
    qtbot.waitUntil(lambda: not popup.isVisible())


def test_a_short_job_shows_nothing(opened, qtbot):
    runner = opened.search.lanes.slot("short")
    seen = []
    runner.run(lambda cancel: None, seen.append, job=Job("Short work", print))
    qtbot.waitUntil(lambda: seen == [None])
    opened.status.look()
    assert not opened.status.jobs.isVisible()


def test_the_time_of_the_last_answer_of_the_screen_in_front_is_told(opened, qtbot):
    qtbot.waitUntil(lambda: opened.screens.settled and not opened.search.busy)
    one, other = (opened.show_screen(id) for id in ("trace", "settings"))
    opened.show_screen("trace")
    told = opened.status.time_label.text
    for seconds, text in ((0.0123, "Answered in 12 ms"), (2.34, "Answered in 2.3 s")):
        one.answered.emit(seconds)
        assert told() == text
    opened.show_screen("settings")
    assert told() == ""
    # What was answered behind the screen is told when it is shown.
    one.answered.emit(0.5)
    assert told() == ""
    other.answered.emit(0.001)
    assert told() == "Answered in 1 ms"
    opened.show_screen("trace")
    assert told() == "Answered in 500 ms"


def test_every_menu_is_in_the_top_bar_in_both_directions(opened, qtbot):
    for direction in (Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight):
        opened.setLayoutDirection(direction)

        def all_inside():
            bar = opened.menuBar()
            return all(bar.rect().contains(bar.actionGeometry(action)) for action in bar.actions())

        qtbot.waitUntil(all_inside)
    assert len(opened.menuBar().actions()) >= 4


def test_labels_of_tiles_have_room_in_bold(opened, qtbot):
    for points in (10, 14):
        opened.change_setting("text_size", points)
        qtbot.waitUntil(all_restyled)
        metrics = QFontMetrics(font_of(0.85, 600))
        for tile in opened.rail.tiles.values():
            assert metrics.horizontalAdvance(tile.text()) + 2 < tile.width()
    opened.change_setting("text_size", 0)


def test_an_index_that_opens_is_a_job(opened, qtbot, byte_index):
    opened.open(OpenRequest((str(byte_index),)))
    assert opened.indexes.opener.job is not None and opened.indexes.opener.job.title.startswith("Opening ")
    qtbot.waitUntil(lambda: not opened.indexes.opener.busy)
    assert opened.indexes.opener.job is None


def covered(window, toast):
    """The controls that a toast covers."""
    area = QRect(toast.mapToGlobal(QPoint(0, 0)), toast.size())
    controls = [
        *window.findChildren(QAbstractButton),
        *window.findChildren(QLineEdit),
        *window.findChildren(QAbstractItemView),
    ]
    return [
        part
        for part in controls
        if part.isVisible()
        and part.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not toast.isAncestorOf(part)
        and area.intersects(QRect(part.mapToGlobal(QPoint(0, 0)), part.visibleRegion().boundingRect().size()))
    ]


@pytest.mark.parametrize("points", [10, 20])
def test_progress_above_the_lines_leaves_out_what_has_no_room(opened, qtbot, points):
    """And never its button."""
    opened.change_setting("text_size", points)
    qtbot.waitUntil(all_restyled)
    opened.search.search_for("the")
    opened.show_screen("search")
    qtbot.waitUntil(lambda: not opened.search.busy and opened.search.model.rowCount() > 0)
    answer, bar = opened.search.answer, opened.search.answer.activity.job
    bar.set_busy(True)
    qtbot.waitUntil(bar.isVisible)
    bar.show_progress(Progress("Reading", 1_200, 5_600, "lines"))
    whole = "Reading: 1,200 of 5,600 lines"

    def is_whole():
        return answer.rect().contains(QRect(bar.cancel.mapTo(answer, QPoint(0, 0)), bar.cancel.size()))

    shown = []
    for size in (QSize(640, 480), QSize(1600, 800)):
        opened.resize(size)
        qtbot.wait(200)
        qtbot.waitUntil(is_whole)
        assert bar.stage.text() == whole and bar.stage.toolTip() == whole
        shown.append(bar.stage.fitting(bar.stage.width()))
    # As in 10 points, all of it may have room.
    assert shown[0] in ("Reading", whole) and shown[1] == whole
    assert points == 10 or shown[0] == "Reading"
    bar.set_busy(False)
    opened.change_setting("text_size", 0)


@pytest.mark.parametrize("points", [10, 20])
def test_a_toast_covers_no_control(opened, qtbot, tmp_path, points):
    opened.change_setting("text_size", points)
    qtbot.waitUntil(all_restyled)
    opened.search.search_for("the")
    opened.show_screen("search")
    qtbot.waitUntil(lambda: not opened.search.busy and opened.search.model.rowCount() > 0)
    opened.ask(Saved(tmp_path / "lines.csv", "Saved 12 lines"))
    (toast,) = opened.toasts.shown
    for size in (QSize(1280, 800), QSize(640, 480)):
        opened.resize(size)
        qtbot.waitUntil(lambda: opened.rect().contains(toast.geometry()))
        assert covered(opened, toast) == []
        assert toast.links[0].isVisible() and toast.toolTip() == ""
    # A job that begins meanwhile gets its button.
    opened.status.jobs.setText("Build: 12%")
    opened.status.jobs.show()
    qtbot.waitUntil(lambda: covered(opened, toast) == [])
    opened.change_setting("text_size", 0)


def test_what_was_saved_is_told_and_opened_by_keyboard(opened, qtbot, monkeypatch, tmp_path):
    seen = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: seen.append(url.toLocalFile()))
    (tmp_path / "lines.csv").write_text("a,b\n")
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    # Nothing to go to yet.
    opened.book.actions["message"].trigger()
    opened.ask(Saved(tmp_path / "lines.csv", "Saved 12 lines"))
    (toast,) = opened.toasts.shown
    assert toast.sentence == "Saved 12 lines" and [link.words for link in toast.links] == ["Open", "Show in folder"]
    opened.book.actions["message"].trigger()
    qtbot.waitUntil(toast.links[0].hasFocus)
    assert not toast.timer.isActive()
    qtbot.keyClick(toast.links[0], Qt.Key.Key_Space)
    assert seen == [str(tmp_path / "lines.csv")] and opened.toasts.shown == ()
