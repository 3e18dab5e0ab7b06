"""The guide: sections, drawings in the theme's colors, keys as they are now, and help on what has the focus."""

from __future__ import annotations

import re
from types import SimpleNamespace

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QTabBar,
    QWidget,
)

from explorer.gui.help.dialog import HelpDialog, section_name
from explorer.gui.help.guide import ABOUT, TOKENS
from explorer.gui.help.topics import about, help_button, topic_of
from explorer.gui.screens.registry import SCREENS
from explorer.gui.style.surfaces import all_restyled
from explorer.gui.style.theme import colors
from explorer.version import VERSION

CONTROLS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QTabBar)


def shown(window):
    """The guide that was opened last."""
    return window.findChildren(HelpDialog)[-1]


def test_a_section_comes_to_the_top(opened, qtbot):
    dialog = opened.dialogs.help("search#text-and-tokens")
    assert dialog.pages.currentItem().text() == "Search"
    assert dialog.text.textCursor().block().text() == "Text and tokens"
    qtbot.waitUntil(lambda: dialog.text.verticalScrollBar().value() > 0)
    # An unknown one leaves the page at its top.
    dialog.show_topic("search#no-such-section")
    assert dialog.pages.currentItem().text() == "Search"
    dialog.close()


def test_links_lead_to_pages_and_to_the_web(opened, monkeypatch):
    seen = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: seen.append(url.toString()))
    dialog = opened.dialogs.help("start")
    dialog.text.anchorClicked.emit(QUrl("tokens"))
    assert dialog.pages.currentItem().text() == "Text and tokens"
    dialog.text.anchorClicked.emit(QUrl("https://example.org/page"))
    dialog.text.anchorClicked.emit(QUrl("file:///etc/passwd"))
    assert seen == ["https://example.org/page"]
    dialog.close()


def check_the_drawing_of_tokens_has_the_colors_of_the_theme(opened, qtbot, scheme):
    opened.set_scheme(scheme)
    qtbot.waitUntil(all_restyled)
    dialog = opened.dialogs.help(TOKENS.name)
    kind = QTextDocument.ResourceType.ImageResource.value
    image = dialog.text.loadResource(kind, QUrl("tokens.svg"))
    found = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(0, image.height(), 3)}
    assert {colors().text, colors().accent_soft, colors().muted} <= found
    dialog.close()
    opened.set_scheme("system")


def test_the_drawing_of_tokens_has_the_colors_of_the_theme(opened, qtbot):
    for scheme in ["light", "dark"]:
        check_the_drawing_of_tokens_has_the_colors_of_the_theme(opened, qtbot, scheme)


def test_tokens_are_explained_wherever_a_page_names_them():
    for spec in SCREENS:
        text = spec.page.read()
        if re.search(r"\btokens?\b", text):
            assert "](tokens)" in text, spec.id


def test_the_table_of_keys_has_the_users_own(opened, settings):
    settings.set("shortcuts", {"trace": "Ctrl+Alt+T"})
    opened.book.apply_shortcuts()
    dialog = opened.dialogs.help("keyboard")
    text = dialog.text.toPlainText()
    assert "Ctrl+Alt+T" in text and "Ctrl+Shift+P" in text and "Shift+F3" in text
    dialog.close()


def test_f1_explains_what_has_the_focus(opened, qtbot):
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    opened.show_screen("trace")
    about(opened.search.query, "search#lines")
    opened.show_screen("search")
    opened.search.query.setFocus()
    qtbot.keyClick(opened.search.query, Qt.Key.Key_F1)
    dialog = shown(opened)
    assert dialog.pages.currentItem().text() == "Search"
    assert dialog.text.textCursor().block().text() == "Lines"
    dialog.close()


def test_the_topic_is_that_of_the_nearest_part(opened):
    about(opened.search, "search")
    assert topic_of(opened.search.query) == "search" and topic_of(None) == ""


def test_the_button_with_a_question_mark_asks_by_way_of_its_screen(opened, qtbot):
    button = help_button("tokens", "Tokens")
    button.setParent(opened.search)
    button.show()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert shown(opened).pages.currentItem().text() == "Text and tokens"
    assert button.accessibleName() == "Help: Tokens"
    shown(opened).close()


def test_shift_f1_explains_what_is_under_the_pointer(opened, qtbot, monkeypatch):
    opened.show_screen("search")
    opened.search.query.setFocus()
    switcher = opened.top.switcher
    place = switcher.mapToGlobal(switcher.rect().center())
    # Not moved: not every platform allows that.
    monkeypatch.setattr("explorer.gui.app.main_window.QCursor", SimpleNamespace(pos=lambda: place))
    qtbot.keyClick(opened.search.query, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    dialog = shown(opened)
    assert dialog.text.textCursor().block().text() == "The window"
    dialog.close()


def test_a_pop_over_is_about_what_its_button_is_about(opened, qtbot):
    opened.show_screen("search")
    form = opened.search.tools.sort_form
    form.open()
    assert topic_of(form.sampled) == topic_of(opened.search.tools.sort) == "search#lines"
    form.close()


def sections(dialog, page):
    """Names of the headings of a page."""
    dialog.show_topic(page)
    block, found = dialog.text.document().begin(), set()
    while block.isValid():
        if block.blockFormat().headingLevel():
            found.add(section_name(block.text()))
        block = block.next()
    return found


def test_every_control_of_the_frame_and_of_search_is_explained(opened, qtbot):
    search = opened.search
    opened.show_screen("search")
    search.search_for("the cat")
    qtbot.waitUntil(lambda: search.model.total > 0 and not search.busy)
    # Hidden ones, too: pop-overs that are closed, pages behind others, buttons that wait for an error.
    areas = (opened.top, opened.rail, opened.status, search)
    controls = [control for area in areas for control in area.findChildren(QWidget) if isinstance(control, CONTROLS)]
    assert {"QPushButton", "QToolButton", "MarkedField", "KwicTable"} <= {type(each).__name__ for each in controls}
    topics = {topic_of(control) for control in controls}
    assert "" not in topics
    dialog = opened.dialogs.help()
    names = [dialog.pages.item(row).text() for row in range(dialog.pages.count())]
    for topic in topics:
        page, _, section = topic.partition("#")
        found = sections(dialog, page)
        # An unknown page would be shown as the first one.
        assert page == "start" or dialog.pages.currentItem().text() != names[0], topic
        assert not section or section in found, topic
    dialog.close()


def test_pictures_are_not_wider_than_the_page(opened, qtbot):
    dialog = opened.dialogs.help("agreement#the-text")
    text = dialog.text
    for width in (700, 1100):
        dialog.resize(width, 600)
        qtbot.waitUntil(lambda: text.verticalScrollBar().value() > 0)
        assert text.horizontalScrollBar().maximum() == 0, width
        # The section that was asked for is still in view.
        assert text.textCursor().block().text() == "The text"
    dialog.close()


def test_sections_have_names():
    assert section_name("Text and tokens") == "text-and-tokens"
    assert section_name("Index: open, build, check") == "index-open-build-check"


def check_pictures_of_the_window_are_those_of_the_theme(opened, qtbot, scheme):
    opened.set_scheme(scheme)
    qtbot.waitUntil(all_restyled)
    dialog = opened.dialogs.help("search")
    image = dialog.text.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl("search.png"))
    # The corner of the picture is the ground of the window.
    assert (image.pixelColor(image.width() - 2, 60).lightness() > 128) == (scheme == "light")
    dialog.close()
    opened.set_scheme("system")


def test_pictures_of_the_window_are_those_of_the_theme(opened, qtbot):
    for scheme in ["light", "dark"]:
        check_pictures_of_the_window_are_those_of_the_theme(opened, qtbot, scheme)


def test_about_names_the_version_and_where_the_licenses_are():
    assert VERSION in ABOUT.read() and "*Help › Licenses*" in ABOUT.read()
