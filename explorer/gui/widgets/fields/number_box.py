"""Fields for numbers with padding: Qt's style sheets do not pad the text of a spin box."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

_INDENT = 7


def _indent(box: QAbstractSpinBox) -> None:
    box.lineEdit().setTextMargins(_INDENT, 0, 0, 0)


def _lends(box: QAbstractSpinBox, event: QEvent) -> bool:
    """Whether a key is for what is around a box: Ctrl+Z where nothing was typed that it could undo."""
    # The arrows and the wheel leave nothing to undo in the text, and Qt would take the key and do nothing.
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    line, keys = box.lineEdit(), QKeySequence.StandardKey
    undo, redo = event.matches(keys.Undo), event.matches(keys.Redo)
    return (undo and not line.isUndoAvailable()) or (redo and not line.isRedoAvailable())


# Qt writes the text of a box again even if its value stays. Screens set their boxes whenever their state changes, also
# because of what is being typed there: that would move the cursor, and undo a text that does not name a number yet.


class NumberBox(QSpinBox):
    """A field for a whole number; `values` are Qt's properties."""

    def __init__(self, parent: QWidget | None = None, **values: Any) -> None:
        super().__init__(parent, **values)
        _indent(self)

    def event(self, event: QEvent) -> bool:
        """Leave Ctrl+Z to the part that the box is in, if nothing was typed here."""
        return not _lends(self, event) and super().event(event)

    def setValue(self, val: int) -> None:
        """Show another number; a text that is being typed stays if it means the same."""
        if val != self.value():
            super().setValue(val)


class DecimalBox(QDoubleSpinBox):
    """A field for a number with decimals; `values` are Qt's properties."""

    def __init__(self, parent: QWidget | None = None, **values: Any) -> None:
        super().__init__(parent, **values)
        _indent(self)

    def event(self, event: QEvent) -> bool:
        """Leave Ctrl+Z to the part that the box is in, if nothing was typed here."""
        return not _lends(self, event) and super().event(event)

    def setValue(self, val: float) -> None:
        """Show another number; a text that is being typed stays if it means the same."""
        # Rounded: 100 * 0.07 is not quite 7.
        if round(val, self.decimals()) != self.value():
            super().setValue(val)
