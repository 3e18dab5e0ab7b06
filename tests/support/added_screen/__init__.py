"""A screen that is not the program's: one row, one folder, and nothing else in the window knows it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.gui.chrome.actions import GO, CommandSpec, OnScreen
from explorer.gui.help.guide import GuidePage
from explorer.gui.presenting.requests import Request, SearchText
from explorer.gui.screens.registry import ScreenSpec


@dataclass(frozen=True)
class CountLetters(Request):
    """Count the letters of a text."""

    text: str


def _page() -> str:
    return Path(__file__).with_name("letters.md").read_text(encoding="utf-8")


ROW = ScreenSpec(
    id="letters",
    title="Letters",
    widget="added_screen.screen:LettersScreen",
    picture="words",
    menu_text="&Letters",
    help="Count the letters of a text",
    key="Ctrl+9",
    page=GuidePage("letters", "Letters and signs", _page),
    at_bottom=True,
    takes=(CountLetters,),
    asks=(SearchText,),
    commands=(
        CommandSpec(
            "clear_letters", GO, "&Clear the letters", "Empty the text", OnScreen("letters", lambda s: s.clear())
        ),
    ),
)
