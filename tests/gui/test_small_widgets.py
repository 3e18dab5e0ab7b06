"""Chips, numbers that filter, switches, segments, tabs and key caps, used as a person uses them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QImage, QRegion
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QSpinBox, QToolButton, QVBoxLayout, QWidget

from explorer.gui.chrome.undo_keys import undo_keys
from explorer.gui.style.surfaces import apply_stylesheet
from explorer.gui.style.theme import choose_scheme, choose_text_size, qcolor
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.fields.chip import Chip
from explorer.gui.widgets.fields.number_box import DecimalBox, NumberBox
from explorer.gui.widgets.fields.number_filter import NumberFilter
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.fields.slider import Slider
from explorer.gui.widgets.fields.toggle import Toggle
from explorer.gui.widgets.layouts.flow_layout import flowing, together
from explorer.gui.widgets.layouts.page_tabs import PageTabs
from explorer.gui.widgets.notices.job_bar import JobBar
from explorer.gui.widgets.notices.notice import Notice
from explorer.gui.widgets.texts.key_cap import KeyCap

ROLES = ("plain", "filter", "chosen", "add", "warn", "token")


@pytest.fixture(autouse=True)
def usual_look(qapp):
    choose_scheme("light")
    yield
    choose_scheme("system")
    choose_text_size(0)


@pytest.fixture
def shown(qtbot):
    """shown(widget, ...): in a window that is open and active."""

    windows = []

    def show(*widgets, right=False):
        window = QWidget()
        # Qt does not keep it for Python, and neither does the test.
        windows.append(window)
        qtbot.addWidget(window)
        if right:
            window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        layout = QVBoxLayout(window)
        for widget in widgets:
            layout.addWidget(widget)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return window

    return show


def spoken(widget):
    """Role and name for assistive technology."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.role(), interface.text(QAccessible.Text.Name)


def picture(widget) -> QImage:
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def inked(image: QImage, color: str) -> list[int]:
    """The columns in which a color of the theme is seen."""
    wanted = qcolor(color).rgb()
    return [x for x in range(image.width()) if any(image.pixel(x, y) == wanted for y in range(image.height()))]


def test_a_chip_is_a_button_with_its_words_as_its_name(shown, qtbot):
    chip = Chip("dataset & all", "filter")
    shown(chip)
    assert spoken(chip) == (QAccessible.Role.Button, "dataset & all")
    with qtbot.waitSignal(chip.clicked):
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    chip.setFocus()
    with qtbot.waitSignal(chip.clicked):
        qtbot.keyClick(chip, Qt.Key.Key_Return)


@pytest.mark.parametrize("right", [False, True], ids=["left to right", "right to left"])
def test_the_cross_of_a_chip_removes_and_is_not_a_click(right, shown, qtbot):
    chip = Chip("dataset is koala", "filter", removable=True)
    shown(chip, right=right)
    told = []
    chip.removed.connect(lambda: told.append("removed"))
    chip.clicked.connect(lambda: told.append("clicked"))
    cross = chip.cross()
    assert (cross.left() == 0) is right
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=cross.center().toPoint())
    elsewhere = QPoint(chip.width() - 10 if right else 10, chip.height() // 2)
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=elsewhere)
    assert told == ["removed", "clicked"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_keys_remove_a_chip_that_can_be_removed(key, shown, qtbot):
    chip, fixed = Chip("one", "filter", removable=True), Chip("two", "filter")
    shown(chip, fixed)
    with qtbot.waitSignal(chip.removed):
        qtbot.keyClick(chip, key)
    with qtbot.assertNotEmitted(fixed.removed):
        qtbot.keyClick(fixed, key)


def test_a_long_chip_is_elided_and_its_tip_has_the_rest(shown, qtbot):
    words = "a chip with many more words than it has room for " * 3
    chip, short = Chip(words), Chip("short")
    shown(chip, short)
    assert chip.shown_words().endswith("…") and words.startswith(chip.shown_words()[:-1].rstrip())
    assert short.shown_words() == "short"
    assert chip.toolTip() == words and short.toolTip() == ""


def test_every_role_looks_different(shown):
    """Not by hue alone: `add` has a dashed frame and a plus, `warn` a sign, `chosen` bold words."""
    chips = [Chip("word", role) for role in ROLES]
    shown(*chips)
    pictures = {bytes(picture(chip).constBits()) for chip in chips}
    assert len(pictures) == len(ROLES)
    widths = dict(zip(ROLES, (chip.sizeHint().width() for chip in chips), strict=True))
    assert widths["add"] > widths["plain"] and widths["warn"] > widths["plain"]


def test_choosing_a_chip_moves_no_neighbor(shown):
    chip = Chip("word")
    chip.setCheckable(True)
    shown(chip)
    before = chip.sizeHint()
    chip.setChecked(True)
    assert chip.role == "chosen" and chip.sizeHint() == before


def test_the_focus_ring_is_the_accent(shown, qtbot):
    widgets = [Chip("word"), NumberFilter("14", "passages"), Toggle("words"), PageTabs("one", "two")]
    other = push_button("other")
    shown(*widgets, other)
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    for widget in widgets:
        without = len(inked(picture(widget), "accent"))
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        assert len(inked(picture(widget), "accent")) > without + 4, widget


def test_a_number_filters_and_a_fact_does_not(shown, qtbot):
    number, fact = NumberFilter("14", "passages"), NumberFilter("31", "documents")
    fact.setCheckable(False)
    shown(number, fact)
    assert spoken(number)[1] == "14 passages"
    with qtbot.waitSignal(number.toggled):
        qtbot.keyClick(number, Qt.Key.Key_Space)
    assert number.isChecked()
    assert fact.focusPolicy() == Qt.FocusPolicy.NoFocus and not fact.isChecked()
    number.show_number("1", "passage")
    assert (number.number, spoken(number)[1]) == ("1", "1 passage")


def test_a_toggle_is_a_check_box(shown, qtbot):
    toggle = Toggle("Merge duplicates", on=True)
    shown(toggle)
    assert spoken(toggle) == (QAccessible.Role.CheckBox, "Merge duplicates")
    assert inked(picture(toggle), "on_accent")
    track = len(inked(picture(toggle), "accent"))
    qtbot.mouseClick(toggle, Qt.MouseButton.LeftButton)
    toggle.clearFocus()
    assert not toggle.isChecked()
    assert len(inked(picture(toggle), "accent")) < track


def test_segments_choose_exactly_one_by_mouse_and_keys(shown, qtbot):
    segments = Segments(("Words", "Characters", "Tokens"), "Unit")
    shown(segments)
    told = []
    segments.chosen.connect(told.append)
    qtbot.mouseClick(segments.button(2), Qt.MouseButton.LeftButton)
    segments.button(2).setFocus()
    qtbot.keyClick(segments.button(2), Qt.Key.Key_Left)
    assert told[0] == 2 and segments.current == 1
    segments.choose(0)
    assert segments.current == 0
    assert [segments.button(i).isChecked() for i in range(3)] == [True, False, False]
    assert spoken(segments.button(1))[1] == "Characters"


def test_segments_in_a_narrow_row_keep_their_words(shown):
    segments = Segments(("Words", "Characters", "Tokens"), "Unit")
    shown(segments)
    usual, least = segments.sizeHint().width(), segments.minimumSizeHint().width()
    segments.setFixedWidth(least)
    segments.layout().activate()
    assert segments.width() == least < usual
    for number in range(segments.count):
        button = segments.button(number)
        # In bold, as the chosen one is drawn.
        assert button.width() > button.metrics().horizontalAdvance(button.words)


def test_segments_tell_of_a_choice_by_keys(shown, qtbot):
    segments = Segments(("Words", "Characters"), "Unit")
    shown(segments)
    segments.button(0).setFocus()
    with qtbot.waitSignal(segments.chosen) as chosen:
        qtbot.keyClick(segments.button(0), Qt.Key.Key_Right)
    assert chosen.args == [1]


def test_tabs_show_counts_and_follow_the_arrow_keys(shown, qtbot):
    tabs = PageTabs("Documents", "Novelty & more", name="Pages")
    shown(tabs)
    before = tabs.tabRect(0).width()
    tabs.set_count(0, "1,234")
    assert tabs.tabRect(0).width() > before and tabs.count_of(0) == "1,234"
    assert tabs.accessibleTabName(0) == "Documents, 1,234"
    tabs.setFocus()
    with qtbot.waitSignal(tabs.currentChanged):
        qtbot.keyClick(tabs, Qt.Key.Key_Right)
    assert tabs.currentIndex() == 1
    tabs.set_count(0, "")
    assert tabs.tabRect(0).width() == before and tabs.accessibleTabName(0) == "Documents"


def test_the_line_under_the_chosen_tab_is_under_it(shown, qtbot):
    tabs = PageTabs("Documents", "Novelty")
    shown(tabs)
    for chosen in (1, 0):
        tabs.setCurrentIndex(chosen)
        area = tabs.tabRect(chosen)
        columns = inked(picture(tabs), "accent")
        assert columns and area.left() < min(columns) and max(columns) < area.right()


def test_a_key_cap_shows_its_keys(shown):
    cap = KeyCap("Ctrl+P")
    shown(cap, KeyCap())
    wide = cap.sizeHint().width()
    cap.show_keys("Ctrl+Shift+P")
    assert cap.sizeHint().width() > wide and cap.accessibleName() == "Ctrl+Shift+P"
    assert KeyCap().sizeHint().width() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("points", [10, 14, 20])
def test_all_grow_with_the_text_and_follow_the_theme(points, scheme, shown):
    def made():
        tabs = PageTabs("Documents", "Novelty")
        return [Chip("word"), NumberFilter("14", "hits"), Toggle("on"), Segments(("a", "b")), tabs, KeyCap("F1")]

    choose_text_size(10)
    usual = [widget.sizeHint() for widget in made()]
    choose_text_size(points)
    choose_scheme(scheme)
    widgets = made()
    for widget, size in zip(widgets, usual, strict=True):
        grown = widget.sizeHint()
        assert grown.height() >= size.height() * (0.9 + 0.08 * (points - 10)) - 2, widget
        assert (grown.width() > size.width()) is (points > 10), widget
    shown(*widgets)
    for widget in widgets:
        image = QImage(widget.size(), QImage.Format.Format_RGB32)
        image.fill(qcolor("window"))
        widget.render(image, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
        ink = ("text", "muted", "accent", "line_strong")
        assert any(inked(image, name) for name in ink), widget


def test_buttons_by_what_they_are_for(shown, qtbot):
    button, small = push_button("Save & close", "primary"), icon_button("more", "More <b>")
    shown(button, small)
    assert button.text() == "Save && close"
    words = push_button("Clear", "quiet", "undo")
    assert words.iconSize().width() > words.iconSize().height() == small.iconSize().width()
    assert spoken(small)[1] == "More <b>" and "&lt;b&gt;" in small.toolTip()


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_a_slider_is_filled_from_where_lines_begin(window, qtbot, direction):
    slider = Slider(window)
    slider.setLayoutDirection(direction)
    apply_stylesheet(slider)
    slider.setRange(0, 10)
    slider.setValue(2)
    slider.resize(200, 24)
    slider.show()
    image = slider.grab().toImage()
    ratio = image.devicePixelRatio()

    def color(x):
        return image.pixelColor(round(x * ratio), round(12 * ratio))

    left = direction == Qt.LayoutDirection.LeftToRight
    begin, end = (10, 150) if left else (190, 50)
    assert color(begin) == qcolor("accent") and color(end) == qcolor("line_strong")
    slider.deleteLater()


def test_tabs_leave_less_room_before_one_is_cut(shown):
    tabs = PageTabs("Perplexity", "Mix with a model", "Generate", "Draft bench", squeezed=True)
    window = shown(tabs)
    edges = window.layout().contentsMargins()
    for tight in (False, True, False):
        window.resize(tabs.width_of_all(tight) + edges.left() + edges.right(), 100)
        assert tabs.tabRect(3).right() < tabs.width()
        assert not any(button.isVisible() for button in tabs.findChildren(QToolButton))


def test_a_box_wraps_together_with_its_name(shown):
    names, boxes = ("Longest draft", "Minimum probability"), (QSpinBox(), QSpinBox())
    pairs = [together(QLabel(name), box) for name, box in zip(names, boxes, strict=True)]
    row = flowing(*pairs)
    window = shown(row)
    window.resize(pairs[0].sizeHint().width() + pairs[1].sizeHint().width() // 2, 200)
    assert pairs[1].y() > pairs[0].y()
    for pair, box in zip(pairs, boxes, strict=True):
        name = pair.findChild(QLabel)
        assert name.geometry().center().y() == pytest.approx(box.geometry().center().y(), abs=1)
        assert name.geometry().right() < box.geometry().left()


@pytest.mark.parametrize("kind", [NumberBox, DecimalBox])
def test_a_number_takes_ctrl_z_only_for_what_was_typed(kind, qtbot):
    part, box, undone = QWidget(), kind(minimum=1, maximum=99), []
    qtbot.addWidget(part)
    QVBoxLayout(part).addWidget(box)
    undo_keys(part, lambda: undone.append("undo"), lambda: undone.append("redo"))
    part.show()
    part.activateWindow()
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(box, Qt.Key.Key_Up)
    qtbot.keyClick(box, Qt.Key.Key_Z, control)
    assert box.value() == 2 and undone == ["undo"]
    box.selectAll()
    qtbot.keyClicks(box, "37")
    assert box.value() == 37
    qtbot.keyClick(box, Qt.Key.Key_Z, control)
    assert box.value() == 2 and undone == ["undo"]
    qtbot.keyClick(box, Qt.Key.Key_Z, control | shift)
    assert box.value() == 37 and undone == ["undo"]
    qtbot.keyClick(box, Qt.Key.Key_Z, control | shift)
    assert undone == ["undo", "redo"]


class _Page(QWidget):
    """A screen with a field, a notice and the bar of a job, and a button after them."""

    def __init__(self) -> None:
        super().__init__()
        self.field, self.notice, self.job, self.after = QLineEdit(), Notice(), JobBar(), QPushButton("Next")
        column = QVBoxLayout(self)
        for part in (self.field, self.notice, self.job, self.after):
            column.addWidget(part)

    def focus_input(self) -> None:
        self.field.setFocus()


def test_the_focus_stays_on_the_page_when_its_button_goes(qtbot):
    page = _Page()
    qtbot.addWidget(page)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.job.set_busy(True)
    qtbot.waitUntil(page.job.isVisible)
    page.job.cancel.setFocus()
    page.job.set_busy(False)
    assert not page.job.isVisible() and page.focusWidget() is page.field
    page.notice.show_notice("Words are missing.", remedies=[("Make them", lambda: page.notice.show_text(""))])
    page.notice.buttons()[0].setFocus()
    qtbot.mouseClick(page.notice.buttons()[0], Qt.MouseButton.LeftButton)
    assert not page.notice.isVisible() and page.focusWidget() is page.field
    # A focus elsewhere is left alone.
    page.after.setFocus()
    page.notice.show_text("Something")
    page.notice.show_text("")
    assert page.focusWidget() is page.after
