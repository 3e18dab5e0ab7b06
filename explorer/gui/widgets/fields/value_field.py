"""A field for the value of a filter: typed text takes precedence, and existing values can be picked from a list."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from explorer.analyses.breakdown.facets import Bar, Facet
from explorer.gui.style.direction import isolated
from explorer.gui.style.text_positions import short_text
from explorer.gui.style.theme import qcolor
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.end_button import add_end_button
from explorer.i18n import numeral, tr

_LABEL, _COUNT = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_MOST_OFFERED = 2_000
"""The most values in the list, most frequent first; any other can be typed."""


class ValueField(QLineEdit):
    """An input field with a list of values below it, which never changes the typed text until one is picked.

    `chosen(str, object)`: the text as it is now, and the `Bar` if it was picked from the list.
    """

    chosen = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: dict[str, Bar] = {}
        self._values = QStandardItemModel(self)
        completer = QCompleter(self._values, self)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        # Not by the shown text, which is shortened and has marks of direction.
        completer.setCompletionRole(_LABEL)
        completer.setMaxVisibleItems(12)
        self._counts = _CountDelegate(self)
        self.offers = QListView()
        completer.setPopup(self.offers)
        # The completer sets its own delegate together with the list.
        self.offers.setItemDelegate(self._counts)
        self.setCompleter(completer)
        completer.activated.connect(lambda label: self.chosen.emit(label, self._bars.get(label)))
        # `textEdited` and not `textChanged`: a pick changes the text, too, and its bar must be kept.
        self.textEdited.connect(lambda text: self.chosen.emit(text, None))
        self._all = add_end_button(self, "more", tr("Show all values"))
        self._all.clicked.connect(self.show_all)
        self._all.hide()

    def show_values(self, found: Facet | None) -> None:
        """Offer the values of a field, each with its number of lines; None: the values are not known yet."""
        self._bars = {} if found is None else {bar.label: bar for bar in found.bars}
        self._values.clear()
        for label, bar in list(self._bars.items())[:_MOST_OFFERED]:
            item = QStandardItem(isolated(short_text(label)))
            item.setData(label, _LABEL)
            item.setData(numeral(bar.hits), _COUNT)
            item.setToolTip(tip(label))
            item.setEditable(False)
            self._values.appendRow(item)
        self._all.setVisible(bool(self._bars))
        # The values arrived while the user typed: the list opens now, without another key.
        if self.hasFocus() and self.text():
            self.completer().complete()

    def choosing(self) -> bool:
        """Whether a value is selected in the open list: Enter picks it."""
        return self.offers.isVisible() and self.offers.currentIndex().isValid()

    def close_list(self) -> None:
        """Close the list of values."""
        self.offers.hide()

    def offered(self) -> list[tuple[str, str]]:
        """The values on the list with their numbers, as they are shown."""
        items = (self._values.item(row) for row in range(self._values.rowCount()))
        return [(str(item.data(_LABEL)), str(item.data(_COUNT))) for item in items]

    def show_all(self) -> None:
        """Show the list with every value, whatever was typed."""
        self.setFocus()
        self.completer().setCompletionPrefix("")
        self.completer().complete()


class _CountDelegate(QStyledItemDelegate):
    """Draws the number of lines as a gray second column."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a value, and its number at the right."""
        count = str(index.data(_COUNT) or "")
        room = QFontMetrics(option.font).horizontalAdvance(count) + 16
        # A copy: the option belongs to the view.
        text = QStyleOptionViewItem(option)
        text.rect = option.rect.adjusted(0, 0, -room, 0)
        painter.save()
        # The base class paints in the narrower rectangle, and would leave the number without a highlight.
        if option.state & option.state.State_Selected:
            painter.fillRect(option.rect, option.palette.highlight())
        super().paint(painter, text, index)
        painter.setPen(qcolor("muted"))
        side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(option.rect.adjusted(0, 0, -8, 0), side, count)
        painter.restore()
