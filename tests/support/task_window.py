"""What tests need of a window: an index open, at rest, and with the dialogs of the system answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from driven import DrivenWindow
from hands import Hands
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from explorer.gui.presenting.requests import OpenRequest

SLACK = 3
"""Presses of Tab that a task may take more than docs/window-tasks.md has: each new control on the way adds one."""


def open_behind(window: DrivenWindow, qtbot: QtBot, folder: Path, screen: str = "search") -> None:
    """Open an index with a screen in front, which stays there.

    A window that shows its first screen makes the Search screen next, in turns: half a second more in each test.
    """
    window.show_screen(screen)
    window.open(OpenRequest((str(folder),)))
    qtbot.waitUntil(lambda: window.corpus is not None and window.screens.settled)


def open_letters(window: DrivenWindow, qtbot: QtBot, folder: Path) -> DrivenWindow:
    """Open an index in a window, and give it the focus."""
    open_behind(window, qtbot, folder)
    return focused(window, qtbot)


def focused(window: DrivenWindow, qtbot: QtBot) -> DrivenWindow:
    """Give the window the focus."""
    window.activateWindow()
    qtbot.waitUntil(lambda: window.isActiveWindow() and QApplication.focusWidget() is not None)
    return window


def settled(window: DrivenWindow) -> Callable[[], bool]:
    """Whether a window awaits no answer; only screens that exist are asked."""

    def check() -> bool:
        return not any(part.busy for part in (*window.screens.made().values(), window.panel))

    return check


def answer_dialog(patch: pytest.MonkeyPatch, hands: Hands, name: str, path: Path | list[Path]) -> None:
    """Answer a dialog of the system with a path; it counts as one step.

    Parameters
    ----------
    patch
        Puts the real dialog back at the end of the test.
    hands
        Whose step it is.
    name
        The function of `QFileDialog`.
    path
        The answer; several where several files can be chosen.
    """

    def answer(*_: object, **__: object) -> object:
        hands.count(f"choose in the dialog: {name}")
        if name == "getExistingDirectory":
            return str(path)
        return ([str(each) for each in path] if isinstance(path, list) else str(path)), ""

    patch.setattr(QFileDialog, name, answer)
