"""Metadata as a tree: fields, and the contents of lists and objects."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTreeWidget, QTreeWidgetItem, QWidget

from explorer.analyses.metadata.values import plain_value, show_value
from explorer.gui.style.direction import isolated
from explorer.gui.style.text_positions import one_line
from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.i18n import numeral, tr, trn
from explorer.text.graphemes import beginning

_MAX_VALUE = 300
_MAX_CHILDREN = 500
_MAX_DEPTH = 20
_ROWS, _LEAST_ROWS, _FRAME, _GAP = 6, 2, 8, 8
"""Rows at most and at least, and pixels of the frame and between the columns."""


class _Muted(QStyledItemDelegate):
    """Draws names of fields in the color of labels."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Set the color whenever it is drawn, so that it follows the theme."""
        super().initStyleOption(option, index)
        option.palette.setColor(QPalette.ColorRole.Text, qcolor("muted"))


class MetadataTree(QTreeWidget):
    """Two columns, names and values; as high as a few rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        # First: Qt may ask for the size while the base class is made.
        self._wanted = 0
        super().__init__(parent)
        self.setColumnCount(2)
        self._names = _Muted(self)
        self.setItemDelegateForColumn(0, self._names)
        self.setHeaderHidden(True)
        # Values are on one line each, so Qt need not measure every row.
        self.setUniformRowHeights(True)
        self.setAccessibleName(tr("Metadata"))

    def show_metadata(self, metadata: dict[str, Any]) -> None:
        """Show metadata; all values are shown as plain text."""
        self.clear()
        for key, value in metadata.items():
            self.addTopLevelItem(_item(str(key), value, 0))
        nested = any(isinstance(value, (dict, list)) and value for value in metadata.values())
        self.setRootIsDecorated(nested)
        self.resizeColumnToContents(0)
        self.setColumnWidth(0, self.columnWidth(0) + scaled(_GAP))
        rows = min(_ROWS, len(metadata))
        # By its own rows, so that a document with two fields does not take the room of six. In a low window it scrolls
        # rather than take the room of the text.
        row = max(1, self.sizeHintForRow(0))
        self._wanted = rows * row + _FRAME
        self.setMaximumHeight(self._wanted)
        self.setMinimumHeight(min(self._wanted, _LEAST_ROWS * row + _FRAME))
        self.updateGeometry()
        self.setVisible(rows > 0)

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(super().sizeHint().width(), self._wanted)


def _shown(value: Any) -> str:
    """A value by the rule for metadata values; no value is a dash."""
    plain = plain_value(value)
    return "–" if plain is None else show_value(plain)


def _item(key: str, value: Any, depth: int) -> QTreeWidgetItem:
    if isinstance(value, dict):
        inner, shown = list(value.items()), trn("{n} field", "{n} fields", len(value))
    elif isinstance(value, list):
        inner, shown = (
            [(str(number), part) for number, part in enumerate(value)],
            trn("{n} value", "{n} values", len(value)),
        )
    else:
        inner, shown = [], beginning(one_line(_shown(value)), _MAX_VALUE)
    hint = shown
    if key == "linenum" and depth == 0 and isinstance(value, int) and not isinstance(value, bool):
        # The index counts lines from 0; users, and the document's title, from 1.
        key, shown = tr("line"), numeral(value + 1)
        hint = tr("Line numbers start at 1. The stored linenum, {linenum}, starts at 0.", linenum=value)
    item = QTreeWidgetItem([isolated(beginning(one_line(key), _MAX_VALUE)), isolated(shown)])
    item.setToolTip(1, tip(hint))
    # Metadata may come from any file: without these limits, one value could block the window.
    if depth < _MAX_DEPTH:
        for name, part in inner[:_MAX_CHILDREN]:
            item.addChild(_item(str(name), part, depth + 1))
    return item
