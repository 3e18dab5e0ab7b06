"""Fields for numbers with padding: Qt's style sheets do not pad the text of a spin box."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

_INDENT = 7


def _indent(box: QAbstractSpinBox) -> None:
    box.lineEdit().setTextMargins(_INDENT, 0, 0, 0)


class NumberBox(QSpinBox):
    """A field for a whole number; `values` are Qt's properties."""

    def __init__(self, parent: QWidget | None = None, **values: Any) -> None:
        super().__init__(parent, **values)
        _indent(self)


class DecimalBox(QDoubleSpinBox):
    """A field for a number with decimals; `values` are Qt's properties."""

    def __init__(self, parent: QWidget | None = None, **values: Any) -> None:
        super().__init__(parent, **values)
        _indent(self)
