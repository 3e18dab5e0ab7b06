"""Fields for numbers with padding: Qt's style sheets do not pad the text of a spin box."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

_INDENT = 7


def _indent(box: QAbstractSpinBox) -> None:
    box.lineEdit().setTextMargins(_INDENT, 0, 0, 0)


# Qt writes the text of a box again even if its value stays. Screens set their boxes whenever their state changes, also
# because of what is being typed there: that would move the cursor, and undo a text that does not name a number yet.


class NumberBox(QSpinBox):
    """A field for a whole number; `values` are Qt's properties."""

    def __init__(self, parent: QWidget | None = None, **values: Any) -> None:
        super().__init__(parent, **values)
        _indent(self)

    def setValue(self, val: int) -> None:
        """Show another number; a text that is being typed stays if it means the same."""
        if val != self.value():
            super().setValue(val)


class DecimalBox(QDoubleSpinBox):
    """A field for a number with decimals; `values` are Qt's properties."""

    def __init__(self, parent: QWidget | None = None, **values: Any) -> None:
        super().__init__(parent, **values)
        _indent(self)

    def setValue(self, val: float) -> None:
        """Show another number; a text that is being typed stays if it means the same."""
        # Rounded: 100 * 0.07 is not quite 7.
        if round(val, self.decimals()) != self.value():
            super().setValue(val)
