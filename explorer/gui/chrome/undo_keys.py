"""Ctrl+Z and Ctrl+Shift+Z in a part of the window that has an undo of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from explorer.gui.presenting.choices import Choices


def undo_keys(part: QWidget, undo: Callable[[], object], redo: Callable[[], object]) -> tuple[QShortcut, QShortcut]:
    """Undo by keys, wherever in a part the focus is."""
    return _key(part, QKeySequence.StandardKey.Undo, undo), _key(part, QKeySequence.StandardKey.Redo, redo)


def follow_choices(part: QWidget, choices: Choices[Any]) -> None:
    """Undo the choices of a part by keys, wherever in it the focus is; the keys are off if there is nothing to undo."""
    undo, redo = undo_keys(part, choices.undo, choices.redo)

    def offer() -> None:
        # The Edit menu reads this, and tells it.
        undo.setEnabled(choices.can_undo)
        redo.setEnabled(choices.can_redo)

    choices.watch(offer)
    offer()


def _key(part: QWidget, keys: QKeySequence.StandardKey, act: Callable[[], object]) -> QShortcut:
    shortcut = QShortcut(part)
    # All of them: Windows redoes by Ctrl+Y first, and by Ctrl+Shift+Z as well.
    shortcut.setKeys(keys)
    # Fields for text have an undo of their own, which comes first while they have the focus.
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.activated.connect(act)
    return shortcut
