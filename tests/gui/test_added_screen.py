"""A screen and a command are one row each: nothing else in the program names them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from added_screen import ROW, CountLetters
from driven import DrivenWindow
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from explorer.gui.app.app import make_application
from explorer.gui.chrome.actions import HELP, CommandSpec
from explorer.gui.chrome.commands import COMMANDS
from explorer.gui.presenting.requests import OpenRequest, Request, ShowHelp
from explorer.gui.screens.registry import SCREENS
from explorer.gui.settings.store import Settings

pytestmark = pytest.mark.usefixtures("all_screens")


@pytest.fixture
def show(qtbot, settings):
    """Shows windows with the added screen."""
    windows = []

    def show(specs=(*SCREENS, ROW), commands=COMMANDS, stored=settings):
        make_application(stored)
        window = DrivenWindow(stored, specs, commands)
        windows.append(window)
        window.show()
        return window

    yield show
    for window in windows:
        window.close()
        window.deleteLater()


def texts(menu):
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_a_row_and_a_folder_are_a_screen(show, qtbot, small_index, small):
    window = show()
    menus = {menu.text(): menu.menu() for menu in window.menuBar().actions()}
    assert texts(menus["&View"])[:10] == [
        "&Search", "&Next token", "&Trace", "&Agreement", "&Model", "Statisti&cs",
        "C&uration", "&Index", "Se&ttings", "&Letters",
    ]  # fmt: skip
    assert "&Clear the letters" in texts(menus["&Go"])
    assert list(window.rail.screen_actions)[-1] == "letters"
    assert window.rail.screen_actions["letters"].toolTip() == "Letters (Ctrl+9)"
    # It is made behind the window, as the others are, and gets what is opened.
    qtbot.waitUntil(lambda: window.screens.complete)
    window.open(OpenRequest((str(small_index),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    letters = window.screens["letters"]
    assert letters.tokens.text() == str(small.token_count)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_9, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.current_screen() is letters)
    assert window.rail.screen_actions["letters"].isChecked()
    dialog = window.open_help()
    assert dialog.pages.currentItem().text() == "Letters and signs"
    assert "Counts the letters" in dialog.text.toPlainText()
    dialog.close()


def test_it_is_in_the_palette_and_its_shortcut_can_be_changed(show, qtbot, settings):
    settings.set("shortcuts", {"letters": "Ctrl+Alt+L"})
    window = show()
    assert window.book.actions["letters"].shortcut() == QKeySequence("Ctrl+Alt+L")
    palette = window.open_palette()
    qtbot.keyClicks(palette.field, "letters")
    found = [command.name for command in palette.shown()]
    assert found[0] == "Letters" and "Clear the letters" in found
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.current_screen() is window.screens["letters"])
    window.screens["letters"].field.setText("abc")
    window.book.actions["clear_letters"].trigger()
    qtbot.waitUntil(lambda: window.screens["letters"].number.text() == "0")


def test_it_asks_and_is_asked(show, qtbot, small_index):
    window = show()
    window.open(OpenRequest((str(small_index),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    window.ask(CountLetters("the cat"))
    letters = window.screens["letters"]
    qtbot.waitUntil(lambda: window.current_screen() is letters and letters.number.text() == "6")
    letters.search()
    qtbot.waitUntil(lambda: window.current_screen() is window.search)
    assert window.search.query.text() == '"the cat"'


def test_its_session_is_kept_and_restored(show, qtbot, small_index, settings):
    window = show()
    window.open(OpenRequest((str(small_index),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    window.ask(CountLetters("the cat"))
    qtbot.waitUntil(lambda: window.current_screen() is window.screens["letters"])
    window.close()
    stored = Settings(settings.path)
    assert stored.get("session")["screen"] == "letters"
    again = show(stored=stored)
    again.session.restore(stored.get("session"))
    qtbot.waitUntil(lambda: again.corpus is not None)
    assert again.current_screen() is again.screens["letters"]
    assert again.screens["letters"].field.text() == "the cat"


def test_a_session_of_a_screen_that_is_gone_is_left_alone(show, qtbot, small_index, settings):
    session = {"paths": [str(small_index)], "screen": "letters", "screens": {"letters": {"text": "x"}, "search": {}}}
    window = show(specs=SCREENS)
    window.session.restore(session)
    qtbot.waitUntil(lambda: window.corpus is not None)
    assert window.current_screen() is window.index


def test_a_command_is_one_row(show):
    asked = []
    rows = (
        CommandSpec("greet", HELP, "&Greet", "Say hello", asked.append, "Ctrl+G"),
        CommandSpec("first", HELP, "&First steps", "Show the first page", ShowHelp("start")),
    )
    window = show(commands=(*COMMANDS, *rows))
    window.book.actions["greet"].trigger()
    assert asked == [window]
    assert window.book.actions["greet"].shortcut() == QKeySequence("Ctrl+G")
    window.book.actions["first"].trigger()
    titles = [dialog.pages.currentItem().text() for dialog in window.findChildren(type(window.open_help()))]
    assert "First steps" in titles


class Untaken(Request):
    """Nobody takes it."""


@pytest.mark.parametrize(
    ("specs", "commands", "error", "message"),
    [
        ((*SCREENS, ROW, ROW), COMMANDS, ValueError, "two screens have the id letters"),
        ((*SCREENS, replace(ROW, key="Ctrl+1")), COMMANDS, ValueError, "two screens have the key"),
        ((*SCREENS, replace(ROW, key="Ctrl+O")), COMMANDS, ValueError, "letters, open have the same shortcut"),
        ((*SCREENS, replace(ROW, id="open")), COMMANDS, ValueError, "two commands have the id open"),
        ((*SCREENS, replace(ROW, id="signs")), COMMANDS, LookupError, "for the unknown screen letters"),
        ((*SCREENS, replace(ROW, asks=(Untaken,))), COMMANDS, LookupError, "nobody takes Untaken"),
        ((*SCREENS, replace(ROW, takes=SCREENS[0].takes)), COMMANDS, ValueError, "SearchText has two takers"),
        ((replace(SCREENS[0], takes=()), *SCREENS[1:]), COMMANDS, LookupError, "nobody takes SearchText"),
        (SCREENS, (*COMMANDS, CommandSpec("x", HELP, "X", "X", Untaken())), LookupError, "nobody takes Untaken"),
    ],
)
def test_rows_that_clash_or_lack_something_are_errors_at_start(qtbot, settings, specs, commands, error, message):
    make_application(settings)
    with pytest.raises(error, match=message):
        DrivenWindow(settings, specs, commands)


def test_a_command_without_a_handler_is_an_error():
    with pytest.raises(TypeError, match="the command x does nothing"):
        CommandSpec("x", HELP, "X", "X", None)
    with pytest.raises(TypeError):
        CommandSpec("x", HELP, "X", "X")
    with pytest.raises(ValueError, match="the command x is in no menu"):
        CommandSpec("x", "", "X", "X", ShowHelp())
