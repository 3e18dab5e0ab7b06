"""Pop-overs, panels, side sheets, toasts, notices and empty pages, used as a person uses them."""

from __future__ import annotations

from pathlib import Path

import pytest
from dragging import drag_enter
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDropEvent, QFocusEvent, QImage, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QScrollBar,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.errors import CorpusError
from explorer.gui.chrome.dialog import Dialog, message_box
from explorer.gui.style.surfaces import all_restyled, restyle
from explorer.gui.style.theme import choose_scheme, choose_text_size, qcolor, scaled
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.end_button import add_clear_button
from explorer.gui.widgets.fields.menu import Menu
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.fields.query_field import QueryField
from explorer.gui.widgets.layouts.panel import Panel, margin_of
from explorer.gui.widgets.layouts.side_sheet import SideSheet
from explorer.gui.widgets.layouts.splitter import Grip, Splitter
from explorer.gui.widgets.notices.empty_state import DropZone, EmptyState
from explorer.gui.widgets.notices.notice import Notice
from explorer.gui.widgets.notices.skeleton import Skeleton
from explorer.gui.widgets.notices.toasts import Toasts
from explorer.gui.widgets.texts.elided_label import ElidedLabel

WIDTH, HEIGHT = 600, 400
NEVER = 10_000_000
"""Milliseconds that no test lasts: a toast goes only when the test lets it."""


@pytest.fixture(autouse=True)
def usual_look(qapp):
    choose_scheme("light")
    yield
    choose_scheme("system")
    choose_text_size(0)


@pytest.fixture
def page(qtbot):
    """page(right=False): an open window with two buttons."""
    windows = []

    def make(right=False):
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        if right:
            window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        layout = QVBoxLayout(window)
        window.button, window.other = push_button("Options"), push_button("Other")
        layout.addWidget(window.button)
        layout.addWidget(window.other)
        layout.addStretch(1)
        window.resize(WIDTH, HEIGHT)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return window

    return make


def at(widget, x: int, y: int) -> str:
    """The color of a pixel."""
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32).pixelColor(x, y).name()


# Pop-overs


def test_a_popover_has_the_focus_and_esc_gives_it_back(page, qtbot):
    window = page()
    popover = Popover(window.button, "Options")
    box = QCheckBox("Documents")
    popover.body.addWidget(box)
    window.button.clicked.connect(popover.open)
    window.button.setFocus()
    qtbot.keyClick(window.button, Qt.Key.Key_Space)
    qtbot.waitUntil(box.hasFocus)
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked() and window.button.isDown()
    with qtbot.waitSignal(popover.closed):
        qtbot.keyClick(box, Qt.Key.Key_Escape)
    qtbot.waitUntil(window.button.hasFocus)
    assert not popover.isVisible() and not window.button.isDown()


def test_a_click_outside_closes_a_popover_and_one_on_the_anchor_does_not_open_it_again(page, qtbot):
    window = page()
    popover = Popover(window.button)
    popover.body.addWidget(QCheckBox("Documents"))
    window.button.clicked.connect(popover.toggle)
    for widget in (window.other, window.button):
        qtbot.mouseClick(window.button, Qt.MouseButton.LeftButton)
        assert popover.isVisible()
        # What a pointer meets at the place of the button.
        met = window.childAt(widget.geometry().center())
        with qtbot.waitSignal(popover.closed):
            qtbot.mouseClick(met, Qt.MouseButton.LeftButton)
        assert not popover.isVisible() and window.childAt(widget.geometry().center()) is widget


def test_a_popover_begins_at_its_first_control_and_not_at_what_is_beside_its_title(page, qtbot):
    window = page()
    popover = Popover(window.button, "Saved sets")
    explain = push_button("Help")
    popover.head.addWidget(explain)
    popover.open()
    assert QApplication.focusWidget() is popover
    popover.close()
    box = QCheckBox("Documents")
    popover.body.addWidget(box)
    popover.open()
    assert QApplication.focusWidget() is box
    # By Tab it is reached all the same.
    qtbot.keyClick(box, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is explain
    popover.close()


def test_a_popover_is_denser_before_it_scrolls(page):
    window = page()
    popover = Popover(window.button, "Columns")
    popover.open()
    roomy = popover.body.spacing()
    popover.close()
    for number in range(40):
        popover.body.addWidget(QCheckBox(f"Column {number}"))
    popover.open()
    assert popover.body.spacing() < roomy
    assert window.rect().contains(popover.geometry())
    popover.close()


def test_tab_stays_in_a_popover(page, qtbot):
    window = page()
    popover = Popover(window.button)
    boxes = [QCheckBox(name) for name in "abc"]
    boxes[1].setEnabled(False)
    for box in boxes:
        popover.body.addWidget(box)
    popover.open()
    seen = []
    for _ in range(4):
        seen.append(QApplication.focusWidget())
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert seen == [boxes[0], boxes[2], boxes[0], boxes[2]]
    qtbot.keyClick(boxes[0], Qt.Key.Key_Backtab)
    assert boxes[2].hasFocus()


def test_a_popover_closes_when_the_focus_or_its_anchor_goes(page, qtbot):
    window = page()
    popover = Popover(window.button)
    popover.body.addWidget(QCheckBox("Documents"))
    popover.open()
    window.other.setFocus()
    qtbot.waitUntil(lambda: not popover.isVisible())
    assert window.other.hasFocus()
    popover.open()
    window.button.hide()
    qtbot.waitUntil(lambda: not popover.isVisible())


@pytest.mark.parametrize("right", [False, True], ids=["left to right", "right to left"])
def test_a_popover_is_under_its_anchor_and_in_the_window(right, page, qtbot):
    window = page(right)
    popover = Popover(window.button)
    popover.body.addWidget(QLabel("some words that are wider than a button is, so that it could leave the window"))
    popover.open()
    assert window.rect().contains(popover.geometry())
    assert popover.geometry().center().y() > window.button.geometry().bottom()
    window.resize(WIDTH - 100, HEIGHT)
    qtbot.waitUntil(lambda: window.rect().contains(popover.geometry()))


def test_what_is_higher_than_the_window_scrolls(page, qtbot):
    window = page()
    popover = Popover(window.button)
    boxes = [QCheckBox(f"field {number}") for number in range(60)]
    for box in boxes:
        popover.body.addWidget(box)
    popover.open()
    assert window.rect().contains(popover.geometry())
    qtbot.keyClick(boxes[0], Qt.Key.Key_Backtab)
    qtbot.waitUntil(lambda: boxes[-1].hasFocus() and not boxes[-1].visibleRegion().isEmpty())


def test_the_foot_of_a_popover_stays_in_sight(page, qtbot):
    window = page()
    popover, button = Popover(window.button), push_button("Show lines", "primary")
    for number in range(60):
        popover.body.addWidget(QCheckBox(f"field {number}"))
    popover.foot.addWidget(button)
    popover.open()
    for bar in popover.findChildren(QScrollBar):
        for value in (bar.minimum(), bar.maximum()):
            bar.setValue(value)
            assert not button.visibleRegion().isEmpty()
            assert popover.rect().contains(QRect(button.mapTo(popover, QPoint(0, 0)), button.size()))
    assert window.rect().contains(popover.geometry())


# Panels


def test_a_panel_shows_the_focus_of_what_it_holds(page, qtbot):
    window = page()
    panel, table = Panel("Documents"), QTableWidget(2, 2)
    panel.hold(table)
    window.layout().addWidget(panel)
    qtbot.waitUntil(table.isVisible)
    # As Qt sends them: a platform without windows may take the focus from a window that is laid out anew.
    QApplication.sendEvent(table, QFocusEvent(QEvent.Type.FocusIn))
    assert panel.focused
    edge = at(panel, panel.width() // 2, 0)
    QApplication.sendEvent(table, QFocusEvent(QEvent.Type.FocusOut))
    assert not panel.focused
    assert edge == qcolor("accent").name() != at(panel, panel.width() // 2, 0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_corners_of_a_panel_are_round_over_what_it_holds(scheme, page, qtbot):
    choose_scheme(scheme)
    window = page()
    panel, filled = Panel(footer=[push_button("Save")]), QWidget()
    filled.setStyleSheet("background: #ff0000")
    filled.setMinimumHeight(100)
    panel.body.addWidget(filled)
    window.layout().addWidget(panel)
    qtbot.waitUntil(lambda: panel.isVisible() and filled.height() >= 100)
    for x in (0, panel.width() - 1):
        for y in (0, panel.height() - 1):
            assert at(panel, x, y) == qcolor("window").name()
    assert at(panel, panel.width() // 2, 20) == "#ff0000"


def test_a_panel_hides_what_it_does_not_have(page, qtbot):
    window = page()
    bare, full = Panel(), Panel("Title", [push_button("More")], [push_button("Save")])
    for panel in (bare, full):
        margin_of(panel)
        window.layout().addWidget(panel)
    qtbot.waitUntil(full.title.isVisible)
    heads = [panel.title.parentWidget().isVisible() for panel in (bare, full)]
    feet = [panel.footer_row.parentWidget().isVisible() for panel in (bare, full)]
    assert (heads, feet) == ([False, True], [False, True])
    bare.set_title("Now with a title")
    assert bare.title.isVisible() and bare.title.text() == "Now with a title"


# Side sheets


@pytest.mark.parametrize("right", [False, True], ids=["left to right", "right to left"])
def test_a_side_sheet_covers_the_end_of_its_page(right, page, qtbot):
    window = page(right)
    sheet = SideSheet(window, "Settings")
    window.button.setFocus()
    with qtbot.waitSignal(sheet.shown):
        sheet.open()
    assert sheet.height() == window.height()
    assert (sheet.x() == 0) is right and (sheet.geometry().right() == window.width() - 1) is not right
    ground = qcolor("surface").name()
    assert at(sheet, sheet.width() // 2, 3) == at(sheet, sheet.width() // 2, sheet.height() - 10) == ground
    window.resize(WIDTH + 100, HEIGHT + 50)
    qtbot.waitUntil(lambda: sheet.height() == HEIGHT + 50)
    assert (sheet.geometry().right() == window.width() - 1) is not right
    sheet.shut()


def test_esc_and_the_cross_close_a_side_sheet(page, qtbot):
    window = page()
    sheet = SideSheet(window, "Settings")
    box = QCheckBox("Merge duplicates")
    sheet.body.addWidget(box)
    window.button.setFocus()
    sheet.toggle()
    qtbot.waitUntil(box.hasFocus)
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    qtbot.waitUntil(window.button.hasFocus)
    assert sheet.isHidden()
    sheet.open()
    with qtbot.waitSignal(sheet.shown):
        qtbot.mouseClick(sheet.cross, Qt.MouseButton.LeftButton)
    assert sheet.isHidden()


# Toasts


def test_a_saved_file_can_be_opened_from_its_toast(page, qtbot, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(Path(url.toLocalFile())))
    window = page()
    toasts = Toasts(window, NEVER)
    path = Path("/folder/lines.csv")
    for number in (0, 1):
        toast = toasts.saved(path, "Saved 2,868 lines")
        assert [link.words for link in toast.links] == ["Open", "Show in folder"]
        qtbot.mouseClick(toast.links[number], Qt.MouseButton.LeftButton)
    assert opened == [path, path.parent] and toasts.shown == ()


def test_a_toast_goes_when_its_time_is_over_but_not_under_the_pointer(page, qtbot):
    window = page()
    toasts = Toasts(window, NEVER)
    toast = toasts.show("Copied 12 lines", [("Undo", lambda: None)])
    assert toast.timer.isActive() and toast.isVisible() and window.button.hasFocus()
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert toast.timer.isActive()
    toast.links[0].setFocus()
    qtbot.waitUntil(lambda: not toast.timer.isActive())
    window.button.setFocus()
    qtbot.waitUntil(toast.timer.isActive)
    toast.timer.timeout.emit()
    assert toasts.shown == () and not toast.isVisible()


def test_esc_closes_a_toast(page, qtbot):
    toasts = Toasts(page(), NEVER)
    toast = toasts.show("Copied 12 lines", [("Undo", lambda: None)])
    toast.links[0].setFocus()
    qtbot.keyClick(toast.links[0], Qt.Key.Key_Escape)
    assert toasts.shown == ()


@pytest.mark.parametrize("right", [False, True], ids=["left to right", "right to left"])
def test_the_newest_toast_is_seen_at_the_foot_of_the_window_and_follows_it(right, page, qtbot):
    window = page(right)
    toasts = Toasts(window, NEVER)
    for number in range(5):
        toasts.show(f"number {number}")
    assert [toast.sentence for toast in toasts.shown] == ["number 2", "number 3", "number 4"]
    assert [toast.isVisible() for toast in toasts.shown] == [False, False, True]
    window.resize(WIDTH + 200, HEIGHT + 100)
    qtbot.waitUntil(lambda: toasts.shown[-1].geometry().bottom() > HEIGHT)
    last = toasts.shown[-1].geometry()
    assert window.rect().contains(last) and last.height() < 40
    # One that still has time is seen when a newer one has gone.
    toasts.shown[-1].timer.timeout.emit()
    assert [toast.isVisible() for toast in toasts.shown] == [False, True]


def test_a_toast_without_room_keeps_its_links_and_elides_its_sentence(page, qtbot):
    window = page()
    toast = Toasts(window, NEVER).show("A sentence of some length. " * 6, [("Open", lambda: None)])
    assert toast.toolTip() != "" and toast.sentence in toast.toolTip()
    assert toast.rect().contains(toast.links[0].geometry())
    window.resize(WIDTH * 3, HEIGHT)
    qtbot.waitUntil(lambda: toast.toolTip() == "")


def test_the_ink_of_a_toast_is_that_of_its_ground(page):
    for scheme in ("light", "dark"):
        choose_scheme(scheme)
        toast = Toasts(page(), NEVER).show("Copied")
        assert at(toast, 10, 4) == qcolor("text").name()


# Notices


def test_a_notice_offers_its_remedies(page, qtbot):
    window = page()
    notice = Notice()
    window.layout().addWidget(notice)
    assert notice.isHidden()
    done = []
    remedies = [(name, lambda name=name: done.append(name)) for name in ("Leave out", "Other field", "Show")]
    notice.show_notice("Unexpected end.", "Line 2 is not JSON", "error", remedies)
    assert notice.isVisible() and notice.text() == "Unexpected end." and notice.title.text() == "Line 2 is not JSON"
    for button in notice.buttons():
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert done == ["Leave out", "Other field", "Show"]
    notice.show_notice("Short.", remedies=remedies[:1])
    assert [button.text() for button in notice.buttons()] == ["Leave out"] and not notice.title.isVisible()
    notice.show_text("")
    assert notice.isHidden()


def test_a_notice_has_at_most_three_buttons(page):
    with pytest.raises(ValueError, match="at most 3"):
        Notice().show_notice("Too many.", remedies=[("one", print)] * 4)


def test_an_error_looks_different_from_a_warning(page):
    window = page()
    notice = Notice()
    window.layout().addWidget(notice)
    grounds = set()
    for kind in ("info", "warn", "error"):
        notice.show_notice("Some sentence.", kind=kind)
        grounds.add(at(notice, notice.width() // 2, 3))
    assert len(grounds) == 3
    notice.show_error(CorpusError("It does not open."))
    assert notice.kind == "error" and "It does not open." in notice.text()


def test_a_notice_does_not_grow_with_what_it_quotes(page):
    notice = Notice()
    notice.show_text("x" * 100_000)
    assert len(notice.text()) < 1_100
    notice.hide()


# Menus


def test_a_menu_draws_its_shortcuts_as_caps(page, qtbot):
    window = page()
    menu, plain = Menu("File", window), Menu("Edit", window)
    for each, keys in ((menu, "Ctrl+Shift+P"), (plain, "")):
        each.addAction("Copy & paste").setShortcut(keys)
        each.addSeparator()
        each.addMenu("Recent")
    copy, line, recent = menu.actions()
    assert menu.keys_of(copy) == QKeySequence("Ctrl+Shift+P").toString(QKeySequence.SequenceFormat.NativeText)
    assert (menu.keys_of(line), menu.keys_of(recent), plain.keys_of(plain.actions()[0])) == ("", "", "")
    pictures = []
    for each in (menu, plain):
        each.ensurePolished()
        each.resize(each.sizeHint())
        pictures.append(each.grab().toImage())
    assert menu.sizeHint().width() > plain.sizeHint().width()
    assert frames(pictures[0]) and not frames(pictures[1])


def frames(picture: QImage) -> bool:
    """Whether the strong line of a cap is in the picture, for as long as a cap is wide."""
    wanted, wide = qcolor("line_strong").rgb(), 40
    rows = ([picture.pixel(x, y) == wanted for x in range(picture.width())] for y in range(1, picture.height() - 1))
    return any(sum(row) > wide and not all(row) for row in rows)


# Dialogs


def test_dialogs_have_the_margins_of_a_page_and_the_signs_of_the_window(page, qtbot):
    window = page()
    dialog = Dialog(window, "Log")
    QVBoxLayout(dialog).addWidget(QLabel("No errors so far."))
    dialog.show()
    box = message_box(window, "Unexpected error", "It broke.", "error")
    # Qt lays a box out once more when it is shown.
    box.show()
    for each in (dialog, box):
        assert each.layout().contentsMargins().left() == each.layout().contentsMargins().top() == scaled(16)
    sign = box.iconPixmap().toImage()
    inks = {sign.pixelColor(x, y).name() for x in range(sign.width()) for y in range(sign.height())}
    assert qcolor("error").name() in inks
    dialog.close()
    box.close()


@pytest.mark.parametrize("points", [10, 20])
@pytest.mark.parametrize("words", [4, 8, 9, 10, 11, 12, 16, 40])
def test_a_message_box_shows_its_whole_sentence(page, words, points):
    choose_text_size(points)
    box = message_box(page(), "Unexpected error", " ".join(["sentence"] * words))
    box.show()
    text = box.findChild(QLabel, "qt_msgbox_label")
    needed = text.heightForWidth(text.width()) if text.wordWrap() else text.sizeHint().height()
    assert text.wordWrap() or text.width() >= text.sizeHint().width()
    assert text.height() >= needed
    box.close()


# Fields, pages without content, splitters


@pytest.mark.parametrize("right", [False, True])
def test_a_field_is_emptied_by_a_button_that_grows_with_the_text(page, qtbot, right):
    window = page(right)
    field = QLineEdit()
    clear = add_clear_button(field)
    window.layout().addWidget(field)
    field.show()
    assert not clear.isVisible()
    qtbot.keyClicks(field, "heap")
    assert clear.isVisible()
    qtbot.waitUntil(lambda: (clear.geometry().center().x() < field.width() / 2) == right)
    # The text keeps off the button, on whichever side it is.
    margins = field.textMargins()
    assert (margins.left() if right else margins.right()) >= clear.width()
    sides = []
    # The first may be that of an earlier test, so that nothing changes.
    for points in (20, 10, 20):
        choose_text_size(points)
        restyle(QApplication.instance())
        qtbot.waitUntil(all_restyled)
        sides.append(clear.iconSize().width())
    assert sides[1] < sides[2]
    qtbot.mouseClick(clear, Qt.MouseButton.LeftButton)
    assert not field.text() and not clear.isVisible()


def test_a_query_field_shows_focus_and_error_on_its_frame(page, qtbot):
    window = page()
    field = QueryField(QLineEdit("climate"), [push_button("Whole words")])
    window.layout().addWidget(field)
    edges = []
    for invalid, focused in ((False, False), (False, True), (True, False)):
        field.set_invalid(invalid)
        (field.field if focused else window.other).setFocus()
        qtbot.waitUntil(lambda focused=focused: field.field.hasFocus() is focused)
        edges.append(at(field, field.width() // 2, 0))
    assert edges == [qcolor(name).name() for name in ("line_strong", "accent", "error")]
    assert field.invalid
    field.setFocus()
    qtbot.waitUntil(field.field.hasFocus)


def test_an_empty_page_offers_examples(page, qtbot):
    window = page()
    empty = EmptyState("search")
    window.layout().addWidget(empty)
    empty.say("Search counts while you type", "Whole words.", ("climate change", "the * of the"))
    with qtbot.waitSignal(empty.chosen) as chosen:
        qtbot.mouseClick(empty.examples()[1], Qt.MouseButton.LeftButton)
    assert chosen.args == ["the * of the"]
    empty.say("Nothing", "")
    assert empty.examples() == []


def test_a_drop_zone_takes_files_and_nothing_else(page, qtbot):
    window = page()
    zone = DropZone("Drop files here", "Plain text")
    window.layout().addWidget(zone)
    files, words = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile("/folder/a.txt"), QUrl("https://example.org/b.txt")])
    words.setText("words")
    copy, left, plain = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for data, taken in ((files, True), (words, False)):
        enter = drag_enter(QPointF(5, 5), data)
        enter.ignore()
        QApplication.sendEvent(zone, enter)
        assert enter.isAccepted() is taken
    with qtbot.waitSignal(zone.dropped) as dropped:
        QApplication.sendEvent(zone, QDropEvent(QPointF(5, 5), copy, files, left, plain))
    assert dropped.args == [[Path("/folder/a.txt")]]


@pytest.mark.parametrize("right", [False, True], ids=["left to right", "right to left"])
@pytest.mark.parametrize("way", [Qt.Orientation.Horizontal, Qt.Orientation.Vertical], ids=["beside", "below"])
def test_arrow_keys_move_a_grip(way, right, page, qtbot):
    window = page(right)
    splitter = Splitter(way)
    for _ in range(2):
        splitter.addWidget(QWidget())
    splitter.setMinimumSize(400, 300)
    window.layout().addWidget(splitter)
    splitter.setSizes([200, 200])
    grip = splitter.handle(1)
    assert isinstance(grip, Grip) and grip.accessibleName()
    upright = way == Qt.Orientation.Horizontal
    place = grip.x if upright else grip.y
    forward, back = (Qt.Key.Key_Right, Qt.Key.Key_Left) if upright else (Qt.Key.Key_Down, Qt.Key.Key_Up)
    before = place()
    qtbot.keyClick(grip, forward)
    assert place() > before
    qtbot.keyClick(grip, back)
    assert place() == before


@pytest.mark.parametrize("shape", ["lines", "concordance", "cards"])
def test_a_skeleton_fills_its_place_and_stays_in_it(shape, page):
    skeleton = Skeleton(shape)
    skeleton.resize(500, 300)
    bars = skeleton.bars()
    assert len(bars) > 5
    assert all(skeleton.rect().contains(area.toAlignedRect()) for area, _ in bars)
    assert max(area.bottom() for area, _ in bars) > 240


def test_facts_that_have_no_room_are_left_out_as_a_whole(page):
    window = page()
    label = ElidedLabel("in 828 documents · 387.68 per million tokens · 1,126 including parts of words", between="·")
    window.layout().addWidget(label)
    wide = label.fontMetrics().horizontalAdvance
    assert label.fitting(wide(label.text()) + 1) == label.text()
    assert label.fitting(wide(label.text()) - 1) == "in 828 documents · 387.68 per million tokens"
    assert label.fitting(wide("in 828 documents · 3")) == "in 828 documents"
    assert label.fitting(wide("in 828 do")).endswith("…")
