"""The rows of commands: menus, palette, help, windows."""

from __future__ import annotations

import gc
import weakref

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from explorer.gui.app.main_window import MainWindow
from explorer.gui.chrome.actions import check_commands, plain
from explorer.gui.chrome.commands import commands_of
from explorer.gui.help.guide import ABOUT, PROJECTS, START, TOKENS
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.screens.registry import SCREENS
from explorer.resources import resource_path


def test_every_command_is_in_a_menu_and_explained(opened):
    shown = {action.text() for menu in opened.menuBar().actions() for action in menu.menu().actions()}
    for spec in commands_of(SCREENS):
        assert spec.text in shown and spec.help
        assert (spec.id in opened.book.actions) != (spec.id in opened.book.submenus)
    check_commands(commands_of(SCREENS), [spec.id for spec in SCREENS])


def test_the_menus_are_in_groups(opened):
    menus = {menu.text(): [a.text() for a in menu.menu().actions()] for menu in opened.menuBar().actions()}
    assert list(menus) == ["&File", "&Edit", "&View", "&Go", "&Help"]
    assert menus["&Edit"] == [
        "&Undo", "&Redo", "Cu&t", "&Copy", "&Paste", "Select &all", "", "&Find in the document", "",
        "Copy result as P&ython", "Copy result as co&mmand",
    ]  # fmt: skip
    assert menus["&File"] == [
        "&Open index …", "Open a re&mote index …", "Choose the &tokenizer …", "Open the &sample index", "Open &recent",
        "",
        "&Build an index …", "&Check this index …", "", "&New project", "Open &project …",
        "Recent pro&jects", "&Save project", "Save project &as …", "Open &files …", "&Export …", "", "New &window", "",
        "&Close window", "&Quit",
    ]  # fmt: skip
    assert menus["&Go"] == [
        "&Next line", "&Previous line", "", "&Recent queries", "Query &builder", "", "&Whole words", "Ignore &case",
        "&Exactly as typed", "&Text, expression or tokens …", "S&ort lines …", "&Filter lines …", "Watch &list …", "",
        "&Switch index …", "",
        "Next &passage", "Previous p&assage", "&Longest match", "&Copy with source", "Side &by side", "Next a&nswer",
        "Previous ans&wer", "",
        "Ne&xt tab", "Pre&vious tab",
    ]  # fmt: skip


def test_recent_indexes_are_a_submenu(opened, small_index, qtbot):
    menu = opened.book.submenus["recent"]
    menu.aboutToShow.emit()
    corpus = opened.corpus
    assert [action.text() for action in menu.actions()] == [f"{corpus.index.name}\t{corpus.token_count} tokens"]
    assert str(small_index.resolve()) in menu.actions()[0].toolTip()
    before = opened.corpus
    menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: opened.corpus is not before)
    opened.settings.recents.forget(str(small_index.resolve()))
    menu.aboutToShow.emit()
    assert [(action.text(), action.isEnabled()) for action in menu.actions()] == [("None yet", False)]


def test_the_palette_runs_a_command(opened, qtbot):
    qtbot.keyClick(opened, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    palette = opened.findChild(type(opened.open_palette()))
    assert palette is not None
    qtbot.keyClicks(palette.field, "agree")
    assert palette.shown()[0].name == "Agreement"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened.current_screen() is opened.agreement)


def test_the_palette_moves_by_keyboard_and_knows_recent_indexes(opened, qtbot, small_index):
    palette = opened.open_palette()
    assert ("Open Small", str(small_index.resolve())) in [(entry.name, entry.hint) for entry in palette.shown()]
    assert palette.chosen() is palette.shown()[0]
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    qtbot.keyClick(palette.field, Qt.Key.Key_PageDown)
    assert palette.chosen() is palette.shown()[9]
    # The line above the first command is a heading.
    for _ in range(12):
        qtbot.keyClick(palette.field, Qt.Key.Key_Up)
    assert palette.chosen() is palette.shown()[0]
    qtbot.keyClicks(palette.field, "no such command")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not opened.findChildren(type(palette)) or not palette.isVisible())


def check_f1_opens_the_page_of_the_screen(opened, screen):
    opened.show_screen(screen.id)
    dialog = opened.open_help()
    assert dialog.pages.currentItem().text() == screen.page.title
    assert screen.title in dialog.text.toPlainText()
    dialog.close()


def test_f1_opens_the_page_of_the_screen(opened):
    for screen in SCREENS:
        check_f1_opens_the_page_of_the_screen(opened, screen)


def test_the_guides_links_and_pictures_are_there():
    import re

    pages = (START, TOKENS, *(spec.page for spec in SCREENS), PROJECTS, ABOUT)
    # The page of keys is made by each window, from its commands.
    names = [*(page.name for page in pages), "keyboard"]
    for page in pages:
        for picture, target in re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", page.read()):
            assert resource_path(f"guide/{target}").is_file() if picture else target in names, (page.name, target)


def shown_windows():
    return [
        window for window in QApplication.topLevelWidgets() if isinstance(window, MainWindow) and window.isVisible()
    ]


def test_a_second_window_has_an_index_of_its_own(opened, qtbot, byte_index):
    opened.book.actions["new_window"].trigger()
    (second,) = (window for window in shown_windows() if window is not opened)
    second.open(OpenRequest((str(byte_index),)))
    qtbot.waitUntil(lambda: second.corpus is not None)
    assert second.corpus.index.local.token_width == 1 != opened.corpus.index.local.token_width
    second.close()
    assert shown_windows() == [opened] and opened.corpus is not None
    # It is freed, with all that it showed.
    known = weakref.ref(second)
    second = None
    qtbot.waitUntil(lambda: gc.collect() >= 0 and known() is None)


def test_names_without_marks():
    assert plain("&Open index …") == "Open index"


def test_nothing_goes_over_the_network(opened, qtbot, monkeypatch):
    """With sockets that refuse to be made, all screens answer as before; Qt's network module is not even there."""
    import socket
    import sys

    # Other tests of this process may have imported programs that read our tables.
    before = set(sys.modules)

    def refuse(*_, **__):
        raise AssertionError("something asked for a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    opened.search.search_for("the cat")
    opened.trace.presenter.trace_text("the cat sat on the mat")
    opened.next_token.bar.prompt.setPlainText("the cat")
    opened.agreement.analyze_text("the cat sat")
    opened.open_help().close()
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 0 and opened.trace.presenter.state.summary != "")
    qtbot.waitUntil(
        lambda: (
            opened.agreement.presenter.state.answer.value is not None and opened.next_token.next.model.rowCount() > 0
        )
    )
    assert not [
        name
        for name in set(sys.modules) - before
        if name.startswith(("PySide6.QtNetwork", "urllib3", "requests", "huggingface_hub"))
    ]
    assert "PySide6.QtNetwork" not in sys.modules
